"""Longest common subsequence of two texts, in words.

    lcs(X, Y) = (|X| + |Y| - edit_di(X, Y)) / 2

edit_di counts deletions and insertions only: with substitutions the formula would not even
give whole numbers. The paper's value is the length; recall (by the reference), precision (by
the candidate) and F are additions. One flat sequence of words a text; the union over sentences
of ROUGE-L is another measure.

Source: Steinberger and Jezek (2009), eq. 6.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np

from summetry.arrays.sequences import lcs_alignment, lcs_length, lcs_lengths
from summetry.metrics._tokens import text_pairs
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
from summetry.metrics.coselection import precision_recall_f
from summetry.metrics.explanations import Explanation, Match, Part, left_out
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
class Lcs(Metric):
    """Words in the longest common subsequence (Steinberger and Jezek, eq. 6)."""

    references: Over = "mean"
    text: TextPipeline = field(default_factory=LanguagePipeline)

    name: ClassVar[str] = "lcs"
    family: ClassVar[str] = "content"
    values: ClassVar[tuple[str, ...]] = ("length", "recall", "precision", "f")
    headline: ClassVar[str] = "f"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    better: ClassVar[Better] = dict.fromkeys(values, "higher")
    needs: ClassVar[Needs] = Needs.REFERENCES

    def count(self, batch: Batch) -> Counts:
        table, left, right, owners = text_pairs(batch, self.text)
        length = lcs_lengths(table, left, right)
        chosen, wanted = table.lengths[left], table.lengths[right]
        values = np.stack(
            [
                length.astype(np.float64),
                ratio(length, wanted),
                np.where(chosen == 0, 0.0, ratio(length, chosen)),
                ratio(2 * length, chosen + wanted),
            ]
        )
        values[:, wanted == 0] = np.nan
        return np.hstack([over_references(v, owners, len(batch), self.references) for v in values])

    def score(self, counts: Counts) -> Scores:
        return means(counts, self.values)

    def explain(self, comparison: Comparison) -> Explanation:
        parts = [self._part(comparison, side) for side in comparison.references]
        return explained(self, comparison, parts, self.references)

    def _part(self, comparison: Comparison, side: Side) -> Part:
        language = comparison.material.language
        mine = self.text.locate(comparison.candidate.text, language)
        theirs = self.text.locate(side.text, language)
        aligned = lcs_alignment([token for token, _ in mine], [token for token, _ in theirs])
        matches = tuple(Match(mine[i][0], 1.0, (mine[i][1],), (theirs[j][1],)) for i, j in aligned)
        facts = {"matched": float(len(matches)), "candidate": float(len(mine))}
        facts["reference"] = float(len(theirs))
        return Part(side.author, facts, _FORMULAS if theirs else left_out(self.values), matches)


_FORMULAS = {
    "length": "matched",
    "recall": "matched / reference",
    "precision": "matched / candidate if candidate else 0",
    "f": "2 * matched / (candidate + reference)",
}
