"""Do a metric and people find the same differences between systems significant?

Every pair of systems has a verdict by each: the first is significantly better, or worse, or there
is no significant difference. The README of the AESOP results counts them so:

                              people: significant    people: not
    metric: significant                a                  b
    metric: not significant            c                  d        e: both, opposite directions

    agreements = a + d, disagreements = b + c + e

Source: Giannakopoulos et al. (2011), appendix A.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from summetry.arrays.types import Floats
from summetry.errors import SummetryError
from summetry.stats.significance import is_significant


class Discrimination(NamedTuple):
    """Counts of pairs of systems; ``left_out`` are those without a p."""

    both: int
    metric_only: int
    people_only: int
    neither: int
    opposite: int
    left_out: int

    @property
    def agreements(self) -> int:
        return self.both + self.neither

    @property
    def disagreements(self) -> int:
        return self.metric_only + self.people_only + self.opposite

    @property
    def found(self) -> float:
        """The share of people's significant pairs that the metric finds, in the same direction."""
        return _share(self.both, self.both + self.people_only + self.opposite)

    @property
    def false_discoveries(self) -> float:
        """The share of the metric's significant pairs that people do not find significant."""
        return _share(self.metric_only, self.both + self.metric_only + self.opposite)


def discrimination(
    metric_p: ArrayLike,
    metric_differences: ArrayLike,
    people_p: ArrayLike,
    people_differences: ArrayLike,
    alpha: float = 0.05,
) -> Discrimination:
    """The counts from square tables of p and of differences; see ``significance`` for alpha.

    >>> p, d = [[1, 0.01], [0.01, 1]], [[0, 2], [-2, 0]]
    >>> discrimination(p, d, p, d).agreements
    1
    """
    tables = [metric_p, metric_differences, people_p, people_differences]
    numbers = [np.asarray(table, np.float64) for table in tables]
    shapes = {table.shape for table in numbers}
    size = len(numbers[0])
    if shapes != {(size, size)}:
        raise SummetryError(f"four square tables of one size are needed, got {sorted(shapes)}")
    pairs = np.triu_indices(size, 1)
    metric, people = (
        _verdicts(p[pairs], differences[pairs], alpha)
        for p, differences in (numbers[:2], numbers[2:])
    )
    there = ~np.isnan(metric) & ~np.isnan(people)
    metric, people = metric[there], people[there]
    return Discrimination(
        both=int((metric * people == 1).sum()),
        metric_only=int(((metric != 0) & (people == 0)).sum()),
        people_only=int(((metric == 0) & (people != 0)).sum()),
        neither=int(((metric == 0) & (people == 0)).sum()),
        opposite=int((metric * people == -1).sum()),
        left_out=int((~there).sum()),
    )


def _verdicts(p: Floats, differences: Floats, alpha: float) -> Floats:
    """1 or -1 for a significant difference, 0 for none, NaN where there is no p."""
    directions = np.where(is_significant(p, alpha), np.sign(differences), 0.0)
    return np.where(np.isnan(p), np.nan, directions)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
