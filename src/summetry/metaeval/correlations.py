"""How well metrics follow the judgments of people: the tables of the AESOP task.

For each protocol, part of the topics, dimension and level (see ``stats.levels``) there is a table
of every metric against the judgments, the mean over judges. Each metric has its coefficients, its
rank among all metrics, intervals, the test against the best one, and its cluster. Where lower
numbers of a metric are better (a divergence), its sign is reversed before it is ranked and tested;
the coefficient that is shown is the real one. A value of which neither direction is better (a
length), or that is made of the judgments themselves, has a coefficient and no rank.

Beside the metrics: a judge against the others, null judges (``nulls``), and what one metric in 20
would reach by random numbers. A constant is none of them, since it has no coefficient.

Intervals and tests (``certainty``) are of the first coefficient, or of all if that is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from summetry.arguments import as_names, check_function, check_strings, counter
from summetry.arrays.types import Floats
from summetry.errors import SummetryError, warn
from summetry.formats.frames import as_frame
from summetry.formats.judgments import judgments_at
from summetry.formats.scores import scores_at
from summetry.formats.shared_columns import check_columns, columns_of_file
from summetry.metaeval.ceiling import Ceiling, ceiling
from summetry.metaeval.certainty import Certainty, Rows, ranked
from summetry.metaeval.columns import better_of, has_column, is_made_of_judgments
from summetry.metaeval.correlation_tables import (
    COEFFICIENTS,
    CorrelateSettings,
    Correlations,
    CorrelationTable,
    MetricCorrelation,
    NullLine,
)
from summetry.metaeval.grids import dimensions_of, grid_of, judgments_of
from summetry.metaeval.joined import join_by_protocol, named_by_place, unsigned_notes
from summetry.metaeval.metric_tests import MetricTest
from summetry.metaeval.notes import note_too_few
from summetry.metaeval.selection import JudgedScores, Selection, judged_parts, with_people
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, ScoreTable
from summetry.records.topics import By
from summetry.stats.correlation import fisher_interval
from summetry.stats.levels import Level, reached_at_random
from summetry.stats.levels import correlate as correlate_tables
from summetry.stats.resampling import Over
from summetry.stats.weighted import Coefficient

# The share of random metrics that exceed the line of random numbers.
RARE = 0.05
# Judgments follow length if their coefficient is as large, and larger than that line.
FOLLOWS = 0.3


def correlate(
    scores: ScoreTable | Path | str | Sequence[Any] | Any,
    judgments: Corpus | Path | str | Any,
    *,
    metrics: str | Sequence[str] = (),
    dimensions: str | Sequence[str] = (),
    levels: str | Sequence[Level] = "system",
    coefficients: str | Sequence[Coefficient] = COEFFICIENTS,
    by: By | None = None,
    exclude: Collection[str] = (),
    protocols: str | Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    all_values: bool = True,
    over: Over = "both",
    draws: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    tests: bool = True,
    test: MetricTest = "auto",
    all_tests: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Correlations:
    """How well the metrics of score tables follow the judgments of a corpus.

    ``summetry.correlate`` takes texts as well, which are scored first by ``metrics``. Both can be
    frames or paths, and of a list of scores those of one protocol are joined. Names of metrics,
    dimensions and protocols say which are taken, by default all. A dimension may be named
    among the metrics, and a value of the scores among the dimensions. If not ``all_values``, of a
    metric that is named without a value its headline is taken. ``columns`` says which columns of
    these are which.
    """
    check_strings(over=over, by=by, test=test)
    check_function("progress", progress)
    names = tuple(as_names("levels", levels)), tuple(as_names("coefficients", coefficients))
    settings = CorrelateSettings(*names, over, draws, alpha, seed, tests, test, all_tests)
    metrics = as_names("metrics", metrics)
    selection = Selection(
        as_names("protocols", protocols),
        as_names("dimensions", dimensions),
        by,
        as_names("exclude", exclude),
        all_values,
        metrics,
    )
    check_columns(columns, scores, judgments=judgments)
    corpus = _corpus(judgments, columns)
    asked = selection.metrics, selection.dimensions
    tables = [with_people(table, corpus, *asked) for table in _tables(scores, columns)]
    values = [column for table in tables for column in table.columns]
    stand = asked[1] and all(has_column(values, name) for name in asked[1])
    if not (corpus.judgments or stand):
        raise SummetryError("the corpus has no judgments to compare scores with")
    parts, notes = judged_parts(tables, corpus, selection)
    return correlate_parts(parts, settings, notes, progress)


def correlate_parts(
    parts: Sequence[JudgedScores],
    settings: CorrelateSettings,
    notes: Sequence[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Correlations:
    """The tables of all parts, at all levels."""
    steps = sum(len(part.grid.columns) for part in parts for _ in settings.levels)
    tick = counter(steps * (1 + len(settings.tested)), progress)
    certainty = Certainty(settings, tick)
    by_level = [_at_level(parts, level, settings, tick, certainty) for level in settings.levels]
    tables = tuple(table for of_part in zip(*by_level, strict=True) for table in of_part)
    few = [note for table in tables for note in _too_few(table, settings)]
    more = [note for part in parts for note in part.grid.notes]
    more += _directions([column for part in parts for column in part.grid.columns])
    more += [*_made_of_judgments(parts), *_follows_length(tables, settings)]
    return Correlations(tables, settings, tuple(dict.fromkeys([*few, *notes, *more])))


def _tables(scores: Any, columns: Mapping[str, str] | None) -> list[ScoreTable]:
    """One table for each protocol of those that are given."""
    if as_frame(scores) is not None or not isinstance(scores, list | tuple):
        return [_score_table(scores, columns)]
    if not scores:
        raise SummetryError("scores must be one table or more, got an empty list")
    places = [Path(one) if isinstance(one, str) else one for one in scores]
    named = named_by_place(places)
    given = {name: _score_table(place, columns) for name, place in named.items()}
    files = {str(p) if isinstance(p, Path) else name: given[name] for name, p in named.items()}
    joined, notes = join_by_protocol([*given.items()])
    for note in (*unsigned_notes(files, [*given.values()]), *notes):
        warn(note)
    return joined


def _score_table(scores: Any, columns: Mapping[str, str] | None) -> ScoreTable:
    return scores_at(scores, columns_of_file(scores, columns).own)


def _corpus(judgments: Any, columns: Mapping[str, str] | None) -> Corpus:
    own = columns_of_file(judgments, columns, judged=True).own
    corpus = judgments_at(judgments, columns=own)
    for problem in () if corpus is judgments else corpus.problems:
        warn(problem)
    return corpus


def _directions(columns: Sequence[Column]) -> list[str]:
    """Which values are ranked with their sign reversed, and which are not ranked."""
    names = {
        kind: list(dict.fromkeys(c.name for c in columns if better_of(c) == kind))
        for kind in ("lower", "neither")
    }
    words = {
        "lower": "lower is better, so a coefficient of -1 is the best",
        "neither": "neither higher nor lower is better, so there is no rank",
    }
    return [f"{', '.join(names[kind])}: {words[kind]}" for kind in names if names[kind]]


def _made_of_judgments(parts: Sequence[JudgedScores]) -> Iterator[str]:
    """Which values are not ranked because the judges made them, too."""
    for dimension in dict.fromkeys(part.dimension for part in parts):
        columns = (c for part in parts if part.dimension == dimension for c in part.grid.columns)
        made = [c.name for c in dict.fromkeys(columns) if is_made_of_judgments(c, dimension)]
        if made:
            yield f"{', '.join(made)}: made of the judgments on {dimension}, so there is no rank"


def _follows_length(
    tables: Sequence[CorrelationTable], settings: CorrelateSettings
) -> Iterator[str]:
    """One note where people's judgments follow the length of the summaries."""
    name = settings.coefficients[0]
    follow = {
        f"{table.dimension} ({table.length[name]:.2f})": None
        for table in tables
        if table.level == settings.levels[0]
        and table.judges
        and abs(table.length[name]) >= max(FOLLOWS, table.random[name])
    }
    if follow:
        counted = " and ".join(dict.fromkeys(table.counted for table in tables if table.counted))
        yield (
            f"people's judgments follow the length of the summaries ({counted}): "
            f"{', '.join(follow)}; a metric may do well here because it follows length, too"
        )


def _too_few(table: CorrelationTable, settings: CorrelateSettings) -> list[str]:
    """A note where no coefficient of so few systems could be more than chance."""
    name, is_topics = settings.coefficients[0], table.level == "per_system"
    moved = "topics" if is_topics else "systems"
    number = table.topics if is_topics else table.systems
    # The order of all systems reversed is as far from 0 by ranks, and of two by any coefficient.
    is_symmetric = number == 2 or (table.level == "system" and name != "pearson")
    least = (1 + is_symmetric) / math.factorial(min(number, 20))
    if all(math.isnan(row.value) for row in table.rows):
        return []
    return note_too_few(moved, number, least, settings.alpha)


def _at_level(
    parts: Sequence[JudgedScores],
    level: Level,
    settings: CorrelateSettings,
    tick: Callable[[], None],
    certainty: Certainty,
) -> list[CorrelationTable]:
    """A table for each part."""
    rows: list[dict[Coefficient, Rows]] = []
    for part in parts:
        each: dict[Coefficient, Rows] = {name: [] for name in settings.coefficients}
        for place, table in enumerate(part.oriented()):
            for name, own in each.items():
                own.append(_row(part, place, table, level, name, settings.alpha))
            tick()
        rows.append({name: ranked(own, part.dimension) for name, own in each.items()})
    doubts: list[list[str]] = [[] for _ in parts]
    for name in settings.tested:
        sure = certainty.of(parts, [of_part[name] for of_part in rows], level, name)
        for place, (own, notes) in enumerate(sure):
            rows[place][name] = own
            doubts[place] += notes if name == settings.coefficients[0] else []
    three = zip(parts, rows, doubts, strict=True)
    return [_table(part, level, own, notes) for part, own, notes in three]


def _table(
    part: JudgedScores, level: Level, rows: dict[Coefficient, Rows], doubts: Sequence[str]
) -> CorrelationTable:
    people, names = part.marks.means(), tuple(rows)
    all_rows = [row for of_metric in zip(*rows.values(), strict=True) for row in of_metric]
    ceilings = {name: ceiling(part.marks, level, name) for name in names}
    nulls = {
        label: NullLine(
            null.what, {n: correlate_tables(null.values, people, level, n).value for n in names}
        )
        for label, null in part.nulls.items()
    }
    random = {name: reached_at_random(people, level, name, RARE) for name in names}
    size = len(part.grid.systems), len(part.grid.topics), len(part.marks.judges)
    where = part.protocol, part.part, part.dimension, level
    all_notes = (*part.notes, *_table_notes(all_rows, ceilings), *doubts)
    return CorrelationTable(*where, *size, tuple(all_rows), ceilings, nulls, random, all_notes)


def _row(
    part: JudgedScores,
    place: int,
    table: Floats,
    level: Level,
    coefficient: Coefficient,
    alpha: float,
) -> MetricCorrelation:
    """A coefficient of one column, without rank and tests; of its oriented ``table``."""
    column, people = part.grid.columns[place], part.marks.means()
    better = better_of(column)
    correlation = correlate_tables(table, people, level, coefficient)
    value = correlation.value
    fisher = fisher_interval(value, correlation.size, coefficient, 1 - alpha)
    if better == "lower":
        # 0 minus the value, not its negative: where nothing agrees that would be -0.
        value, fisher = 0.0 - value, (-fisher[1], -fisher[0])
    present = ~np.isnan(part.grid.values[place] + people)
    return MetricCorrelation(
        column, coefficient, value, math.nan, math.nan, *fisher,
        better=better,
        systems=int(present.any(axis=1).sum()),
        topics=int(present.any(axis=0).sum()),
        missing=correlation.missing,
        groups=correlation.groups,
        undefined=correlation.undefined,
        of_two=correlation.of_two,
        reason=correlation.reason,
    )  # fmt: skip


def _table_notes(
    rows: Sequence[MetricCorrelation], ceilings: dict[Coefficient, Ceiling]
) -> Iterator[str]:
    tops = ceilings.values()
    for reason in dict.fromkeys(row.reason for row in rows if row.reason):
        names = dict.fromkeys(row.column.name for row in rows if row.reason == reason)
        yield f"no coefficient of {', '.join(names)}: {reason}"
    # A value that stands for people has no judges at all.
    for reason in dict.fromkeys(top.reason for top in tops if top.reason and top.given):
        yield f"how well one judge follows the others is not shown: {reason}"
    if len({row.missing for row in rows if row.rank}) > 1:
        why = "ranks are of all that each has, tests of the summaries that both have"
        yield f"some metrics have no scores where others have some: {why}"
    left_out = max(top.given - top.judges for top in tops)
    if any(top.by_place and not top.reason for top in tops):
        yield "summaries have different judges: the judgments of each, in order, stand for judges"
    elif left_out and not all(top.reason for top in tops):
        judges = max(top.given for top in tops)
        mean = f"(a judge) is the mean of {judges - left_out} of {judges} judges"
        yield f"{mean}: the others have no coefficient"


class JudgmentCorrelation(NamedTuple):
    """The correlations of one value with the marks on one dimension, over ``systems`` systems."""

    value: str
    dimension: str
    systems: int
    pearson: float
    spearman: float
    kendall: float
    signature: str


def correlate_with_judgments(table: ScoreTable, corpus: Corpus) -> list[JudgmentCorrelation]:
    """One row for each value and dimension, at the system level, without intervals and tests.

    Topics without a value or a mark are left out.
    """
    grid = grid_of(table)
    people = {name: judgments_of(corpus, name, grid).means() for name in dimensions_of(corpus)}
    rows = []
    for column, numbers in zip(grid.columns, grid.values, strict=True):
        for dimension, marks in people.items():
            each = [correlate_tables(numbers, marks, "system", name) for name in COEFFICIENTS]
            pearson, spearman, kendall = (correlation.value for correlation in each)
            cells = column.name, dimension, each[0].size, pearson, spearman, kendall
            rows.append(JudgmentCorrelation(*cells, column.signature))
    return rows
