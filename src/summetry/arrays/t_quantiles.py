"""Quantiles of Student's t, without scipy: to import its special functions takes longer than to
score ten thousand summaries."""

from __future__ import annotations

import math
from functools import cache, lru_cache

import numpy as np

from summetry.arrays.types import Floats, Ints

# So many points integrate a smooth function to the last digits.
_POINTS = 48
# From here on the series of the constant is exact to the last digits.
_MANY = 100


def t_quantiles(freedom: Ints, probability: float) -> Floats:
    """What t with so many degrees of freedom, at least 1, is below with a probability above 0.5.

    >>> t_quantiles(np.array([1, 4, 99]), 0.975).round(4).tolist()
    [12.7062, 2.7764, 1.9842]
    """
    degrees, places = np.unique(np.maximum(freedom, 1), return_inverse=True)
    quantiles = [_quantile(int(n), probability) for n in degrees.tolist()]
    return np.array(quantiles)[places].reshape(freedom.shape)


@lru_cache(maxsize=1024)
def _quantile(n: int, probability: float) -> float:
    """The quantile by Newton's steps.

    With t = sqrt(n) tan(a) the probability between 0 and t is the integral of constant * cos(a) **
    (n - 1) from 0 to a, which bends downwards only: steps from 0 never go too far.
    """
    points, weights = _points_and_weights()
    constant, wanted, angle = _constant(n), probability - 0.5, 0.0
    while True:
        # The powers of cosines, which are near 1 where n is large.
        angles = np.append(angle * (points + 1) / 2, angle)
        heights = np.exp((n - 1) / 2 * np.log1p(-(np.sin(angles) ** 2)))
        missing = wanted - constant * angle / 2 * float(weights @ heights[:-1])
        step = missing / (constant * float(heights[-1]))
        if step <= 1e-15 * angle:
            return math.sqrt(n) * math.tan(angle)
        angle += step


@cache
def _points_and_weights() -> tuple[Floats, Floats]:
    """Those of Gauss and Legendre; numpy's own take longer to import than to find.

    The points are where Legendre's polynomial is 0. Newton's steps begin near each of them, and the
    fifth changes nothing.
    """
    points = np.cos(np.pi * (np.arange(_POINTS) + 0.75) / (_POINTS + 0.5))
    for _ in range(5):
        before, value = np.ones_like(points), points
        for n in range(2, _POINTS + 1):
            before, value = value, ((2 * n - 1) * points * value - (n - 1) * before) / n
        slope = _POINTS * (before - points * value) / (1 - points**2)
        points = points - value / slope
    return points, 2 / ((1 - points**2) * slope**2)


def _constant(n: int) -> float:
    """Gamma((n + 1) / 2) / (Gamma(n / 2) * sqrt(pi))."""
    if n < _MANY:
        return math.exp(math.lgamma((n + 1) / 2) - math.lgamma(n / 2)) / math.sqrt(math.pi)
    # Where two large logarithms would leave few digits of their difference.
    terms = (1, -1 / 4, 1 / 32, 5 / 128, -21 / 2048, -399 / 8192, 869 / 65536)
    series = math.fsum(term / n**power for power, term in enumerate(terms))
    return math.sqrt(n / 2 / math.pi) * series
