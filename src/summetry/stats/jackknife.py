"""Would metric X follow people (Z) better than metric Y on other systems and other topics?

delta = r(X, Z) - r(Y, Z) is counted again without each of N systems, and without each of M topics.
With delta_i for what is left without one, and their mean m:

    variance over systems   (N - 1) / N times the sum over systems of (delta_i - m)^2
    variance over topics    (M - 1) / M times the sum over topics of (delta_i - m)^2
    t                       delta / sqrt(the sum of both variances), N - 1 degrees of freedom

What belongs to single cells is in both variances, so that their sum is rather too large than too
small. There are mostly fewer systems than topics, and what metrics get wrong about a system they
get wrong on all of its topics; so the number of systems gives the degrees of freedom.

Coefficients without a system or a topic are of one metric and people. They are counted once for
each metric, and pairs of metrics only subtract them (``JackknifeTests``).

Sources: Tukey (1958); on two crossed factors Owen (2007), The pigeonhole bootstrap.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from summetry.arrays.types import Floats
from summetry.stats.dependent import (
    EQUAL,
    Difference,
    PairTests,
    checked,
    difference_of,
    p_of_equal,
    tables_of,
)
from summetry.stats.levels import Level, correlate, same_cells
from summetry.stats.resampling import Resamples, redrawn
from summetry.stats.significance import Alternative, student_p
from summetry.stats.weighted import Coefficient

FEWEST_SYSTEMS, FEWEST_TOPICS = 3, 2


class LeftOut(NamedTuple):
    """A coefficient, and what it is without each system, and without each topic."""

    value: float
    systems: Floats
    topics: Floats


def jackknife_test(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    level: Level,
    coefficient: Coefficient,
    *,
    alternative: Alternative = "two_sided",
) -> Difference:
    """Whether X would do better or worse than Y; ``greater`` asks if X does better.

    >>> x, y = [[1, 2], [2, 4], [3, 3], [5, 4]], [[2, 1], [1, 1], [4, 3], [3, 5]]
    >>> round(jackknife_test(x, y, [[1, 1], [2, 3], [3, 4], [4, 5]], "global", "pearson").p, 3)
    0.838
    """
    *metrics, human = checked(x, y, z, level, coefficient, alternative)
    first, second, delta, reason = difference_of([*metrics, human], level, coefficient)
    p = math.nan
    if not reason:
        each = [left_out(metric, human, level, coefficient) for metric in metrics]
        p, reason = _p(each[0], each[1], alternative)
    return Difference(first, second, delta, p, reason=reason)


class JackknifeTests:
    """Tests of pairs of metrics, each on the cells that both and people have."""

    def __init__(self, metrics: Sequence[ArrayLike], people: ArrayLike, level: Level) -> None:
        self.people, self.level = same_cells(*tables_of(people)), level
        self.tables = [same_cells(metric, self.people[0])[0] for metric in metrics]
        self._left_out: dict[tuple[int, int, Coefficient, bytes], LeftOut] = {}

    def compare(self, pairs: Sequence[tuple[int, int, int]], coefficient: Coefficient) -> PairTests:
        """The difference and the two-sided p of each pair: both metrics' indices, and people's."""
        differences, p = np.full((2, len(pairs)), np.nan)
        reasons = [""] * len(pairs)
        for k, (first, second, who) in enumerate(pairs):
            gone = np.isnan(self.tables[first] + self.tables[second])
            each = [self._of(metric, who, gone, coefficient) for metric in (first, second)]
            differences[k] = each[0].value - each[1].value
            p[k], reasons[k] = _p(each[0], each[1], "two_sided")
        return PairTests(differences, p, reasons)

    def _of(self, metric: int, who: int, gone: Floats, coefficient: Coefficient) -> LeftOut:
        key = metric, who, coefficient, gone.tobytes()
        if key not in self._left_out:
            x, z = (np.where(gone, np.nan, t) for t in (self.tables[metric], self.people[who]))
            self._left_out[key] = left_out(x, z, self.level, coefficient)
        return self._left_out[key]


def left_out(x: Floats, z: Floats, level: Level, coefficient: Coefficient) -> LeftOut:
    """The coefficients of two tables that miss the same cells."""
    systems, topics = _one_left_out(x, 0), _one_left_out(x, 1)
    value = correlate(x, z, level, coefficient).value
    if systems.shape[1] < FEWEST_SYSTEMS or topics.shape[1] < FEWEST_TOPICS:
        return LeftOut(value, *(np.full(weights.shape[1], np.nan) for weights in (systems, topics)))
    drawn = Resamples(systems=systems), Resamples(topics=topics)
    return LeftOut(value, *(redrawn(x, z[None], level, coefficient, each) for each in drawn))


def _one_left_out(x: Floats, axis: int) -> Floats:
    """Weights of rows or columns (rows here) without one of them (columns) that has a cell."""
    weights = 1.0 - np.eye(x.shape[axis])
    return weights[:, (~np.isnan(x)).any(axis=1 - axis)]


def _p(first: LeftOut, second: LeftOut, alternative: Alternative) -> tuple[float, str]:
    """p of two metrics on the same cells, and why there is none."""
    delta, systems = first.value - second.value, first.systems - second.systems
    topics, number = first.topics - second.topics, len(systems)
    if math.isnan(delta):
        return math.nan, "one of both has no coefficient on the cells that both have"
    if number < FEWEST_SYSTEMS or len(topics) < FEWEST_TOPICS:
        return math.nan, (
            f"the jackknife needs {FEWEST_SYSTEMS} systems and {FEWEST_TOPICS} topics or more, "
            f"got {number} and {len(topics)}"
        )
    if np.isnan([*systems, *topics]).any():
        return math.nan, "without one of the systems or topics a coefficient is undefined"
    if abs(delta) < EQUAL:
        return p_of_equal(alternative), ""
    deviation = math.sqrt(_variance(systems) + _variance(topics))
    if deviation < EQUAL:
        return math.nan, "the difference is the same whatever is left out, so it has no variance"
    return float(student_p(delta / deviation, number - 1, alternative)), ""


def _variance(values: Floats) -> float:
    """The jackknife's variance of what the values are without one of their units each."""
    return float((len(values) - 1) * values.var())
