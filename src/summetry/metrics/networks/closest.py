"""The path of a network that is closest to a sequence of units.

The fewest edits (``distance``), of equals the longest path; or the largest (Len - edits) / Len
(``accuracy``), of equals the fewest edits; then the most reliable path, then the first by its
units.

A state is a node and how many units of the sequence are left. Costs of a path are pairs, edits
and length in one whole number first, minus the logarithm of its counts second, kept as complex
numbers: numpy orders these by the real part, then by the imaginary part. All numbers are whole
and below 2**53, so nothing is ever rounded. Many sequences are searched side by side.

``accuracy`` is Dinkelbach's method: with the best ratio edits / Len = p / q so far, a path with
q * edits - p * Len below 0 is better than it; when there is none, those with 0 are the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from summetry.arrays.types import Ints
from summetry.errors import SummetryError
from summetry.metrics.networks.network import Mean, Network, Path

Criterion: TypeAlias = Literal["distance", "accuracy"]
# Costs as whole numbers in floats, or pairs of such in complex numbers.
Costs: TypeAlias = NDArray[Any]

# Costs kept at a time, 16 bytes each: states of all sequences that are searched side by side.
_BLOCK = 1 << 21
# Costs of one sequence that are kept at most: 2 GB.
_MOST_STATES = 1 << 27


@dataclass(frozen=True)
class Closest:
    """For each sequence the edits, the length and the counts of its closest path.

    ``logs`` is the sum of the scaled logarithms of the counts on the path, ``arcs`` how many
    they are; both are 0 where nobody asked for reliability.
    """

    distances: Ints
    lengths: Ints
    logs: Ints
    arcs: Ints

    def mean(self, row: int) -> Mean:
        return Mean(int(self.logs[row]), int(self.arcs[row]))


def closest(
    network: Network,
    sequences: Sequence[Sequence[int]],
    criterion: Criterion = "distance",
    boundaries: bool | None = None,
) -> Closest:
    """The closest path to each sequence; ``boundaries=None`` does not look at reliability."""
    size = max(1, _BLOCK // _states(network, sequences))
    parts = [
        _Search(network, sequences[at : at + size], boundaries).solve(criterion).results
        for at in range(0, len(sequences), size)
    ]
    nothing = np.zeros((3, 0), dtype=np.int64)
    distances, lengths, logs = np.concatenate([nothing, *parts], axis=1)
    # Of the arcs between so many units, or those at both ends too.
    arcs = lengths + (1 if boundaries else -1) if boundaries is not None else 0 * lengths
    return Closest(distances, lengths, logs, arcs)


def closest_path(
    network: Network, sequence: Sequence[int], criterion: Criterion, boundaries: bool
) -> Path:
    """The path itself, for one sequence."""
    _states(network, [sequence])
    return _Search(network, [sequence], boundaries).first_path(criterion)


def _states(network: Network, sequences: Sequence[Sequence[int]]) -> int:
    """How many states the longest sequence has; too many for the memory are refused."""
    longest = max(map(len, sequences), default=0)
    states = (network.end + 1) * (1 + longest)
    if states > _MOST_STATES:
        raise SummetryError(
            f"the closest path is found for up to {_MOST_STATES:,} units of the network times "
            f"units of the summary, found {len(network.units):,} times {longest:,}; compare by "
            f"larger units, or shorter texts"
        )
    return states


class _Prices(NamedTuple):
    """What one edit and one unit of the path cost, for each sequence."""

    edit: Costs
    unit: Costs


class _Solution(NamedTuple):
    """The costs of all states, the prices behind them, and what came out.

    ``results`` has a row of edits, one of lengths and one of logarithms.
    """

    costs: Costs
    prices: _Prices
    results: Ints


class _Search:
    """Some sequences in a network."""

    def __init__(
        self,
        network: Network,
        sequences: Sequence[Sequence[int]],
        boundaries: bool | None,
    ) -> None:
        self.network = network
        self.lengths = np.fromiter(map(len, sequences), np.int64, len(sequences))
        self.left = int(self.lengths.max(initial=0)) + 1
        node = {unit: place for place, unit in enumerate(network.units, 1)}
        # next[b, r] is the node that sequence b comes to when r of its units are left.
        self.next = np.full((len(sequences), self.left), -1, dtype=np.int32)
        for row, sequence in enumerate(sequences):
            nodes = [node.get(unit, -1) for unit in sequence]
            self.next[row, 1 : len(nodes) + 1] = nodes[::-1]
        # Above every number of edits and every length.
        self.big = 1 << (len(network.units) + self.left + 1).bit_length()
        if boundaries is None:
            self.arc_costs: Costs = np.zeros(len(network.heads))
        else:
            self.arc_costs = -1j * (network.logs * network.counted(boundaries))

    def solve(self, criterion: Criterion) -> _Solution:
        ones = np.ones((len(self.lengths), 1))
        prices = _Prices(self.big * ones, -ones)
        costs, whole, logs = self.cheapest(prices)
        distances = -(-whole // self.big)
        lengths = distances * self.big - whole
        while criterion == "accuracy":
            p, q = (column[:, None].astype(np.float64) for column in (distances, lengths))
            prices = _Prices(self.big * q + 1, -self.big * p)
            costs, whole, logs = self.cheapest(prices)
            gain, edits = whole // self.big, whole % self.big
            # Without an edit the path is the sequence itself, and there is no other like it.
            longer = (edits * lengths - gain) // np.maximum(distances, 1)
            lengths = np.where(distances > 0, longer, lengths)
            distances = edits
            if not gain.any():
                break
        return _Solution(costs, prices, np.stack([distances, lengths, logs]))

    def costs(self, prices: _Prices) -> Costs:
        """The cost of each node with so many units left, from there to the end, its own too."""
        end = self.network.end
        costs = np.empty((end + 1, *self.next.shape), dtype=self.arc_costs.dtype)
        costs[end] = np.arange(self.left) * prices.edit
        for node in range(end - 1, 0, -1):
            after = self.leave(costs, node, prices)
            # Its unit is not in the sequence, or stands for the next one of the sequence.
            here = costs[node]
            np.add(after, prices.edit, out=here)
            differs = self.next[:, 1:] != node
            np.minimum(here[:, 1:], after[:, :-1] + differs * prices.edit, out=here[:, 1:])
            here += prices.unit
        return costs

    def leave(self, costs: Costs, node: int, prices: _Prices) -> Costs:
        """The cost of what follows a node, insertions behind it too."""
        arcs = slice(int(self.network.first[node]), int(self.network.first[node + 1]))
        onward = costs[self.network.heads[arcs]] + self.arc_costs[arcs, None, None]
        inserted = np.arange(self.left) * prices.edit
        after: Costs = np.minimum.accumulate(onward.min(axis=0) - inserted, axis=1)
        return after + inserted

    def cheapest(self, prices: _Prices) -> tuple[Costs, Ints, Ints]:
        """The costs of all states, and of each sequence's best path the cost and its logarithm."""
        costs = self.costs(prices)
        totals = self.leave(costs, 0, prices)[np.arange(len(self.lengths)), self.lengths]
        return costs, totals.real.astype(np.int64), -totals.imag.astype(np.int64)

    def first_path(self, criterion: Criterion) -> Path:
        """Of the cheapest paths for the first sequence the one whose units come first.

        One path can be aligned in several ways, so several numbers of units may be left.
        """
        all_costs, prices, _ = self.solve(criterion)
        costs, edit, unit = all_costs[:, 0], prices.edit[0, 0], prices.unit[0, 0]
        node, left = 0, {int(self.lengths[0])}
        path: list[int] = []
        while True:
            after = self.leave(all_costs, node, prices)[0]
            for r in range(max(left), 0, -1):
                if r in left and after[r] == after[r - 1] + edit:
                    left.add(r - 1)
            node, left = self._first_step(costs, node, left, after)
            if node == self.network.end:
                return tuple(path)
            path.append(self.network.units[node - 1])
            after = self.leave(all_costs, node, prices)[0]
            missing = {r for r in left if costs[node, r] == after[r] + edit + unit}
            for r in left - {0}:
                differs = int(self.next[0, r] != node)
                if costs[node, r] == after[r - 1] + differs * edit + unit:
                    missing.add(r - 1)
            left = missing

    def _first_step(
        self, costs: Costs, node: int, left: set[int], after: Costs
    ) -> tuple[int, set[int]]:
        """The first node that a cheapest path goes on to, and what may be left there."""
        for arc in range(int(self.network.first[node]), int(self.network.first[node + 1])):
            head = int(self.network.heads[arc])
            going = {r for r in left if after[r] == costs[head, r] + self.arc_costs[arc]}
            if going:
                return head, going
        raise AssertionError("a cheapest path must go on")
