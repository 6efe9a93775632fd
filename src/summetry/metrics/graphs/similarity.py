"""How similar two proximity graphs are, and many pairs of texts at once.

For graphs A and B with the common edges E:

    VS = sum over E of min(w_A, w_B) / max(w_A, w_B), divided by max(|A|, |B|)
    SS = min(|A|, |B|) / max(|A|, |B|)      NVS = VS / SS      CS = |E| / min(|A|, |B|)

A graph without edges has 0 everywhere, also with itself, as in JInsect. In directed graphs an
edge that the other graph does not have may match its reverse there, as in JInsect.

What two graphs share is added up as whole numbers, in C (``graphs.c`` of the kernel) and in Python:
whatever the order of edges, and whichever graph comes first, the sum has the same bits.

Source: Giannakopoulos and Karkaletsis (2010), eq. 3-6; JInsect for CS and for what is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar, get_args

import numpy as np

from summetry.arrays import kernel
from summetry.arrays.ngrams import MOST_BITS, bits, windows
from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Floats, Ints
from summetry.metrics.graphs.operators import Merging, check_directions, merged
from summetry.metrics.graphs.proximity import (
    EdgeWeights,
    Ends,
    Graph,
    check_pairs,
    proximity_graph,
)

Numbers = TypeVar("Numbers", float, Floats)

# How many steps of the kernel a pair of symbols takes.
_STEPS = 16
# What a shared edge adds is rounded down to a part of this.
_SHARE = 1 << 61
# Graphs that plain Python keeps, so that candidates of one reference do not make it again.
_KEPT = 32


class Similarities(NamedTuple, Generic[Numbers]):
    """Value, normalized value, size and containment similarity, of one pair or of many."""

    vs: Numbers
    nvs: Numbers
    ss: Numbers
    cs: Numbers


class Overlap(NamedTuple):
    """The sizes of two graphs, their common edges, and what these have in common."""

    left: float
    right: float
    common: float
    matched: float


class GraphKind(NamedTuple):
    """What the graph of a text is made of: n-grams, at most so far apart."""

    n: int = 1
    window: int = 3
    directed: bool = False
    weights: EdgeWeights = "occurrences"


class Groups(NamedTuple):
    """Groups of texts that are merged: those of group ``i`` are ``rows[first[i]:first[i+1]]``."""

    first: Ints
    rows: Ints

    @classmethod
    def of(cls, groups: Sequence[Sequence[int]]) -> Groups:
        first = np.cumsum([0, *map(len, groups)], dtype=np.int64)
        return cls(first, np.array([row for group in groups for row in group], np.int64))


def similarities(left: Graph, right: Graph) -> Similarities[float]:
    """How similar two graphs are.

    >>> from summetry.metrics.graphs.proximity import proximity_graph
    >>> similarities(proximity_graph("abc"), proximity_graph("ab"))
    Similarities(vs=0.3333333333333333, nvs=1.0, ss=0.3333333333333333, cs=1.0)
    """
    found = similarities_over_ranks([np.array([overlap(left, right)])], [1])
    return Similarities(*(float(values[0]) for values in found))


def similarities_over_ranks(
    overlaps: Sequence[Floats], weights: Sequence[int]
) -> Similarities[Floats]:
    """The similarities of pairs from a row of :class:`Overlap` for each, rank by rank.

    Ranks have weights (eq. 6). NVS over several ranks is VS divided by SS, both taken over the
    ranks.
    """
    vs, ss, cs = (np.zeros(len(overlaps[0])) for _ in range(3))
    for found, weight in zip(overlaps, weights, strict=True):
        left, right, common, matched = found.T
        small, large = np.minimum(left, right), np.maximum(left, right)
        vs += weight * divide_or_zero(matched, large)
        ss += weight * divide_or_zero(small, large)
        cs += weight * divide_or_zero(common, small)
    # Divided once, in the end: identical texts have exactly 1.
    total = sum(weights)
    return Similarities(vs / total, divide_or_zero(vs, ss), ss / total, cs / total)


def shared_edges(left: Graph, right: Graph) -> dict[Ends, float]:
    """The common edges, with what each adds to VS.

    JInsect looks the edges of the smaller graph up, of equal ones those of ``left``, which matters
    where edges have a direction.
    """
    check_directions(left, right)
    here, there = (right, left) if left.directed and left.size > right.size else (left, right)
    shares: dict[Ends, float] = {}
    for ends, weight in here.edges.items():
        other = there.edges.get(ends)
        if other is None and left.directed:
            other = there.edges.get(ends[::-1])
        if other is not None:
            shares[ends] = here.directions(ends) * (min(weight, other) / max(weight, other))
    return shares


def overlap(left: Graph, right: Graph) -> Overlap:
    """What two graphs have in common."""
    shares = shared_edges(left, right)
    matched = sum(int(share * _SHARE) for share in shares.values()) / _SHARE
    common = sum(left.directions(ends) for ends in shares)
    return Overlap(left.size, right.size, float(common), matched)


def overlaps(
    table: TokenTable,
    kind: GraphKind,
    candidates: Ints,
    chosen: Ints,
    groups: Groups,
    mergings: Sequence[Merging] = ("update",),
) -> list[Floats]:
    """A row of :class:`Overlap` for each pair, for each way to merge the texts of a group.

    Pair ``i`` is text ``candidates[i]`` with the merged texts of group ``chosen[i]``. Where the
    same group comes several times in a row, it is merged once.
    """
    (candidates,), (rows,) = table.checked_rows(candidates), table.checked_rows(groups.rows)
    groups, chosen = Groups(groups.first, rows), np.ascontiguousarray(chosen)
    lengths = np.maximum(table.lengths - kind.n + 1, 0)
    _check(kind, lengths, len(candidates), chosen, groups)
    if kernel.is_compiled():
        return _overlaps_in_c(table, kind, lengths, candidates, chosen, groups, mergings)
    pairs = list(zip(candidates.tolist(), chosen.tolist(), strict=True))
    return [_overlaps(table, kind, pairs, groups, merging) for merging in mergings]


def _check(kind: GraphKind, lengths: Ints, pairs: int, chosen: Ints, groups: Groups) -> None:
    """Refuse texts that are too long, and what C would not notice."""
    first = groups.first
    assert len(first) and first[0] == 0 and first[-1] == len(groups.rows)
    assert np.diff(first).min(initial=0) >= 0 and len(chosen) == pairs
    assert chosen.min(initial=0) >= 0 and chosen.max(initial=-1) < len(first) - 1
    longest = int(lengths.max(initial=0))
    check_pairs(longest, kind.window)
    symbols = int(sum_groups(lengths, groups).max(initial=0))
    near = sum_groups(lengths * np.minimum(lengths, min(kind.window, longest)), groups)
    check_pairs(symbols, kind.window, int(near.max(initial=0)))


def sum_groups(of_texts: Ints, groups: Groups) -> Ints:
    """A number of each text, added up over the texts of each group."""
    ends = np.concatenate([[0], np.cumsum(of_texts[groups.rows])]).astype(np.int64)
    return ends[groups.first[1:]] - ends[groups.first[:-1]]


def _overlaps(
    table: TokenTable,
    kind: GraphKind,
    pairs: Sequence[tuple[int, int]],
    groups: Groups,
    merging: Merging,
) -> Floats:
    """The same in plain Python."""
    _, window, directed, weights = kind

    @lru_cache(_KEPT)
    def graph(row: int) -> Graph:
        symbols = windows(tuple(table.row(row).tolist()), kind.n)
        return proximity_graph(symbols, window, directed, weights)

    @lru_cache(1)
    def together(group: int) -> Graph:
        rows = groups.rows[groups.first[group] : groups.first[group + 1]]
        graphs = [graph(row) for row in rows.tolist()]
        return merged(graphs, merging) if graphs else Graph({}, (), directed)

    found = [overlap(graph(candidate), together(group)) for candidate, group in pairs]
    return np.array(found, np.float64).reshape(-1, len(Overlap._fields))


def _overlaps_in_c(
    table: TokenTable,
    kind: GraphKind,
    lengths: Ints,
    candidates: Ints,
    chosen: Ints,
    groups: Groups,
    mergings: Sequence[Merging],
) -> list[Floats]:
    ids, offsets, words, _ = table.checked
    n, width = kind.n, bits(words)
    if n * width > MOST_BITS:
        # N-grams that are too long for one number are numbered first, as if they were tokens.
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        symbols = np.empty(int(starts[-1]), np.int64)
        kernel.call("number_ngrams", ids, offsets, len(table), n, width, starts, symbols)
        ids, offsets, n, width = symbols, starts, 1, MOST_BITS
    longest = int(lengths.max(initial=0))
    settings = (
        *(n, width, longest + int(sum_groups(lengths, groups).max(initial=0))),
        min(kind.window, max(longest, 1)),
        int(kind.directed),
        int(kind.weights == "distance"),
    )
    every = [np.zeros((len(candidates), len(Overlap._fields))) for _ in mergings]
    for some in kernel.in_parts(lengths[candidates] * min(kind.window, longest) * _STEPS):
        for merging, found in zip(mergings, every, strict=True):
            pairs = candidates[some], chosen[some], len(candidates[some])
            way = get_args(Merging).index(merging)
            kernel.call(
                "compare_graphs", ids, offsets, *settings, way, *pairs, *groups, found[some]
            )
    return every


def divide_or_zero(above: Floats, below: Floats) -> Floats:
    """``above / below``, 0 where ``below`` is 0."""
    return np.divide(above, below, out=np.zeros(len(above)), where=below > 0)
