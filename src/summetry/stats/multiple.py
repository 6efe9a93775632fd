"""Many comparisons at once: adjusted p, Tukey's test, and groups of the significantly different.

With m p-values in ascending order, the adjusted ones are (each not below the one before, nor
above 1; for Benjamini's two rules not above the one after):

    Bonferroni               m p
    Holm                     (m - k + 1) p_k      as safe as Bonferroni, and never larger
    Benjamini and Hochberg   m p_k / k            bounds the share of false ones among those found
    Benjamini and Yekutieli  c m p_k / k          the same, however the tests depend on each other

with c = 1 + 1/2 + ... + 1/m.

An undefined p stays undefined and does not count.

Tukey's honest significant difference compares the means of all pairs of systems under one alpha:
q = |difference| / sqrt(s^2 / 2 (1 / n_i + 1 / n_k)), s^2 the variance within systems (Kramer's
form for different n). Means nearer than 1e-12 of the largest score are the same. It takes the
scores as independent, which scores on the same topics are not: paired tests see more.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from summetry.arrays.types import Floats
from summetry.errors import SummetryError
from summetry.stats.concordance import SAME, divided
from summetry.stats.levels import same_cells
from summetry.stats.significance import is_significant
from summetry.stats.studentized import studentized_range_tail


class Tukey(NamedTuple):
    """For each pair of rows: mean of the first minus that of the second, and p."""

    differences: Floats
    p: Floats
    # p of the analysis of variance: whether there is any difference at all.
    anova: float
    freedom: int
    reason: str = ""


class Conjunction(NamedTuple):
    """In how many of several data sets there is a difference, and in which."""

    data_sets: int
    places: tuple[int, ...]


def bonferroni(p: Sequence[float] | Floats) -> Floats:
    """Each p times how many there are.

    >>> bonferroni([0.01, 0.04, 0.6]).tolist()
    [0.03, 0.12, 1.0]
    """
    return _adjusted(p, lambda ascending: ascending * len(ascending))


def holm(p: Sequence[float] | Floats) -> Floats:
    """Holm's step-down adjustment.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    return _adjusted(p, lambda p: np.maximum.accumulate(p * (len(p) - np.arange(len(p)))))


def benjamini_hochberg(p: Sequence[float] | Floats) -> Floats:
    """The smallest false discovery rate at which each is found.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.04, 0.04]
    """
    return _adjusted(p, _discovery_rates)


def benjamini_yekutieli(p: Sequence[float] | Floats) -> Floats:
    """As :func:`benjamini_hochberg`, for tests that may depend on each other in any way.

    >>> benjamini_yekutieli([0.01, 0.04, 0.02]).round(6).tolist()
    [0.055, 0.073333, 0.055]
    """
    return _adjusted(p, partial(_discovery_rates, may_depend=True))


def _discovery_rates(ascending: Floats, may_depend: bool = False) -> Floats:
    numbers = np.arange(1, len(ascending) + 1)
    rates = ascending * (len(ascending) * ((1 / numbers).sum() if may_depend else 1) / numbers)
    return np.minimum.accumulate(rates[::-1])[::-1]


def _adjusted(p: Sequence[float] | Floats, steps: Callable[[Floats], Floats]) -> Floats:
    """What ``steps`` makes of the defined p in ascending order, at their places."""
    adjusted = np.array(p, np.float64)
    if adjusted.ndim != 1:
        raise SummetryError(f"p-values must be one list, got {adjusted.ndim} dimensions")
    defined = adjusted[~np.isnan(adjusted)]
    if ((defined < 0) | (defined > 1)).any():
        raise SummetryError(f"p-values are between 0 and 1, got {defined.tolist()}")
    # What is undefined comes last.
    places = np.argsort(adjusted, kind="stable")[: len(defined)]
    adjusted[places] = np.minimum(steps(adjusted[places]), 1.0)
    return adjusted


def partial_conjunction(p: Sequence[float] | Floats, alpha: float = 0.05) -> Conjunction:
    """On how many data sets a metric is better, from a p of each (Dror et al. 2017).

    >>> partial_conjunction([0.01, 0.04, 0.03, 0.2])
    Conjunction(data_sets=1, places=(0,))
    """
    places = np.flatnonzero(is_significant(holm(p), alpha))
    return Conjunction(len(places), tuple(places.tolist()))


def tukey_hsd(x: ArrayLike) -> Tukey:
    """Tukey's test of all pairs of rows; missing cells are left out of their row."""
    from scipy.special import fdtrc

    (table,) = same_cells(x)
    present = ~np.isnan(table)
    counts = present.sum(axis=1)
    used = counts > 0
    systems, freedom = int(used.sum()), int(counts.sum() - used.sum())
    means = divided(np.where(present, table, 0.0).sum(axis=1), counts)
    differences = means[:, None] - means
    if systems < 2 or freedom < 1:
        p = np.full(differences.shape, np.nan)
        return Tukey(differences, p, math.nan, freedom, _too_few(systems, freedom))
    residuals = np.where(present, table - means[:, None], 0.0)
    within = float((residuals**2).sum()) / freedom
    overall = table[present].mean()
    between = float((counts * (np.where(used, means, overall) - overall) ** 2).sum())
    # Where nothing varies within systems, the noise of addition would be a difference.
    same = np.abs(differences) <= SAME * np.abs(table[present]).max()
    if same[used][:, used].all():
        between = 0.0
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.sqrt(within / 2 * (1 / counts[:, None] + 1 / counts))
        q = np.where(same, 0.0, np.abs(differences) / error)
        f = np.float64(between / (systems - 1)) / within
    i, k = np.nonzero(np.triu(used[:, None] & used, 1))
    p = np.where(used[:, None] & used, 1.0, np.nan)
    tails = studentized_range_tail(q[i, k], systems, freedom)
    p[i, k] = p[k, i] = np.maximum(tails, sys.float_info.min)
    anova = max(float(fdtrc(systems - 1, freedom, f)), sys.float_info.min) if between else 1.0
    return Tukey(differences, p, anova, freedom)


def significance_clusters(values: ArrayLike, p: ArrayLike, alpha: float = 0.05) -> list[int]:
    """Ranks from 1; a new one begins where one of the rank above is significantly better.

    ``p[i][k]`` is the one-sided p that i is no better than k. Larger values are better, equal
    ones are in the order given, and an undefined value has rank 0.

    >>> significance_clusters([3, 2, 1], [[1, 0.01, 0.001], [1, 1, 0.2], [1, 1, 1]])
    [1, 2, 2]
    """
    numbers, table = np.asarray(values, np.float64), np.asarray(p, np.float64)
    if table.shape != (len(numbers), len(numbers)):
        raise SummetryError(
            f"{len(numbers)} values need a p for each pair, {len(numbers)} x {len(numbers)}, "
            f"got shape {table.shape}"
        )
    order = [i for i in np.argsort(-numbers, kind="stable").tolist() if not np.isnan(numbers[i])]
    ranks, rank, start = [0] * len(numbers), 1, 0
    for at, i in enumerate(order):
        if is_significant(table[order[start:at], i], alpha).any():
            rank, start = rank + 1, at
        ranks[i] = rank
    return ranks


def _too_few(systems: int, freedom: int) -> str:
    if systems < 2:
        return f"Tukey's test needs two systems with a score, got {systems}"
    return f"Tukey's test needs a system with two scores or more, got {freedom} beyond the first"
