"""What metrics share that compare a summary with the source or with references, as asked."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from summetry.metrics._tokens import TextPairs, text_pairs
from summetry.metrics.base import Needs
from summetry.records.batches import Batch, Comparison, Side
from summetry.text.pipeline import TextPipeline

Against: TypeAlias = Literal["source", "references"]


def needs_against(against: Against) -> Needs:
    return Needs.SOURCE if against == "source" else Needs.REFERENCES


def pairs_against(batch: Batch, pipeline: TextPipeline, against: Against) -> TextPairs:
    """Every candidate with its source, where there is one, or with each of its references."""
    if against == "references":
        return text_pairs(batch, pipeline)
    owners = np.flatnonzero(batch.sources >= 0).astype(np.int64)
    table = batch.tokens(pipeline)
    return TextPairs(table, batch.candidates[owners], batch.sources[owners], owners)


def sides_against(comparison: Comparison, against: Against) -> tuple[Side, ...]:
    """What a candidate is compared with, for explanations."""
    if against == "references":
        return comparison.references
    source = comparison.material.source
    return () if source is None else (Side("source", source),)
