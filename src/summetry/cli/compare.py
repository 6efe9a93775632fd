"""``summetry compare``: which system is better, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from summetry.cli import _inputs, _progress, _scored
from summetry.cli._options import (
    AlphaOption,
    OneProtocolOption,
    ReferencesOption,
    argument,
    flag,
    option,
    shared,
)
from summetry.cli._output import echo_notes
from summetry.engine.run import Run
from summetry.errors import SummetryError
from summetry.formats.outputs import system_names
from summetry.formats.scores import is_scores
from summetry.metaeval.comparisons import (
    CompareSettings,
    Correction,
    Ranking,
    can_rank_all,
    columns_to_compare,
    compare_systems,
)
from summetry.metaeval.grids import Grid, grid_of
from summetry.records.scores import Column, ScoreTable
from summetry.reports.comparisons import (
    comparison_sheets,
    printed_sheets,
    settings_of,
    worse_line,
)
from summetry.reports.tables import console
from summetry.stats.contrasts import Test


@shared(_scored.ScoresOptions)
def compare(
    scores: Annotated[
        list[str],
        argument(
            "SCORES",
            "A file that `summetry score -o` wrote, AESOP files, or a corpus; "
            "or the outputs of systems, a file each.",
        ),
    ],
    options: _scored.ScoresOptions,
    references: ReferencesOption = None,
    baseline: Annotated[
        str | None, option("AUTHOR", "Test all others against it; the best if not given.")
    ] = None,
    protocol: OneProtocolOption = None,
    test: Annotated[Test, typer.Option(help="The paired test.")] = "permutation",
    correction: Annotated[Correction, typer.Option(help="What is done about many tests.")] = "holm",
    alpha: AlphaOption = 0.05,
    all_pairs: Annotated[
        bool, flag("--all-pairs", "The tests of all pairs of systems too.")
    ] = False,
    fail_if_worse: Annotated[
        bool, flag("--fail-if-worse", "Exit code 1 if a system is worse than the baseline.")
    ] = False,
) -> None:
    """Rank systems by a metric and test their differences.

    Means with intervals, letters for systems that do not differ, paired tests against the best
    system or a baseline, effect sizes, and what the topics can show at all.

    \b
    Examples:
        summetry compare scores.csv -m rouge-2.recall --baseline lead
        summetry compare my-corpus -m rouge-1 --protocol all_peers --all-pairs
        summetry compare old.jsonl new.jsonl --references refs.jsonl -m rouge-l --fail-if-worse
    """
    settings = CompareSettings(test, correction, alpha, options.draws, options.seed)
    protocol_name = _scored.one_protocol(protocol)
    options.check_output(*scores, references)
    exclude = options.exclude or ()
    first, is_scored_here = "", True
    if references is None and len(scores) == 1:

        def is_enough(table: ScoreTable) -> bool:
            return can_rank_all(grid_of(table, protocol_name or "", exclude))

        read = options.read_or_score(scores[0], [protocol_name or "no_models"], is_enough)
        (table,), is_scored_here = read.tables, read.corpus is not None
    else:
        if options.format or protocol_name:
            raise SummetryError("--format and --protocol do not go with files of outputs")
        held = next((name for name in scores if is_scores(Path(name))), None)
        if held:
            raise SummetryError(f"{held} holds scores: one SCORES is compared, got {len(scores)}")
        table = _score_outputs(scores, references, options)
        first = system_names([Path(name) for name in scores])[0]
    named = baseline or (first if fail_if_worse else "")
    if fail_if_worse and not named:
        raise SummetryError("--fail-if-worse needs a system to compare with: --baseline AUTHOR")
    grid = grid_of(table, protocol_name or "", exclude)
    columns = columns_to_compare(table, grid, options.metric or ())
    rankings = _compare(grid, columns, named, settings)
    if not options.metric and (is_scored_here or len(table.columns) > 1):
        by = f"{columns[0].name}, the first value that says which direction is better"
        echo_notes([f"compared by {by}; -m names another"])
    options.show(
        comparison_sheets(rankings, all_pairs),
        {"settings": settings_of(rankings)},
        printed=printed_sheets(rankings, all_pairs, console().width),
    )
    if fail_if_worse:
        _fail_if_worse(rankings[0])


def _score_outputs(
    files: Sequence[str], references: str | None, options: _scored.ScoresOptions
) -> ScoreTable:
    """Every output scored against the references and the source of its row."""
    how = options.reading()
    plan = _inputs.outputs_plan(files, references, how)
    store = _progress.user_store()
    with _progress.progress_bar("scored", is_kept=store is not None) as show:
        metrics = _inputs.metrics_to_run(options, plan, everything=False)
        run = Run(plan, metrics, store=store, on_error=how.on_error, progress=show)
        table = run.table()
    echo_notes(run.notes)
    return table


def _compare(
    grid: Grid, columns: Sequence[Column], baseline: str, settings: CompareSettings
) -> list[Ranking]:
    """One comparison for each value."""
    rankings = []
    with _progress.progress_bar("pairs compared") as show:
        for number, column in enumerate(columns):

            def progress(done: int, total: int, before: int = number) -> None:
                show(before * total + done, len(columns) * total)

            rankings.append(compare_systems(grid, column, baseline, settings, progress))
    return rankings


def _fail_if_worse(ranking: Ranking) -> None:
    """Exit code 1 if some system is worse than the baseline; that it is unknown is an error."""
    if ranking.better == "neither":
        raise SummetryError(
            f"--fail-if-worse: {ranking.column.name} does not say which direction is better"
        )
    if not ranking.against:
        raise SummetryError("--fail-if-worse needs a second system")
    for pair in ranking.against:
        if ranking.verdict(pair) == "undefined":
            raise SummetryError(
                f"--fail-if-worse: {pair.first} and {pair.second} cannot be tested: {pair.reason}"
            )
    worse = ranking.worse()
    for pair in worse:
        typer.echo(worse_line(ranking, pair), err=True)
    if worse:
        raise typer.Exit(1)
    passed = f"no system is significantly worse than {ranking.baseline}"
    typer.echo("; ".join([passed, *ranking.unreachable_against()]), err=True)
