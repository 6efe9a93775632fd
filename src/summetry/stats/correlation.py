"""Correlation coefficients of two equally long lists.

Undefined is NaN: fewer than two points, a list whose numbers are all the same (tau-a is 0 there,
since no pair is ordered), for Pearson's r also a number that is not finite. Numbers of a list that
differ by less than 1e-12 of its largest are the same, so that the noise of addition makes no order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from summetry.arguments import check_confidence
from summetry.arrays.orders import doubled_ranks
from summetry.arrays.types import Floats
from summetry.errors import SummetryError, must_be_known
from summetry.stats.concordance import codes, noise_of
from summetry.stats.weighted import FIXED, Coefficient

# Points lost, and the two parts of the variance: a constant, and a multiple of the squared value.
_FISHER = {
    "pearson": (3, 1.0, 0.0),
    "spearman": (3, 1.0, 0.5),
    "tau_a": (4, 0.437, 0.0),
    "tau_b": (4, 0.437, 0.0),
}


def pearson(x: Sequence[float], y: Sequence[float]) -> float:
    """Pearson's r.

    >>> pearson([1, 2, 3], [2, 4, 6])
    1.0
    """
    a, b = _pair(x, y)
    if len(a) < 2 or not np.isfinite([a, b]).all() or _is_constant(a) or _is_constant(b):
        return math.nan
    a, b = a - a.mean(), b - b.mean()
    r = float(a @ b / math.sqrt(float(a @ a) * float(b @ b)))
    return max(-1.0, min(1.0, r))


def spearman(x: Sequence[float], y: Sequence[float]) -> float:
    """Pearson's r of the ranks; equal numbers share their mean rank."""
    a, b = _pair(x, y)
    return pearson(mid_ranks(a.tolist()).tolist(), mid_ranks(b.tolist()).tolist())


def kendall_tau_a(x: Sequence[float], y: Sequence[float]) -> float:
    """Pairs in the same order minus pairs in opposite order, divided by all pairs."""
    return _of_whole("tau_a", x, y)


def kendall_tau_b(x: Sequence[float], y: Sequence[float]) -> float:
    """Kendall's tau with pairs tied in a list taken out on that list's side."""
    return _of_whole("tau_b", x, y)


def fisher_interval(
    value: float, size: int, coefficient: str = "pearson", confidence: float = 0.95
) -> tuple[float, float]:
    """The interval of a coefficient of ``size`` points, by Fisher's transformation.

        tanh(atanh r -+ z c / sqrt(size - b))

    Pearson b = 3, c = 1; Spearman b = 3, c^2 = 1 + r^2 / 2; Kendall b = 4, c^2 = 0.437 (Bonett and
    Wright 2000). Undefined for b points or fewer; the interval of a perfect
    coefficient is that coefficient.

    >>> [round(end, 4) for end in fisher_interval(0.5, 28)]
    [0.156, 0.7358]
    """
    must_be_known("coefficient", coefficient, _FISHER)
    check_confidence(confidence)
    lost, plain, bent = _FISHER[coefficient]
    if math.isnan(value) or size <= lost:
        return math.nan, math.nan
    if abs(value) == 1:
        return value, value
    spread = math.sqrt(plain + bent * value**2) / math.sqrt(size - lost)
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * spread
    centre = math.atanh(value)
    return math.tanh(centre - reach), math.tanh(centre + reach)


def mid_ranks(x: Sequence[float]) -> Floats:
    """Ranks from 1, equal numbers sharing the mean of their ranks."""
    order = codes(np.asarray(x, np.float64))
    return (doubled_ranks(order, np.ones((len(order), 1)))[:, 0] + len(order) + 1) / 2


def _pair(x: Sequence[float], y: Sequence[float]) -> tuple[Floats, Floats]:
    a, b = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise SummetryError(
            f"a correlation needs two lists of the same length, got {len(a)} and {len(b)}"
        )
    return a, b


def _is_constant(a: Floats) -> bool:
    return bool(a.max() - a.min() <= noise_of(a)[0])


def _of_whole(coefficient: Coefficient, x: Sequence[float], y: Sequence[float]) -> float:
    """The coefficient of two lists by the way of many resamples: of one, with every point once."""
    a, b = _pair(x, y)
    return float(FIXED[coefficient](a, b, np.ones((len(a), 1)))[0])
