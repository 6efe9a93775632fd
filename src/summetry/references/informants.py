"""Every informant beside the others, with flags for extracts that should be looked at.

A flag is a question to the researcher, not a verdict; it comes with the numbers behind it:

``far``    the mean overlap with the others (shared units divided by all units of both) is not
           above what extracts of the same sizes, drawn at random, would share.
``fast``   most texts were done faster than ``FASTEST_READER`` words per minute. The number is our
           choice: most adults read 175 to 300 words of English non-fiction per minute (Brysbaert
           2019, How many words do we read per minute?, doi:10.1016/j.jml.2019.104047), and twice
           that leaves nobody time to read and to choose.
``lead``   nearly all extracts are the first units of the text and nothing else.

No flag is given for fewer than ``FEWEST_TEXTS`` texts. Nobody is compared with themselves.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from summetry.records.lengths import Length, TopicLengths
from summetry.references.majority import TopicVotes
from summetry.references.voting import Reference, mask_of
from summetry.stats.agreement import jaccard, mean_defined
from summetry.stats.chance import expected_jaccard

FEWEST_TEXTS = 3
# Words per minute: twice as fast as quick readers; our choice.
FASTEST_READER = 600
# Time at work is what lies between two actions, and a long pause counts as a minute at most: of a
# long text that is read before the first choice no more than that is known, in seconds.
LONGEST_WAIT = 60.0
# The share of an informant's texts above which "most" and "nearly all" begin.
MOST = 0.5
NEARLY_ALL = 0.8

FlagName = Literal["far", "fast", "lead"]


class Flag(NamedTuple):
    """What should be looked at: for ``far`` the overlap and chance, else texts of all texts."""

    name: FlagName
    value: float
    beside: float


class Overlap(NamedTuple):
    """Shared units divided by all units of both, and what chance would give."""

    jaccard: float
    chance: float


@dataclass(frozen=True)
class Informant:
    """What one informant did, means over texts; undefined is NaN."""

    name: str
    texts: int
    # In per cent of the words.
    mean_length: float
    with_others: Overlap
    # Texts of which the time is known, and how many of them took less than reading takes.
    timed: int
    fast: int
    # Extracts that are the first units of the text.
    lead: int

    @property
    def flags(self) -> tuple[Flag, ...]:
        found: list[Flag] = []
        seen, chance = self.with_others
        if self.texts >= FEWEST_TEXTS and seen <= chance:
            found.append(Flag("far", seen, chance))
        if self.timed >= FEWEST_TEXTS and self.fast > MOST * self.timed:
            found.append(Flag("fast", self.fast, self.timed))
        if self.texts >= FEWEST_TEXTS and self.lead >= NEARLY_ALL * self.texts:
            found.append(Flag("lead", self.lead, self.texts))
        return tuple(found)


def informants(
    votes: Sequence[TopicVotes], seconds: Mapping[tuple[str, str], float] | None = None
) -> list[Informant]:
    """All informants in the order in which they appear.

    ``seconds`` is how long an informant was at work on a topic, by (informant, topic), where that
    is known.
    """
    times = seconds or {}
    by_name: dict[str, list[_Done]] = {}
    for topic in votes:
        masks = [mask_of(units) for units in topic.chosen]
        percents, words = topic.percents, sum(topic.words)
        for place, extract in enumerate(topic.extracts):
            units = len(topic.words)
            pairs = [_overlap(units, masks[place], m) for m in masks[:place] + masks[place + 1 :]]
            # One mean for each text: one with many informants counts no more than one with few.
            both = Overlap(*(mean_defined([pair[i] for pair in pairs]) for i in (0, 1)))
            time = times.get((extract.informant, topic.topic.id))
            is_fast = None if time is None else time < reading_seconds(words)
            # The first units of a text are the lowest bits, without a gap.
            is_lead = masks[place] > 0 and masks[place] & (masks[place] + 1) == 0
            done = _Done(percents[place], both, is_fast, is_lead)
            by_name.setdefault(extract.informant, []).append(done)
    return [_informant(name, own) for name, own in by_name.items()]


def overlap(units: int, first: Collection[int], second: Collection[int]) -> Overlap:
    """Of two extracts of a text with so many ``units``, such as two by the same informant.

    >>> overlap(2, [0], [1])
    Overlap(jaccard=0.0, chance=0.5)
    """
    return _overlap(units, mask_of(first), mask_of(second))


def reading_seconds(words: int) -> float:
    """The time below which a text of so many words was hardly read.

    >>> reading_seconds(300), reading_seconds(5000)
    (30.0, 60.0)
    """
    return min(60 * words / FASTEST_READER, LONGEST_WAIT)


def _overlap(units: int, first: int, second: int) -> Overlap:
    sizes = sorted((first.bit_count(), second.bit_count()))
    return Overlap(jaccard(first, second), expected_jaccard(units, *sizes))


class _Done(NamedTuple):
    """An informant's extract of one text."""

    length: float
    with_others: Overlap
    # None where the time is not known.
    is_fast: bool | None
    is_lead: bool


def _informant(name: str, own: Sequence[_Done]) -> Informant:
    timed = [done.is_fast for done in own if done.is_fast is not None]
    return Informant(
        name,
        len(own),
        mean_defined([done.length for done in own]),
        Overlap(*(mean_defined([done.with_others[i] for done in own]) for i in (0, 1))),
        len(timed),
        sum(timed),
        sum(done.is_lead for done in own),
    )


# ── where they differ ─────────────────────────────────────────────────────


class Disputed(NamedTuple):
    """A unit with those who chose it and those who did not."""

    unit: int
    chosen_by: tuple[str, ...]
    left_by: tuple[str, ...]
    # The share of the pairs of informants of whom one chose it and the other did not.
    differing: float


def disputed_units(votes: TopicVotes) -> list[Disputed]:
    """The units on which informants differ, those with votes nearest to half first.

    Units that all chose, or nobody, are left out; of equals the earlier one comes first.
    """
    names = [extract.informant for extract in votes.extracts]
    chosen = [set(units) for units in votes.chosen]
    pairs = math.comb(len(names), 2)
    found = []
    for unit in range(len(votes.words)):
        for_it = tuple(name for name, own in zip(names, chosen, strict=True) if unit in own)
        against = tuple(name for name, own in zip(names, chosen, strict=True) if unit not in own)
        if for_it and against:
            found.append(Disputed(unit, for_it, against, len(for_it) * len(against) / pairs))
    return sorted(found, key=lambda one: (-one.differing, one.unit))


class ChangedReference(NamedTuple):
    """The reference of a topic with all votes and with fewer; None where nobody is left to vote."""

    topic: str
    before: Reference
    after: Reference | None

    @property
    def added(self) -> tuple[int, ...]:
        kept = self.after.units if self.after else ()
        return tuple(unit for unit in kept if unit not in self.before.units)

    @property
    def removed(self) -> tuple[int, ...]:
        kept = self.after.units if self.after else ()
        return tuple(unit for unit in self.before.units if unit not in kept)


def references_without(
    votes: Sequence[TopicVotes], left_out: Collection[str], length: Length | TopicLengths
) -> list[ChangedReference]:
    """The references of the topics on which somebody of ``left_out`` voted, before and after."""
    changed = []
    for topic in votes:
        fewer: TopicVotes | None = topic
        for place in reversed(range(len(topic.extracts))):
            if topic.extracts[place].informant in left_out:
                fewer = fewer.without(place) if fewer and len(fewer.extracts) > 1 else None
        if fewer is not topic:
            before = topic.reference(length)
            after = fewer.reference(length) if fewer else None
            changed.append(ChangedReference(topic.topic.id, before, after))
    return changed
