"""Sequences of symbols, level upon level, for many texts at once.

A text becomes a sequence of n-grams that do not overlap. The star of a position is its symbol
joined to every symbol at most ``window`` places away, on both sides; the stars, numbered, are
the sequence of the next level. An edge is a number too, ``low * size + high``, where all symbols
are below ``size``: it has no direction, and a star is the set of its edges with their weights.

The work of a level is linear in the length of the texts and in its window.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from summetry.arrays.token_tables import TokenTable, gather_runs
from summetry.arrays.types import Bools, Ints

# Stars that are compared edge by edge at a time.
_BLOCK = 1 << 14


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


def edges_between(table: TokenTable, here: Ints, there: Ints) -> Ints:
    """The edge that joins two symbols, whichever comes first."""
    return np.minimum(here, there) * len(table.words) + np.maximum(here, there)


def is_loop(table: TokenTable, edges: Ints) -> Bools:
    """Does an edge lead from a symbol to itself, being ``low * size + low``?"""
    found: Bools = edges % (len(table.words) + 1) == 0
    return found


def find_stars(table: TokenTable, window: int) -> Stars:
    """The star of every position; equal ones, edges and weights, have the same number."""
    # Equal stars have equal sums, in whatever order their edges come. Other stars have other
    # sums but for an accident that nobody may ever see; it is looked for all the same.
    sums = np.zeros(len(table.ids), dtype=np.uint64)
    for distance, edges, inside in _neighbours(table, window):
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


def _neighbours(table: TokenTable, window: int) -> Iterator[tuple[int, Ints, Bools]]:
    """For each distance the edge from every place to the one so far on, and is it of the text?"""
    rows = table.owners
    for distance in range(1, farthest(table, window) + 1):
        edges = edges_between(table, table.ids[:-distance], table.ids[distance:])
        yield distance, edges, rows[:-distance] == rows[distance:]


def _are_equal(table: TokenTable, window: int, others: Ints) -> bool:
    """Is the star of each place the same as that of the place which ``others`` names?"""
    places = np.flatnonzero(others != np.arange(len(others)))
    for start in range(0, len(places), _BLOCK):
        some = places[start : start + _BLOCK]
        mine = star_edges(table, window, some)
        if not np.array_equal(mine, star_edges(table, window, others[some])):
            return False
    return True
