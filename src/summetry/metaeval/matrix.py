"""How far the metrics agree with each other: the coefficient of every pair, at a level.

No judgments are needed. Signs are as they come: a metric whose lower numbers are better has
negative coefficients with the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

import numpy as np

from summetry.arrays.types import Floats
from summetry.metaeval.correlation_tables import CorrelateSettings
from summetry.metaeval.grids import Grid
from summetry.metaeval.selection import Selection, grids, parts_of
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, ScoreTable
from summetry.stats.levels import Level, correlate
from summetry.stats.weighted import Coefficient


@dataclass(frozen=True, eq=False)
class Matrix:
    """``values[i, k]`` is the coefficient of the columns i and k."""

    protocol: str
    part: str
    level: Level
    coefficient: Coefficient
    columns: tuple[Column, ...]
    values: Floats
    systems: int
    topics: int
    notes: tuple[str, ...] = ()
    # How many systems have a value of each column.
    systems_of: tuple[int, ...] = ()


def matrices(
    tables: Sequence[ScoreTable],
    selection: Selection,
    settings: CorrelateSettings | None = None,
    corpus: Corpus | None = None,
) -> list[Matrix]:
    """A matrix for each protocol, part, level and coefficient; ``corpus`` knows the parts."""
    settings = settings or CorrelateSettings()
    each = []
    for grid in grids(tables, selection):
        for part, own in parts_of(grid, corpus, selection.by).items():
            size = len(own.systems), len(own.topics)
            systems_of = tuple((~np.isnan(own.values)).any(axis=2).sum(axis=1).tolist())
            for level, name in product(settings.levels, settings.coefficients):
                values = matrix_of(own, level, name)
                where = grid.protocol, part, level, name, grid.columns
                each.append(Matrix(*where, values, *size, own.notes, systems_of))
    return each


def matrix_of(grid: Grid, level: Level, coefficient: Coefficient) -> Floats:
    """The coefficients of all pairs of columns; a constant one has none, with itself neither."""
    size = len(grid.columns)
    matrix = np.full((size, size), np.nan)
    for i, k in combinations_with_replacement(range(size), 2):
        value = correlate(grid.values[i], grid.values[k], level, coefficient).value
        matrix[i, k] = matrix[k, i] = value
    return matrix
