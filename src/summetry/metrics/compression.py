"""Compression ratio: the length of the summary by the length of the text.

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

from summetry.metrics.base import METRICS, Better, Counts, Metric, Needs, Scores, explained, ratio
from summetry.metrics.explanations import Explanation, Part, left_out
from summetry.records.batches import Batch, Comparison
from summetry.text.pipeline import LanguagePipeline, TextPipeline
from summetry.text.sentences import split_sentences


def compression_ratio(lengths: Sequence[float], summary: Collection[int]) -> float:
    """Length of the units in ``summary`` by the length of all units.

    >>> compression_ratio([4, 6], [0])
    0.4
    """
    total = sum(lengths)
    return sum(lengths[unit] for unit in set(summary)) / total if total else math.nan


@METRICS.register
@dataclass(frozen=True)
class Compression(Metric):
    """Length of the summary by length of the source (Hassel and Dalianis, 1.1)."""

    unit: Literal["words", "sentences", "characters"] = "words"
    text: TextPipeline = field(default_factory=LanguagePipeline)

    name: ClassVar[str] = "compression"
    family: ClassVar[str] = "length"
    values: ClassVar[tuple[str, ...]] = ("value",)
    headline: ClassVar[str] = "value"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    better: ClassVar[Better] = {"value": "neither"}
    needs: ClassVar[Needs] = Needs.SOURCE

    def count(self, batch: Batch) -> Counts:
        if self.unit == "words":
            # The last 0 is the length of a source that is not there (row -1).
            lengths = np.append(batch.tokens(self.text).lengths, 0)
            found = [lengths[batch.candidates], lengths[batch.sources]]
        else:
            pairs = [self._lengths(comparison) for comparison in batch.comparisons]
            found = list(np.array(pairs, dtype=np.int64).reshape(-1, 2).T)
        return np.column_stack(found).astype(np.float64)

    def score(self, counts: Counts) -> Scores:
        return {"value": ratio(counts[:, 0], counts[:, 1])}

    def explain(self, comparison: Comparison) -> Explanation:
        summary, source = self.count(Batch([comparison]))[0].tolist()
        formula = {"value": "summary / source"} if source else left_out(self.values)
        part = Part("source", {"summary": summary, "source": source}, formula)
        return explained(self, comparison, [part])

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
