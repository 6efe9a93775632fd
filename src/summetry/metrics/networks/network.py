"""The network of reference extracts: positions of the source, and how many people took each step.

Every reference is a path through it, from the node ``<s>`` over its units to ``</s>``; a unit is
its position in the source, never its words, so that no path leads back. The count of an arc is
the number of people who took it. Every path from ``<s>`` to ``</s>`` is a right answer, also one
that no person took as a whole.

How reliable a path is: the geometric mean of count / people over its arcs, those at ``<s>`` and
``</s>`` left out unless ``boundaries`` says otherwise (then a path of one unit has none).

Source: Hori, Hirao and Isozaki (2004), sections 2.3 and 2.4, eq. 5.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from summetry.arrays.types import Ints
from summetry.errors import SummetryError, counted

START, END = "<s>", "</s>"
Path = tuple[int, ...]


class Arc(NamedTuple):
    """A step from unit to unit, from ``<s>`` or to ``</s>``, and how many people took it."""

    tail: int | str
    head: int | str
    people: int


class Mean(NamedTuple):
    """A geometric mean of counts: the sum of their logarithms, and how many they are."""

    total: int
    arcs: int


class BestPath(NamedTuple):
    """The most reliable path and its mean."""

    path: Path
    mean: Mean


@dataclass(frozen=True)
class Network:
    """Nodes are numbered 0 for ``<s>``, 1 to K for ``units`` in source order, K+1 for ``</s>``.

    Arc ``i`` leads from node ``tails[i]`` to ``heads[i]``; arcs are in the order of both.
    """

    people: int
    units: Path
    tails: Ints
    heads: Ints
    counts: Ints

    @property
    def end(self) -> int:
        return len(self.units) + 1

    @cached_property
    def first(self) -> Ints:
        """The arcs out of node ``k`` are ``first[k]`` to ``first[k+1]``."""
        nodes = np.arange(self.end + 2, dtype=np.int64)
        return np.searchsorted(self.tails, nodes).astype(np.int64)

    def unit(self, node: int) -> int | str:
        return START if node == 0 else END if node == self.end else self.units[node - 1]

    def arcs(self) -> list[Arc]:
        columns = zip(self.tails.tolist(), self.heads.tolist(), self.counts.tolist(), strict=True)
        return [Arc(self.unit(tail), self.unit(head), count) for tail, head, count in columns]

    @cached_property
    def paths(self) -> int:
        """How many paths lead from ``<s>`` to ``</s>``; exact, and soon beyond all counting."""
        onward = [0] * self.end + [1]
        for tail, head in zip(self.tails[::-1].tolist(), self.heads[::-1].tolist(), strict=True):
            onward[tail] += onward[head]
        return onward[0]

    @property
    def paths_in_words(self) -> str:
        """The number of paths as people read it: a number of thousands of digits says nothing."""
        exponent = math.log10(self.paths)
        return counted(self.paths, "path") if exponent < 6 else f"about 10^{exponent:.0f} paths"

    @cached_property
    def log_scale(self) -> int:
        """What logarithms are multiplied with, so that sums over a path fit into 52 bits.

        Then they are exact whole numbers as floats too.
        """
        most = (len(self.units) + 1) * self.people.bit_length()
        return 1 << (52 - most.bit_length())

    @cached_property
    def logs(self) -> Ints:
        """The logarithm of each count, scaled."""
        counts, where = np.unique(self.counts, return_inverse=True)
        logs = [scaled_log(count, self.log_scale) for count in counts.tolist()]
        return np.array(logs, dtype=np.int64)[where]

    def counted(self, boundaries: bool) -> Ints:
        """1 for each arc that eq. 5 counts, else 0."""
        inner = (self.tails != 0) & (self.heads != self.end)
        return np.ones(len(inner), np.int64) if boundaries else inner.astype(np.int64)

    def mean_of(self, path: Sequence[int], boundaries: bool = False) -> Mean:
        """The mean count of a path, whose arcs must all be there."""
        node = {unit: place for place, unit in enumerate(self.units, 1)}
        nodes = [0, *(node[unit] for unit in path), self.end]
        size = self.end + 1
        keys = np.array(nodes[:-1]) * size + np.array(nodes[1:])
        arcs = np.searchsorted(self.tails * size + self.heads, keys)
        taken = self.counted(boundaries)[arcs]
        return Mean(int((self.logs[arcs] * taken).sum()), int(taken.sum()))

    def reliability(self, mean: Mean) -> float:
        """Eq. 5: between 0 and 1, NaN for a path without a counted arc."""
        # All arcs taken by all people: 1 exactly.
        everybody = Mean(scaled_log(self.people, self.log_scale), 1)
        return self.reliability_ratio(mean, everybody)

    def reliability_ratio(self, mean: Mean, best: Mean) -> float:
        """The quotient of two reliabilities; the number of people falls out of it."""
        if not (mean.arcs and best.arcs):
            return math.nan
        return math.exp((mean.total / mean.arcs - best.total / best.arcs) / self.log_scale)

    @cached_property
    def _best_paths(self) -> dict[bool, BestPath | None]:
        return {}

    def best_path(self, boundaries: bool = False) -> BestPath | None:
        """The most reliable path; of equals the shortest, then the first by its units."""
        if boundaries not in self._best_paths:
            self._best_paths[boundaries] = _find_best_path(self, boundaries)
        return self._best_paths[boundaries]


def merge(references: Iterable[Sequence[int]]) -> Network:
    """The network of references, each given by its units in source order.

    >>> network = merge([[0, 2], [2, 4]])
    >>> network.paths, [tuple(arc) for arc in network.arcs()][:2]
    (4, [('<s>', 0, 1), ('<s>', 2, 1)])
    """
    summaries = [tuple(reference) for reference in references]
    for summary in summaries:
        _check(summary)
    if not summaries:
        raise SummetryError("a network needs one reference or more, found none")
    units = tuple(sorted({unit for summary in summaries for unit in summary}))
    node = {unit: place for place, unit in enumerate(units, 1)}
    size, keys = len(units) + 2, []
    for summary in summaries:
        nodes = [0, *(node[unit] for unit in summary), size - 1]
        keys += [tail * size + head for tail, head in pairwise(nodes)]
    arcs, counts = np.unique(np.array(keys, dtype=np.int64), return_counts=True)
    return Network(len(summaries), units, arcs // size, arcs % size, counts.astype(np.int64))


def _check(summary: Path) -> None:
    if not summary:
        raise SummetryError("a reference in a network must have units, found an empty one")
    if summary[0] < 0 or any(b <= a for a, b in pairwise(summary)):
        raise SummetryError(
            f"a reference must list its units in source order, each once and from 0 up, "
            f"found {list(summary[:20])}; sort them"
        )


@cache
def scaled_log(count: int, scale: int) -> int:
    """``scale`` times the logarithm of ``count``, as the sum over its prime factors.

    So products of counts are equal just where these sums are: 2 * 6 and 3 * 4 tie exactly.
    """
    total, factor = 0, 2
    while factor * factor <= count:
        while count % factor == 0:
            total += round(math.log(factor) * scale)
            count //= factor
        factor += 1
    return total + (round(math.log(count) * scale) if count > 1 else 0)


def _find_best_path(network: Network, boundaries: bool) -> BestPath | None:
    """The path with the largest mean, by whole numbers only (Dinkelbach).

    With the mean of the best path so far taken from every arc, a path with a total above 0 is
    better than it; when there is none, the paths with a total of 0 are the best ones.
    """
    logs, counted = network.logs.tolist(), network.counted(boundaries).tolist()
    mean = Mean(0, 1)
    while True:
        gains = [
            counts * (log * mean.arcs - mean.total)
            for log, counts in zip(logs, counted, strict=True)
        ]
        longest = _longest_path(network, gains, boundaries)
        if longest is None:
            return None
        path, total = longest
        better = network.mean_of(path, boundaries)
        if not total:
            return BestPath(path, better)
        mean = better


class _Rest(NamedTuple):
    """The rest of a path: its gain, minus its units so that fewer are better, its first arc."""

    total: int
    fewness: int
    arc: int = -1


def _longest_path(network: Network, gains: Sequence[int], short: bool) -> tuple[Path, int] | None:
    """The path with the largest sum of gains, of equals the shortest, then the first.

    Without ``short`` a path of one unit does not count.
    """
    heads, first, end = network.heads.tolist(), network.first.tolist(), network.end

    def leave(node: int, onward: Sequence[_Rest | None], to_end: bool = True) -> _Rest | None:
        best, taken = None, -1
        # Arcs are in the order of their heads, so the first of equals has the earliest unit.
        for arc in range(first[node], first[node + 1]):
            head = heads[arc]
            rest = onward[head]
            if rest is None or (head == end and not to_end):
                continue
            gain = rest.total + gains[arc], rest.fewness - (head != end)
            if best is None or gain > best:
                best, taken = gain, arc
        return _Rest(*best, taken) if best else None

    onward: list[_Rest | None] = [None] * end + [_Rest(0, 0)]
    for node in range(end - 1, 0, -1):
        onward[node] = leave(node, onward)
    # What may follow the first unit: anything, or at least one unit more.
    second = onward if short else [None, *(leave(n, onward, False) for n in range(1, end)), None]
    whole = leave(0, second)
    if whole is None:
        return None
    path, rest = [], second[heads[whole.arc]]
    node = heads[whole.arc]
    while node != end:
        assert rest is not None
        path.append(network.units[node - 1])
        node = heads[rest.arc]
        rest = onward[node]
    return tuple(path), whole.total
