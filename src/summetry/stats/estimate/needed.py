"""How many topics must be judged before a difference of two systems shows.

With n judged topics of N, a difference that is estimated with k proxies has the variance

    v(n) = E+ (1/n - 1/N) (1 + k / (n - k - 2)) + G+/N

(without G+/N for exactly these topics) with today's E+ and G+, and its t follows a noncentral t
with n - 1 - k degrees of freedom, shifted by difference / sqrt(v).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from summetry.stats.estimate.targets import PER_PROXY
from summetry.stats.power import shifted_t_power


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
        variance = sum(_variance(source, n, these) for source in sources)
        freedom = sum(n - 1 - source.proxies for source in sources)
        shift = abs(difference) / math.sqrt(variance) if variance > 0 else math.inf
        return shifted_t_power(shift, freedom, alpha) >= power

    few = max(3, *(PER_PROXY * source.proxies for source in sources))
    if most < few:
        return None
    if is_seen(few):
        return few
    # More topics never show less.
    many = few
    while not is_seen(many):
        if many >= most:
            return None
        few, many = many, min(2 * many, most)
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if is_seen(middle) else (middle, many)
    return many


def _variance(source: Source, n: int, these: bool) -> float:
    """v(n)."""
    price = 1 + source.proxies / (n - source.proxies - 2)
    of_drawing = source.unexplained * (1 / n - 1 / source.topics) * price
    return of_drawing if these else of_drawing + source.spread / source.topics
