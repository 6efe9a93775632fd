"""Length: how many words, sentences or characters a summary has.

It is an indicator because it goes with nearly everything else: longer summaries hold more, and
repeat more. ``compression`` has the same length divided by that of the source.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from summetry.metrics.base import METRICS, Better, Counts, MeanMetric, explained, one_value
from summetry.metrics.explanations import Explanation, Part
from summetry.metrics.indicators._base import Indicator
from summetry.records.batches import Batch, Comparison
from summetry.text.pipeline import LanguagePipeline, TextPipeline


@METRICS.register
@dataclass(frozen=True)
class Length(Indicator, MeanMetric):
    """How many words, sentences or characters the summary has."""

    unit: Literal["words", "sentences", "characters"] = "words"
    text: TextPipeline = field(default_factory=LanguagePipeline)

    name: ClassVar[str] = "length"
    values: ClassVar[tuple[str, ...]] = ("value",)
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    better: ClassVar[Better] = {"value": "neither"}

    @property
    def terms(self) -> dict[str, str]:
        return {self.unit: f"{self.unit} of the summary"}

    @property
    def reads_sentences(self) -> bool:
        return self.unit == "sentences"

    def count(self, batch: Batch) -> Counts:
        if self.unit == "words":
            lengths = batch.tokens(self.text).lengths
        elif self.unit == "sentences":
            lengths = np.diff(batch.sentences(self.text).first)
        else:
            lengths = np.fromiter(map(len, batch.strings), np.int64, len(batch.strings))
        return one_value(lengths[batch.candidates].astype(np.float64))

    def explain(self, comparison: Comparison) -> Explanation:
        length = float(self.score(self.count(Batch([comparison])))["value"][0])
        return explained(self, comparison, [Part("", {self.unit: length}, {"value": self.unit})])
