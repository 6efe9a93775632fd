"""What the metrics on n-gram graphs share: settings, graphs of a batch, similarities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import ClassVar, Literal, TypeAlias, get_args

import numpy as np

from summetry import spec
from summetry.arrays.ngrams import LONGEST_N, ngram_symbols
from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Ints
from summetry.errors import SummetryError
from summetry.metrics.base import Better, Metric, Needs
from summetry.metrics.graphs.blocks import Block, text_blocks
from summetry.metrics.graphs.graphs import EdgeWeights, Graphs, proximity_graphs
from summetry.metrics.graphs.operators import Merging, merged
from summetry.metrics.graphs.raw_text import RawText
from summetry.metrics.graphs.similarity import Similarities, overlaps, similarities_of
from summetry.records.batches import Batch
from summetry.text.pipeline import TextPipeline

RankWeights: TypeAlias = Literal["paper", "jinsect"]

VALUES = ("vs", "nvs")


@dataclass(frozen=True)
class GraphMetric(Metric):
    """Settings of n-gram graphs; the defaults are those of TAC 2010."""

    min_n: int = 3
    max_n: int = 3
    window: int = 3
    directed: bool = False
    weights: EdgeWeights = "occurrences"
    rank_weights: RankWeights = "paper"
    text: TextPipeline = field(default_factory=RawText)

    name: ClassVar[str]
    family: ClassVar[str] = "graphs"
    values: ClassVar[tuple[str, ...]] = VALUES
    headline: ClassVar[str] = "vs"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    better: ClassVar[Better] = dict.fromkeys(VALUES, "higher")
    needs: ClassVar[Needs] = Needs.REFERENCES

    def __post_init__(self) -> None:
        if not 1 <= self.min_n <= self.max_n:
            raise SummetryError(
                f"{self.name}: 1 <= min_n <= max_n is needed, got {self.min_n} and {self.max_n}"
            )
        if self.max_n > LONGEST_N:
            raise SummetryError(f"{self.name}: max_n must be {LONGEST_N} or less, got {self.max_n}")
        if self.window < 1:
            raise SummetryError(f"{self.name}: window must be 1 or more, got {self.window}")

    @property
    def pipeline(self) -> TextPipeline:
        """What makes symbols of a text."""
        return self.text

    @property
    def ranks(self) -> range:
        return range(self.min_n, self.max_n + 1)

    def with_models(self, batch: Batch) -> Similarities:
        """How similar each candidate is to each of its references."""
        return self.with_all(batch, [None])[0]

    def with_merged(self, batch: Batch, merging: Merging) -> Similarities:
        """How similar each candidate is to its references merged into one graph."""
        return self.with_all(batch, [merging])[0]

    def with_all(self, batch: Batch, ways: Sequence[Merging | None]) -> list[Similarities]:
        """The similarities to models (None) and merged models, from graphs that are made once."""
        key = (self.min_n, self.max_n, self.window, self.directed, self.weights, self.rank_weights)
        known: dict[Merging | None, Similarities] = batch.derived(
            ("graphs", spec.show(self.pipeline), *key), dict
        )
        missing = [way for way in ways if way not in known]
        if missing:
            parts: list[list[Similarities]] = [[] for _ in missing]
            for block in text_blocks(batch, batch.tokens(self.pipeline)):
                graphs = self.graphs_of(block.table)
                for way, found in zip(missing, parts, strict=True):
                    found.append(self._compare(block, graphs, way))
            known.update(zip(missing, map(_joined, parts), strict=True))
        return [known[way] for way in ways]

    def graphs_of(self, table: TokenTable) -> list[Graphs]:
        """The graphs of texts, those of all texts for each rank."""
        blank = "" if self.pipeline.blanks_are_tokens else " "
        symbols = (ngram_symbols(table, n, blank) for n in self.ranks)
        return [proximity_graphs(s, self.window, self.directed, self.weights) for s in symbols]

    def _compare(self, block: Block, ranks: list[Graphs], way: Merging | None) -> Similarities:
        if way is None:
            candidates = block.candidates[block.owners]
            return self._similarities(ranks, candidates, ranks, block.references)
        if (block.counts == 1).all():
            # One model merged is that model: its graph is there, and need not be copied.
            return self._similarities(ranks, block.candidates, ranks, block.references)
        groups = block.groups
        together = [merged(graphs, groups.rows, way) for graphs in ranks]
        found = self._similarities(ranks, block.candidates, together, groups.chosen)
        return Similarities(*(np.where(block.counts > 0, values, np.nan) for values in found))

    def _similarities(
        self, left: list[Graphs], left_rows: Ints, right: list[Graphs], right_rows: Ints
    ) -> Similarities:
        # A pair that several groups of references share is compared once.
        size = len(right[0]) + 1
        pairs, places = np.unique(left_rows * size + right_rows, return_inverse=True)
        mine, theirs = pairs // size, pairs % size
        ranks = [overlaps(a, mine, b, theirs) for a, b in zip(left, right, strict=True)]
        weights = rank_weights(self.min_n, self.max_n, self.rank_weights)
        found = similarities_of(ranks, list(weights.values()))
        return Similarities(*(values[places] for values in found))


def rank_weights(smallest: int, largest: int, weighting: RankWeights = "paper") -> dict[int, int]:
    """The weight of each rank: the rank itself (eq. 6), or JInsect's running sum of ranks.

    >>> rank_weights(2, 4), rank_weights(2, 4, "jinsect")
    ({2: 2, 3: 3, 4: 4}, {2: 2, 3: 5, 4: 9})
    """
    if weighting not in get_args(RankWeights):
        known = " or ".join(get_args(RankWeights))
        raise SummetryError(f"the weights of ranks are those of {known}, got {weighting!r}")
    ranks = range(smallest, largest + 1)
    return dict(zip(ranks, ranks if weighting == "paper" else accumulate(ranks), strict=True))


def _joined(parts: Sequence[Similarities]) -> Similarities:
    """The values of all blocks behind one another."""
    found = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return Similarities(*(found or [np.zeros(0)] * 4))
