"""``summetry compare``: which system is better, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import click

from summetry.cli import _inputs, _names, _progress, _scored
from summetry.cli._options import AlphaOption, OneProtocolOption, ReferencesOption, shared
from summetry.cli._output import echo_aside, echo_notes, echo_written
from summetry.cli._parameters import argument, choice, flag, option
from summetry.errors import SummetryError, counted
from summetry.metaeval.columns import headlines, short_name
from summetry.metaeval.comparisons import (
    columns_to_compare,
    compare_by,
    must_have_two_systems,
)
from summetry.metaeval.grids import Grid, grid_of
from summetry.metaeval.joined import only_protocol
from summetry.metaeval.judges import judgment_scores
from summetry.metaeval.rankings import CompareSettings, Correction, Ranking
from summetry.records.scores import Column
from summetry.reports.comparisons import (
    comparison_sheets,
    printed_sheets,
    printed_verdicts,
    settings_of,
)
from summetry.reports.system_chart import plot_rankings
from summetry.reports.tables import console
from summetry.reports.verdicts import gate
from summetry.stats.contrasts import Test


@dataclass(frozen=True)
class CompareOptions(_scored.ScoresOptions):
    """The options of commands on scores; by default the metrics of ``score`` are computed."""

    everything: ClassVar[bool] = False


@shared(CompareOptions)
def compare(
    scores: Annotated[
        list[str],
        argument(
            "SCORES",
            "Files that `summetry score -o` wrote, AESOP files, a corpus, or one table of "
            "summaries and references per system.",
        ),
    ],
    options: CompareOptions,
    references: ReferencesOption = None,
    dimension: Annotated[
        list[str] | None,
        option(
            "NAME",
            "By what people say of the summaries, instead of a metric: a dimension of the "
            "judgments in SCORES, a corpus or a table; may be repeated.",
        ),
    ] = None,
    baseline: Annotated[
        str | None, option("SYSTEM", "Test all others against it; the best if not given.")
    ] = None,
    protocol: OneProtocolOption = None,
    test: Annotated[Test, choice("The paired test.")] = "permutation",
    correction: Annotated[Correction, choice("How p is corrected for several tests.")] = "holm",
    alpha: AlphaOption = 0.05,
    all_pairs: Annotated[
        bool, flag("--all-pairs", "The tests of all pairs of systems too.")
    ] = False,
    fail_if_worse: Annotated[
        float | None,
        option(
            "[BY]",
            "Exit code 1 if a system is significantly worse than the baseline, and by more than "
            "BY; by default, 0.",
            min=0,
        ),
    ] = None,
    plot: Annotated[
        Path | None, option("FILE", "Draw the systems with intervals: .png .svg .html")
    ] = None,
) -> None:
    """Say which system is better, and whether it may be chance.

    First a sentence per metric, then the systems with intervals, letters for systems that do not
    differ significantly, paired tests against the best system or a baseline, and which differences
    the topics can show. Without --metric: rouge-1, rouge-2 and rouge-l.

    \b
    Examples:
        summetry compare outputs.jsonl -m rouge2
        summetry compare scores.csv -m rouge-2 --baseline lead --plot systems.png
        summetry compare old.jsonl new.jsonl -m rouge-2 --fail-if-worse 0.005
        summetry compare my-corpus --dimension grammaticality
    """
    settings = CompareSettings(test, correction, alpha, options.draws, options.seed)
    protocol_name = _names.one_protocol(protocol)
    options.check_output(*scores, references, charts=[plot])
    # The system of the first file, where each file is a system.
    first = ""
    if dimension:
        if references or options.metric or len(scores) > 1:
            raise SummetryError(
                "--dimension compares by the judgments of one SCORES, without --metric and "
                "--references"
            )
        judged = _inputs.read_judged(Path(scores[0]), options)
        table = judgment_scores(judged, dimension, protocol_name or "no_models")
        echo_notes(table.notes)
    elif references is None:
        scored = options.read_or_score(scores, [protocol_name or "no_models"])
        table, first = only_protocol(scored.tables, protocol_name or ""), scored.first
    else:
        if options.format or protocol_name:
            raise SummetryError("--format and --protocol do not go with files of outputs")
        _, table = options.score_outputs(scores, references)
        first = table.rows[0].author if len(table.authors()) == len(scores) else ""
    named = baseline or (first if fail_if_worse is not None else "")
    if fail_if_worse is not None and not named:
        raise SummetryError("--fail-if-worse needs a system to compare with: --baseline SYSTEM")
    grid = grid_of(table, protocol_name or "", options.exclude or ())
    must_have_two_systems(grid)
    columns = list(grid.columns)
    if not dimension:
        columns = columns_to_compare(table, grid, options.metric or ())
    with _progress.progress_bar("pairs compared") as show:
        rankings = compare_by(grid, columns, named, settings, show)
    if plot:
        # Before anything is printed, whose reader may leave.
        plot_rankings(rankings, plot)
    if not (options.metric or dimension):
        _echo_choice(columns, grid)
    if not options.as_json:
        for line in printed_verdicts(rankings):
            console().print(line)
        console().print()
    options.show(
        comparison_sheets(rankings, all_pairs),
        {"settings": settings_of(rankings)},
        printed=printed_sheets(rankings, all_pairs, console().width),
        inputs=(*scores, references),
    )
    if not options.as_json:
        echo_written(plot)
    if fail_if_worse is not None:
        _fail_if_worse(rankings, fail_if_worse)


def _echo_choice(columns: Sequence[Column], grid: Grid) -> None:
    """Which of more values were compared, where none was named."""
    left_out = len(headlines(grid.columns)) - len(columns)
    if left_out:
        by = ", ".join(map(short_name, columns))
        more = counted(left_out, "more metric")
        echo_notes([f"compared by {by}; {more} in the scores, -m names others"])


def _fail_if_worse(rankings: Sequence[Ranking], tolerance: float) -> None:
    """Exit code 1 if a system is worse than the baseline; that it is unknown is an error."""
    found = gate(rankings, tolerance, "--fail-if-worse", f"--fail-if-worse {tolerance:g}")
    for sentence in found.sentences:
        echo_aside(f"{'failed' if found.is_failed else 'passed'}: {sentence}")
    if found.is_failed:
        raise click.exceptions.Exit(1)
