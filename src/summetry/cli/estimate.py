"""``summetry estimate``: what people would say, from a few judgments and a metric of all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from summetry.cli import _names, _progress, _scored
from summetry.cli._options import (
    AlphaOption,
    DimensionsOption,
    OneProtocolOption,
    ScoresArgument,
    shared,
)
from summetry.cli._output import echo_written, print_json
from summetry.cli._parameters import choice, option
from summetry.errors import SummetryError
from summetry.metaeval.estimates import (
    DEFAULT,
    DRAWS,
    EstimateSettings,
    check_proxies,
    estimate_parts,
    with_lengths,
)
from summetry.metaeval.selection import Selection, judged_parts
from summetry.reports.chart_files import check_picture, write_picture
from summetry.reports.estimates import (
    EstimateReport,
    estimate_data,
    estimate_sheets,
    estimate_tidy,
    printed_estimates,
)
from summetry.reports.pictures.estimates import estimates_picture
from summetry.reports.pictures.files import standalone
from summetry.reports.sheets import check_ending, files_beside, write_sheets
from summetry.reports.tables import console
from summetry.stats.estimate import Population
from summetry.stats.power import POWER


@dataclass(frozen=True)
class EstimateOptions(_scored.JudgedOptions):
    """The options of commands on scores and judgments, with another meaning of --draws."""

    draws: Annotated[
        int | None,
        option("N", f"Metrics of random numbers to compare with; by default, {DRAWS}.", min=1),
    ] = None


@shared(EstimateOptions)
def estimate(
    scores: ScoresArgument,
    options: EstimateOptions,
    dimension: DimensionsOption = None,
    population: Annotated[
        Population, choice("Of topics like these, or of exactly these.")
    ] = "topics",
    detect: Annotated[
        float | None,
        option("D", "Also say how many topics to judge to see a difference of D."),
    ] = None,
    power: Annotated[
        float, option("P", "How often the difference of --detect should be seen.")
    ] = POWER,
    scale: Annotated[
        str, option("LOW,HIGH", "The lowest and the highest possible judgment, such as 1,5.")
    ] = "",
    protocol: OneProtocolOption = None,
    plot: Annotated[
        Path | None, option("FILE", "Draw systems with intervals: .svg or .png.")
    ] = None,
    alpha: AlphaOption = 0.05,
) -> None:
    """Estimate what people would say from a few judgments.

    People judge a few topics, drawn at random; a metric is computed of all summaries. Together
    they give each system's mean judgment, all differences and the ranks, with intervals that keep
    their promise, and the share of the judgments that the metric saves. Beside it: what the length
    of the summaries, random numbers and a constant save. Several metrics help together.

    \b
    Examples:
        summetry estimate scores.csv --judgments judged.csv -m rouge-1.recall
        summetry estimate my-corpus --dimension coherence --detect 0.3
        summetry estimate my-corpus judge.csv -m judge,rouge-1.recall --scale 1,5
        summetry estimate scores.csv --judgments judged.csv --population these
    """
    settings = EstimateSettings(
        alpha, population, detect, power, _scale(scale), options.draws or DRAWS, options.seed
    )
    read_from = (*scores, options.judgments)
    options.check_output(*read_from)
    check_picture(plot, "picture", *filter(None, read_from))
    # And not folders that hold both scores and texts.
    are_scores = all(path.is_file() and options.is_scores(path) for path in map(Path, scores))
    if not options.metric and not are_scores:
        options = replace(options, metric=[DEFAULT])
    named, people = options.metric or (), dimension or ()
    only = _names.one_protocol(protocol)
    # Of files of scores all columns are read: one that nobody names may say how long texts are.
    reader = replace(options, metric=None) if are_scores else options
    read = reader.read_or_score(scores, (only or "no_models",), people, True)
    corpus = _scored.judged_corpus(read, scores, people)
    whole = read.tables
    if are_scores:
        whole = tuple(with_lengths(table, corpus, named, people) for table in whole)
    selection = Selection(
        (only,) if only else (), people, None, options.exclude or (), False, named
    )
    parts, notes = judged_parts(whole, corpus, selection, keep_unjudged=True)
    check_proxies(parts, bool(named))
    with _progress.progress_bar("estimated") as show:
        tables = estimate_parts(parts, corpus, settings, show)
    report = EstimateReport(tuple(tables), settings, tuple(notes))
    _show(report, options, read_from)
    if plot:
        _draw(report, plot, options.as_json)


def _scale(text: str) -> tuple[float, float] | None:
    if not text:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise SummetryError(f"--scale: expected LOW,HIGH such as 1,5, got {text!r}") from None
    return low, high


def _show(
    report: EstimateReport, options: EstimateOptions, read_from: tuple[str | None, ...]
) -> None:
    """JSON is nested; a CSV file has one row per system, and others beside it."""
    data, output = estimate_data(report), options.output
    is_csv = output is not None and check_ending(output) == "csv"
    if output and is_csv and options.as_json:
        write_sheets(estimate_tidy(report), output, {}, read_from)
        print_json(data)
        return
    tidy = estimate_tidy(report) if is_csv else []
    printed = printed_estimates(report, console().width)
    options.show(estimate_sheets(report), data, tidy, printed, read_from)


def _draw(report: EstimateReport, plot: Path, is_quiet: bool) -> None:
    pictures = [estimates_picture(table, report.settings) for table in report.tables]
    names = [table.dimension for table in report.tables]
    paths = files_beside(plot, names) if len(pictures) > 1 else [plot]
    for picture, path in zip(pictures, paths, strict=True):
        write_picture(standalone(picture), path)
    if not is_quiet:
        echo_written(*paths)
