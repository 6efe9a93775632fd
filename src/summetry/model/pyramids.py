"""Content units (SCUs): who contributes them, who expresses them, where they stand."""

from __future__ import annotations

import msgspec

from summetry.model.records import Meta, Number, Record, no_meta


class Contributor(Record, frozen=True):
    """A part of a model summary that expresses an SCU."""

    author: str
    text: str = ""
    start: int | None = None
    end: int | None = None
    meta: Meta = no_meta()


class Scu(Record, frozen=True):
    """A summary content unit with its weight."""

    id: str
    label: str = ""
    weight: Number = 1
    contributors: tuple[Contributor, ...] = ()
    meta: Meta = no_meta()


class PeerScu(Record, frozen=True):
    """A part of a peer summary that expresses an SCU; an id outside the pyramid weighs 0."""

    scu: str
    text: str = ""
    meta: Meta = no_meta()


class Pyramid(Record, frozen=True):
    """A topic's SCUs, and which author expresses which."""

    topic: str
    scus: tuple[Scu, ...]
    peers: dict[str, tuple[PeerScu, ...]] = msgspec.field(default_factory=dict)
    meta: Meta = no_meta()


class LabelScu(Record, frozen=True):
    """An SCU that a source sentence carries."""

    id: str
    weight: Number = 1
    label: str = ""
    meta: Meta = no_meta()


class Label(Record, frozen=True):
    """Which SCUs a source unit carries and which summaries used it."""

    topic: str
    unit: int
    summaries: tuple[str, ...] = ()
    scus: tuple[LabelScu, ...] = ()
    meta: Meta = no_meta()
