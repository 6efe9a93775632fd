"""How similar two proximity graphs are, for many pairs at once.

For graphs A and B with the common edges E:

    VS = sum over E of min(w_A, w_B) / max(w_A, w_B), divided by max(|A|, |B|)
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
from summetry.metrics.graphs.proximity import Graphs, check_pairs


class SharedEdges(NamedTuple):
    """Which pair of graphs shares which edge, what the edge adds to |G|, and what to VS.

    The edges of one pair are ascending; pairs are in no order.
    """

    pairs: Ints
    numbers: Ints
    counts: Floats
    shares: Floats


class Similarities(NamedTuple):
    """Value, normalized value, size and containment similarity, pair by pair."""

    vs: Floats
    nvs: Floats
    ss: Floats
    cs: Floats


def similarities(left: Graphs, right: Graphs) -> Similarities:
    """How similar each graph of ``left`` is to the graph of ``right`` in the same place.

    >>> from summetry.metrics.graphs.proximity import proximity_graphs
    >>> from summetry.arrays.token_tables import TokenTable
    >>> table = TokenTable(np.array([0, 1, 2, 0, 1]), np.array([0, 3, 5]), "abc")
    >>> abc, ab = proximity_graphs(table)
    >>> [values.tolist() for values in similarities(abc, ab)]
    [[0.3333333333333333], [1.0], [0.3333333333333333], [1.0]]
    """
    check_pairs(left, right)
    rows = np.arange(len(left))
    return similarities_over_ranks([left], rows, [right], rows, [1])


def similarities_over_ranks(
    left: list[Graphs], left_rows: Ints, right: list[Graphs], right_rows: Ints, weights: list[int]
) -> Similarities:
    """The similarities of graphs ``left_rows[i]`` and ``right_rows[i]``, for every pair ``i``.

    Both sides have their graphs of one rank, or of several with the weight of each (eq. 6). NVS
    over several ranks is VS divided by SS, both taken over the ranks.
    """
    vs, ss, cs = (np.zeros(len(left_rows)) for _ in range(3))
    for mine, theirs, weight in zip(left, right, weights, strict=True):
        shared = shared_edges(mine, left_rows, theirs, right_rows)
        matched, common = (
            np.bincount(shared.pairs, each, len(left_rows)).astype(np.float64)
            for each in (shared.shares, shared.counts)
        )
        sizes = mine.sizes[left_rows], theirs.sizes[right_rows]
        small, large = np.minimum(*sizes), np.maximum(*sizes)
        vs += weight * divide_or_zero(matched, large)
        ss += weight * divide_or_zero(small, large)
        cs += weight * divide_or_zero(common, small)
    # Divided once, in the end: identical texts have exactly 1.
    total = sum(weights)
    return Similarities(vs / total, divide_or_zero(vs, ss), ss / total, cs / total)


def shared_edges(left: Graphs, left_rows: Ints, right: Graphs, right_rows: Ints) -> SharedEdges:
    """What graphs ``left_rows[i]`` and ``right_rows[i]`` have in common, for every pair ``i``.

    JInsect looks the edges of the smaller graph up, of equal ones those of ``left``, which matters
    where edges have a direction.
    """
    pairs = np.arange(len(left_rows))
    if not left.edges.directed:
        return _look_up(pairs, left, left_rows, right, right_rows)
    is_larger = left.sizes[left_rows] > right.sizes[right_rows]
    here, there = pairs[~is_larger], pairs[is_larger]
    one = _look_up(here, left, left_rows[here], right, right_rows[here])
    other = _look_up(there, right, right_rows[there], left, left_rows[there])
    return SharedEdges(*(np.concatenate(columns) for columns in zip(one, other, strict=True)))


def _look_up(
    pairs: Ints, left: Graphs, left_rows: Ints, right: Graphs, right_rows: Ints
) -> SharedEdges:
    """The edges of ``left`` that ``right`` has too, looked up one by one.

    A graph of ``right`` is spread out over all edges of the batch, so that to look up is to index,
    and neighbours among the graphs of ``left`` are looked up in one go.
    """
    edges = left.edges
    # The last place belongs to no edge: it is where a reverse is that does not exist.
    spread = np.zeros(len(edges) + 1)
    order = np.lexsort((left_rows, right_rows))
    none = np.zeros(0, dtype=np.int64)
    where, weights, counts = [none], [none.astype(np.float64)], [none]
    for row, first, last in _neighbours(left_rows[order], right_rows[order]):
        there = slice(right.offsets[row], right.offsets[row + 1])
        spread[right.numbers[there]] = right.weights[there]
        borders = left.offsets[first : last + 2]
        numbers = left.numbers[borders[0] : borders[-1]]
        theirs = spread[numbers]
        if edges.directed:
            theirs = np.where(theirs > 0, theirs, spread[edges.reversed[numbers]])
        hits = np.flatnonzero(theirs > 0)
        weights.append(theirs[hits])
        where.append(hits + borders[0])
        cuts = np.searchsorted(where[-1], borders)
        counts.append(cuts[1:] - cuts[:-1])
        spread[right.numbers[there]] = 0.0
    entries, larger = np.concatenate(where), np.concatenate(weights)
    numbers, mine = left.numbers[entries], left.weights[entries]
    adds = edges.counts[numbers]
    # In place, since arrays of this size are dear to make.
    shares = np.minimum(mine, larger)
    shares /= np.maximum(mine, larger, out=larger)
    shares *= adds
    return SharedEdges(np.repeat(pairs[order], np.concatenate(counts)), numbers, adds, shares)


def _neighbours(left: Ints, right: Ints) -> Iterator[tuple[int, int, int]]:
    """A right row with left rows that follow one another: the row, the first and the last."""
    is_next = np.zeros(len(left), dtype=bool)
    is_next[1:] = (right[1:] == right[:-1]) & (left[1:] == left[:-1] + 1)
    starts = np.flatnonzero(~is_next)
    lasts = np.append(starts[1:], len(left))[: len(starts)] - 1
    return zip(right[starts].tolist(), left[starts].tolist(), left[lasts].tolist(), strict=True)


def divide_or_zero(above: Floats, below: Floats) -> Floats:
    """``above / below``, 0 where ``below`` is 0."""
    return np.divide(above, below, out=np.zeros(len(above)), where=below > 0)
