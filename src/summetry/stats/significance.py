"""When p is significant: one rule for all tests, tables, letters, clusters and counts.

    p <= alpha, up to 1e-12 of alpha for the rounding of a corrected p

If there is no difference, a valid p is alpha or less with a probability of at most alpha. So the
rule keeps what alpha promises; "below alpha" would keep it too, but give away tests whose p has few
values and meets alpha exactly, such as 1 of 20. A p of a continuous distribution (t, Tukey) never
meets it. An undefined p is not significant.
"""

from __future__ import annotations

import math
import sys
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from summetry.arrays.types import Bools, Floats
from summetry.stats.concordance import SAME

Alternative = Literal["two_sided", "greater", "less"]

# By default so many resamples or permutations are drawn: a p near 0.05 is right to about 0.002.
DRAWS = 10_000


def is_significant(p: ArrayLike, alpha: float) -> Bools:
    """For each p whether it is significant.

    >>> is_significant([0.05, 0.051, float("nan")], 0.05).tolist()
    [True, False, False]
    """
    # Corrected by 25/17, a p of 17/500 is a bit more than 0.05.
    return np.asarray(np.asarray(p, np.float64) <= alpha * (1 + SAME))


def smallest_p(draws: int, permutations: float | None = None) -> float:
    """The smallest p that a two-sided test can give: if it is not significant, nothing can be.

    Of all permutations (give how many there are) the seen one and its mirror image are the most
    extreme; of drawn ones only the seen one may be.

    >>> smallest_p(10_000, permutations=8), smallest_p(19)
    (0.25, 0.05)
    """
    return 1 / (1 + draws) if permutations is None else 2 / permutations


def draws_needed(tests: int, alpha: float) -> int:
    """The fewest draws that can give a significant p, which is corrected for so many tests.

    With d draws the smallest p is 1 / (1 + d).

    >>> draws_needed(1, 0.05), draws_needed(3, 0.05)
    (19, 59)
    """
    return max(math.ceil(tests / alpha * (1 - SAME)) - 1, 1)


def enough_draws(tests: int, alpha: float) -> int:
    """By default so many are drawn for tests that share alpha: p can be half of what is needed.

    >>> enough_draws(1, 0.05), enough_draws(1225, 0.05)
    (10000, 48998)
    """
    return max(DRAWS, 2 * draws_needed(tests, alpha))


def student_p(t: ArrayLike, freedom: ArrayLike, alternative: Alternative = "two_sided") -> Floats:
    """p of values of Student's t; never 0, though it may be too small to tell from it.

    >>> float(student_p(0.0, 5)), float(student_p(0.0, 5, "greater"))
    (1.0, 0.5)
    """
    from scipy.special import stdtr

    values = np.asarray(t, np.float64)
    tail = {"two_sided": -np.abs(values), "greater": -values, "less": values}[alternative]
    sides = 2 if alternative == "two_sided" else 1
    return np.asarray(np.clip(sides * stdtr(freedom, tail), sys.float_info.min, 1.0))
