"""Where do they differ most? The topics by how far two systems, or a metric and the judges, differ.

Two systems differ by the difference of their values. A metric and the judges have no common scale:
each is standardized over all summaries that have both (the value minus the mean, divided by the
standard deviation), so a difference of 1 is one standard deviation; above 0 the metric thinks
better of a summary than the judges do.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """One topic: both values, and the first minus the second."""

    topic: str
    first: float
    second: float
    difference: float
    # The system, where a metric and the judges differ.
    system: str = ""


@dataclass(frozen=True)
class Differences:
    """The topics, the largest difference either way first."""

    first: str
    second: str
    of: str
    rows: tuple[Difference, ...]
    notes: tuple[str, ...] = ()


Values = Mapping[tuple[str, str], float]


def differ_most(values: Values, first: str, second: str, of: str = "") -> Differences:
    """Topics by how far two systems differ; ``values`` are by topic and system.

    >>> differ_most({("t", "a"): 0.5, ("t", "b"): 0.25}, "a", "b").rows[0].difference
    0.25
    """
    topics = dict.fromkeys(topic for topic, system in values if system in (first, second))
    rows = []
    for topic in topics:
        here, there = (values.get((topic, system), math.nan) for system in (first, second))
        rows.append(Difference(topic, here, there, here - there))
    return _sorted(first, second, of, rows)


def judges_differ_most(
    values: Values, judged: Values, of: str = "", judges: str = "", lower_is_better: bool = False
) -> Differences:
    """Summaries by how far a metric and the judges differ, both standardized.

    ``values`` and ``judged`` are by topic and system; where lower values are better they are
    turned round first.
    """
    both = [key for key in values if not math.isnan(values[key] + judged.get(key, math.nan))]
    sign = -1 if lower_is_better else 1
    mine = _standardized([sign * values[key] for key in both])
    theirs = _standardized([judged[key] for key in both])
    rows = [
        Difference(topic, here, there, here - there, system)
        for (topic, system), here, there in zip(both, mine, theirs, strict=True)
    ]
    return _sorted(of, judges, of, rows)


def _standardized(values: Sequence[float]) -> list[float]:
    """Minus the mean, divided by the standard deviation (of all, not of a sample).

    Where all are equal nothing is above or below the mean.
    """
    if not values:
        return []
    mean, spread = statistics.fmean(values), statistics.pstdev(values)
    return [(value - mean) / spread if spread else 0.0 for value in values]


def _sorted(first: str, second: str, of: str, rows: Sequence[Difference]) -> Differences:
    """The largest difference first, of equals the earlier; topics without one are named."""
    kept = [row for row in rows if not math.isnan(row.difference)]
    kept.sort(key=lambda row: -abs(row.difference))
    absent = len(rows) - len(kept)
    words = ("topic has", "is") if absent == 1 else ("topics have", "are")
    left_out = f"{absent} {words[0]} no value of both and {words[1]} left out"
    notes = (left_out,) if absent else ()
    return Differences(first, second, of, tuple(kept), notes)
