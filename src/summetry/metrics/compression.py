"""Compression ratio: the length of the summary divided by the length of the text.

    CR = length of summary / length of full text

in words, sentences or characters. It grows when the summary gets longer, and says nothing
about quality: it stands beside other values, so that systems of one length are compared.

Source: Hassel and Dalianis (2005), section 1.1.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from summetry.metrics.base import METRICS, Better, Counts, Needs
from summetry.metrics.formulas import TotalsMetric
from summetry.records.batches import Batch, Comparison
from summetry.text.pipeline import LanguagePipeline, TextPipeline
from summetry.text.sentences import split_sentences


def compression_ratio(lengths: Sequence[float], summary: Collection[int]) -> float:
    """Length of the units in ``summary`` divided by the length of all units.

    >>> compression_ratio([4, 6], [0])
    0.4
    """
    total = sum(lengths)
    return sum(lengths[unit] for unit in set(summary)) / total if total else math.nan


@METRICS.register
@dataclass(frozen=True)
class Compression(TotalsMetric):
    """Length of the summary divided by the length of the source (Hassel and Dalianis, 1.1)."""

    unit: Literal["words", "sentences", "characters"] = "words"
    text: TextPipeline = field(default_factory=LanguagePipeline)

    name: ClassVar[str] = "compression"
    family: ClassVar[str] = "length"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    better: ClassVar[Better] = {"value": "neither"}
    needs: ClassVar[Needs] = Needs.SOURCE
    totals: ClassVar[tuple[str, ...]] = ("summary", "source")
    defined_by: ClassVar[str] = "source"
    formulas: ClassVar[dict[str, str]] = {"value": "summary / source"}

    @property
    def terms(self) -> dict[str, str]:
        return {text: f"{self.unit} of the {text}" for text in self.totals}

    def count(self, batch: Batch) -> Counts:
        if self.unit == "words":
            # The last 0 is the length of a source that is not there (row -1).
            lengths = np.append(batch.tokens(self.text).lengths, 0)
            both = [lengths[batch.candidates], lengths[batch.sources]]
            return np.column_stack(both).astype(np.float64)
        pairs = [self._lengths(comparison) for comparison in batch.comparisons]
        return np.array(pairs, dtype=np.float64).reshape(-1, 2)

    def _lengths(self, comparison: Comparison) -> tuple[int, int]:
        material, candidate = comparison.material, comparison.candidate
        source = material.source or ""
        if self.unit == "characters":
            return len(candidate.text), len(source)
        whole = material.units if material.unit == "sentence" else ()
        chosen = candidate.units if whole else None
        return (
            len(split_sentences(candidate.text, material.language) if chosen is None else chosen),
            len(whole or split_sentences(source, material.language)),
        )
