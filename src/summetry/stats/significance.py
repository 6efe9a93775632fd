"""When p is significant: one rule for all tests, tables, letters, clusters and counts.

    p <= alpha, up to 1e-12 of alpha for the rounding of a corrected p

If there is no difference, a valid p is alpha or less with a probability of at most alpha. So the
rule keeps what alpha promises; "below alpha" would keep it too, but give away tests whose p has few
values and meets alpha exactly, such as 1 of 20. A p of a continuous distribution (t, Tukey) never
meets it. An undefined p is not significant.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from summetry.arrays.types import Bools

# So many are drawn unless it is said: then a p near 0.05 is right to some 0.002.
DRAWS = 10_000
# Corrected by 25/17, a p of 17/500 is a bit more than 0.05.
_ROUNDING = 1e-12


def is_significant(p: ArrayLike, alpha: float) -> Bools:
    """For each p whether it is significant.

    >>> is_significant([0.05, 0.051, float("nan")], 0.05).tolist()
    [True, False, False]
    """
    return np.asarray(np.asarray(p, np.float64) <= alpha * (1 + _ROUNDING))


def draws_needed(tests: int, alpha: float) -> int:
    """The fewest draws that can give a significant p, which is corrected for so many tests.

    With d draws the smallest p is 1 / (1 + d).

    >>> draws_needed(1, 0.05), draws_needed(3, 0.05)
    (19, 59)
    """
    return max(math.ceil(tests / alpha * (1 - _ROUNDING)) - 1, 1)
