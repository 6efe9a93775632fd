"""What a combination is made of: one value of a metric, as a spelling names it, and its counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from summetry import spec
from summetry.errors import SummetryError
from summetry.metrics.base import Counts, Metric, build_metric
from summetry.spec import Spec


@dataclass(frozen=True)
class MetricValue:
    """A metric, and the name of one of its values."""

    metric: Metric
    value: str

    @staticmethod
    def from_spec(given: Any) -> MetricValue:
        """The value that ``rouge_n(n=2).recall`` names; without a name, the metric's headline."""
        if isinstance(given, MetricValue):
            return given
        if not isinstance(given, str | Spec):
            raise SummetryError(f"of: expected metrics such as rouge_n(n=2).recall, got {given!r}")
        metric, pick = build_metric(given)
        return MetricValue(metric, pick or metric.headline)

    def to_spec(self) -> Spec:
        """The spelling; of a metric with one value that value is not named."""
        pick = self.value if len(self.metric.values) > 1 else ""
        return Spec(self.metric.name, spec.changed_options(self.metric), pick)

    def __str__(self) -> str:
        return str(self.to_spec())


def side_by_side(pieces: Sequence[Counts]) -> Counts:
    """Counts of several metrics in one table, in front of them 1 and how wide each is.

    Rows may be added up, as those of one metric may: in front of a sum of n rows there is n, and
    n times each width.

    >>> side_by_side([np.array([[5.0, 6.0]]), np.array([[7.0]])]).tolist()
    [[1.0, 2.0, 1.0, 5.0, 6.0, 7.0]]
    """
    widths = [1.0, *(float(piece.shape[1]) for piece in pieces)]
    front = np.tile(widths, (len(pieces[0]), 1))
    return np.hstack([front, *pieces])


def apart(counts: Counts, number: int) -> list[Counts] | None:
    """What :func:`side_by_side` put together of so many; None of no rows, or sums of no rows."""
    rows = counts[counts[:, 0] > 0][:1]
    if not len(rows):
        return None
    widths = np.rint(rows[0, 1 : number + 1] / rows[0, 0]).astype(np.int64)
    ends = number + 1 + np.cumsum(widths)
    return np.split(counts, [number + 1, *ends[:-1]], axis=1)[1:]
