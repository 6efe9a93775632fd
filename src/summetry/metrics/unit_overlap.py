"""Unit overlap: the words two texts share, of all the words they use.

    overlap(X, Y) = |X n Y| / (|X| + |Y| - |X n Y|)

X and Y are sets (the paper: "||X|| is the size of set X"), so repeats do not count. Units are
words, or runs of ``n`` words; ``text=en(lemma=true)`` makes them lemmas. An empty candidate
has 0; an empty reference leaves the value undefined.

Source: Steinberger and Jezek (2009), eq. 5.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from summetry.arrays.vectors import shared_tokens
from summetry.errors import SummetryError
from summetry.metrics._tokens import placed, text_pairs
from summetry.metrics.base import (
    METRICS,
    Better,
    Counts,
    Metric,
    Needs,
    Over,
    Scores,
    explained,
    means,
    over_references,
    ratio,
)
from summetry.metrics.explanations import Explanation, Part, left_out
from summetry.records.batches import Batch, Comparison, Side
from summetry.text.pipeline import LanguagePipeline, TextPipeline


def unit_overlap(x: Iterable[Hashable], y: Iterable[Hashable]) -> float:
    """Shared distinct units by all distinct units; NaN when neither text has any.

    >>> unit_overlap("a b a".split(), "b c".split())
    0.3333333333333333
    """
    left, right = set(x), set(y)
    return len(left & right) / len(left | right) if left | right else math.nan


@METRICS.register
@dataclass(frozen=True)
class UnitOverlap(Metric):
    """Shared words or word runs by all of both texts (Steinberger and Jezek, eq. 5)."""

    n: int = 1
    references: Over = "mean"
    text: TextPipeline = field(default_factory=LanguagePipeline)

    name: ClassVar[str] = "unit_overlap"
    family: ClassVar[str] = "content"
    values: ClassVar[tuple[str, ...]] = ("value",)
    headline: ClassVar[str] = "value"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    better: ClassVar[Better] = dict.fromkeys(values, "higher")
    needs: ClassVar[Needs] = Needs.REFERENCES

    def __post_init__(self) -> None:
        if self.n < 1:
            raise SummetryError(f"unit_overlap: n must be 1 or more, got {self.n}")

    def count(self, batch: Batch) -> Counts:
        table, left, right, owners = text_pairs(batch, self.text, self.n)
        types = table.bags.lengths
        shared = shared_tokens(table.bags, left, right).types
        values = ratio(shared, types[left] + types[right] - shared)
        values[types[right] == 0] = np.nan
        return over_references(values, owners, len(batch), self.references)

    def score(self, counts: Counts) -> Scores:
        return means(counts, self.values)

    def explain(self, comparison: Comparison) -> Explanation:
        parts = [self._part(comparison, side) for side in comparison.references]
        return explained(self, comparison, parts, self.references)

    def _part(self, comparison: Comparison, side: Side) -> Part:
        tokens = placed(comparison, side, self.text, self.n)
        matches = tuple(tokens.match(token, 1.0) for token in tokens.shared())
        facts = {"matched": float(len(matches)), "candidate": float(len(tokens.candidate))}
        facts["reference"] = float(len(tokens.reference))
        formula = {"value": "matched / (candidate + reference - matched)"}
        return Part(
            side.author, facts, formula if tokens.reference else left_out(self.values), matches
        )
