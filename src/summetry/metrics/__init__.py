"""One file or package per family of metrics; ``METRICS`` finds them by name."""

from summetry.metrics.base import (
    FAMILIES,
    METRICS,
    Better,
    Counts,
    Metric,
    Needs,
    Over,
    Scores,
    explained,
    means,
    over_references,
    ratio,
)
from summetry.metrics.explanations import Explanation, Match, Part, Sheet, left_out
from summetry.metrics.functions import as_metric

METRICS.accept_functions(as_metric)

# What is computed where no metric is named.
DEFAULT_METRICS = ("rouge-1", "rouge-2", "rouge-l")

__all__ = [
    "DEFAULT_METRICS",
    "FAMILIES",
    "METRICS",
    "Better",
    "Counts",
    "Explanation",
    "Match",
    "Metric",
    "Needs",
    "Over",
    "Part",
    "Scores",
    "Sheet",
    "as_metric",
    "explained",
    "left_out",
    "means",
    "over_references",
    "ratio",
]
