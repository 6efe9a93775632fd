"""How many topics are needed to see a difference, and how small a difference this corpus can show.

Two systems are compared by the paired t-test over topics, two-sided. If the scores differ by d on
average, with the standard deviation s of the differences over topics, then t of n topics follows a
noncentral t with n - 1 degrees of freedom, shifted by sqrt(n) d / s, and

    power = P(|t| > the critical value of alpha)

is the probability to see the difference. Where many pairs are compared, pass the alpha that is left
for one, such as 0.05 / pairs.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from summetry.errors import SummetryError
from summetry.stats.contrasts import differences
from summetry.stats.levels import same_cells
from summetry.stats.studentized import deviations

POWER, ALPHA = 0.8, 0.05
# More topics than this are not worth counting.
MOST = 10**9
# A small alpha makes a sharp step of what is integrated.
_NODES = 256


class CorpusPower(NamedTuple):
    """What a corpus can show: for a pair of systems in the middle, and for the most uneven pair."""

    topics: int
    # Standard deviation of the differences over topics: the median and the largest over pairs.
    deviation: float
    widest: float
    # The smallest difference that is seen with the wanted probability, for both.
    smallest: float
    smallest_of_widest: float
    pairs: int
    # Pairs with fewer than two topics in common.
    left_out: int
    reason: str = ""


def detection_power(
    difference: float, deviation: float, topics: int, alpha: float = ALPHA
) -> float:
    """The probability that a paired t-test of so many topics sees a difference.

    >>> round(detection_power(0.5, 1.0, 34), 4)
    0.8078
    """
    _check(deviation, alpha)
    if topics < 2:
        return math.nan
    if not deviation:
        return 1.0 if difference else alpha
    return shifted_t_power(math.sqrt(topics) * abs(difference) / deviation, topics - 1, alpha)


def shifted_t_power(shift: float, freedom: int, alpha: float = ALPHA) -> float:
    """The probability that a noncentral t is beyond the critical values of alpha, on either side.

    >>> round(shifted_t_power(0.5 * math.sqrt(34), 33), 4), shifted_t_power(math.inf, 33)
    (0.8078, 1.0)
    """
    from scipy.special import ndtr, stdtrit

    critical = -float(stdtrit(freedom, alpha / 2))
    # |t| > c: a normal number is beyond c times the estimated deviation, whatever that may be.
    scales, shares = deviations(freedom, _NODES)
    beyond = ndtr(shift - critical * scales) + ndtr(-shift - critical * scales)
    return min(float(beyond @ shares), 1.0)


def topics_needed(
    difference: float, deviation: float, power: float = POWER, alpha: float = ALPHA
) -> int:
    """The fewest topics with which a difference is seen with the probability ``power``.

    >>> topics_needed(0.5, 1.0)
    34
    """
    _check(deviation, alpha, power)
    if not difference:
        raise SummetryError("a difference of 0 is never seen, give the size that matters to you")

    def is_seen(topics: int) -> bool:
        return detection_power(difference, deviation, topics, alpha) >= power

    needed = fewest(is_seen, 2, MOST)
    if needed is None:
        raise SummetryError(
            f"a difference of {difference} with the deviation {deviation} needs more than "
            f"{MOST:,} topics"
        )
    return needed


def fewest(is_enough: Callable[[int], bool], least: int, most: int) -> int | None:
    """The smallest number from ``least`` to ``most`` that is enough, as all larger ones are then.

    >>> fewest(lambda topics: topics * topics >= 50, 2, 100)
    8
    """
    few, many = least - 1, least
    while not is_enough(many):
        if many >= most:
            return None
        few, many = many, min(2 * many, most)
    return bisect_left(range(many), True, few + 1, key=is_enough)


def smallest_difference(
    topics: int, deviation: float, power: float = POWER, alpha: float = ALPHA
) -> float:
    """The smallest difference that so many topics show with the probability ``power``.

    >>> round(smallest_difference(34, 1.0), 4)
    0.495
    """
    _check(deviation, alpha, power)
    if topics < 2 or math.isnan(deviation):
        return math.nan
    if not deviation:
        # Without any spread every difference shows.
        return 0.0
    low, high = 0.0, deviation
    while detection_power(high, deviation, topics, alpha) < power:
        high *= 2
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if middle in (low, high):
            break
        seen = detection_power(middle, deviation, topics, alpha) >= power
        low, high = (low, middle) if seen else (middle, high)
    return high


def corpus_power(x: ArrayLike, power: float = POWER, alpha: float = ALPHA) -> CorpusPower:
    """The smallest differences that the topics of a table (systems x topics) can show."""
    (table,) = same_cells(x)
    i, k = np.triu_indices(len(table), 1)
    pairs = differences(table, i, k)
    counts = pairs.topics()
    there = counts > 1
    topics = int(np.median(counts[there])) if there.any() else 0
    out = int((~there).sum())
    if not there.any():
        nothing = (math.nan,) * 4
        return CorpusPower(topics, *nothing, 0, out, "no two systems have two topics in common")
    spread = pairs.deviations()[there]
    middle, widest = float(np.median(spread)), float(spread.max())
    smallest, of_widest = (smallest_difference(topics, s, power, alpha) for s in (middle, widest))
    return CorpusPower(topics, middle, widest, smallest, of_widest, int(there.sum()), out)


def _check(deviation: float, alpha: float, power: float = POWER) -> None:
    if deviation < 0:
        raise SummetryError(f"a standard deviation is 0 or more, got {deviation}")
    if not 0 < alpha < power < 1:
        raise SummetryError(
            f"alpha and power are probabilities, alpha the smaller, got {alpha} and {power}"
        )
