"""All that a report shows, found once: rankings, correlations with people, agreement of metrics.

Every section, table and picture of a report is made of these, by the same functions and with the
same settings as the commands ``compare`` and ``correlate`` have, so that the numbers are the same.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from summetry.arguments import Progress
from summetry.errors import SummetryError
from summetry.metaeval.columns import better_of, shown_places
from summetry.metaeval.comparisons import compare_by
from summetry.metaeval.correlation_tables import CorrelateSettings, Correlations, MetricCorrelation
from summetry.metaeval.correlations import correlate_parts
from summetry.metaeval.estimates import EstimateSettings, EstimateTable, estimate_parts
from summetry.metaeval.grids import Grid, check_dimensions, grid_of
from summetry.metaeval.matrix import Matrix, matrices
from summetry.metaeval.rankings import CompareSettings, Ranking
from summetry.metaeval.selection import JudgedScores, Selection, judged_parts
from summetry.metaeval.worst import Worst, worst_of
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, ScoreTable


@dataclass(frozen=True)
class Asked:
    """What is looked at, and how it is tested."""

    metrics: Sequence[str] = ()
    dimensions: Sequence[str] = ()
    baseline: str = ""
    protocol: str = ""
    exclude: Collection[str] = ()
    settings: CompareSettings = field(default_factory=CompareSettings)


@dataclass(frozen=True, eq=False)
class Findings:
    """What was found about the systems and the metrics of one score table."""

    table: ScoreTable
    # The values that are shown: the headline of each metric, or what was named.
    grid: Grid
    # One for each of them; values that are the same by construction share one.
    rankings: tuple[Ranking, ...]
    # Dimension by dimension; empty without judgments.
    judged: tuple[JudgedScores, ...] = ()
    correlations: Correlations | None = None
    # Of dimensions that were judged on some topics only, what judges would say of all, helped by
    # the first metric.
    estimates: tuple[EstimateTable, ...] = ()
    # How the metrics agree with each other; none for one metric or one system.
    matrix: Matrix | None = None
    # The worst summaries by the first metric, if it says which direction is better.
    worst: Worst | None = None
    # What a reader should know, and what was left out and why.
    notes: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.grid.columns

    def ranking(self, column: Column) -> Ranking:
        """The ranking by a value, or by the one that is the same by construction."""
        (found,) = (one for one in self.rankings if column in (one.column, *one.same))
        return found


def find(
    table: ScoreTable, corpus: Corpus | None, asked: Asked, progress: Progress | None = None
) -> Findings:
    """Rank, test and correlate; ``corpus`` has the judgments, where there are any."""
    whole = grid_of(table, asked.protocol, asked.exclude)
    places = shown_places(whole.columns, asked.metrics)
    grid = whole.only_columns([whole.columns[place] for place in places])
    grid, empty = _without_empty(grid)
    if not grid.columns:
        raise SummetryError(f"no summary has a value of {', '.join(empty)}: nothing to report")
    rankings = compare_by(grid, grid.columns, asked.baseline, asked.settings, progress)
    # The first that says which direction is better is the one that the verdict begins with.
    rankings.sort(key=lambda one: one.better == "neither")
    first = rankings[0].column
    notes = [f"left out, without any value: {', '.join(empty)}"] if empty else []
    judged, correlations = _against_people(table, corpus, grid, asked)
    return Findings(
        table,
        grid,
        tuple(rankings),
        judged,
        correlations,
        _estimates(table, corpus, grid.protocol, first, asked) if judged else (),
        _agreement(table, grid, asked),
        worst_of(table, grid, first) if better_of(first) != "neither" else None,
        tuple(dict.fromkeys((*notes, *table.notes))),
    )


def _without_empty(grid: Grid) -> tuple[Grid, list[str]]:
    """The grid of the columns that have a number, and the names of the others."""
    is_empty = [bool(np.isnan(values).all()) for values in grid.values]
    both = list(zip(grid.columns, is_empty, strict=True))
    kept = [column for column, empty in both if not empty]
    return grid.only_columns(kept), [column.name for column, empty in both if empty]


def _against_people(
    table: ScoreTable, corpus: Corpus | None, grid: Grid, asked: Asked
) -> tuple[tuple[JudgedScores, ...], Correlations | None]:
    if corpus is None or not corpus.judgments:
        if asked.dimensions:
            check_dimensions(corpus or Corpus(), asked.dimensions)
        return (), None
    selection = Selection(
        [grid.protocol], asked.dimensions, None, asked.exclude, False, asked.metrics
    )
    settings = asked.settings
    tested = CorrelateSettings(draws=settings.draws, alpha=settings.alpha, seed=settings.seed)
    judged, notes = judged_parts([table], corpus, selection)
    return tuple(judged), _correlated(judged, tested, notes)


def _estimates(
    table: ScoreTable, corpus: Corpus | None, protocol: str, column: Column, asked: Asked
) -> tuple[EstimateTable, ...]:
    assert corpus is not None
    selection = Selection([protocol], asked.dimensions, None, asked.exclude, False, (column.name,))
    parts, _ = judged_parts([table], corpus, selection, keep_unjudged=True)
    settings = estimate_settings(asked.settings)
    found: list[EstimateTable] = []
    for part in parts:
        if np.isnan(part.marks.means()).any():
            # Fewer than three judged topics say nothing.
            with contextlib.suppress(SummetryError):
                found += estimate_parts([part], corpus, settings)
    return tuple(found)


def estimate_settings(settings: CompareSettings) -> EstimateSettings:
    return EstimateSettings(settings.alpha, seed=settings.seed)


def _correlated(
    judged: Sequence[JudgedScores], settings: CorrelateSettings, notes: Sequence[str]
) -> Correlations:
    """All coefficients; ranks and tests are of the metrics that have a value for every system.

    By a few systems chance easily comes first, and tests against that one say nothing.
    """
    whole = correlate_parts(judged, settings, notes)
    tables = []
    for part, table in zip(judged, whole.tables, strict=True):
        complete = [row.column for row in table.of("pearson") if row.systems == table.systems]
        kept = [column for column in part.grid.columns if column in complete]
        if kept and len(kept) < len(part.grid.columns):
            own = replace(part, grid=part.grid.only_columns(kept))
            (ranked,) = correlate_parts([own], settings).tables
            again = {(row.column, row.coefficient): row for row in ranked.rows}
            rows = [again.get((row.column, row.coefficient), _unranked(row)) for row in table.rows]
            # What is said of ranks and tests is said of those that have them.
            silent = [note for note in table.notes if note.startswith("no coefficient of")]
            told = tuple(dict.fromkeys([*silent, *ranked.notes]))
            table = replace(table, rows=tuple(rows), notes=told)
        tables.append(table)
    return replace(whole, tables=tuple(tables))


def _unranked(row: MetricCorrelation) -> MetricCorrelation:
    return replace(row, rank=None, p_best=math.nan, p_best_corrected=math.nan, cluster=None)


def _agreement(table: ScoreTable, grid: Grid, asked: Asked) -> Matrix | None:
    if len(grid.columns) < 2 or len(grid.systems) < 3:
        return None
    selection = Selection([grid.protocol], (), None, asked.exclude, False, asked.metrics)
    (matrix,) = matrices([table], selection, CorrelateSettings(coefficients=("pearson",)))
    kept = [place for place, column in enumerate(matrix.columns) if column in grid.columns]
    columns = tuple(matrix.columns[place] for place in kept)
    values = matrix.values[np.ix_(kept, kept)]
    systems_of = tuple(matrix.systems_of[place] for place in kept)
    return replace(matrix, columns=columns, values=values, systems_of=systems_of)


def directed(findings: Findings) -> list[Ranking]:
    """The rankings by values that say which direction is better."""
    return [one for one in findings.rankings if better_of(one.column) != "neither"]
