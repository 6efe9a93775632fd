"""Repeated n-grams: the share of the runs of ``n`` words that the summary had already.

    value = (n-grams - different n-grams) / n-grams

Runs go across the ends of sentences, as in ROUGE. A summary of fewer than ``n`` words repeats
nothing: 0. One without any word has 1, the worst.

Source: See, Liu and Manning (2017), figure 4, who count the n-grams of a summary that are
duplicates.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from summetry.arrays.ngrams import LONGEST_N, ngram_bags, windows
from summetry.errors import SummetryError
from summetry.metrics._pairs import placed_ngrams
from summetry.metrics.base import METRICS, Better, Counts
from summetry.metrics.explanations import Match
from summetry.metrics.formulas import TotalsMetric
from summetry.metrics.indicators._base import Indicator
from summetry.records.batches import Batch, Comparison
from summetry.text.pipeline import LanguagePipeline, TextPipeline


def repeated_share(tokens: Sequence[Hashable], n: int = 3) -> float:
    """The share of n-grams that were there before; NaN where there are none.

    >>> repeated_share("a b a b a".split(), 2)
    0.5
    """
    grams = windows(tuple(tokens), n)
    return (len(grams) - len(set(grams))) / len(grams) if grams else math.nan


@METRICS.register
@dataclass(frozen=True)
class RepeatedNgrams(Indicator, TotalsMetric):
    """Share of the runs of n words that the summary had already (See, Liu and Manning 2017)."""

    n: int = 3
    text: TextPipeline = field(default_factory=LanguagePipeline)

    name: ClassVar[str] = "repeated_ngrams"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    better: ClassVar[Better] = {"value": "lower"}
    totals: ClassVar[tuple[str, ...]] = ("found", "ngrams", "words")
    defined_by: ClassVar[str] = ""
    formulas: ClassVar[dict[str, str]] = {
        "value": "found / ngrams if ngrams else (0 if words else 1)"
    }

    def __post_init__(self) -> None:
        if not 1 <= self.n <= LONGEST_N:
            raise SummetryError(f"repeated_ngrams: n must be 1 to {LONGEST_N}, got {self.n}")

    @property
    def terms(self) -> dict[str, str]:
        runs = "words" if self.n == 1 else f"runs of {self.n} words"
        return {
            "found": f"{runs} that were there before",
            "ngrams": f"{runs}, all together",
            "words": "words of the summary",
        }

    def count(self, batch: Batch) -> Counts:
        table = batch.tokens(self.text)
        bags, totals = ngram_bags(table, self.n)
        columns = totals - bags.lengths, totals, table.lengths
        return np.column_stack([of[batch.candidates] for of in columns]).astype(np.float64)

    def matches(self, comparison: Comparison) -> list[Match]:
        """Each n-gram that is there several times, with all its places."""
        tokens = self.text.locate(comparison.candidate.text, comparison.material.language)
        return [
            Match(gram, float(len(spans) - 1), spans)
            for gram, spans in placed_ngrams(tokens, self.n).items()
            if len(spans) > 1
        ]
