"""A table of texts to summarize, and the same table with the new summaries in it.

    id,article            id,article,system,candidate
    a1,"..."       ->     a1,"...",lexrank,"..."

The columns keep their names. A table may have summaries already: then new ones are rows below it,
or columns beside those of other systems, as the table has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from summetry.errors import FormatError, Place, did_you_mean
from summetry.formats._base import ReadOptions
from summetry.formats.cells import read_cells
from summetry.formats.columns import (
    LOOKED_AT,
    NUMBERED,
    OTHER_NAMES,
    REFERENCE_ROLES,
    Cells,
    TableColumns,
    are_texts,
    asked_columns,
    choose_columns,
    column_for,
    columns_in_words,
    known_role,
)
from summetry.formats.lines import stop
from summetry.formats.parts import Block
from summetry.formats.table import (
    Lacking,
    TableRow,
    add_row,
    rows_of,
    warn_of_lacking,
    write_rows,
)
from summetry.records.corpus import Corpus

# What the columns of new summaries and of their topics are called where a table has none.
_CANDIDATE, _ID = "candidate", "id"


@dataclass(frozen=True)
class ArticleTable:
    """The rows of a table with the ids of their topics, and the corpus that they make."""

    corpus: Corpus
    rows: Sequence[tuple[str, Cells]]
    columns: TableColumns
    # Whether the table has summaries already.
    has_candidates: bool
    # Which columns were taken for what, in words.
    taken: str

    def write(self, summaries: Mapping[str, Mapping[str, str]], path: Path) -> None:
        """Write the table with new ``summaries``, by system and topic."""
        if self.columns.is_per_system and self.has_candidates:
            rows = [cells | _of(summaries, topic) for topic, cells in self.rows]
        elif self.has_candidates:
            rows = [self._named(topic, cells) for topic, cells in self.rows]
            rows += self._new(summaries)
        else:
            rows = self._new(summaries)
        write_rows(rows, path)

    def _named(self, topic: str, cells: Cells) -> Cells:
        """A row that says which topic and which system it is of."""
        system = self.columns.system
        return self._identified(topic, cells) | {system: cells.get(system) or _CANDIDATE}

    def _identified(self, topic: str, cells: Cells) -> Cells:
        column = self.columns.id
        if column not in cells:
            return {_ID: topic} | cells
        return cells | {column: topic} if cells[column] in (None, "") else cells

    def _new(self, summaries: Mapping[str, Mapping[str, str]]) -> list[Cells]:
        """A row for each topic and system, with what the table says of the topic."""
        system, candidate = self.columns.system, self.columns.candidate[0]
        of_topic: dict[str, Cells] = {}
        for topic, cells in self.rows:
            of_topic.setdefault(topic, cells)
        rows = []
        for topic, cells in of_topic.items():
            about = {name: cell for name, cell in cells.items() if self._is_of_topic(name)}
            for author, texts in summaries.items():
                new = {system: author, candidate: texts.get(topic, "")}
                row = self._identified(topic, about) | new
                # The columns stay in the order that the table has.
                order = self._identified(topic, cells) | new
                rows.append({name: row[name] for name in order if name in row})
        return rows

    def _is_of_topic(self, name: str) -> bool:
        """Whether a column says the same of every summary of a topic, as far as can be known."""
        columns = self.columns
        lists = (*columns.reference, *columns.references, columns.source, columns.id)
        return not self.has_candidates or name in lists or bool(NUMBERED.fullmatch(name))


def read_articles(path: Path, options: ReadOptions) -> ArticleTable:
    """The table at ``path``, which must have a column of texts to summarize."""
    builder = options.builder(path.stem)
    read = list(read_cells(path, builder.report))
    first = [cells for _, cells in read[:LOOKED_AT]]
    place = read[0][0] if read else Place(str(path))
    if not read and not builder.problems:
        raise FormatError(place, "a row for each text to summarize", "none")
    source = _source_column(first, options.columns, place)
    columns, has_candidates = _columns(first, options.columns, source, place)
    known = "source" in asked_columns(options.columns) or source == "source"
    taken = [] if known else [f"the text is {source!r}"]
    rows: list[tuple[str, Cells]] = []
    topics: dict[str, TableRow] = {}
    lacking: Lacking = {}
    for number, (place, cells) in enumerate(read, start=1):
        full = cells if has_candidates else {**cells, _CANDIDATE: ""}
        block = Block(partial(int, number), [place], [full])
        with builder.reporting():
            for row in rows_of(block, columns, stop, lacking):
                add_row(builder, row, topics, with_summary=has_candidates)
            rows.append((row.id, cells))
    warn_of_lacking(lacking, columns)
    taken += filter(None, [columns.taken])
    return ArticleTable(builder.build(), rows, columns, has_candidates, ", ".join(taken))


def _source_column(rows: Sequence[Cells], columns: Mapping[str, str], place: Place) -> str:
    """The column of the texts: as the user says, by its name, or the only one that has texts."""
    asked = asked_columns(columns)
    names = list(dict.fromkeys(name for row in rows for name in row))
    named = asked.get("source")
    source = named if named in names else None
    if named is None:
        source = column_for("source", names, asked, place)
        plain = {name.strip().lower(): name for name in names}
        texts = [n for n in names if not known_role(n) and are_texts(row.get(n) for row in rows)]
        source = source or plain.get("text") or (texts[0] if len(texts) == 1 else None)
    if source is None:
        some = ", ".join(("source", *OTHER_NAMES["source"][:2]))
        expected = f"a column {named!r}" if named else f"a column of texts ({some}, text, ...)"
        hint = did_you_mean(named, names) if named else ""
        advice = f"name it with --columns source=NAME{hint and '.'}{hint}"
        raise FormatError(place, expected, columns_in_words(names), advice)
    return source


def _columns(
    rows: Sequence[Cells], columns: Mapping[str, str], source: str, place: Place
) -> tuple[TableColumns, bool]:
    """All columns, and whether one of them has summaries."""
    asked = {**asked_columns(columns), "source": source}
    try:
        return choose_columns(rows, asked, place), True
    except FormatError as error:
        if error.expected != f"a column {_CANDIDATE!r}" or _CANDIDATE in asked:
            raise
    return choose_columns(rows, asked, place, REFERENCE_ROLES), False


def _of(summaries: Mapping[str, Mapping[str, str]], topic: str) -> Cells:
    return {author: texts.get(topic, "") for author, texts in summaries.items()}
