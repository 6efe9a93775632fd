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

from summetry.arguments import check_whole
from summetry.arrays.vectors import shared_tokens
from summetry.metrics._pairs import TextPairMetric, TextPairs, placed
from summetry.metrics.base import METRICS, Over
from summetry.metrics.explanations import Match
from summetry.metrics.formulas import Facts
from summetry.records.batches import Batch, Comparison, Side
from summetry.text.pipeline import LanguagePipeline, TextPipeline


def unit_overlap(x: Iterable[Hashable], y: Iterable[Hashable]) -> float:
    """Shared distinct units divided by all distinct units; NaN when neither text has any.

    >>> unit_overlap("a b a".split(), "b c".split())
    0.3333333333333333
    """
    left, right = set(x), set(y)
    return len(left & right) / len(left | right) if left | right else math.nan


@METRICS.register
@dataclass(frozen=True)
class UnitOverlap(TextPairMetric):
    """Shared words or n-grams divided by all of both texts (Steinberger and Jezek, eq. 5)."""

    n: int = 1
    references: Over = "mean"
    text: TextPipeline = field(default_factory=LanguagePipeline)

    name: ClassVar[str] = "unit_overlap"
    formulas: ClassVar[dict[str, str]] = {"value": "matched / (candidate + reference - matched)"}

    def __post_init__(self) -> None:
        check_whole("unit_overlap: n", self.n, 1)

    @property
    def terms(self) -> dict[str, str]:
        units = "different words" if self.n == 1 else f"different runs of {self.n} words"
        return {
            "matched": f"{units} that both have",
            "candidate": f"{units} of the candidate",
            "reference": f"{units} of the reference",
        }

    def pairs(self, batch: Batch) -> TextPairs:
        return TextPairs(batch.tokens(self.text, self.n), *self.pair_rows(batch))

    def facts(self, batch: Batch, pairs: TextPairs) -> Facts:
        bags, left, right = pairs.table.bags, pairs.left, pairs.right
        return {
            "matched": shared_tokens(bags, left, right).types,
            "candidate": bags.lengths[left],
            "reference": bags.lengths[right],
        }

    def matches(self, comparison: Comparison, other: Side) -> list[Match]:
        tokens = placed(comparison, other, self.text, self.n)
        return [tokens.match(token, 1.0) for token in tokens.shared()]
