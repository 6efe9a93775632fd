"""A metric of lm-evaluation-harness, for the YAML of a task:

    metric_list:
      - metric: !function summetry.integrations.lm_eval.score
        metrics: rouge2,rougeL
        aggregation: mean
        higher_is_better: true

The harness gives it one prediction and one reference at a time. Where a document has several
references, the harness turns every metric of this list into 0 or 1, so write ``process_results``
and call ``score`` there.
"""

from __future__ import annotations

from collections.abc import Sequence

import summetry
from summetry.integrations._values import one_value_each
from summetry.metrics import DEFAULT_METRICS


def score(
    references: Sequence[str] | Sequence[Sequence[str]],
    predictions: Sequence[str],
    metrics: str | Sequence[str] = DEFAULT_METRICS,
    language: str = "",
) -> dict[str, float]:
    """The mean of each metric over the predictions, under the metric's name.

    >>> score(["the ferry burned"], ["the ferry sank"], metrics="rouge2")
    {'rouge2': 0.5}
    """
    scores = summetry.score(predictions, references, metrics, language=language)
    return one_value_each(scores.mean(), metrics)
