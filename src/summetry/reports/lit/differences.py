"""Where do two systems differ most? The topics by the difference of their values.

Where a metric and the judges do, ``static/report.js`` says.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """One topic: both values, and the first minus the second."""

    topic: str
    first: float
    second: float
    difference: float


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
    # The largest difference first, of equals the earlier; topics without one are counted.
    kept = [row for row in rows if not math.isnan(row.difference)]
    kept.sort(key=lambda row: -abs(row.difference))
    absent = len(rows) - len(kept)
    words = ("topic has", "is") if absent == 1 else ("topics have", "are")
    left_out = f"{absent:,} {words[0]} no value of both and {words[1]} left out"
    return Differences(first, second, of, tuple(kept), (left_out,) if absent else ())
