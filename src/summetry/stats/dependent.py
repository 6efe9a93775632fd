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

Source: Deutsch, Dror and Roth (2021). For Pearson at the system level there is also ``williams``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from summetry.arrays.threads import one_thread
from summetry.arrays.types import Bools, Floats
from summetry.errors import SummetryError, UnknownNameError
from summetry.stats.concordance import codes
from summetry.stats.levels import (
    Level,
    check_names,
    correlate,
    mean_defined,
    same_cells,
    without_noise,
)
from summetry.stats.resampling import (
    at_once,
    check_confidence,
    draw,
    percentiles,
    redrawn,
)
from summetry.stats.significance import DRAWS
from summetry.stats.weighted import FIXED, MOVING, Coefficient

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
    tables = checked(x, y, z, level, coefficient, alternative)
    if draws < 1:
        raise SummetryError(f"a permutation test needs 1 draw or more, got {draws}")
    human = tables[2]
    units = swappable(human, swap)
    ways = 2 ** int(units.sum())
    first, second, delta, reason = difference_of(tables, level, coefficient)
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
    a, b, human = checked(x, y, z, level, coefficient, alternative)
    check_confidence(confidence)
    if over not in get_args(Swap):
        raise UnknownNameError("way of drawing", over, get_args(Swap))
    drawn = draw(over, (1, *human.shape), draws, seed)
    first, second, delta, reason = difference_of([a, b, human], level, coefficient)
    found = redrawn(a, human[None], level, coefficient, drawn)
    found = found - redrawn(b, human[None], level, coefficient, drawn)
    low, high, kept = percentiles(found, confidence)
    if reason or not kept:
        told = reason or "no draw has both coefficients"
        return Difference(first, second, delta, math.nan, reason=told, seed=seed)
    found = found[~np.isnan(found)]
    p = (int(_extreme(found - delta, delta, alternative).sum()) + 1) / (kept + 1)
    return Difference(first, second, delta, p, low, high, kept, draws - kept, seed=seed)


def checked(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    level: Level,
    coefficient: Coefficient,
    alternative: Alternative,
) -> list[Floats]:
    """The tables with the same cells missing, if all names are known."""
    check_names(level, coefficient)
    if alternative not in get_args(Alternative):
        raise UnknownNameError("alternative", alternative, get_args(Alternative))
    return same_cells(x, y, z)


def difference_of(
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
    """Less the mean, by the deviation of all cells; a constant table is all 0.

    Numbers that are the same stay so: less their mean, noise would be larger beside them.

    >>> standardised(np.array([[0.3, 0.1 + 0.2], [0.5, 0.5]])).tolist()
    [[-1.0, -1.0], [1.0, 1.0]]
    """
    found, present = np.array(table), ~np.isnan(table)
    order = codes(found[present])
    one_of_each = np.zeros(order.max(initial=0) + 1)
    one_of_each[order] = found[present]
    numbers = one_of_each[order]
    found[present] = (numbers - numbers.mean()) / numbers.std() if order.any() else 0.0
    return found


def _extreme(found: Floats, delta: float, alternative: Alternative) -> Bools:
    if alternative == "two_sided":
        return np.abs(found) >= abs(delta) - EQUAL
    sign = 1 if alternative == "greater" else -1
    return sign * found >= sign * delta - EQUAL


def ways_to_swap(units: Bools, total: int, seed: int, exact: bool, size: int) -> Iterator[Bools]:
    """Ways to swap, some at a time: ways x the shape of ``units``."""
    step, count = at_once(size), int(units.sum())
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
    means = [(sums[0] + shift) / count[scored], (sums[1] - shift) / count[scored]]
    human = (np.where(present, z, 0.0).sum(axis=1, keepdims=True))[scored] / count[scored]
    human = without_noise(human, z)
    first, second = (
        MOVING[coefficient](without_noise(side, a, b), human, np.ones(side.shape)) for side in means
    )
    return first - second
