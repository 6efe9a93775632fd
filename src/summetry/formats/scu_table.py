"""Content units as a table of 0 and 1: which system expresses which unit.

    id,unit,weight,bart,t5
    t1,a ferry sank,3,1,0

One row per unit, and one column per system. Or one row per unit and system, with the 0 or 1 in the
last column that is left: ``id,unit,system,value``. ``id`` may be missing where there is one topic,
``label`` may say in words what a unit is. A unit weighs what ``weight`` says, or else the number of
references that express it, where ``--columns reference=ann+bob`` names them, or else 1. A system
without a single 0 or 1 for a topic was not judged there, which is not the same as 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from summetry.errors import FormatError, Place, SummetryError, did_you_mean
from summetry.formats._base import FORMATS, Format, ReadOptions
from summetry.formats.cells import Cells, kind_of_table, read_cells
from summetry.formats.texts import warn_at
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Contributor, PeerScu, Pyramid, Scu
from summetry.records.summaries import Summary
from summetry.records.topics import Topic

# The names that a column may have by itself; --columns names others.
_NAMES = {
    "id": ("id", "topic"),
    "unit": ("unit", "scu"),
    "label": ("label",),
    "weight": ("weight",),
    "system": ("system", "author"),
}
_MARKS: dict[Any, bool | None] = {"0": False, "1": True, "": None, None: None, 0: False, 1: True}


@dataclass(frozen=True)
class _Columns:
    """The column of each role, those that hold 0 and 1, and the references among them."""

    of: Mapping[str, str]
    marks: tuple[str, ...]
    references: tuple[str, ...] = ()

    def cell(self, cells: Cells, role: str) -> str:
        value = cells.get(self.of.get(role, ""))
        return "" if value is None else str(value).strip()

    @property
    def is_long(self) -> bool:
        return "system" in self.of


@dataclass
class _Unit:
    label: str
    weight: float | None
    # What is said of each system and reference: yes, no, or nothing.
    marks: dict[str, bool | None] = field(default_factory=dict)


_Units = dict[str, dict[str, _Unit]]


@FORMATS.register
@dataclass(frozen=True)
class ScuTable(Format):
    """One row per content unit and one column per system, in JSONL, CSV, TSV or Parquet."""

    name: ClassVar[str] = "scu_table"
    title: ClassVar[str] = "a table of content units (SCUs) by systems, 0 or 1 in each cell"
    has_columns: ClassVar[bool] = True

    def recognise(self, path: Path) -> bool:
        if not path.is_file() or not kind_of_table(path):
            return False
        try:
            _, cells = next(read_cells(path, lambda error: None), (None, {}))
            columns = _columns(cells, {}, Place(str(path)))
        except FormatError:
            return False
        return all(_is_mark(cells[name]) for name in columns.marks)

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        columns: _Columns | None = None
        by_topic: _Units = {}
        for place, cells in read_cells(path, builder.report):
            columns = columns or _columns(cells, options.columns, place)
            with builder.reporting():
                _add_row(by_topic, cells, columns, place, path.stem)
        if columns is None or not by_topic:
            raise SummetryError(f"{path}: expected one row per content unit, found none")
        whole = Place(str(path))
        for topic in by_topic:
            builder.add("topics", Topic(topic), whole)
        for topic, units in by_topic.items():
            pyramid = _pyramid(topic, units, columns.references)
            for system in pyramid.peers:
                builder.add("summaries", Summary(topic, system, "candidate", text=""), whole)
            builder.add("pyramids", pyramid, whole)
        if "weight" not in columns.of and not columns.references:
            advice = "a column weight, or --columns reference=NAME+NAME, would say otherwise"
            warn_at(path, f"every content unit weighs 1; {advice}")
        return builder.build()


def _columns(cells: Cells, asked: Mapping[str, str], place: Place) -> _Columns:
    """Which columns are what, by their names; all others hold 0 and 1."""
    known = {name.strip().lower(): name for name in cells}
    references = tuple(name for name in asked.get("reference", "").split("+") if name)
    for role, name in asked.items():
        if role not in _NAMES and role != "reference":
            roles = ", ".join([*_NAMES, "reference"])
            raise SummetryError(f"--columns: content units have the roles {roles}, got {role!r}")
        for column in references if role == "reference" else (name,):
            if column not in cells:
                found = f"no {column!r}.{did_you_mean(column, cells)}"
                raise FormatError(place, f"the column that --columns names for {role}", found)
    of = {}
    for role, names in _NAMES.items():
        own = asked.get(role) or next((known[name] for name in names if name in known), None)
        if own is not None:
            of[role] = own
    marks = tuple(name for name in cells if name not in of.values())
    if "unit" not in of:
        raise FormatError(place, "a column unit (or scu)", f"only {', '.join(cells)}")
    if "system" in of and len(marks) != 1:
        expected = "one more column beside unit and system, with 0 or 1"
        raise FormatError(place, expected, ", ".join(marks) or "none")
    if not marks:
        raise FormatError(place, "a column of 0 and 1 for each system", "none")
    return _Columns(of, marks, references)


def _add_row(by_topic: _Units, cells: Cells, columns: _Columns, place: Place, only: str) -> None:
    name = columns.cell(cells, "unit")
    topic = columns.cell(cells, "id") if "id" in columns.of else only
    if not name or not topic:
        raise FormatError(place, "a content unit with its topic", f"{name!r} of topic {topic!r}")
    of_system = (columns.cell(cells, "system"),) if columns.is_long else columns.marks
    marks = {
        system: _mark(cells[column], system, place)
        for system, column in zip(of_system, columns.marks, strict=True)
    }
    new = _Unit(columns.cell(cells, "label"), _weight(cells, columns, place), marks)
    units = by_topic.setdefault(topic, {})
    unit = units.setdefault(name, new)
    if unit is new:
        return
    twice = unit.marks.keys() & marks.keys()
    if twice:
        expected = f"one row for unit {name!r} of topic {topic!r}"
        who = f" for system {min(twice)!r}" if columns.is_long else ""
        raise FormatError(place, expected + who, "a second one")
    if unit.weight != new.weight:
        expected = f"one weight for unit {name!r} of topic {topic!r}"
        raise FormatError(place, expected, f"{unit.weight:g} and {new.weight:g}")
    unit.marks |= marks


def _is_mark(cell: Any) -> bool:
    if not isinstance(cell, str | int | float | None):
        return False
    return (cell.strip() if isinstance(cell, str) else cell) in _MARKS


def _mark(cell: Any, system: str, place: Place) -> bool | None:
    if not _is_mark(cell):
        raise FormatError(place, f"0 or 1 for {system}", repr(cell))
    return _MARKS[cell.strip() if isinstance(cell, str) else cell]


def _weight(cells: Cells, columns: _Columns, place: Place) -> float | None:
    if "weight" not in columns.of:
        return None
    written = columns.cell(cells, "weight")
    try:
        weight = float(written)
    except ValueError:
        weight = math.nan
    if not 0 <= weight < math.inf:
        raise FormatError(place, "a weight that is a number of 0 or more", repr(written))
    return int(weight) if weight.is_integer() else weight


def _pyramid(topic: str, units: Mapping[str, _Unit], references: tuple[str, ...]) -> Pyramid:
    """The units that weigh something as a pyramid, and what each system says of them."""
    scus = []
    for name, unit in units.items():
        parts = tuple(Contributor(who) for who in references if unit.marks.get(who))
        weight = unit.weight
        if weight is None:
            weight = len(parts) if references else 1
        if weight:
            scus.append(Scu(name, unit.label, weight, parts))
    every = dict.fromkeys(who for unit in units.values() for who in unit.marks)
    judged = {
        who: [unit.marks.get(who) for unit in units.values()]
        for who in every
        if who not in references
    }
    for who, marks in judged.items():
        missing = [name for name, mark in zip(units, marks, strict=True) if mark is None]
        if missing and len(missing) < len(marks):
            raise SummetryError(
                f"topic {topic!r}: expected 0 or 1 for each unit of {who}, found nothing for "
                f"{missing[0]!r}; a system that was not judged has neither in the whole topic"
            )
    peers = {
        who: tuple(PeerScu(name) for name, mark in zip(units, marks, strict=True) if mark)
        for who, marks in judged.items()
        if any(mark is not None for mark in marks)
    }
    return Pyramid(topic, tuple(scus), peers)
