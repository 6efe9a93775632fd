"""Content units (SCUs): who contributes them, who expresses them, where they stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction

import msgspec

from summetry.records.base import Meta, Number, Record, no_meta

# What decides whose marks count, where that is not one annotator.
RULES = ("majority", "mean")


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
    """A topic's SCUs, and which author expresses which, as one annotator says.

    Several annotators may have made SCUs of a topic, or marked candidates by the same ones.
    """

    topic: str
    scus: tuple[Scu, ...]
    peers: dict[str, tuple[PeerScu, ...]] = msgspec.field(default_factory=dict)
    annotator: str = ""
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


def by_majority(pyramids: Sequence[Pyramid]) -> tuple[Pyramid, ...]:
    """The pyramids of a topic, those of annotators with the same SCUs as one.

    A candidate expresses an SCU if more than half of those say so who marked it by the same SCUs,
    so that a tie is not expressed; and it expresses it twice if more than half say so. SCUs outside
    the pyramid are the same if they have the same id.

    >>> two, one = {"lead": (PeerScu("1"), PeerScu("2"))}, {"lead": (PeerScu("1"),)}
    >>> scus = Scu("1"), Scu("2")
    >>> (pyramid,) = by_majority([Pyramid("t", scus, two, "ann"), Pyramid("t", scus, one, "bob")])
    >>> [part.scu for part in pyramid.peers["lead"]]
    ['1']
    """
    if len(pyramids) < 2:
        return tuple(pyramids)
    groups = by_units(pyramids)
    return tuple(group[0] if len(group) == 1 else _merged(group) for group in groups)


def by_units(pyramids: Sequence[Pyramid]) -> list[list[Pyramid]]:
    """The pyramids of a topic, those with the same SCUs together."""
    groups: dict[tuple[object, ...], list[Pyramid]] = {}
    for pyramid in pyramids:
        groups.setdefault(_units(pyramid), []).append(pyramid)
    return list(groups.values())


def _units(pyramid: Pyramid) -> tuple[object, ...]:
    """The SCUs as far as they decide a number or what a reader sees."""
    return tuple(
        (scu.id, scu.label, scu.weight, tuple(part.author for part in scu.contributors))
        for scu in pyramid.scus
    )


def _merged(pyramids: Sequence[Pyramid]) -> Pyramid:
    authors = dict.fromkeys(author for pyramid in pyramids for author in pyramid.peers)
    peers = {
        author: _by_most([p.peers[author] for p in pyramids if author in p.peers])
        for author in authors
    }
    return msgspec.structs.replace(pyramids[0], peers=peers, annotator="")


def _by_most(marks: Sequence[tuple[PeerScu, ...]]) -> tuple[PeerScu, ...]:
    """What more than half of the annotators found in a candidate."""
    counts = [Counter(part.scu for part in found) for found in marks]
    chosen: list[PeerScu] = []
    for scu in dict.fromkeys(part.scu for found in marks for part in found):
        times = sorted((count[scu] for count in counts), reverse=True)[len(marks) // 2]
        parts = ([part for part in found if part.scu == scu] for found in marks)
        chosen += next(own for own in parts if len(own) >= times)[:times]
    return tuple(chosen)


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
