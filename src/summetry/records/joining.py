"""Score tables of several files as one, joined by signature.

A value that is computed in two ways is two columns. A system with two numbers for one value of one
topic is two systems, and so is the only system of all tables. Each of the two has the name of its
table behind its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations

import numpy as np
from msgspec.structs import replace

from summetry.arrays.types import Floats
from summetry.records.scores import Column, Row, ScoreTable
from summetry.signature import Signature


def join_tables(tables: Mapping[str, ScoreTable]) -> ScoreTable:
    """All rows and columns of the tables, each of which has a name; notes name what became two."""
    columns, column_notes = _joined_columns(tables)
    rows, row_notes = _joined_rows(tables, columns)
    row_places: dict[Row, int] = {}
    column_places: dict[Column, int] = {}
    cells = []
    for name, table in tables.items():
        down = [row_places.setdefault(row, len(row_places)) for row in rows[name]]
        across = [column_places.setdefault(c, len(column_places)) for c in columns[name]]
        cells.append((np.ix_(down, across), table.data))
    data: Floats = np.full((len(row_places), len(column_places)), np.nan)
    for places, numbers in cells:
        data[places] = numbers
    notes = dict.fromkeys(note for table in tables.values() for note in table.notes)
    every = (*notes, *column_notes, *row_notes)
    return ScoreTable(tuple(row_places), tuple(column_places), data, every)


def metric_typed(name: str) -> str:
    """The name of a metric without that of a table which tells it from another one.

    >>> metric_typed("rouge2 (old)"), metric_typed("lcs(stem=true)")
    ('rouge2', 'lcs(stem=true)')
    """
    return re.sub(r" \([^()]*\)$", "", name)


def _joined_columns(
    tables: Mapping[str, ScoreTable],
) -> tuple[dict[str, list[Column]], list[str]]:
    """The columns of each table by the names that they have together."""
    # For each metric its signatures, and for each of these a column and the tables that have it.
    ways: dict[str, dict[str, list[tuple[str, Column]]]] = {}
    for name, table in tables.items():
        for column in table.columns:
            way = _comparable(column.signature)
            ways.setdefault(column.metric, {}).setdefault(way, []).append((name, column))
    shown: dict[tuple[str, str], str] = {}
    signatures: dict[tuple[str, str], str] = {}
    notes = []
    for metric, by_way in ways.items():
        for way, members in by_way.items():
            first, column = members[0]
            is_same = all(other.signature == column.signature for _, other in members)
            signatures[metric, way] = column.signature if is_same else way
            shown[metric, way] = metric if len(by_way) == 1 else f"{metric} ({first})"
        if len(by_way) > 1:
            both = [f"{shown[metric, way]} is {way or 'without one'}" for way in by_way]
            notes.append(f"{metric} has {len(by_way)} signatures: {', '.join(both)}")

    def joined(column: Column) -> Column:
        key = column.metric, _comparable(column.signature)
        return Column(shown[key], column.value, signatures[key])

    return {name: [joined(c) for c in table.columns] for name, table in tables.items()}, notes


def _comparable(signature: str) -> str:
    """A signature without what differs from file to file: the data, the number of references.

    >>> _comparable("rouge_n|refs:3,jackknife|data:51c0aa93be|v:0.1.0")
    'rouge_n|refs:jackknife|v:0.1.0'
    """
    if not signature:
        return ""
    parsed = Signature.parse(signature)
    how = [re.sub(r"^[\d-]+ ?", "", part) for part in parsed.refs.split(",")]
    return str(replace(parsed, data="", refs=",".join(filter(None, how))))


def _joined_rows(
    tables: Mapping[str, ScoreTable], columns: Mapping[str, list[Column]]
) -> tuple[dict[str, list[Row]], list[str]]:
    """The rows of each table by the names that their systems have together."""
    # Where all files have the same topics of one system, these are runs of it, be they equal.
    every = {(frozenset(table.rows), *columns[name]) for name, table in tables.items()}
    only = next(iter(tables.values())).authors() if len(tables) > 1 and len(every) == 1 else []
    twice = dict.fromkeys(only if len(only) == 1 else (), "is in each file")
    for first, second in combinations(tables, 2):
        differing = _differing(tables, columns, first, second)
        twice |= dict.fromkeys(differing, "has other scores in each file")

    def named(row: Row, name: str) -> Row:
        return row._replace(author=f"{row.author} ({name})") if row.author in twice else row

    notes = []
    for author, why in twice.items():
        shown = [
            f"{author} ({name})" for name, table in tables.items() if author in table.authors()
        ]
        notes.append(f"{author} {why}: shown as {' and '.join(shown)}")
    return {name: [named(row, name) for row in t.rows] for name, t in tables.items()}, notes


def _differing(
    tables: Mapping[str, ScoreTable], columns: Mapping[str, list[Column]], first: str, second: str
) -> Iterator[str]:
    """The systems that have two numbers for one value of one topic, one in each table."""
    places = {row: place for place, row in enumerate(tables[first].rows)}
    rows = [(places[row], k) for k, row in enumerate(tables[second].rows) if row in places]
    known = {column: place for place, column in enumerate(columns[first])}
    shared = [(known[column], k) for k, column in enumerate(columns[second]) if column in known]
    if not rows or not shared:
        return
    pairs = zip(zip(*rows, strict=True), zip(*shared, strict=True), strict=True)
    both = zip((first, second), pairs, strict=True)
    x, y = (tables[name].data[np.ix_(down, across)] for name, (down, across) in both)
    is_other = ~((x == y) | (np.isnan(x) & np.isnan(y))).all(axis=1)
    for place in np.flatnonzero(is_other).tolist():
        yield tables[second].rows[rows[place][1]].author
