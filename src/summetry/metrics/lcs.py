"""Longest common subsequence of two texts, in words.

    lcs(X, Y) = (|X| + |Y| - edit_di(X, Y)) / 2

edit_di counts deletions and insertions only: with substitutions the formula would not even
give whole numbers. The paper's value is the length; recall (by the reference), precision (by
the candidate) and F are additions. A text is one flat sequence of words; the union over sentences
of ROUGE-L is another measure.

Source: Steinberger and Jezek (2009), eq. 6.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np

from summetry.arrays.lcs import lcs_alignment, lcs_length, lcs_lengths
from summetry.arrays.like_sequences import long_lcs_length
from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Ints
from summetry.errors import SummetryWarning, counted
from summetry.metrics._pairs import TextPairMetric
from summetry.metrics._tokens import TextPairs
from summetry.metrics.base import METRICS, Over
from summetry.metrics.coselection import precision_recall_f
from summetry.metrics.explanations import Match
from summetry.metrics.formulas import Facts
from summetry.records.batches import Batch, Comparison, Side
from summetry.text.pipeline import LanguagePipeline, TextPipeline

# Pairs of texts with more pairs of words are looked at one by one: they may be alike.
_LONG = 10_000_000
# So many pairs of words take about a minute on one core, and that is told before.
_A_MINUTE = 250_000_000_000


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


def _lengths(table: TokenTable, left: Ints, right: Ints) -> Ints:
    """The length of the longest common subsequence of each pair of texts of a table."""
    is_long = table.lengths[left] * table.lengths[right] > _LONG
    found = np.zeros(len(left), np.int64)
    found[~is_long] = lcs_lengths(table, left[~is_long], right[~is_long])
    for pair in np.flatnonzero(is_long).tolist():
        found[pair] = long_lcs_length(table.row(left[pair]), table.row(right[pair]), _tell)
    return found


def _tell(x: int, y: int) -> None:
    """Say what a user waits for."""
    minutes = x * y // _A_MINUTE
    if minutes:
        warnings.warn(
            f"lcs: every one of {x:,} words is compared with {y:,} words of the other text, since "
            f"they have little in common; that takes about {counted(minutes, 'minute')}",
            SummetryWarning,
            stacklevel=2,
        )


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

    def facts(self, batch: Batch, pairs: TextPairs) -> Facts:
        table, left, right, _ = pairs
        return {
            "matched": _lengths(table, left, right),
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
