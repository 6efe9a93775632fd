"""Whether two systems that were tried on the same topics differ.

``paired_t_test`` asks whether the mean difference is 0 by Student's t; ``permutation_test`` asks
how often the mean difference would be as far from 0 if the two values of each topic had changed
places by the toss of a coin. Both are two-sided.

Constant differences have no t. Differences nearer than 1e-12 of the size of the values are the
same, so that the noise of subtraction decides nothing. Identical systems have p = 1 in the
permutation test, and no p is ever 0.

Source: Kennedy and Szpakowicz (2010), section 3.1, for the t-test; the permutation test is ours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from summetry.arrays.types import Floats
from summetry.errors import SummetryError
from summetry.stats.concordance import SAME
from summetry.stats.permutation import p_of_all_signs, p_of_drawn_signs
from summetry.stats.significance import DRAWS, student_p

Number = float | Fraction

# Up to so many topics all sign changes are gone through, half a million of them.
_MOST_EXACT = 19
# So many signs are held at once.
_HELD = 1 << 20


class TTest(NamedTuple):
    """Student's t with its degrees of freedom, and the two-sided p."""

    t: float
    df: float
    p: float


class PermutationTest(NamedTuple):
    """The mean difference, the two-sided p, and the number of permutations behind it.

    ``is_exact`` where these are all that there are.
    """

    difference: float
    p: float
    permutations: int
    is_exact: bool


def paired_t_test(x: Sequence[Number], y: Sequence[Number]) -> TTest:
    """The paired t-test of two systems, given by their values on the same topics.

    >>> paired_t_test([0.5, 0.7, 0.9], [0.4, 0.4, 0.7]).df
    2
    """
    differences, noise = _differences(x, y)
    number = len(differences)
    if number < 2:
        return TTest(math.nan, math.nan, math.nan)
    mean = math.fsum(differences) / number
    residuals = differences - mean
    if np.abs(residuals).max() <= noise:
        return TTest(math.nan, number - 1, math.nan)
    deviation = math.sqrt(math.fsum(residuals * residuals) / (number - 1))
    t = mean / (deviation / math.sqrt(number))
    return TTest(t, number - 1, float(student_p(t, number - 1)))


def permutation_test(
    x: Sequence[Number], y: Sequence[Number], draws: int = DRAWS, seed: int = 0
) -> PermutationTest:
    """How often chance alone makes a mean difference as large as that of the two systems.

    With few topics all changes of sign are counted; otherwise ``draws`` of them are drawn, and the
    one that was seen counts with them: p = (1 + as large) / (1 + draws).

    >>> permutation_test([1, 1, 1], [0, 0, 0])
    PermutationTest(difference=1.0, p=0.25, permutations=8, is_exact=True)
    """
    if draws < 1:
        raise SummetryError(f"a permutation test needs 1 draw or more, got {draws}")
    differences, noise = _differences(x, y)
    number = len(differences)
    if not number:
        return PermutationTest(math.nan, math.nan, 0, True)
    mean = math.fsum(differences) / number
    if number <= _MOST_EXACT:
        return PermutationTest(mean, p_of_all_signs(differences, noise), 2**number, True)
    p = p_of_drawn_signs(differences[None], np.array([noise]), draws, seed, _HELD)
    return PermutationTest(mean, float(p[0]), draws, False)


def _differences(x: Sequence[Number], y: Sequence[Number]) -> tuple[Floats, float]:
    """The differences, and what the rounding of the values may add to one of them."""
    if len(x) != len(y):
        raise SummetryError(
            f"a paired test needs one score per topic for both systems, got {len(x)} and {len(y)}"
        )
    differences = np.array([float(a - b) for a, b in zip(x, y, strict=True)], np.float64)
    if not np.isfinite(differences).all():
        raise SummetryError("a paired test needs numbers, found one that is undefined or infinite")
    return differences, SAME * max((abs(float(value)) for value in (*x, *y)), default=0.0)
