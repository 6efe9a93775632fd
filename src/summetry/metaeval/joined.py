"""Scores of several files as one table for each protocol, for ``compare`` and ``correlate``.

A file is known by its name, which is that of its only system where a table of texts names none.
``records.joining`` joins the tables of one protocol; here is what must be true of the files before,
and what a reader should know of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias, TypeVar

from summetry.errors import SummetryError
from summetry.formats.aesop import is_aesop
from summetry.formats.outputs import system_names, unmatched_ids
from summetry.metaeval.columns import is_ours
from summetry.metaeval.grids import protocols_of
from summetry.records.builder import OnError
from summetry.records.corpus import Corpus
from summetry.records.joining import join_tables
from summetry.records.scores import ScoreTable

T = TypeVar("T")

# What a system is called in a table of texts that does not name it.
UNNAMED = "candidate"
# Tables with the names of their files; a file has one for each protocol.
NamedTables: TypeAlias = Sequence[tuple[str, ScoreTable]]


def named_by_place(places: Sequence[T]) -> dict[str, T]:
    """Files by their names, and what is no file by its number.

    >>> list(named_by_place([Path("old.csv"), Path("new.csv"), None]))
    ['old', 'new', '3']
    """
    numbered = enumerate(places, start=1)
    names = [place if isinstance(place, Path) else Path(str(number)) for number, place in numbered]
    return dict(zip(system_names(names), places, strict=True))


def named_by_file(table: ScoreTable, name: str, column: str = UNNAMED) -> ScoreTable:
    """The table, its only system named by the file where a table of texts does not name one."""
    if not set(table.authors()) <= {UNNAMED, column}:
        return table
    return replace(table, rows=tuple(row._replace(author=name) for row in table.rows))


def check_references(corpora: Mapping[str, Corpus]) -> None:
    """Refuse files that disagree on the references of a topic: their scores say nothing."""
    seen: dict[str, tuple[str, list[str]]] = {}
    for name, corpus in corpora.items():
        for topic in corpus.topics:
            summaries = corpus.of_topic("summaries", topic.id)
            texts = [corpus.text_of(one) for one in summaries if one.role == "reference"]
            first, known = seen.setdefault(topic.id, (name, texts))
            if sorted(known) != sorted(texts):
                raise SummetryError(
                    f"{first} and {name} have different references for {topic.id!r}, so their "
                    "scores cannot be compared; --references FILE names those for all"
                )


def of_same_topics(
    tables: NamedTables, paths: Mapping[str, str], on_error: OnError = "stop"
) -> tuple[list[tuple[str, ScoreTable]], list[str]]:
    """The tables if other systems than those of the first file have its topics, no fewer and no
    more; or without the others, where bad records are left out, and what these are in words."""
    (first, start), *others = tables
    known = dict.fromkeys(row.topic for row in start.rows)
    same, left_out = [(first, start)], []
    for name, table in others:
        kept = table
        if not set(table.authors()) & set(start.authors()):
            mine = dict.fromkeys(row.topic for row in table.rows)
            words = unmatched_ids(paths[name], mine, paths[first], known, on_error)
            if words and on_error == "stop":
                raise SummetryError(words)
            if words:
                left_out.append(words)
                places = [place for place, row in enumerate(table.rows) if row.topic in known]
                rows = tuple(table.rows[place] for place in places)
                kept = replace(table, rows=rows, data=table.data[places])
        same.append((name, kept))
    return same, left_out


def join_by_protocol(tables: NamedTables) -> tuple[list[ScoreTable], list[str]]:
    """One table for each protocol, and notes on what became two, or could not be joined."""
    protocols = dict.fromkeys(p for _, table in tables for p in protocols_of(table))
    # What a table says by itself was said when it was read.
    said = {note for _, table in tables for note in table.notes}
    joined: list[ScoreTable] = []
    notes: list[str] = []
    for protocol in protocols:
        own = {n: t for n, table in tables if (t := _of_protocol(table, protocol)).rows}
        table = join_tables(own)
        notes += [note for note in table.notes if note not in said]
        said |= set(table.notes)
        joined.append(table)
        notes += _strangers(own)
    return joined, notes


def only_protocol(tables: Sequence[ScoreTable], protocol: str) -> ScoreTable:
    """The table of a protocol, of the only one where none is named."""
    if not protocol and len(tables) > 1:
        names = " and ".join(name for table in tables for name in protocols_of(table))
        raise SummetryError(f"the scores are of the protocols {names}; --protocol says which")
    named = (table for table in tables if protocol in protocols_of(table))
    return next(named, tables[0])


def _of_protocol(table: ScoreTable, protocol: str) -> ScoreTable:
    """The rows of a protocol, with the columns that have a number there."""
    places = [place for place, row in enumerate(table.rows) if row.protocol == protocol]
    rows = tuple(table.rows[place] for place in places)
    return ScoreTable(rows, table.columns, table.data[places], table.notes)


def _strangers(tables: Mapping[str, ScoreTable]) -> Iterator[str]:
    """Which file shares no topic with the first one: its ids may be others."""
    (first, table), *rest = tables.items()
    known = {row.topic for row in table.rows}
    for name, other in rest:
        topics = list(dict.fromkeys(row.topic for row in other.rows))
        if known.isdisjoint(topics):
            yield (
                f"{name} has no topic of {first}, so its topics are added as further ones; {name} "
                f"has ids such as {topics[0]!r}, {first} such as {table.rows[0].topic!r}"
            )


def unsigned_notes(files: Mapping[str, ScoreTable], tables: Sequence[ScoreTable]) -> Iterator[str]:
    """What is assumed of scores that come without signatures beside others that have them.

    ``files`` are those of scores by their paths, and ``tables`` all that are joined.
    """
    if not any(column.signature for table in tables for column in table.columns):
        return
    for name, table in files.items():
        if any(column.signature for column in table.columns) or is_aesop(Path(name)):
            continue
        assumed = f"protocol {' and '.join(protocols_of(table))}"
        strange = dict.fromkeys(c.metric for c in table.columns if not is_ours(c.metric))
        if strange:
            assumed += f", that higher is better ({', '.join(strange)})"
        yield f"{name} has no signatures; assumed: {assumed}"
