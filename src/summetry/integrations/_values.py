"""One number for each metric that is asked for, as programs that evaluate models expect it."""

from __future__ import annotations

from collections.abc import Sequence

from summetry.engine.chunks import build_metrics
from summetry.engine.run import MetricLike
from summetry.records.scores import Column
from summetry.records.text_scores import TextScores


def one_value_each(
    scores: TextScores, metrics: MetricLike | Sequence[MetricLike]
) -> dict[str, float]:
    """The headline of each metric under its name; a value that is picked under its own.

    >>> from summetry import score
    >>> one_value_each(score("a b", "b c d", "rouge1,rouge1.recall"), "rouge1")
    {'rouge1': 0.4}
    >>> one_value_each(score("a b", "b c d", "rouge1.precision"), "rouge1.precision")
    {'rouge1.precision': 0.5}
    """
    values = {}
    for name, metric, asked in build_metrics(metrics):
        is_picked = len(asked) == 1
        value = asked[0] if is_picked else metric.headline
        shown = Column(name, value).name if is_picked else name
        values[shown] = float(scores[name][value])
    return values
