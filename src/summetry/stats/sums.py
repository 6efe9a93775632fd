"""Bootstrap intervals of values that are computed from sums over topics, such as a precision.

Where a value is a mean over topics, ``stats.contrasts.bootstrap_rows`` is enough. A precision is
hits divided by choices, both added over all topics; so whole topics are drawn with replacement,
their numbers are added again, and the value is computed of the new sums. The interval is between
two percentiles of these. Draws without a value are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from summetry.arrays.threads import one_thread
from summetry.arrays.types import Floats
from summetry.stats.concordance import divided
from summetry.stats.contrasts import check_draws
from summetry.stats.ratings import Estimate
from summetry.stats.resampling import percentiles, times_drawn
from summetry.stats.significance import DRAWS

# Numbers that are held at once.
_STEP = 1 << 20

# Sums x draws -> values x draws.
ValuesOf = Callable[[Floats], Sequence[Floats]]


def bootstrap_sums(
    numbers: Floats, values_of: ValuesOf, draws: int = DRAWS, seed: int = 0
) -> list[Estimate]:
    """Each value with its 95 % interval; ``numbers`` has a row for each topic, and rows are added.

    One topic, or none, has no interval.

    >>> hits, chosen = [1.0, 1.0, 0.0], [1.0, 2.0, 1.0]
    >>> (precision,) = bootstrap_sums(np.array([hits, chosen]).T, lambda sums: [sums[0] / sums[1]])
    >>> precision
    Estimate(value=0.5, low=0.0, high=1.0)
    """
    check_draws(draws)
    whole = [float(value[0]) for value in values_of(numbers.sum(axis=0)[:, None])]
    topics = len(numbers)
    if topics < 2:
        return [Estimate(value, np.nan, np.nan) for value in whole]
    rng = np.random.default_rng(seed)
    step = max(_STEP // topics, 1)
    drawn: list[Sequence[Floats]] = []
    with one_thread():
        for start in range(0, draws, step):
            places = rng.integers(0, topics, (min(step, draws - start), topics))
            drawn.append(values_of(numbers.T @ times_drawn(places, topics)))
    ends = [percentiles(np.concatenate(of), 0.95) for of in zip(*drawn, strict=True)]
    return [Estimate(value, *two[:2]) for value, two in zip(whole, ends, strict=True)]


def share_kept(value: Floats, lower: Floats, upper: Floats) -> Floats:
    """How far a value is on the way from a lower to an upper bound: 0 at one, 1 at the other.

    Undefined where the upper bound is not above the lower one.

    >>> share_kept(np.array([0.8, 0.8]), np.array([0.2, 0.9]), np.array([1.0, 0.9])).tolist()
    [0.7500000000000001, nan]
    """
    gap = np.where(upper > lower, upper - lower, 0.0)
    return divided(value - lower, gap)
