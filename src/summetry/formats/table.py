"""One table, the way people hold data today: a row a summary.

    {"id": "a1", "system": "lead", "candidate": "...", "references": ["..."], "source": "..."}

JSONL, CSV, TSV or Parquet. ``candidate`` is needed; ``reference`` is one text (also
``reference_1``, ``reference_2``, ...), ``references`` a list (in CSV and TSV a JSON list).
``--columns candidate=summary,reference=gold+silver`` maps other names.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from summetry.errors import (
    FormatError,
    Place,
    SummetryError,
    did_you_mean,
    shorten,
)
from summetry.formats._base import FORMATS, ReadOptions
from summetry.formats._table_writing import NUMBERED, ROLES, write_table
from summetry.formats.cells import Cells, kind_of_table, read_cells
from summetry.formats.lines import Report
from summetry.records.batches import Comparison, Material, Side
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row with its texts; ``rest`` holds the columns that Summetry does not know."""

    id: str
    system: str
    candidate: str
    references: tuple[str, ...]
    source: str | None
    rest: Mapping[str, Any]
    place: Place

    def comparison(self, language: str) -> Comparison:
        sides = tuple(Side(f"reference {i}", text) for i, text in enumerate(self.references, 1))
        material = Material(topic=self.id, language=language, source=self.source)
        return Comparison(material, Side(self.system, self.candidate), sides)


def read_rows(path: Path, columns: Mapping[str, str], report: Report) -> Iterator[TableRow]:
    """The rows of a table, one after the other; ids are row numbers where none are given."""
    if path.is_dir():
        raise SummetryError(f"{path}: expected a table, found a folder")
    wanted = _column_names(columns)
    unseen = {name for role in columns if role != "candidate" for name in wanted[role]}
    known: dict[str, None] = {}
    for number, (place, cells) in enumerate(read_cells(path, report), start=1):
        if unseen:
            unseen.difference_update(cells)
            known.update(dict.fromkeys(cells))
        try:
            yield _row(cells, wanted, place, number)
        except FormatError as error:
            report(error)
    if unseen and known:
        name = min(unseen)
        raise SummetryError(
            f"{path}: --columns names the column {name!r}, which no row has."
            f"{did_you_mean(name, known)} Its columns: {', '.join(known)}."
        )


def references_of(
    cells: Cells, columns: Mapping[str, str], place: Place
) -> tuple[tuple[str, ...], str | None]:
    """The references and the source of a row that need not have a candidate."""
    wanted = _column_names(columns)
    return _references(cells, wanted, place), _text(cells, wanted["source"][0], place)


@FORMATS.register
@dataclass(frozen=True)
class Table:
    """A row a summary, in JSONL, CSV, TSV or Parquet."""

    name: ClassVar[str] = "table"
    title: ClassVar[str] = "one table (JSONL, CSV, TSV, Parquet): candidate, reference(s), source"
    can_write: ClassVar[bool] = True
    is_general: ClassVar[bool] = True
    has_columns: ClassVar[bool] = True

    def recognise(self, path: Path) -> bool:
        return bool(kind_of_table(path))

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        first: dict[str, TableRow] = {}
        for row in read_rows(path, options.columns, builder.report):
            try:
                if row.id not in first:
                    _add_topic(builder, row)
                _same_topic(row, first.setdefault(row.id, row))
            except FormatError as error:
                builder.report(error)
                continue
            peer = Summary(row.id, row.system, "candidate", text=row.candidate, meta=dict(row.rest))
            builder.add("summaries", peer, row.place)
        return builder.build()

    def write(self, corpus: Corpus, path: Path) -> None:
        write_table(corpus, path, self.name)


def _column_names(columns: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """For each role the names of its columns."""
    for role in columns:
        if role not in ROLES:
            raise SummetryError(
                f"--columns: no column is called {role!r}.{did_you_mean(role, ROLES)} "
                f"Known: {', '.join(ROLES)}."
            )
    wanted = {role: tuple(columns.get(role, role).split("+")) for role in ROLES}
    for role, names in wanted.items():
        if len(names) > 1 and not role.startswith("reference"):
            raise SummetryError(f"--columns: {role} is one column, got {columns[role]!r}")
    return wanted


def _row(
    cells: Cells, wanted: Mapping[str, tuple[str, ...]], place: Place, number: int
) -> TableRow:
    if wanted["candidate"][0] not in cells:
        raise _no_candidate(cells, wanted["candidate"][0], place)
    used = {name for names in wanted.values() for name in names}
    used |= {name for name in cells if NUMBERED.fullmatch(name)}
    references = _references(cells, wanted, place)
    source = _text(cells, wanted["source"][0], place)
    identity, system = cells.get(wanted["id"][0]), cells.get(wanted["system"][0])
    return TableRow(
        id=str(number) if identity in (None, "") else str(identity),
        system="candidate" if system in (None, "") else str(system),
        candidate=text_in(cells, wanted["candidate"][0], place),
        references=references,
        source=source,
        rest={key: value for key, value in cells.items() if key not in used},
        place=place,
    )


def _no_candidate(cells: Cells, name: str, place: Place) -> FormatError:
    if {"metric", "score"} <= cells.keys():
        advice = "these are scores: `summetry compare` and `summetry correlate` read them"
    elif cells.keys() & {"documents", "topic", "informant"}:
        advice = "this looks like a file of a corpus folder: give the folder instead"
    else:
        advice = f"name it with --columns candidate=NAME{did_you_mean(name, cells)}"
    return FormatError(place, f"a column {name!r}", f"the columns {', '.join(cells)}", advice)


def _references(
    cells: Cells, wanted: Mapping[str, tuple[str, ...]], place: Place
) -> tuple[str, ...]:
    names = [name for name in wanted["reference"] if name in cells]
    # A column that was named for a role is not taken for another one by its name.
    named = {name for names in wanted.values() for name in names}
    numbered = [(int(m[1]), name) for name in cells if (m := NUMBERED.fullmatch(name))]
    names += [name for _, name in sorted(numbered) if name not in named]
    found = [_text(cells, name, place) for name in names]
    for name in wanted["references"]:
        found += _list_of_texts(cells.get(name), name, place)
    return tuple(text for text in found if text is not None)


def _list_of_texts(value: Any, name: str, place: Place) -> list[str]:
    if value is None or value == "":
        return []
    if isinstance(value, str) and value.lstrip().startswith("["):
        with contextlib.suppress(msgspec.DecodeError):
            value = msgspec.json.decode(value)
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        advice = "a single text belongs in the column 'reference'"
        raise FormatError(place, f"a list of texts in {name!r}", shorten(str(value)), advice)
    return value


def text_in(cells: Cells, name: str, place: Place) -> str:
    """The text of a column that must have one."""
    text = _text(cells, name, place)
    if text is None:
        raise FormatError(place, f"text in {name!r}", "null", 'write "" for an empty summary')
    return text


def _text(cells: Cells, name: str, place: Place) -> str | None:
    """A cell as text; a list of sentences is one text with a sentence a line."""
    value = cells.get(name)
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return "\n".join(value)
    if value is None or isinstance(value, str):
        return value
    raise FormatError(place, f"text in {name!r}", shorten(str(value)))


def _add_topic(builder: CorpusBuilder, row: TableRow) -> None:
    documents = () if row.source is None else (Document(id=row.id, text=row.source),)
    builder.add("topics", Topic(id=row.id, documents=documents), row.place)
    for number, text in enumerate(row.references, 1):
        model = Summary(row.id, f"reference {number}", "reference", text=text)
        builder.add("summaries", model, row.place)


def _same_topic(row: TableRow, first: TableRow) -> None:
    if (row.references, row.source) != (first.references, first.source):
        raise FormatError(
            row.place, f"the references and source of id {row.id!r} at {first.place}", "others",
            "give it another id; `summetry score` on the table takes each row's own",
        )  # fmt: skip
