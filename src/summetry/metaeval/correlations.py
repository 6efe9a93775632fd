"""How well metrics follow the judgments of people: the tables of the AESOP task.

For each protocol, part of the topics, dimension and level (see ``stats.levels``) there is a table
of every metric against the judgments, the mean over judges. Each metric has its coefficients, its
rank among all metrics, intervals, the test against the best one, and its cluster. Where lower
numbers of a metric are better (a divergence), its sign is reversed before it is ranked and tested;
the coefficient that is shown is the real one. A value of which neither direction is better (a
length), or that is made of the judgments themselves, has a coefficient and no rank.

Beside the metrics: a judge against the others, the length of the summaries, and what one metric in
20 would reach by random numbers.

Tests are permutation tests (``stats.dependent``). Against the best metric they are two-sided and
corrected for their number by Holm's rule. Clusters go by the uncorrected one-sided tests of all
pairs: a new one begins with the first metric that is beaten by a metric of the cluster above.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np

from summetry.arguments import (
    as_names,
    as_path,
    check_function,
    check_share,
    check_strings,
    check_whole,
)
from summetry.arrays.types import Floats
from summetry.errors import SummetryError, UnknownNameError, counted
from summetry.formats.judgments import read_judgments
from summetry.formats.scores import scores_at
from summetry.metaeval.ceiling import Ceiling, ceiling
from summetry.metaeval.columns import better_of, is_made_of_judgments, pick_columns, sign_of
from summetry.metaeval.grids import dimensions_of, grid_of, judgments_of
from summetry.metaeval.notes import note_unreachable_alpha
from summetry.metaeval.selection import By, JudgedScores, Selection, judged_parts
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, ScoreTable
from summetry.stats.correlation import fisher_interval
from summetry.stats.dependent import EQUAL, PairTests, Swap, compare_all_pairs
from summetry.stats.levels import Level, check_names, level_named, reached_at_random
from summetry.stats.levels import correlate as correlate_tables
from summetry.stats.multiple import holm, significance_clusters
from summetry.stats.resampling import Over, bootstrap
from summetry.stats.significance import DRAWS, draws_needed
from summetry.stats.weighted import Coefficient

COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman", "tau_b")
# Each draw of an interval holds a number for every system and topic.
MOST_DRAWS = 100_000
A_JUDGE, A_LENGTH, A_RANDOM = "(a judge)", "(length alone)", "(random)"
# The share of random metrics that exceed the line of random numbers.
RARE = 0.05
# Judgments follow length if their coefficient is as large, and larger than that line.
FOLLOWS = 0.3


@dataclass(frozen=True)
class CorrelateSettings:
    """At which levels and by which coefficients, and how their intervals and tests are drawn."""

    levels: Sequence[Level] = ("system",)
    coefficients: Sequence[Coefficient] = COEFFICIENTS
    # What intervals resample; tests swap systems or topics if only these are resampled.
    over: Over = "both"
    draws: int = DRAWS
    alpha: float = 0.05
    seed: int = 0
    # Without tests there are no intervals either.
    tests: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "levels", tuple(dict.fromkeys(map(level_named, self.levels))))
        if not (self.levels and self.coefficients):
            raise SummetryError("at least one level and one coefficient are needed")
        for level in self.levels:
            for coefficient in self.coefficients:
                check_names(level, coefficient)
        if self.over not in get_args(Over):
            raise UnknownNameError("way of drawing", self.over, get_args(Over))
        check_share("alpha", self.alpha)
        check_whole("seed", self.seed, 0)
        check_whole("draws", self.draws, 1)
        if self.draws > MOST_DRAWS:
            raise SummetryError(f"draws must be {MOST_DRAWS:,} or fewer, got {self.draws:,}")

    @property
    def swap(self) -> Swap:
        return self.over if self.over in ("systems", "topics") else "both"


@dataclass(frozen=True, slots=True)
class MetricCorrelation:
    """A coefficient of one value with people."""

    column: Column
    coefficient: Coefficient
    value: float
    # The ends of the bootstrap's interval and of Fisher's, and how many draws had a value.
    low: float
    high: float
    fisher_low: float
    fisher_high: float
    draws: int
    # 1 is best; equal ones share a rank, and None has no value or no direction.
    rank: int | None = None
    # The test that it is as good as the best: two-sided, then corrected for all tests (Holm).
    p: float = math.nan
    p_holm: float = math.nan
    # Metrics of one cluster do not differ from its first; 1 is the best one.
    cluster: int | None = None
    # Which numbers are better: higher, lower, or neither.
    better: str = "higher"
    systems: int = 0
    topics: int = 0
    # Cells without a score, coefficients in the mean, those undefined, those of two points only.
    missing: int = 0
    groups: int = 0
    undefined: int = 0
    of_two: int = 0
    # Why there is no value; empty where there is one.
    reason: str = ""


# How a record of a coefficient begins, and its numbers.
PLACE = ("protocol", "part", "dimension", "level")
NUMBERS = tuple(field.name for field in fields(MetricCorrelation) if field.name != "column")


@dataclass(frozen=True)
class CorrelationTable:
    """All metrics against one dimension at one level."""

    protocol: str
    # The genre or group; empty for all topics.
    part: str
    dimension: str
    level: Level
    systems: int
    topics: int
    judges: int
    # Metric by metric, and of each all coefficients.
    rows: tuple[MetricCorrelation, ...]
    ceilings: dict[Coefficient, Ceiling]
    # The lengths of the summaries, what they count, and what random numbers reach.
    length: dict[Coefficient, float]
    counted: str
    random: dict[Coefficient, float]
    notes: tuple[str, ...] = ()

    def beside(self) -> dict[str, dict[Coefficient, float]]:
        """What stands beside the metrics, by its name; what has no coefficient does not."""
        judges = {name: top.value for name, top in self.ceilings.items()}
        lines = {A_JUDGE: judges, A_LENGTH: self.length, A_RANDOM: self.random}
        return {
            name: line for name, line in lines.items() if not all(map(math.isnan, line.values()))
        }

    def of(self, coefficient: Coefficient) -> list[MetricCorrelation]:
        """The rows of a coefficient, best first, and those without a rank last."""
        rows = [row for row in self.rows if row.coefficient == coefficient]
        return sorted(rows, key=lambda row: (row.rank is None, row.rank or 0))


@dataclass(frozen=True)
class Correlations:
    """What :func:`correlate` finds."""

    tables: tuple[CorrelationTable, ...]
    settings: CorrelateSettings
    notes: tuple[str, ...] = ()

    def records(self) -> Iterator[dict[str, Any]]:
        """One record per coefficient; judges, length and random numbers have names in brackets."""
        for table in self.tables:
            where = {name: getattr(table, name) for name in PLACE}
            for row in table.rows:
                numbers = {name: getattr(row, name) for name in NUMBERS}
                yield where | {"metric": row.column.name} | numbers
            for metric, line in table.beside().items():
                for coefficient, value in line.items():
                    if not math.isnan(value):
                        own = {"coefficient": coefficient, "value": value}
                        own |= {"systems": table.systems, "topics": table.topics}
                        yield where | {"metric": metric} | dict.fromkeys(NUMBERS) | own


def correlate(
    scores: ScoreTable | Sequence[ScoreTable] | Path | str,
    judgments: Corpus | Path | str,
    *,
    metrics: Sequence[str] = (),
    dimensions: Sequence[str] = (),
    levels: Sequence[Level] = ("system",),
    coefficients: Sequence[Coefficient] = COEFFICIENTS,
    by: By | None = None,
    exclude: Collection[str] = (),
    protocols: Sequence[str] = (),
    all_values: bool = True,
    over: Over = "both",
    draws: int = DRAWS,
    alpha: float = 0.05,
    seed: int = 0,
    tests: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> Correlations:
    """How well the metrics of score tables follow the judgments of a corpus.

    Names of metrics, dimensions and protocols say which are taken, by default all. If not
    ``all_values``, of a metric that is named without a value its headline is taken.
    """
    check_strings(over=over, by=by)
    check_function("progress", progress)
    names = tuple(as_names("levels", levels)), tuple(as_names("coefficients", coefficients))
    settings = CorrelateSettings(*names, over, draws, alpha, seed, tests)
    metrics = as_names("metrics", metrics)
    selection = Selection(
        as_names("protocols", protocols),
        as_names("dimensions", dimensions),
        by,
        as_names("exclude", exclude),
        all_values,
        metrics,
    )
    tables = _tables(scores, metrics)
    parts, notes = judged_parts(tables, _judged(judgments), selection)
    return correlate_parts(parts, settings, notes, progress)


def correlate_parts(
    parts: Sequence[JudgedScores],
    settings: CorrelateSettings,
    notes: Sequence[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Correlations:
    """The tables of all parts, at all levels."""
    steps = [len(part.grid.columns) for part in parts for _ in settings.levels]
    pairs = sum(size * (size - 1) // 2 for size in steps) if settings.tests else 0
    tick = counter(sum(steps) + pairs, progress)
    tables = tuple(
        _table(part, level, settings, tick) for part in parts for level in settings.levels
    )
    more = [note for part in parts for note in part.grid.notes]
    more += _directions([column for part in parts for column in part.grid.columns])
    more += [*_made_of_judgments(parts), *_follows_length(tables, settings)]
    return Correlations(tables, settings, tuple(dict.fromkeys([*notes, *more])))


def _tables(
    scores: ScoreTable | Sequence[ScoreTable] | Path | str, metrics: Sequence[str]
) -> list[ScoreTable]:
    several: Sequence[Any] = scores if isinstance(scores, list | tuple) else [scores]
    tables = [scores_at(table) for table in several]
    return [pick_columns(table, metrics) for table in tables] if metrics else tables


def _judged(judgments: Corpus | Path | str) -> Corpus:
    if not isinstance(judgments, Corpus):
        judgments = read_judgments(as_path("judgments", judgments, "a corpus or a path"))
    if not judgments.judgments:
        raise SummetryError("the corpus has no judgments to compare scores with")
    return judgments


def counter(total: int, progress: Callable[[int, int], None] | None) -> Callable[[], None]:
    """A function to call after each of ``total`` steps: it reports how many are done."""
    done = 0

    def tick() -> None:
        nonlocal done
        done += 1
        if progress:
            progress(min(done, total), total)

    return tick


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
        and abs(table.length[name]) >= max(FOLLOWS, table.random[name])
    }
    if follow:
        counted = " and ".join(dict.fromkeys(table.counted for table in tables if table.counted))
        yield (
            f"people's judgments follow the length of the summaries ({counted}): "
            f"{', '.join(follow)}; a metric may do well here because it follows length, too"
        )


def _table(
    part: JudgedScores, level: Level, settings: CorrelateSettings, tick: Callable[[], None]
) -> CorrelationTable:
    tables, people, names = part.oriented(), part.marks.means(), settings.coefficients
    rows = []
    for place, table in enumerate(tables):
        rows += [_row(part, place, table, level, name, settings) for name in names]
        tick()
    columns = zip(tables, part.grid.columns, strict=True)
    directed = [table for table, column in columns if _is_ranked(column, part.dimension)]
    tests: Mapping[Coefficient, PairTests] = {}
    if settings.tests:
        tests = compare_all_pairs(
            directed, people, level, names, settings.swap,
            draws=settings.draws, seed=settings.seed, tick=tick,
        )  # fmt: skip
    ranked = [_ranked(rows, name, tests.get(name), part, settings.alpha) for name in names]
    rows = [row for of_metric in zip(*ranked, strict=True) for row in of_metric]
    ceilings = {name: ceiling(part.marks, level, name) for name in names}
    lengths = part.lengths
    length = {
        name: correlate_tables(lengths.values, people, level, name).value if lengths else math.nan
        for name in names
    }
    random = {name: reached_at_random(people, level, name, RARE) for name in names}
    size = len(part.grid.systems), len(part.grid.topics), len(part.marks.judges)
    where = part.protocol, part.part, part.dimension, level
    doubts = _unreachable(rows, tests[names[0]], settings) if settings.tests else ()
    notes = (*part.notes, *_table_notes(rows, ceilings), *doubts)
    what = lengths.what if lengths else ""
    return CorrelationTable(*where, *size, tuple(rows), ceilings, length, what, random, notes)


def _is_ranked(column: Column, dimension: str) -> bool:
    """Whether one direction is better, and the judges of the dimension did not make the value."""
    return better_of(column) != "neither" and not is_made_of_judgments(column, dimension)


def _row(
    part: JudgedScores,
    place: int,
    table: Floats,
    level: Level,
    coefficient: Coefficient,
    settings: CorrelateSettings,
) -> MetricCorrelation:
    """A coefficient of one column, which has no rank yet; of its oriented ``table``."""
    column, people = part.grid.columns[place], part.marks.means()
    better = better_of(column)
    correlation = correlate_tables(table, people, level, coefficient)
    value = correlation.value
    low, high, draws = _interval(table, part, level, coefficient, settings)
    fisher = fisher_interval(value, correlation.size, coefficient, 1 - settings.alpha)
    if better == "lower":
        # 0 minus the value, not its negative: where nothing agrees that would be -0.
        value, low, high, fisher = 0.0 - value, -high, -low, (-fisher[1], -fisher[0])
    present = ~np.isnan(part.grid.values[place] + people)
    return MetricCorrelation(
        column, coefficient, value, low, high, fisher[0], fisher[1], draws,
        better=better,
        systems=int(present.any(axis=1).sum()),
        topics=int(present.any(axis=0).sum()),
        missing=correlation.missing,
        groups=correlation.groups,
        undefined=correlation.undefined,
        of_two=correlation.of_two,
        reason=correlation.reason,
    )  # fmt: skip


def _interval(
    table: Floats,
    part: JudgedScores,
    level: Level,
    coefficient: Coefficient,
    settings: CorrelateSettings,
) -> tuple[float, float, int]:
    """Both ends of the bootstrap's interval, and how many draws had a value."""
    by_judge = settings.over in ("judges", "all")
    if not settings.tests or (by_judge and len(part.marks.judges) < 2):
        # There are no other judges to draw.
        return math.nan, math.nan, 0
    people = part.marks.values if by_judge else part.marks.means()
    drawn = bootstrap(
        table, people, level, coefficient, settings.over,
        draws=settings.draws, confidence=1 - settings.alpha, seed=settings.seed,
    )  # fmt: skip
    return drawn.low, drawn.high, drawn.draws


def _ranked(
    rows: Sequence[MetricCorrelation],
    name: Coefficient,
    tests: PairTests | None,
    part: JudgedScores,
    alpha: float,
) -> list[MetricCorrelation]:
    """The rows of a coefficient with ranks and, if there are tests, their p and clusters."""
    mine = [row for row in rows if row.coefficient == name]
    places = [k for k, row in enumerate(mine) if _is_ranked(row.column, part.dimension)]
    values = [sign_of(mine[place].column) * mine[place].value for place in places]
    if all(map(math.isnan, values)):
        return mine
    for place, value in zip(places, values, strict=True):
        rank = None if math.isnan(value) else 1 + sum(v > value + EQUAL for v in values)
        mine[place] = replace(mine[place], rank=rank)
    if tests:
        p = tests.two_sided[int(np.nanargmax(values))]
        clusters = significance_clusters(values, tests.greater, alpha)
        for place, own, corrected, cluster in zip(
            places, p.tolist(), holm(p).tolist(), clusters, strict=True
        ):
            mine[place] = replace(mine[place], p=own, p_holm=corrected, cluster=cluster or None)
    return mine


def _table_notes(
    rows: Sequence[MetricCorrelation], ceilings: dict[Coefficient, Ceiling]
) -> Iterator[str]:
    tops = ceilings.values()
    for reason in dict.fromkeys(row.reason for row in rows if row.reason):
        names = dict.fromkeys(row.column.name for row in rows if row.reason == reason)
        yield f"no coefficient of {', '.join(names)}: {reason}"
    for reason in dict.fromkeys(top.reason for top in tops if top.reason):
        yield f"no line {A_JUDGE}: {reason}"
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


def _unreachable(
    rows: Sequence[MetricCorrelation], tests: PairTests, settings: CorrelateSettings
) -> list[str]:
    """A note where the smallest p that there can be is above alpha after Holm's correction."""
    first = settings.coefficients[0]
    count = sum(row.coefficient == first and not math.isnan(row.p) for row in rows)
    if not count:
        return []
    if tests.exact:
        # Among all ways there is the real one, and the one that swaps everything is as extreme.
        least, limit = 2 / tests.draws, f"all {tests.draws:,} ways to swap"
        remedy = "more systems or topics"
    else:
        least, limit = 1 / (settings.draws + 1), counted(settings.draws, "draw")
        remedy = counted(draws_needed(count, settings.alpha), "draw")
    return note_unreachable_alpha(least, count, settings.alpha, limit, remedy)


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
