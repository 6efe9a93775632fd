"""One table of the AESOP task: every metric against one dimension of marks, at one level.

Each metric has its coefficients, its rank among all of them, intervals, the test against the best
one, and its cluster. Where lower numbers of a metric are better (a divergence), its sign is turned
before it is ranked and tested; the coefficient that is told is the real one. A value of which
neither direction is better (a length) has a coefficient and no rank.

Tests are permutation tests (``stats.all_pairs``). Against the best metric they are two-sided and
corrected for their number by Holm's rule. Clusters go by the one-sided tests of all pairs as they
are: a new one begins with the first metric that somebody of the cluster above beats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np

from summetry.arguments import check_share, check_whole
from summetry.arrays.types import Floats
from summetry.errors import SummetryError, UnknownNameError, counted
from summetry.metaeval.ceiling import Ceiling, ceiling
from summetry.metaeval.columns import better_of
from summetry.metaeval.judged import Judged
from summetry.records.scores import Column
from summetry.stats.all_pairs import PairTests, compare_all_pairs
from summetry.stats.correlation import fisher_interval
from summetry.stats.dependent import EQUAL, Swap
from summetry.stats.levels import Correlation, Level, check_names, correlate
from summetry.stats.multiple import holm, significance_clusters
from summetry.stats.resampling import Over, bootstrap
from summetry.stats.significance import DRAWS, draws_needed, is_significant, smallest_p
from summetry.stats.weighted import Coefficient

COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman", "tau_b")
# Each draw of an interval holds a number for every system and topic.
MOST_DRAWS = 100_000


@dataclass(frozen=True)
class Settings:
    """At which levels, by which coefficients, and how it is tested how sure they are."""

    levels: Sequence[Level] = ("system",)
    coefficients: Sequence[Coefficient] = COEFFICIENTS
    # What intervals draw again; tests swap systems or inputs where only these are drawn.
    over: Over = "both"
    draws: int = DRAWS
    alpha: float = 0.05
    seed: int = 0

    def __post_init__(self) -> None:
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
        return self.over if self.over in ("systems", "inputs") else "both"


@dataclass(frozen=True, slots=True)
class Line:
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
    rank: int | None
    # That it is as good as the best: two-sided, then corrected for so many tests (Holm).
    p: float
    p_holm: float
    # Metrics of one cluster do not differ from its first; 1 is the best one.
    cluster: int | None
    # Which numbers are better: higher, lower, or neither.
    better: str
    systems: int
    topics: int
    # Cells without a score, coefficients in the mean, those undefined, those of two points only.
    missing: int
    groups: int
    undefined: int
    of_two: int
    # Why there is no value; empty where there is one.
    reason: str


@dataclass(frozen=True)
class Board:
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
    lines: tuple[Line, ...]
    ceilings: dict[Coefficient, Ceiling]
    notes: tuple[str, ...] = ()

    def of(self, coefficient: Coefficient) -> list[Line]:
        """The lines of a coefficient, best first, and those without a rank last."""
        mine = [line for line in self.lines if line.coefficient == coefficient]
        return sorted(mine, key=lambda line: (line.rank is None, line.rank or 0))


def make_board(part: Judged, level: Level, settings: Settings, tick: Callable[[], None]) -> Board:
    columns, tables, people = part.grid.columns, part.turned(), part.marks.means()
    found: dict[Coefficient, list[Correlation]] = {c: [] for c in settings.coefficients}
    intervals: dict[Coefficient, list[tuple[float, float, int]]] = {c: [] for c in found}
    for table in tables:
        for name in settings.coefficients:
            found[name].append(correlate(table, people, level, name))
            intervals[name].append(_interval(table, part, level, name, settings))
        tick()
    ranked = [place for place, column in enumerate(columns) if better_of(column) != "neither"]
    tests = compare_all_pairs(
        [tables[place] for place in ranked],
        people,
        level,
        settings.coefficients,
        settings.swap,
        draws=settings.draws,
        seed=settings.seed,
        tick=tick,
    )
    places = {
        name: _standing([found[name][i].value for i in ranked], tests[name], settings.alpha)
        for name in settings.coefficients
    }
    lines = tuple(
        _line(
            part,
            i,
            name,
            found[name][i],
            intervals[name][i],
            places[name][ranked.index(i)] if i in ranked else _UNRANKED,
            settings,
        )
        for i in range(len(columns))
        for name in settings.coefficients
    )
    tops = {name: ceiling(part.marks, level, name) for name in settings.coefficients}
    size = len(part.grid.systems), len(part.grid.topics), len(part.marks.judges)
    where = part.protocol, part.part, part.dimension, level
    doubts = _hopeless(lines, tests[settings.coefficients[0]], settings)
    notes = (*part.notes, *_board_notes(lines, tops), *doubts)
    return Board(*where, *size, lines, tops, notes)


def _interval(
    table: Floats, part: Judged, level: Level, coefficient: Coefficient, settings: Settings
) -> tuple[float, float, int]:
    """Both ends, and of how many draws; of one judge there are no others to draw."""
    by_judge = settings.over in ("judges", "all")
    if by_judge and len(part.marks.judges) < 2:
        return math.nan, math.nan, 0
    people = part.marks.values if by_judge else part.marks.means()
    found = bootstrap(
        table,
        people,
        level,
        coefficient,
        settings.over,
        draws=settings.draws,
        confidence=1 - settings.alpha,
        seed=settings.seed,
    )
    return found.low, found.high, found.draws


@dataclass(frozen=True, slots=True)
class _Standing:
    """Where a metric stands among the others."""

    rank: int | None = None
    p: float = math.nan
    p_holm: float = math.nan
    cluster: int | None = None


_UNRANKED = _Standing()


def _standing(values: Sequence[float], tests: PairTests, alpha: float) -> list[_Standing]:
    """Ranks, tests against the best and clusters of turned coefficients."""
    if all(map(math.isnan, values)):
        return [_UNRANKED] * len(values)
    best = int(np.nanargmax(values))
    p = tests.two_sided[best]
    corrected = holm(p)
    clusters = significance_clusters(values, tests.greater, alpha)
    return [
        _Standing(
            None if math.isnan(value) else 1 + sum(other > value + EQUAL for other in values),
            float(p[i]),
            float(corrected[i]),
            clusters[i] or None,
        )
        for i, value in enumerate(values)
    ]


def _line(
    part: Judged,
    place: int,
    coefficient: Coefficient,
    found: Correlation,
    interval: tuple[float, float, int],
    standing: _Standing,
    settings: Settings,
) -> Line:
    """A line from what was found of a turned table, turned back."""
    column = part.grid.columns[place]
    better = better_of(column)
    present = ~np.isnan(part.grid.values[place] + part.marks.means())
    ends = [interval[:2]]
    ends.append(fisher_interval(found.value, found.size, coefficient, 1 - settings.alpha))
    if better == "lower":
        ends = [(-high, -low) for low, high in ends]
    return Line(
        column,
        coefficient,
        # Less than 0, not its negative: of no agreement that would be -0.
        0.0 - found.value if better == "lower" else found.value,
        *ends[0],
        *ends[1],
        interval[2],
        standing.rank,
        standing.p,
        standing.p_holm,
        standing.cluster,
        better,
        int(present.any(axis=1).sum()),
        int(present.any(axis=0).sum()),
        found.missing,
        found.groups,
        found.undefined,
        found.of_two,
        found.reason,
    )


def _board_notes(lines: Sequence[Line], tops: dict[Coefficient, Ceiling]) -> Iterator[str]:
    for reason in dict.fromkeys(line.reason for line in lines if line.reason):
        names = dict.fromkeys(line.column.name for line in lines if line.reason == reason)
        yield f"no coefficient of {', '.join(names)}: {reason}"
    for reason in dict.fromkeys(top.reason for top in tops.values() if top.reason):
        yield f"no line of judges: {reason}"
    missing = {line.missing for line in lines if line.rank}
    if len(missing) > 1:
        told = "ranks are of all that each has, tests of the summaries that both have"
        yield f"some metrics lack scores that others have: {told}"
    left_out = max(top.given - top.judges for top in tops.values())
    if any(top.by_place and not top.reason for top in tops.values()):
        yield "judges are others from summary to summary: the marks of a summary stand for them"
    elif left_out and not all(top.reason for top in tops.values()):
        given = max(top.given for top in tops.values())
        mean = f"(a judge) is the mean of {given - left_out} of {given} judges"
        yield f"{mean}: the others have no coefficient"


def _hopeless(lines: Sequence[Line], tests: PairTests, settings: Settings) -> Iterator[str]:
    """A note where the smallest p that there can be is above alpha after Holm's correction."""
    count = sum(not math.isnan(x.p) for x in lines if x.coefficient == settings.coefficients[0])
    least = count * smallest_p(settings.draws, tests.draws if tests.exact else None)
    if not count or is_significant(least, settings.alpha):
        return
    ways, more = f"all {tests.draws:,} ways to swap", "more systems or topics"
    if not tests.exact:
        needed = draws_needed(count, settings.alpha)
        ways, more = (counted(number, "draw") for number in (settings.draws, needed))
    of_tests = f"of {counted(count, 'test')} with {ways}"
    yield f"{of_tests} no p is below {min(least, 1.0):.3g}; {more} can show a difference"
