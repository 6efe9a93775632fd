"""Content units as 0/1 marks: one row per unit, one column per system.

    topic,unit,weight,bart,t5
    t1,the ferry struck the pier,3,1,0
    t1,nobody was hurt,1,1,1

Any kind of table. ``topic`` may be missing where there is one, ``weight`` where the references have
columns of marks too (``reference_1``, ``ref2``, ``gold``): a unit weighs as many as express it, or
1 where neither is there. Systems become candidates without texts: only pyramid metrics score them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from summetry.errors import FormatError, Place, SummetryError
from summetry.formats._base import FORMATS, Format, ReadOptions
from summetry.formats.cells import kind_of_table, read_cells
from summetry.formats.columns import LOOKED_AT, Cells, known_role
from summetry.records.base import Number
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Contributor, PeerScu, Pyramid, Scu
from summetry.records.summaries import Summary
from summetry.records.topics import Topic

_UNITS = ("unit", "scu", "content_unit", "content unit")
_TOPICS = ("topic", "id")
_REFERENCE = re.compile(r"ref(erence)?[ _-]?\w{0,3}", re.IGNORECASE)
_MARKS = {"0": False, "1": True, "": False, "false": False, "true": True}


@FORMATS.register
@dataclass(frozen=True)
class UnitMarks(Format):
    """A table of content units with a column of 0 and 1 for each system."""

    name: ClassVar[str] = "unit_marks"
    title: ClassVar[str] = "content units as 0/1 marks: a table, one row per unit"

    def recognise(self, path: Path) -> bool:
        if not kind_of_table(path):
            return False
        try:
            rows = [cells for _, cells in islice(read_cells(path, lambda error: None), LOOKED_AT)]
        except FormatError:
            return False
        return _named(rows, _UNITS) is not None and bool(_systems(rows))

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        rows = list(read_cells(path, builder.report))
        cells_of_all = [cells for _, cells in rows]
        unit, topic = _named(cells_of_all, _UNITS), _named(cells_of_all, _TOPICS)
        systems, references = _systems(cells_of_all), _references(cells_of_all)
        if unit is None or not systems:
            raise SummetryError(
                f"{path}: expected a column {_UNITS[0]!r} and columns of 0 and 1, one per system"
            )
        by_topic: dict[str, list[Scu]] = {}
        said: dict[tuple[str, str], list[PeerScu]] = {}
        for place, cells in rows:
            with builder.reporting():
                name = str(cells.get(topic)) if topic else path.stem
                scus = by_topic.setdefault(name, [])
                scu = _scu(str(len(scus) + 1), cells, unit, references, place)
                scus.append(scu)
                for system in systems:
                    said.setdefault((name, system), [])
                    if _mark(cells.get(system)):
                        said[name, system].append(PeerScu(scu.id))
        where = Place(str(path))
        for name, scus in by_topic.items():
            builder.add("topics", Topic(name), where)
            for system in systems:
                builder.add("summaries", Summary(name, system, "candidate", text=""), where)
            peers = {system: tuple(said[name, system]) for system in systems}
            builder.add("pyramids", Pyramid(name, tuple(scus), peers), where)
        return builder.build()


def _scu(number: str, cells: Cells, unit: str, references: Sequence[str], place: Place) -> Scu:
    parts = tuple(Contributor(name) for name in references if _mark(cells.get(name)))
    weight: Number = len(parts) if references else 1
    if "weight" in cells:
        weight = _weight(cells["weight"], place)
    known = {unit, "weight", *_TOPICS}
    meta = {n: c for n, c in cells.items() if n not in known and _mark(c) is None}
    return Scu(number, str(cells[unit]), weight, parts, meta)


def _weight(cell: Any, place: Place) -> Number:
    try:
        weight = float(cell)
    except (TypeError, ValueError):
        weight = math.nan
    if not math.isfinite(weight):
        raise FormatError(place, "a number as weight", repr(cell))
    return int(weight) if weight.is_integer() else weight


def _named(rows: Sequence[Cells], names: Sequence[str]) -> str | None:
    """The first column that has one of these names."""
    there = {name.lower(): name for cells in rows for name in cells}
    return next((there[name] for name in names if name in there), None)


def _systems(rows: Sequence[Cells]) -> list[str]:
    """The columns of marks that are not those of references."""
    references = _references(rows)
    return [name for name in _marked(rows) if name not in references]


def _references(rows: Sequence[Cells]) -> list[str]:
    roles = ("reference", "references")
    return [n for n in _marked(rows) if known_role(n) in roles or _REFERENCE.fullmatch(n)]


def _marked(rows: Sequence[Cells]) -> list[str]:
    """The columns that hold nothing but marks."""
    others = {*_UNITS, *_TOPICS, "weight"}
    names = dict.fromkeys(name for cells in rows for name in cells if name.lower() not in others)
    return [name for name in names if all(_mark(cells.get(name)) is not None for cells in rows)]


def _mark(cell: Any) -> bool | None:
    """Whether a unit is marked; None for what is no mark."""
    return _MARKS.get("" if cell is None else str(cell).strip().lower())
