"""How well metrics follow the judgments of people: the tables of the AESOP task.

For each protocol, part of the topics, dimension and level (see ``stats.levels``) there is a table
of every metric against the judgments, the mean over judges. Each metric has its coefficients, its
rank among all metrics, intervals, the test against the best one, and its cluster. Where lower
numbers of a metric are better (a divergence), its sign is reversed before it is ranked and tested;
the coefficient that is shown is the real one. A value of which neither direction is better (a
length), or that is made of the judgments themselves, has a coefficient and no rank.

Beside the metrics: a judge against the others, the length of the summaries, and what one metric in
20 would reach by random numbers.

A coefficient has a p of its own, how likely chance alone gives as much (``stats.association``).
Metrics are compared by permutation tests, or by Williams' (``stats.dependent``). Those against the
best metric are two-sided and corrected for their number by Holm's rule. The metrics that do not
differ significantly from the best are its cluster; the best of the others is tested against the
rest of them in the same way, and so on. So a metric is in the first cluster exactly if its
corrected p against the best is above alpha.

Intervals and tests are of the first coefficient, or of all if that is asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

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
from summetry.errors import SummetryError, UnknownNameError, counted, warn
from summetry.formats.frames import as_frame
from summetry.formats.judgments import read_judgments
from summetry.formats.scores import scores_at
from summetry.metaeval.ceiling import Ceiling, ceiling
from summetry.metaeval.columns import better_of, has_column, is_made_of_judgments, sign_of
from summetry.metaeval.grids import dimensions_of, grid_of, judgments_of
from summetry.metaeval.joined import join_by_protocol, named_by_place, unsigned_notes
from summetry.metaeval.notes import note_unreachable_alpha
from summetry.metaeval.selection import (
    By,
    JudgedScores,
    Selection,
    judged_parts,
    with_people,
)
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, ScoreTable
from summetry.stats.association import association
from summetry.stats.correlation import fisher_interval
from summetry.stats.dependent import EQUAL, Blocks, MetricTests, Swap, WilliamsTests
from summetry.stats.levels import Level, check_names, level_named, reached_at_random
from summetry.stats.levels import correlate as correlate_tables
from summetry.stats.multiple import holm
from summetry.stats.resampling import Over, bootstrap_many
from summetry.stats.significance import DRAWS, draws_needed, enough_draws, is_significant
from summetry.stats.weighted import Coefficient

MetricTest = Literal["permutation", "williams"]
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
    # By default 10,000, and more permutations where so many tests need them to find anything.
    draws: int | None = None
    alpha: float = 0.05
    seed: int = 0
    # Without tests there are no intervals either.
    tests: bool = True
    # How a metric is compared with the best one.
    test: MetricTest = "permutation"
    # Intervals and tests of all coefficients, not of the first one only.
    all_tests: bool = False

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
        if self.test not in get_args(MetricTest):
            raise UnknownNameError("test of metrics", self.test, get_args(MetricTest))
        if self.draws is not None:
            check_whole("draws", self.draws, 1)
            if self.draws > MOST_DRAWS:
                raise SummetryError(f"draws must be {MOST_DRAWS:,} or fewer, got {self.draws:,}")

    @property
    def resamples(self) -> int:
        """Draws of an interval."""
        return DRAWS if self.draws is None else self.draws

    def permutations(self, tests: int) -> int:
        """Draws of a test whose p is corrected for so many."""
        enough = min(enough_draws(tests, self.alpha), MOST_DRAWS)
        return enough if self.draws is None else self.draws

    @property
    def tested(self) -> Sequence[Coefficient]:
        """The coefficients that have intervals and tests."""
        if not self.tests:
            return ()
        return self.coefficients if self.all_tests else self.coefficients[:1]

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
    draws: int = 0
    # How likely chance alone gives a coefficient as far from 0, two-sided.
    p: float = math.nan
    # 1 is best; equal ones share a rank, and None has no value or no direction.
    rank: int | None = None
    # The test that it is as good as the best: two-sided, then corrected for all tests (Holm).
    p_best: float = math.nan
    p_best_corrected: float = math.nan
    # Metrics of one cluster do not differ from its best; 1 is that of the best of all.
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
    all_values: bool = True,
    over: Over = "both",
    draws: int | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    tests: bool = True,
    test: MetricTest = "permutation",
    all_tests: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Correlations:
    """How well the metrics of score tables follow the judgments of a corpus.

    Both can be frames or paths, and of a list of scores those of one protocol are joined. Names of
    metrics, dimensions and protocols say which are taken, by default all. A dimension may be named
    among the metrics, and a value of the scores among the dimensions. If not ``all_values``, of a
    metric that is named without a value its headline is taken.
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
    corpus = _corpus(judgments)
    asked = selection.metrics, selection.dimensions
    tables = [with_people(table, corpus, *asked) for table in _tables(scores)]
    columns = [column for table in tables for column in table.columns]
    stand = asked[1] and all(has_column(columns, name) for name in asked[1])
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
    kept: dict[bytes, Blocks] = {}
    tables = tuple(
        _table(part, level, settings, tick, kept) for part in parts for level in settings.levels
    )
    more = [note for part in parts for note in part.grid.notes]
    more += _directions([column for part in parts for column in part.grid.columns])
    more += [*_made_of_judgments(parts), *_follows_length(tables, settings)]
    return Correlations(tables, settings, tuple(dict.fromkeys([*notes, *more])))


def _tables(scores: Any) -> list[ScoreTable]:
    """One table for each protocol of those that are given."""
    if as_frame(scores) is not None or not isinstance(scores, list | tuple):
        return [scores_at(scores)]
    if not scores:
        raise SummetryError("scores must be one table or more, got an empty list")
    places = [Path(one) if isinstance(one, str) else one for one in scores]
    named = named_by_place(places)
    given = {name: scores_at(place) for name, place in named.items()}
    files = {str(p) if isinstance(p, Path) else name: given[name] for name, p in named.items()}
    joined, notes = join_by_protocol([*given.items()])
    for note in (*unsigned_notes(files, [*given.values()]), *notes):
        warn(note)
    return joined


def _corpus(judgments: Any) -> Corpus:
    if isinstance(judgments, Corpus):
        return judgments
    frame = as_frame(judgments, "the judgments")
    path = frame or as_path("judgments", judgments, "a corpus, a frame or a path")
    corpus = read_judgments(path)
    for problem in corpus.problems:
        warn(problem)
    return corpus


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
        and table.judges
        and abs(table.length[name]) >= max(FOLLOWS, table.random[name])
    }
    if follow:
        counted = " and ".join(dict.fromkeys(table.counted for table in tables if table.counted))
        yield (
            f"people's judgments follow the length of the summaries ({counted}): "
            f"{', '.join(follow)}; a metric may do well here because it follows length, too"
        )


def _table(
    part: JudgedScores,
    level: Level,
    settings: CorrelateSettings,
    tick: Callable[[], None],
    kept: dict[bytes, Blocks],
) -> CorrelationTable:
    people, names = part.marks.means(), settings.coefficients
    rows: dict[Coefficient, list[MetricCorrelation]] = {name: [] for name in names}
    for place, table in enumerate(part.oriented()):
        for name in names:
            rows[name].append(_row(part, place, table, level, name, settings.alpha))
        tick()
    for name in names:
        rows[name] = _ranked(rows[name], part.dimension)
    doubts: list[str] = []
    for name in settings.tested:
        rows[name] = _with_intervals(rows[name], part, level, name, settings)
        rows[name], notes = _tested(rows[name], part, level, name, settings, tick, kept)
        doubts += notes if name == names[0] else []
    all_rows = [row for of_metric in zip(*rows.values(), strict=True) for row in of_metric]
    ceilings = {name: ceiling(part.marks, level, name) for name in names}
    lengths = part.lengths
    length = {
        name: correlate_tables(lengths.values, people, level, name).value if lengths else math.nan
        for name in names
    }
    random = {name: reached_at_random(people, level, name, RARE) for name in names}
    size = len(part.grid.systems), len(part.grid.topics), len(part.marks.judges)
    where = part.protocol, part.part, part.dimension, level
    all_notes = (*part.notes, *_table_notes(all_rows, ceilings), *doubts)
    what = lengths.what if lengths else ""
    own = tuple(all_rows)
    return CorrelationTable(*where, *size, own, ceilings, length, what, random, all_notes)


def _is_ranked(column: Column, dimension: str) -> bool:
    """Whether one direction is better, and the judges of the dimension did not make the value."""
    return better_of(column) != "neither" and not is_made_of_judgments(column, dimension)


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


def _with_intervals(
    rows: Sequence[MetricCorrelation],
    part: JudgedScores,
    level: Level,
    coefficient: Coefficient,
    settings: CorrelateSettings,
) -> list[MetricCorrelation]:
    """The rows of a coefficient with the bootstrap's interval and the p of the coefficient."""
    tables, means = part.oriented(), part.marks.means()
    draws, seed = settings.resamples, settings.seed
    each = [
        association(table, means, level, coefficient, draws=draws, seed=seed).p for table in tables
    ]
    rows = [replace(row, p=p) for row, p in zip(rows, each, strict=True)]
    by_judge = settings.over in ("judges", "all")
    if by_judge and len(part.marks.judges) < 2:
        # There are no other judges to draw.
        return rows
    intervals = bootstrap_many(
        tables, part.marks.values if by_judge else means, level, coefficient, settings.over,
        draws=draws, confidence=1 - settings.alpha, seed=seed,
    )  # fmt: skip
    made = []
    for row, (low, high, kept) in zip(rows, intervals, strict=True):
        ends = (-high, -low) if row.better == "lower" else (low, high)
        made.append(replace(row, low=ends[0], high=ends[1], draws=kept))
    return made


def _ranked(rows: Sequence[MetricCorrelation], dimension: str) -> list[MetricCorrelation]:
    """The rows of a coefficient with ranks."""
    values = [_oriented_value(row, dimension) for row in rows]
    return [
        row if math.isnan(own) else replace(row, rank=1 + sum(v > own + EQUAL for v in values))
        for row, own in zip(rows, values, strict=True)
    ]


def _oriented_value(row: MetricCorrelation, dimension: str) -> float:
    """What a row is ranked by; NaN where it is not ranked."""
    return sign_of(row.column) * row.value if _is_ranked(row.column, dimension) else math.nan


def _tested(
    rows: Sequence[MetricCorrelation],
    part: JudgedScores,
    level: Level,
    coefficient: Coefficient,
    settings: CorrelateSettings,
    tick: Callable[[], None],
    kept: dict[bytes, Blocks],
) -> tuple[list[MetricCorrelation], list[str]]:
    """The rows of a coefficient with tests against the best, and clusters; and doubts of tests.

    The best of those that are in no cluster yet is tested against the others of them. Those that
    do not differ significantly from it, or cannot be tested, are its cluster.
    """
    tested = list(rows)
    values = np.array([_oriented_value(row, part.dimension) for row in rows])
    # Equal ones as they came.
    places = np.flatnonzero(~np.isnan(values))
    waiting: list[int] = places[np.argsort(-values[places], kind="stable")].tolist()
    for _ in range(len(rows) - len(waiting)):
        tick()
    if not waiting:
        return tested, []
    tests, notes = _tests(part, level, settings, len(waiting) - 1, kept), []
    cluster = 0
    while waiting:
        cluster += 1
        best, *others = waiting
        p = tests.against(best, others, coefficient)[1]
        corrected = holm(p)
        if cluster == 1:
            notes = _unreachable(p, tests, settings)
            for place, own, after in zip(others, p.tolist(), corrected.tolist(), strict=True):
                tested[place] = replace(tested[place], p_best=own, p_best_corrected=after)
        differs = dict(zip(others, is_significant(corrected, settings.alpha).tolist(), strict=True))
        for place in [best, *(other for other in others if not differs[other])]:
            tested[place] = replace(tested[place], cluster=cluster)
            tick()
        waiting = [other for other in others if differs[other]]
    return tested, notes


def _tests(
    part: JudgedScores,
    level: Level,
    settings: CorrelateSettings,
    comparisons: int,
    kept: dict[bytes, Blocks],
) -> MetricTests | WilliamsTests:
    tables, people = part.oriented(), part.marks.means()
    if settings.test == "williams":
        return WilliamsTests(tables, people, level)
    draws = settings.permutations(comparisons)
    return MetricTests(
        tables, people, level, settings.swap, draws=draws, seed=settings.seed, kept=kept
    )


def _table_notes(
    rows: Sequence[MetricCorrelation], ceilings: dict[Coefficient, Ceiling]
) -> Iterator[str]:
    tops = ceilings.values()
    for reason in dict.fromkeys(row.reason for row in rows if row.reason):
        names = dict.fromkeys(row.column.name for row in rows if row.reason == reason)
        yield f"no coefficient of {', '.join(names)}: {reason}"
    # A value that stands for people has no judges at all.
    for reason in dict.fromkeys(top.reason for top in tops if top.reason and top.given):
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
    p: Floats, tests: MetricTests | WilliamsTests, settings: CorrelateSettings
) -> list[str]:
    """A note where the smallest p that there can be is above alpha after Holm's correction."""
    count = int((~np.isnan(p)).sum())
    if not count or isinstance(tests, WilliamsTests):
        return []
    number = tests.permutations.number
    if tests.permutations.exact:
        # Among all ways there is the real one, and the one that swaps everything is as extreme.
        least, limit, remedy = 2 / number, f"all {number:,} ways to swap", "more systems or topics"
    else:
        least, limit = 1 / (number + 1), counted(number, "draw")
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
