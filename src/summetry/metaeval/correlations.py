"""How well the values of metrics follow the marks of a corpus, system by system.

For each system the mean of a value over its topics is set against the mean of its marks over
the same topics and all judges (the system level of the AESOP task).
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass

from summetry.model.corpus import Corpus
from summetry.model.scores import Column, ScoreTable
from summetry.stats.correlation import kendall_tau_b, pearson, spearman


@dataclass(frozen=True, slots=True)
class Following:
    """The correlations of one value with the marks on one dimension, over ``systems`` systems."""

    column: Column
    dimension: str
    systems: int
    pearson: float
    spearman: float
    kendall: float


def follow_marks(table: ScoreTable, corpus: Corpus) -> list[Following]:
    """One line for each value and dimension; topics without a value or a mark are left out."""
    marks = _mean_marks(corpus)
    dimensions = dict.fromkeys(judgment.dimension for judgment in corpus.judgments)
    found = []
    for place, column in enumerate(table.columns):
        for dimension in dimensions:
            values, wanted = _by_system(table, place, marks, dimension)
            coefficients = [f(values, wanted) for f in (pearson, spearman, kendall_tau_b)]
            found.append(Following(column, dimension, len(values), *coefficients))
    return found


def _mean_marks(corpus: Corpus) -> dict[tuple[str, str, str], float]:
    """(topic, author, dimension) -> mean over judges."""
    given: defaultdict[tuple[str, str, str], list[float]] = defaultdict(list)
    for judgment in corpus.judgments:
        key = (judgment.topic, judgment.author, judgment.dimension)
        given[key].append(corpus.mark(judgment))
    return {key: math.fsum(marks) / len(marks) for key, marks in given.items()}


def _by_system(
    table: ScoreTable, place: int, marks: dict[tuple[str, str, str], float], dimension: str
) -> tuple[list[float], list[float]]:
    pairs: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for row, number in zip(table.rows, table.data[:, place].tolist(), strict=True):
        mark = marks.get((row.topic, row.author, dimension))
        if mark is not None and not math.isnan(number):
            pairs[row.author].append((number, mark))
    means = [
        (math.fsum(v for v, _ in got) / len(got), math.fsum(m for _, m in got) / len(got))
        for got in pairs.values()
    ]
    return [value for value, _ in means], [mark for _, mark in means]
