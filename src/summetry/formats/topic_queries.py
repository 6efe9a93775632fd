"""Queries for the topics of a corpus whose own files have none, such as SCU-labelled sources.

    topic,query
    D0701,What is known about ferries that struck piers?

The table may be CSV, TSV, JSONL or Parquet; other columns are not looked at.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from msgspec import structs

from summetry.errors import FormatError, SummetryError, did_you_mean, next_sentence
from summetry.formats._base import must_be_file
from summetry.formats.cells import cells_of
from summetry.records.corpus import Corpus


def read_topic_queries(path: Path) -> dict[str, str]:
    """The query of each topic that the table at ``path`` names."""
    must_be_file(path, "a table of queries")
    queries: dict[str, str] = {}
    for place, (topic, query) in cells_of(path, "topic", "query"):
        if not isinstance(query, str) or not query.strip():
            raise FormatError(place, f"the query of topic {topic!r}", repr(query))
        if str(topic) in queries:
            raise FormatError(place, "one query for each topic", f"a second one for {topic!r}")
        queries[str(topic)] = query.strip()
    if not queries:
        raise SummetryError(f"{path}: expected queries, found none")
    return queries


def with_queries(corpus: Corpus, path: Path) -> tuple[Corpus, list[str]]:
    """``corpus`` with the queries at ``path`` in place of its own; notes on what does not fit."""
    queries = read_topic_queries(path)
    known = [topic.id for topic in corpus.topics]
    strange = [topic for topic in queries if topic not in set(known)]
    if len(strange) == len(queries):
        hint = next_sentence(did_you_mean(strange[0], known))
        raise SummetryError(
            f"{path}: expected queries for topics of the corpus {corpus.name!r}, "
            f"found none of them, but {strange[0]!r}{hint}"
        )
    topics = tuple(structs.replace(t, query=queries.get(t.id, t.query)) for t in corpus.topics)
    notes = []
    if strange:
        notes.append(
            f"{path}: {len(strange)} of {len(queries)} queries are for topics that the corpus "
            f"does not have, such as {strange[0]!r}"
        )
    return replace(corpus, topics=topics), notes
