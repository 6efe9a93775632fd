"""What a reader of ROUGE should know of the texts: traps that no value shows."""

from __future__ import annotations

import numpy as np

from summetry.metrics.rouge.rouge155_text import Rouge155
from summetry.metrics.rouge.rouge_score_text import RougeScoreText
from summetry.records.batches import Batch
from summetry.text.pipeline import TextPipeline

# A single line of more words than this is taken for several sentences.
LONG_LINE = 40
ONE_LINE = (
    "the summary is one long line, which counts as one sentence; "
    "L and W of summaries expect a sentence a line"
)
OTHER_SCRIPT = (
    "most letters of a text are none of a-z, and others are not seen; "
    "the default, text=auto, reads every script"
)


def one_long_line(batch: Batch, pipeline: TextPipeline) -> dict[str, int]:
    """How many candidates are a long line, where a line is a sentence: they are one sentence."""
    if not pipeline.lines_are_sentences:
        return {}
    found = batch.sentences(pipeline)
    flat = (np.diff(found.first) <= 1) & (found.whole.lengths > LONG_LINE)
    count = int(flat[batch.candidates].sum())
    return {ONE_LINE: count} if count else {}


def other_scripts(batch: Batch, pipeline: TextPipeline) -> dict[str, int]:
    """How many comparisons hold a text that tokens of a-z and 0-9 say little or nothing of."""
    if not isinstance(pipeline, Rouge155 | RougeScoreText):
        return {}
    count = batch.derived("comparisons in other scripts", lambda: _count_other_scripts(batch))
    return {OTHER_SCRIPT: count} if count else {}


def _count_other_scripts(batch: Batch) -> int:
    other = np.array([_is_other_script(text) for text in batch.strings], dtype=bool)
    if not other.any():
        return 0
    found = other[batch.candidates]
    found[batch.owners[other[batch.references]]] = True
    return int(found.sum())


def _is_other_script(text: str) -> bool:
    """Whether more than half of the letters are outside ASCII."""
    # Most texts are plain, and of the rest most have few bytes more than letters.
    if text.isascii() or len(text.encode("utf-8", "replace")) < 1.25 * len(text):
        return False
    letters = [letter for letter in text if letter.isalpha()]
    return 2 * sum(map(str.isascii, letters)) < len(letters)
