"""How similar two proximity graphs are, for many pairs at once.

For graphs A and B with the common edges E:

    VS = sum over E of min(w_A, w_B) / max(w_A, w_B), by max(|A|, |B|)
    SS = min(|A|, |B|) / max(|A|, |B|)      NVS = VS / SS      CS = |E| / min(|A|, |B|)

A graph without edges has 0 everywhere, also with itself, as in JInsect. In directed graphs an
edge that the other graph does not have may match its reverse there, as in JInsect.

Source: Giannakopoulos and Karkaletsis (2010), eq. 3-6; JInsect for CS and for what is open.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from summetry.arrays.types import Floats, Ints
from summetry.metrics.graphs.graphs import Graphs, check_pairs


class Overlaps(NamedTuple):
    """What two graphs have in common, pair by pair; all that similarities are made of."""

    common: Floats
    values: Floats
    left: Floats
    right: Floats


class Similarities(NamedTuple):
    """Value, normalized value, size and containment similarity, pair by pair."""

    vs: Floats
    nvs: Floats
    ss: Floats
    cs: Floats


def similarities(left: Graphs, right: Graphs) -> Similarities:
    """How similar each graph of ``left`` is to the graph of ``right`` in the same place.

    >>> from summetry.metrics.graphs.graphs import proximity_graphs
    >>> from summetry.arrays.token_tables import TokenTable
    >>> table = TokenTable(np.array([0, 1, 2, 0, 1]), np.array([0, 3, 5]), "abc")
    >>> abc, ab = proximity_graphs(table)
    >>> [values.tolist() for values in similarities(abc, ab)]
    [[0.3333333333333333], [1.0], [0.3333333333333333], [1.0]]
    """
    check_pairs(left, right)
    rows = np.arange(len(left))
    return similarities_of([overlaps(left, rows, right, rows)], [1])


def similarities_of(ranks: list[Overlaps], weights: list[int]) -> Similarities:
    """The similarities of one rank, or of several with the weight of each (eq. 6).

    NVS over several ranks is VS by SS, both taken over the ranks.
    """
    vs, ss, cs = (np.zeros(len(ranks[0].left)) for _ in range(3))
    for found, weight in zip(ranks, weights, strict=True):
        small, large = np.minimum(found.left, found.right), np.maximum(found.left, found.right)
        vs += weight * _by(found.values, large)
        ss += weight * _by(small, large)
        cs += weight * _by(found.common, small)
    # Divided once, in the end: identical texts have exactly 1.
    total = sum(weights)
    return Similarities(vs / total, _by(vs, ss), ss / total, cs / total)


def overlaps(left: Graphs, left_rows: Ints, right: Graphs, right_rows: Ints) -> Overlaps:
    """What graphs ``left_rows[i]`` and ``right_rows[i]`` have in common, for every pair ``i``."""
    if left.edges.directed:
        return _directed_overlaps(left, left_rows, right, right_rows)
    common, values = _look_up(left, left_rows, right, right_rows)
    return Overlaps(common, values, left.sizes[left_rows], right.sizes[right_rows])


def _look_up(
    left: Graphs, left_rows: Ints, right: Graphs, right_rows: Ints
) -> tuple[Floats, Floats]:
    """Common edges and the sum of their value ratios, the edges of ``left`` looked up one by one.

    A graph of ``right`` is spread out over all edges of the batch, so that to look up is to index,
    and neighbours among the graphs of ``left`` are looked up in one go.
    """
    edges = left.edges
    # The last place belongs to no edge: it is where a reverse is that does not exist.
    spread = np.zeros(len(edges) + 1)
    order = np.lexsort((left_rows, right_rows))
    none = np.zeros(0, dtype=np.int64)
    where, theirs, counts = [none], [none.astype(np.float64)], [none]
    for row, first, last in _neighbours(left_rows[order], right_rows[order]):
        there = slice(right.offsets[row], right.offsets[row + 1])
        spread[right.numbers[there]] = right.weights[there]
        borders = left.offsets[first : last + 2]
        numbers = left.numbers[borders[0] : borders[-1]]
        found = spread[numbers]
        if edges.directed:
            found = np.where(found > 0, found, spread[edges.turned[numbers]])
        hits = np.flatnonzero(found > 0)
        theirs.append(found[hits])
        where.append(hits + borders[0])
        cuts = np.searchsorted(where[-1], borders)
        counts.append(cuts[1:] - cuts[:-1])
        spread[right.numbers[there]] = 0.0
    entries, b = np.concatenate(where), np.concatenate(theirs)
    a, count = left.weights[entries], edges.counts[left.numbers[entries]]
    share = np.minimum(a, b) / np.maximum(a, b) * count
    owner = np.repeat(order, np.concatenate(counts))
    common, values = (np.bincount(owner, each, len(order)) for each in (count, share))
    return common.astype(np.float64), values.astype(np.float64)


def _neighbours(left: Ints, right: Ints) -> Iterator[tuple[int, int, int]]:
    """A right row with left rows that follow one another: the row, the first and the last."""
    is_next = np.zeros(len(left), dtype=bool)
    is_next[1:] = (right[1:] == right[:-1]) & (left[1:] == left[:-1] + 1)
    starts = np.flatnonzero(~is_next)
    lasts = np.append(starts[1:], len(left))[: len(starts)] - 1
    return zip(right[starts].tolist(), left[starts].tolist(), left[lasts].tolist(), strict=True)


def _directed_overlaps(left: Graphs, left_rows: Ints, right: Graphs, right_rows: Ints) -> Overlaps:
    """JInsect looks the edges of the smaller graph up, of equal ones those of ``left``."""
    a, b = left.sizes[left_rows], right.sizes[right_rows]
    common, values = np.zeros(len(a)), np.zeros(len(a))
    for chosen, one, one_rows, other, other_rows in (
        (np.flatnonzero(a <= b), left, left_rows, right, right_rows),
        (np.flatnonzero(a > b), right, right_rows, left, left_rows),
    ):
        found = _look_up(one, one_rows[chosen], other, other_rows[chosen])
        common[chosen], values[chosen] = found
    return Overlaps(common, values, a, b)


def _by(above: Floats, below: Floats) -> Floats:
    """``above / below``, 0 where ``below`` is 0."""
    return np.divide(above, below, out=np.zeros(len(above)), where=below > 0)
