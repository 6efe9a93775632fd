"""Explanations of the metrics on n-gram graphs: which edges are shared, and where they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from summetry.arrays.types import Floats, Ints
from summetry.metrics.base import explained
from summetry.metrics.explanations import Explanation, Match, Part
from summetry.metrics.graphs.base import GraphMetric, rank_weights
from summetry.metrics.graphs.blocks import text_blocks
from summetry.metrics.graphs.graphs import Graphs
from summetry.metrics.graphs.operators import Merging, merged
from summetry.records.batches import Batch, Comparison
from summetry.text.tokens import Span

if TYPE_CHECKING:
    from summetry.metrics.graphs.ngram_graphs import AutoSummENG, MeMoG, NPowER

# The strongest edges are listed; all others stand in one line.
MOST_EDGES = 1000
MERGED = "the merged models"


def explain_models(metric: AutoSummENG, comparison: Comparison) -> Explanation:
    """One part a model."""
    parts = []
    if comparison.references:
        view = _View(metric, comparison)
        for place, side in enumerate(comparison.references):
            found = view.with_model(place)
            parts.append(Part(side.author, found.facts, found.formulas(), found.matches))
    return explained(metric, comparison, parts)


def explain_merged(metric: MeMoG, comparison: Comparison) -> Explanation:
    """One part in all."""
    parts = []
    if comparison.references:
        found = _View(metric, comparison).with_merged(metric.merging)
        parts.append(Part(MERGED, found.facts, found.formulas(), found.matches))
    return explained(metric, comparison, parts)


def explain_npower(metric: NPowER, comparison: Comparison) -> Explanation:
    """The similarities that go into both values, and the edges shared with the merged models."""
    if not comparison.references:
        return explained(metric, comparison, [])
    batch = Batch([comparison])
    models, together = (found.vs.tolist() for found in metric.with_all(batch, [None, "update"]))
    facts = {"merged": together[0]} | {f"model_{i}": vs for i, vs in enumerate(models, 1)}
    compared = [f"model_{i}" for i in range(1, len(models) + 1)]
    last = compared[-1]
    if metric.tool:
        compared[0] = "merged"
    mean = f"({' + '.join(compared)}) / {len(compared)}"
    formulas = {"autosummeng": mean, "memog": last if metric.tool else "merged"}
    whole = f"(5.2905 * {mean} + 3.0053 * {formulas['memog']} + 0.5866) / 10"
    matches = _View(metric, comparison).with_merged("update").matches
    part = Part(MERGED, facts, {"value": whole, **formulas}, matches)
    return explained(metric, comparison, [part])


class _Found(NamedTuple):
    """What a candidate shares with one graph a rank."""

    facts: dict[str, float]
    matches: tuple[Match, ...]
    weights: dict[str, int]

    def formulas(self) -> dict[str, str]:
        vs = self._over_ranks("matched", "larger")
        ss = self._over_ranks("smaller", "larger")
        if vs == "0":
            return {"vs": "0", "nvs": "0"}
        if len(self.weights) == 1:
            (end,) = self.weights
            return {"vs": vs, "nvs": f"matched{end} / smaller{end}"}
        return {"vs": vs, "nvs": f"({vs}) / ({ss})"}

    def _over_ranks(self, above: str, below: str) -> str:
        """The weighted mean over the ranks; one that has no common edge adds nothing."""
        shown = [end for end in self.weights if self.facts[f"smaller{end}"]]
        if not shown:
            return "0"
        if len(self.weights) == 1:
            return f"{above}{shown[0]} / {below}{shown[0]}"
        terms = (f"{self.weights[end]} * {above}{end} / {below}{end}" for end in shown)
        return f"({' + '.join(terms)}) / {sum(self.weights.values())}"


class _View:
    """The graphs of one comparison, and the places of their edges."""

    def __init__(self, metric: GraphMetric, comparison: Comparison) -> None:
        self.metric, self.comparison = metric, comparison
        batch = Batch([comparison])
        (self.block,) = text_blocks(batch, batch.tokens(metric.pipeline))
        self.ranks = metric.graphs_of(self.block.table)

    def with_model(self, place: int) -> _Found:
        row = int(self.block.references[place])
        text = self.comparison.references[place].text
        return self._found([graphs[row] for graphs in self.ranks], (row, text))

    def with_merged(self, merging: Merging) -> _Found:
        rows = [self.block.references]
        return self._found([merged(graphs, rows, merging) for graphs in self.ranks], None)

    def _found(self, others: list[Graphs], there: _Text | None) -> _Found:
        metric, several = self.metric, len(self.metric.ranks) > 1
        row = int(self.block.candidates[0])
        facts: dict[str, float] = {}
        shared = []
        for n, graphs, other in zip(metric.ranks, self.ranks, others, strict=True):
            end = f"_{n}" if several else ""
            common = _common_edges(graphs[row], other)
            sizes = float(graphs.sizes[row]), float(other.sizes[0])
            facts[f"matched{end}"] = float(sum(common.shares.tolist()))
            facts[f"smaller{end}"], facts[f"larger{end}"] = min(sizes), max(sizes)
            shared.append(common)
        weights = rank_weights(metric.min_n, metric.max_n, metric.rank_weights)
        ends = {f"_{n}" if several else "": weight for n, weight in weights.items()}
        here = row, self.comparison.candidate.text
        return _Found(facts, tuple(self._matches(shared, here, there)), ends)

    def _matches(
        self, shared: Sequence[_Common], here: _Text, there: _Text | None
    ) -> Iterator[Match]:
        """The heaviest edges with their places, in their order, and one match for all others."""
        shares = np.concatenate([common.shares for common in shared])
        ranked = np.argsort(-shares, kind="stable")
        is_kept = np.zeros(len(shares), dtype=np.bool_)
        is_kept[ranked[:MOST_EDGES]] = True
        borders = np.cumsum([len(common.shares) for common in shared])[:-1]
        for place, (common, kept) in enumerate(
            zip(shared, np.split(is_kept, borders), strict=True)
        ):
            numbers = common.numbers[kept]
            mine, theirs = (self._places(place, text, numbers) for text in (here, there))
            words, edges = self.ranks[place].symbols.words, self.ranks[place].edges
            for i, share in enumerate(common.shares[kept].tolist()):
                ends = edges.source[numbers[i]], edges.target[numbers[i]]
                source, target = (words[int(symbol)] for symbol in ends)
                yield Match(f"{source!r} {target!r}", share, mine[i], theirs[i])
        if len(ranked) > MOST_EDGES:
            yield _further(len(ranked) - MOST_EDGES, shares[ranked[MOST_EDGES:]].tolist())

    def _places(self, rank: int, text: _Text | None, numbers: Ints) -> list[tuple[Span, ...]]:
        """Where both ends of each edge stand near each other, from the start of one to the end."""
        if text is None:
            return [()] * len(numbers)
        row, words = text
        n, graphs = self.metric.ranks[rank], self.ranks[rank]
        found: dict[int, list[Span]] = {}
        wanted = _Pairs(graphs.edges.source[numbers], graphs.edges.target[numbers])
        spans = [span for _, span in self._located(words)]
        for first, last, pair in wanted.near(graphs.symbols.row(row), self.metric.window):
            found.setdefault(pair, []).append((spans[first][0], spans[last + n - 1][1]))
        return [tuple(found.get(pair, ())) for pair in wanted.keys.tolist()]

    def _located(self, text: str) -> list[tuple[str, Span]]:
        return self.metric.pipeline.locate(text, self.comparison.material.language)


# A row of the table of texts, and the text itself.
_Text = tuple[int, str]


class _Common(NamedTuple):
    """Edges that two graphs share, and what each adds to the sum of VS."""

    numbers: Ints
    shares: Floats


def _common_edges(mine: Graphs, other: Graphs) -> _Common:
    if mine.edges.directed and mine.sizes[0] > other.sizes[0]:
        mine, other = other, mine
    where = _find(mine.numbers, other.numbers)
    if mine.edges.directed:
        turned = _find(mine.edges.turned[mine.numbers], other.numbers)
        where = np.where(where >= 0, where, turned)
    held = where >= 0
    numbers, a, b = mine.numbers[held], mine.weights[held], other.weights[where[held]]
    return _Common(numbers, np.minimum(a, b) / np.maximum(a, b) * mine.edges.counts[numbers])


def _find(wanted: Ints, ascending: Ints) -> Ints:
    """The place of each number, -1 where it is not there."""
    if not len(ascending):
        return np.full(len(wanted), -1)
    where = np.minimum(np.searchsorted(ascending, wanted), len(ascending) - 1)
    return np.where(ascending[where] == wanted, where, -1)


class _Pairs:
    """Pairs of symbols without direction, as one number each."""

    def __init__(self, one: Ints, other: Ints) -> None:
        self.symbols = np.unique(np.concatenate([one, other]))
        self.keys = self._key(_find(one, self.symbols), _find(other, self.symbols))

    def near(self, text: Ints, window: int) -> list[tuple[int, int, int]]:
        """Where two symbols of a pair stand at most ``window`` apart: both places, and the key."""
        places = _find(text, self.symbols)
        found = [np.zeros((0, 3), dtype=np.int64)]
        for apart in range(1, min(window, len(text) - 1) + 1):
            one, other = places[:-apart], places[apart:]
            keys = self._key(one, other)
            first = np.flatnonzero((one >= 0) & (other >= 0) & np.isin(keys, self.keys))
            found.append(np.column_stack([first, first + apart, keys[first]]))
        all_of_them = np.concatenate(found)
        # By the later place, then by the earlier one.
        order = np.lexsort((all_of_them[:, 0], all_of_them[:, 1]))
        return [tuple(row) for row in all_of_them[order].tolist()]

    def _key(self, one: Ints, other: Ints) -> Ints:
        return np.minimum(one, other) * len(self.symbols) + np.maximum(one, other)


def strongest_matches(matches: Sequence[Match]) -> tuple[Match, ...]:
    """The heaviest edges in their order, and one match for all that are left."""
    if len(matches) <= MOST_EDGES:
        return tuple(matches)
    ranked = sorted(range(len(matches)), key=lambda place: -matches[place].weight)
    kept = sorted(ranked[:MOST_EDGES])
    rest = [matches[place].weight for place in ranked[MOST_EDGES:]]
    return (*(matches[place] for place in kept), _further(len(rest), rest))


def _further(count: int, weights: Sequence[float]) -> Match:
    return Match(f"{count} further edges", sum(weights))
