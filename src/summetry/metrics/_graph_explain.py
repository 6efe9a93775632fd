"""Explanations of the metrics on n-gram graphs: which edges are shared, and where they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from summetry.metrics._base import explained
from summetry.metrics._explain import Explanation, Match, Part
from summetry.metrics._graph_base import GraphMetric, rank_weights
from summetry.metrics._graph_blocks import text_blocks
from summetry.model.batches import Batch, Comparison
from summetry.text.graph_operators import Merging, merged
from summetry.text.graphs import Graphs
from summetry.text.symbols import joined
from summetry.text.tokens import Span

if TYPE_CHECKING:
    from summetry.metrics.ngram_graphs import AutoSummENG, MeMoG, NPowER

# The strongest edges are listed; all others stand in one line.
MOST_EDGES = 1000
MERGED = "the merged models"

Places = dict[tuple[str, str], list[Span]]


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
        return self._found([graphs[row] for graphs in self.ranks], text)

    def with_merged(self, merging: Merging) -> _Found:
        rows = [self.block.references]
        return self._found([merged(graphs, rows, merging) for graphs in self.ranks], "")

    def _found(self, others: list[Graphs], text: str) -> _Found:
        several = len(self.metric.ranks) > 1
        row = int(self.block.candidates[0])
        facts: dict[str, float] = {}
        matches: list[Match] = []
        for n, graphs, other in zip(self.metric.ranks, self.ranks, others, strict=True):
            end = f"_{n}" if several else ""
            found = list(self._matches(n, graphs[row], other, text))
            sizes = float(graphs.sizes[row]), float(other.sizes[0])
            facts[f"matched{end}"] = float(sum(match.weight for match in found))
            facts[f"smaller{end}"], facts[f"larger{end}"] = min(sizes), max(sizes)
            matches += found
        metric = self.metric
        weights = rank_weights(metric.min_n, metric.max_n, metric.rank_weights)
        ends = {f"_{n}" if several else "": weight for n, weight in weights.items()}
        return _Found(facts, strongest_matches(matches), ends)

    def _matches(self, n: int, mine: Graphs, other: Graphs, text: str) -> Iterator[Match]:
        """Common edges, each with what it adds to the sum of VS and where it stands."""
        if mine.edges.directed and mine.sizes[0] > other.sizes[0]:
            mine, other = other, mine
        weights = dict(zip(other.numbers.tolist(), other.weights.tolist(), strict=True))
        here = self._places(n, self.comparison.candidate.text)
        there = self._places(n, text)
        for place, number in enumerate(mine.numbers.tolist()):
            b = weights.get(number)
            if b is None and mine.edges.directed:
                b = weights.get(int(mine.edges.turned[number]))
            if b is None:
                continue
            a = float(mine.weights[place])
            source, target = (
                mine.symbols.words[int(ends[number])]
                for ends in (mine.edges.source, mine.edges.target)
            )
            share = min(a, b) / max(a, b) * float(mine.edges.counts[number])
            key = min(source, target), max(source, target)
            spans = tuple(tuple(found.get(key, ())) for found in (here, there))
            yield Match(f"{source!r} {target!r}", share, *spans)

    def _places(self, n: int, text: str) -> Places:
        """Where two n-grams stand near each other, from the start of one to the end of both."""
        pipeline = self.metric.pipeline
        tokens = pipeline.locate(text, self.comparison.material.language)
        blank = "" if pipeline.blanks_are_tokens else " "
        runs = (tokens[i : i + n] for i in range(len(tokens) - n + 1))
        grams = [joined((token for token, _ in run), blank) for run in runs]
        found: Places = defaultdict(list)
        for i, later in enumerate(grams):
            for j in range(max(i - self.metric.window, 0), i):
                span = tokens[j][1][0], tokens[i + n - 1][1][1]
                found[min(later, grams[j]), max(later, grams[j])].append(span)
        return found


def strongest_matches(matches: Sequence[Match]) -> tuple[Match, ...]:
    """The heaviest edges in their order, and one match for all that are left."""
    if len(matches) <= MOST_EDGES:
        return tuple(matches)
    ranked = sorted(range(len(matches)), key=lambda place: -matches[place].weight)
    kept = sorted(ranked[:MOST_EDGES])
    rest = sum(matches[place].weight for place in ranked[MOST_EDGES:])
    left = f"{len(matches) - MOST_EDGES} further edges"
    return (*(matches[place] for place in kept), Match(left, rest))
