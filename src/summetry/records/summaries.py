"""Summaries that are judged or judge, and the extracts that informants made."""

from __future__ import annotations

from typing import Literal

from summetry.records.base import Meta, Record, no_meta

Role = Literal["candidate", "reference"]


class Summary(Record, frozen=True):
    """A summary of a topic: a text, sentences, units of the topic, or text and units."""

    topic: str
    author: str
    role: Role
    text: str | None = None
    sentences: tuple[str, ...] | None = None
    units: tuple[int, ...] | None = None
    meta: Meta = no_meta()


class Extract(Record, frozen=True):
    """One informant's choice of units: a vote, not a reference."""

    topic: str
    informant: str
    units: tuple[int, ...]
    meta: Meta = no_meta()


class Person(Record, frozen=True):
    """An informant or judge, and the group they belong to."""

    id: str
    group: str = ""
    meta: Meta = no_meta()
