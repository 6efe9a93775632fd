"""Whose words ROUGE counts, set for all ROUGE metrics of a command at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from summetry.errors import SummetryError
from summetry.metrics.base import Metric
from summetry.metrics.rouge.base import Rouge
from summetry.metrics.rouge.rouge_metrics import RougeL
from summetry.metrics.rouge.texts import Rouge155, RougeScoreText
from summetry.text.pipeline import LanguagePipeline

RougeWords = Literal["rouge-score", "1.5.5", "unicode"]
_PIPELINES = {"rouge-score": RougeScoreText, "1.5.5": Rouge155, "unicode": LanguagePipeline}
# The papers' names of ROUGE-L, which the package rouge-score takes of the whole text.
_PLAIN_L = ("rouge-l", "rouge155-l")


def with_words(metric: Metric, name: str, words: RougeWords | None, stem: bool) -> Metric:
    """The metric that a user calls ``name``, with these words; what is not ROUGE stays as it is.

    With the words come the rules of their program: of several references rouge-score takes the
    best, and its ROUGE-L is that of the whole text, unless the name is that of its rougeLsum.
    """
    if not isinstance(metric, Rouge):
        return metric
    changes: dict[str, Any] = {"text": metric.text}
    if words is not None:
        stems = {"stem": True} if getattr(metric.text, "stem", False) else {}
        changes["text"] = _PIPELINES[words](**stems)
        changes["references"] = "best" if words == "rouge-score" else "pool"
        if isinstance(metric, RougeL) and words == "1.5.5":
            changes["level"] = "summary"
        elif isinstance(metric, RougeL) and words == "rouge-score" and name.lower() in _PLAIN_L:
            changes["level"] = "text"
    if stem:
        if not hasattr(changes["text"], "stem"):
            raise SummetryError(f"{name}: its words cannot be stemmed")
        changes["text"] = replace(changes["text"], stem=True)
    return replace(metric, **changes)
