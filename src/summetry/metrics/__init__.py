"""One file a family of metrics; ``METRICS`` finds them by name."""

from summetry.metrics._base import FAMILIES, METRICS, Counts, Metric, Needs
from summetry.metrics._explain import Explanation, Match, Part

__all__ = ["FAMILIES", "METRICS", "Counts", "Explanation", "Match", "Metric", "Needs", "Part"]
