"""What a comparison of systems finds: records, and what can be said of them without the scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from summetry.arguments import check_share, check_whole
from summetry.arrays.types import Floats
from summetry.errors import SummetryError, UnknownNameError
from summetry.records.scores import Column
from summetry.stats.contrasts import MOST_EXACT, Test, check_draws
from summetry.stats.multiple import benjamini_hochberg, bonferroni, holm
from summetry.stats.power import CorpusPower
from summetry.stats.significance import DRAWS, draws_needed, is_significant, smallest_p

Correction = Literal["holm", "bonferroni", "bh", "none"]


@dataclass(frozen=True)
class Ways:
    """How systems are compared: the test, what is done about many tests, draws and their seed.

    ``power`` is the probability with which a difference should be seen.
    """

    test: Test = "permutation"
    correction: Correction = "holm"
    alpha: float = 0.05
    draws: int = DRAWS
    seed: int = 0
    power: float = 0.8

    def __post_init__(self) -> None:
        if self.test not in get_args(Test):
            raise UnknownNameError("paired test", self.test, get_args(Test))
        if self.correction not in get_args(Correction):
            raise UnknownNameError("correction", self.correction, get_args(Correction))
        check_share("alpha", self.alpha)
        check_share("power", self.power)
        if self.alpha >= self.power:
            raise SummetryError(f"alpha must be below the power, {self.power}, got {self.alpha}")
        check_whole("draws", self.draws, 1)
        check_draws(self.draws)
        check_whole("seed", self.seed, 0)

    def corrected(self, p: Floats) -> Floats:
        """Several p, corrected for being several."""
        ways = {"holm": holm, "bonferroni": bonferroni, "bh": benjamini_hochberg}
        return ways[self.correction](p) if self.correction in ways else p

    def differ(self, pair: PairTest) -> bool:
        """Whether two systems differ significantly; those without a p were not found to."""
        return bool(is_significant(pair.corrected, self.alpha)) and pair.difference != 0


class Standing(NamedTuple):
    """A system: its mean with an interval, and how far it is from the next one."""

    system: str
    role: str
    mean: float
    low: float
    high: float
    topics: int
    missing: int
    # Systems that share a letter do not differ significantly.
    letters: str
    # The mean difference to the next system, and with how many topics it would be seen.
    gap: float
    needed: int | None


class PairTest(NamedTuple):
    """Two systems on the topics that both have: the first less the second."""

    first: str
    second: str
    topics: int
    difference: float
    low: float
    high: float
    p: float
    corrected: float
    # The mean difference by the standard deviation of the differences (Cohen's d_z).
    effect: float
    # The share of topics on which the first is better, ties counting half.
    won: float
    reason: str = ""

    def turned(self) -> PairTest:
        """The same pair, the second less the first."""
        return self._replace(
            first=self.second,
            second=self.first,
            difference=-self.difference,
            low=-self.high,
            high=-self.low,
            effect=-self.effect,
            won=1 - self.won,
        )


class PairPower(NamedTuple):
    """What the topics can show where so many comparisons share alpha."""

    comparisons: int
    alpha: float
    found: CorpusPower


@dataclass(frozen=True)
class Ranking:
    """Systems compared by one value, best first; ``pairs`` are all of them in that order."""

    column: Column
    better: str
    protocol: str
    ways: Ways
    topics: int
    systems: tuple[Standing, ...]
    pairs: tuple[PairTest, ...]
    # Each other system against the baseline, which is the best one unless one was named.
    baseline: str
    is_named: bool
    against: tuple[PairTest, ...]
    power: tuple[PairPower, ...]
    notes: tuple[str, ...] = ()

    def verdict(self, pair: PairTest) -> str:
        """What a test says of the first of a pair: better, worse, unclear, or nothing."""
        if math.isnan(pair.corrected):
            return "undefined"
        if not self.ways.differ(pair):
            return "unclear"
        above = pair.difference > 0
        if self.better == "neither":
            return "higher" if above else "lower"
        return "better" if above == (self.better == "higher") else "worse"

    def family(self) -> int:
        """For how many comparisons p against the baseline is corrected."""
        return len(having_p(self.against if self.is_named else self.pairs))

    def worse(self) -> list[PairTest]:
        """Those that are significantly worse than the baseline."""
        return [pair for pair in self.against if self.verdict(pair) == "worse"]


def having_p(pairs: Sequence[PairTest]) -> list[PairTest]:
    """The pairs that could be tested: only these count where p is corrected."""
    return [pair for pair in pairs if not math.isnan(pair.p)]


def hopeless(pairs: Sequence[PairTest], comparisons: int, ways: Ways) -> list[str]:
    """A note where the smallest p that there can be is not significant once it is corrected."""
    topics = max(pair.topics for pair in pairs)
    counted = ways.test != "bootstrap" and topics <= MOST_EXACT
    if ways.test == "t" or (ways.test == "wilcoxon" and not counted) or topics < 2:
        return []
    least = smallest_p(ways.draws, 2.0**topics if counted else None)
    # Of Benjamini and Hochberg's, the smallest p stays as it is if all are that small.
    times = comparisons if ways.correction in ("holm", "bonferroni") else 1
    corrected = least * times
    # Where few of many topics differ all signs are counted, and p is below what draws can give.
    if is_significant(corrected, ways.alpha) or any(map(ways.differ, pairs)):
        return []
    why = f"{topics} topics" if counted else f"{ways.draws} draws"
    cure = "more topics" if counted else f"--draws {draws_needed(times, ways.alpha)} or more"
    told = f", corrected for {comparisons} comparisons {min(corrected, 1.0):.2g}"
    return [
        f"nothing can be significant here: the smallest p of {why} is {least:.2g}"
        f"{told if corrected > least else ''}; {cure}, or --test t, can show more"
    ]
