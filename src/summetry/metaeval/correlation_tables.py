"""What a correlation of metrics with people is asked for, and the tables that come back."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, get_args

from summetry.arguments import check_share, check_whole
from summetry.errors import SummetryError, must_be_known
from summetry.metaeval.ceiling import Ceiling
from summetry.metaeval.metric_tests import PROCEDURES, MetricTest, Procedure, chosen_test
from summetry.metaeval.nulls import A_LENGTH, A_RANDOM
from summetry.records.scores import Column
from summetry.stats.levels import Level, check_names, level_named
from summetry.stats.resampling import Over
from summetry.stats.significance import DRAWS, enough_draws
from summetry.stats.weighted import Coefficient

COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman", "tau_b")
# Each draw of an interval holds a number for every system and topic.
MOST_DRAWS = 100_000
A_JUDGE = "(a judge)"


@dataclass(frozen=True)
class CorrelateSettings:
    """At which levels and by which coefficients, and how their intervals and tests are drawn."""

    levels: Sequence[Level] = ("system",)
    coefficients: Sequence[Coefficient] = COEFFICIENTS
    # What intervals resample.
    over: Over = "both"
    # By default 10,000, and more permutations where so many tests need them to find anything.
    draws: int | None = None
    alpha: float = 0.05
    seed: int = 0
    # Without tests there are no intervals either.
    tests: bool = True
    # How a metric is compared with the best one (see ``metric_tests``).
    test: MetricTest = "auto"
    # Intervals and tests of all coefficients, not of the first one only.
    all_tests: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "levels", tuple(dict.fromkeys(map(level_named, self.levels))))
        if not (self.levels and self.coefficients):
            raise SummetryError("at least one level and one coefficient are needed")
        for level in self.levels:
            for coefficient in self.coefficients:
                check_names(level, coefficient)
        must_be_known("way of drawing", self.over, get_args(Over))
        check_share("alpha", self.alpha)
        check_whole("seed", self.seed, 0)
        must_be_known("test of metrics", self.test, get_args(MetricTest))
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

    def test_at(self, level: Level, coefficient: Coefficient) -> MetricTest:
        """The test of metrics at a level."""
        return chosen_test(self.test, level, coefficient)

    def procedure_at(self, level: Level) -> Procedure:
        """How the first coefficient of metrics is tested at a level."""
        return PROCEDURES[self.test_at(level, self.coefficients[0])]


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
    # The test by which it is; empty where there is none.
    test: str = ""
    # Metrics of one cluster do not differ from its best; 1 is that of the best of all, and None has
    # no test, or is in a table whose best metric is not shown to follow people.
    cluster: int | None = None
    # The test that it is no better than length, and than lead overlap (see ``certainty``).
    p_length_corrected: float = math.nan
    p_lead_corrected: float = math.nan
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


class NullLine(NamedTuple):
    """The coefficients of a null judge with people, and what it counts."""

    what: str
    values: dict[Coefficient, float]


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
    # The null judges of texts by name, and what random numbers reach.
    nulls: dict[str, NullLine]
    random: dict[Coefficient, float]
    notes: tuple[str, ...] = ()

    def beside(self) -> dict[str, dict[Coefficient, float]]:
        """What stands beside the metrics, by its name; what has no coefficient does not."""
        judges = {name: top.value for name, top in self.ceilings.items()}
        nulls = {name: line.values for name, line in self.nulls.items()}
        lines = {A_JUDGE: judges, **nulls, A_RANDOM: self.random}
        return {
            name: line for name, line in lines.items() if not all(map(math.isnan, line.values()))
        }

    @property
    def length(self) -> dict[Coefficient, float]:
        """The coefficients of the lengths of the summaries; NaN where nobody knows these."""
        line = self.nulls.get(A_LENGTH)
        return line.values if line else dict.fromkeys(self.random, math.nan)

    @property
    def counted(self) -> str:
        """What says how long the summaries are; empty where nothing does."""
        line = self.nulls.get(A_LENGTH)
        return line.what if line else ""

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
        """One record per coefficient; judges and null judges have names in brackets."""
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
