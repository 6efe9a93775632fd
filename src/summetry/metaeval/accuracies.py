"""How often metrics and people agree on which of two systems is better, beside chance.

At the level of systems soft pairwise accuracy, which compares how sure both are; at the level of
topics pairwise accuracy with the epsilon below which the metric ties that suits it best (see
``stats.pairwise``). The sign of a metric whose lower numbers are better is reversed.

Beside the metrics stand null judges (``nulls``): those of texts, in the direction in which the
means of the systems follow people, and a constant, which ties every pair. What random numbers get
is the chance of every row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from summetry.metaeval.columns import better_of
from summetry.metaeval.correlation_tables import CorrelateSettings
from summetry.metaeval.selection import JudgedScores
from summetry.records.scores import Column
from summetry.stats.pairwise import (
    Accuracy,
    SoftAccuracy,
    calibrated_accuracy,
    soft_pairwise_accuracy,
)


class MetricAccuracy(NamedTuple):
    """Both accuracies of one value against one dimension."""

    protocol: str
    part: str
    dimension: str
    column: Column
    soft: SoftAccuracy
    calibrated: Accuracy


def accuracies(parts: Sequence[JudgedScores], settings: CorrelateSettings) -> list[MetricAccuracy]:
    """The accuracies of all values that have a direction, and of null judges after them."""
    rows = []
    for part in parts:
        people = part.marks.means()
        metrics = zip(part.grid.columns, part.oriented(), strict=True)
        for column, table in (*metrics, *part.null_tables()):
            if better_of(column) == "neither":
                continue
            draws, seed = settings.resamples, settings.seed
            soft = soft_pairwise_accuracy(table, people, draws=draws, seed=seed)
            best = calibrated_accuracy(table, people)
            where = (part.protocol, part.part, part.dimension)
            rows.append(MetricAccuracy(*where, column, soft, best))
    return rows
