"""References that researchers keep: extracts of their own, and the vote as it is at a moment.

They are references of the corpus like any other, so that they are exported and scored with it. The
author's name says how one was made: ``editor: Eve``, or ``majority: 30%, position`` by its length
and tie rule. A text has one extract of each editor, and one reference by majority vote.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from sqlalchemy import Connection, delete, insert

from summetry.records.corpus import Corpus
from summetry.records.lengths import Length
from summetry.records.summaries import Summary
from summetry.references.majority import TopicVotes, reference_summary
from summetry.references.voting import Reference, Ties
from summetry.web import tables
from summetry.web.store.studies import change_study, json_text, records_of

_EDITOR = "editor: "
_MAJORITY = "majority: "


def editor_name(researcher: str) -> str:
    """The author of a researcher's extracts."""
    return _EDITOR + researcher


def editors_extracts(corpus: Corpus, topic: str) -> list[Summary]:
    """All extracts of a text that editors made."""
    return [s for s in corpus.of_topic("summaries", topic) if _is_reference_of(_EDITOR, s)]


def keep_extract(
    connection: Connection, study: str, topic: str, researcher: str, units: tuple[int, ...]
) -> None:
    """Keep a researcher's extract of a text instead of an earlier one; without units, delete it."""
    author = editor_name(researcher)
    new = Summary(topic, author, "reference", units=units) if units else None
    _replace(connection, study, topic, lambda name: name == author, new)


def saved_reference(corpus: Corpus, topic: str) -> Summary | None:
    """The reference of a text that was saved from the votes."""
    return next((s for s in corpus.of_topic("summaries", topic) if is_saved_reference(s)), None)


def is_saved_reference(summary: Summary) -> bool:
    """Whether a summary was saved from the votes."""
    return _is_reference_of(_MAJORITY, summary)


def _is_reference_of(prefix: str, summary: Summary) -> bool:
    """Whether a summary is one of ours; an uploaded candidate may be called like one."""
    return summary.role == "reference" and summary.author.startswith(prefix)


def majority_record(votes: TopicVotes, reference: Reference, length: Length, ties: Ties) -> Summary:
    """The reference as it is saved.

    It has the votes, but not who gave them: informants can ask to be forgotten.
    """
    author = f"{_MAJORITY}{length}, {ties}"
    made = reference_summary(votes, reference, author, length, ties=ties)
    meta = {name: value for name, value in made.meta.items() if name != "informants"}
    return msgspec.structs.replace(made, meta={**meta, "extracts": len(votes.extracts)})


def save_reference(connection: Connection, study: str, topic: str, new: Summary | None) -> None:
    """Save a reference by majority vote instead of an earlier one; None removes it."""
    _replace(connection, study, topic, lambda name: name.startswith(_MAJORITY), new)


def _replace(
    connection: Connection,
    study: str,
    topic: str,
    is_one: Callable[[str], bool],
    new: Summary | None,
) -> None:
    """Put a reference in the place of those whose author ``is_one``."""
    row = tables.records
    for number, record in records_of(connection, study, topic, ("summaries",)):
        assert isinstance(record, Summary)
        if record.role == "reference" and is_one(record.author):
            connection.execute(delete(row).where(row.c.id == number))
    if new is not None:
        values = {"study": study, "kind": "summaries", "record": json_text(new)}
        connection.execute(insert(row).values(values))
    change_study(connection, study)
