"""What a report needs of a plan: the metrics that are taken where none is named, and why each
summary has its scores."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from summetry.engine.plan import Item, Plan, check_items
from summetry.engine.targets import with_majority
from summetry.errors import SummetryError
from summetry.metaeval.grids import Grid
from summetry.metrics import DEFAULT_METRICS, METRICS, Explanation, Metric, Needs
from summetry.metrics.base import offers
from summetry.records.batches import Comparison
from summetry.records.scores import Column, Row

# One metric of each kind beside those of ``score``: more would make a page that nobody reads.
ONE_OF_EACH = (
    *DEFAULT_METRICS, "cosine", "memog", "js_divergence", "lsa_main_topic", "pyramid",
    "coselection", "relative_utility", "sum_accy",
)  # fmt: skip

ONLY_A_VALUE = "Another program or a judge gave this value: nothing of it can be lit up."


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


def texts_of(plan: Plan, rows: Collection[Row]) -> dict[Row, str]:
    """The texts of a few summaries; a plan that is a file is read up to the last of them."""
    missing, texts = set(rows), dict[Row, str]()
    for chunk in plan.chunks() if missing else ():
        for row, text in zip(chunk.rows(), chunk.texts(), strict=True):
            if row in missing:
                texts[row] = text
                missing.remove(row)
        if not missing:
            break
    return texts


@dataclass(frozen=True)
class TopicTask:
    """The summaries of one topic, and the metrics that are to be explained."""

    topic: str
    items: tuple[Item, ...]
    columns: tuple[Column, ...]
    # The values of each system by metrics that cannot be built again: of others, or of judges.
    values: Mapping[str, Mapping[str, Mapping[str, float]]]


def topic_tasks(plan: Plan, grid: Grid) -> list[TopicTask]:
    """The summaries of the systems of a grid, topic by topic as its topics come."""
    items: dict[str, list[Item]] = {topic: [] for topic in grid.topics}
    for item in plan.items():
        if item.row.topic in items and item.row.author in grid.systems:
            items[item.row.topic].append(item)
    return [
        TopicTask(topic, tuple(of_topic), grid.columns, _values(grid, place))
        for place, (topic, of_topic) in enumerate(items.items())
    ]


def _values(grid: Grid, topic: int) -> dict[str, dict[str, dict[str, float]]]:
    """The values on a topic by metrics that cannot be built again: by metric and system."""
    built = metrics_of(grid.columns)
    values: dict[str, dict[str, dict[str, float]]] = {}
    for column, numbers in zip(grid.columns, grid.values[:, :, topic].tolist(), strict=True):
        if column.metric not in built:
            of_metric = values.setdefault(column.metric, {})
            for system, number in zip(grid.systems, numbers, strict=True):
                of_metric.setdefault(system, {})[column.value] = number
    return values


def explained(task: TopicTask) -> Iterator[Explained]:
    """Every summary of a topic by every metric that has what it needs there."""
    for name, metric in metrics_of(task.columns).items():
        for item in task.items:
            # Of several groups of references, the first stands for all: they differ by one each.
            comparison = with_majority(item.comparisons[:1], [metric])[0]
            if metric.needs == Needs.NOTHING:
                # What the metric does not look at would only seem to be compared.
                comparison = Comparison(comparison.material, comparison.candidate)
            if not metric.needs & ~Needs(offers(comparison)):
                explanation = metric.explain(comparison)
                yield Explained(item.row, name, explanation, comparison, metric.legend)
    for name, values in task.values.items():
        for item in task.items:
            author = item.row.author
            own = dict(values[author])
            explanation = Explanation(name, task.topic, author, own, (), note=ONLY_A_VALUE)
            yield Explained(item.row, name, explanation, item.comparisons[0], "")
