"""Explanations: what matched, from which the value can be worked out again.

An explanation has one :class:`Part` for each reference (or one in all). A part's formulas are
arithmetic on its facts, written in Python, with ``undefined`` for NaN; the fact ``matched`` is
the sum of the weights of its matches. Where a summary stands alone, they are what was found in it,
and the fact is named ``found``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from summetry.text.tokens import Span


class Match(msgspec.Struct, frozen=True):
    """Something that candidate and reference share: a word, a unit, an SCU."""

    what: str
    weight: float = 1.0
    candidate: tuple[Span, ...] = ()
    reference: tuple[Span, ...] = ()
    # The reference that each place of ``reference`` is in, where a part has several references.
    texts: tuple[str, ...] = ()
    # Places in further texts, each with the name of its text: where an SCU stands in the
    # references, or a chosen sentence in the source.
    also: tuple[tuple[str, Span], ...] = ()


class Sheet(msgspec.Struct, frozen=True):
    """A small table of an explanation, the most important row first."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | float, ...], ...]


class Part(msgspec.Struct, frozen=True):
    """How the candidate compares with one reference; ``against`` is empty where it stands alone."""

    against: str
    facts: dict[str, float]
    formulas: dict[str, str]
    matches: tuple[Match, ...] = ()
    # A sentence on what is out of the ordinary here; most often there is none.
    note: str = ""
    # What of the reference is in no match; ``candidate`` has the places where it is there all the
    # same: in another order, among other words, or less often.
    missed: tuple[Match, ...] = ()
    tables: tuple[Sheet, ...] = ()
    # What matches are: words or units, edges of graphs with their places in the texts, or a path
    # through what people chose.
    kind: Literal["words", "edges", "path"] = "words"


class Votes(msgspec.Struct, frozen=True):
    """What people gave each unit of the source, in words and in numbers, and what was chosen."""

    of: str
    each: tuple[float, ...]
    chosen: tuple[int, ...]


class Explanation(msgspec.Struct, frozen=True):
    """Why one comparison has the values it has."""

    metric: str
    topic: str
    author: str
    values: dict[str, float]
    parts: tuple[Part, ...]
    # How the parts make one value: "mean" of those that are defined, or the "best".
    over: str = "mean"
    # What the facts mean, in a few words each.
    terms: dict[str, str] = msgspec.field(default_factory=dict)
    # Why there is nothing to explain; most often there is something.
    note: str = ""
    # Where units of the source are compared: who would have which.
    votes: Votes | None = None


UNDEFINED = "undefined"


def left_out(names: tuple[str, ...]) -> dict[str, str]:
    """The formulas against an empty reference: there is no value, and it counts nowhere."""
    return dict.fromkeys(names, UNDEFINED)


def in_reference(matches: Iterable[Match], name: str) -> list[Match]:
    """The same matches with ``name`` as the reference that their places are in."""
    # Not `replace`, which takes longer than all else where a reference has hundreds of matches.
    return [
        Match(m.what, m.weight, m.candidate, m.reference, (name,) * len(m.reference))
        for m in matches
    ]
