"""One table, the way people hold data today: one row per summary.

    {"id": "a1", "system": "lead", "candidate": "...", "references": ["..."], "source": "..."}

JSONL, JSON, CSV, TSV or Parquet. ``candidate`` is needed; ``reference`` is one text (also
``reference_1``, ``reference_2``, ...), ``references`` a list (in CSV and TSV a JSON list). A text
may be an object that has it, or its sentences, as ``text``: sacrerouge writes such lines.
``--columns candidate=summary,reference=gold+silver`` maps other names, ``candidate=bart+t5`` says
that there is a column for each system; :mod:`summetry.formats.columns` knows common names.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeAlias, TypeGuard, TypeVar

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
from summetry.formats.cells import (
    first_cells,
    kind_of_table,
    read_blocks,
    table_at,
    write_separated,
)
from summetry.formats.columns import (
    LOOKED_AT,
    NUMBERED,
    ROLES,
    Cells,
    TableColumns,
    asked_columns,
    choose_columns,
    no_column,
)
from summetry.formats.frames import Frame, Readable
from summetry.formats.lines import Report
from summetry.formats.parquet import pyarrow_for
from summetry.formats.parts import Block, Part, TableFile
from summetry.formats.texts import warn_at, warn_of_rows
from summetry.records.batches import TextColumns
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.records.topics import Topic

T = TypeVar("T")
_TEXT, _TEXT_OR_NONE = {str}, {str, type(None)}
_NOWHERE = Place("")
# The column of the categories of topics: a name, or a list of names.
_CATEGORY = "category"
# What of a corpus a table has columns for.
HELD = {
    "topics": {"id", "documents", _CATEGORY},
    "summaries": {"topic", "author", "role", "text", "meta"},
}


class TableRow(msgspec.Struct, frozen=True):
    """One row with its texts; ``rest`` holds the columns that Summetry does not know."""

    id: str
    system: str
    candidate: str
    references: tuple[str, ...]
    source: str | None
    rest: Mapping[str, Any]
    place: Place


# By column: the first row that has nothing in it, its number, and how many such rows there are.
Lacking: TypeAlias = dict[str, tuple[Place, int, int]]
# The ids and systems of some summaries that follow one another, and their texts.
NamedTexts: TypeAlias = tuple[list[tuple[str, str]], TextColumns]


def read_rows(
    path: Readable, columns: Mapping[str, str], report: Report, rest: bool = True
) -> Iterator[TableRow]:
    """The summaries of a table, one after the other; ids are row numbers where none are given.

    A row has one summary, or one for each system. A note says which columns were taken for what.
    Without ``rest`` the columns that Summetry does not know are not looked at.
    """
    return rows_in(path, Layout.of(path, columns, rest), report)


def rows_in(path: Readable, layout: Layout, report: Report) -> Iterator[TableRow]:
    """The same where it is decided which columns are which."""
    blocks: Iterable[Block]
    if isinstance(path, Frame):
        rows = enumerate(path.rows(), 1)
        blocks = (Block(partial(int, number), [place], [cells]) for number, (place, cells) in rows)
    else:
        blocks = read_blocks(table_at(path, layout.used), report)
    known: dict[str, None] = {}
    lacking: Lacking = {}
    for block in blocks:
        if layout.asked:
            known.update(dict.fromkeys(chain.from_iterable(block.rows)))
        yield from rows_of(block, layout.columns, report, lacking)
    layout.refuse_unseen(path, known)
    warn_of_lacking(lacking, layout.columns)


def warn_of_lacking(lacking: Lacking, columns: TableColumns) -> None:
    """Say which rows have no id or no system, and what they are called instead."""
    for column, (first, number, rows) in lacking.items():
        if column != columns.id:
            taken = "'candidate' is taken"
        else:
            taken = f"{columns.id_of(None, number)!r} is taken{' here' if rows > 1 else ''}"
        warn_of_rows(first, rows, f"no {column!r}, so {taken}")


class Layout(NamedTuple):
    """What is decided by the first rows of a table, and holds for all."""

    columns: TableColumns
    # The columns that the user named, other than candidates: some row must have each of them.
    asked: frozenset[str]
    # The columns that texts can be in; None where all are read.
    used: frozenset[str] | None
    # All columns of the first rows.
    names: tuple[str, ...]

    @classmethod
    def of(cls, path: Readable, columns: Mapping[str, str], rest: bool = False) -> Layout:
        if path.is_dir():
            raise SummetryError(f"{path}: expected a table, found a folder")
        roles = asked_columns(columns).items()
        asked = {n for role, names in roles if role != "candidate" for n in names.split("+")}
        first = first_cells(path, LOOKED_AT)
        place = first[0][0] if first else Place(str(path))
        chosen = choose_columns([cells for _, cells in first], columns, place)
        if chosen.taken:
            warn_at(path, chosen.taken)
        names = tuple(dict.fromkeys(name for _, cells in first for name in cells))
        used = chosen.used.union(filter(NUMBERED.fullmatch, names))
        return cls(chosen, frozenset(asked), None if rest else used, names)

    def refuse_unseen(self, path: Readable, others: Iterable[str]) -> None:
        """Refuse names of columns that are neither in the first rows nor among the ``others``."""
        known = dict.fromkeys(chain(self.names, others))
        if known:
            refuse_unseen(path, self.asked.difference(known), known)


def read_part(
    table: TableFile, part: Part, columns: TableColumns, report: Report
) -> tuple[NamedTexts, set[str], dict[str, int]]:
    """The texts of a part of a table, as :func:`read_rows` gives them, many rows at once, which is
    quicker; the names of its columns; and how many rows have no id or no system, by column."""
    read: list[NamedTexts] = []
    known: set[str] = set()
    lacking: Counter[str] = Counter()
    for block in table.blocks(part, report):
        known |= block.names()
        try:
            read.append(_texts_of(block, columns))
            for name in columns.naming:
                cells = block.column(name)
                if without := cells.count(None) + cells.count(""):
                    lacking[name] += without
        except FormatError:
            # Row by row, for the place of what is wrong, and for the others.
            unnamed: Lacking = {}
            good = list(rows_of(block, columns, report, unnamed))
            lacking.update({name: rows for name, (_, _, rows) in unnamed.items()})
            references, sources = [row.references for row in good], [row.source for row in good]
            texts = TextColumns([row.candidate for row in good], references, sources)
            read.append(([(row.id, row.system) for row in good], texts))
    return _joined(read), known, lacking


def _joined(read: Sequence[NamedTexts]) -> NamedTexts:
    if len(read) == 1:
        return read[0]
    texts = TextColumns(
        [candidate for _, texts in read for candidate in texts.candidates],
        [references for _, texts in read for references in texts.references],
        [source for _, texts in read for source in texts.sources],
    )
    return [name for names, _ in read for name in names], texts


def rows_of(
    block: Block, chosen: TableColumns, report: Report, lacking: Lacking
) -> Iterator[TableRow]:
    """The summaries of rows; which of them have no id or no system is added to ``lacking``."""
    rows = zip(block.places, block.rows, strict=True)
    for number, (place, cells) in enumerate(rows, start=block.first()):
        is_read = False
        for name in chosen.candidate:
            try:
                yield row_of(cells, name, chosen, place, number)
                is_read = True
            except FormatError as error:
                report(error)
        for name in chosen.naming if is_read else ():
            if cells.get(name) in (None, ""):
                first, its_number, before = lacking.get(name, (place, number, 0))
                lacking[name] = first, its_number, before + 1


def _texts_of(block: Block, chosen: TableColumns) -> NamedTexts:
    """As :func:`rows_of`, column by column; what is wrong is raised, without its place."""
    names, ids = block.names(), block.column(chosen.id)
    if None in ids or "" in ids:
        ids = list(map(chosen.id_of, ids, count(block.first())))
    elif not _all_texts(ids):
        ids = list(map(str, ids))
    systems = block.column(chosen.system)
    if "" in systems or not _all_texts(systems):
        systems = ["candidate" if s in (None, "") else str(s) for s in systems]
    sources = _texts_in(block, chosen.source)
    single = [_texts_in(block, name) for name in reference_columns(names, chosen)]
    if len(single) == 1 and _all_texts(single[0]):
        references: list[Sequence[str]] = list(zip(single[0], strict=True))
    else:
        groups = zip(*single, strict=True) if single else [()] * len(ids)
        references = [[text for text in texts if text is not None] for texts in groups]
    for name in filter(names.__contains__, chosen.references):
        lists = (_list_of_texts(cell, name, _NOWHERE) for cell in block.column(name))
        references = [[*texts, *more] for texts, more in zip(references, lists, strict=True)]
    candidates = [_texts_in(block, name) for name in chosen.candidate]
    if not _all_texts(texts := list(chain.from_iterable(zip(*candidates, strict=True)))):
        raise FormatError(_NOWHERE, "text in each candidate", "null")
    if chosen.is_per_system:
        systems = [*chosen.candidate] * len(ids)
    whose = list(zip(_repeated(ids, candidates), systems, strict=True))
    others = _repeated(references, candidates), _repeated(sources, candidates)
    return whose, TextColumns(texts, *others)


def _repeated(cells: Sequence[T], candidates: Sequence[Any]) -> Sequence[T]:
    """Cells once for each candidate of their row."""
    return cells if len(candidates) == 1 else [cell for cell in cells for _ in candidates]


def _texts_in(block: Block, name: str) -> list[str | None]:
    """The cells of a column as texts."""
    cells = block.column(name)
    if _TEXT_OR_NONE.issuperset(map(type, cells)):
        return cells  # Nearly always.
    return [optional_text({name: cell}, name, _NOWHERE) for cell in cells]


def _all_texts(cells: Sequence[str | None]) -> TypeGuard[Sequence[str]]:
    return _TEXT.issuperset(map(type, cells))


def refuse_unseen(path: Readable, unseen: Collection[str], known: Iterable[str]) -> None:
    """Refuse names of columns that are in no row; ``known`` are the columns of the table."""
    if unseen:
        name = min(unseen)
        raise SummetryError(
            f"{path}: --columns names the column {name!r}, which no row has."
            f"{did_you_mean(name, known)} Its columns: {', '.join(known)}."
        )


@FORMATS.register
@dataclass(frozen=True)
class Table(Format):
    """One row per summary, in JSONL, JSON, CSV, TSV or Parquet."""

    name: ClassVar[str] = "table"
    title: ClassVar[str] = (
        "one table (JSONL, JSON, CSV, TSV, Parquet): candidate, references, source"
    )
    can_write: ClassVar[bool] = True
    is_general: ClassVar[bool] = True
    roles: ClassVar[tuple[str, ...]] = ROLES

    def recognise(self, path: Path) -> bool:
        return bool(kind_of_table(path))

    def read(self, path: Readable, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        first: dict[str, TableRow] = {}
        layout = Layout.of(path, options.columns, rest=True)
        builder.head["unused_columns"] = layout.columns.unused
        for row in rows_in(path, layout, builder.report):
            with builder.reporting():
                add_row(builder, row, first)
        return builder.build()

    def write(self, corpus: Corpus, path: Path) -> None:
        """Write JSONL, JSON, CSV, TSV or Parquet, by the ending of ``path``."""
        ending = path.suffix.lower().removeprefix(".")
        # Gathered once: a topic may have very many candidates.
        references = {topic.id: _reference_texts(corpus, topic) for topic in corpus.topics}
        candidates = [s for s in corpus.summaries if s.role == "candidate"]
        rows = [_cells_of(corpus, summary, references[summary.topic]) for summary in candidates]
        lost = _lost(corpus, candidates, only_text=ending in ("csv", "tsv"))
        warn_not_written(corpus, HELD, path, self.name, lost)
        write_rows(rows, path)


def row_of(cells: Cells, name: str, columns: TableColumns, place: Place, number: int) -> TableRow:
    if name not in cells:
        raise no_column(name, cells, place)
    system = name if columns.is_per_system else cells.get(columns.system)
    return TableRow(
        id=columns.id_of(cells.get(columns.id), number),
        system="candidate" if system in (None, "") else str(system),
        candidate=text_in(cells, name, place),
        references=references_in(cells, columns, place),
        source=optional_text(cells, columns.source, place),
        rest={
            key: value
            for key, value in cells.items()
            if key not in columns.used and not NUMBERED.fullmatch(key)
        },
        place=place,
    )


def references_in(cells: Cells, columns: TableColumns, place: Place) -> tuple[str, ...]:
    """The references of a row."""
    texts = [optional_text(cells, name, place) for name in reference_columns(cells, columns)]
    for name in columns.references:
        texts += _list_of_texts(cells.get(name), name, place)
    return tuple(text for text in texts if text is not None)


def reference_columns(names: Collection[str], columns: TableColumns) -> list[str]:
    """The columns among ``names`` that have one reference each, in their order."""
    single = [name for name in columns.reference if name in names]
    # A column that was named for a role is not taken for another one by its name.
    numbered = [(int(m[1]), name) for name in names if (m := NUMBERED.fullmatch(name))]
    return single + [name for _, name in sorted(numbered) if name not in columns.used]


def _list_of_texts(value: Any, name: str, place: Place) -> list[str]:
    """The references in a cell; a text that is no list is a single one."""
    if value is None or value == "":
        return []
    texts = value
    if isinstance(value, str):
        texts = [value]
        if value.lstrip().startswith("["):
            texts = _decoded_list(value)
    texts = list(map(_inner_text, texts)) if isinstance(texts, list) else texts
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise FormatError(place, f"a text or a list of texts in {name!r}", shorten(str(value)))
    return texts


def _inner_text(value: Any) -> Any:
    """The ``text`` of an object, such as ``{"text": ["One.", "Two."]}``, or the value itself."""
    if not isinstance(value, Mapping) or "text" not in value:
        return value
    text = value["text"]
    return "\n".join(text) if _are_strings(text) else text


def _are_strings(value: Any) -> TypeGuard[list[str]]:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _decoded_list(text: str) -> Any:
    """A list as JSON has it, or as Python shows it and pandas writes it to CSV."""
    with contextlib.suppress(msgspec.DecodeError):
        return msgspec.json.decode(text)
    with contextlib.suppress(ValueError, SyntaxError):
        return ast.literal_eval(text.strip())
    return None


def text_in(cells: Cells, name: str, place: Place) -> str:
    """The text of a column that must have one."""
    text = optional_text(cells, name, place)
    if text is None:
        raise FormatError(place, f"text in {name!r}", "null", 'write "" for an empty summary')
    return text


def optional_text(cells: Cells, name: str, place: Place) -> str | None:
    """A cell as text; a list of sentences is one text with one sentence per line."""
    value = _inner_text(cells.get(name))
    if _are_strings(value):
        return "\n".join(value)
    if value is None or isinstance(value, str):
        return value
    found = f"the number {value}" if type(value) in (int, float) else shorten(str(value))
    raise FormatError(place, f"text in {name!r}", found)


def add_row(
    builder: CorpusBuilder, row: TableRow, first: dict[str, TableRow], with_summary: bool = True
) -> None:
    """Add a row to a corpus; ``first`` has the first row of each topic so far."""
    category = _category_of(row)
    if row.id not in first:
        builder.add_texts(row.id, row.source, row.references, row.place, category)
    known = first.setdefault(row.id, row)
    if category != _category_of(known):
        raise FormatError(
            row.place, f"the category of id {row.id!r} at {known.place}", "another",
            "give the column another name if it is about the summary",
        )  # fmt: skip
    if (row.references, row.source) != (known.references, known.source):
        raise FormatError(
            row.place, f"the references and source of id {row.id!r} at {known.place}", "others",
            "give it another id; `summetry score` on the table takes each row's own",
        )  # fmt: skip
    if with_summary:
        rest = {name: value for name, value in row.rest.items() if not _is_category(name)}
        summary = Summary(row.id, row.system, "candidate", text=row.candidate, meta=rest)
        builder.add("summaries", summary, row.place)


def _category_of(row: TableRow) -> str | tuple[str, ...]:
    """The categories of the topic of a row: a name, or a list of names, in CSV as JSON."""
    cell = next((cell for name, cell in row.rest.items() if _is_category(name)), None)
    names = _decoded_list(cell) if isinstance(cell, str) and cell.startswith("[") else cell
    if _are_strings(names):
        return tuple(names)
    if isinstance(cell, list | Mapping):
        raise FormatError(row.place, "a category or a list of categories", shorten(str(cell)))
    return "" if cell is None else str(cell)


def _is_category(name: str) -> bool:
    return name.strip().lower() == _CATEGORY


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
    if topic.category:
        cells[_CATEGORY] = topic.category
    return cells | _free(summary)


def _free(summary: Summary) -> Cells:
    """What is known of a summary beside its texts, if no text would be found in its column."""
    items = summary.meta.items()
    return {
        name: value
        for name, value in items
        if not (name in ROLES or NUMBERED.fullmatch(name) or _is_category(name))
    }


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
        ("summary", "with meta that is named like another column"): sum(
            values != summary.meta for summary, values in free
        ),
    }
    return lost + losses(counts)


def write_rows(rows: list[Cells], path: Path) -> None:
    """Write JSONL, JSON, CSV, TSV or Parquet, by the ending of ``path``."""
    ending = path.suffix.lower().removeprefix(".")
    with written_whole(path) as part:
        if ending == "parquet":
            _write_parquet(rows, part)
        elif ending in ("csv", "tsv"):
            _write_separated(rows, part, "\t" if ending == "tsv" else ",")
        elif ending == "json":
            part.write_bytes(msgspec.json.format(msgspec.json.encode(rows), indent=1) + b"\n")
        else:
            encode = msgspec.json.Encoder().encode
            part.write_bytes(b"".join(encode(row) + b"\n" for row in rows))


def _write_separated(rows: list[Cells], path: Path, delimiter: str) -> None:
    names = list(dict.fromkeys(name for row in rows for name in row))
    encode = msgspec.json.Encoder().encode
    with path.open("w", encoding="utf-8", newline="") as file:
        lines = ([row.get(name, "") for name in names] for row in rows)
        texts = ([c if isinstance(c, str) else encode(c).decode() for c in line] for line in lines)
        write_separated(file, chain([names], texts), delimiter)


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
