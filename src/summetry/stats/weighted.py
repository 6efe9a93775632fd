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

from collections.abc import Callable, Iterator
from typing import Literal, get_args

import numpy as np

from summetry.arrays.orders import sum_ranks
from summetry.arrays.types import Bools, Floats
from summetry.errors import must_be_known
from summetry.stats.concordance import (
    SAME,
    Pairs,
    codes,
    divided,
    pairs_fixed,
    pairs_moving,
    signs,
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


def pearson_of_many(x: Floats, people: Floats, weights: Floats) -> Iterator[Floats]:
    """For each list of ``people`` (rows), Pearson's r of each list of ``x`` (rows) with it.

    Each time it is lists x resamples. What is only of ``x`` and of the weights is counted once.
    """
    many = len(x)
    if not x.shape[1]:
        yield from (np.full((many, weights.shape[1]), np.nan) for _ in people)
        return
    a = x - x.mean(axis=1, keepdims=True)
    sums_of = np.concatenate([np.ones((1, a.shape[1])), a, a * a]) @ weights
    total, of_a, aa = sums_of[0], sums_of[1 : many + 1], sums_of[many + 1 :]
    # Arrays are used again: there are as many numbers as tables, topics and resamples.
    shared = of_a * of_a
    with np.errstate(invalid="ignore", divide="ignore"):
        spread_a = aa - np.divide(shared, total, out=shared)
        # Where drawn points are near each other, or one but for their noise: in two passes.
        near_x = spread_a <= np.multiply(aa, NEAR, out=aa)
    # Noise is so small that the least spread of all mostly says enough.
    noise_x = (SAME * np.abs(x).max(axis=1, keepdims=True)) ** 2
    if not (spread_a.min(axis=1, keepdims=True) > noise_x * total.max(initial=0.0)).all():
        near_x |= ~(spread_a > noise_x * total)
    is_near = bool(near_x.any())
    for z in people:
        b = z - z.mean()
        sums_of = np.concatenate([b[None], (b * b)[None], a * b]) @ weights
        of_b, bb, r = sums_of[0], sums_of[1], sums_of[2:]
        with np.errstate(invalid="ignore", divide="ignore"):
            spread_b = bb - of_b**2 / total
            np.multiply(of_a, of_b, out=shared)
            r -= np.divide(shared, total, out=shared)
            below = np.multiply(spread_a, spread_b, out=shared)
            np.divide(r, np.sqrt(below, out=below), out=r)
            np.clip(r, -1.0, 1.0, out=r)
        near_z = ~(spread_b > np.maximum(NEAR * bb, (SAME * np.abs(z).max()) ** 2 * total))
        if is_near or near_z.any():
            again = near_x | near_z
            # Where z does not vary there is no r, whatever the list: that is seen once for all.
            near = np.flatnonzero(near_z)
            drawn = weights[:, near] > 0
            same = near[~_varies(np.where(drawn, z[:, None], 0.0), drawn)]
            r[:, same] = np.nan
            again[:, same] = False
            for k in np.flatnonzero(again.any(axis=1)):
                places = np.flatnonzero(again[k])
                r[k, places] = pearson_of(x[k, :, None], z[:, None], weights[:, places])
        yield r


def of_whole_columns(x: Floats, z: Floats, coefficient: Coefficient) -> Floats:
    """The coefficient of each list of ``x`` (rows) with its list of ``z``; nothing is missing."""
    size = x.shape[1]
    if coefficient == "pearson":
        x, z = np.ascontiguousarray(x), np.ascontiguousarray(z)
        a, b = (numbers - numbers.mean(axis=1, keepdims=True) for numbers in (x, z))
        # In the order of the sums of resamples, so that both give the same bits.
        lists = [np.ones(a.shape), a, b, a * a, b * b, a * b]
        sums_of = np.stack(lists, axis=1) @ np.ones((size, 1))
        _, of_a, of_b, aa, bb, ab = np.moveaxis(sums_of[:, :, 0], 1, 0)
        spreads = aa - of_a**2 / max(size, 1), bb - of_b**2 / max(size, 1)
        r = _ratio(ab - of_a * of_b / max(size, 1), np.sqrt(np.maximum(spreads[0] * spreads[1], 0)))
        near = np.zeros(len(x), bool)
        for spread, squares, numbers in zip(spreads, (aa, bb), (x, z), strict=True):
            noise = (SAME * np.abs(numbers).max(axis=1, initial=0.0)) ** 2 * size
            near |= ~(spread > np.maximum(NEAR * squares, noise))
        for j in np.flatnonzero(near):
            r[j] = pearson_of(x[j, :, None], z[j, :, None], np.ones((size, 1)))[0]
        return r
    s_x, s_z = (signs(codes(numbers)) for numbers in (x, z))
    if coefficient == "spearman":
        ranks = [table.sum(axis=2) for table in (s_x, s_z)]
        below = (ranks[0] ** 2).sum(axis=1) * (ranks[1] ** 2).sum(axis=1)
        return _ratio((ranks[0] * ranks[1]).sum(axis=1), np.sqrt(below))
    balance = (s_x * s_z).sum(axis=(1, 2)) / 2
    if coefficient == "tau_a":
        return _ratio(balance, np.full(len(x), size * (size - 1) / 2))
    untied = [np.abs(table).sum(axis=(1, 2)) / 2 for table in (s_x, s_z)]
    return _ratio(balance, np.sqrt(untied[0] * untied[1]))


def _pearson_fixed(x: Floats, z: Floats, weights: Floats) -> Floats:
    (r,) = pearson_of_many(x[None], z[None], weights)
    return np.asarray(r[0])


def _spearman_fixed(x: Floats, z: Floats, weights: Floats) -> Floats:
    ab, aa, bb = sum_ranks(codes(x), codes(z), weights)
    return _ratio(ab, np.sqrt(aa * bb))


def _spearman_moving(x: Floats, z: Floats, weights: Floats) -> Floats:
    if len(x) > MANY_MOVING:
        return _one_by_one(_spearman_fixed, x, z, weights)
    a, b = np.empty(weights.shape), np.empty(weights.shape)
    for i, (s_x, s_z) in enumerate(signs_by_row(x, z, weights)):
        a[i] = (weights * s_x).sum(axis=0)
        b[i] = (weights * s_z).sum(axis=0)
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
    # To take only what is drawn is slower than to fill in what is not.
    most = np.where(drawn, numbers, -np.inf).max(axis=0, initial=-np.inf)
    least = np.where(drawn, numbers, np.inf).min(axis=0, initial=np.inf)
    varies: Bools = most - least > SAME * np.maximum(np.abs(most), np.abs(least))
    return varies


def _ratio(above: Floats, below: Floats) -> Floats:
    values = divided(above, below)
    return np.clip(values, -1.0, 1.0, out=values)


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
    must_be_known("coefficient", name, get_args(Coefficient))
