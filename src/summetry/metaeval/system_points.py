"""Each system by the mean of its scores and the mean of its marks, both with intervals.

Both means are over the summaries that have a score and a mark, so that a point of a chart stands
for the same texts in both directions. Intervals are percentiles of means of topics that were
drawn with replacement.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from summetry.arrays.types import Floats
from summetry.metaeval.selection import JudgedScores
from summetry.stats.contrasts import bootstrap_rows
from summetry.stats.levels import same_cells, system_means
from summetry.stats.ratings import Estimate
from summetry.stats.significance import DRAWS


class SystemPoint(NamedTuple):
    """A system on both scales, over so many summaries; of a single topic there is no interval."""

    system: str
    role: str
    score: Estimate
    mark: Estimate
    summaries: int


def system_points(
    judged: JudgedScores, place: int, draws: int = DRAWS, seed: int = 0, alpha: float = 0.05
) -> list[SystemPoint]:
    """All systems that have a score of the value at ``place`` and a mark on the same summary."""
    scores, marks = same_cells(judged.grid.values[place], judged.marks.means())
    counts = (~np.isnan(scores)).sum(axis=1)
    kept = np.flatnonzero(counts).tolist()
    means = [_means(values[kept], draws, seed, alpha) for values in (scores, marks)]
    most = judged.grid.infinite_from(judged.grid.columns[place])
    means[0] = [_infinite_beyond(mean, most) for mean in means[0]]
    return [
        SystemPoint(judged.grid.systems[n], judged.grid.roles[n], score, mark, int(counts[n]))
        for n, score, mark in zip(kept, *means, strict=True)
    ]


def _infinite_beyond(mean: Estimate, most: float) -> Estimate:
    """A mean with an infinite score is infinite, and so may be the ends of its interval."""
    return Estimate(*(math.copysign(math.inf, n) if abs(n) > most else n for n in mean))


def _means(rows: Floats, draws: int, seed: int, alpha: float) -> list[Estimate]:
    spread = bootstrap_rows(rows, draws, seed, 1 - alpha)
    columns = (system_means(rows), spread.low, spread.high)
    return [Estimate(*numbers) for numbers in zip(*(c.tolist() for c in columns), strict=True)]
