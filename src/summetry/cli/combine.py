"""``summetry combine``: the combination of measures that follows people best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import numpy as np
import typer

from summetry.cli import _inputs, _progress, _scored
from summetry.errors import SummetryError
from summetry.metaeval.columns import headlines, pick_columns
from summetry.metaeval.combination import combine_columns, spelling
from summetry.metaeval.cross_validation import Combining
from summetry.metaeval.grids import Grid, dimensions_of
from summetry.metaeval.judged import Choice, Judged, judged_parts
from summetry.metaeval.least_squares import Fit, Level
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, ScoreTable
from summetry.reports.combination import combination_sheets
from summetry.stats.significance import DRAWS
from summetry.stats.weighted import Coefficient


def combine(
    scores: _scored.ScoresArgument,
    judgments: _scored.JudgmentsOption = None,
    dimension: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Which marks, where there are several kinds."),
    ] = None,
    metric: _inputs.MetricOption = None,
    folds: Annotated[
        int, typer.Option(metavar="N", help="Parts of systems and of topics to leave out in turn.")
    ] = 5,
    level: Annotated[
        Level, typer.Option(help="Follow the systems' means, or the summaries of each topic.")
    ] = "system",
    coefficient: Annotated[
        Coefficient, typer.Option(help="By which combination and measures are compared.")
    ] = "pearson",
    exclude: _scored.ExcludeOption = None,
    protocol: _scored.OneProtocolOption = None,
    draws: _scored.DrawsOption = DRAWS,
    seed: _scored.SeedOption = 0,
    output: _scored.OutputOption = None,
    as_json: _inputs.JsonOption = False,
    format: _inputs.FormatOption = None,
    columns: _inputs.ColumnsOption = "",
    language: _inputs.LanguageOption = "",
    on_error: _inputs.OnErrorOption = "stop",
) -> None:
    """Find the sum of metrics that follows people's marks best.

    Says what the combination gains over the best single metric on systems and topics that the
    weights have not seen, and spells it as a metric for `summetry score`.

    \b
    Examples:
        summetry combine my-corpus --dimension responsiveness -m rouge_n.recall -m npower
        summetry combine scores.csv --judgments marks.csv -m lcs.f -m cosine --level input
    """
    if not metric:
        raise SummetryError("name the metrics to combine: -m METRIC -m METRIC")
    if output:
        _scored.check_output(output, [scores, judgments])
    how = Combining(level, coefficient, folds, draws, seed)
    wanted = _scored.one_protocol(protocol)
    one_dimension = _scored.only_one("--dimension", dimension or ())
    ways = (wanted or "no_models",)
    read = _scored.ScoresInput(
        scores, metric, judgments, ways, format, language, on_error, columns
    ).read()
    corpus = _scored.judged_corpus(read, scores)
    choice = Choice(
        [wanted] if wanted else [], [_dimension(corpus, one_dimension)], None, exclude or (), True
    )
    judged = _only_one(judged_parts(read.tables, corpus, choice)[0])
    combined = _one_value_each(judged.grid, metric)
    grid = judged.grid.only_columns(combined)
    with _progress.progress_bar("fits done") as show:
        found = combine_columns(grid, judged.marks, how, show)
    spelt, note = _spelt(combined, found.fit)
    notes = [note, *grid.notes, *judged.notes]
    sheets = combination_sheets(combined, judged.dimension, found, how, notes)
    settings = {"dimension": judged.dimension, "protocol": judged.protocol, **asdict(how)}
    _scored.show_sheets(sheets, {"settings": settings, "spelling": spelt}, output, as_json)


def _dimension(corpus: Corpus, asked: str | None) -> str:
    known = dimensions_of(corpus)
    if asked is None and len(known) > 1:
        raise SummetryError(f"the judgments are of {', '.join(known)}; --dimension says which")
    return asked if asked is not None else known[0]


def _only_one(judged: Sequence[Judged]) -> Judged:
    if len(judged) > 1:
        found = " and ".join(one.protocol for one in judged)
        raise SummetryError(f"the scores are of the protocols {found}; --protocol says which")
    return judged[0]


def _one_value_each(grid: Grid, asked: Sequence[str]) -> list[Column]:
    """The value that each name picks; of a metric's name alone, its main value."""
    names = ScoreTable((), grid.columns, np.zeros((0, len(grid.columns))))
    meant = [pick_columns(names, [name]).columns for name in asked]
    return list(dict.fromkeys(c[place] for c in meant for place in headlines(c)))


def _spelt(columns: Sequence[Column], fit: Fit) -> tuple[str | None, str]:
    """The combination as a metric, or why it is none."""
    if not fit.standardised.any():
        return None, "all weights are 0: no measure follows the marks, so there is no combination"
    try:
        made = spelling(columns, fit)
    except SummetryError as error:
        return None, f"not a metric that `summetry score` knows: {error}"
    return made, f"as a metric: {made}"
