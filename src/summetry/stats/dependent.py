"""Is metric X nearer to people (Z) than metric Y? Tests of delta = r(X, Z) - r(Y, Z).

The two coefficients share Z and the same summaries, so they depend on each other. A cell counts
where all three tables have it.

*Permutation* (see ``permutation``). X and Y are standardised over all their cells, parts of them
change places, and delta is counted again. What changes places: whole systems (rows), whole inputs
(columns), or both: every cell by itself.

*Paired bootstrap.* All three tables are resampled together; p is how often delta* - delta is as
extreme as delta, the real data counting as a resample. The interval is that of delta.

Source: Deutsch, Dror and Roth (2021). For Pearson at the system level there is also ``williams``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from summetry.arrays.threads import one_thread
from summetry.arrays.types import Bools, Floats
from summetry.errors import UnknownNameError
from summetry.stats.concordance import codes
from summetry.stats.levels import Level, check_names, correlate, same_cells
from summetry.stats.permutation import Permutations
from summetry.stats.permuted import WEIGHTS, deltas
from summetry.stats.resampling import draw, percentiles, redrawn
from summetry.stats.significance import DRAWS, Alternative, check_confidence
from summetry.stats.weighted import Coefficient

Swap = Literal["systems", "inputs", "both"]

# Deltas are sums and quotients of numbers up to 1: nearer than this they are equal.
EQUAL = 1e-10


class Difference(NamedTuple):
    """Two coefficients, the first minus the second, and how likely chance alone gives as much."""

    first: float
    second: float
    value: float
    p: float
    low: float = math.nan
    high: float = math.nan
    # How many resamples or permutations had a value, and how many had none.
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
    permutations = Permutations(swappable(tables[2], swap), draws, seed)
    first, second, delta, reason = difference_of(tables, level, coefficient)
    if reason:
        return Difference(first, second, delta, math.nan, reason=reason, seed=seed)
    a, b, human = standardised(tables[0]), standardised(tables[1]), tables[2]
    with one_thread():
        values = np.concatenate(
            [
                swapped(a, b, human, level, coefficient, block)
                for block in permutations.blocks(max(WEIGHTS // max(human.size, 1), 16))
            ]
        )
    defined = values[~np.isnan(values)]
    return Difference(
        first,
        second,
        delta,
        permutations.p(_extreme(defined, delta, alternative)),
        draws=len(defined),
        undefined=len(values) - len(defined),
        exact=permutations.exact,
        seed=seed,
    )


def swapped(
    x: Floats, y: Floats, z: Floats, level: Level, coefficient: Coefficient, swaps: Bools
) -> Floats:
    """delta of each permutation; ``swaps`` is permutations x systems x inputs, or 1 for either."""
    switched = np.moveaxis(swaps, 0, -1)
    return deltas(x, y, z, level, [coefficient], switched)[coefficient]


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
    """The difference with its interval, and p, from resampled systems, inputs or both."""
    a, b, human = checked(x, y, z, level, coefficient, alternative)
    check_confidence(confidence)
    if over not in get_args(Swap):
        raise UnknownNameError("way of drawing", over, get_args(Swap))
    drawn = draw(over, (1, *human.shape), draws, seed)
    first, second, delta, reason = difference_of([a, b, human], level, coefficient)
    values = redrawn(a, human[None], level, coefficient, drawn)
    values = values - redrawn(b, human[None], level, coefficient, drawn)
    low, high, kept = percentiles(values, confidence)
    if reason or not kept:
        reason = reason or "no draw has both coefficients"
        return Difference(first, second, delta, math.nan, reason=reason, seed=seed)
    values = values[~np.isnan(values)]
    p = (int(_extreme(values - delta, delta, alternative).sum()) + 1) / (kept + 1)
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
    both = [correlate(metric, human, level, coefficient) for metric in metrics]
    reasons = [
        f"r({name}, Z) is undefined: {one.reason}"
        for name, one in zip("XY", both, strict=True)
        if one.reason
    ]
    first, second = (one.value for one in both)
    return first, second, first - second, "; ".join(reasons)


def standardised(table: Floats) -> Floats:
    """Minus the mean, divided by the standard deviation of all cells; a constant table is all 0.

    Numbers that are the same stay so: minus their mean, noise would be larger beside them.

    >>> standardised(np.array([[0.3, 0.1 + 0.2], [0.5, 0.5]])).tolist()
    [[-1.0, -1.0], [1.0, 1.0]]
    """
    scores, present = np.array(table), ~np.isnan(table)
    order = codes(scores[present])
    one_of_each = np.zeros(order.max(initial=0) + 1)
    one_of_each[order] = scores[present]
    numbers = one_of_each[order]
    scores[present] = (numbers - numbers.mean()) / numbers.std() if order.any() else 0.0
    return scores


def _extreme(values: Floats, delta: float, alternative: Alternative) -> Bools:
    if alternative == "two_sided":
        return np.abs(values) >= abs(delta) - EQUAL
    sign = 1 if alternative == "greater" else -1
    return sign * values >= sign * delta - EQUAL
