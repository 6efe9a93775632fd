"""Proximity graphs of many sequences at once.

The vertices of a graph are the distinct symbols of a sequence (n-grams, words, any tokens). Two
symbols are joined when they stand at most ``window`` places apart somewhere; the weight of
the edge is how often they do, or the mean of the distances at which they do. |G| counts
directed edges: an edge between two symbols runs both ways and counts 2, a loop counts 1 (and
its weight counts both directions). In a directed graph edges run from the later symbol to the
earlier one and count 1.

Source: Giannakopoulos and Karkaletsis (2010), eq. 1; JInsect for what the paper leaves open.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, get_args

import numpy as np

from summetry.arrays.ngrams import MOST_BITS, bits, renumber
from summetry.arrays.token_tables import TokenTable, gather_runs, run_starts, take_rows
from summetry.arrays.types import Bools, Floats, Ints
from summetry.errors import SummetryError

EdgeWeights: TypeAlias = Literal["occurrences", "distance"]

# Two symbols near each other take about fifty bytes while a graph is made: 15 gigabytes.
MOST_PAIRS = 1 << 28


@dataclass(frozen=True, eq=False)
class Edges:
    """The distinct edges of a batch of graphs, numbered from 0, by the symbols that they join.

    Without direction ``source`` is the smaller symbol.
    """

    source: Ints
    target: Ints
    directed: bool

    def __len__(self) -> int:
        return len(self.source)

    @cached_property
    def are_loops(self) -> Bools:
        loops: Bools = self.source == self.target
        return loops

    @cached_property
    def counts(self) -> Floats:
        """What each edge adds to |G|."""
        return np.where(self.are_loops | self.directed, 1.0, 2.0)

    @cached_property
    def reversed(self) -> Ints:
        """The number of each edge's reverse, -1 where the batch has none."""
        ends, width = renumber(np.concatenate([self.source, self.target]))
        source, target = ends[: len(self)], ends[len(self) :]
        keys, reverse = source << width | target, target << width | source
        where = np.minimum(np.searchsorted(keys, reverse), len(self) - 1)
        return np.where(keys[where] == reverse, where, -1).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Graphs:
    """Many graphs over one numbering of edges.

    ``numbers[offsets[i]:offsets[i+1]]`` are the edges of graph ``i``, ascending, ``weights``
    beside them. Row ``i`` of ``symbols`` holds its vertices, each once or more.
    """

    edges: Edges
    numbers: Ints
    weights: Floats
    offsets: Ints
    symbols: TokenTable

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, row: int) -> Graphs:
        """Graph ``row`` by itself."""
        if not -len(self) <= row < len(self):
            raise IndexError(row)
        return self.take(np.array([row % len(self)]))

    def __iter__(self) -> Iterator[Graphs]:
        return (self[row] for row in range(len(self)))

    @cached_property
    def lengths(self) -> Ints:
        return np.diff(self.offsets)

    @cached_property
    def sizes(self) -> Floats:
        """|G| of each graph."""
        if self.edges.directed:
            return self.lengths.astype(np.float64)
        loops = np.flatnonzero(self.edges.are_loops[self.numbers])
        rows = np.searchsorted(self.offsets, loops, side="right") - 1
        edges = 2 * self.lengths - np.bincount(rows, minlength=len(self))
        return edges.astype(np.float64)

    def take(self, rows: Ints) -> Graphs:
        """Some of the graphs, in this order."""
        entries = gather_runs(self.offsets[rows], self.lengths[rows])
        return Graphs(
            self.edges,
            self.numbers[entries],
            self.weights[entries],
            np.concatenate([[0], np.cumsum(self.lengths[rows])]).astype(np.int64),
            take_rows(self.symbols, rows),
        )

    def vertices(self, row: int = 0) -> list[str]:
        """The symbols of a graph, each once, as the sequence meets them."""
        return [self.symbols.words[i] for i in dict.fromkeys(self.symbols.row(row).tolist())]

    def edge_list(self, row: int = 0, heaviest: int = 0) -> list[tuple[str, str, float]]:
        """The edges of a graph, ends and weight; an edge without direction stands once.

        ``heaviest`` is how many are listed, the heaviest first and equal ones in their order.
        """
        part = np.arange(self.offsets[row], self.offsets[row + 1])
        if heaviest:
            part = part[np.argsort(-self.weights[part], kind="stable")[:heaviest]]
        numbers, words = self.numbers[part], self.symbols.words
        return [
            (words[source], words[target], weight)
            for source, target, weight in zip(
                self.edges.source[numbers].tolist(),
                self.edges.target[numbers].tolist(),
                self.weights[part].tolist(),
                strict=True,
            )
        ]


def proximity_graphs(
    table: TokenTable,
    window: int = 3,
    directed: bool = False,
    weights: EdgeWeights = "occurrences",
) -> Graphs:
    """The graph of each sequence of symbols; symbols may be anything that has a number.

    >>> table = TokenTable(np.array([0, 1, 0]), np.array([0, 3]), "ab")
    >>> proximity_graphs(table, window=2).edge_list()
    [('a', 'a', 2.0), ('a', 'b', 2.0)]
    """
    if window < 1:
        raise SummetryError(f"the window of a graph must be 1 or more, got {window}")
    if weights not in get_args(EdgeWeights):
        known = " or ".join(get_args(EdgeWeights))
        raise SummetryError(f"the weights of edges are {known}, got {weights!r}")
    # Nothing is farther apart than the ends of the longest sequence.
    window = min(window, max(int(table.lengths.max(initial=0)) - 1, 1))
    row_bits = bits(len(table))
    distance_bits = bits(window + 1) if weights == "distance" else 0
    ids, width, symbols = table.ids, bits(len(table.words)), None
    if 2 * width + row_bits + distance_bits > MOST_BITS:
        # Huge alphabets leave gaps: only symbols that occur get a number.
        symbols, places = np.unique(table.ids, return_inverse=True)
        ids, width = places.astype(np.int64), bits(len(symbols))
    if len(ids) * window > MOST_PAIRS or 2 * width + row_bits + distance_bits > MOST_BITS:
        raise SummetryError(
            f"{len(ids):,} symbols with {window:,} neighbours each are too many for a graph; "
            f"take a smaller window or shorter texts"
        )
    # A key for every two symbols near each other: their numbers, the graph, the distance.
    high, low = ids << width + row_bits, ids << row_bits | table.owners
    keys = [ids[:0]]
    for distance in range(1, min(window, len(ids) - 1) + 1):
        pairs = _pairs_at(high, low, distance, directed)
        # A pair across the border of two sequences does not count.
        pairs = pairs[table.owners[distance:] == table.owners[:-distance]]
        keys.append(pairs << distance_bits | distance if distance_bits else pairs)
    return _count_edges(np.concatenate(keys), table, width, symbols, directed, distance_bits)


def check_pairs(left: Graphs, right: Graphs) -> None:
    """Refuse graphs that cannot be compared one by one."""
    if left.edges is not right.edges:
        raise SummetryError("graphs are compared and combined only with graphs made in one call")
    if len(left) != len(right):
        raise SummetryError(
            f"as many graphs are needed on both sides, got {len(left)} and {len(right)}"
        )


def _pairs_at(high: Ints, low: Ints, distance: int, directed: bool) -> Ints:
    """Each symbol with the one ``distance`` places before it, as one number."""
    if directed:
        return high[distance:] | low[:-distance]
    smaller: Ints = np.minimum(high[distance:], high[:-distance])
    larger: Ints = np.maximum(low[distance:], low[:-distance])
    return smaller | larger


def _count_edges(
    keys: Ints,
    table: TokenTable,
    width: int,
    symbols: Ints | None,
    directed: bool,
    distance_bits: int,
) -> Graphs:
    """The graphs from the keys of all pairs; ``symbols`` undoes a renumbering."""
    row_bits = bits(len(table))
    # One sort brings together what is counted, and every edge with all graphs that have it.
    keys.sort()
    starts = run_starts(keys >> distance_bits if distance_bits else keys)
    weights = np.diff(starts, append=len(keys)).astype(np.float64)
    if distance_bits and len(keys):
        weights = np.add.reduceat(keys & (1 << distance_bits) - 1, starts) / weights
    distinct = keys[starts] >> distance_bits
    rows, pairs = distinct & (1 << row_bits) - 1, distinct >> row_bits
    first = run_starts(pairs)
    source, target = pairs[first] >> width, pairs[first] & (1 << width) - 1
    if symbols is not None:
        source, target = symbols[source], symbols[target]
    edges = Edges(source, target, directed)
    graphs_with_it = np.diff(first, append=len(pairs))
    numbers = np.repeat(np.arange(len(first)), graphs_with_it)
    if not distance_bits and not directed:
        # A loop is met from both of its ends, which are one.
        weights[gather_runs(first[edges.are_loops], graphs_with_it[edges.are_loops])] *= 2
    # Sixteen bits are sorted without a single comparison.
    order = np.argsort(rows.astype(np.uint16) if len(table) <= 1 << 16 else rows, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(table)))])
    return Graphs(edges, numbers[order], weights[order], offsets.astype(np.int64), table)
