"""Cosine of the mean vectors of two texts.

    value = sum x_i y_i / (sqrt(sum x_i^2) sqrt(sum y_i^2))

x and y are the means of the vectors of all tokens, which an encoder gives; of a model they are the
means over all positions of the attention mask. An empty candidate has -1, the worst value, an empty
reference none; a text whose vectors add up to 0 is taken for empty.

Source: ours; mean pooling as in Reimers and Gurevych (2019).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from summetry.encoders import Encoder
from summetry.encoders.folder import Folder
from summetry.metrics._encoded import EncodedMetric, blocks
from summetry.metrics._pairs import Against, PairFacts
from summetry.metrics.base import METRICS, Over
from summetry.metrics.explanations import Match
from summetry.records.batches import Batch, Comparison, Side


@METRICS.register
@dataclass(frozen=True)
class EmbeddingCosine(EncodedMetric):
    """Cosine of the mean vectors of the tokens of two texts."""

    encoder: Encoder = field(default_factory=Folder)
    references: Over = "best"
    against: Against = "references"

    name: ClassVar[str] = "embedding_cosine"
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    formulas: ClassVar[dict[str, str]] = {
        "value": "product / (candidate * reference)**0.5 if candidate else -1"
    }

    @property
    def terms(self) -> dict[str, str]:
        return {
            "product": "over all dimensions, the product of both means",
            "candidate": "sum of the squares of the mean of the candidate",
            "reference": f"sum of the squares of the mean of the {self.other}",
        }

    def pair_facts(self, batch: Batch) -> PairFacts:
        pairs, texts = self.pair_rows(batch), self.encoded(batch)
        left, right = pairs.left.tolist(), pairs.right.tolist()
        facts = np.zeros((len(left), 3))
        for start, end in blocks(pairs):
            texts.need_means(left[start:end] + right[start:end])
            for place in range(start, end):
                mine, theirs = texts.mean(left[place]), texts.mean(right[place])
                product = (mine * theirs).sum() if len(mine) and len(theirs) else 0.0
                facts[place] = product, (mine * mine).sum(), (theirs * theirs).sum()
        names = ("product", "candidate", "reference")
        return PairFacts(dict(zip(names, facts.T, strict=True)), pairs.owners)

    def matches(self, comparison: Comparison, other: Side) -> Iterable[Match]:
        """None: a mean does not say which token was near to which."""
        return ()
