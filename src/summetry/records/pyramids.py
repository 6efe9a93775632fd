"""Content units (SCUs): who contributes them, who expresses them, where they stand."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

import msgspec

from summetry.records.base import Meta, Number, Record, no_meta


class Contributor(Record, frozen=True):
    """A part of a reference that expresses an SCU."""

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
    """A part of a candidate that expresses an SCU; an id outside the pyramid weighs 0."""

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


def said_by(pyramid: Pyramid, author: str) -> tuple[PeerScu, ...] | None:
    """The SCUs that an author expresses, as often as they do; None where they were not annotated.

    A reference that is not annotated like a candidate expresses what it contributes to.
    """
    if author in pyramid.peers:
        return pyramid.peers[author]
    own = [(s, c) for s in pyramid.scus for c in s.contributors if c.author == author]
    return tuple(PeerScu(scu.id, part.text) for scu, part in own) or None


def contributing(pyramid: Pyramid) -> tuple[str, ...]:
    """The authors of all contributors, in the order in which they come first."""
    return tuple(dict.fromkeys(c.author for scu in pyramid.scus for c in scu.contributors))


def without(pyramid: Pyramid, authors: Collection[str]) -> Pyramid:
    """The pyramid as it would be had these authors not contributed.

    A weight falls by the share of its contributing authors that leave, which is by one for each
    where it is their number; an SCU without any author left is dropped. An SCU without
    contributors stays as it is.

    >>> scu = Scu("1", "a ferry sank", 2, (Contributor("ann"), Contributor("bob")))
    >>> [s.weight for s in without(Pyramid("t", (scu,)), ["bob"]).scus]
    [1]
    """
    if not authors:
        return pyramid
    kept = [_lowered(scu, authors) for scu in pyramid.scus]
    return msgspec.structs.replace(pyramid, scus=tuple(scu for scu in kept if scu is not None))


def _lowered(scu: Scu, authors: Collection[str]) -> Scu | None:
    stay = tuple(part for part in scu.contributors if part.author not in authors)
    if len(stay) == len(scu.contributors):
        return scu
    if not stay:
        return None
    before, after = (len({part.author for part in parts}) for parts in (scu.contributors, stay))
    weight = Fraction(scu.weight) * after / before
    number = int(weight) if weight.denominator == 1 else float(weight)
    return msgspec.structs.replace(scu, weight=number, contributors=stay)
