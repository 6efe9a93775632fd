"""Williams' test: is metric X nearer to people (Z) than metric Y, by three coefficients alone?

With r12 = r(X, Z), r13 = r(Y, Z), r23 = r(X, Y) of k points, K = 1 - r12^2 - r13^2 - r23^2 +
2 r12 r13 r23 and r = (r12 + r13) / 2; t has k - 3 degrees of freedom:

    t = (r12 - r13) sqrt((k - 1)(1 + r23) / (2 K (k - 1)/(k - 3) + r^2 (1 - r23)^3))

It is made for Pearson's r of one sample; with other coefficients, or means of them, it is rough.

Sources: Williams (1959); Graham and Baldwin (2014).
"""

from __future__ import annotations

import math

from numpy.typing import ArrayLike

from summetry.stats.dependent import EQUAL, Difference, checked, difference_of
from summetry.stats.levels import Level, correlate
from summetry.stats.significance import Alternative, student_p
from summetry.stats.weighted import Coefficient


def williams_test(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    level: Level = "system",
    coefficient: Coefficient = "pearson",
    *,
    alternative: Alternative = "two_sided",
) -> Difference:
    """Williams' test of the coefficients of three tables."""
    a, b, human = checked(x, y, z, level, coefficient, alternative)
    first, second, delta, reason = difference_of([a, b, human], level, coefficient)
    between = correlate(a, b, level, coefficient)
    size = between.size
    if not reason and math.isnan(between.value):
        reason = f"r(X, Y) is undefined: {between.reason}"
    if not reason and size < 4:
        reason = f"Williams' test needs 4 points or more, got {size}"
    if reason:
        return Difference(first, second, delta, math.nan, reason=reason)
    p = williams(first, second, between.value, size, alternative)
    return Difference(first, second, delta, p)


def williams(
    r12: float, r13: float, r23: float, size: int, alternative: Alternative = "two_sided"
) -> float:
    """p of Williams' test from three coefficients of ``size`` points; NaN below four.

    >>> round(williams(0.9, 0.8, 0.7, 10), 6)
    0.404405
    """
    if size < 4 or any(map(math.isnan, (r12, r13, r23))):
        return math.nan
    if abs(r12 - r13) < EQUAL:
        return 1.0 if alternative == "two_sided" else 0.5
    # Rounding may leave a determinant just below 0.
    k = max(1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23, 0.0)
    mean = (r12 + r13) / 2
    below = 2 * k * (size - 1) / (size - 3) + mean**2 * (1 - r23) ** 3
    above = (r12 - r13) * math.sqrt(max((size - 1) * (1 + r23), 0.0))
    t = above / math.sqrt(below) if below > 0 else math.copysign(math.inf, above)
    return float(student_p(t, size - 3, alternative))
