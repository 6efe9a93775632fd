"""What indicators share: they look at the summary alone, and are computed only if they are named.

An indicator is no measure of quality. It counts something that may trouble a reader, and shows
where it is, so that a person can look.
"""

from __future__ import annotations

from typing import ClassVar

from summetry.metrics.base import Metric, Needs
from summetry.records.batches import Comparison
from summetry.text.finding import LooseText
from summetry.text.pipeline import TextPipeline
from summetry.text.tokens import Span


class Indicator(Metric):
    """A metric of the summary alone."""

    family: ClassVar[str] = "indicators"
    needs: ClassVar[Needs] = Needs.NOTHING
    only_if_asked: ClassVar[bool] = True
    compared_with: ClassVar[str] = ""
    multiplies_matrices: ClassVar[bool] = False


def sentence_spans(comparison: Comparison, pipeline: TextPipeline) -> list[Span]:
    """Where the sentences of a candidate are: those that it came with, or cut by the pipeline."""
    side = comparison.candidate
    sentences = side.sentences
    if sentences is None:
        sentences = tuple(pipeline.sentences(side.text, comparison.material.language))
    end, spans = 0, []
    for sentence in sentences:
        start = side.text.find(sentence, end)
        # Sentences that came with a summary may have other blanks than its text.
        loose = LooseText(side.text).find(sentence, near=end) if start < 0 else None
        span = loose or (start, start + len(sentence))
        if span[0] >= 0:
            spans.append(span)
            end = span[1]
    return spans
