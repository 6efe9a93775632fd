"""Is metric X nearer to people (Z) than metric Y? Tests of delta = r(X, Z) - r(Y, Z).

The two coefficients share Z and the same summaries, so they depend on each other. A cell counts
where all three tables have it.

*Permutation.* If both metrics were equally good, it would not matter which one gave a score. X and
Y are standardised over all their cells, parts of them change places, each with probability 1/2, and
delta is counted again. What changes places: whole systems (rows), whole inputs (columns), or both:
every cell by itself. p is the share of ways that give a delta as extreme as the real one. All ways
are counted where there are no more of them than draws; else the real one counts as a draw too,
(hits + 1) / (draws + 1), so that p is never 0.

*Paired bootstrap.* All three tables are drawn again together; p is how often delta* - delta is as
extreme as delta, the real data counting as a draw. The interval is that of delta.

*Williams' test* takes r12 = r(X, Z), r13 = r(Y, Z), r23 = r(X, Y) of k points, with K = 1 - r12^2 -
r13^2 - r23^2 + 2 r12 r13 r23 and r = (r12 + r13) / 2; t has k - 3 degrees of freedom:

    t = (r12 - r13) sqrt((k - 1)(1 + r23) / (2 K (k - 1)/(k - 3) + r^2 (1 - r23)^3))

It is made for Pearson's r of one sample; with other coefficients, or means of them, it is rough.

Sources: Deutsch, Dror and Roth (2021); Williams (1959); Graham and Baldwin (2014).
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from summetry.errors import SummetryError, UnknownNameError
from summetry.stats.levels import (
    Level,
    check_names,
    correlate,
    mean_defined,
    same_cells,
)
from summetry.stats.resampling import (
    DRAWS,
    STEP,
    check_confidence,
    draw,
    percentiles,
    redrawn,
)
from summetry.stats.threads import one_thread
from summetry.stats.weighted import FIXED, MOVING, Coefficient

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Swap = Literal["systems", "inputs", "both"]
Alternative = Literal["two_sided", "greater", "less"]

# Deltas are sums and quotients of numbers up to 1: nearer than this they are equal.
EQUAL = 1e-10


class Difference(NamedTuple):
    """Two coefficients, the first less the second, and how likely chance alone gives as much."""

    first: float
    second: float
    value: float
    p: float
    low: float = math.nan
    high: float = math.nan
    # How many resamples (or ways, if all were counted) had a value, and how many had none.
    draws: int = 0
    undefined: int = 0
    exact: bool = False
    seed: int = 0
    # Why there is no p; empty where there is one.
    reason: str = ""


def permutation_test(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    level: Level,
    coefficient: Coefficient,
    swap: Swap = "both",
    *,
    alternative: Alternative = "two_sided",
    draws: int = DRAWS,
    seed: int = 0,
) -> Difference:
    """Whether the metrics X and Y follow Z equally well; ``greater`` asks if X does better."""
    tables = _checked(x, y, z, level, coefficient, alternative)
    if draws < 1:
        raise SummetryError(f"a permutation test needs 1 draw or more, got {draws}")
    human = tables[2]
    units = swappable(human, swap)
    ways = 2 ** int(units.sum())
    first, second, delta, reason = _pair(tables, level, coefficient)
    if reason:
        return Difference(first, second, delta, math.nan, reason=reason, seed=seed)
    a, b = standardised(tables[0]), standardised(tables[1])
    size = human.size if level == "global" else max(human.shape)
    with one_thread():
        parts = ways_to_swap(units, min(draws, ways), seed, ways <= draws, size)
        found = np.concatenate([swapped(a, b, human, level, coefficient, way) for way in parts])
    kept = found[~np.isnan(found)]
    hits = int(_extreme(kept, delta, alternative).sum())
    # Among all ways there is the real one; among draws it is one more.
    real = int(ways > draws)
    p = (hits + real) / (len(kept) + real)
    out = len(found) - len(kept)
    return Difference(
        first, second, delta, p, draws=len(kept), undefined=out, exact=not real, seed=seed
    )


def swapped(
    x: Floats, y: Floats, z: Floats, level: Level, coefficient: Coefficient, swaps: Bools
) -> Floats:
    """delta of each way to swap; ``swaps`` is ways x systems x inputs, or 1 in place of either."""
    if level == "per_system":
        turned = np.swapaxes(swaps, 1, 2)
        return swapped(x.T, y.T, z.T, "input", coefficient, turned)
    moved = np.moveaxis(swaps, 0, -1).astype(np.float64)
    moved = np.broadcast_to(moved, (*x.shape, len(swaps)))
    if level == "system":
        return _swapped_means(x, y, z, coefficient, moved)
    if level == "global":
        x, y, z = (table.reshape(-1, 1) for table in (x, y, z))
        moved = moved.reshape(-1, 1, len(swaps))
    found = np.empty((x.shape[1], 2 * len(swaps)))
    for j in range(x.shape[1]):
        there = ~np.isnan(x[:, j])
        # The same scores in all ways; which of them are X's, and then Y's, is a weight of 0 or 1.
        scores = np.concatenate([x[there, j], y[there, j]])
        human = np.concatenate([z[there, j]] * 2)
        away = moved[there, j]
        weights = np.block([[1.0 - away, away], [away, 1.0 - away]])
        found[j] = FIXED[coefficient](scores, human, weights)
    first, second = np.split(mean_defined(found), 2)
    return first - second


def swappable(z: Floats, swap: Swap) -> Bools:
    """Which rows, columns or cells can change places: those that have a score."""
    present: Bools = ~np.isnan(z)
    if swap == "systems":
        return np.asarray(present.any(axis=1, keepdims=True))
    if swap == "inputs":
        return np.asarray(present.any(axis=0, keepdims=True))
    if swap == "both":
        return present
    raise UnknownNameError("way of swapping", swap, get_args(Swap))


def bootstrap_test(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    level: Level,
    coefficient: Coefficient,
    over: Swap = "both",
    *,
    alternative: Alternative = "two_sided",
    draws: int = DRAWS,
    confidence: float = 0.95,
    seed: int = 0,
) -> Difference:
    """The difference with its interval, and p, from systems, inputs or both drawn again."""
    a, b, human = _checked(x, y, z, level, coefficient, alternative)
    check_confidence(confidence)
    if over not in get_args(Swap):
        raise UnknownNameError("way of drawing", over, get_args(Swap))
    drawn = draw(over, (1, *human.shape), draws, seed)
    first, second, delta, reason = _pair([a, b, human], level, coefficient)
    found = redrawn(a, human[None], level, coefficient, drawn)
    found = found - redrawn(b, human[None], level, coefficient, drawn)
    low, high, kept = percentiles(found, confidence)
    if reason or not kept:
        told = reason or "no draw has both coefficients"
        return Difference(first, second, delta, math.nan, reason=told, seed=seed)
    found = found[~np.isnan(found)]
    p = (int(_extreme(found - delta, delta, alternative).sum()) + 1) / (kept + 1)
    return Difference(first, second, delta, p, low, high, kept, draws - kept, seed=seed)


def williams_test(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    level: Level = "system",
    coefficient: Coefficient = "pearson",
    *,
    alternative: Alternative = "two_sided",
) -> Difference:
    """Williams' test of the coefficients of three tables."""
    a, b, human = _checked(x, y, z, level, coefficient, alternative)
    first, second, delta, reason = _pair([a, b, human], level, coefficient)
    between = correlate(a, b, level, coefficient)
    size = between.size
    if not reason and math.isnan(between.value):
        reason = f"r(X, Y) is undefined: {between.reason}"
    if not reason and size < 4:
        reason = f"Williams' test needs 4 points or more, got {size}"
    if reason:
        return Difference(first, second, delta, math.nan, reason=reason)
    p = williams(first, second, between.value, size, alternative)
    return Difference(first, second, delta, p)


def williams(
    r12: float, r13: float, r23: float, size: int, alternative: Alternative = "two_sided"
) -> float:
    """p of Williams' test from three coefficients of ``size`` points; NaN below four.

    >>> round(williams(0.9, 0.8, 0.7, 10), 6)
    0.404405
    """
    if size < 4 or any(map(math.isnan, (r12, r13, r23))):
        return math.nan
    if abs(r12 - r13) < EQUAL:
        return 1.0 if alternative == "two_sided" else 0.5
    # Rounding may leave a determinant just below 0.
    k = max(1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23, 0.0)
    mean = (r12 + r13) / 2
    below = 2 * k * (size - 1) / (size - 3) + mean**2 * (1 - r23) ** 3
    above = (r12 - r13) * math.sqrt(max((size - 1) * (1 + r23), 0.0))
    t = above / math.sqrt(below) if below > 0 else math.copysign(math.inf, above)
    return student_p(t, size - 3, alternative)


def student_p(t: float, freedom: float, alternative: Alternative = "two_sided") -> float:
    """p of a value of Student's t; never 0, though it may be too small to tell from it."""
    from scipy.special import stdtr

    tail = {"two_sided": -abs(t), "greater": -t, "less": t}[alternative]
    sides = 2 if alternative == "two_sided" else 1
    return max(min(sides * float(stdtr(freedom, tail)), 1.0), sys.float_info.min)


def _checked(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    level: Level,
    coefficient: Coefficient,
    alternative: Alternative,
) -> list[Floats]:
    check_names(level, coefficient)
    if alternative not in get_args(Alternative):
        raise UnknownNameError("alternative", alternative, get_args(Alternative))
    return same_cells(x, y, z)


def _pair(
    tables: Sequence[Floats], level: Level, coefficient: Coefficient
) -> tuple[float, float, float, str]:
    """Both coefficients with the last table, their difference, and why it is undefined."""
    *metrics, human = tables
    found = [correlate(metric, human, level, coefficient) for metric in metrics]
    told = [
        f"r({name}, Z) is undefined: {one.reason}"
        for name, one in zip("XY", found, strict=True)
        if one.reason
    ]
    first, second = (one.value for one in found)
    return first, second, first - second, "; ".join(told)


def standardised(table: Floats) -> Floats:
    """Less the mean, by the deviation of all cells; a constant table is all 0."""
    mean, deviation = np.nanmean(table), np.nanstd(table)
    found: Floats = (table - mean) / deviation if deviation > 0 else table - mean
    return found


def _extreme(found: Floats, delta: float, alternative: Alternative) -> Bools:
    if alternative == "two_sided":
        return np.abs(found) >= abs(delta) - EQUAL
    sign = 1 if alternative == "greater" else -1
    return sign * found >= sign * delta - EQUAL


def ways_to_swap(units: Bools, total: int, seed: int, exact: bool, size: int) -> Iterator[Bools]:
    """Ways to swap, some at a time: ways x the shape of ``units``."""
    step, count = max(STEP // max(size, 1), 16), int(units.sum())
    rng = np.random.default_rng(seed)
    for start in range(0, total, step):
        ways = np.arange(start, min(start + step, total))[:, None]
        found = np.zeros((len(ways), *units.shape), bool)
        if exact:
            found[:, units] = ways >> np.arange(count) & 1
        else:
            found[:, units] = rng.random((len(ways), count)) < 0.5
        yield found


def _swapped_means(
    x: Floats, y: Floats, z: Floats, coefficient: Coefficient, moved: Floats
) -> Floats:
    present = ~np.isnan(x)
    a, b = (np.where(present, table, 0.0) for table in (x, y))
    count = present.sum(axis=1)[:, None]
    scored = count[:, 0] > 0
    shift = np.einsum("ijw,ij->iw", moved, b - a)[scored]
    sums = [table.sum(axis=1, keepdims=True)[scored] for table in (a, b)]
    first, second = (sums[0] + shift) / count[scored], (sums[1] - shift) / count[scored]
    human = (np.where(present, z, 0.0).sum(axis=1, keepdims=True))[scored] / count[scored]
    ones = np.ones(first.shape)
    found: Floats = MOVING[coefficient](first, human, ones) - MOVING[coefficient](
        second, human, ones
    )
    return found
