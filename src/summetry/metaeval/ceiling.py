"""How well one judge follows the others: what a metric can be measured by.

Each judge is left out in turn, and the marks of that judge are compared with the mean of the
others' on the summaries that both have marked, as a metric is compared with people. The ceiling is
the mean over judges.

Judges who marked too little for a coefficient are left out. If no judge has one, because each
marked a few summaries only, the first mark of each summary (by the names of the judges) stands for
one judge, the second for another, and so on.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from summetry.arrays.types import Floats
from summetry.metaeval.grids import GridJudgments
from summetry.stats.concordance import divided
from summetry.stats.levels import Level, column_means, correlate
from summetry.stats.weighted import Coefficient


class Ceiling(NamedTuple):
    """The mean coefficient of a judge with the others."""

    value: float
    # Judges in the mean, and all of them.
    judges: int
    given: int
    # Whether the marks of a summary, in order, stand for judges.
    by_place: bool = False
    # Why there is no value; empty where there is one.
    reason: str = ""


def ceiling(marks: GridJudgments, level: Level, coefficient: Coefficient) -> Ceiling:
    """How far a judge agrees with the mean of the others, on average."""
    judges = len(marks.judges)
    if judges < 2:
        reason = "there is only one judge" if judges else "there is no judge"
        return Ceiling(math.nan, 0, judges, reason=reason)
    if ((~np.isnan(marks.values)).sum(axis=0) < 2).all():
        return Ceiling(math.nan, 0, judges, reason="no summary was judged by two judges")
    values = one_against_others(marks.values, level, coefficient)
    by_place = bool(np.isnan(values).all())
    if by_place:
        values = one_against_others(in_places(marks.values), level, coefficient)
    defined = int((~np.isnan(values)).sum())
    value = float(column_means(values[:, None])[0])
    reason = "" if defined else "no judge has a coefficient with the others"
    return Ceiling(value, defined, judges, by_place, reason)


def one_against_others(marks: Floats, level: Level, coefficient: Coefficient) -> Floats:
    """Each judge's coefficient with the mean of the others; judges x systems x topics.

    >>> marks = np.array([[[1.0], [2.0], [3.0]], [[1.0], [2.0], [3.0]], [[3.0], [2.0], [1.0]]])
    >>> one_against_others(marks, "summary", "tau_a").tolist()
    [0.0, 0.0, -1.0]
    """
    marked = ~np.isnan(marks)
    numbers = np.where(marked, marks, 0.0)
    sums, counts = numbers.sum(axis=0), marked.sum(axis=0)
    values = []
    for judge, own in enumerate(marks):
        others = divided(sums - numbers[judge], counts - marked[judge])
        values.append(correlate(own, others, level, coefficient).value)
    return np.array(values)


def in_places(marks: Floats) -> Floats:
    """The first mark of every cell, the second one, and so on, as if one judge gave each."""
    order = np.argsort(np.isnan(marks), axis=0, kind="stable")
    ordered: Floats = np.take_along_axis(marks, order, axis=0)
    most = int((~np.isnan(marks)).sum(axis=0).max(initial=0))
    return ordered[:most]
