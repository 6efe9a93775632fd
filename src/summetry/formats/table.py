"""One table, the way people hold data today: one row per summary.

    {"id": "a1", "system": "lead", "candidate": "...", "references": ["..."], "source": "..."}

JSONL, CSV, TSV or Parquet. ``candidate`` is needed; ``reference`` is one text (also
``reference_1``, ``reference_2``, ...), ``references`` a list (in CSV and TSV a JSON list).
``--columns candidate=summary,reference=gold+silver`` maps other names.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from summetry.errors import (
    FormatError,
    Place,
    SummetryError,
    counted,
    did_you_mean,
    shorten,
)
from summetry.files import written_whole
from summetry.formats._base import FORMATS, Format, ReadOptions
from summetry.formats._writing import losses, merged_documents, source_text, warn_not_written
from summetry.formats.cells import Cells, kind_of_table, pyarrow_for, read_cells, write_separated
from summetry.formats.lines import Report
from summetry.records.batches import Comparison, Material, Side
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic

ROLES = ("candidate", "reference", "references", "source", "system", "id")
_NUMBERED = re.compile(r"reference[_ ]?(\d+)")
# What of a corpus a table has columns for.
HELD = {"topics": {"id", "documents"}, "summaries": {"topic", "author", "role", "text", "meta"}}


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
    by_role = _column_names(columns)
    unseen = {name for role in columns if role != "candidate" for name in by_role[role]}
    known: dict[str, None] = {}
    for number, (place, cells) in enumerate(read_cells(path, report), start=1):
        if unseen:
            unseen.difference_update(cells)
            known.update(dict.fromkeys(cells))
        try:
            yield _row(cells, by_role, place, number)
        except FormatError as error:
            report(error)
    if known:
        refuse_unseen(path, unseen, known)


def refuse_unseen(path: Path, unseen: Collection[str], known: Iterable[str]) -> None:
    """Refuse names of columns that are in no row; ``known`` are the columns of the table."""
    if unseen:
        name = min(unseen)
        raise SummetryError(
            f"{path}: --columns names the column {name!r}, which no row has."
            f"{did_you_mean(name, known)} Its columns: {', '.join(known)}."
        )


def references_of(
    cells: Cells, columns: Mapping[str, str], place: Place
) -> tuple[tuple[str, ...], str | None]:
    """The references and the source of a row that need not have a candidate."""
    by_role = _column_names(columns)
    return _references(cells, by_role, place), _text(cells, by_role["source"][0], place)


@FORMATS.register
@dataclass(frozen=True)
class Table(Format):
    """One row per summary, in JSONL, CSV, TSV or Parquet."""

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
            with builder.reporting():
                if row.id not in first:
                    _add_topic(builder, row)
                _same_topic(row, first.setdefault(row.id, row))
                rest = dict(row.rest)
                summary = Summary(row.id, row.system, "candidate", text=row.candidate, meta=rest)
                builder.add("summaries", summary, row.place)
        return builder.build()

    def write(self, corpus: Corpus, path: Path) -> None:
        """Write JSONL, CSV, TSV or Parquet, by the ending of ``path``."""
        ending = path.suffix.lower().removeprefix(".")
        # Gathered once: a topic may have very many candidates.
        references = {topic.id: _reference_texts(corpus, topic) for topic in corpus.topics}
        candidates = [s for s in corpus.summaries if s.role == "candidate"]
        rows = [_cells_of(corpus, summary, references[summary.topic]) for summary in candidates]
        lost = _lost(corpus, candidates, only_text=ending in ("csv", "tsv"))
        warn_not_written(corpus, HELD, path, self.name, lost)
        with written_whole(path) as part:
            if ending == "parquet":
                _write_parquet(rows, part)
            elif ending in ("csv", "tsv"):
                _write_separated(rows, part, "\t" if ending == "tsv" else ",")
            else:
                encode = msgspec.json.Encoder().encode
                part.write_bytes(b"".join(encode(row) + b"\n" for row in rows))


def _column_names(columns: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """For each role the names of its columns."""
    for role in columns:
        if role not in ROLES:
            raise SummetryError(
                f"--columns: no column is called {role!r}.{did_you_mean(role, ROLES)} "
                f"Known: {', '.join(ROLES)}."
            )
    by_role = {role: tuple(columns.get(role, role).split("+")) for role in ROLES}
    for role, names in by_role.items():
        if len(names) > 1 and not role.startswith("reference"):
            raise SummetryError(f"--columns: {role} is one column, got {columns[role]!r}")
    return by_role


def _row(
    cells: Cells, by_role: Mapping[str, tuple[str, ...]], place: Place, number: int
) -> TableRow:
    if by_role["candidate"][0] not in cells:
        raise _no_candidate(cells, by_role["candidate"][0], place)
    used = {name for names in by_role.values() for name in names}
    used |= {name for name in cells if _NUMBERED.fullmatch(name)}
    references = _references(cells, by_role, place)
    source = _text(cells, by_role["source"][0], place)
    identity, system = cells.get(by_role["id"][0]), cells.get(by_role["system"][0])
    return TableRow(
        id=str(number) if identity in (None, "") else str(identity),
        system="candidate" if system in (None, "") else str(system),
        candidate=text_in(cells, by_role["candidate"][0], place),
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
    cells: Cells, by_role: Mapping[str, tuple[str, ...]], place: Place
) -> tuple[str, ...]:
    names = [name for name in by_role["reference"] if name in cells]
    # A column that was named for a role is not taken for another one by its name.
    named = {name for names in by_role.values() for name in names}
    numbered = [(int(m[1]), name) for name in cells if (m := _NUMBERED.fullmatch(name))]
    names += [name for _, name in sorted(numbered) if name not in named]
    texts = [_text(cells, name, place) for name in names]
    for name in by_role["references"]:
        texts += _list_of_texts(cells.get(name), name, place)
    return tuple(text for text in texts if text is not None)


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
    """A cell as text; a list of sentences is one text with one sentence per line."""
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
        reference = Summary(row.id, f"reference {number}", "reference", text=text)
        builder.add("summaries", reference, row.place)


def _same_topic(row: TableRow, first: TableRow) -> None:
    if (row.references, row.source) != (first.references, first.source):
        raise FormatError(
            row.place, f"the references and source of id {row.id!r} at {first.place}", "others",
            "give it another id; `summetry score` on the table takes each row's own",
        )  # fmt: skip


def _reference_texts(corpus: Corpus, topic: Topic) -> list[str]:
    summaries = corpus.of_topic("summaries", topic.id)
    return [corpus.text_of(summary) for summary in summaries if summary.role == "reference"]


def _cells_of(corpus: Corpus, summary: Summary, references: list[str]) -> Cells:
    topic = corpus.topic(summary.topic)
    if not topic.id or not summary.author:
        # Where these are missing a row has names of its own making.
        names = f"found topic {topic.id!r} and author {summary.author!r}"
        raise SummetryError(f"a table holds no empty names, {names}; rename it first")
    cells: Cells = {"id": topic.id, "system": summary.author}
    cells["candidate"] = corpus.text_of(summary)
    cells["references"] = references
    if topic.documents:
        cells["source"] = source_text(topic)
    return cells | _free(summary)


def _free(summary: Summary) -> Cells:
    """What is known of a summary beside its texts, if no text would be found in its column."""
    items = summary.meta.items()
    return {name: v for name, v in items if name not in ROLES and not _NUMBERED.fullmatch(name)}


def _lost(corpus: Corpus, candidates: Sequence[Summary], only_text: bool) -> list[str]:
    """What a table, perhaps one that can hold ``only_text``, has no place for."""
    lost = merged_documents(corpus)
    references = [summary for summary in corpus.summaries if summary.role == "reference"]
    named = [r for r in references if not re.fullmatch(r"reference \d+", r.author)]
    if named:
        lost.append(f"the authors of {counted(len(named), 'reference')}")
    if any(reference.meta for reference in references):
        lost.append("the meta of references")
    free = [(summary, _free(summary)) for summary in candidates]
    other = [values for _, values in free if not all(isinstance(v, str) for v in values.values())]
    if other and only_text:
        lost.append(f"that meta of {counted(len(other), 'summary')} is no text")
    summarized = {summary.topic for summary in candidates}
    counts = {
        ("topic", "without a candidate"): sum(t.id not in summarized for t in corpus.topics),
        ("summary", "with meta that is named like a column of texts"): sum(
            values != summary.meta for summary, values in free
        ),
    }
    return lost + losses(counts)


def _write_separated(rows: list[Cells], path: Path, delimiter: str) -> None:
    names = list(dict.fromkeys(name for row in rows for name in row))
    encode = msgspec.json.Encoder().encode
    with path.open("w", encoding="utf-8", newline="") as file:
        write_separated(file, [names], delimiter)
        for row in rows:
            cells = (row.get(name, "") for name in names)
            texts = (c if isinstance(c, str) else encode(c).decode() for c in cells)
            write_separated(file, [texts], delimiter)


def _write_parquet(rows: list[Cells], path: Path) -> None:
    pyarrow = pyarrow_for("writing Parquet")
    # Left to itself it takes the names of the first row and drops all others.
    names = dict.fromkeys(name for row in rows for name in row)
    try:
        columns = {name: pyarrow.array([row.get(name) for row in rows]) for name in names}
        pyarrow.parquet.write_table(pyarrow.table(columns), path)
    except pyarrow.ArrowException as error:
        raise SummetryError(
            f"a column of Parquet holds values of one kind ({error}); write a .jsonl instead"
        ) from error
