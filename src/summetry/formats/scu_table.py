"""Content units as a table of 0 and 1: which system expresses which unit.

    id,unit,weight,bart,t5
    t1,a ferry sank,3,1,0

One row per unit, and one column per system. Or one row per unit and system, with the 0 or 1 in the
last column that is left: ``id,unit,system,value``. In JSON the 0 and 1 may be lists, one object per
topic or one per summary:

    {"id": "t1", "units": ["a ferry sank", "nobody was hurt"], "marks": {"bart": [1, 0]}}
    {"id": "t1", "system": "bart", "marks": [1, 0]}

Where several people marked the same, a column ``annotator`` says who did; a list of lists has one
row per annotator, who are called 1, 2, ... ``id`` may be missing where there is one topic, or have
another name (``doc_id``, ``article``, ...); ``label`` may say in words what a unit is. A unit
weighs what ``weight`` says, or else the number of references that express it, where ``--columns
reference=ann+bob`` names them, or else 1. A system without a single 0 or 1 for a topic was not
judged there, which is not the same as 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from summetry.errors import FormatError, Place, SummetryError, did_you_mean, next_sentence
from summetry.formats._base import FORMATS, Format, ReadOptions
from summetry.formats.cells import Cells, first_cells, kind_of_table, read_cells
from summetry.formats.columns import OTHER_NAMES, column_for, listed, taken_in_words
from summetry.formats.texts import number_in, warn_at
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Contributor, PeerScu, Pyramid, Scu
from summetry.records.summaries import Summary
from summetry.records.topics import Topic

# Other names of a topic's column: no unit is a source, and a number of a row is no topic.
_OF_TOPICS = (
    *(name for name in OTHER_NAMES["id"] if name not in ("topic", "idx", "index")),
    "article", "document", "story", "dialogue",
)  # fmt: skip
# The names that a column may have by itself; --columns names others.
_NAMES = {
    "id": ("id", "topic", *_OF_TOPICS),
    "unit": ("unit", "scu"),
    "label": ("label",),
    "weight": ("weight",),
    "annotator": ("annotator", "informant", "judge", "worker", "rater", "assessor",
                  "annotator_id", "worker_id"),
    "system": ("system", "author", *(n for n in OTHER_NAMES["system"] if n != "author")),
}  # fmt: skip
_ROLES = (*_NAMES, "reference", "units", "marks")
_NO_TOPIC = (
    f"the column of the topic is looked for as {', '.join(_NAMES['id'])}; others: --columns id=NAME"
)
# Names of the lists of JSON.
_UNITS = ("units", "scus", "acus", "reference_acus")
_WEIGHTS = ("weights",)
_MARKS_ROLE = ("marks", "labels", "votes")
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


# By topic, annotator and name.
_Units = dict[str, dict[str, dict[str, _Unit]]]


@FORMATS.register
@dataclass(frozen=True)
class ScuTable(Format):
    """One row per content unit and one column per system, in JSONL, CSV, TSV or Parquet."""

    # Units alone are no corpus to score, but they can be added to one.
    marks: Literal["needed", "optional"] = "needed"

    name: ClassVar[str] = "scu_table"
    title: ClassVar[str] = "a table of content units (SCUs) by systems, 0 or 1 in each cell"
    roles: ClassVar[tuple[str, ...]] = _ROLES

    def recognise(self, path: Path) -> bool:
        if not path.is_file() or not kind_of_table(path):
            return False
        try:
            rows = first_cells(path, 1)
            cells: Cells = rows[0][1] if rows else {}
            if lists := _lists(cells, {}, Place(str(path))):
                # What has more columns may be a table of texts.
                return set(cells) <= {*lists.of.values()}
            columns = _columns(cells, {}, Place(str(path)))
            _check_marks(columns, Place(str(path)))
        except FormatError:
            return False
        return all(_is_mark(cells[name]) for name in columns.marks)

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        columns: _Columns | None = None
        lists: _Lists | None = None
        by_topic: _Units = {}
        for place, cells in read_cells(path, builder.report):
            if columns is None:
                lists = _lists(cells, options.columns, place)
                columns = lists.columns if lists else _columns(cells, options.columns, place)
                if self.marks == "needed":
                    _check_marks(columns, place)
            with builder.reporting():
                for row in lists.rows(cells, place) if lists else [cells]:
                    _add_row(by_topic, row, columns, place, path.stem)
        if columns is None or not by_topic:
            raise SummetryError(f"{path}: expected one row per content unit, found none")
        topics = columns.of.get("id", "")
        if topics.strip().lower() in _OF_TOPICS and options.columns.get("id") != topics:
            warn_at(path, taken_in_words([((topics,), "the topic")]))
        whole = Place(str(path))
        for topic in by_topic:
            builder.add("topics", Topic(topic), whole)
        for topic, by_annotator in by_topic.items():
            _share_labels(by_annotator)
            pyramids = [
                _pyramid(topic, units, columns.references, who)
                for who, units in by_annotator.items()
            ]
            for system in dict.fromkeys(system for one in pyramids for system in one.peers):
                builder.add("summaries", Summary(topic, system, "candidate", text=""), whole)
            for pyramid in pyramids:
                builder.add("pyramids", pyramid, whole)
        is_scored = self.marks == "needed"
        if is_scored and "weight" not in columns.of and not columns.references:
            advice = "a column weight, or --columns reference=NAME+NAME, would say otherwise"
            warn_at(path, f"every content unit weighs 1; {advice}")
        return builder.build()


def _columns(cells: Cells, asked: Mapping[str, str], place: Place) -> _Columns:
    """Which columns are what, by their names; all others hold 0 and 1."""
    known = {name.strip().lower(): name for name in cells}
    references = tuple(name for name in asked.get("reference", "").split("+") if name)
    for role, name in asked.items():
        if role not in _NAMES and role != "reference":
            roles = ", ".join(_ROLES)
            raise SummetryError(f"--columns: content units have the roles {roles}, got {role!r}")
        for column in references if role == "reference" else (name,):
            if column not in cells:
                found = f"no {column!r}{next_sentence(did_you_mean(column, cells))}"
                raise FormatError(place, f"the column that --columns names for {role}", found)
    of = {}
    for role, names in _NAMES.items():
        there = [known[name] for name in names if name in known]
        # A column that has the name of its role leaves no doubt, nor do those of a corpus.
        if len(there) > 1 and role not in asked and there[0] not in map(known.get, names[:2]):
            advice = f"say --columns {role}={there[0]}"
            raise FormatError(place, f"one column for the {role}", listed(there), advice)
        own = asked.get(role) or next(iter(there), None)
        if own is not None:
            of[role] = own
    marks = tuple(name for name in cells if name not in of.values())
    if "unit" not in of:
        raise FormatError(place, "a column unit (or scu)", f"only {', '.join(cells)}")
    if "system" in of and len(marks) != 1:
        expected = "one more column beside unit and system, with 0 or 1"
        raise FormatError(place, expected, ", ".join(marks) or "none")
    return _Columns(of, marks, references)


def _check_marks(columns: _Columns, place: Place) -> None:
    if not columns.marks:
        raise FormatError(place, "a column of 0 and 1 for each system", "none")


@dataclass(frozen=True)
class _Lists:
    """The columns of JSON whose 0 and 1 are in lists."""

    of: Mapping[str, str]

    @property
    def columns(self) -> _Columns:
        """The columns of the rows that :meth:`rows` makes."""
        roles = ["id"] if "id" in self.of else []
        roles += ["weight"] if "weights" in self.of else []
        of = {role: role for role in (*roles, "unit", "label", "annotator", "system")}
        return _Columns(of, ("mark",))

    def rows(self, cells: Cells, place: Place) -> Iterator[Cells]:
        """One row per unit, annotator and system."""
        marks: Any = cells.get(self.of["marks"])
        systems: dict[str, Any] = marks
        if not isinstance(marks, dict):
            system = cells.get(self.of.get("system", ""))
            if not isinstance(system, str | int) or system == "":
                raise FormatError(place, "the name of a system beside the marks", repr(system))
            systems = {str(system): marks}
        for system, row in systems.items():
            for annotator, marked in _by_annotator(row, str(system), place):
                labels = self._beside("units", cells, len(marked), place)
                weights = self._beside("weights", cells, len(marked), place)
                for number, (mark, label, weight) in enumerate(
                    zip(marked, labels, weights, strict=True), start=1
                ):
                    yield {"id": cells.get(self.of.get("id", "")), "unit": str(number),
                           "label": label, "weight": weight, "annotator": annotator,
                           "system": system, "mark": mark}  # fmt: skip

    def _beside(self, role: str, cells: Cells, count: int, place: Place) -> Sequence[Any]:
        """What a list says of each unit, if there is one."""
        if role not in self.of:
            return [""] * count
        values = cells.get(self.of[role])
        if not isinstance(values, list) or len(values) != count:
            found = str(len(values)) if isinstance(values, list) else repr(values)
            raise FormatError(place, f"as many {self.of[role]} as marks, {count}", found)
        return [v.get("text", v.get("label")) if isinstance(v, dict) else v for v in values]


def _lists(cells: Cells, asked: Mapping[str, str], place: Place) -> _Lists | None:
    """Which columns hold lists of 0 and 1; None where the table has one cell for each."""
    known = {name.strip().lower(): name for name in reversed(cells)}
    names = {"id": _NAMES["id"][:2], "system": _NAMES["system"][:2], "units": _UNITS,
             "weights": _WEIGHTS}  # fmt: skip
    of = {}
    for role, others in names.items():
        own = asked.get(role) or next((known[name] for name in others if name in known), None)
        if not own and role in ("id", "system"):
            # By the names that people use.
            own = column_for(role, list(cells), {}, place)
        if own in cells:
            of[role] = own
    listed = [n for n in cells if n not in of.values() and _is_marks(cells[n])]
    marks = asked.get("marks") or next((known[n] for n in _MARKS_ROLE if n in known), None)
    if asked.get("marks") and marks not in cells:
        found = f"no {marks!r}{next_sentence(did_you_mean(marks, cells))}"
        raise FormatError(place, "the column that --columns names for marks", found)
    if marks is None and len(listed) > 1:
        advice = f"say --format scu_table with --columns marks={listed[0]}"
        raise FormatError(place, "one column of marks", " and ".join(listed), advice)
    marks = marks or (listed[0] if listed else None)
    if marks is None or not isinstance(cells[marks], list | dict):
        return None
    if not isinstance(cells[marks], dict) and "system" not in of:
        raise FormatError(place, "a column system beside the marks", ", ".join(cells))
    return _Lists(of | {"marks": marks})


def _is_marks(cell: Any) -> bool:
    """Whether a cell is a list of 0 and 1, a list of such lists, or has such for each system."""
    if isinstance(cell, dict):
        return bool(cell) and all(_is_marks(inner) for inner in cell.values())
    if not isinstance(cell, list) or not cell:
        return False
    inner = cell[0] if isinstance(cell[0], list) else cell
    return bool(inner) and all(_is_mark(mark) and mark is not None for mark in inner)


def _by_annotator(row: Any, system: str, place: Place) -> list[tuple[str, list[Any]]]:
    """The marks of a system, of each annotator where there are several, by their numbers."""
    expected = f"a list of 0 and 1 for {system}, or one list per annotator"
    if not isinstance(row, list) or not row:
        raise FormatError(place, expected, repr(row))
    if not isinstance(row[0], list):
        return [("", row)]
    if len({len(votes) if isinstance(votes, list) else -1 for votes in row}) != 1:
        raise FormatError(place, f"{expected}, all as long", "lists of different lengths")
    return [(str(number), votes) for number, votes in enumerate(row, start=1)]


def _add_row(by_topic: _Units, cells: Cells, columns: _Columns, place: Place, only: str) -> None:
    name = columns.cell(cells, "unit")
    topic = columns.cell(cells, "id") if "id" in columns.of else only
    if not name or not topic:
        raise FormatError(place, "a content unit with its topic", f"{name!r} of topic {topic!r}")
    of_system = (columns.cell(cells, "system"),) if columns.is_long else columns.marks
    marks = {
        system: _mark(cells[column], system, place, "" if "id" in columns.of else _NO_TOPIC)
        for system, column in zip(of_system, columns.marks, strict=True)
    }
    new = _Unit(columns.cell(cells, "label"), _weight(cells, columns, place), marks)
    units = by_topic.setdefault(topic, {}).setdefault(columns.cell(cells, "annotator"), {})
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


def _mark(cell: Any, system: str, place: Place, advice: str = "") -> bool | None:
    if not _is_mark(cell):
        raise FormatError(place, f"0 or 1 for {system}", repr(cell), advice)
    return _MARKS[cell.strip() if isinstance(cell, str) else cell]


def _weight(cells: Cells, columns: _Columns, place: Place) -> float | None:
    if "weight" not in columns.of:
        return None
    written = columns.cell(cells, "weight")
    weight = number_in(written)
    if weight is None or not 0 <= weight < math.inf:
        raise FormatError(place, "a weight that is a number of 0 or more", repr(written))
    return int(weight) if weight.is_integer() else weight


def _share_labels(by_annotator: Mapping[str, Mapping[str, _Unit]]) -> None:
    """Say in words what a unit is for every annotator, if it is said for one."""
    rows = [(name, unit) for units in by_annotator.values() for name, unit in units.items()]
    labels = {name: unit.label for name, unit in reversed(rows) if unit.label}
    for name, unit in rows:
        unit.label = unit.label or labels.get(name, "")


def _pyramid(
    topic: str, units: Mapping[str, _Unit], references: tuple[str, ...], annotator: str
) -> Pyramid:
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
    return Pyramid(topic, tuple(scus), peers, annotator)
