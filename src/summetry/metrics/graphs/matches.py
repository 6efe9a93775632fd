"""The edges that two graphs share as matches of an explanation: the strongest, with places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from summetry.arrays.types import Floats
from summetry.metrics.explanations import Match
from summetry.text.tokens import Span

# The strongest edges are listed; all others stand in one line.
MOST_EDGES = 1000

# What the fact ``matched`` of a graph means.
SHARED = "smaller / larger weight of shared edges, added up"

# Two symbols, the smaller one first: numbers of n-grams, or n-grams as they are written.
Ends = tuple[Any, Any]


def strongest(shares: Floats) -> tuple[list[int], list[Match]]:
    """Which edges are listed, in their order, and one match for all others, if there are any."""
    ranked = np.argsort(-shares, kind="stable").tolist()
    rest = shares[ranked[MOST_EDGES:]].tolist()
    further = [Match(f"{len(rest)} further edges", sum(rest))] if rest else []
    return sorted(ranked[:MOST_EDGES]), further


def by_weight(matches: Iterable[Match]) -> list[Match]:
    """The heaviest edge first; of equals the one with the most places, then the earliest."""
    return sorted(
        matches, key=lambda match: (-match.weight, -len(match.candidate), match.candidate[:1])
    )


def gram_spans(tokens: Sequence[tuple[str, Span]], n: int, step: int = 1) -> list[Span]:
    """Where each n-gram begins and ends in the text; every ``step``-th n-gram is taken."""
    starts = range(0, len(tokens) - n + 1, step)
    return [(tokens[i][1][0], tokens[i + n - 1][1][1]) for i in starts]


def edge_places(
    symbols: Sequence[Any], window: int, only: AbstractSet[Ends] | None = None
) -> dict[Ends, list[tuple[int, int]]]:
    """The edges of a sequence, each with the places of its earlier and its later end.

    They are in the order of the later end, then of the earlier one.

    >>> edge_places("aba", 2)
    {('a', 'b'): [(0, 1), (1, 2)], ('a', 'a'): [(0, 2)]}
    """
    places: dict[Ends, list[tuple[int, int]]] = {}
    for later, symbol in enumerate(symbols):
        for earlier in range(max(later - window, 0), later):
            other = symbols[earlier]
            ends = (other, symbol) if other <= symbol else (symbol, other)
            if only is None or ends in only:
                places.setdefault(ends, []).append((earlier, later))
    return places


def spans_of(places: Iterable[tuple[int, int]], spans: Sequence[Span]) -> tuple[Span, ...]:
    """From the start of the earlier end to the end of the later one."""
    return tuple((spans[earlier][0], spans[later][1]) for earlier, later in places)
