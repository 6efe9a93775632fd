"""The edges that two graphs share as matches of an explanation: the strongest, with places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from summetry.arrays.ngrams import joined, windows
from summetry.arrays.types import Floats
from summetry.metrics.explanations import Match
from summetry.metrics.graphs.proximity import Ends
from summetry.text.pipeline import TextPipeline
from summetry.text.tokens import Span

# The strongest edges are listed; all others stand in one line.
MOST_EDGES = 1000

# What the fact ``matched`` of a graph means.
SHARED = "smaller / larger weight of shared edges, added up"


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


def symbols_of(tokens: Sequence[str], n: int, pipeline: TextPipeline) -> list[str]:
    """The n-grams of a text, as they are written."""
    blank = "" if pipeline.blanks_are_tokens else " "
    return [joined(gram, blank) for gram in windows(tokens, n)]


def gram_spans(tokens: Sequence[tuple[str, Span]], n: int) -> list[Span]:
    """Where each n-gram begins and ends in the text."""
    return [(gram[0][1][0], gram[-1][1][1]) for gram in windows(tokens, n)]


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
