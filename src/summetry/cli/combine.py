"""``summetry combine``: the combination of metrics that follows people best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, cast

from summetry.cli import _names, _progress, _scored
from summetry.cli._options import OneProtocolOption, ScoresArgument, shared
from summetry.cli._parameters import choice, option
from summetry.errors import SummetryError
from summetry.metaeval.columns import column_meant, split_names
from summetry.metaeval.combination import combine_columns, spelling
from summetry.metaeval.cross_validation import CombineSettings
from summetry.metaeval.grids import dimensions_of
from summetry.metaeval.least_squares import Fit, Level
from summetry.metaeval.selection import JudgedScores, Selection, judged_parts
from summetry.records.corpus import Corpus
from summetry.records.scores import Column
from summetry.reports.combination import combination_sheets
from summetry.stats.significance import DRAWS
from summetry.stats.weighted import Coefficient


@shared(_scored.JudgedOptions)
def combine(
    scores: ScoresArgument,
    options: _scored.JudgedOptions,
    dimension: Annotated[
        list[str] | None, option("NAME", "Which judgments, where there are several dimensions.")
    ] = None,
    folds: Annotated[int, option("N", "Parts of systems and of topics to leave out in turn.")] = 5,
    level: Annotated[
        str, option("NAME", "system (the systems' means) or summary (within each topic).")
    ] = "system",
    coefficient: Annotated[
        Coefficient, choice("By which coefficient combination and metrics are compared.")
    ] = "pearson",
    protocol: OneProtocolOption = None,
) -> None:
    """Find the sum of metrics that follows judgments best.

    Says what the combination gains over the best single metric on systems and topics that the
    weights have not seen, and spells it as a metric for `summetry score`.

    \b
    Examples:
        summetry combine my-corpus --dimension responsiveness -m rouge-1,npower
        summetry combine scores.csv --judgments judgments.csv -m lcs.f,cosine
    """
    if not options.metric:
        raise SummetryError("name the metrics to combine: -m METRIC -m METRIC")
    options.check_output(*scores, options.judgments)
    draws = options.draws or DRAWS
    settings = CombineSettings(cast(Level, level), coefficient, folds, draws, options.seed)
    protocol_name = _names.one_protocol(protocol)
    dimension_name = _names.only_one("--dimension", dimension or ())
    people = [dimension_name] if dimension_name else []
    read = options.read_or_score(scores, [protocol_name or "no_models"], people, True)
    corpus = _scored.judged_corpus(read, scores, people)
    protocols = [protocol_name] if protocol_name else []
    dimensions = [_dimension(corpus, dimension_name)]
    named = split_names(options.metric)
    selection = Selection(protocols, dimensions, None, options.exclude or (), True, named)
    judged = _only_one(judged_parts(read.tables, corpus, selection)[0])
    columns = list(dict.fromkeys(column_meant(judged.grid.columns, name) for name in named))
    grid = judged.grid.only_columns(columns)
    with _progress.progress_bar("fits done") as show:
        combined = combine_columns(grid, judged.marks, settings, show)
    spelt, note = _spelt(columns, combined.fit)
    # In a least squares fit there is no place for what is infinite.
    infinite = [f"{column.name}: infinite scores are left out" for column in grid.far]
    notes = [note, *infinite, *judged.notes]
    sheets = combination_sheets(columns, judged.dimension, combined, settings, notes)
    about = {"dimension": judged.dimension, "protocol": judged.protocol, **asdict(settings)}
    options.show(
        sheets, {"settings": about, "spelling": spelt}, inputs=(*scores, options.judgments)
    )


def _dimension(corpus: Corpus, asked: str | None) -> str:
    known = dimensions_of(corpus)
    if asked is None and len(known) > 1:
        raise SummetryError(f"the judgments are of {', '.join(known)}; --dimension says which")
    return asked if asked is not None else known[0]


def _only_one(judged: Sequence[JudgedScores]) -> JudgedScores:
    if len(judged) > 1:
        protocols = " and ".join(one.protocol for one in judged)
        raise SummetryError(f"the scores are of the protocols {protocols}; --protocol says which")
    return judged[0]


def _spelt(columns: Sequence[Column], fit: Fit) -> tuple[str | None, str]:
    """The combination as a metric, or why it is none."""
    if not fit.standardised.any():
        return (
            None,
            "all weights are 0: no metric follows the judgments, so nothing is combined",
        )
    try:
        spelt = spelling(columns, fit)
    except SummetryError as error:
        return None, f"not a metric that `summetry score` knows: {error}"
    return spelt, f"as a metric: {spelt}"
