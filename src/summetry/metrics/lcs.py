"""Longest common subsequence of two texts, in words.

    lcs(X, Y) = (|X| + |Y| - edit_di(X, Y)) / 2

edit_di counts deletions and insertions only: with substitutions the formula would not even
give whole numbers. The paper's value is the length; recall (divided by the length of the
reference), precision (by that of the candidate) and F are additions. A text is one flat sequence
of words; the union over sentences of ROUGE-L is another measure.

Source: Steinberger and Jezek (2009), eq. 6.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from summetry.arrays.sequences import lcs_alignment, lcs_length, lcs_lengths
from summetry.metrics._pairs import TextPairMetric, TextPairs
from summetry.metrics.base import METRICS, Over
from summetry.metrics.coselection import precision_recall_f
from summetry.metrics.explanations import Match
from summetry.metrics.formulas import Facts
from summetry.records.batches import Batch, Comparison, Side
from summetry.text.pipeline import LanguagePipeline, TextPipeline


class CommonSubsequence(NamedTuple):
    length: int
    recall: float
    precision: float
    f: float


def edit_di(x: Sequence[Hashable], y: Sequence[Hashable]) -> int:
    """Fewest deletions and insertions that turn ``x`` into ``y``.

    >>> edit_di("a", "b")
    2
    """
    return len(x) + len(y) - 2 * lcs_length(x, y)


def common_subsequence(x: Sequence[Hashable], y: Sequence[Hashable]) -> CommonSubsequence:
    """Length of the longest common subsequence of a candidate and a reference, and R, P, F."""
    length = lcs_length(x, y)
    shares = precision_recall_f(length, len(x), len(y))
    return CommonSubsequence(length, shares.recall, shares.precision, shares.f)


@METRICS.register
@dataclass(frozen=True)
class Lcs(TextPairMetric):
    """Words in the longest common subsequence (Steinberger and Jezek, eq. 6)."""

    references: Over = "mean"
    text: TextPipeline = field(default_factory=LanguagePipeline)

    name: ClassVar[str] = "lcs"
    headline: ClassVar[str] = "f"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    formulas: ClassVar[dict[str, str]] = {
        "length": "matched",
        "recall": "matched / reference",
        "precision": "matched / candidate if candidate else 0",
        "f": "2 * matched / (candidate + reference)",
    }

    terms: ClassVar[Mapping[str, str]] = {
        "matched": "words in the longest common subsequence",
        "candidate": "words of the candidate",
        "reference": "words of the reference",
    }

    def facts(self, batch: Batch, pairs: TextPairs) -> Facts:
        table, left, right, _ = pairs
        return {
            "matched": lcs_lengths(table, left, right),
            "candidate": table.lengths[left],
            "reference": table.lengths[right],
        }

    def matches(self, comparison: Comparison, other: Side) -> list[Match]:
        mine, theirs = (
            self.text.locate(text, comparison.material.language)
            for text in (comparison.candidate.text, other.text)
        )
        aligned = lcs_alignment([token for token, _ in mine], [token for token, _ in theirs])
        return [Match(mine[i][0], 1.0, (mine[i][1],), (theirs[j][1],)) for i, j in aligned]
