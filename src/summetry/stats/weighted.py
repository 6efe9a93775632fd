"""Coefficients of many weighted samples of the same points at once.

A resample is a weight for each point: how often it was drawn (a bootstrap), or whether it is in
(a permutation). Weights have one row per point and one column per resample, so that 10,000
resamples are a few products of matrices. With n = sum w, and s(i, k) the sign of x_i - x_k:

    Pearson    from weighted sums of x, z, their squares and products
    Spearman   Pearson of mid-ranks: minus n + 1, twice a rank is a_i = sum_k w_k s(i, k)
    tau        balance = sum over pairs of w_i w_k s_x(i, k) s_z(i, k), divided by the number of
               all pairs, or of untied ones

All sums but Pearson's are of whole numbers and exact. Numbers of a list that differ by less than
1e-12 of its largest are the same. Undefined is NaN, as in ``correlation``; what a point of weight 0
holds does not matter.

There are two kinds. ``FIXED`` has the same points in every resample (one column of x and z),
``MOVING`` other ones in each (as many columns as weights have), such as means of redrawn topics.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from summetry.arrays.types import Bools, Floats
from summetry.errors import UnknownNameError
from summetry.stats.concordance import (
    SAME,
    Pairs,
    codes,
    divided,
    doubled_ranks,
    pairs_fixed,
    pairs_moving,
    signs_by_row,
    sums,
)

Coefficient = Literal["pearson", "spearman", "tau_a", "tau_b"]
Kernel = Callable[[Floats, Floats, Floats], Floats]

# Where more points than this move, each resample by itself is faster than all of them by pairs.
MANY_MOVING = 160
# Pearson's sums of squares lose digits where the drawn points are near each other.
NEAR = 1e-3


def pearson_of(x: Floats, z: Floats, weights: Floats) -> Floats:
    """Pearson's r; ``x`` and ``z`` may be one column for all resamples."""
    total = weights.sum(axis=0)
    drawn = weights > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        a = np.where(drawn, x, 0.0)
        b = np.where(drawn, z, 0.0)
        varied = _varies(a, drawn) & _varies(b, drawn)
        a -= (weights * a).sum(axis=0) / total
        b -= (weights * b).sum(axis=0) / total
        below = (weights * a * a).sum(axis=0) * (weights * b * b).sum(axis=0)
        return _ratio((weights * a * b).sum(axis=0), np.sqrt(np.where(varied, below, 0.0)))


def _pearson_fixed(x: Floats, z: Floats, weights: Floats) -> Floats:
    if not len(x):
        return np.full(weights.shape[1], np.nan)
    a, b = x - x.mean(), z - z.mean()
    total, of_a, of_b, aa, bb, ab = np.stack([np.ones(len(a)), a, b, a * a, b * b, a * b]) @ weights
    with np.errstate(invalid="ignore", divide="ignore"):
        spread_a, spread_b = aa - of_a**2 / total, bb - of_b**2 / total
        r = _ratio(ab - of_a * of_b / total, np.sqrt(np.maximum(spread_a * spread_b, 0.0)))
    # Where drawn points are near each other, or one but for their noise: in two passes.
    noise_x, noise_z = ((SAME * np.abs(numbers).max()) ** 2 * total for numbers in (x, z))
    apart_x, apart_z = np.maximum(NEAR * aa, noise_x), np.maximum(NEAR * bb, noise_z)
    again = np.flatnonzero(~((spread_a > apart_x) & (spread_b > apart_z)))
    if len(again):
        r[again] = pearson_of(x[:, None], z[:, None], weights[:, again])
    return r


def _spearman_fixed(x: Floats, z: Floats, weights: Floats) -> Floats:
    a, b = (doubled_ranks(codes(numbers), weights) for numbers in (x, z))
    return _of_ranks(a, b, weights)


def _spearman_moving(x: Floats, z: Floats, weights: Floats) -> Floats:
    if len(x) > MANY_MOVING:
        return _one_by_one(_spearman_fixed, x, z, weights)
    a, b = np.empty(weights.shape), np.empty(weights.shape)
    for i, (s_x, s_z) in enumerate(signs_by_row(x, z, weights)):
        a[i] = (weights * s_x).sum(axis=0)
        b[i] = (weights * s_z).sum(axis=0)
    return _of_ranks(a, b, weights)


def _of_ranks(a: Floats, b: Floats, weights: Floats) -> Floats:
    weighted_a, weighted_b = weights * a, weights * b
    below = sums(weighted_a, a) * sums(weighted_b, b)
    return _ratio(sums(weighted_a, b), np.sqrt(below))


def _one_by_one(kernel: Kernel, x: Floats, z: Floats, weights: Floats) -> Floats:
    """One resample after the other, each as a sample of its own points."""
    x, z = (np.broadcast_to(values, weights.shape) for values in (x, z))
    values = np.empty(weights.shape[1])
    for j in range(weights.shape[1]):
        drawn = weights[:, j] > 0
        values[j] = kernel(x[drawn, j], z[drawn, j], weights[drawn, j : j + 1])[0]
    return values


def _varies(numbers: Floats, drawn: Bools) -> Bools:
    most = np.max(numbers, axis=0, where=drawn, initial=-np.inf)
    least = np.min(numbers, axis=0, where=drawn, initial=np.inf)
    varies: Bools = most - least > SAME * np.maximum(np.abs(most), np.abs(least))
    return varies


def _ratio(above: Floats, below: Floats) -> Floats:
    clipped: Floats = np.clip(divided(above, below), -1.0, 1.0)
    return clipped


def _tau(all_pairs: Callable[[Pairs], Floats]) -> tuple[Kernel, Kernel]:
    """The two kinds of a tau: the balance of pairs divided by what counts as all of them."""

    def fixed(x: Floats, z: Floats, weights: Floats) -> Floats:
        pairs = pairs_fixed(x, z, weights)
        return _ratio(pairs.balance, all_pairs(pairs))

    def moving(x: Floats, z: Floats, weights: Floats) -> Floats:
        if len(x) > MANY_MOVING:
            return _one_by_one(fixed, x, z, weights)
        pairs = pairs_moving(x, z, weights)
        return _ratio(pairs.balance, all_pairs(pairs))

    return fixed, moving


_TAU_A = _tau(lambda pairs: pairs.all)
_TAU_B = _tau(lambda pairs: np.sqrt(pairs.untied_x * pairs.untied_z))
FIXED: dict[Coefficient, Kernel] = {
    "pearson": _pearson_fixed,
    "spearman": _spearman_fixed,
    "tau_a": _TAU_A[0],
    "tau_b": _TAU_B[0],
}
MOVING: dict[Coefficient, Kernel] = {
    "pearson": pearson_of,
    "spearman": _spearman_moving,
    "tau_a": _TAU_A[1],
    "tau_b": _TAU_B[1],
}


def check_coefficient(name: str) -> None:
    if name not in FIXED:
        raise UnknownNameError("coefficient", name, get_args(Coefficient))
