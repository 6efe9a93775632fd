"""``summetry compare``: which system is better, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from summetry.cli import _inputs, _progress, _scored
from summetry.cli._json import print_json
from summetry.cli._outputs import OutputsInput
from summetry.errors import SummetryError
from summetry.metaeval.comparisons import column_meant, compare_systems, ranking_column, ranks_all
from summetry.metaeval.grids import grid_of
from summetry.metaeval.rankings import Correction, Ranking, Ways
from summetry.records.scores import ScoreTable
from summetry.reports.comparisons import (
    comparison_sheets,
    hopeless_against,
    matrix_sheets,
    settings_of,
    worse_line,
)
from summetry.reports.sheets import print_sheets, sheets_as_json, write_sheets
from summetry.reports.tables import console
from summetry.stats.contrasts import Test
from summetry.stats.significance import DRAWS


def compare(
    scores: Annotated[
        list[str],
        typer.Argument(
            metavar="SCORES",
            help="A file that `summetry score -o` wrote, AESOP files, or a corpus; "
            "with --references the outputs of systems, a file each.",
        ),
    ],
    metric: _inputs.MetricOption = None,
    references: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="References for the outputs: a table, or a .txt file."),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(metavar="AUTHOR", help="Test all others against it; the best if not given."),
    ] = None,
    exclude: _scored.ExcludeOption = None,
    protocol: _scored.OneProtocolOption = None,
    test: Annotated[Test, typer.Option(help="The paired test.")] = "permutation",
    correction: Annotated[Correction, typer.Option(help="What is done about many tests.")] = "holm",
    alpha: _scored.AlphaOption = 0.05,
    draws: _scored.DrawsOption = DRAWS,
    seed: _scored.SeedOption = 0,
    all_pairs: Annotated[
        bool, typer.Option("--all-pairs", help="The tests of all pairs of systems too.")
    ] = False,
    fail_if_worse: Annotated[
        bool,
        typer.Option("--fail-if-worse", help="Exit code 1 if a system is worse than the baseline."),
    ] = False,
    output: _scored.OutputOption = None,
    as_json: _inputs.JsonOption = False,
    format: _inputs.FormatOption = None,
    columns: _inputs.ColumnsOption = "",
    language: _inputs.LanguageOption = "",
    on_error: _inputs.OnErrorOption = "stop",
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
    ways = Ways(test, correction, alpha, draws, seed)
    wanted = _scored.one_protocol(protocol)
    if output:
        _scored.check_output(output, [*scores, references])
    _check_sources(scores, references, format, wanted)
    first, is_scored_here = "", True
    if references is None:
        scored_as = [wanted or "no_models"]

        def can_rank(table: ScoreTable) -> bool:
            return ranks_all(grid_of(table, wanted or "", exclude or ()))

        given = _scored.ScoresInput(
            scores[0], metric or (), None, scored_as, format, language, on_error, columns, can_rank
        ).read()
        (table,), is_scored_here = given.tables, given.corpus is not None
    else:
        names = _inputs.parse_columns(columns)
        outputs = OutputsInput(scores, references, metric or (), names, language, on_error)
        table, first = outputs.read(), outputs.first_system()
    named = baseline or (first if fail_if_worse else "")
    if fail_if_worse and not named:
        raise SummetryError("--fail-if-worse needs a system to compare with: --baseline AUTHOR")
    rankings = _compare(table, metric or (), wanted or "", exclude or (), named, ways)
    if not metric and (is_scored_here or len(table.columns) > 1):
        typer.echo(f"note: {_why(rankings[0])}; -m names another", err=True)
    _show(rankings, all_pairs, output, as_json)
    if fail_if_worse:
        _fail_if_worse(rankings[0])


def _check_sources(
    scores: Sequence[str],
    references: str | None,
    format: str | None,
    protocol: str | None,
) -> None:
    if references is None and len(scores) > 1:
        raise SummetryError(
            f"one SCORES is compared, got {len(scores)}; outputs of systems need --references FILE"
        )
    if references is not None and (format or protocol):
        raise SummetryError("--format and --protocol do not go with --references")


def _compare(
    table: ScoreTable,
    metrics: Sequence[str],
    protocol: str,
    exclude: Sequence[str],
    baseline: str,
    ways: Ways,
) -> list[Ranking]:
    """One comparison for each metric, or for the one that a table of systems is ranked by."""
    grid = grid_of(table, protocol, exclude)
    columns = [column_meant(table, name, grid) for name in metrics] or [ranking_column(grid)]
    columns = list(dict.fromkeys(columns))
    found = []
    with _progress.progress_bar("pairs compared") as show:
        for number, column in enumerate(columns):

            def progress(done: int, total: int, before: int = number) -> None:
                show(before * total + done, len(columns) * total)

            found.append(compare_systems(grid, column, baseline, ways, progress))
    return found


def _why(ranking: Ranking) -> str:
    """Why this value was taken, where none was named."""
    return f"compared by {ranking.column.name}, the first value that says which direction is better"


def _show(rankings: Sequence[Ranking], pairs: bool, output: Path | None, as_json: bool) -> None:
    with_list = comparison_sheets(rankings, pairs)
    about = {"settings": settings_of(rankings)}
    written = write_sheets(with_list, output, about) if output else []
    if as_json:
        print_json(sheets_as_json(with_list, about))
        return
    out = console()
    print_sheets(out, comparison_sheets(rankings))
    for ranking in rankings if pairs else ():
        out.print()
        print_sheets(out, matrix_sheets(ranking, out.width))
    # Scores of other programs have no signature.
    for signature in filter(None, dict.fromkeys(r.column.signature for r in rankings)):
        out.print(signature, style="dim", soft_wrap=True)
    _scored.tell_written(written)


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
    told = [f"no system is significantly worse than {ranking.baseline}", *hopeless_against(ranking)]
    typer.echo("; ".join(told), err=True)
