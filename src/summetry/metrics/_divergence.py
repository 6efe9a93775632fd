"""Divergences of word distributions, for many pairs of texts at once.

    D(P||Q) = sum over words of p log2(p/q)
    JS(P, Q) = (D(P||A) + D(Q||A)) / 2      where A = (P + Q) / 2

See ``js_divergence`` for what p and q are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable
from typing import NamedTuple

import numpy as np

from summetry.arrays.types import Floats, Ints
from summetry.arrays.vectors import bag_entries
from summetry.metrics._tokens import TextPairs

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


def joint_of_texts(candidate: Iterable[Hashable], reference: Iterable[Hashable]) -> Joint:
    """The same for one pair, given as words."""
    mine, theirs = Counter(candidate), Counter(reference)
    words = [*(theirs | mine)]
    counts = [np.array([side[word] for word in words], np.float64) for side in (mine, theirs)]
    outcomes = max(OUTCOMES * len(theirs), len(words))
    sizes = [np.array([float(size)]) for size in (mine.total(), theirs.total(), outcomes)]
    return Joint(np.zeros(len(words), np.int64), *counts, *sizes)


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
    found: Floats = factor * np.log2(share)
    return found


def _settled(sums: Floats, scale: Floats, joint: Joint, worst: float) -> Floats:
    """sums / scale, the worst for an empty candidate, no value for an empty reference."""
    values = np.full(len(sums), worst)
    there = (joint.candidate > 0) & (joint.reference > 0)
    np.divide(sums, scale, out=values, where=there)
    values[joint.reference == 0] = np.nan
    return values
