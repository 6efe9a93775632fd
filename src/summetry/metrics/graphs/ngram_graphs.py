"""N-gram graphs: AutoSummENG, MeMoG and NPowER.

A text is the graph of its n-grams that stand near each other (see ``text/graphs.py``); by default
of 3 characters, at most 3 characters apart. No language is known and nothing is prepared.

    autosummeng   the mean over the models of VS(peer, model)
    memog         VS(peer, merged models): the i-th model updates the graph by the factor 1/i
    npower        (5.2905 autosummeng + 3.0053 memog + 0.5866) / 10

``npower(tool=true)`` is what the published tool prints, which merges into the graph of the first
model before it compares with that model, and calls MeMoG the similarity to the last model.
A text too short for an edge has 0, whatever it is compared with, as in JInsect.

Source: Giannakopoulos and Karkaletsis (2010); the tool NPowER (2013); JInsect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

import numpy as np

from summetry.arrays.ngrams import ngram_symbols
from summetry.arrays.types import Floats
from summetry.errors import SummetryError
from summetry.metrics.base import METRICS, Better, Counts, Scores, means, over_references
from summetry.metrics.explanations import Explanation
from summetry.metrics.graphs.base import GraphMetric
from summetry.metrics.graphs.explain import explain_merged, explain_models, explain_npower
from summetry.metrics.graphs.graphs import EdgeWeights, Graphs, proximity_graphs
from summetry.metrics.graphs.operators import Merging
from summetry.metrics.graphs.raw_text import RawText
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.text.pipeline import TextPipeline

Numbers = TypeVar("Numbers", float, Floats)


def ngram_graphs(
    texts: Sequence[str],
    n: int = 3,
    window: int = 3,
    directed: bool = False,
    weights: EdgeWeights = "occurrences",
    text: str | TextPipeline = "raw",
    language: str = "",
) -> Graphs:
    """The n-gram graph of each text; ``text`` says what n-grams are made of.

    >>> (graph,) = ngram_graphs(["banana"], n=3, window=1)
    >>> graph.edge_list()
    [('ana', 'ban', 1.0), ('ana', 'nan', 2.0)]
    """
    _check_texts("texts", texts)
    pipeline = TextPipeline.from_spec(text)
    table = pipeline.encode(texts, [language] * len(texts))
    symbols = ngram_symbols(table, n, "" if pipeline.blanks_are_tokens else " ")
    return proximity_graphs(symbols, window, directed, weights)


def autosummeng(peer: str, models: Sequence[str], n: int = 3, window: int = 3) -> float:
    """The mean of VS over the models, on characters.

    >>> autosummeng("abcdef", ["abcdef", "abcxyz"])
    0.5
    """
    metric = AutoSummENG(min_n=n, max_n=n, window=window)
    return _one(metric.score(metric.count(_batch(peer, models))), "vs")


def memog(peer: str, models: Sequence[str], n: int = 3, window: int = 3) -> float:
    """VS with the merged models, on characters.

    >>> memog("abcdef", ["abcdef", "uvwxyz"])
    0.5
    """
    metric = MeMoG(min_n=n, max_n=n, window=window)
    return _one(metric.score(metric.count(_batch(peer, models))), "vs")


def npower(autosummeng: float, memog: float) -> float:
    """NPowER of the two other values.

    >>> npower(0.5, 0.25), npower(1.0, 1.0)
    (0.3983175, 0.88824)
    """
    return _combined(autosummeng, memog)


@METRICS.register
@dataclass(frozen=True)
class AutoSummENG(GraphMetric):
    """Mean similarity of n-gram graphs over the models (Giannakopoulos and Karkaletsis)."""

    name: ClassVar[str] = "autosummeng"
    references: ClassVar[str] = "mean"

    def count(self, batch: Batch) -> Counts:
        found = self.with_models(batch)
        return np.hstack(
            [
                over_references(values, batch.owners, len(batch), "mean")
                for values in (found.vs, found.nvs)
            ]
        )

    def score(self, counts: Counts) -> Scores:
        return means(counts, self.values)

    def explain(self, comparison: Comparison) -> Explanation:
        return explain_models(self, comparison)


@METRICS.register
@dataclass(frozen=True)
class MeMoG(GraphMetric):
    """Similarity to the graph of all models merged (Giannakopoulos and Karkaletsis, 3.4)."""

    merging: Merging = "update"

    name: ClassVar[str] = "memog"
    references: ClassVar[str] = "merge"

    def count(self, batch: Batch) -> Counts:
        found = self.with_merged(batch, self.merging)
        return _with_counts(found.vs, found.nvs)

    def score(self, counts: Counts) -> Scores:
        return means(counts, self.values)

    def explain(self, comparison: Comparison) -> Explanation:
        return explain_merged(self, comparison)


@METRICS.register
@dataclass(frozen=True)
class NPowER(GraphMetric):
    """AutoSummENG and MeMoG in one number, fitted to people's marks."""

    tool: bool = False

    name: ClassVar[str] = "npower"
    values: ClassVar[tuple[str, ...]] = ("value", "autosummeng", "memog")
    headline: ClassVar[str] = "value"
    better: ClassVar[Better] = dict.fromkeys(values, "higher")
    references: ClassVar[str] = "mean and merge"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tool and self.text != RawText():
            raise SummetryError("npower: tool=true reads text in its own way; leave text= out")

    @property
    def pipeline(self) -> TextPipeline:
        return RawText(characters="utf16", file=True) if self.tool else self.text

    def count(self, batch: Batch) -> Counts:
        models, together = (found.vs for found in self.with_all(batch, [None, "update"]))
        if not self.tool:
            mean = over_references(models, batch.owners, len(batch), "mean")
            return np.hstack([mean, _with_counts(together)])
        # The first model's graph is the merged one; the last comparison stands as MeMoG.
        owners = batch.owners
        first = np.append(True, owners[1:] != owners[:-1])[: len(owners)]
        last = np.append(owners[1:] != owners[:-1], True)[: len(owners)]
        replaced = np.where(first, together[owners], models)
        mean = over_references(replaced, owners, len(batch), "mean")
        return np.hstack([mean, over_references(models[last], owners[last], len(batch), "mean")])

    def score(self, counts: Counts) -> Scores:
        found = means(counts, self.values[1:])
        return {"value": _combined(found["autosummeng"], found["memog"]), **found}

    def explain(self, comparison: Comparison) -> Explanation:
        return explain_npower(self, comparison)


def _combined(autosummeng: Numbers, memog: Numbers) -> Numbers:
    return (5.2905 * autosummeng + 3.0053 * memog + 0.5866) / 10


def _with_counts(*columns: Floats) -> Counts:
    """Each column with another that says where it has a value."""
    pairs = [(np.nan_to_num(c), ~np.isnan(c)) for c in columns]
    return np.column_stack([column for pair in pairs for column in pair])


def _batch(peer: str, models: Sequence[str]) -> Batch:
    _check_texts("peer", [peer])
    _check_texts("models", models)
    sides = tuple(Side(f"model {i}", text) for i, text in enumerate(models, 1))
    return Batch([Comparison(Material(""), Side("peer", peer), sides)])


def _check_texts(name: str, texts: Sequence[str]) -> None:
    if isinstance(texts, str):
        raise SummetryError(f"{name} must be a list, got a string; write [{texts[:20]!r}]")
    for text in texts:
        if not isinstance(text, str):
            raise SummetryError(f"{name}: a text must be a string, got a {type(text).__name__}")


def _one(scores: Scores, name: str) -> float:
    return float(scores[name][0])
