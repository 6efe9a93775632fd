"""Is metric X nearer to people (Z) than metric Y? Tests of delta = r(X, Z) - r(Y, Z).

The two coefficients share Z and the same summaries, so they depend on each other. A cell counts
where all three tables have it.

*Permutation* (see ``permutation``). X and Y are standardised over all their cells, parts of them
change places, and delta is counted again. What changes places decides what the result is about:

    systems   whole rows: other systems
    topics    whole columns: other topics, with these very systems
    cells     each cell by itself: these very systems and topics

A metric errs for a system on all topics alike. Two metrics err differently, so that cells of theirs
are not exchangeable, however good both are: of many topics, p of the last two goes to 0.

*Paired bootstrap.* All three tables are resampled together; p is how often delta* - delta is as
extreme as delta, the real data counting as a resample. The interval is that of delta.

*Williams' test* needs three coefficients only. With r12 = r(X, Z), r13 = r(Y, Z), r23 = r(X, Y) of
k points, K = 1 - r12^2 - r13^2 - r23^2 + 2 r12 r13 r23 and r = (r12 + r13) / 2; t has k - 3 degrees
of freedom:

    t = (r12 - r13) sqrt((k - 1)(1 + r23) / (2 K (k - 1)/(k - 3) + r^2 (1 - r23)^3))

It is made for Pearson's r of one sample of independent points: the means of the systems. With other
coefficients it is rough. At the other levels there is no such sample. A mean of coefficients over n
topics varies less than one of them, which the formula does not know, so that it finds nothing; and
summaries of one system are not independent. K is the determinant of the correlation matrix.

*Jackknife*: see ``jackknife``.

Many pairs of metrics are tested by permutation together (``MetricTests``), and all such tests meet
the same permutations.

Sources: Deutsch, Dror and Roth (2021); Williams (1959); Graham and Baldwin (2014).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from summetry.arguments import check_confidence
from summetry.arrays.threads import one_thread
from summetry.arrays.types import Bools, Floats
from summetry.errors import SummetryError, must_be_known
from summetry.stats.concordance import codes
from summetry.stats.levels import Level, check_names, correlate, same_cells
from summetry.stats.permutation import Permutations
from summetry.stats.permuted import deltas, deltas_of_pairs
from summetry.stats.resampling import draw, percentiles, redrawn
from summetry.stats.significance import DRAWS, Alternative, student_p
from summetry.stats.weighted import Coefficient

Swap = Literal["systems", "topics", "cells"]
Resampled = Literal["systems", "topics", "both"]
# Systems x topics x permutations, 1 where a cell has changed places.
Blocks = Callable[[], Iterable[NDArray[np.int8]]]

# Deltas are sums and quotients of numbers up to 1: nearer than this they are equal.
EQUAL = 1e-10
# A determinant of three coefficients, or a coefficient less 1, is off by no more than this.
ROUNDING = 1e-9
# All ways to swap so many systems or topics are counted, however few draws are asked for.
MOST_EXACT = 14
# Bytes of permutations that are kept for all pairs, and cells that are drawn at a time.
HELD, STEP = 1 << 27, 1 << 19
ONE_SAMPLE = "Williams' test is of the systems' means, so that it is for the system level only"
NO_COEFFICIENTS = "one of both has no coefficient on the cells that both have"
# Deltas of pairs that are held at once.
TOGETHER = 1 << 23


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


class PairTests(NamedTuple):
    """Of each pair of metrics: the coefficient of the first minus that of the second, and p."""

    differences: Floats
    p: Floats
    # Why there is no p; empty where there is one.
    reasons: list[str]


def permutation_test(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    level: Level,
    coefficient: Coefficient,
    swap: Swap = "systems",
    *,
    alternative: Alternative = "two_sided",
    draws: int = DRAWS,
    seed: int = 0,
) -> Difference:
    """Whether the metrics X and Y follow Z equally well; ``greater`` asks if X does better."""
    tables = checked(x, y, z, level, coefficient, alternative)
    permutations = ways_to_swap(tables[2], swap, draws, seed)
    first, second, delta, reason = difference_of(tables, level, coefficient)
    if reason:
        return Difference(first, second, delta, math.nan, reason=reason, seed=seed)
    a, b, human = standardised(tables[0]), standardised(tables[1]), tables[2]
    with one_thread():
        blocks = _kept_blocks(permutations)()
        parts = [deltas(a, b, human, level, coefficient, block)[1:] for block in blocks]
    values = np.concatenate(parts)
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


def ways_to_swap(z: Floats, swap: Swap, draws: int, seed: int) -> Permutations:
    """Of the rows, columns or cells that have a score."""
    must_be_known("way of swapping", swap, get_args(Swap))
    present: Bools = ~np.isnan(z)
    if swap == "cells":
        return Permutations(present, draws, seed)
    units = np.asarray(present.any(axis=1 if swap == "systems" else 0, keepdims=True))
    exact = draws > 0 and units.sum() <= MOST_EXACT
    return Permutations(units, max(draws, 1 << MOST_EXACT) if exact else draws, seed)


class MetricTests:
    """Permutation tests of pairs of metrics, all by the same permutations.

    Two metrics are compared on the cells that both and people have. ``people`` is one table, or
    several that miss the same cells. ``kept`` holds permutations that other tests have drawn, and
    gets those that are drawn here.

    >>> tables = [[1, 2], [2, 3], [3, 1]], [[3, 2], [1, 2], [2, 1]], [[1, 1], [2, 2], [3, 3]]
    >>> tests = MetricTests(tables[:2], tables[2], "summary", "topics")
    >>> differences, p, reasons = tests.compare([(0, 1, 0)], "tau_a")
    >>> differences.round(3).tolist(), p.tolist()
    ([0.833], [0.5])
    """

    def __init__(
        self,
        metrics: Sequence[ArrayLike],
        people: ArrayLike,
        level: Level,
        swap: Swap = "systems",
        *,
        draws: int = DRAWS,
        seed: int = 0,
        kept: dict[bytes, Blocks] | None = None,
    ) -> None:
        check_names(level, "pearson")
        self.level: Level = level
        self.swap: Swap = swap
        self.people = same_cells(*tables_of(people))
        self.tables = [same_cells(metric, self.people[0])[0] for metric in metrics]
        all_of = [np.isnan(table) for table in self.tables or self.people]
        people = np.where(np.all(all_of, axis=0), np.nan, self.people[0])
        self.permutations = ways_to_swap(people, swap, draws, seed)
        kept = {} if kept is None else kept
        units = self.permutations.units
        key = repr((units.shape, self.permutations.draws, seed)).encode() + units.tobytes()
        if key not in kept:
            # Those of other cells are not used again: of each size one is held.
            kept.clear()
            kept[key] = _kept_blocks(self.permutations)
        self._blocks = kept[key]

    def compare(self, pairs: Sequence[tuple[int, int, int]], coefficient: Coefficient) -> PairTests:
        """The difference and the two-sided p of each pair: both metrics' indices, and people's."""
        check_names(self.level, coefficient)
        differences, p = np.full((2, len(pairs)), np.nan)
        by_cells: dict[bytes, list[int]] = {}
        for place, (first, second, _) in enumerate(pairs):
            gone = np.isnan(self.tables[first] + self.tables[second])
            by_cells.setdefault(gone.tobytes(), []).append(place)
        step = max(TOGETHER // self.permutations.number, 1)
        for alike in by_cells.values():
            for places in (alike[at : at + step] for at in range(0, len(alike), step)):
                values = self._values([pairs[place] for place in places], coefficient)
                for place, row in zip(places, values, strict=True):
                    delta, drawn = float(row[0]), row[1:]
                    if not np.isnan(delta):
                        drawn = drawn[~np.isnan(drawn)]
                        differences[place] = delta
                        p[place] = self.permutations.p(np.abs(drawn) >= abs(delta) - EQUAL)
        reasons = [NO_COEFFICIENTS * bool(undefined) for undefined in np.isnan(p)]
        return PairTests(differences, p, reasons)

    def _values(self, pairs: Sequence[tuple[int, int, int]], coefficient: Coefficient) -> Floats:
        """Pairs x permutations: delta as it was seen, and then of each permutation.

        All pairs have the same cells.
        """
        gone = np.isnan(self.tables[pairs[0][0]] + self.tables[pairs[0][1]])
        if gone.all():
            return np.full((len(pairs), 1), np.nan)
        used = sorted({place for pair in pairs for place in pair[:2]})
        metrics = [standardised(np.where(gone, np.nan, self.tables[place])) for place in used]
        people = np.where(gone, np.nan, self.people)
        places = np.array([(used.index(i), used.index(k), who) for i, k, who in pairs])
        with one_thread():
            parts = [
                deltas_of_pairs(np.array(metrics), people, places, self.level, coefficient, block)
                for block in self._blocks()
            ]
        # Each block begins with what was seen.
        return np.concatenate([parts[0][:, :1], *(part[:, 1:] for part in parts)], axis=1)


class WilliamsTests:
    """Williams' test of pairs of metrics, on the cells that both and people have."""

    def __init__(self, metrics: Sequence[ArrayLike], people: ArrayLike, level: Level) -> None:
        self.metrics, self.people, self.level = metrics, tables_of(people), level

    def compare(self, pairs: Sequence[tuple[int, int, int]], coefficient: Coefficient) -> PairTests:
        """The difference and the two-sided p of each pair: both metrics' indices, and people's."""
        metrics, people, level = self.metrics, self.people, self.level
        tests = [
            williams_test(metrics[first], metrics[second], people[who], level, coefficient)
            for first, second, who in pairs
        ]
        return PairTests(
            np.array([test.value for test in tests]),
            np.array([test.p for test in tests]),
            [test.reason for test in tests],
        )


def tables_of(people: ArrayLike) -> list[Floats]:
    """One table, or several of them."""
    tables = np.asarray(people, np.float64)
    return [np.asarray(table) for table in tables] if tables.ndim == 3 else [tables]


def _kept_blocks(permutations: Permutations) -> Blocks:
    """Permutations in blocks, each of which begins with the one that changes nothing.

    If all fit into memory they are drawn once; else they are drawn again for every pair, the same
    ones. Permutations of one cell are side by side, since they are used together.
    """
    size = max(permutations.units.size, 1)

    def drawn() -> Iterable[NDArray[np.int8]]:
        for block in permutations.blocks(max(STEP // size, 16)):
            yield np.moveaxis(block, 0, -1).astype(np.int8)

    def joined(blocks: Iterable[NDArray[np.int8]]) -> NDArray[np.int8]:
        unchanged = np.zeros((*permutations.units.shape, 1), np.int8)
        return np.ascontiguousarray(np.concatenate([unchanged, *blocks], axis=-1))

    if size * permutations.number > HELD:
        return lambda: (joined([block]) for block in drawn())
    whole = [joined(drawn())]
    return lambda: whole


def bootstrap_test(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    level: Level,
    coefficient: Coefficient,
    over: Resampled = "both",
    *,
    alternative: Alternative = "two_sided",
    draws: int = DRAWS,
    confidence: float = 0.95,
    seed: int = 0,
) -> Difference:
    """The difference with its interval, and p, from resampled systems, topics or both."""
    a, b, human = checked(x, y, z, level, coefficient, alternative)
    check_confidence(confidence)
    must_be_known("way of drawing", over, get_args(Resampled))
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


def williams_test(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    level: Level = "system",
    coefficient: Coefficient = "pearson",
    *,
    alternative: Alternative = "two_sided",
) -> Difference:
    """Williams' test of the coefficients of the systems' means; none at another level."""
    a, b, human = checked(x, y, z, level, coefficient, alternative)
    first, second, delta, reason = difference_of([a, b, human], level, coefficient)
    between = correlate(a, b, level, coefficient)
    size = between.size
    if not reason and level != "system":
        reason = ONE_SAMPLE
    if not reason and math.isnan(between.value):
        reason = f"r(X, Y) is undefined: {between.reason}"
    if not reason and size < 4:
        reason = f"Williams' test needs 4 systems or more, got {size}"
    if reason:
        return Difference(first, second, delta, math.nan, reason=reason)
    p = _williams(first, second, between.value, size, alternative)
    return Difference(first, second, delta, p)


def williams(
    r12: float, r13: float, r23: float, size: int, alternative: Alternative = "two_sided"
) -> float:
    """p of Williams' test from three coefficients of ``size`` points; NaN below four.

    Two equal coefficients do not differ: p is 1, one-sided 0.5.

    >>> round(williams(0.9, 0.8, 0.7, 10), 6)
    0.404405
    """
    if size < 4 or any(map(math.isnan, (r12, r13, r23))):
        return math.nan
    for r in (r12, r13, r23):
        if abs(r) > 1 + ROUNDING:
            raise SummetryError(f"a correlation is between -1 and 1, got {r}")
    if _determinant(r12, r13, r23) < 0:
        half = math.sqrt(max((1 - r12**2) * (1 - r13**2), 0.0))
        raise SummetryError(
            f"with r12 = {r12} and r13 = {r13}, r23 is between {r12 * r13 - half:.3g} and "
            f"{r12 * r13 + half:.3g}, got {r23}; all three must be of the same points"
        )
    return _williams(r12, r13, r23, size, alternative)


def _determinant(r12: float, r13: float, r23: float) -> float:
    """Determinant of the correlation matrix; 0 if only rounding makes it negative."""
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    return 0.0 if -ROUNDING <= k < 0 else k


def _williams(r12: float, r13: float, r23: float, size: int, alternative: Alternative) -> float:
    if abs(r12 - r13) < EQUAL:
        return p_of_equal(alternative)
    k = max(_determinant(r12, r13, r23), 0.0)
    mean = (r12 + r13) / 2
    below = 2 * k * (size - 1) / (size - 3) + mean**2 * (1 - r23) ** 3
    above = (r12 - r13) * math.sqrt(max((size - 1) * (1 + r23), 0.0))
    t = above / math.sqrt(below) if below > 0 else math.copysign(math.inf, above)
    return float(student_p(t, size - 3, alternative))


def p_of_equal(alternative: Alternative) -> float:
    """The p of two equal coefficients."""
    return 1.0 if alternative == "two_sided" else 0.5


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
    must_be_known("alternative", alternative, get_args(Alternative))
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
