"""How many topics must be judged before a difference of two systems shows.

With n judged topics of N, a difference that is estimated with k proxies has the variance

    v(n) = E+ (1/n - 1/N) (1 + k / (n - k - 2)) + G+/N

(without G+/N for exactly these topics) with today's E+ and G+, and its t follows a noncentral t
with n - 1 - k degrees of freedom, shifted by difference / sqrt(v).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from summetry.stats.estimate.targets import PER_PROXY
from summetry.stats.power import fewest, shifted_t_power

# The interval in which the smallest shift is searched is halved so often.
_HALVED = 40


class Source(NamedTuple):
    """What one estimate, or one of two that are subtracted, tells of the next: E+, G+, N and k."""

    unexplained: float
    spread: float
    topics: int
    proxies: int


def topics_to_judge(
    difference: float,
    sources: Sequence[Source],
    these: bool,
    power: float,
    alpha: float,
    most: int,
) -> int | None:
    """The fewest judged topics, up to ``most``, that show a true difference; none if all do not.

    >>> topics_to_judge(0.5, [Source(1.0, 1.0, 1000, 0)], False, 0.8, 0.05, most=1000)
    34
    """

    def is_seen(n: int) -> bool:
        variance, freedom = _spread(sources, n, these)
        shift = abs(difference) / math.sqrt(variance) if variance > 0 else math.inf
        return shifted_t_power(shift, freedom, alpha) >= power

    few = max(3, *(PER_PROXY * source.proxies for source in sources))
    return fewest(is_seen, few, most) if few <= most else None


def smallest_seen(
    sources: Sequence[Source], these: bool, power: float, alpha: float, n: int
) -> float:
    """The smallest true difference that n judged topics show.

    >>> round(smallest_seen([Source(1.0, 1.0, 34, 0)], False, 0.8, 0.05, 34), 3)
    0.495
    """
    variance, freedom = _spread(sources, n, these)
    return _smallest_shift(freedom, power, alpha) * math.sqrt(max(variance, 0.0))


@cache
def _smallest_shift(freedom: int, power: float, alpha: float) -> float:
    """How many standard errors a difference must have to be seen."""
    low, high = 0.0, 1.0
    while shifted_t_power(high, freedom, alpha) < power:
        low, high = high, 2 * high
    for _ in range(_HALVED):
        middle = (low + high) / 2
        is_seen = shifted_t_power(middle, freedom, alpha) >= power
        low, high = (low, middle) if is_seen else (middle, high)
    return high


def _spread(sources: Sequence[Source], n: int, these: bool) -> tuple[float, int]:
    """The variance of a difference with n judged topics, and its degrees of freedom."""
    variance = sum(_variance(source, n, these) for source in sources)
    return variance, sum(n - 1 - source.proxies for source in sources)


def _variance(source: Source, n: int, these: bool) -> float:
    """v(n)."""
    price = 1 + source.proxies / (n - source.proxies - 2)
    of_drawing = source.unexplained * (1 / n - 1 / source.topics) * price
    return of_drawing if these else of_drawing + source.spread / source.topics
