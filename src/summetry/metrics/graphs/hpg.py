"""Hierarchical proximity graphs: texts compared at several grain sizes at once.

Level 1 is the graph of a text's n-grams, those that do not overlap, each joined to the others
at most D places away. The star of a position, its symbol with all it is joined to, is a symbol
of level 2; the stars of level 2 are the symbols of level 3, and so on. Level l has the window
D_l = floor(D l). With J_l the graph of level l, and w the weights of its edges:

    VS_l  = sum over common edges of min(w, w') / max(w, w'), divided by max(|J_l|, |J'_l|)
    value = sum of l VS_l / sum of l

|J| counts an edge 2, one for each direction, and a loop 1. Two stars are one symbol if they
have the same edges with the same weights; with ``theta`` below 1, already if NVS is above theta.
A graph without edges has 0, as in the other graph measures.

The paper does not say how its index works, and what JInsect makes of it varies between runs; the
page of the metric says what is done here and why.

Source: Giannakopoulos and Karkaletsis (2010), sections 3.2, 3.3 and 4.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np

from summetry.arrays.ngrams import joined
from summetry.arrays.token_tables import TokenTable, table_of, take_rows
from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError
from summetry.metrics._pairs import TextMetric
from summetry.metrics.base import METRICS, Over, Scores, sum_by_owner
from summetry.metrics.explanations import Match, Part
from summetry.metrics.graphs.hierarchy import (
    find_stars,
    first_level,
    fuzzy_symbols,
    level_windows,
    paired,
    sequences,
)
from summetry.metrics.graphs.matches import edge_places, gram_spans, spans_of, strongest
from summetry.metrics.graphs.proximity import Graphs, proximity_graphs
from summetry.metrics.graphs.raw_text import RawText
from summetry.metrics.graphs.similarity import divide_or_zero, shared_edges
from summetry.records.batches import Batch, Comparison, Side
from summetry.text.pipeline import TextPipeline
from summetry.text.tokens import Span

# Tokens of pairs that are numbered together: enough to be quick, and about 50 megabytes.
_PIECE = 50_000
# Texts that are not copies share nothing further up, and every level takes a graph of its own.
MOST_LEVELS = 100


class HpgSimilarity(NamedTuple):
    """VS of each level, and their mean weighted by the level."""

    levels: tuple[float, ...]
    value: float


def hpg(
    candidate: Sequence[Hashable],
    reference: Sequence[Hashable],
    n: int = 2,
    window: float = 3,
    levels: int = 5,
    theta: float = 1.0,
) -> HpgSimilarity:
    """How similar two texts are, level by level and in all; tokens are characters, or words.

    >>> hpg("abcdefgh", "abcdefij", window=1, levels=2)
    HpgSimilarity(levels=(0.6666666666666666, 0.2), value=0.35555555555555557)
    """
    metric = Hpg(n, window, levels, theta)
    table = table_of([candidate, reference], dict.fromkeys([*candidate, *reference]))
    values = metric.compare(table, np.array([0]), np.array([1]))
    return HpgSimilarity(tuple(values[:, 0].tolist()), float(overall(values)[0]))


def overall(levels: Floats) -> Floats:
    """The mean of the rows, the l-th with weight l."""
    total = np.zeros(levels.shape[1])
    for level, values in enumerate(levels, start=1):
        total += level * values
    return total / (len(levels) * (len(levels) + 1) / 2)


def level_similarities(
    table: TokenTable, left: Ints, right: Ints, windows: Sequence[int], theta: float
) -> Floats:
    """VS of the sequences ``left[i]`` and ``right[i]``: one row per level, one column per pair."""
    if theta < 1:
        # A symbol depends on the stars before it: every pair has an index of its own.
        table = paired(table, left, right)
        left, right = np.arange(len(table)).reshape(-1, 2).T
    values = np.zeros((len(windows), len(left)))
    pairs = np.arange(len(left))
    for level, window in enumerate(windows):
        values[level, pairs] = value_similarity(proximity_graphs(table, window), left, right)
        # Texts without a common edge have no common star, and nothing in common further up.
        alive = values[level, pairs] > 0
        if not alive.any() or level == len(windows) - 1:
            break
        pairs = pairs[alive]
        rows, both = np.unique([left[alive], right[alive]], return_inverse=True)
        left, right = both.reshape(2, -1)
        table = take_rows(table, rows)
        stars = find_stars(table, window)
        symbols = stars.numbers if theta == 1 else fuzzy_symbols(table, window, stars, theta)
        table = sequences(symbols, table.offsets)
    return values


def value_similarity(graphs: Graphs, left: Ints, right: Ints) -> Floats:
    """VS of each pair of graphs, 0 without edges.

    What matched is added in order of size, so the numbers of the symbols change no bit.
    """
    shared = shared_edges(graphs, left, graphs, right)
    matched = sum_by_owner(shared.shares, shared.pairs, len(left))
    return divide_or_zero(matched, np.maximum(graphs.sizes[left], graphs.sizes[right]))


@METRICS.register
@dataclass(frozen=True)
class Hpg(TextMetric):
    """Hierarchical proximity graphs (Giannakopoulos and Karkaletsis, section 3.3)."""

    n: int = 2
    window: float = 3.0
    levels: int = 5
    theta: float = 1.0
    references: Over = "mean"
    text: TextPipeline = field(default_factory=RawText)

    name: ClassVar[str] = "hpg"
    family: ClassVar[str] = "graphs"
    values: ClassVar[tuple[str, ...]] = ("value",)

    def __post_init__(self) -> None:
        for option in ("n", "window", "levels"):
            number = getattr(self, option)
            if not 1 <= number < math.inf:
                finite = ", and finite" if number > 1 else ""
                raise SummetryError(f"hpg: {option} must be 1 or more{finite}, got {number}")
        if self.levels > MOST_LEVELS:
            raise SummetryError(f"hpg: levels must be {MOST_LEVELS} or less, got {self.levels}")
        if not 0 < self.theta <= 1:
            raise SummetryError(f"hpg: theta must be above 0 and at most 1, got {self.theta}")

    def compare(self, table: TokenTable, left: Ints, right: Ints) -> Floats:
        """VS of each level (row) for each pair of texts (column)."""
        windows = level_windows(self.window, self.levels)
        # Jackknifing asks for the same pair again and again.
        pairs, places = np.unique(left * len(table) + right, return_inverse=True)
        left, right = np.divmod(pairs, max(len(table), 1))
        values = [np.zeros((self.levels, 0))]
        for some in _pieces(table.lengths[left] + table.lengths[right]):
            rows, both = np.unique([left[some], right[some]], return_inverse=True)
            numbered = first_level(take_rows(table, rows), self.n)
            mine, theirs = both.reshape(2, -1)
            values.append(level_similarities(numbered, mine, theirs, windows, self.theta))
        return np.hstack(values)[:, places]

    def pair_values(self, batch: Batch) -> tuple[Scores, Ints]:
        table, left, right, owners = self.pairs(batch)
        return {"value": overall(self.compare(table, left, right))}, owners

    def parts(self, comparison: Comparison) -> list[Part]:
        levels = self.compare(*self.pairs(Batch([comparison]))[:3]).T.tolist()
        mine = self._edges(comparison, comparison.candidate)
        return [
            _part(name, mine, self._edges(comparison, side), values)
            for (name, side), values in zip(self.others(comparison), levels, strict=True)
        ]

    def _edges(self, comparison: Comparison, side: Side) -> _Edges:
        """The graph of level 1; an edge weighs as much as it has places."""
        tokens = self.text.locate(side.text, comparison.material.language)
        words, spans = [token for token, _ in tokens], gram_spans(tokens, self.n, self.n)
        blank = "" if self.text.blanks_are_tokens else " "
        grams = [joined(words[i * self.n : (i + 1) * self.n], blank) for i in range(len(spans))]
        places = edge_places(grams, level_windows(self.window, 1)[0])
        return {edge: spans_of(sorted(each), spans) for edge, each in places.items()}


# From two n-grams, in order, to where they reach from and to each time they are near.
_Edges = dict[tuple[str, str], tuple[Span, ...]]


def _part(against: str, mine: _Edges, theirs: _Edges, levels: Sequence[float]) -> Part:
    """How the value comes from the levels, and that of level 1 from its edges."""
    edges = sorted(mine.keys() & theirs.keys())
    shares = [
        _directions(edge) * min(weights) / max(weights)
        for edge in edges
        for weights in [(len(mine[edge]), len(theirs[edge]))]
    ]
    larger = max(sum(map(_directions, graph)) for graph in (mine, theirs))
    facts = {"matched": sum(shares), "larger": float(larger)}
    facts |= {f"level_{level}": value for level, value in enumerate(levels, start=1)}
    terms = [f"{level} * level_{level}" for level in range(1, len(levels) + 1)]
    formulas = {
        "level_1": "matched / larger" if larger else "0",
        "value": f"({' + '.join(terms)}) / {sum(range(len(levels) + 1))}",
    }
    listed, further = strongest(np.array(shares))
    matches = [
        Match(f"{a!r} {b!r}", shares[place], mine[a, b], theirs[a, b])
        for place in listed
        for a, b in [edges[place]]
    ]
    return Part(against, facts, formulas, (*matches, *further))


def _directions(edge: tuple[str, str]) -> int:
    """An edge runs both ways, a loop only one."""
    return 1 if edge[0] == edge[1] else 2


def _pieces(lengths: Ints) -> Iterator[slice]:
    """Runs of pairs that are long together, but not too long for memory."""
    ends = np.cumsum(lengths + 1)
    first = 0
    while first < len(lengths):
        room = ends[first] - lengths[first] + _PIECE
        last = max(int(np.searchsorted(ends, room, side="right")), first + 1)
        yield slice(first, last)
        first = last
