"""One value of a metric, as a spelling names it: what a combination is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from summetry import spec
from summetry.errors import SummetryError
from summetry.metrics._base import METRICS, Metric
from summetry.model.batches import Batch
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
        wanted = spec.parse(given) if isinstance(given, str) else given
        if not isinstance(wanted, Spec):
            raise SummetryError(f"of: expected metrics such as rouge_n(n=2).recall, got {given!r}")
        metric = METRICS.build(wanted)
        if wanted.pick and wanted.pick not in metric.values:
            known = ", ".join(metric.values)
            raise SummetryError(f"{metric.name} has no value {wanted.pick!r}; its values: {known}")
        return MetricValue(metric, wanted.pick or metric.headline)

    def to_spec(self) -> Spec:
        """The spelling; of a metric with one value that value is not named."""
        pick = self.value if len(self.metric.values) > 1 else ""
        return Spec(self.metric.name, spec.changed_options(self.metric), pick)

    def __str__(self) -> str:
        return str(self.to_spec())


def width(metric: Metric) -> int:
    """How many columns the counts of a metric have."""
    return int(metric.count(Batch([])).shape[1])
