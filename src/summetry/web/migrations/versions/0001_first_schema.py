"""The first schema."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "log",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("time", sa.DateTime, nullable=False),
        sa.Column("who", sa.String(80), nullable=False),
        sa.Column("study", sa.String(20)),
        sa.Column("action", sa.String(40), nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
    )
    op.create_index("ix_log_study", "log", ["study"])
    op.create_table(
        "researchers",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(80), nullable=False, unique=True),
        sa.Column("password", sa.String(200), nullable=False),
        sa.Column("is_admin", sa.Boolean, nullable=False),
    )
    op.create_table(
        "studies",
        sa.Column("id", sa.String(20), primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("task", sa.String(40), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("code", sa.String(20), nullable=False, unique=True),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("head", sa.Text, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("changes", sa.Integer, nullable=False),
    )
    op.create_table(
        "members",
        _part_of("studies", "study", sa.String(20)),
        _part_of("researchers", "researcher", sa.Integer),
        sa.UniqueConstraint("study", "researcher"),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.Integer, primary_key=True),
        _part_of("studies", "study", sa.String(20)),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("group", sa.String(80), nullable=False),
        sa.Column("background", sa.Text, nullable=False),
        sa.Column("language", sa.String(10), nullable=False),
        sa.Column("seed", sa.Integer, nullable=False),
        sa.Column("invited", sa.DateTime),
        sa.Column("joined", sa.DateTime),
        sa.UniqueConstraint("study", "name"),
    )
    op.create_table(
        "keys",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, unique=True),
        sa.Column("researcher", sa.Integer, sa.ForeignKey("researchers.id", ondelete="CASCADE")),
        sa.Column("person", sa.Integer, sa.ForeignKey("people.id", ondelete="CASCADE")),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("expires", sa.DateTime),
    )
    op.create_table(
        "records",
        sa.Column("id", sa.Integer, primary_key=True),
        _part_of("studies", "study", sa.String(20)),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("record", sa.Text, nullable=False),
    )
    op.create_index("ix_records_study_kind", "records", ["study", "kind"])
    op.create_table(
        "topics",
        sa.Column("id", sa.Integer, primary_key=True),
        _part_of("studies", "study", sa.String(20)),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("topic", sa.String(500), nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.UniqueConstraint("study", "topic"),
    )
    op.create_table(
        "answers",
        sa.Column("id", sa.Integer, primary_key=True),
        _part_of("people", "person", sa.Integer),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("item", sa.String(2000), nullable=False),
        sa.Column("repeated", sa.Boolean, nullable=False),
        sa.Column("returned", sa.Boolean, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("given", sa.Text),
        sa.Column("submissions", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("changed", sa.DateTime, nullable=False),
        sa.Column("submitted", sa.DateTime),
        sa.UniqueConstraint("person", "place"),
    )
    op.create_index("ix_answers_item", "answers", ["item"])
    op.create_table(
        "versions",
        sa.Column("id", sa.Integer, primary_key=True),
        _part_of("answers", "answer", sa.Integer),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("action", sa.String(10), nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("back", sa.Integer),
        sa.Column("time", sa.DateTime, nullable=False),
        sa.UniqueConstraint("answer", "number"),
    )


def _part_of(table: str, name: str, kind: Any) -> sa.Column[Any]:
    """What a row belongs to, and goes with; constraints are named as ``web.tables`` says."""
    return sa.Column(name, kind, sa.ForeignKey(f"{table}.id", ondelete="CASCADE"), nullable=False)
