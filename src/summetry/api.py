"""Functions whose results print as their commands do: ``compare``, ``correlate``, ``estimate``,
``alt_test``, ``audit``, ``explain``, ``worst``; and ``report``, whose result is a page.

``summetry.score``, ``load``, ``evaluate`` and ``summarize`` stand with what they use.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, ParamSpec, cast, get_args

from summetry import __version__
from summetry.arguments import (
    as_names,
    as_path,
    check_choice,
    check_function,
    check_string,
    check_strings,
    check_whole,
)
from summetry.audits.perturbed import perturb, perturbations_named
from summetry.engine.audited import AuditPlan, audited_metrics
from summetry.engine.chunks import Requested, build_metrics
from summetry.engine.local import map_in_order
from summetry.engine.pairs import ARGUMENTS, explain_texts
from summetry.engine.plan import CorpusPlan, Plan, ProtocolName
from summetry.engine.reported import (
    TopicTask,
    explained,
    metrics_of,
    reported_metrics,
    texts_of,
    topic_tasks,
)
from summetry.engine.run import MetricLike, Progress, as_plan, evaluate
from summetry.errors import FormatError, SummetryError, for_python, in_python, warn
from summetry.formats import load
from summetry.formats.audit_tables import read_audit
from summetry.formats.frames import Frame, as_frame
from summetry.formats.judge_tables import (
    AltTestTables,
    JudgeReason,
    JudgeTables,
    read_alt_test,
    read_judge,
)
from summetry.formats.judgments import judgments_at
from summetry.formats.shared_columns import check_columns, columns_of_file
from summetry.judges.judged import Judged
from summetry.metaeval import alt_test as metaeval_alt_test
from summetry.metaeval import correlations
from summetry.metaeval.audited_scores import scored_table, with_headlines
from summetry.metaeval.audits import audit_scores
from summetry.metaeval.columns import has_column, is_ours, shown_places, split_names
from summetry.metaeval.comparisons import (
    columns_to_compare,
    compare_by,
    must_have_two_systems,
)
from summetry.metaeval.correlation_tables import Correlations
from summetry.metaeval.estimates import DEFAULT as ESTIMATE_METRIC
from summetry.metaeval.estimates import (
    DRAWS,
    EstimateSettings,
    check_proxies,
    estimate_parts,
    with_lengths,
)
from summetry.metaeval.grids import dimensions_of, grid_of
from summetry.metaeval.joined import (
    UNNAMED,
    check_references,
    join_by_protocol,
    named_by_file,
    named_by_place,
    of_same_topics,
    only_protocol,
    unsigned_notes,
)
from summetry.metaeval.judges import has_scores, scores_in
from summetry.metaeval.rankings import CompareSettings, Correction
from summetry.metaeval.selection import Selection, judged_parts
from summetry.metaeval.worst import WORST, directed_column, worst_of
from summetry.metrics import DEFAULT_METRICS
from summetry.records.builder import OnError
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, ScoreTable
from summetry.reports.alt_test import AltTestReport, alt_test_tables
from summetry.reports.audits import AuditReport
from summetry.reports.comparisons import Rankings
from summetry.reports.correlations import CorrelationReport
from summetry.reports.estimates import EstimateReport
from summetry.reports.explain import ExplanationReport
from summetry.reports.judges import judge_tables
from summetry.reports.page.added import Section, alt_test_section, audit_section, judge_section
from summetry.reports.page.findings import Asked, Findings, find
from summetry.reports.page.report import About, Report
from summetry.reports.page.texts import TopicTexts, pack_topic
from summetry.reports.pictures.audits import audit_picture
from summetry.reports.pictures.picture import Picture
from summetry.reports.worst import WorstReport
from summetry.signature import Signature
from summetry.stats.contrasts import Test
from summetry.stats.estimate import Population
from summetry.stats.power import POWER
from summetry.stats.significance import DRAWS as RESAMPLES

P = ParamSpec("P")


@for_python
def compare(
    scores: ScoreTable | Corpus | Plan | str | Path | Sequence[Any] | Any,
    metrics: MetricLike | Sequence[MetricLike] = (),
    *,
    baseline: str = "",
    exclude: Collection[str] = (),
    protocol: str = "",
    columns: Mapping[str, str] | None = None,
    on_error: OnError = "stop",
    test: Test = "permutation",
    correction: Correction = "holm",
    alpha: float = 0.05,
    draws: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Rankings:
    """The systems of scores, or of texts that are scored first, ranked by each metric and tested.

    Both can be frames or at a path; of a list of them all are joined, and a file without names of
    systems is one, as on the command line. ``metrics`` are metrics (then their headlines count) or
    values of them; without any these are the first three of the scores that say which direction is
    better, and rouge-1, rouge-2 and rouge-l of texts.
    """
    check_strings(baseline=baseline, protocol=protocol, test=test, correction=correction)
    check_function("progress", progress)
    settings = CompareSettings(test, correction, alpha, draws, seed)
    left_out = as_names("exclude", exclude)
    check_choice("on_error", on_error, get_args(OnError))
    check_columns(columns, scores)
    table, names = _scored(scores, metrics, protocol, columns, on_error)
    grid = grid_of(table, protocol, left_out)
    must_have_two_systems(grid)
    chosen = columns_to_compare(table, grid, names)
    rankings = compare_by(grid, chosen, baseline, settings, progress)
    return Rankings([replace(one, notes=tuple(map(in_python, one.notes))) for one in rankings])


def _scored(
    scores: Any,
    metrics: Any,
    protocol: str,
    columns: Mapping[str, str] | None,
    on_error: OnError,
) -> tuple[ScoreTable, list[str]]:
    """Scores as they are or as they are computed of texts, and the values that are asked for."""
    if isinstance(scores, list | tuple) and as_frame(scores) is None:
        return _joined(scores, metrics, protocol, columns, on_error)
    place = _place("scores", scores)
    own = columns_of_file(place, columns).own
    if isinstance(place, Frame | Path) and has_scores(place, own):
        place = scores_in(place, own)
    if isinstance(place, ScoreTable):
        return place, as_names("metrics", metrics)
    requested = build_metrics(metrics if _is_named(metrics) else DEFAULT_METRICS)
    return _of_texts(place, requested, protocol, own, on_error), _values(requested, metrics)


def _joined(
    scores: Sequence[Any],
    metrics: Any,
    protocol: str,
    columns: Mapping[str, str] | None,
    on_error: OnError,
) -> tuple[ScoreTable, list[str]]:
    """As :func:`_scored`, for several files or tables: one table of all of them."""
    if not scores:
        raise SummetryError("scores must be one table or more, got an empty list")
    given = named_by_place([_place(f"scores[{k}]", one) for k, one in enumerate(scores)])
    paths = {name: str(place) if isinstance(place, Path) else name for name, place in given.items()}
    tables: dict[str, ScoreTable] = {}
    texts: dict[str, Corpus | Plan] = {}
    own = {name: columns_of_file(place, columns).own for name, place in given.items()}
    for name, place in given.items():
        if isinstance(place, ScoreTable):
            tables[name] = place
        elif isinstance(place, Corpus | Plan):
            texts[name] = place
        elif has_scores(place, own[name]):
            tables[name] = scores_in(place, own[name])
        else:
            texts[name] = load(place, columns=own[name], on_error=on_error)
    there = [column for table in tables.values() for column in table.columns]
    # What the files of scores have is not computed of the texts, unless it is ours.
    asked = split_names([m for m in _listed(metrics) if isinstance(m, str)])
    others = [name for name in asked if has_column(there, name) and not is_ours(name)]
    known = [m for m in _listed(metrics) if not isinstance(m, str)]
    wanted = [*(name for name in asked if name not in others), *known]
    requested: Sequence[Requested] = []
    if texts and (wanted or not _is_named(metrics)):
        requested = build_metrics(wanted or DEFAULT_METRICS)
    signed = dict(tables)
    for name, corpus in texts.items() if requested else ():
        tables[name] = _of_texts(corpus, requested, protocol, None, on_error)
    check_references({name: c for name, c in texts.items() if isinstance(c, Corpus)})
    column = {name: of.get("candidate", UNNAMED) for name, of in own.items()}
    ordered = [(n, named_by_file(tables[n], n, column[n])) for n in given if n in tables]
    notes = list(unsigned_notes({paths[n]: t for n, t in signed.items()}, [*tables.values()]))
    same, skipped = of_same_topics(ordered, paths, on_error)
    joined, more = join_by_protocol(same)
    for note in (*notes, *skipped, *more):
        warn(note)
    values = asked if not requested else [*others, *_values(requested, metrics)]
    return only_protocol(joined, protocol), values


def _place(name: str, scores: Any) -> ScoreTable | Corpus | Plan | Frame | Path:
    """What is given, a frame or a path as something to read."""
    if isinstance(scores, ScoreTable | Corpus | Plan):
        return scores
    expected = "scores, a corpus, a frame or a path to one of them"
    return as_frame(scores, "the scores") or as_path(name, scores, expected)


def _is_named(metrics: Any) -> bool:
    return not isinstance(metrics, tuple) or bool(metrics)


def _listed(metrics: Any) -> list[Any]:
    return list(metrics) if isinstance(metrics, list | tuple) else [metrics]


def _of_texts(
    texts: Any,
    requested: Sequence[Requested],
    protocol: str,
    columns: Mapping[str, str] | None = None,
    on_error: OnError = "stop",
) -> ScoreTable:
    """The scores of texts; what a reader should know of them is a warning."""
    how = cast(ProtocolName, protocol or "no_models")
    table = evaluate(texts, requested, how, columns=columns, on_error=on_error)
    for note in table.notes:
        warn(note)
    return table


def _values(requested: Sequence[Requested], metrics: Any) -> list[str]:
    """The values to compare by; none where none was named."""
    if not _is_named(metrics):
        return []
    return [Column(r.name, *r.values).name if len(r.values) == 1 else r.name for r in requested]


def _printing(
    function: Callable[P, Correlations],
) -> Callable[P, CorrelationReport]:
    @for_python
    @wraps(function)
    def printing(*arguments: P.args, **named: P.kwargs) -> CorrelationReport:
        try:
            given = signature(function).bind(*arguments, **named).arguments
        except TypeError:
            # Python says what is wrong with the arguments.
            function(*arguments, **named)
            raise
        whole = cast(Any, function)(**_with_scores(given))
        return CorrelationReport(whole.tables, whole.settings, whole.notes)

    return printing


def _with_scores(given: dict[str, Any]) -> dict[str, Any]:
    """Arguments of ``correlate`` with texts scored, and the texts with the judgments."""
    columns = given.get("columns")
    if _is_of_scores(given["scores"], columns):
        return given
    check_columns(columns, given["scores"], judgments=given["judgments"])
    try:
        corpus = _read_corpus(given["scores"], columns)
    except FormatError as error:
        if error.expected == "a column 'candidate'":
            return given  # There are no texts either: the reader of scores says what is missing.
        raise
    judged = _judgments_of(given["judgments"], corpus, columns)
    metrics = given.get("metrics", ())
    # A dimension that is named among the metrics is there already.
    known = dimensions_of(judged)
    people = [name for name in _listed(metrics) if isinstance(name, str) and name in known]
    wanted = [one for one in _listed(metrics) if not (isinstance(one, str) and one in known)]
    requested = build_metrics(wanted or DEFAULT_METRICS)
    protocols = as_names("protocols", given.get("protocols", ())) or ["no_models"]
    scores = [_of_texts(corpus, requested, one) for one in protocols]
    names = [*people, *(_values(requested, wanted) if wanted else [])]
    return given | {
        "scores": scores if len(scores) > 1 else scores[0],
        "judgments": judged,
        "metrics": names,
        "columns": None,
    }


correlate = _printing(correlations.correlate)


@for_python
def estimate(
    scores: ScoreTable | Corpus | Plan | str | Path | Sequence[Any] | Any,
    judgments: Corpus | str | Path | Any = None,
    metrics: MetricLike | Sequence[MetricLike] = (),
    *,
    dimensions: str | Sequence[str] = (),
    population: Population = "topics",
    detect: float | None = None,
    power: float = POWER,
    scale: tuple[float, float] | None = None,
    exclude: Collection[str] = (),
    protocol: str = "",
    columns: Mapping[str, str] | None = None,
    alpha: float = 0.05,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Progress | None = None,
) -> EstimateReport:
    """What people would say of all systems, from judgments of a few topics and metrics of all.

    ``scores`` are as those of ``compare``; a corpus is scored first, by ``rouge-1.recall`` unless
    ``metrics`` are named, and its own judgments are taken unless others are given. The metrics
    help together. ``scale`` is the lowest and the highest possible judgment. It prints what the
    command ``estimate`` prints.
    """
    check_strings(protocol=protocol, population=population)
    check_function("progress", progress)
    check_whole("draws", draws, 1)
    check_whole("seed", seed, 0)
    settings = EstimateSettings(alpha, population, detect, power, scale, draws, seed)
    how = cast(ProtocolName, protocol or "no_models")
    known: Corpus | None = None
    check_columns(columns, scores, judgments=judgments)
    if not _is_of_scores(scores, columns):
        scores = _plan_of(scores, how, columns)
        known = scores.corpus if isinstance(scores, CorpusPlan) else None
        metrics = metrics if _is_named(metrics) else ESTIMATE_METRIC
    table, names = _scored(scores, metrics, protocol, columns, "stop")
    corpus = known if judgments is None else _judgments_of(judgments, known, columns)
    if corpus is None or not corpus.judgments:
        raise SummetryError("there are no judgments; --judgments names a corpus or a table of some")
    people = as_names("dimensions", dimensions)
    selection = Selection(
        [protocol] if protocol else [], people, None, as_names("exclude", exclude), False, names
    )
    tables = [with_lengths(table, corpus, names, people)]
    parts, notes = judged_parts(tables, corpus, selection, keep_unjudged=True)
    check_proxies(parts, bool(names))
    estimates = estimate_parts(parts, corpus, settings, progress)
    return EstimateReport(tuple(estimates), settings, tuple(notes))


@for_python
@wraps(metaeval_alt_test.alt_test)
def alt_test(*arguments: Any, **named: Any) -> AltTestReport:
    tests = metaeval_alt_test.alt_test(*arguments, **named)
    return AltTestReport(tests.judges, tests.settings, tests.notes)


@for_python
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
    request, explained, comparison, guess = explain_texts(
        requested[0], candidate, references, source, language, ARGUMENTS
    )
    if guess:
        warn(guess)
    return ExplanationReport(request.name, explained, comparison, request.metric.legend)


@for_python
def audit(
    corpus: Corpus | str | Path | Any,
    metrics: MetricLike | Sequence[MetricLike] = (),
    *,
    perturbations: str | Sequence[str] = (),
    limit: int | None = None,
    scores: ScoreTable | str | Path | Sequence[ScoreTable | str | Path] = (),
    exclude: Collection[str] = (),
    columns: Mapping[str, str] | None = None,
    draws: int | None = None,
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> AuditReport:
    """How often each metric gives the worse value to a text that was made worse by rule.

    It prints what the command ``audit`` prints. Without ``metrics`` these are all that can run on
    the texts but slow ones; with ``scores`` of the same texts, by other programs or judges, only
    those. ``limit`` is how many summaries each perturbation is tried on at most.
    """
    check_whole("seed", seed, 0)
    check_whole("workers", workers, 1)
    if limit is not None:
        check_whole("limit", limit, 1)
    check_function("progress", progress)
    kinds = perturbations_named(as_names("perturbations", perturbations))
    check_columns(columns, [corpus])
    texts = perturb(_read_corpus(corpus, columns), kinds, limit, seed, as_names("exclude", exclude))
    given = scores if isinstance(scores, list | tuple) else [scores]
    plan = AuditPlan(texts.corpus)
    tables: list[ScoreTable] = []
    notes: list[str] = []
    if _is_named(metrics) or not given:
        named: Any = metrics
        if not _is_named(metrics):
            named, notes = audited_metrics(plan)
        requested = build_metrics(named)
        table = evaluate(plan, requested, workers=workers, progress=progress)
        tables.append(with_headlines(table, _values(requested, metrics)))
        notes += table.notes
    for place, one in enumerate(given):
        if not isinstance(one, ScoreTable):
            one = as_path(f"scores[{place}]", one, "scores, or a path to scores or judgments")
        table, more = scored_table(one, texts)
        tables.append(table)
        notes += more
    for note in notes:
        warn(note)
    found = audit_scores(texts, tables, RESAMPLES if draws is None else draws, seed)
    return AuditReport(found.cells, found.made, found.draws, found.seed, found.notes)


@for_python
def report(
    scores: ScoreTable | Corpus | Plan | str | Path | Sequence[Any] | Any,
    metrics: MetricLike | Sequence[MetricLike] = (),
    *,
    corpus: Corpus | str | Path | Any = None,
    judgments: Corpus | str | Path | Any = None,
    dimensions: str | Sequence[str] = (),
    baseline: str = "",
    exclude: Collection[str] = (),
    protocol: str = "",
    columns: Mapping[str, str] | None = None,
    test: Test = "permutation",
    correction: Correction = "holm",
    alpha: float = 0.05,
    draws: int | None = None,
    seed: int = 0,
    audit: AuditReport | str | Path | None = None,
    alt_test: AltTestReport | str | Path | None = None,
    judge: Judged | str | Path | Sequence[Judged | str | Path] | None = None,
    title: str = "",
    texts: bool = True,
    workers: int = 1,
    progress: Progress | None = None,
) -> Report:
    """What was found, as one page: ``report(...).save("report.html")``.

    Of a corpus, or what is at its path, one metric of each kind that it can feed is computed, or
    those that are named. Scores have texts if ``corpus`` names them. ``judgments`` are those of the
    corpus unless others are given. ``audit``, ``alt_test`` and ``judge`` are what the functions of
    these names gave, or files that the commands wrote. ``progress`` is called while texts are
    explained.
    """
    check_strings(baseline=baseline, protocol=protocol, test=test, correction=correction)
    check_string("title", title)
    check_function("progress", progress)
    check_whole("workers", workers, 1)
    judges = tables_of_judges(judge)
    added = added_sections(audit, alt_test, judges)
    settings = CompareSettings(test, correction, alpha, draws, seed)
    how = cast(ProtocolName, protocol or "no_models")
    check_columns(columns, scores, corpus, judgments)
    table, names, plan, known = _with_texts(scores, metrics, reported_metrics, corpus, how, columns)
    judged = known if judgments is None else _judgments_of(judgments, known, columns)
    asked = Asked(
        names, as_names("dimensions", dimensions), baseline, protocol,
        as_names("exclude", exclude), settings,
    )  # fmt: skip
    findings = find(table, judged, asked)
    notes = notes_on_texts(plan, findings) if plan else (in_python(NO_TEXTS),)
    lit = packed_texts(plan, findings, progress, workers) if plan and texts else ()
    is_named = not _is_of_scores(scores, columns) and known is not None and known.name
    name = "" if is_named else _shown_name(scores)
    whole = (*notes, *notes_on_missing(findings, lit))
    return Report(findings, about_report(known, name, title), lit, whole, added, reasons_of(judges))


@for_python
def worst(
    scores: ScoreTable | Corpus | Plan | str | Path | Sequence[Any] | Any,
    metrics: MetricLike | Sequence[MetricLike] = (),
    *,
    count: int = WORST,
    corpus: Corpus | str | Path | Any = None,
    protocol: str = "",
    columns: Mapping[str, str] | None = None,
) -> WorstReport:
    """The ``count`` summaries with the worst values of the first metric, with their texts.

    ``scores`` are as those of ``compare``. Scores have texts if ``corpus`` names them.
    """
    check_whole("count", count, 1)
    check_strings(protocol=protocol)
    how = cast(ProtocolName, protocol or "no_models")
    check_columns(columns, scores, corpus)
    table, names, plan, _ = _with_texts(
        scores, metrics, lambda _: DEFAULT_METRICS, corpus, how, columns
    )
    grid = grid_of(table, protocol)
    shown = [table.columns[place] for place in shown_places(table.columns, names)]
    column = directed_column(shown)
    if column is None:
        raise SummetryError("metrics: name one that says which direction is better")
    found = worst_of(table, grid, column, count)
    texts = texts_of(plan, [row for row, _ in found.rows]) if plan else {}
    return WorstReport(found.column, found.rows, found.undefined, texts)


def _with_texts(
    scores: Any,
    metrics: Any,
    default: Callable[[Plan], Sequence[str]],
    corpus: Any,
    protocol: ProtocolName,
    columns: Mapping[str, str] | None,
) -> tuple[ScoreTable, list[str], Plan | None, Corpus | None]:
    """Scores as they are, or as they are computed of texts by ``default`` metrics if none is named,
    the values that are asked for, and the texts where they are known."""
    known = None if corpus is None else _read_corpus(corpus, columns)
    if not _is_of_scores(scores, columns):
        plan = _plan_of(scores, protocol, columns)
        named = metrics if _is_named(metrics) else default(plan)
        table, names = _scored(plan, named, protocol, None, "stop")
        return table, names, plan, plan.corpus if isinstance(plan, CorpusPlan) else known
    table, names = _scored(scores, metrics, protocol, columns, "stop")
    if known is None and isinstance(scores, list | tuple) and as_frame(scores) is None:
        # Texts and scores of them, as on the command line.
        texts = [
            one for one in scores if not (isinstance(one, Plan) or _is_of_scores(one, columns))
        ]
        known = _read_corpus(texts[0], columns) if len(texts) == 1 else None
    return table, names, None if known is None else as_plan(known, protocol), known


def added_sections(
    audit: AuditReport | str | Path | None,
    alt_test: AltTestReport | str | Path | None,
    judges: Sequence[JudgeTables],
) -> tuple[Section, ...]:
    """What other commands found, or wrote to files, as sections of a report."""
    added = []
    if audit is not None:
        added.append(audit_section(_audited(audit)))
    if alt_test is not None:
        added.append(alt_test_section(_alt_tested(alt_test)))
    if judges:
        added.append(judge_section(judges))
    return tuple(added)


def tables_of_judges(
    judge: Judged | str | Path | Sequence[Judged | str | Path] | None,
) -> tuple[JudgeTables, ...]:
    """The tables of one judge, or of several."""
    judges: Sequence[Any] = judge if isinstance(judge, list | tuple) else [judge]
    return tuple(_judge_tables(one) for one in judges if one is not None)


def reasons_of(judges: Sequence[JudgeTables]) -> tuple[JudgeReason, ...]:
    return tuple(reason for tables in judges for reason in tables.reasons.rows)


_GAVE = "what summetry.{} gave, or a path to what `summetry {}` wrote"


def _audited(audit: AuditReport | str | Path) -> Picture:
    if isinstance(audit, AuditReport):
        return audit.picture
    return audit_picture(read_audit(as_path("audit", audit, _GAVE.format("audit", "audit -o"))))


def _alt_tested(found: AltTestReport | str | Path) -> AltTestTables:
    if isinstance(found, AltTestReport):
        return alt_test_tables(found)
    expected = _GAVE.format("alt_test", "alt-test -o FILE.json")
    return read_alt_test(as_path("alt_test", found, expected))


def _judge_tables(judged: Judged | str | Path) -> JudgeTables:
    if isinstance(judged, Judged):
        return judge_tables(judged)
    expected = _GAVE.format("judge", "judge --tables FILE.json")
    return read_judge(as_path("judge", judged, expected))


NO_TEXTS = "made of scores alone, so there are no texts; --corpus names them"


def about_report(corpus: Corpus | None, name: str, title: str = "", command: str = "") -> About:
    """What a report says of itself; without ``name`` it is on the corpus, whose topics have titles.

    Scores have their own name: a corpus that is named for its texts may be that of others.
    """
    titles = {topic.id: topic.title for topic in (corpus.topics if corpus else ())}
    return About(name or (corpus.name if corpus else ""), title, command, __version__, titles)


def notes_on_texts(plan: Plan, findings: Findings) -> tuple[str, ...]:
    """That the texts are not those that the scores were computed of, where they are not."""
    # Nothing is lit up for metrics of others, whose signatures have fingerprints of their own.
    ours = metrics_of(findings.columns)
    signed = {Signature.parse(c.signature).data for c in findings.columns if c.metric in ours}
    if not signed - {"", plan.fingerprint}:
        return ()
    return ("the scores were computed of other texts than these: what is lit up may not give them",)


def notes_on_missing(findings: Findings, texts: Sequence[TopicTexts]) -> tuple[str, ...]:
    """Why there are no texts, or of which systems there are none, where some were asked for."""
    if not texts:
        return ()
    there = {system for one in texts for system in one.systems}
    missing = ", ".join(system for system in findings.grid.systems if system not in there)
    if not there:
        return (f"there are no texts: the corpus has none of {missing} on these topics",)
    return (f"without texts: {missing}",) if missing else ()


def packed_texts(
    plan: Plan, findings: Findings, progress: Progress | None = None, workers: int = 1
) -> tuple[TopicTexts, ...]:
    """What is lit up in the texts of a plan by the metrics of a report, topic by topic."""
    grid, packed = findings.grid, []
    tasks = topic_tasks(plan, grid)
    for texts in map_in_order(_packed, tasks, min(workers, len(grid.topics))):
        packed.append(texts)
        if progress:
            progress(len(packed), len(grid.topics))
    return tuple(packed)


def _packed(task: TopicTask) -> TopicTexts:
    return pack_topic(task.topic, explained(task))


def _is_of_scores(scores: Any, columns: Mapping[str, str] | None = None) -> bool:
    """Whether scores are given, and not texts; of a list all are joined, as ``compare`` does."""
    if isinstance(scores, list | tuple) and as_frame(scores) is None:
        return True
    place = _place("scores", scores)
    if not isinstance(place, Frame | Path):
        return isinstance(place, ScoreTable)
    return has_scores(place, columns_of_file(place, columns).own)


def _judgments_of(
    judgments: Any, corpus: Corpus | None, columns: Mapping[str, str] | None
) -> Corpus:
    return judgments_at(judgments, corpus, columns_of_file(judgments, columns, judged=True).own)


def _plan_of(texts: Any, protocol: ProtocolName, columns: Mapping[str, str] | None) -> Plan:
    place = _place("scores", texts)
    return as_plan(place, protocol, columns=columns_of_file(place, columns).own)


def _read_corpus(corpus: Any, columns: Mapping[str, str] | None) -> Corpus:
    if isinstance(corpus, Corpus):
        return corpus
    place = as_frame(corpus) or as_path("corpus", corpus, "a corpus, a frame or a path to one")
    return load(place, columns=columns_of_file(place, columns).own)


def _shown_name(scores: Any) -> str:
    """What a report calls the data: the name of a file, without where it is."""
    return Path(scores).name if isinstance(scores, str | Path) else "scores"
