"""One file a family of metrics; ``METRICS`` finds them by name."""

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
from summetry.metrics.explanations import Explanation, Match, Part, left_out

__all__ = [
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
    "explained",
    "left_out",
    "means",
    "over_references",
    "ratio",
]
