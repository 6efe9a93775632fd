"""Proximity graphs: the symbols of a sequence, joined where they stand near each other.

The vertices of a graph are the distinct symbols of a sequence (n-grams, words, any tokens). Two
symbols are joined when they stand at most ``window`` places apart somewhere; the weight of
the edge is how often they do, or the mean of the distances at which they do. |G| counts
directed edges: an edge between two symbols runs both ways and counts 2, a loop counts 1 (and
its weight counts both directions). In a directed graph edges run from the later symbol to the
earlier one and count 1.

Source: Giannakopoulos and Karkaletsis (2010), eq. 1; JInsect for what the paper leaves open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args

from summetry.errors import SummetryError

EdgeWeights: TypeAlias = Literal["occurrences", "distance"]
# The symbols that an edge joins: the smaller one first; with directions, the later one.
Ends: TypeAlias = tuple[Any, Any]

# An edge takes some fifty bytes while graphs are compared: 15 gigabytes if none comes twice.
MOST_PAIRS = 1 << 28


@dataclass(frozen=True, eq=False)
class Graph:
    """Edges with their weights, in the order in which the sequence meets them, and all vertices."""

    edges: Mapping[Ends, float]
    vertices: tuple[Any, ...]
    directed: bool = False

    @cached_property
    def size(self) -> float:
        """|G|."""
        return float(sum(self.directions(ends) for ends in self.edges))

    def directions(self, ends: Ends) -> int:
        """What an edge adds to |G|."""
        return 1 if self.directed or ends[0] == ends[1] else 2

    def edge_list(self, heaviest: int = 0) -> list[tuple[Any, Any, float]]:
        """The edges by their ends, with weight; an edge without direction stands once.

        ``heaviest`` is how many are listed, the heaviest first and equal ones by their ends.
        """
        edges = [(*ends, weight) for ends, weight in sorted(self.edges.items())]
        return sorted(edges, key=lambda edge: -edge[2])[:heaviest] if heaviest else edges


def proximity_graph(
    symbols: Sequence[Any],
    window: int = 3,
    directed: bool = False,
    weights: EdgeWeights = "occurrences",
) -> Graph:
    """The graph of a sequence of symbols, which may be anything that has an order.

    >>> proximity_graph("aba", window=2).edge_list()
    [('a', 'a', 2.0), ('a', 'b', 2.0)]
    """
    if window < 1:
        raise SummetryError(f"the window of a graph must be 1 or more, got {window}")
    if weights not in get_args(EdgeWeights):
        known = " or ".join(get_args(EdgeWeights))
        raise SummetryError(f"the weights of edges are {known}, got {weights!r}")
    check_pairs(len(symbols), window)
    times: dict[Ends, int] = {}
    steps: dict[Ends, int] = {}
    for place, later in enumerate(symbols):
        for distance in range(1, min(window, place) + 1):
            earlier = symbols[place - distance]
            ends = (later, earlier) if directed or later < earlier else (earlier, later)
            times[ends] = times.get(ends, 0) + 1
            if weights == "distance":
                steps[ends] = steps.get(ends, 0) + distance
    if weights == "distance":
        edges = {ends: steps[ends] / often for ends, often in times.items()}
    else:
        # A loop is met from both of its ends, which are one.
        edges = {
            ends: float(often if directed or ends[0] != ends[1] else 2 * often)
            for ends, often in times.items()
        }
    return Graph(edges, tuple(dict.fromkeys(symbols)), directed)


def check_pairs(symbols: int, window: int, pairs: int | None = None) -> None:
    """Refuse a graph that may have more edges than memory holds.

    ``pairs`` is how many symbols stand near each other where several texts make one graph.
    """
    # Nothing is farther apart than the ends of a text.
    window = min(window, symbols)
    if (symbols * window if pairs is None else pairs) > MOST_PAIRS:
        raise SummetryError(
            f"{symbols:,} symbols with {window:,} neighbours each are too many for a graph; "
            f"take a smaller window or shorter texts"
        )
