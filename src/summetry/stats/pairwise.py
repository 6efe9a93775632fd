"""How often a metric and people put two systems in the same order.

*Pairwise accuracy with ties.* Of all pairs of a group (a topic, or all there is), the share for
which the metric says what people say: first better, second better, or no difference. The metric
says "no difference" where its scores are at most epsilon apart. Over groups it is the mean of the
accuracies; a group without a pair is left out.

    accuracy(epsilon) = (pairs ordered alike + pairs tied by both) / pairs

*Calibration* takes the epsilon with the largest accuracy, the smallest one if there are several.
It is fitted on what it is measured on: to compare metrics fairly, calibrate on other topics and
pass the epsilon.

*Soft pairwise accuracy* compares how sure both are. p_ik is the one-sided p of a paired permutation
test (signs of the differences) that system i is no better than k, mid-p: P(>) + P(=) / 2, so that
p_ki = 1 - p_ik and the order of systems does not matter:

    1 - mean over pairs of |p_ik by people - p_ik by the metric|

A pair of systems is compared on the topics where both have both scores. Both measures are far from
0 for a metric that knows nothing, so the results hold what such metrics get.

Sources: Deutsch, Foster and Freitag (2023), "Ties Matter"; Thompson et al. (2024).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from summetry.arrays.threads import one_thread
from summetry.arrays.types import Bools, Floats, Ints
from summetry.errors import SummetryError
from summetry.stats.concordance import SAME
from summetry.stats.contrasts import Differences, differences
from summetry.stats.levels import Level, check_names, lists_at, same_cells
from summetry.stats.permutation import Permutations

# Permutations that are drawn by default, and signs that are held at once.
SIGNS = 1000
STEP = 1 << 20


class Accuracy(NamedTuple):
    """Pairwise accuracy, the epsilon below which the metric ties, and what needs no metric."""

    value: float
    epsilon: float
    pairs: int
    groups: int
    # Groups without a pair.
    left_out: int
    # Accuracy of a metric that ties every pair, and of one that orders them at random.
    all_ties: float
    random_order: float
    reason: str = ""

    @property
    def chance(self) -> float:
        """What a metric that knows nothing can get, the better of the two."""
        return max(self.all_ties, self.random_order)


class SoftAccuracy(NamedTuple):
    """Soft pairwise accuracy, and what needs no metric."""

    value: float
    pairs: int
    # Pairs of systems without a topic that both have.
    left_out: int
    # Expected of a metric of pure noise, and of one that never sees a difference.
    noise: float
    undecided: float
    draws: int
    exact: bool
    seed: int
    reason: str = ""

    @property
    def chance(self) -> float:
        """What a metric that knows nothing can get, the better of the two."""
        return max(self.noise, self.undecided)


class _Pairs(NamedTuple):
    """All pairs of all groups: how far apart in x, whether ordered alike, tied by people."""

    apart: Floats
    alike: Bools
    tied: Bools
    group: Ints
    sizes: Ints
    tolerance: float


def pairwise_accuracy(
    x: ArrayLike, z: ArrayLike, level: Level = "summary", epsilon: float = 0.0
) -> Accuracy:
    """The accuracy of metric ``x`` against people ``z`` at a given epsilon.

    >>> accuracy = pairwise_accuracy([[1.0], [2.0], [2.0]], [[1.0], [2.0], [3.0]])
    >>> accuracy.value, accuracy.all_ties, accuracy.random_order
    (0.6666666666666666, 0.0, 0.5)
    """
    if not epsilon >= 0:
        raise SummetryError(f"epsilon is 0 or more, got {epsilon}")
    pairs = _pairs(x, z, level)
    equal = pairs.apart <= epsilon + pairs.tolerance
    return _accuracy(pairs, np.where(equal, pairs.tied, pairs.alike), epsilon)


def calibrated_accuracy(x: ArrayLike, z: ArrayLike, level: Level = "summary") -> Accuracy:
    """The largest accuracy that some epsilon gives."""
    pairs = _pairs(x, z, level)
    if not len(pairs.apart):
        return pairwise_accuracy(x, z, level)._replace(epsilon=math.nan)
    order = np.argsort(pairs.apart, kind="stable")
    apart = pairs.apart[order]
    # One pair after the other becomes a tie; what counts is the last of those equally far apart.
    last = np.flatnonzero(np.append(np.diff(apart) > pairs.tolerance, True))
    gain = pairs.tied[order].astype(np.int64) - (pairs.alike[order] & (apart > pairs.tolerance))
    size = pairs.sizes[pairs.group[order]]
    gained = np.zeros(len(last))
    for pairs_of_group in np.unique(size).tolist():
        # Whole numbers, so that sums do not depend on where they began.
        gained += np.cumsum(np.where(size == pairs_of_group, gain, 0))[last] / pairs_of_group
    plain = pairwise_accuracy(x, z, level)
    candidates = np.append(0.0, apart[last])
    gained = np.append(gained[0] if apart[0] <= pairs.tolerance else 0.0, gained)
    best = int(np.argmax(gained >= gained.max() - SAME))
    return plain if not best else pairwise_accuracy(x, z, level, float(candidates[best]))


def soft_pairwise_accuracy(
    x: ArrayLike, z: ArrayLike, *, draws: int = SIGNS, seed: int = 0
) -> SoftAccuracy:
    """How near the metric's p for each pair of systems is to that of people.

    All changes of sign are counted where there are no more of them than draws.
    """
    a, b = same_cells(x, z)
    if draws < 1:
        raise SummetryError(f"soft pairwise accuracy needs 1 draw or more, got {draws}")
    i, k = np.triu_indices(len(a), 1)
    machine, people = (p_no_better(differences(table, i, k), draws, seed) for table in (a, b))
    there = ~np.isnan(machine)
    machine, people = machine[there], people[there]
    permutations = _of_signs(a.shape[1], draws, seed)
    counted = (permutations.number, permutations.exact, seed)
    if not len(machine):
        nothing = (math.nan, 0, len(there), math.nan, math.nan)
        return SoftAccuracy(*nothing, *counted, "no two systems have a topic in common")
    value = 1 - float(np.abs(people - machine).mean())
    # A uniform p is on average so far from the p of people.
    noise = 1 - float(((people**2 + (1 - people) ** 2) / 2).mean())
    undecided = 1 - float(np.abs(people - 0.5).mean())
    out = len(there) - len(machine)
    return SoftAccuracy(value, len(machine), out, noise, undecided, *counted)


def p_no_better(pairs: Differences, draws: int = SIGNS, seed: int = 0) -> Floats:
    """Mid-p of each pair of systems by their paired differences, with the same signs for all.

    A pair without a common topic has no p. Drawn signs count the real ones as one draw more, so
    that p is never 0 or 1.
    """
    permutations = _of_signs(pairs.values.shape[1], draws, seed)
    above, equal = np.zeros((2, len(pairs.values)))
    with one_thread():
        for switched in permutations.blocks(max(STEP // max(permutations.units.size, 1), 16)):
            more_above, more_equal = count_extreme(pairs, np.where(switched.T, -1.0, 1.0))
            above, equal = above + more_above, equal + more_equal
    p = (above + (equal + permutations.seen) / 2) / (permutations.number + permutations.seen)
    return np.where(pairs.topics() > 0, p, np.nan)


def _of_signs(topics: int, draws: int, seed: int) -> Permutations:
    return Permutations(np.ones(topics, bool), draws, seed)


def count_extreme(pairs: Differences, signs: Floats) -> tuple[Floats, Floats]:
    """For how many columns of signs each pair has a larger sum than it really has, or the same."""
    rows = np.where(np.isnan(pairs.values), 0.0, pairs.values)
    beyond = rows @ signs - rows.sum(axis=1, keepdims=True)
    # What the rounding of so many scores may add to a sum.
    near = (pairs.noise * pairs.topics())[:, None]
    above, equal = beyond > near, np.abs(beyond) <= near
    return above.sum(axis=1).astype(float), equal.sum(axis=1).astype(float)


def _pairs(x: ArrayLike, z: ArrayLike, level: Level) -> _Pairs:
    check_names(level, "tau_b")
    a, b = (lists_at(table, level) for table in same_cells(x, z))
    tolerances = [SAME * float(np.nanmax(np.abs(table), initial=0.0)) for table in (a, b)]
    groups = [np.zeros((2, 0))]
    for both in zip(a, b, strict=True):
        points = np.stack(both)[:, ~np.isnan(both[0])]
        i, k = np.triu_indices(points.shape[1], 1)
        groups.append(points[:, i] - points[:, k])
    d_x, d_z = np.concatenate(groups, axis=1)
    sizes = np.array([differences.shape[1] for differences in groups[1:]], np.int64)
    tied = np.abs(d_z) <= tolerances[1]
    alike = (np.sign(d_x) == np.sign(d_z)) & ~tied
    group = np.repeat(np.arange(len(sizes)), sizes)
    return _Pairs(np.abs(d_x), alike, tied, group, sizes, tolerances[0])


def _accuracy(pairs: _Pairs, right: Bools, epsilon: float) -> Accuracy:
    groups = int((pairs.sizes > 0).sum())
    out = len(pairs.sizes) - groups
    if not groups:
        nothing = (math.nan, math.nan, "fewer than two systems, or cells, have both scores")
        return Accuracy(math.nan, epsilon, 0, 0, out, *nothing)

    def mean_share(of: Bools) -> float:
        counts = np.bincount(pairs.group, weights=of, minlength=len(pairs.sizes))
        filled = pairs.sizes > 0
        return float((counts[filled] / pairs.sizes[filled]).mean())

    ties = mean_share(pairs.tied)
    count = int(pairs.sizes.sum())
    return Accuracy(mean_share(right), epsilon, count, groups, out, ties, (1 - ties) / 2)
