"""Hierarchical proximity graphs: texts compared at several grain sizes at once.

Level 1 is the graph of a text's n-grams, those that do not overlap, each joined to the others
at most D places away. The star of a position, its symbol with all it is joined to, is a symbol
of level 2; the stars of level 2 are the symbols of level 3, and so on. Level l has the window
D_l = floor(D l). With J_l the graph of level l, and w the weights of its edges:

    VS_l  = sum over common edges of min(w, w') / max(w, w'), divided by max(|J_l|, |J'_l|)
    value = sum of l VS_l / sum of l

|J| counts an edge 2, one for each direction, and a loop 1. Two stars are one symbol if their NVS
is above ``theta``; with ``theta=1``, if they have the same edges with the same weights.
A graph without edges has 0, as in the other graph measures.

The paper calls its index fuzzy, and does not say how it works; what JInsect makes of it varies
between runs. The page of the metric says what is done here and why, and what theta was chosen by.

Source: Giannakopoulos and Karkaletsis (2010), sections 3.2, 3.3 and 4.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
from msgspec.structs import replace

from summetry import spec
from summetry.arrays.token_tables import TokenTable, cut_into_runs, table_of, take_rows
from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError
from summetry.metrics._pairs import TextMetric
from summetry.metrics.base import METRICS, Over, Scores
from summetry.metrics.explanations import Match, Part, Sheet
from summetry.metrics.graphs.hierarchy import (
    find_stars,
    first_level,
    fuzzy_symbols,
    level_windows,
    paired,
    sequences,
)
from summetry.metrics.graphs.matches import (
    SHARED,
    by_weight,
    edge_places,
    gram_spans,
    spans_of,
    strongest,
    symbols_of,
)
from summetry.metrics.graphs.proximity import Graph, proximity_graph
from summetry.metrics.graphs.raw_text import RawText
from summetry.metrics.graphs.similarity import GraphKind, Groups, divide_or_zero, overlaps
from summetry.records.batches import Batch, Comparison, Side
from summetry.text.pipeline import TextPipeline
from summetry.text.tokens import Span

# Tokens of pairs that are numbered together: enough to be quick, and about 50 megabytes.
_PIECE = 50_000
# Texts that are not copies share nothing further up, and every level takes a graph of its own.
MOST_LEVELS = 100
# Follows people best on REALSumm and SummEval: docs/metrics/hpg.md has the table.
THETA = 0.3
# Of what matches on a level an explanation shows the longest stretches.
_MOST_STRETCHES = 3
_EMPTY = (
    "nothing matches on the upper levels, which hold more than half of the weight; a smaller theta "
    "or fewer levels would say more"
)
# Digits that number the symbols of one n-gram.
_BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


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
    theta: float = THETA,
) -> HpgSimilarity:
    """How similar two texts are, level by level and in all; tokens are characters, or words.

    >>> hpg("abcdefgh", "abcdefij", window=1, levels=2, theta=1)
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
        values[level, pairs] = value_similarity(table, window, left, right)
        # Texts without a common edge have no common star, and nothing in common further up.
        alive = values[level, pairs] > 0
        if not alive.any() or level == len(windows) - 1:
            break
        pairs = pairs[alive]
        rows, both = np.unique([left[alive], right[alive]], return_inverse=True)
        left, right = both.reshape(2, -1)
        table = _next_level(take_rows(table, rows), window, theta)
    return values


def level_tables(table: TokenTable, windows: Sequence[int], theta: float) -> Iterator[TokenTable]:
    """The symbols of one pair of texts, candidate and reference, on each level."""
    if theta < 1:
        table = paired(table, np.array([0]), np.array([1]))
    for window in windows:
        yield table
        table = _next_level(table, window, theta)


def _next_level(table: TokenTable, window: int, theta: float) -> TokenTable:
    """The stars of a level, which are the symbols of the next."""
    symbols = (
        find_stars(table, window).numbers if theta == 1 else fuzzy_symbols(table, window, theta)
    )
    return sequences(symbols, table.offsets)


def value_similarity(table: TokenTable, window: int, left: Ints, right: Ints) -> Floats:
    """VS of the graphs of each pair of sequences, 0 without edges."""
    rows = np.arange(len(table) + 1)
    (found,) = overlaps(table, GraphKind(1, window), left, right, Groups(rows, rows[:-1]))
    mine, theirs, _, matched = found.T
    return divide_or_zero(matched, np.maximum(mine, theirs))


@METRICS.register
@dataclass(frozen=True)
class Hpg(TextMetric):
    """Hierarchical proximity graphs (Giannakopoulos and Karkaletsis, section 3.3)."""

    n: int = 2
    window: float = 3.0
    levels: int = 5
    theta: float = THETA
    references: Over = "mean"
    text: TextPipeline = field(default_factory=RawText)

    name: ClassVar[str] = "hpg"
    family: ClassVar[str] = "graphs"
    values: ClassVar[tuple[str, ...]] = ("value",)
    terms: ClassVar[Mapping[str, str]] = {
        "level": "value of this level: how alike the graphs of its symbols are",
        "matched": f"{SHARED}, both ways",
        "larger": "edges of the graph that has more",
    }

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
        for some in cut_into_runs(table.lengths[left] + table.lengths[right], _PIECE):
            rows, both = np.unique([left[some], right[some]], return_inverse=True)
            numbered = first_level(take_rows(table, rows), self.n)
            mine, theirs = both.reshape(2, -1)
            values.append(level_similarities(numbered, mine, theirs, windows, self.theta))
        return np.hstack(values)[:, places]

    def compare_levels(self, batch: Batch) -> tuple[Floats, Ints]:
        """VS of each level for each pair of a batch, and the comparison that a pair belongs to."""

        def build() -> tuple[Floats, Ints]:
            table, left, right, owners = self.pairs(batch)
            return self.compare(table, left, right), owners

        return batch.derived(spec.show(self), build)

    def pair_values(self, batch: Batch) -> tuple[Scores, Ints]:
        levels, owners = self.compare_levels(batch)
        return {"value": overall(levels)}, owners

    def notes(self, batch: Batch) -> dict[str, int]:
        levels, owners = self.compare_levels(batch)
        most = np.zeros((len(batch), self.levels))
        np.maximum.at(most, owners, levels.T)
        weights = np.arange(1, self.levels + 1)
        is_empty = 2 * ((most == 0) @ weights) > weights.sum()
        # Where nothing at all is common, 0 says so.
        count = int((is_empty & (most[:, 0] > 0)).sum())
        return {_EMPTY: count} if count else {}

    def parts(self, comparison: Comparison) -> list[Part]:
        table, left, right, _ = self.pairs(Batch([comparison]))
        values = self.compare(table, left, right).T.tolist()
        parts = []
        for (name, side), *rows, levels in zip(
            self.others(comparison), left.tolist(), right.tolist(), values, strict=True
        ):
            pair = first_level(take_rows(table, np.array(rows, np.int64)), self.n)
            mine, theirs = (self._grams(comparison, text) for text in (comparison.candidate, side))
            parts.append(self._part(name, pair, mine, theirs, levels))
        return parts

    def _grams(self, comparison: Comparison, side: Side) -> _Grams:
        """The n-grams of a text that do not overlap, and where each is."""
        tokens, n = self.text.locate(side.text, comparison.material.language), self.n
        grams = symbols_of([token for token, _ in tokens], n, self.text)
        return _Grams(side.text, grams[::n], gram_spans(tokens, n)[::n])

    def _part(
        self, against: str, pair: TokenTable, mine: _Grams, theirs: _Grams, levels: Sequence[float]
    ) -> Part:
        """How the value comes from the levels, and each level from its edges.

        Above the first level without a common edge nothing is common.
        """
        windows = level_windows(self.window, self.levels)
        facts: dict[str, float] = {}
        formulas = {f"level_{level}": "0" for level in range(1, len(levels) + 1)}
        matches: list[Match] = []
        rows: list[tuple[str | float, ...]] = []
        tables = zip(level_tables(pair, windows, self.theta), windows, levels, strict=True)
        for level, (table, window, value) in enumerate(tables, start=1):
            here, there = (edge_places(table.row(i).tolist(), window) for i in (0, 1))
            shared = _shared_edges(f"level {level}: ", here, there, mine, theirs)
            larger = max(sum(map(_directions, graph)) for graph in (here, there))
            facts |= {
                f"matched_{level}": float(sum(match.weight for match in shared)),
                f"larger_{level}": float(larger),
            }
            common = len(here.keys() & there.keys())
            counts = [float(count) for count in (window, len(here), len(there), common)]
            stretches = mine.stretches(span for match in shared for span in match.candidate)
            rows.append((str(level), value, *counts, ", ".join(stretches[:_MOST_STRETCHES])))
            matches += shared
            if not common:
                break
            formulas[f"level_{level}"] = f"matched_{level} / larger_{level}"
        rows += [(str(level), 0.0) for level in range(len(rows) + 1, len(levels) + 1)]
        facts |= dict(zip(formulas, levels, strict=True))
        terms = [f"{level} * level_{level}" for level in range(1, len(levels) + 1)]
        formulas["value"] = f"({' + '.join(terms)}) / {sum(range(len(levels) + 1))}"
        columns = ("level", "value", "window", "candidate", against, "shared", "longest matches")
        sheet = Sheet("the edges of each level, and what matches there", columns, tuple(rows))
        return Part(against, facts, formulas, tuple(matches), tables=(sheet,), kind="edges")


def level_graphs(
    texts: Sequence[str],
    level: int = 1,
    n: int = Hpg.n,
    window: float = Hpg.window,
    theta: float = Hpg.theta,
    text: str | TextPipeline = "raw",
    language: str = "",
) -> list[Graph]:
    """The graphs of one level of one text, or of two that are compared.

    A symbol is named by the n-gram where it is first met, and numbered where others have that name.

    >>> (graph,) = level_graphs(["abcdabcdef"], level=2, window=1, theta=1)
    >>> graph.vertices
    ('ab', 'cd', 'cd₂', 'ef')
    """
    if not 1 <= len(texts) <= 2:
        raise SummetryError(
            f"a level is that of 1 text or of 2 that are compared, got {len(texts)}"
        )
    metric = Hpg(n, window, level, theta, text=TextPipeline.from_spec(text))
    # Symbols are those of a pair of texts; a text alone is compared with itself.
    pair = [texts[0], texts[-1]]
    tokens = metric.text.encode(pair, [language] * len(pair))
    grams = [g for i in (0, 1) for g in symbols_of(tokens.text(i), n, metric.text)[::n]]
    windows = level_windows(window, level)
    *_, symbols = level_tables(first_level(tokens, n), windows, theta)
    names = [""] * len(symbols.words)
    times: Counter[str] = Counter()
    for symbol, gram in zip(symbols.ids.tolist(), grams, strict=True):
        if not names[symbol]:
            times[gram] += 1
            names[symbol] = gram + (f"{times[gram]}".translate(_BELOW) if times[gram] > 1 else "")
    named = TokenTable(symbols.ids, symbols.offsets, tuple(names))
    return [proximity_graph(named.text(row), windows[-1]) for row in range(len(texts))]


class _Grams(NamedTuple):
    """A text, its n-grams, and where each is; a position of any level is that of an n-gram."""

    text: str
    grams: list[str]
    spans: list[Span]

    def stretches(self, spans: Iterable[Span]) -> list[str]:
        """What some spans cover, the longest stretch first."""
        ends: dict[int, int] = {}
        start = -1
        for first, last in sorted(spans):
            if start < 0 or first > ends[start]:
                start = first
            ends[start] = max(last, ends.get(start, 0))
        return sorted((repr(self.text[a:b]) for a, b in ends.items()), key=len, reverse=True)


# From two symbols, in order, to the positions of both each time they are near.
_Edges = dict[tuple[int, int], list[tuple[int, int]]]


def _shared_edges(
    level: str, here: _Edges, there: _Edges, mine: _Grams, theirs: _Grams
) -> list[Match]:
    """The strongest common edges of a level with their places, and one match for all others."""
    edges = [edge for edge in here if edge in there]
    shares = np.array(
        [
            _directions(edge) * min(weights) / max(weights)
            for edge in edges
            for weights in [(len(here[edge]), len(there[edge]))]
        ]
    )
    listed, further = strongest(shares)
    matches = []
    for place in listed:
        edge = edges[place]
        first, last = (mine.grams[position] for position in here[edge][0])
        spans = (
            spans_of(sorted(here[edge]), mine.spans),
            spans_of(sorted(there[edge]), theirs.spans),
        )
        matches.append(Match(f"{level}{first!r} {last!r}", float(shares[place]), *spans))
    rest = [replace(match, what=f"{level}{match.what}") for match in further]
    return [*by_weight(matches), *rest]


def _directions(edge: tuple[int, int]) -> int:
    """An edge runs both ways, a loop only one."""
    return 1 if edge[0] == edge[1] else 2
