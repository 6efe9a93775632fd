"""SumACCY and WSumACCY: accuracy against the network of all references.

    SumACCY = (Len - (Sub + Ins + Del)) / Len * 100    for the path closest to the candidate
    WSumACCY = P(path) / P(most reliable path) * SumACCY
    P(path) = (product over its arcs of people who took the arc / all people) ** (1 / arcs)

References are merged into one network (see ``network``); any path through it is a right answer.
Closest is the path with the fewest edits, of equals the longest, or with
``criterion=accuracy`` the one with the largest SumACCY; of equals the most reliable, then the
first by its units. P is over the arcs between units as eq. 5 is printed, with
``boundaries=true`` over those from ``<s>`` and to ``</s>`` too. A path of one unit has no arc as
printed; the metric then takes the boundaries too and says so in a note.

Values are per cent, below 0 where there are more edits than units. A candidate without units has
0. Empty references are left out; without any there is no value.

Source: Hori, Hirao and Isozaki (2004), sections 2.3 and 2.4, eq. 1, 4 and 5.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from summetry import spec
from summetry.arrays.types import Floats
from summetry.errors import counted
from summetry.metrics.base import METRICS, Counts, explained
from summetry.metrics.explanations import Explanation, Match, Part
from summetry.metrics.networks.closest import Closest, Criterion, closest, closest_path
from summetry.metrics.networks.network import Network, Path, merge
from summetry.metrics.networks.sequences import (
    ACCURACY,
    ReferenceUnits,
    SequenceMetric,
    accuracy,
    by_references,
    one_value,
)
from summetry.records.batches import Batch, Comparison


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
    candidate: Sequence[int],
    references: Network | Sequence[Sequence[int]],
    criterion: Criterion = "distance",
    boundaries: bool = False,
) -> SumAccuracy:
    """SumACCY and WSumACCY by references, each its units in source order.

    >>> result = sum_accy([2, 3, 6], [[0, 2, 3], [2, 3, 5, 6], [3, 6]])
    >>> result.value, result.target, round(result.weighted, 3)
    (100.0, (2, 3, 6), 70.711)
    """
    network = references if isinstance(references, Network) else merge(references)
    nearest = closest(network, [candidate], criterion, boundaries)
    best = network.best_path(boundaries)
    return SumAccuracy(
        float(accuracy(nearest.distances, nearest.lengths)[0]),
        float(_weighted(network, nearest, boundaries)[0]),
        int(nearest.distances[0]),
        int(nearest.lengths[0]),
        closest_path(network, candidate, criterion, boundaries),
        network.reliability(nearest.mean(0)),
        best.path if best else None,
        network.reliability(best.mean) if best else math.nan,
    )


def _weighted(network: Network, nearest: Closest, boundaries: bool) -> Floats:
    """Eq. 4 for each path that was found, NaN where a reliability is not defined."""
    best = network.best_path(boundaries)
    values = accuracy(nearest.distances, nearest.lengths)
    if best is None:
        return np.full(len(values), np.nan)
    for row in range(len(values)):
        values[row] *= network.reliability_ratio(nearest.mean(row), best.mean)
    return values


@METRICS.register
@dataclass(frozen=True)
class SumAccy(SequenceMetric):
    """Accuracy by the closest path of the network (Hori et al., section 2.3)."""

    criterion: Criterion = "distance"

    name: ClassVar[str] = "sum_accy"

    def count(self, batch: Batch) -> Counts:
        compared = self.read(batch)
        values = np.full(len(compared), np.nan)
        for references, rows in by_references(compared):
            sequences = [compared[row].positions for row in rows]
            nearest = closest(references.network, sequences, self.criterion)
            values[rows] = accuracy(nearest.distances, nearest.lengths)
        return one_value(values)

    def explain(self, comparison: Comparison) -> Explanation:
        compared = self.read_one(comparison)
        references = compared.references
        if not references.sequences:
            return explained(self, comparison, [compared.undefined(self.values)])
        result = sum_accy(compared.positions, references.network, self.criterion)
        facts = compared.facts() | _facts(result)
        target = f"target: {references.shown(comparison, result.target)}"
        matches = (Match(target, float(result.length)),)
        part = Part(_in_words(references.network), facts, {"value": ACCURACY}, matches)
        return explained(self, comparison, [part])


@METRICS.register
@dataclass(frozen=True)
class WSumAccy(SequenceMetric):
    """SumACCY weighted by how many people took the arcs of its target (Hori et al., eq. 4)."""

    criterion: Criterion = "distance"
    boundaries: bool = False

    name: ClassVar[str] = "wsum_accy"

    def count(self, batch: Batch) -> Counts:
        compared = self.read(batch)
        values = np.full(len(compared), np.nan)
        for references, rows, nearest in self._searched(batch):
            values[rows] = _weighted(references.network, nearest, self.boundaries)
            bare = [row for row in rows if math.isnan(values[row])]
            if bare:
                sequences = [compared[row].positions for row in bare]
                again = closest(references.network, sequences, self.criterion, True)
                values[bare] = _weighted(references.network, again, True)
        return one_value(values)

    def notes(self, batch: Batch) -> dict[str, int]:
        counts = super().notes(batch)
        single = negative = 0
        for references, _, nearest in self._searched(batch):
            single += int(np.isnan(_weighted(references.network, nearest, self.boundaries)).sum())
            negative += int((nearest.distances > nearest.lengths).sum())
        counts["a path of one unit, so the arcs at <s> and </s> were counted"] = single
        counts["SumACCY below 0, which a less reliable target brings nearer to 0"] = negative
        return {what: count for what, count in counts.items() if count}

    def explain(self, comparison: Comparison) -> Explanation:
        compared = self.read_one(comparison)
        references = compared.references
        if not references.sequences:
            return explained(self, comparison, [compared.undefined(self.values)])
        boundaries = self.boundaries
        result = sum_accy(compared.positions, references.network, self.criterion, boundaries)
        if not boundaries and math.isnan(result.weighted):
            boundaries = True
            result = sum_accy(compared.positions, references.network, self.criterion, boundaries)
        facts = compared.facts() | _facts(result)
        facts |= {"reliability": result.reliability, "best": result.best_reliability}
        facts["boundaries"] = float(boundaries)
        target = references.shown(comparison, result.target)
        best = references.shown(comparison, result.best_path or ())
        matches = (
            Match(f"target: {target}", result.reliability),
            Match(f"most reliable: {best}", result.best_reliability),
        )
        formulas = {"value": f"{ACCURACY} * reliability / best"}
        part = Part(_in_words(references.network), facts, formulas, matches)
        return explained(self, comparison, [part])

    def _searched(self, batch: Batch) -> list[tuple[ReferenceUnits, list[int], Closest]]:
        """The closest paths for the rows of a batch, by the references that they meet."""
        return batch.derived(("closest", spec.show(self)), lambda: list(self._search(batch)))

    def _search(self, batch: Batch) -> Iterator[tuple[ReferenceUnits, list[int], Closest]]:
        compared = self.read(batch)
        for references, rows in by_references(compared):
            sequences = [compared[row].positions for row in rows]
            nearest = closest(references.network, sequences, self.criterion, self.boundaries)
            yield references, rows, nearest


def _facts(result: SumAccuracy) -> dict[str, float]:
    return {"length": float(result.length), "distance": float(result.distance)}


def _in_words(network: Network) -> str:
    return (
        f"the network of {counted(network.people, 'manual summary')} "
        f"({counted(len(network.heads), 'arc')}, {network.paths_in_words})"
    )
