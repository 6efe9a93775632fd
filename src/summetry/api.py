"""Functions whose results print as their commands do: ``compare``, ``correlate``, ``explain``.

``summetry.score``, ``load``, ``evaluate`` and ``summarize`` stand with what they use.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, cast

from summetry.arguments import as_names, as_path, check_function, check_string, check_strings
from summetry.engine.chunks import build_metrics
from summetry.engine.languages import with_language
from summetry.engine.pairs import ARGUMENTS, PairPlan, one_text
from summetry.engine.plan import Plan, ProtocolName, check_needs
from summetry.engine.run import MetricLike, Progress, evaluate
from summetry.errors import SummetryError, warn
from summetry.formats.frames import as_frame
from summetry.formats.scores import is_scores, read_scores
from summetry.metaeval import correlations
from summetry.metaeval.comparisons import (
    CompareSettings,
    Correction,
    columns_to_compare,
    compare_by,
)
from summetry.metaeval.correlation_tables import Correlations
from summetry.metaeval.grids import grid_of
from summetry.metrics import DEFAULT_METRICS
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, ScoreTable
from summetry.reports.comparisons import Rankings
from summetry.reports.correlations import CorrelationReport
from summetry.reports.explain import ExplanationReport
from summetry.stats.contrasts import Test
from summetry.text.languages import language_code

P = ParamSpec("P")


def compare(
    scores: ScoreTable | Corpus | Plan | str | Path | Any,
    metrics: MetricLike | Sequence[MetricLike] = (),
    *,
    baseline: str = "",
    exclude: Collection[str] = (),
    protocol: str = "",
    columns: Mapping[str, str] | None = None,
    test: Test = "permutation",
    correction: Correction = "holm",
    alpha: float = 0.05,
    draws: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Rankings:
    """The systems of scores, or of texts that are scored first, ranked by each metric and tested.

    Both can be frames or at a path. ``metrics`` are metrics (then their headlines count) or values
    of them; without any these are the first three of the scores that say which direction is better,
    and rouge-1, rouge-2 and rouge-l of texts.
    """
    check_strings(baseline=baseline, protocol=protocol, test=test, correction=correction)
    check_function("progress", progress)
    settings = CompareSettings(test, correction, alpha, draws, seed)
    left_out = as_names("exclude", exclude)
    table, names = _scored(scores, metrics, protocol, columns)
    grid = grid_of(table, protocol, left_out)
    chosen = columns_to_compare(table, grid, names)
    return Rankings(compare_by(grid, chosen, baseline, settings, progress))


def _scored(
    scores: Any, metrics: Any, protocol: str, columns: Mapping[str, str] | None
) -> tuple[ScoreTable, list[str]]:
    """Scores as they are or as they are computed of texts, and the values that are asked for."""
    if not isinstance(scores, ScoreTable | Corpus | Plan):
        expected = "scores, a corpus, a frame or a path to one of them"
        place = as_frame(scores, "the scores") or as_path("scores", scores, expected)
        if is_scores(place):
            if columns:
                raise SummetryError(f"columns go with texts, and {place} has scores")
            scores = read_scores(place)
    if isinstance(scores, ScoreTable):
        return scores, as_names("metrics", metrics)
    is_named = not isinstance(metrics, tuple) or bool(metrics)
    requested = build_metrics(metrics if is_named else DEFAULT_METRICS)
    how = cast(ProtocolName, protocol or "no_models")
    table = evaluate(scores, requested, how, columns=columns)
    for note in table.notes:
        warn(note)
    values = [Column(r.name, *r.values).name if len(r.values) == 1 else r.name for r in requested]
    return table, values if is_named else []


def _printing(
    function: Callable[P, Correlations],
) -> Callable[P, CorrelationReport]:
    @wraps(function)
    def printing(*arguments: P.args, **named: P.kwargs) -> CorrelationReport:
        whole = function(*arguments, **named)
        return CorrelationReport(whole.tables, whole.settings, whole.notes)

    return printing


correlate = _printing(correlations.correlate)


def explain(
    candidate: str,
    references: str | Sequence[str] = (),
    metric: MetricLike = "rouge-1",
    *,
    source: str | None = None,
    language: str = "",
) -> ExplanationReport:
    """Why a text has its score: formulas with their numbers, what matched and what was missed.

    It prints what the command ``explain`` prints; ``explained`` has the numbers.

    >>> explain("a b c", "b c d", "rouge1").explained.values["f"]
    0.6666666666666666
    """
    check_string("candidate", candidate)
    check_string("language", language)
    requested = build_metrics(metric)
    if len(requested) > 1:
        raise SummetryError(f"one metric is explained at a time, got {len(requested)}")
    plan = PairPlan(
        one_text(candidate, references, source, language_code(language)), remedies=ARGUMENTS
    )
    (request,), guess = with_language(requested, plan)
    check_needs([request.metric], plan)
    if guess:
        warn(guess)
    (item,) = plan.items()
    (comparison,) = item.comparisons
    explained = request.metric.explain(comparison)
    return ExplanationReport(request.name, explained, comparison, request.metric.legend)
