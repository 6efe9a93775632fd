"""Divergence of word distributions: how far a summary's words are from those of its source.

    D(P||Q) = sum over words of p log2(p/q)
    JS(P, Q) = (D(P||A) + D(Q||A)) / 2      where A = (P + Q) / 2

P is the distribution of words in the source (or in a reference), Q that of the summary, and a
word that a text has c times among N has the probability

    (c + delta) / (N + delta B)

where B, the number of outcomes, is 1.5 times the distinct words of the source, or all distinct
words of both texts where these are more. ``delta=0`` is the plain share c/N. JS is from 0 (equal
distributions) to 1 (no word in common), smoothed or not; D needs smoothing, being infinite as
soon as a word is missing. The sums go over the words that either text has, as in the authors'
program. An empty candidate has the worst value, an empty source or reference none.

Source: Louis and Nenkova (2009), Automatically evaluating content selection in summarization
without human models, section 3.1; SIMetrix, their program.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np

from summetry.errors import SummetryError
from summetry.metrics._against import Against, needs_against, pairs_against, sides_against
from summetry.metrics._base import (
    METRICS,
    Better,
    Counts,
    Needs,
    Over,
    Scores,
    explained,
    means,
    over_references,
)
from summetry.metrics._explain import Explanation, Part, left_out
from summetry.metrics._tokens import Placed, TextPairs, placed
from summetry.model.batches import Batch, Comparison, Side
from summetry.text.pipeline import LanguagePipeline, TextPipeline
from summetry.text.vectors import Floats, bag_entries
from summetry.text.vocabulary import Ints

# How many outcomes a smoothed distribution has for each distinct word of the source.
OUTCOMES = 1.5


def js_divergence(
    candidate: Iterable[Hashable], reference: Iterable[Hashable], delta: float = 0.0
) -> float:
    """Jensen-Shannon divergence of two texts in bits: 0 for equal distributions, 1 for disjoint.

    >>> js_divergence("a b".split(), "a c".split())
    0.5
    """
    _check_delta("js_divergence", delta)
    return float(_js(_joint_of_texts(candidate, reference), delta)[0])


def kl_divergence(
    candidate: Iterable[Hashable], reference: Iterable[Hashable], delta: float
) -> tuple[float, float]:
    """D(reference||candidate) and D(candidate||reference) in bits.

    >>> [round(bits, 2) for bits in kl_divergence("a b b".split(), "a c".split(), 0.0005)]
    [6.06, 7.39]
    """
    _check_delta("kl_divergence", delta)
    missed, added = _kl(_joint_of_texts(candidate, reference), delta)
    return float(missed[0]), float(added[0])


def _check_delta(name: str, delta: float) -> None:
    if not 0 <= delta < math.inf:
        raise SummetryError(f"{name}: delta must be 0 or more and not infinite, got {delta:g}")
    if name == "kl_divergence" and not delta:
        raise SummetryError(
            "kl_divergence: delta must be above 0, got 0: without smoothing a word that one "
            "text lacks makes the value infinite; js_divergence needs no smoothing"
        )


class Joint(NamedTuple):
    """The words that either text of a pair has, for many pairs, ordered by pair and word.

    ``mine`` and ``theirs`` say how often candidate and reference have the word. The rest is by
    pair: how many tokens the candidate and the reference have, and the number of outcomes B.
    """

    pair: Ints
    mine: Floats
    theirs: Floats
    candidate: Floats
    reference: Floats
    outcomes: Floats

    def total(self, weights: Floats) -> Floats:
        """The sum of ``weights``, one a word, for every pair."""
        pairs = len(self.candidate)
        return np.bincount(self.pair, weights=weights, minlength=pairs).astype(np.float64)

    def scaled(self, delta: float) -> tuple[Floats, Floats, Floats]:
        """q and p of every word times a factor of its pair, and that factor.

        The factor is the product of both denominators, so that without smoothing all are whole
        numbers, and equal or disjoint distributions have a divergence of exactly 0 or 1.
        """
        left, right = (n + delta * self.outcomes for n in (self.candidate, self.reference))
        q = (self.mine + delta) * right[self.pair]
        p = (self.theirs + delta) * left[self.pair]
        return q, p, left * right


def joint_words(pairs: TextPairs) -> Joint:
    """The words of both texts of every pair."""
    bags, lengths = pairs.table.bags, pairs.table.lengths.astype(np.float64)
    (mine, owner), (theirs, other) = (bag_entries(bags, r) for r in (pairs.left, pairs.right))
    left, right = owner * bags.size + bags.ids[mine], other * bags.size + bags.ids[theirs]
    both, place = np.unique(np.concatenate([left, right]), return_inverse=True)
    counts = np.zeros((2, len(both)))
    counts[0, place[: len(mine)]] = bags.counts[mine]
    counts[1, place[len(mine) :]] = bags.counts[theirs]
    pair = both // bags.size
    types = np.bincount(pair, minlength=len(pairs.left))
    outcomes = np.maximum(OUTCOMES * bags.lengths[pairs.right], types)
    return Joint(pair, counts[0], counts[1], lengths[pairs.left], lengths[pairs.right], outcomes)


def _joint_of_texts(candidate: Iterable[Hashable], reference: Iterable[Hashable]) -> Joint:
    mine, theirs = Counter(candidate), Counter(reference)
    words = [*(theirs | mine)]
    counts = [np.array([side[word] for word in words], np.float64) for side in (mine, theirs)]
    outcomes = max(OUTCOMES * len(theirs), len(words))
    sizes = [np.array([float(size)]) for size in (mine.total(), theirs.total(), outcomes)]
    return Joint(np.zeros(len(words), np.int64), *counts, *sizes)


def _js(joint: Joint, delta: float) -> Floats:
    q, p, scale = joint.scaled(delta)
    parts = _times_log(q, 2 * q, p + q) + _times_log(p, 2 * p, p + q)
    return _settled(joint.total(parts), 2 * scale, joint, worst=1.0)


def _kl(joint: Joint, delta: float) -> tuple[Floats, Floats]:
    """D(reference||candidate), D(candidate||reference)."""
    q, p, scale = joint.scaled(delta)
    # What is left for words that neither text has is not in the sums, so that those of nearly
    # equal texts can fall short of 0.
    missed = np.maximum(joint.total(_times_log(p, p, q)), 0.0)
    added = np.maximum(joint.total(_times_log(q, q, p)), 0.0)
    return (
        _settled(missed, scale, joint, worst=math.inf),
        _settled(added, scale, joint, worst=math.inf),
    )


def _times_log(factor: Floats, above: Floats, below: Floats) -> Floats:
    """factor * log2(above / below), 0 where the factor is 0."""
    share = np.divide(above, below, out=np.ones(len(factor)), where=factor > 0)
    found: Floats = factor * np.log2(share)
    return found


def _settled(sums: Floats, scale: Floats, joint: Joint, worst: float) -> Floats:
    """sums / scale, the worst for an empty candidate, no value for an empty reference."""
    values = np.full(len(sums), worst)
    there = (joint.candidate > 0) & (joint.reference > 0)
    np.divide(sums, scale, out=values, where=there)
    values[joint.reference == 0] = np.nan
    return values


def least_of_references(values: Floats, owners: Ints, rows: int, over: Over) -> Counts:
    """:func:`over_references` where the best value is the least."""
    if over == "mean":
        return over_references(values, owners, rows, over)
    found = over_references(-values, owners, rows, over)
    # Not a change of sign: that would make -0 of 0.
    found[:, 0] = 0.0 - found[:, 0]
    return found


class Chances(NamedTuple):
    """The probability of a word in the reference (p) and in the candidate (q)."""

    p: float
    q: float


@dataclass(frozen=True)
class Divergence:
    """What both divergences share: their settings, several references, how they are explained."""

    delta: float = 0.0005
    against: Against = "source"
    references: Over = "mean"
    text: TextPipeline = field(default_factory=LanguagePipeline)

    name: ClassVar[str]
    family: ClassVar[str] = "content"
    values: ClassVar[tuple[str, ...]]
    headline: ClassVar[str]
    bounds: ClassVar[tuple[float, float]]
    better: ClassVar[Better]

    def __post_init__(self) -> None:
        _check_delta(self.name, self.delta)

    @property
    def needs(self) -> Needs:
        return needs_against(self.against)

    def divergences(self, joint: Joint) -> tuple[Floats, ...]:
        """The values of every pair."""
        raise AssertionError("each divergence has its own formula")

    def weigh(self, tokens: Placed, chances: dict[str, Chances]) -> Part:
        """What each word brings, where both texts have words."""
        raise AssertionError("each divergence weighs its own words")

    def count(self, batch: Batch) -> Counts:
        pairs = pairs_against(batch, self.text, self.against)
        found = self.divergences(joint_words(pairs))
        rows, over = len(batch), self.references
        return np.hstack([least_of_references(v, pairs.owners, rows, over) for v in found])

    def score(self, counts: Counts) -> Scores:
        return means(counts, self.values)

    def explain(self, comparison: Comparison) -> Explanation:
        sides = sides_against(comparison, self.against)
        parts = [self._part(comparison, side) for side in sides]
        return explained(self, comparison, parts, self.references)

    def _part(self, comparison: Comparison, side: Side) -> Part:
        tokens = placed(comparison, side, self.text)
        if not tokens.reference:
            return Part(side.author, {"reference": 0.0}, left_out(self.values))
        if not tokens.candidate:
            worst = {"candidate": 0.0, "worst": self.bounds[1]}
            return Part(side.author, worst, dict.fromkeys(self.values, "worst"))
        mine, theirs = (
            {word: len(spans) for word, spans in placed_words.items()}
            for placed_words in (tokens.candidate, tokens.reference)
        )
        words = sorted(mine.keys() | theirs.keys())
        outcomes = max(OUTCOMES * len(theirs), len(words))

        def share(counts: dict[str, int], word: str) -> float:
            above = counts.get(word, 0) + self.delta
            return above / (sum(counts.values()) + self.delta * outcomes)

        chances = {word: Chances(share(theirs, word), share(mine, word)) for word in words}
        return self.weigh(tokens, chances)


@METRICS.register
@dataclass(frozen=True)
class JsDivergence(Divergence):
    """Jensen-Shannon divergence of word distributions, in bits (Louis and Nenkova)."""

    name: ClassVar[str] = "js_divergence"
    values: ClassVar[tuple[str, ...]] = ("value",)
    headline: ClassVar[str] = "value"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    better: ClassVar[Better] = {"value": "lower"}

    def divergences(self, joint: Joint) -> tuple[Floats, ...]:
        return (_js(joint, self.delta),)

    def weigh(self, tokens: Placed, chances: dict[str, Chances]) -> Part:
        """Two texts without a common word are 1 apart; each word of both takes something off."""
        taken = {word: _taken_off(chance) for word, chance in chances.items()}
        shared = tokens.shared()
        matched = math.fsum(taken[word] for word in shared)
        facts = {
            "apart": math.fsum((p + q) / 2 for p, q in chances.values()),
            "matched": matched,
            "smoothing": math.fsum(taken.values()) - matched,
        }
        matches = tuple(tokens.match(word, taken[word]) for word in shared)
        return Part(tokens.against, facts, {"value": "apart - matched - smoothing"}, matches)


@METRICS.register
@dataclass(frozen=True)
class KlDivergence(Divergence):
    """Kullback-Leibler divergences of smoothed word distributions (Louis and Nenkova)."""

    name: ClassVar[str] = "kl_divergence"
    values: ClassVar[tuple[str, ...]] = ("missed", "added")
    headline: ClassVar[str] = "missed"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    better: ClassVar[Better] = dict.fromkeys(values, "lower")

    def divergences(self, joint: Joint) -> tuple[Floats, ...]:
        return _kl(joint, self.delta)

    def weigh(self, tokens: Placed, chances: dict[str, Chances]) -> Part:
        missed = {word: p * math.log2(p / q) for word, (p, q) in chances.items()}
        added = {word: q * math.log2(q / p) for word, (p, q) in chances.items()}
        shared = tokens.shared()
        matched = math.fsum(missed[word] for word in shared)
        facts = {
            "matched": matched,
            "unmatched": math.fsum(missed.values()) - matched,
            "added_words": math.fsum(added.values()),
        }
        formulas = {
            "missed": "matched + unmatched if matched + unmatched > 0 else 0",
            "added": "added_words if added_words > 0 else 0",
        }
        matches = tuple(tokens.match(word, missed[word]) for word in shared)
        return Part(tokens.against, facts, formulas, matches)


def _taken_off(chance: Chances) -> float:
    """What a word takes off the divergence: the bits by which its two shares go together."""
    p, q = chance
    return sum(x * math.log2((p + q) / x) for x in chance if x) / 2
