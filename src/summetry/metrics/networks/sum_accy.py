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
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from summetry import spec
from summetry.arrays.types import Floats
from summetry.errors import counted
from summetry.metrics.base import METRICS, Counts, one_value
from summetry.metrics.explanations import Match, Part
from summetry.metrics.networks.closest import Closest, Criterion, closest, closest_path
from summetry.metrics.networks.network import Network, Path, merge
from summetry.metrics.networks.sequences import (
    ACCURACY,
    Compared,
    Group,
    SequenceMetric,
    accuracy,
    by_references,
    values_by_group,
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
    """Accuracy against the closest path of the network (Hori et al., section 2.3)."""

    criterion: Criterion = "distance"

    name: ClassVar[str] = "sum_accy"

    def count(self, batch: Batch) -> Counts:
        def accuracies(group: Group) -> Floats:
            nearest = closest(group.references.network, group.sequences, self.criterion)
            return accuracy(nearest.distances, nearest.lengths)

        return values_by_group(self.read(batch), accuracies)

    def parts(self, comparison: Comparison, compared: Compared) -> list[Part]:
        references = compared.references
        result = sum_accy(compared.positions, references.network, self.criterion)
        target = f"target: {references.shown(comparison, result.target)}"
        path = references.places(comparison, result.target)
        matches = (Match(target, float(result.length), also=path),)
        facts = _facts(compared, result)
        name = _in_words(references.network)
        return [Part(name, facts, {"value": ACCURACY}, matches, kind="path")]


@METRICS.register
@dataclass(frozen=True)
class WSumAccy(SequenceMetric):
    """SumACCY weighted by how many people took the arcs of its target (Hori et al., eq. 4)."""

    criterion: Criterion = "distance"
    boundaries: bool = False

    name: ClassVar[str] = "wsum_accy"

    def count(self, batch: Batch) -> Counts:
        values = np.full(len(batch), np.nan)
        for group, nearest in self._searched(batch):
            network = group.references.network
            weighted = _weighted(network, nearest, self.boundaries)
            bare = np.flatnonzero(np.isnan(weighted)).tolist()
            if bare:
                sequences = [group.sequences[place] for place in bare]
                again = closest(network, sequences, self.criterion, True)
                weighted[bare] = _weighted(network, again, True)
            values[group.rows] = weighted
        return one_value(values)

    def notes(self, batch: Batch) -> dict[str, int]:
        counts = super().notes(batch)
        single = negative = 0
        for group, nearest in self._searched(batch):
            weighted = _weighted(group.references.network, nearest, self.boundaries)
            single += int(np.isnan(weighted).sum())
            negative += int((nearest.distances > nearest.lengths).sum())
        counts["a path of one unit, so the arcs at <s> and </s> were counted"] = single
        counts["SumACCY below 0, which a less reliable target brings nearer to 0"] = negative
        return {what: count for what, count in counts.items() if count}

    def parts(self, comparison: Comparison, compared: Compared) -> list[Part]:
        references, boundaries = compared.references, self.boundaries
        result = sum_accy(compared.positions, references.network, self.criterion, boundaries)
        if not boundaries and math.isnan(result.weighted):
            boundaries = True
            result = sum_accy(compared.positions, references.network, self.criterion, boundaries)
        facts = _facts(compared, result)
        facts |= {"reliability": result.reliability, "best": result.best_reliability}
        facts["boundaries"] = float(boundaries)
        target = references.shown(comparison, result.target)
        best = references.shown(comparison, result.best_path or ())
        matches = (
            Match(
                f"target: {target}",
                result.reliability,
                also=references.places(comparison, result.target),
            ),
            Match(f"most reliable: {best}", result.best_reliability),
        )
        formulas = {"value": f"{ACCURACY} * reliability / best"}
        name = _in_words(references.network)
        return [Part(name, facts, formulas, matches, kind="path")]

    def _searched(self, batch: Batch) -> list[tuple[Group, Closest]]:
        """The closest paths for the candidates of a batch, by the references that they meet."""

        def search(group: Group) -> Closest:
            network = group.references.network
            return closest(network, group.sequences, self.criterion, self.boundaries)

        groups = by_references(self.read(batch))
        key = "closest", spec.show(self)
        return batch.derived(key, lambda: [(group, search(group)) for group in groups])


def _facts(compared: Compared, result: SumAccuracy) -> dict[str, float]:
    lengths = {"length": float(result.length), "distance": float(result.distance)}
    return compared.facts() | lengths


def _in_words(network: Network) -> str:
    return (
        f"the network of {counted(network.people, 'reference')} "
        f"({counted(len(network.heads), 'arc')}, {network.paths_in_words})"
    )
