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

from summetry.arrays.types import Bools, Floats
from summetry.errors import SummetryError, UnknownNameError
from summetry.stats.concordance import SAME

# Points lost, and the two parts of the variance: one part, and one by the squared coefficient.
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
    """Pairs in the same order minus pairs in opposite order, by all pairs."""
    a, b = _pair(x, y)
    pairs = len(a) * (len(a) - 1) // 2
    return _balance(a, b) / pairs if pairs else math.nan


def kendall_tau_b(x: Sequence[float], y: Sequence[float]) -> float:
    """Kendall's tau with pairs tied in a list taken out on that list's side."""
    a, b = _pair(x, y)
    untied = _untied(a) * _untied(b)
    return _balance(a, b) / math.sqrt(untied) if untied else math.nan


def fisher_interval(
    value: float, size: int, coefficient: str = "pearson", confidence: float = 0.95
) -> tuple[float, float]:
    """The interval of a coefficient of ``size`` points, by Fisher's transformation.

        tanh(atanh r -+ z c / sqrt(size - b))

    Pearson b = 3, c = 1; Spearman b = 3, c^2 = 1 + r^2 / 2; Kendall b = 4, c^2 = 0.437 (Bonett and
    Wright 2000). Undefined for b points or fewer; of a perfect coefficient nothing but itself.

    >>> [round(end, 4) for end in fisher_interval(0.5, 28)]
    [0.156, 0.7358]
    """
    if coefficient not in _FISHER:
        raise UnknownNameError("coefficient", coefficient, _FISHER)
    if not 0 < confidence < 1:
        raise SummetryError(
            f"a confidence is between 0 and 1, such as 0.95 for 95 %, got {confidence}"
        )
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
    if not len(x):
        return np.zeros(0)
    numbers = np.asarray(x, np.float64)
    order = np.argsort(numbers, kind="stable")
    ascending = numbers[order]
    begins = ~_same(ascending[1:], ascending[:-1], _noise(numbers))
    group = np.cumsum(np.append(True, begins)) - 1
    sums = np.bincount(group, weights=np.arange(1, len(group) + 1))
    ranks = np.empty(len(group))
    ranks[order] = (sums / np.bincount(group))[group]
    return ranks


def _pair(x: Sequence[float], y: Sequence[float]) -> tuple[Floats, Floats]:
    a, b = np.asarray(x, np.float64), np.asarray(y, np.float64)
    if a.ndim != 1 or a.shape != b.shape:
        raise SummetryError(
            f"a correlation needs two lists of the same length, got {len(a)} and {len(b)}"
        )
    return a, b


def _noise(a: Floats) -> float:
    """How near numbers of a list are that are the same."""
    return SAME * float(np.abs(a[np.isfinite(a)]).max(initial=0.0))


def _same(a: Floats, b: Floats, noise: float) -> Bools:
    with np.errstate(invalid="ignore"):
        # An infinite number is the same as nothing but itself.
        found: Bools = (np.abs(a - b) <= noise) | (a == b)
    return found


def _is_constant(a: Floats) -> bool:
    return bool(_same(a.min(keepdims=True), a.max(keepdims=True), _noise(a))[0])


def _signs(a: Floats) -> Floats:
    """+1, 0 or -1 for every pair i < j."""
    i, j = np.triu_indices(len(a), 1)
    above = np.where(a[i] > a[j], 1.0, -1.0)
    found: Floats = np.where(_same(a[i], a[j], _noise(a)), 0.0, above)
    return found


def _balance(a: Floats, b: Floats) -> int:
    return int((_signs(a) * _signs(b)).sum())


def _untied(a: Floats) -> int:
    return int(np.abs(_signs(a)).sum())
