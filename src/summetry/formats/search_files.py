"""Queries for a search in the topics of a corpus, and qrels that say what is relevant to them.

Queries are a table (CSV, TSV, JSONL or Parquet) with the columns ``id`` and ``text``:

    id,text
    k1,ferries that struck piers

Qrels are in the format of TREC, four words per line, the second of which is not looked at; or a
table with the columns ``query``, ``topic`` and ``relevance``:

    k1 0 t01 1
    k1 0 t02 0
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from summetry.errors import FormatError, Place, SummetryError
from summetry.formats._base import must_be_file
from summetry.formats.cells import cells_of, kind_of_table
from summetry.formats.lines import broken_utf8, read_lines
from summetry.formats.texts import number_in
from summetry.records.judgments import Qrel, Query

# A query, a word that nobody uses, a topic, a relevance.
_TREC_WORDS = 4
_TREC_LINE = "a query, an iteration, a topic and a relevance"


def read_queries(path: Path) -> list[Query]:
    """The queries of a table, each id once."""
    must_be_file(path, "a table of queries")
    queries: dict[str, Query] = {}
    for place, (number, text) in cells_of(path, "id", "text"):
        name = str(number)
        if not isinstance(text, str) or not text.strip():
            raise FormatError(place, f"the text of query {name!r}", repr(text))
        if name in queries:
            raise FormatError(place, "each query once", f"a second {name!r}")
        queries[name] = Query(name, text.strip())
    if not queries:
        raise SummetryError(f"{path}: expected queries, found none")
    return list(queries.values())


def read_qrels(path: Path) -> list[Qrel]:
    """The qrels of a table or of a file of TREC, each query and topic once."""
    must_be_file(path, "qrels")
    is_table = kind_of_table(path)
    rows = cells_of(path, "query", "topic", "relevance") if is_table else _of_trec(path)
    qrels: dict[tuple[str, str], Qrel] = {}
    for place, (*names, relevance) in rows:
        query, topic = map(str, names)
        if (query, topic) in qrels:
            raise FormatError(
                place, "each query and topic once", f"query {query!r} and topic {topic!r} again"
            )
        value = number_in(relevance)
        if value is None or not math.isfinite(value):
            raise FormatError(place, "a number as relevance", repr(relevance))
        qrels[query, topic] = Qrel(query, topic, value)
    if not qrels:
        raise SummetryError(f"{path}: expected qrels, found none")
    return list(qrels.values())


def _of_trec(path: Path) -> Iterator[tuple[Place, list[str]]]:
    """As :func:`cells_of` has a table."""
    for place, line in read_lines(path):
        if error := broken_utf8(line, place):
            raise error
        words = line.decode().split()
        if len(words) != _TREC_WORDS:
            raise FormatError(place, _TREC_LINE, f"{len(words)} words")
        query, _, topic, relevance = words
        yield place, [query, topic, relevance]
