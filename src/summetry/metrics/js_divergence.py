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
from abc import abstractmethod
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np

from summetry.arrays.token_tables import table_of
from summetry.arrays.types import Floats, Ints
from summetry.arrays.vectors import bag_entries
from summetry.errors import SummetryError
from summetry.metrics._pairs import Against, Placed, TextMetric, TextPairs, placed, unmatched
from summetry.metrics.base import METRICS, Better, Over, Scores
from summetry.metrics.explanations import Part, left_out
from summetry.records.batches import Batch, Comparison, Side
from summetry.text.pipeline import LanguagePipeline, TextPipeline
from summetry.text.tokens import Span

# The probabilities of each word in the reference (p) and in the candidate (q).
Chances: TypeAlias = dict[str, tuple[float, float]]
Weights: TypeAlias = dict[str, float]

# Beyond these, products of probabilities are no numbers any more.
LEAST_DELTA, MOST_DELTA = 1e-100, 1e100
# How many outcomes a smoothed distribution has for each distinct word of the source.
OUTCOMES = 1.5


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
        """The sum of ``weights``, one per word, for every pair."""
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


def joint_of_texts(candidate: Iterable[Hashable], reference: Iterable[Hashable]) -> Joint:
    """The same for one pair, given as words."""
    texts = [*reference], [*candidate]
    table = table_of(texts, dict.fromkeys(chain(*texts)))
    other, one = np.arange(2, dtype=np.int64)[:, None]
    return joint_words(TextPairs(table, one, other, other))


def jensen_shannon(joint: Joint, delta: float) -> Floats:
    """JS of every pair: 1 for an empty candidate, NaN for an empty reference."""
    q, p, scale = joint.scaled(delta)
    parts = _times_log(q, 2 * q, p + q) + _times_log(p, 2 * p, p + q)
    return _settled(joint.total(parts), 2 * scale, joint, worst=1.0)


def kullback_leibler(joint: Joint, delta: float) -> tuple[Floats, Floats]:
    """D(reference||candidate) and D(candidate||reference) of every pair; infinite, or NaN."""
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
    return factor * np.log2(share)


def _settled(sums: Floats, scale: Floats, joint: Joint, worst: float) -> Floats:
    """sums / scale, the worst for an empty candidate, no value for an empty reference."""
    values = np.full(len(sums), worst)
    there = (joint.candidate > 0) & (joint.reference > 0)
    np.divide(sums, scale, out=values, where=there)
    values[joint.reference == 0] = np.nan
    return values


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


# What the facts mean where a text has no words.
_EMPTY = {
    "reference": "words of the source or reference",
    "candidate": "words of the candidate",
    "worst": "the value of a candidate without words",
}


@dataclass(frozen=True)
class Divergence(TextMetric):
    """What both divergences share: their settings, several references, how they are explained.

    Their values are sums over words, not formulas on facts of a pair; an explanation has formulas
    all the same.
    """

    delta: float = 0.0005
    against: Against = "source"
    references: Over = "mean"
    text: TextPipeline = field(default_factory=LanguagePipeline)

    def __post_init__(self) -> None:
        _check_delta(self.name, self.delta)

    @abstractmethod
    def divergences(self, joint: Joint) -> tuple[Floats, ...]:
        """The values of every pair."""

    @abstractmethod
    def weigh(self, chances: Chances, shared: list[str]) -> tuple[Weights, Weights]:
        """What each word brings, and the facts, where both texts have words."""

    def pair_values(self, batch: Batch) -> tuple[Scores, Ints]:
        pairs = self.pairs(batch)
        columns = self.divergences(joint_words(pairs))
        return dict(zip(self.values, columns, strict=True)), pairs.owners

    def parts(self, comparison: Comparison) -> list[Part]:
        return [self._part(comparison, side) for _, side in self.others(comparison)]

    def _part(self, comparison: Comparison, side: Side) -> Part:
        tokens = placed(comparison, side, self.text)
        if not tokens.reference:
            return Part(side.author, {"reference": 0.0}, left_out(self.values))
        if not tokens.candidate:
            worst = {"candidate": 0.0, "worst": self.bounds[1]}
            return Part(side.author, worst, dict.fromkeys(self.values, "worst"))
        shared = tokens.shared()
        weights, facts = self.weigh(self._chances(tokens), shared)
        matches = tuple(tokens.match(word, weights[word]) for word in shared)
        located = ((w, (span,)) for w, spans in tokens.reference.items() for span in spans)
        missed = unmatched(located, matches, tokens.candidate.items())
        return Part(side.author, facts, dict(self.formulas), matches, missed=missed)

    def _chances(self, tokens: Placed) -> Chances:
        mine, theirs = tokens.candidate, tokens.reference
        words = sorted(mine.keys() | theirs.keys())
        smoothing = self.delta * max(OUTCOMES * len(theirs), len(words))

        def shares(spans: Mapping[str, tuple[Span, ...]]) -> list[float]:
            below = sum(map(len, spans.values())) + smoothing
            return [(len(spans.get(word, ())) + self.delta) / below for word in words]

        return dict(zip(words, zip(shares(theirs), shares(mine), strict=True), strict=True))


@METRICS.register
@dataclass(frozen=True)
class JsDivergence(Divergence):
    """Jensen-Shannon divergence of word distributions, in bits (Louis and Nenkova)."""

    name: ClassVar[str] = "js_divergence"
    better: ClassVar[Better] = {"value": "lower"}
    formulas: ClassVar[dict[str, str]] = {"value": "apart - matched - smoothing"}
    terms: ClassVar[Mapping[str, str]] = _EMPTY | {
        "apart": "bits between texts without a common word",
        "matched": "bits that the shared words take off",
        "smoothing": "bits that smoothing takes off for all other words",
    }

    def divergences(self, joint: Joint) -> tuple[Floats, ...]:
        return (jensen_shannon(joint, self.delta),)

    def weigh(self, chances: Chances, shared: list[str]) -> tuple[Weights, Weights]:
        """Two texts without a common word are 1 apart; each word of both takes something off."""
        taken = {
            # The bits by which the two shares of a word go together.
            word: sum(x * math.log2((p + q) / x) for x in (p, q) if x) / 2
            for word, (p, q) in chances.items()
        }
        matched = math.fsum(taken[word] for word in shared)
        facts = {
            "apart": math.fsum((p + q) / 2 for p, q in chances.values()),
            "matched": matched,
            "smoothing": math.fsum(taken.values()) - matched,
        }
        return taken, facts


@METRICS.register
@dataclass(frozen=True)
class KlDivergence(Divergence):
    """Kullback-Leibler divergences of smoothed word distributions (Louis and Nenkova)."""

    name: ClassVar[str] = "kl_divergence"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    better: ClassVar[Better] = {"missed": "lower", "added": "lower"}
    formulas: ClassVar[dict[str, str]] = {
        "missed": "matched + unmatched if matched + unmatched > 0 else 0",
        "added": "added_words if added_words > 0 else 0",
    }
    terms: ClassVar[Mapping[str, str]] = _EMPTY | {
        "matched": "bits of the shared words, weighted by the other text",
        "unmatched": "bits of all other words, weighted by the other text",
        "added_words": "bits of all words, weighted by the candidate",
    }

    def divergences(self, joint: Joint) -> tuple[Floats, ...]:
        return kullback_leibler(joint, self.delta)

    def weigh(self, chances: Chances, shared: list[str]) -> tuple[Weights, Weights]:
        missed = {word: p * math.log2(p / q) for word, (p, q) in chances.items()}
        added = [q * math.log2(q / p) for p, q in chances.values()]
        matched = math.fsum(missed[word] for word in shared)
        facts = {
            "matched": matched,
            "unmatched": math.fsum(missed.values()) - matched,
            "added_words": math.fsum(added),
        }
        return missed, facts
