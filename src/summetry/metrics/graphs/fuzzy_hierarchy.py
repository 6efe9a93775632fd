"""The fuzzy index of hierarchical proximity graphs: stars that are alike share a symbol.

Stars are read in order. One that resembles an earlier prototype, NVS above theta, takes the
symbol of the most similar one, of the oldest among equals; any other becomes a prototype.
Prototypes never change. NVS is the sum of the ratios of common edges by the smaller number of
edges, so a star that is a part of another has 1 with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from summetry.arrays.token_tables import Bags, TokenTable, bags_of, gather_runs, take_rows
from summetry.arrays.types import Bools, Floats, Ints
from summetry.arrays.vectors import bag_entries
from summetry.metrics.graphs.hierarchy import Stars, is_loop, sequences, star_edges

# Similarities nearer than this are equal: they are sums of fractions, and differ by rounding.
_EQUAL = 1e-9
# Pairs of edges that are looked at together, about 50 megabytes.
_BLOCK = 1 << 19


def paired(table: TokenTable, left: Ints, right: Ints) -> TokenTable:
    """Both texts of each pair, candidate first, with symbols that no other pair has."""
    both = take_rows(table, np.column_stack([left, right]).reshape(-1))
    own = both.owners // 2 * len(table.words) + both.ids
    return sequences(np.unique(own, return_inverse=True)[1], both.offsets)


def fuzzy_symbols(table: TokenTable, window: int, stars: Stars, theta: float) -> Ints:
    """The symbol of each position: the number of the prototype that stands for its star."""
    graphs = StarGraphs.of(table, window, stars)
    is_prototype = bytearray(len(graphs))
    symbols = []
    for some in graphs.blocks(stars.numbers):
        asked = np.unique(some)
        offered = np.frombuffer(is_prototype, dtype=bool).copy()
        offered[asked] = True
        alike = graphs.alike(asked, offered, theta)
        # What a star is taken for depends on all before it, so there is no way but one by one.
        for star in some.tolist():
            for other in alike[star]:
                if is_prototype[other]:
                    break
            else:
                is_prototype[star], other = True, star
            symbols.append(other)
    return np.array(symbols, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class StarGraphs:
    """The edges of distinct stars with their weights, and what each edge adds to |J|."""

    edges: Bags
    directions: Ints

    @classmethod
    def of(cls, table: TokenTable, window: int, stars: Stars) -> StarGraphs:
        edges = star_edges(table, window, stars.first)
        inside = edges >= 0
        distinct, numbers = np.unique(edges[inside], return_inverse=True)
        bags = bags_of(np.nonzero(inside)[0], numbers, len(edges), max(len(distinct), 1))
        return cls(bags, 2 - is_loop(table, distinct).astype(np.int64))

    def __len__(self) -> int:
        return len(self.edges.offsets) - 1

    @cached_property
    def owners(self) -> Ints:
        """The star that each entry is of."""
        return np.repeat(np.arange(len(self), dtype=np.int64), self.edges.lengths)

    @cached_property
    def sizes(self) -> Floats:
        """How many directed edges each star has."""
        directions = self.directions[self.edges.ids]
        return np.bincount(self.owners, directions, len(self)).astype(np.float64)

    @cached_property
    def by_edge(self) -> tuple[Ints, Ints]:
        """The entries edge by edge, and where each edge begins."""
        order = np.argsort(self.edges.ids, kind="stable")
        edges = np.arange(self.edges.size + 1)
        return order, np.searchsorted(self.edges.ids[order], edges)

    def blocks(self, stars: Ints) -> Iterator[Ints]:
        """The stars in runs of which each takes about the same work."""
        often = np.diff(self.by_edge[1])[self.edges.ids]
        work = np.bincount(self.owners, often, len(self))[stars]
        borders = np.flatnonzero(np.diff(np.cumsum(work) // _BLOCK)) + 1
        return iter(np.split(stars, borders))

    def alike(self, asked: Ints, offered: Bools, theta: float) -> dict[int, list[int]]:
        """The offered stars whose NVS is above theta, the most similar first, then the oldest."""
        star, other, likeness = self._similarities(asked, offered)
        near = likeness > round(theta / _EQUAL)
        star, other, likeness = star[near], other[near], likeness[near]
        others = other[np.lexsort((other, -likeness, star))].tolist()
        borders = np.searchsorted(star, np.append(asked, len(self))).tolist()
        lists = [others[a:b] for a, b in pairwise(borders)]
        return dict(zip(asked.tolist(), lists, strict=True))

    def _similarities(self, asked: Ints, offered: Bools) -> tuple[Ints, Ints, Ints]:
        """Each star asked about with every one that shares an edge; NVS in steps of 1e-9."""
        order, starts = self.by_edge
        there = offered[self.owners[order]]
        order, starts = order[there], np.append(0, np.cumsum(there))[starts]
        entries, _ = bag_entries(self.edges, asked)
        edges = self.edges.ids[entries]
        often = np.diff(starts)[edges]
        mine = np.repeat(entries, often)
        theirs = order[gather_runs(starts[edges], often)]
        weights = self.edges.counts[mine], self.edges.counts[theirs]
        matched = self.directions[self.edges.ids[mine]] * np.minimum(*weights)
        keys = self.owners[mine] * len(self) + self.owners[theirs]
        pairs, where = np.unique(keys, return_inverse=True)
        total = np.bincount(where, matched / np.maximum(*weights), len(pairs))
        star, other = np.divmod(pairs, max(len(self), 1))
        nvs = total / np.minimum(self.sizes[star], self.sizes[other])
        return star, other, np.round(nvs / _EQUAL).astype(np.int64)
