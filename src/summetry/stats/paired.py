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
import sys
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from summetry.arrays.types import Floats
from summetry.errors import SummetryError
from summetry.stats.significance import DRAWS

Number = float | Fraction

_EQUAL = 1e-12
# Up to so many topics all sign changes are gone through, half a million of them.
_MOST_EXACT = 19
# So many signs are held at once.
_AT_ONCE = 1 << 20


class TTest(NamedTuple):
    """Student's t with its degrees of freedom, and the two-sided p."""

    t: float
    df: float
    p: float


class PermutationTest(NamedTuple):
    """The mean difference, the two-sided p, and by how many permutations it was found.

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
    differences, size = _differences(x, y)
    number = len(differences)
    if number < 2:
        return TTest(math.nan, math.nan, math.nan)
    mean = math.fsum(differences) / number
    apart = differences - mean
    if np.abs(apart).max() <= _EQUAL * size:
        return TTest(math.nan, number - 1, math.nan)
    deviation = math.sqrt(math.fsum(apart * apart) / (number - 1))
    t = mean / (deviation / math.sqrt(number))
    return TTest(t, number - 1, _both_tails(t, number - 1))


def _both_tails(t: float, df: int) -> float:
    from scipy.special import stdtr

    return max(float(2 * stdtr(df, -abs(t))), sys.float_info.min)


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
    differences, size = _differences(x, y)
    number = len(differences)
    if not number:
        return PermutationTest(math.nan, math.nan, 0, True)
    seen = math.fsum(differences)
    least = abs(seen) - _EQUAL * size * number
    if number <= _MOST_EXACT:
        sums = all_sums(differences)
        p = float((np.abs(sums) >= least).sum() / len(sums))
        return PermutationTest(seen / number, p, len(sums), True)
    as_large = _drawn_as_large(differences, least, draws, seed)
    return PermutationTest(seen / number, (1 + as_large) / (1 + draws), draws, False)


def all_sums(differences: Floats) -> Floats:
    """The sums with every choice of signs."""
    sums = np.zeros(1)
    for difference in differences:
        sums = np.concatenate([sums + difference, sums - difference])
    return sums


def _drawn_as_large(differences: Floats, least: float, draws: int, seed: int) -> int:
    random = np.random.default_rng(seed)
    found, left = 0, draws
    while left:
        rows = min(left, max(_AT_ONCE // len(differences), 1))
        signs = random.integers(0, 2, (rows, len(differences)), np.int8) * 2 - 1
        found += int((np.abs(signs @ differences) >= least).sum())
        left -= rows
    return found


def _differences(x: Sequence[Number], y: Sequence[Number]) -> tuple[Floats, float]:
    """The differences, and the size of the largest value."""
    if len(x) != len(y):
        raise SummetryError(
            f"a paired test needs one score per topic for both systems, got {len(x)} and {len(y)}"
        )
    differences = np.array([float(a - b) for a, b in zip(x, y, strict=True)], np.float64)
    if not np.isfinite(differences).all():
        raise SummetryError("a paired test needs numbers, found one that is undefined or infinite")
    size = max((abs(float(value)) for value in (*x, *y)), default=0.0)
    return differences, size
