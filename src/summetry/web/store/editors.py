"""Extracts of editors: one for each text and researcher, beside what informants choose.

They are references of the corpus like any other, so that they are exported and scored with it.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.web import tables
from summetry.web.store.studies import change_study, json_text

_AUTHOR = "editor: "


def editor_name(researcher: str) -> str:
    """The author of a researcher's extracts."""
    return _AUTHOR + researcher


def editors_extracts(corpus: Corpus, topic: str) -> list[Summary]:
    """All extracts of a text that editors made."""
    return [s for s in corpus.of_topic("summaries", topic) if s.author.startswith(_AUTHOR)]


def keep_extract(
    connection: Connection, study: str, topic: str, researcher: str, units: tuple[int, ...]
) -> None:
    """Keep a researcher's extract of a text instead of an earlier one; without units, delete it."""
    author = editor_name(researcher)
    old = _row_of(connection, study, topic, author)
    row = tables.records
    record = json_text(Summary(topic, author, "reference", units=units))
    if not units:
        if old is not None:
            connection.execute(delete(row).where(row.c.id == old))
    elif old is None:
        values = {"study": study, "kind": "summaries", "record": record}
        connection.execute(insert(row).values(values))
    else:
        connection.execute(update(row).where(row.c.id == old).values(record=record))
    change_study(connection, study)


def _row_of(connection: Connection, study: str, topic: str, author: str) -> int | None:
    row = tables.records.c
    query = select(row.id, row.record).where(row.study == study, row.kind == "summaries")
    for key, text in connection.execute(query):
        summary = msgspec.json.decode(text, type=Summary)
        if (summary.topic, summary.author, summary.role) == (topic, author, "reference"):
            return int(key)
    return None
