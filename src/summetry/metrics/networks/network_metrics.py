"""SumACCY and WSumACCY: accuracy against the network of all manual summaries.

    SumACCY = (Len - (Sub + Ins + Del)) / Len * 100    for the path closest to the candidate
    WSumACCY = P(path) / P(most reliable path) * SumACCY
    P(path) = (product over its arcs of people who took the arc / all people) ** (1 / arcs)

Manual summaries are merged into one network (see ``_network``); any path through it is a right
answer. Closest is the path with the fewest edits, of equals the longest, or with
``criterion=accuracy`` the one with the largest SumACCY; of equals the most reliable, then the
first by its units. P is over the arcs between units as eq. 5 is printed, with
``boundaries=true`` over those from ``<s>`` and to ``</s>`` too. A path of one unit has no arc as
printed; the metric then takes the boundaries too and says so in a remark.

Values are per cent, below 0 where there are more edits than units. A candidate without units has
0. Empty manual summaries are left out; without any there is no value.

Source: Hori, Hirao and Isozaki (2004), sections 2.3 and 2.4, eq. 1, 4 and 5.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from summetry import spec
from summetry.errors import counted
from summetry.metrics.base import METRICS, Counts, explained
from summetry.metrics.explanations import Explanation, Match, Part
from summetry.metrics.networks.base import (
    Manual,
    SequenceMetric,
    by_manual,
    one_value,
)
from summetry.metrics.networks.network import Network, Path, merge
from summetry.metrics.networks.search import Closest, Criterion, closest, closest_path
from summetry.records.batches import Batch, Comparison

__all__ = ["Network", "SumAccuracy", "merge", "sum_accy"]


class SumAccuracy(NamedTuple):
    """SumACCY and WSumACCY of a sequence, the path it was measured by, and the best path."""

    value: float
    weighted: float
    distance: int
    length: int
    target: Path
    reliability: float
    best_path: Path | None
    best_reliability: float


def sum_accy(
    hypothesis: Sequence[int],
    references: Network | Sequence[Sequence[int]],
    criterion: Criterion = "distance",
    boundaries: bool = False,
) -> SumAccuracy:
    """SumACCY and WSumACCY by manual summaries, each its units in source order.

    >>> found = sum_accy([2, 3, 6], [[0, 2, 3], [2, 3, 5, 6], [3, 6]])
    >>> found.value, found.target, round(found.weighted, 3)
    (100.0, (2, 3, 6), 70.711)
    """
    network = references if isinstance(references, Network) else merge(references)
    found = closest(network, [hypothesis], criterion, boundaries)
    distance, length = int(found.distances[0]), int(found.lengths[0])
    best = network.best_path(boundaries)
    value = 100 * (length - distance) / length
    ratio = network.reliability_ratio(found.mean(0), best.mean) if best else math.nan
    return SumAccuracy(
        value,
        value * ratio,
        distance,
        length,
        closest_path(network, hypothesis, criterion, boundaries),
        network.reliability(found.mean(0)),
        best.path if best else None,
        network.reliability(best.mean) if best else math.nan,
    )


@METRICS.register
@dataclass(frozen=True)
class SumAccy(SequenceMetric):
    """Accuracy by the closest path of the network (Hori et al., section 2.3)."""

    criterion: Criterion = "distance"

    name: ClassVar[str] = "sum_accy"

    def count(self, batch: Batch) -> Counts:
        compared = self.read(batch)
        values = np.full(len(compared), np.nan)
        for manual, rows in by_manual(compared):
            sequences = [compared[row].positions for row in rows]
            found = closest(manual.network, sequences, self.criterion)
            values[rows] = 100 * (found.lengths - found.distances) / found.lengths
        return one_value(values)

    def explain(self, comparison: Comparison) -> Explanation:
        found = self.read_one(comparison)
        if not found.manual.sequences:
            return explained(self, comparison, [found.undefined(self.values)])
        result = sum_accy(found.positions, found.manual.network, self.criterion)
        facts = found.facts() | {"length": float(result.length), "distance": float(result.distance)}
        target = f"target: {found.manual.shown(comparison, result.target)}"
        matches = (Match(target, float(result.length)),)
        part = Part(_in_words(found.manual), facts, {"value": _ACCURACY}, matches)
        return explained(self, comparison, [part])


@METRICS.register
@dataclass(frozen=True)
class WSumAccy(SequenceMetric):
    """SumACCY weighted by how many people went the way of its target (Hori et al., eq. 4)."""

    criterion: Criterion = "distance"
    boundaries: bool = False

    name: ClassVar[str] = "wsum_accy"

    def count(self, batch: Batch) -> Counts:
        compared = self.read(batch)
        values = np.full(len(compared), np.nan)
        for manual, rows, found in self._searched(batch):
            values[rows] = _weighted(manual.network, found, self.boundaries)
            bare = [row for row in rows if math.isnan(values[row])]
            if bare:
                sequences = [compared[row].positions for row in bare]
                again = closest(manual.network, sequences, self.criterion, True)
                values[bare] = _weighted(manual.network, again, True)
        return one_value(values)

    def notes(self, batch: Batch) -> dict[str, int]:
        told = super().notes(batch)
        single = negative = 0
        for manual, _, found in self._searched(batch):
            single += int(np.isnan(_weighted(manual.network, found, self.boundaries)).sum())
            negative += int((found.distances > found.lengths).sum())
        told["a path of one unit, so the arcs at <s> and </s> were counted"] = single
        told["SumACCY below 0, which a less reliable target brings nearer to 0"] = negative
        return {what: count for what, count in told.items() if count}

    def explain(self, comparison: Comparison) -> Explanation:
        found = self.read_one(comparison)
        if not found.manual.sequences:
            return explained(self, comparison, [found.undefined(self.values)])
        network = found.manual.network
        result = sum_accy(found.positions, network, self.criterion, self.boundaries)
        boundaries = self.boundaries or math.isnan(result.weighted)
        if boundaries:
            result = sum_accy(found.positions, network, self.criterion, boundaries)
        facts = found.facts() | {
            "length": float(result.length),
            "distance": float(result.distance),
            "reliability": result.reliability,
            "best": result.best_reliability,
            "boundaries": float(boundaries),
        }
        shown = found.manual.shown
        matches = (
            Match(f"target: {shown(comparison, result.target)}", result.reliability),
            Match(f"most reliable: {shown(comparison, result.best_path or ())}", facts["best"]),
        )
        formula = {"value": f"{_ACCURACY} * reliability / best"}
        part = Part(_in_words(found.manual), facts, formula, matches)
        return explained(self, comparison, [part])

    def _searched(self, batch: Batch) -> list[tuple[Manual, list[int], Closest]]:
        """The closest paths for the rows of a batch, by the manual summaries that they meet."""
        return batch.derived(("closest", spec.show(self)), lambda: list(self._search(batch)))

    def _search(self, batch: Batch) -> Iterator[tuple[Manual, list[int], Closest]]:
        compared = self.read(batch)
        for manual, rows in by_manual(compared):
            sequences = [compared[row].positions for row in rows]
            yield manual, rows, closest(manual.network, sequences, self.criterion, self.boundaries)


def _weighted(network: Network, found: Closest, boundaries: bool) -> list[float]:
    """Eq. 4 for each path that was found, NaN where a reliability is not defined."""
    best = network.best_path(boundaries)
    accuracy = (100 * (found.lengths - found.distances) / found.lengths).tolist()
    if best is None:
        return [math.nan] * len(accuracy)
    return [
        value * network.reliability_ratio(found.mean(row), best.mean)
        for row, value in enumerate(accuracy)
    ]


_ACCURACY = "100 * (length - distance) / length"


def _in_words(manual: Manual) -> str:
    network = manual.network
    return (
        f"the network of {counted(network.people, 'manual summary')} "
        f"({counted(len(network.heads), 'arc')}, {network.paths_in_words})"
    )
