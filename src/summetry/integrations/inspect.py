"""A scorer of Inspect (``inspect_ai``): summaries that a model writes, by any metric.

    from inspect_ai import Task
    from summetry.integrations.inspect import summary_scorer

    Task(dataset=..., scorer=summary_scorer("rouge2,rougeL"))

The target of a sample is the reference, a list of targets are several. Every metric is a value of
its own, which Inspect reduces over epochs and then to a mean with its standard error.
"""

from __future__ import annotations

from collections.abc import Sequence

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

import summetry
from summetry.engine.chunks import build_metrics
from summetry.errors import SummetryError
from summetry.integrations._values import one_value_each
from summetry.metrics import DEFAULT_METRICS


@scorer(metrics={"*": [mean(), stderr()]})
def summary_scorer(
    metrics: str | Sequence[str] = DEFAULT_METRICS, source: str = "", language: str = ""
) -> Scorer:
    """A scorer by ``metrics``, spelt as on the command line.

    ``source`` says where a metric finds what was summarized: ``input`` is the sample's input, any
    other word a key of its metadata. Signatures are in the metadata of a score.
    """
    build_metrics(metrics)  # A name that is not known is better refused before a model is asked.

    async def score(state: TaskState, target: Target) -> Score:
        text = state.output.completion
        origin = _source(state, source) if source else None
        scores = summetry.score(text, list(target), metrics, sources=origin, language=language)
        values = one_value_each(scores, metrics)
        return Score(value=values, answer=text, metadata={"signatures": scores.signatures})

    return score


def _source(state: TaskState, source: str) -> str:
    if source == "input":
        return str(state.input_text)
    if source not in state.metadata:
        raise SummetryError(f"sample {state.sample_id} has no metadata {source!r} for the source")
    return str(state.metadata[source])
