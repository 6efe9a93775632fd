"""``summetry correlate``: which metric follows people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer
from rich.cells import cell_len

from summetry.cli import _inputs, _progress, _scored
from summetry.cli._json import print_json
from summetry.engine.plan import ProtocolName
from summetry.errors import SummetryError
from summetry.metaeval.accuracies import accuracies as accuracies_of
from summetry.metaeval.boards import Settings
from summetry.metaeval.columns import headlines
from summetry.metaeval.correlations import correlate_parts
from summetry.metaeval.judged import Choice, judged_parts
from summetry.metaeval.matrix import matrices
from summetry.reports.chart_files import check_chart, write_chart, write_page
from summetry.reports.correlations import (
    accuracy_sheets,
    accuracy_tidy,
    charts,
    matrix_sheets,
    matrix_tidy,
    sheets_for_people,
    tidy_sheet,
)
from summetry.reports.file_names import files_beside
from summetry.reports.sheets import (
    Sheet,
    check_ending,
    print_sheets,
    sheets_as_json,
    write_sheets,
)
from summetry.reports.system_charts import system_charts
from summetry.reports.tables import console
from summetry.stats.levels import Level
from summetry.stats.resampling import Over
from summetry.stats.significance import DRAWS
from summetry.stats.weighted import Coefficient

if TYPE_CHECKING:
    from summetry.reports.plots import Drawn

# Kinds of files that hold a row a number, for programs.
TIDY = ("json", "csv")


def correlate(
    scores: _scored.ScoresArgument,
    metric: _inputs.MetricOption = None,
    judgments: _scored.JudgmentsOption = None,
    dimension: _scored.DimensionsOption = None,
    level: Annotated[
        str, typer.Option(metavar="NAMES", help="Of: system,input,global,per_system.")
    ] = "system",
    by: _scored.ByOption = None,
    protocol: _scored.ProtocolsOption = None,
    exclude: _scored.ExcludeOption = None,
    coefficients: Annotated[
        str, typer.Option(metavar="NAMES", help="Of: pearson,spearman,tau_b,tau_a.")
    ] = "pearson,spearman,tau_b",
    over: Annotated[Over, typer.Option(help="What intervals draw again.")] = "both",
    all_values: Annotated[
        bool, typer.Option("--all-values", help="All values of a metric, not its headline only.")
    ] = False,
    accuracies: Annotated[
        bool, typer.Option("--accuracies", help="Also how often pairs of systems agree.")
    ] = False,
    matrix: Annotated[
        bool, typer.Option("--matrix", help="The metrics with each other; needs no judgments.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw bars: .svg .png .html")
    ] = None,
    scatter: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw a point a system, by metric.")
    ] = None,
    alpha: _scored.AlphaOption = 0.05,
    draws: _scored.DrawsOption = DRAWS,
    seed: _scored.SeedOption = 0,
    output: _scored.OutputOption = None,
    as_json: _inputs.JsonOption = False,
    format: _inputs.FormatOption = None,
    columns: _inputs.ColumnsOption = "",
    language: _inputs.LanguageOption = "",
    on_error: _inputs.OnErrorOption = "stop",
) -> None:
    """Compare metrics with the marks of people.

    For each dimension of the judgments: Pearson, Spearman and Kendall with the rank of each metric,
    intervals, tests against the best one, and how well one judge follows the others.

    \b
    Examples:
        summetry correlate scores.csv --judgments my-corpus --level system,input
        summetry correlate my-corpus -m rouge-2 -m rouge-su4 --dimension responsiveness
        summetry correlate scores.csv --judgments marks.csv --by genre -o table.tex
    """
    settings = Settings(
        cast(tuple[Level, ...], _scored.names_in("--level", level)),
        cast(tuple[Coefficient, ...], _scored.names_in("--coefficients", coefficients)),
        over,
        draws,
        alpha,
        seed,
    )
    if output:
        _scored.check_output(output, (scores, judgments))
    _check_together(plot, scatter, matrix, accuracies)
    wanted = _scored.known_protocols(protocol)
    choice = Choice(wanted, tuple(dimension or ()), by, tuple(exclude or ()), all_values)
    # A matrix needs no judgments, so that they do not say what is scored either.
    ways: Sequence[ProtocolName] = wanted or (("no_models",) if matrix else ())
    given = _scored.ScoresInput(
        scores, tuple(metric or ()), judgments, ways, format, language, on_error, columns
    ).read()
    if matrix:
        found = matrices(given.tables, choice, settings, given.corpus)
        width = max(cell_len(column.name) for m in found for column in m.columns) + 3
        out = console()
        people = matrix_sheets(found, max((out.width - width) // 7, 1))
        _show([matrix_tidy(found)], people, matrix_sheets(found), settings, output, as_json)
        return
    parts, notes = judged_parts(given.tables, _scored.judged_corpus(given, scores), choice)
    with _progress.progress_bar("compared") as show:
        boards = correlate_parts(parts, settings, [*notes, *_hidden(given, choice)], show)
    tidy, people = [tidy_sheet(boards)], sheets_for_people(boards)
    if accuracies:
        lines = accuracies_of(parts, settings)
        tidy, people = [*tidy, accuracy_tidy(lines)], [*people, *accuracy_sheets(lines)]
    _show(tidy, people, people, settings, output, as_json)
    if plot:
        _draw(charts(boards), plot, "Metrics against people", as_json)
    if scatter:
        _draw(system_charts(parts, settings), scatter, "Systems by metric and mark", as_json)


def _check_together(
    plot: Path | None, scatter: Path | None, matrix: bool, accuracies: bool
) -> None:
    """Refuse early what cannot be drawn or does not go together."""
    if matrix and (plot or scatter or accuracies):
        raise SummetryError(
            "--plot, --scatter and --accuracies do not go with --matrix: it is of no judgments"
        )
    for path in filter(None, (plot, scatter)):
        check_chart(path)
    if plot and plot == scatter:
        raise SummetryError(f"--plot and --scatter both name {plot}; give each a file of its own")


def _hidden(given: _scored.Scored, choice: Choice) -> list[str]:
    """How many values are not shown; under several protocols they are the same ones."""
    names = {column.name for table in given.tables for column in table.columns}
    shown = {
        table.columns[place].name for table in given.tables for place in headlines(table.columns)
    }
    hidden = len(names - shown)
    return [f"{hidden} more values with --all-values"] if hidden and not choice.all_values else []


def _show(
    tidy: Sequence[Sheet],
    shown: Sequence[Sheet],
    whole: Sequence[Sheet],
    settings: Settings,
    output: Path | None,
    as_json: bool,
) -> None:
    """Print and write: a row a number for programs, tables for people."""
    about = {"settings": asdict(settings)}
    written: list[Path] = []
    if output:
        written = write_sheets(tidy if check_ending(output) in TIDY else whole, output, about)
    if as_json:
        print_json(sheets_as_json(tidy, about))
        return
    print_sheets(console(), shown)
    _scored.tell_written(written)


def _draw(drawn: dict[str, Drawn], path: Path, title: str, as_json: bool) -> None:
    """One page, or a picture for each chart: of several, each has its heading in its name."""
    if path.suffix == ".html":
        write_page(drawn, path, title)
        paths = [path]
    else:
        several = files_beside(path, [_in_words(heading) for heading in drawn])
        paths = several if len(drawn) > 1 else [path]
        for chart, file in zip(drawn.values(), paths, strict=True):
            write_chart(chart, file)
    if not as_json:
        _scored.tell_written(paths)


def _in_words(heading: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in heading).lower().split())
