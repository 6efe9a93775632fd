"""Sets of edges with weights: update, merge, intersect and their kin, for many graphs at once.

Graph ``i`` of the left side meets graph ``i`` of the right side. Both sides come from one call of
``proximity_graphs``, or from operators on such graphs.

    update(A, B, l)      common edges w_A + (w_B - w_A) l, all others as they are (eq. 2)
    merge, union         update with l = 1/2, with l = 0
    intersect            common edges, (w_A + w_B) / 2
    inverse_intersect    edges of one of both, as they are
    all_not_in           edges of A that B does not have

Equation 2 does not say what an edge of B alone weighs: its own weight, as in JInsect since 2015;
``new`` is the weight that it has instead (1 in older versions).

Source: Giannakopoulos and Karkaletsis (2010), section 3.4; JInsect.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from summetry.arrays.token_tables import TokenTable, take_rows
from summetry.arrays.types import Bools, Floats, Ints
from summetry.errors import SummetryError
from summetry.metrics.graphs.proximity import Graphs, check_pairs

Merging: TypeAlias = Literal["update", "ones", "mean"]


def update(left: Graphs, right: Graphs, factor: float = 0.5, new: float | None = None) -> Graphs:
    """``left`` moved towards ``right`` by the learning factor, 0 to 1 (eq. 2)."""
    if not 0 <= factor <= 1:
        raise SummetryError(f"a learning factor is from 0 to 1, got {factor}")
    if new is not None and new <= 0:
        raise SummetryError(f"the weight of a new edge must be above 0, got {new}")
    both = _side_by_side(left, right)
    alone = np.where(both.left > 0, both.left, both.right if new is None else new)
    moved = both.left + (both.right - both.left) * factor
    weights = np.where(both.common, moved, alone)
    return _kept(both, weights, np.ones(len(weights), dtype=bool), _all_symbols(left, right))


def merge(left: Graphs, right: Graphs) -> Graphs:
    """All edges, common ones with their mean weight."""
    return update(left, right, 0.5)


def union(left: Graphs, right: Graphs) -> Graphs:
    """All edges, common ones with the weight that they have in ``left``."""
    return update(left, right, 0.0)


def intersect(left: Graphs, right: Graphs) -> Graphs:
    """Common edges with their mean weight, and the vertices that they join."""
    both = _side_by_side(left, right)
    common = _kept(both, (both.left + both.right) / 2, both.common, left.symbols)
    ends = np.column_stack([left.edges.source[common.numbers], left.edges.target[common.numbers]])
    symbols = TokenTable(ends.ravel(), 2 * common.offsets, left.symbols.words)
    return dataclasses.replace(common, symbols=symbols)


def inverse_intersect(left: Graphs, right: Graphs) -> Graphs:
    """Edges that one of both has, and all vertices."""
    both = _side_by_side(left, right)
    return _kept(both, both.left + both.right, ~both.common, _all_symbols(left, right))


def all_not_in(left: Graphs, right: Graphs) -> Graphs:
    """Edges of ``left`` that ``right`` does not have, and all vertices of ``left``."""
    both = _side_by_side(left, right)
    return _kept(both, both.left, both.right == 0, left.symbols)


def merged(graphs: Graphs, groups: Sequence[Ints], merging: Merging = "update") -> Graphs:
    """One graph for each group of rows: the first, updated with the i-th by the factor 1/i.

    ``ones`` lets edges that the i-th adds come in with weight 1. ``mean`` is the plain mean,
    with 0 for a missing edge: the one way that knows no order and lets rare edges fade.
    """
    if merging not in get_args(Merging):
        known = ", ".join(get_args(Merging))
        raise SummetryError(f"merging must be one of {known}, got {merging!r}")
    spread = np.zeros(len(graphs.edges))
    numbers, weights = [np.zeros(0, dtype=np.int64)], [np.zeros(0)]
    for rows in groups:
        edges = _merged_edges(graphs, rows, merging, spread)
        numbers.append(edges[0])
        weights.append(edges[1])
    offsets = np.cumsum(list(map(len, numbers)), dtype=np.int64)
    symbols = _grouped(graphs.symbols, groups)
    return Graphs(graphs.edges, np.concatenate(numbers), np.concatenate(weights), offsets, symbols)


def _merged_edges(
    graphs: Graphs, rows: Ints, merging: Merging, spread: Floats
) -> tuple[Ints, Floats]:
    """The edges of one merged graph; ``spread`` has a place for each edge, and 0 in all of them."""
    if len(rows) == 1:
        alone = slice(graphs.offsets[rows[0]], graphs.offsets[rows[0] + 1])
        return graphs.numbers[alone], graphs.weights[alone]
    added: list[Ints] = []
    for count, row in enumerate(rows.tolist(), 1):
        there = slice(graphs.offsets[row], graphs.offsets[row + 1])
        numbers, weights = graphs.numbers[there], graphs.weights[there]
        known = spread[numbers]
        is_new = known == 0
        added.append(numbers[is_new])
        if merging == "mean":
            spread[numbers] = known + weights
        else:
            come = 1.0 if merging == "ones" and count > 1 else weights
            spread[numbers] = np.where(is_new, come, known + (weights - known) * (1 / count))
    numbers = np.sort(np.concatenate(added)) if added else np.zeros(0, dtype=np.int64)
    weights = spread[numbers] / len(rows) if merging == "mean" else spread[numbers]
    spread[numbers] = 0.0
    return numbers, weights


class _Both(NamedTuple):
    """Every edge that one of two graphs has, with its weight in both; 0 where it is missing."""

    like: Graphs
    rows: Ints
    numbers: Ints
    left: Floats
    right: Floats

    @property
    def common(self) -> Bools:
        return (self.left > 0) & (self.right > 0)


def _side_by_side(left: Graphs, right: Graphs) -> _Both:
    check_pairs(left, right)
    size = max(len(left.edges), 1)
    rows = np.concatenate([np.repeat(np.arange(len(g)), g.lengths) for g in (left, right)])
    keys = rows * size + np.concatenate([left.numbers, right.numbers])
    distinct, places = np.unique(keys, return_inverse=True)
    border = len(left.numbers)
    mine, theirs = np.zeros(len(distinct)), np.zeros(len(distinct))
    mine[places[:border]], theirs[places[border:]] = left.weights, right.weights
    return _Both(left, distinct // size, distinct % size, mine, theirs)


def _kept(both: _Both, weights: Floats, chosen: Bools, symbols: TokenTable) -> Graphs:
    """The chosen edges as graphs again."""
    counts = np.bincount(both.rows[chosen], minlength=len(both.like))
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Graphs(both.like.edges, both.numbers[chosen], weights[chosen], offsets, symbols)


def _all_symbols(left: Graphs, right: Graphs) -> TokenTable:
    """The vertices of both graphs, pair by pair."""
    one, other = left.symbols, right.symbols
    table = TokenTable(
        np.concatenate([one.ids, other.ids]),
        np.concatenate([one.offsets, other.offsets[1:] + one.offsets[-1]]),
        one.words,
    )
    return _grouped(table, [np.array([row, row + len(one)]) for row in range(len(one))])


def _grouped(table: TokenTable, groups: Sequence[Ints]) -> TokenTable:
    """All rows of a group behind one another, as one row."""
    rows = np.concatenate([np.zeros(0, dtype=np.int64), *groups])
    taken = take_rows(table, rows)
    ends = np.cumsum([0, *map(len, groups)], dtype=np.int64)
    return TokenTable(taken.ids, taken.offsets[ends], taken.words)
