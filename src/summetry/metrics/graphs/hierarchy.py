"""Sequences of symbols, level upon level, for many texts at once.

A text becomes a sequence of n-grams that do not overlap. The star of a position is its symbol
joined to every symbol at most ``window`` places away, on both sides; the stars, numbered, are
the sequence of the next level. An edge is a number too, ``low * size + high``, where all symbols
are below ``size``: it has no direction, and a star is the set of its edges with their weights.
The work of a level is linear in the length of the texts and in its window.

With the fuzzy index (``theta`` below 1) stars that are alike share a symbol. Stars are read in
order. One that resembles an earlier prototype, NVS above theta, takes the symbol of the most
similar one, of the oldest among equals; any other becomes a prototype. Prototypes never change.
NVS is the sum of the ratios of common edges divided by the smaller number of edges, so a star
that is a part of another has 1 with it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from summetry.arrays import kernel
from summetry.arrays.token_tables import Bags, TokenTable, bags_of, gather_runs, take_rows
from summetry.arrays.types import Bools, Floats, Ints
from summetry.arrays.vectors import bag_entries

# Similarities nearer than this are equal: they are sums of fractions, and differ by rounding.
_EQUAL = 1e-9
# Pairs of edges that are looked at together, about 50 megabytes.
_BLOCK = 1 << 19
# How many steps of the kernel an edge of a star takes.
_STEPS = 64


class Stars(NamedTuple):
    """The star of each position by number, in order of appearance; where each appears first."""

    numbers: Ints
    first: Ints


def level_windows(window: float, levels: int) -> list[int]:
    """D_l = floor(D l) of each level; 0.29 * 100 is 29 here, and less as a float.

    >>> level_windows(1.5, 4), level_windows(0.29, 100)[-1]
    ([1, 3, 4, 6], 29)
    """
    exact = Fraction(str(window))
    return [math.floor(exact * level) for level in range(1, levels + 1)]


def first_level(table: TokenTable, n: int) -> TokenTable:
    """The n-grams of each text that do not overlap; tokens left at its end are dropped.

    >>> first_level(TokenTable(np.array([0, 1, 0, 1, 0]), np.array([0, 5]), "ab"), 2).ids.tolist()
    [0, 0]
    """
    lengths = table.lengths // n
    places = gather_runs(np.zeros(len(table), dtype=np.int64), lengths)
    starts = np.repeat(table.offsets[:-1], lengths) + n * places
    symbols = np.zeros(len(starts), dtype=np.int64)
    for step in range(n if len(starts) else 0):
        # Only n-grams that occur get a number, so the numbers never grow past the tokens.
        keys = symbols * len(table.words) + table.ids[starts + step]
        _, symbols = np.unique(keys, return_inverse=True)
    return sequences(symbols, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64))


def sequences(symbols: Ints, offsets: Ints) -> TokenTable:
    """A table of symbols that have no names."""
    return TokenTable(symbols, offsets, ("",) * (int(symbols.max(initial=-1)) + 1))


def farthest(table: TokenTable, window: int) -> int:
    """The window, or the most that two symbols of a text are apart if that is less."""
    return min(window, max(int(table.lengths.max(initial=0)) - 1, 0))


def find_stars(table: TokenTable, window: int) -> Stars:
    """The star of every position; equal ones, edges and weights, have the same number."""
    # Equal stars have equal sums, in whatever order their edges come. Other stars have other sums
    # but for an accident that nobody may ever see; it is looked for all the same.
    sums = np.zeros(len(table.ids), dtype=np.uint64)
    for distance in range(1, farthest(table, window) + 1):
        edges = edges_between(table, table.ids[:-distance], table.ids[distance:])
        inside = table.owners[:-distance] == table.owners[distance:]
        marks = np.where(inside, scramble(edges), np.uint64(0))
        sums[:-distance] += marks
        sums[distance:] += marks
    _, first, numbers = np.unique(sums, return_index=True, return_inverse=True)
    if not _are_equal(table, window, first[numbers]):
        every = star_edges(table, window, np.arange(len(sums)))
        _, first, numbers = np.unique(every, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(first), dtype=np.int64)
    rank[order] = np.arange(len(first))
    return Stars(rank[numbers.reshape(-1)], first[order])


def _are_equal(table: TokenTable, window: int, others: Ints) -> bool:
    """Whether the star of each place is that of the place which ``others`` names."""
    places = np.flatnonzero(others != np.arange(len(others)))
    for start in range(0, len(places), _BLOCK):
        some = places[start : start + _BLOCK]
        mine = star_edges(table, window, some)
        if not np.array_equal(mine, star_edges(table, window, others[some])):
            return False
    return True


def edges_between(table: TokenTable, here: Ints, there: Ints) -> Ints:
    """The edge that joins two symbols, whichever comes first."""
    return np.minimum(here, there) * len(table.words) + np.maximum(here, there)


def scramble(edges: Ints) -> NDArray[np.uint64]:
    """A number of 64 bits for each edge that looks random (the mixing of SplitMix64)."""
    mixed = edges.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def star_edges(table: TokenTable, window: int, places: Ints) -> Ints:
    """A row for each place: the edges of its star, ascending, each as often as it occurs.

    -1 stands where the text ends before the window does.
    """
    reach = farthest(table, window)
    steps = np.array([step for step in range(-reach, reach + 1) if step], dtype=np.int64)
    text = np.searchsorted(table.offsets, places, side="right") - 1
    starts, ends = table.offsets[text, None], table.offsets[text + 1, None]
    near = places[:, None] + steps
    inside = (starts <= near) & (near < ends)
    there = table.ids[np.where(inside, near, places[:, None])]
    edges = edges_between(table, table.ids[places, None], there)
    return np.sort(np.where(inside, edges, -1), axis=1)


def paired(table: TokenTable, left: Ints, right: Ints) -> TokenTable:
    """Both texts of each pair, candidate first, with symbols that no other pair has."""
    both = take_rows(table, np.column_stack([left, right]).reshape(-1))
    own = both.owners // 2 * len(table.words) + both.ids
    return sequences(np.unique(own, return_inverse=True)[1], both.offsets)


def fuzzy_symbols(table: TokenTable, window: int, theta: float) -> Ints:
    """The symbol of each position of pairs of texts: the number of the prototype of its star.

    No two pairs have a symbol in common.
    """
    least = round(theta / _EQUAL) + 1
    if not kernel.is_compiled():
        return _fuzzy_plainly(table, window, least)
    ids, offsets, words, _ = table.checked
    symbols = np.empty(len(ids), np.int64)
    reach, number = farthest(table, window), 0
    for part in kernel.in_parts(np.diff(offsets[::2]) * (reach + 1) * _STEPS):
        of_pairs = offsets[2 * part.start : 2 * part.stop + 1]
        many = part.stop - part.start
        number = kernel.call(
            "fuzzy_symbols", ids, of_pairs, many, reach, words, least, number, symbols
        )
    return symbols


def _fuzzy_plainly(table: TokenTable, window: int, least: int) -> Ints:
    stars = find_stars(table, window)
    graphs = StarGraphs.of(table, window, stars)
    is_prototype = bytearray(len(graphs))
    symbols = []
    for some in graphs.blocks(stars.numbers):
        asked = np.unique(some)
        offered = np.frombuffer(is_prototype, dtype=bool).copy()
        offered[asked] = True
        alike = graphs.alike(asked, offered, least)
        # What a star is taken for depends on all before it, so there is no way but one by one.
        for star in some.tolist():
            for other in alike[star]:
                if is_prototype[other]:
                    break
            else:
                is_prototype[star], other = True, star
            symbols.append(other)
    # Prototypes become such in the order in which their stars appear.
    return np.unique(np.array(symbols, dtype=np.int64), return_inverse=True)[1]


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
        # An edge from a symbol to itself is ``low * size + low``, and runs one way only.
        is_loop = distinct % (len(table.words) + 1) == 0
        return cls(bags, 2 - is_loop.astype(np.int64))

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

    def alike(self, asked: Ints, offered: Bools, least: int) -> dict[int, list[int]]:
        """The offered stars of ``least`` parts of NVS, the most similar first, then the oldest."""
        star, other, likeness = self._similarities(asked, offered)
        near = likeness >= least
        star, other, likeness = star[near], other[near], likeness[near]
        others = other[np.lexsort((other, -likeness, star))].tolist()
        borders = np.searchsorted(star, np.append(asked, len(self))).tolist()
        lists = [others[a:b] for a, b in pairwise(borders)]
        return dict(zip(asked.tolist(), lists, strict=True))

    def _similarities(self, asked: Ints, offered: Bools) -> tuple[Ints, Ints, Ints]:
        """Each star asked about with every one that shares an edge; NVS in steps of 1e-9."""
        order, starts = self.by_edge
        is_offered = offered[self.owners[order]]
        order, starts = order[is_offered], np.append(0, np.cumsum(is_offered))[starts]
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
