"""The tables of the database, as the newest migration makes them.

What the package knows is kept as its own records in JSON (topics, summaries, pyramids ...); the
columns are what the page itself asks for. An answer is what one person did with one item of a
study; every change of it is a row of ``versions``, so nothing that was saved is ever overwritten.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)
from sqlalchemy.schema import SchemaItem

# Constraints have names, so that a later migration can drop them on every database.
_NAMES = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}
metadata = MetaData(naming_convention=_NAMES)


def _numbered(name: str, *parts: SchemaItem) -> Table:
    """A table with a number for each row."""
    return Table(name, metadata, Column("id", Integer, primary_key=True), *parts)


def _part_of(table: str, name: str, *kind: Any) -> Column[Any]:
    """What a row belongs to, and goes with."""
    return Column(name, *kind, ForeignKey(f"{table}.id", ondelete="CASCADE"), nullable=False)


studies = Table(
    "studies",
    metadata,
    Column("id", String(20), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("task", String(40), nullable=False),
    Column("state", String(10), nullable=False),  # draft, open or closed
    Column("code", String(20), nullable=False, unique=True),
    Column("settings", Text, nullable=False),
    # The name, language, scales and meta of the corpus.
    Column("head", Text, nullable=False),
    Column("created", DateTime, nullable=False),
    # Counts the changes of everything but answers; what is computed from a study is kept by it.
    Column("changes", Integer, nullable=False, default=0),
)
topics = _numbered(
    "topics",
    _part_of("studies", "study", String(20)),
    Column("position", Integer, nullable=False),
    Column("topic", String(500), nullable=False),
    Column("record", Text, nullable=False),
    UniqueConstraint("study", "topic"),
)
# Every other record of the corpus: summaries, extracts made elsewhere, pyramids, questions ...
records = _numbered(
    "records",
    _part_of("studies", "study", String(20)),
    Column("kind", String(20), nullable=False),
    Column("record", Text, nullable=False),
    Index("ix_records_study_kind", "study", "kind"),
)
people = _numbered(
    "people",
    _part_of("studies", "study", String(20)),
    Column("name", String(80), nullable=False),
    Column("group", String(80), nullable=False, default=""),
    # Answers to the study's own questions, as JSON.
    Column("background", Text, nullable=False, default="{}"),
    Column("language", String(10), nullable=False, default=""),
    Column("seed", Integer, nullable=False),
    Column("invited", DateTime),
    Column("joined", DateTime),
    UniqueConstraint("study", "name"),
)
answers = _numbered(
    "answers",
    _part_of("people", "person"),
    # The item's place in this person's own order, from 1; 0 is the practice text.
    Column("place", Integer, nullable=False),
    # The key of the item as a JSON list: the topic, and what else the task needs.
    Column("item", String(2000), nullable=False),
    Column("repeated", Boolean, nullable=False, default=False),
    # Whether the person gave it back undone, to somebody else.
    Column("returned", Boolean, nullable=False, default=False),
    Column("version", Integer, nullable=False, default=0),
    Column("content", Text, nullable=False),
    # The content when it was last submitted: it counts until the next submission.
    Column("given", Text),
    Column("submissions", Integer, nullable=False, default=0),
    Column("seconds", Float, nullable=False, default=0.0),
    Column("changed", DateTime, nullable=False),
    Column("submitted", DateTime),
    UniqueConstraint("person", "place"),
    Index("ix_answers_item", "item"),
)
versions = _numbered(
    "versions",
    _part_of("answers", "answer"),
    Column("number", Integer, nullable=False),
    Column("action", String(10), nullable=False),  # start, change, undo, submit, return or take
    Column("content", Text, nullable=False),
    # The version that `undo` goes back to from here.
    Column("back", Integer),
    Column("time", DateTime, nullable=False),
    UniqueConstraint("answer", "number"),
)
researchers = _numbered(
    "researchers",
    Column("name", String(80), nullable=False, unique=True),
    Column("password", String(200), nullable=False, default=""),
    Column("is_admin", Boolean, nullable=False, default=False),
)
members = Table(
    "members",
    metadata,
    _part_of("studies", "study", String(20)),
    _part_of("researchers", "researcher"),
    UniqueConstraint("study", "researcher"),
)
# Secrets in links, cookies and tokens; only their digests are kept.
keys = _numbered(
    "keys",
    Column("kind", String(10), nullable=False),  # see store/keys.py
    Column("digest", String(64), nullable=False, unique=True),
    # Whom it lets in: one of the two.
    Column("researcher", ForeignKey("researchers.id", ondelete="CASCADE")),
    Column("person", ForeignKey("people.id", ondelete="CASCADE")),
    Column("name", String(80), nullable=False, default=""),
    Column("created", DateTime, nullable=False),
    Column("expires", DateTime),
)
log = _numbered(
    "log",
    Column("time", DateTime, nullable=False),
    Column("who", String(80), nullable=False),
    # No foreign key: what was done to a study outlives it.
    Column("study", String(20)),
    Column("action", String(40), nullable=False),
    Column("detail", Text, nullable=False, default=""),
    Index("ix_log_study", "study"),
)
