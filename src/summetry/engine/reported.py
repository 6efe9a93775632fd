"""What a report needs of a plan: the metrics that are taken where none is named, and why each
summary has its scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from summetry.engine.plan import Item, Plan, check_items
from summetry.engine.targets import with_majority
from summetry.errors import SummetryError
from summetry.metrics import DEFAULT_METRICS, METRICS, Explanation, Metric, Needs
from summetry.metrics.base import offers
from summetry.records.batches import Comparison
from summetry.records.scores import Column, Row

# One metric of each kind beside those of ``score``: more would make a page that nobody reads.
ONE_OF_EACH = (
    *DEFAULT_METRICS, "cosine", "memog", "js_divergence", "lsa_main_topic", "pyramid",
    "coselection", "relative_utility", "sum_accy",
)  # fmt: skip


class Explained(NamedTuple):
    """Why one summary has its score by one metric, which is named as a user named it."""

    row: Row
    name: str
    explanation: Explanation
    comparison: Comparison
    legend: str


def reported_metrics(plan: Plan) -> list[str]:
    """The metrics of a report where none is named: one of each kind that the data can feed."""
    check_items(plan)
    return [name for name in ONE_OF_EACH if not METRICS.build(name).needs & ~plan.facts.offered]


def metrics_of(columns: Sequence[Column]) -> dict[str, Metric]:
    """The metrics behind columns of scores, by their names there; only ours can be built again."""
    built: dict[str, Metric] = {}
    for column in columns:
        if column.metric in built or not column.signature:
            continue
        try:
            built[column.metric] = METRICS.build(column.spelling)
        except SummetryError:
            continue  # A function that was given in Python, or a metric of somebody else.
    return built


def explained_topics(
    plan: Plan, metrics: Mapping[str, Metric]
) -> Iterator[tuple[str, Iterator[Explained]]]:
    """Topic by topic, every summary by every metric that has what it needs there."""
    items: dict[str, list[Item]] = {}
    for item in plan.items():
        items.setdefault(item.row.topic, []).append(item)
    for topic, of_topic in items.items():
        yield topic, _explained(of_topic, metrics)


def _explained(items: Sequence[Item], metrics: Mapping[str, Metric]) -> Iterator[Explained]:
    for item in items:
        for name, metric in metrics.items():
            # Of several groups of references, the first stands for all: they differ by one each.
            comparison = with_majority(item.comparisons[:1], [metric])[0]
            if not metric.needs & ~Needs(offers(comparison)):
                explanation = metric.explain(comparison)
                yield Explained(item.row, name, explanation, comparison, metric.legend)
