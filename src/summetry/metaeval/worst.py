"""The summaries with the worst values of one metric, kept while scores stream by."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from summetry.arrays.types import Floats
from summetry.metaeval.columns import better_of, sign_of
from summetry.metaeval.grids import Grid
from summetry.records.scores import Column, Row, ScoreTable, Whose

# How many are listed where nothing else is asked for.
WORST = 10


@dataclass(frozen=True)
class Worst:
    """The summaries with the worst values of a column, the worst first."""

    column: Column
    rows: tuple[tuple[Row, float], ...]
    # How many others have no value.
    undefined: int


class WorstSummaries:
    """The ``count`` worst of all that is added; of equal values those first by id and system.

    No more than ``count`` are kept, however many are added.
    """

    def __init__(self, column: Column, count: int = WORST) -> None:
        self.column, self.count = column, count
        self._sign = sign_of(column)
        self._undefined = 0
        # Sorted: the value with higher ones better, the id, the system, and all of the row.
        self._kept: list[tuple[float, str, str, Row]] = []

    def add(self, rows: Sequence[Row] | Whose, values: Floats) -> None:
        """Rows with their values of the column."""
        merits = self._sign * values
        self._undefined += int(np.isnan(merits).sum())
        limit = self._kept[-1][0] if len(self._kept) == self.count else math.inf
        places = np.flatnonzero(merits <= limit)
        if len(places) > self.count:
            last = np.partition(merits[places], self.count - 1)[self.count - 1]
            places = places[merits[places] <= last]
        if not len(places):
            return
        every = rows.rows() if isinstance(rows, Whose) else rows
        near = [every[place] for place in places.tolist()]
        pairs = zip(merits[places].tolist(), near, strict=True)
        added = ((merit, row.topic, row.author, row) for merit, row in pairs)
        self._kept = heapq.nsmallest(self.count, chain(self._kept, added))

    def worst(self) -> Worst:
        """What is the worst of all that was added."""
        rows = tuple((row, self._sign * merit) for merit, _, _, row in self._kept)
        return Worst(self.column, rows, self._undefined)


def worst_of(table: ScoreTable, grid: Grid, column: Column, count: int = WORST) -> Worst:
    """The worst summaries of a table by a column, of the protocol and the systems of a grid."""
    places = [
        place
        for place, row in enumerate(table.rows)
        if row.protocol == grid.protocol and row.author in grid.systems
    ]
    kept = WorstSummaries(column, count)
    kept.add([table.rows[k] for k in places], table.data[places, table.columns.index(column)])
    return kept.worst()


def directed_column(columns: Sequence[Column]) -> Column | None:
    """The first column that says which direction is better, if there is one."""
    return next((column for column in columns if better_of(column) != "neither"), None)
