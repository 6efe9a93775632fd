"""``summetry correlate``: which metric follows people."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

from rich.cells import cell_len

from summetry.cli import _names, _progress, _scored
from summetry.cli._options import (
    AlphaOption,
    ByOption,
    DimensionsOption,
    ProtocolsOption,
    ScoresArgument,
    shared,
)
from summetry.cli._output import echo_written
from summetry.cli._parameters import choice, flag, option
from summetry.errors import SummetryError, counted
from summetry.metaeval.accuracies import accuracies as accuracies_of
from summetry.metaeval.columns import shown_places
from summetry.metaeval.correlation_tables import CorrelateSettings
from summetry.metaeval.correlations import correlate_parts
from summetry.metaeval.matrix import matrices
from summetry.metaeval.metric_tests import MetricTest
from summetry.metaeval.selection import Selection, judged_parts
from summetry.reports.chart_files import write_charts
from summetry.reports.correlations import (
    accuracy_sheets,
    accuracy_tidy,
    correlation_charts,
    correlation_sheets,
    correlation_tidy,
    matrix_sheets,
    matrix_tidy,
    system_charts,
)
from summetry.reports.tables import console
from summetry.stats.levels import Level
from summetry.stats.resampling import Over
from summetry.stats.weighted import Coefficient

if TYPE_CHECKING:
    from summetry.reports.plots import Drawn


@shared(_scored.JudgedOptions)
def correlate(
    scores: ScoresArgument,
    options: _scored.JudgedOptions,
    dimension: DimensionsOption = None,
    level: Annotated[
        str,
        option("NAMES", "Of: system,summary (within each topic, then averaged),global,per_system."),
    ] = "system",
    by: ByOption = None,
    protocol: ProtocolsOption = None,
    coefficients: Annotated[
        str, option("NAMES", "Of: pearson,spearman,tau_b,tau_a.")
    ] = "pearson,spearman,tau_b",
    over: Annotated[Over, choice("What the intervals resample.")] = "both",
    all_values: Annotated[
        bool, flag("--all-values", "All values of a metric, not its headline only.")
    ] = False,
    accuracies: Annotated[
        bool, flag("--accuracies", "Also how often pairs of systems agree.")
    ] = False,
    test: Annotated[MetricTest, choice("How a metric is compared with the best one.")] = "auto",
    all_tests: Annotated[
        bool, flag("--all-tests", "Intervals and tests of all coefficients, not the first only.")
    ] = False,
    no_tests: Annotated[
        bool, flag("--no-tests", "Only the coefficients, at once: no intervals and no tests.")
    ] = False,
    matrix: Annotated[
        bool, flag("--matrix", "The metrics with each other; needs no judgments.")
    ] = False,
    plot: Annotated[Path | None, option("FILE", "Draw bars: .svg .png .html")] = None,
    scatter: Annotated[
        Path | None, option("FILE", "Draw one point per system: metric by judgment.")
    ] = None,
    alpha: AlphaOption = 0.05,
) -> None:
    """Say which metric follows the judgments of people.

    A table of metrics by dimensions comes first. Then for each dimension: Pearson, Spearman and
    Kendall tau-b with the rank of each metric; of the first of them intervals, how likely it is by
    chance, and tests against the best metric. Beside the metrics: how well one judge follows the
    others, what the length of the summaries and their overlap with the beginning of the source
    reach, and what one metric in 20 reaches by random numbers. A value of a metric can stand for
    people (--dimension pyramid), and a dimension can be compared like a metric
    (-m responsiveness).

    \b
    Examples:
        summetry correlate scores.csv --judgments judgments.csv --level summary
        summetry correlate my-corpus -m rouge-2.recall --dimension responsiveness
        summetry correlate my-corpus bertscore.csv -m rouge-2,bertscore
        summetry correlate scores.csv --judgments my-corpus --coefficients tau_b
    """
    settings = CorrelateSettings(
        cast(tuple[Level, ...], _names.names_in("--level", level)),
        cast(tuple[Coefficient, ...], _names.names_in("--coefficients", coefficients)),
        over,
        options.draws,
        alpha,
        options.seed,
        not no_tests,
        test,
        all_tests,
    )
    about = {"settings": asdict(settings) | {"draws": settings.resamples}}
    read_from = (*scores, options.judgments)
    options.check_output(*read_from, charts=[plot, scatter])
    _check_together(plot, scatter, matrix, accuracies)
    protocols = _names.known_protocols(protocol)
    named = options.metric or ()
    selection = Selection(protocols, dimension or (), by, options.exclude or (), all_values, named)
    if matrix:
        # A matrix needs no judgments, so that they do not say what is scored either.
        read = options.read_or_score(scores, protocols or ("no_models",))
        squares = matrices(read.tables, selection, settings, read.corpus)
        width = max(cell_len(column.name) for square in squares for column in square.columns) + 3
        printed = matrix_sheets(squares, max((console().width - width) // 7, 1))
        options.show(matrix_sheets(squares), about, [matrix_tidy(squares)], printed, read_from)
        return
    read = options.read_or_score(scores, protocols, selection.dimensions, True)
    corpus = _scored.judged_corpus(read, scores, selection.dimensions)
    parts, notes = judged_parts(read.tables, corpus, selection)
    with _progress.progress_bar("compared") as show:
        tables = correlate_parts(parts, settings, [*notes, *_hidden(read, selection)], show)
    agreed = accuracies_of(parts, settings) if accuracies else []
    tidy = [correlation_tidy(tables), *([accuracy_tidy(agreed)] if accuracies else [])]
    sheets = [*correlation_sheets(tables), *accuracy_sheets(agreed)]
    printed = [*correlation_sheets(tables, console().width), *accuracy_sheets(agreed)]
    drawn: list[tuple[Path, str, dict[str, Drawn]]] = []
    if plot:
        drawn.append((plot, "Metrics against people", correlation_charts(tables)))
    if scatter:
        drawn.append((scatter, "Systems by metric and judgment", system_charts(parts, settings)))
    # Before anything is printed, whose reader may leave.
    paths = [path for name, title, charts in drawn for path in write_charts(charts, name, title)]
    options.show(sheets, about, tidy, printed, read_from)
    if not options.as_json:
        echo_written(*paths)


def _check_together(
    plot: Path | None, scatter: Path | None, matrix: bool, accuracies: bool
) -> None:
    """Refuse early what cannot be drawn or does not go together."""
    if matrix and (plot or scatter or accuracies):
        raise SummetryError(
            "--plot, --scatter and --accuracies do not go with --matrix, which needs no judgments"
        )
    if plot and plot == scatter:
        raise SummetryError(f"--plot and --scatter both name {plot}; give each a file of its own")


def _hidden(read: _scored.Scored, selection: Selection) -> list[str]:
    """How many values are not shown; under several protocols they are the same ones."""
    names = {column.name for table in read.tables for column in table.columns}
    shown = {
        table.columns[place].name
        for table in read.tables
        for place in shown_places(table.columns, selection.metrics)
    }
    hidden = 0 if selection.all_values else len(names - shown)
    return [f"{counted(hidden, 'more value')} with --all-values"] if hidden else []
