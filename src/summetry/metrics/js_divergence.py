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
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np

from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError
from summetry.metrics._against import Against, needs_against, pairs_against, sides_against
from summetry.metrics._divergence import (
    OUTCOMES,
    Joint,
    jensen_shannon,
    joint_of_texts,
    joint_words,
    kullback_leibler,
)
from summetry.metrics._tokens import Placed, placed
from summetry.metrics.base import (
    METRICS,
    Better,
    Counts,
    Metric,
    Needs,
    Over,
    Scores,
    explained,
    means,
    over_references,
)
from summetry.metrics.explanations import Explanation, Part, left_out
from summetry.records.batches import Batch, Comparison, Side
from summetry.text.pipeline import LanguagePipeline, TextPipeline

# Beyond these, products of probabilities are no numbers any more.
LEAST_DELTA, MOST_DELTA = 1e-100, 1e100


def js_divergence(
    candidate: Iterable[Hashable], reference: Iterable[Hashable], delta: float = 0.0
) -> float:
    """Jensen-Shannon divergence of two texts in bits: 0 for equal distributions, 1 for disjoint.

    >>> js_divergence("a b".split(), "a c".split())
    0.5
    """
    _check_delta("js_divergence", delta)
    return float(jensen_shannon(joint_of_texts(candidate, reference), delta)[0])


def kl_divergence(
    candidate: Iterable[Hashable], reference: Iterable[Hashable], delta: float
) -> tuple[float, float]:
    """D(reference||candidate) and D(candidate||reference) in bits.

    >>> [round(bits, 2) for bits in kl_divergence("a b b".split(), "a c".split(), 0.0005)]
    [6.06, 7.39]
    """
    _check_delta("kl_divergence", delta)
    missed, added = kullback_leibler(joint_of_texts(candidate, reference), delta)
    return float(missed[0]), float(added[0])


def _check_delta(name: str, delta: float) -> None:
    if delta and not LEAST_DELTA <= delta <= MOST_DELTA:
        raise SummetryError(
            f"{name}: delta must be 0 or from {LEAST_DELTA:g} to {MOST_DELTA:g}, got {delta:g}"
        )
    if name == "kl_divergence" and not delta:
        raise SummetryError(
            "kl_divergence: delta must be above 0, got 0: without smoothing a word that one "
            "text lacks makes the value infinite; js_divergence needs no smoothing"
        )


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
class Divergence(Metric):
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
        return (jensen_shannon(joint, self.delta),)

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
        return kullback_leibler(joint, self.delta)

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
