"""What a comparison of systems is asked for, and the ranking that comes back.

A ranking knows what its tests say of a pair, and what they could not have said: with few topics, or
few draws, the smallest p that there can be is not significant.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np

from summetry.arguments import check_share, check_whole
from summetry.arrays.types import Floats
from summetry.errors import SummetryError, must_be_known
from summetry.metaeval.notes import fewest_units, least_permutation_p, note_unreachable_alpha
from summetry.records.scores import Column
from summetry.stats.contrasts import MOST_DRAWS, MOST_EXACT, Test, check_draws
from summetry.stats.multiple import benjamini_hochberg, bonferroni, holm
from summetry.stats.power import CorpusPower, smallest_difference
from summetry.stats.significance import DRAWS, draws_needed, enough_draws, is_significant

Correction = Literal["holm", "bonferroni", "bh", "none"]

_CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {
    "holm": holm,
    "bonferroni": bonferroni,
    "bh": benjamini_hochberg,
    "none": lambda p: p,
}


@dataclass(frozen=True)
class CompareSettings:
    """How systems are compared: the test, the correction for many tests, draws and their seed.

    ``power`` is the probability with which a difference should be seen.
    """

    test: Test = "permutation"
    correction: Correction = "holm"
    alpha: float = 0.05
    # By default 10,000, and more where so many tests need them to find anything.
    draws: int | None = None
    seed: int = 0
    power: float = 0.8

    def __post_init__(self) -> None:
        must_be_known("paired test", self.test, get_args(Test))
        must_be_known("correction", self.correction, get_args(Correction))
        check_share("alpha", self.alpha)
        check_share("power", self.power)
        if self.alpha >= self.power:
            raise SummetryError(f"alpha must be below the power, {self.power}, got {self.alpha}")
        if self.draws is not None:
            check_whole("draws", self.draws, 1)
            check_draws(self.draws)
        check_whole("seed", self.seed, 0)

    @property
    def resamples(self) -> int:
        """Draws of an interval."""
        return DRAWS if self.draws is None else self.draws

    def permutations(self, comparisons: int) -> int:
        """Draws of each of so many tests."""
        enough = min(enough_draws(self.times(comparisons), self.alpha), MOST_DRAWS)
        return enough if self.draws is None else self.draws

    def times(self, comparisons: int) -> int:
        """What the smallest p of so many tests is multiplied by.

        Benjamini and Hochberg's correction leaves it as it is if all are that small.
        """
        return max(comparisons, 1) if self.correction in ("holm", "bonferroni") else 1

    def corrects(self, comparisons: int) -> bool:
        """Whether p of so many tests is corrected."""
        return self.correction != "none" and comparisons > 1

    def fewest_topics(self, comparisons: int) -> int:
        """With how many topics the test can be significant at all in one of so many tests."""
        is_exact = self.test in ("permutation", "wilcoxon")
        return fewest_units(self.times(comparisons), self.alpha) if is_exact else 2

    def correct(self, pairs: Sequence[PairTest]) -> list[PairTest]:
        """The pairs with their p corrected for being several."""
        corrected = _CORRECTIONS[self.correction](np.array([pair.p for pair in pairs], np.float64))
        both = zip(pairs, corrected.tolist(), strict=True)
        return [pair._replace(corrected=p) for pair, p in both]

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
    """Two systems on the topics that both have: the first minus the second."""

    first: str
    second: str
    topics: int
    difference: float
    low: float
    high: float
    p: float
    corrected: float
    # The mean difference divided by the standard deviation of the differences (Cohen's d_z).
    effect: float
    # The share of topics on which the first is better, ties counting half.
    won: float
    # The standard deviation of the differences over topics.
    deviation: float = math.nan

    @property
    def reason(self) -> str:
        """Why there is no p; empty where there is one."""
        if not math.isnan(self.p):
            return ""
        few = self.topics < 2
        return "fewer than two topics in common" if few else "all differences are the same"

    def reversed(self) -> PairTest:
        """The same pair, the second minus the first."""
        return self._replace(
            first=self.second,
            second=self.first,
            difference=-self.difference,
            low=-self.high,
            high=-self.low,
            effect=-self.effect,
            won=1 - self.won,
        )


class SmallestP(NamedTuple):
    """The smallest p that a test can give, and what keeps it from being smaller."""

    p: float
    corrected: float
    # So many topics, permutations or resamples.
    number: int
    of: str


class PairPower(NamedTuple):
    """What the topics can show where this number of comparisons shares alpha."""

    comparisons: int
    alpha: float
    power: CorpusPower


@dataclass(frozen=True)
class Ranking:
    """Systems compared by one value, best first; ``pairs`` are all of them in that order."""

    column: Column
    better: str
    protocol: str
    settings: CompareSettings
    topics: int
    systems: tuple[Standing, ...]
    pairs: tuple[PairTest, ...]
    # Each other system against the baseline, which is the best one unless one was named.
    baseline: str
    is_named: bool
    against: tuple[PairTest, ...]
    power: tuple[PairPower, ...]
    notes: tuple[str, ...] = ()
    # Values that were asked for, too, and have the same scores by construction.
    same: tuple[Column, ...] = ()

    def verdict(self, pair: PairTest) -> str:
        """What a test says of the first of a pair: better, worse, unclear, or nothing."""
        if math.isnan(pair.corrected):
            return "undefined"
        if not self.settings.differ(pair):
            return "unclear"
        above = pair.difference > 0
        if self.better == "neither":
            return "higher" if above else "lower"
        return "better" if above == (self.better == "higher") else "worse"

    def tied(self) -> list[str]:
        """The systems that share the best mean, where there are several."""
        best = self.systems[0].mean if self.systems else math.nan
        same = [
            one.system
            for one in self.systems
            if math.isclose(one.mean, best, rel_tol=1e-12, abs_tol=1e-12)
        ]
        return same if len(same) > 1 else []

    def family(self) -> int:
        """For how many comparisons p against the baseline is corrected."""
        return len(having_p(self.against if self.is_named else self.pairs))

    def worse(self, tolerance: float = 0.0) -> list[PairTest]:
        """Those that are significantly worse than the baseline, and by more than ``tolerance``."""

        def is_beyond(difference: float) -> bool:
            # 0.005 as a difference of two means is not quite 0.005.
            return difference > tolerance and not math.isclose(difference, tolerance)

        worse = [pair for pair in self.against if self.verdict(pair) == "worse"]
        return [pair for pair in worse if is_beyond(abs(pair.difference))]

    def smallest_shown(self, pair: PairTest, comparisons: int) -> float:
        """The smallest difference that the topics of a pair show with the wanted probability.

        ``comparisons`` share alpha, as in ``power``; NaN where no test could show anything.
        """
        if self.unreachable(pair, comparisons):
            return math.nan
        shared = 1 if self.settings.correction == "none" else max(comparisons, 1)
        alpha = self.settings.alpha / shared
        return smallest_difference(pair.topics, pair.deviation, self.settings.power, alpha)

    def unreachable(self, pair: PairTest, comparisons: int) -> SmallestP | None:
        """The smallest p that the pair could have, if it would not be significant either."""
        return _smallest_p([pair], comparisons, self.settings)

    def unreachable_against(self) -> list[str]:
        """A note where no test against the baseline could be significant."""
        return note_unreachable(self.against, self.family(), self.settings)


def having_p(pairs: Sequence[PairTest]) -> list[PairTest]:
    """The pairs that could be tested: only these count where p is corrected."""
    return [pair for pair in pairs if not math.isnan(pair.p)]


def note_unreachable(
    pairs: Sequence[PairTest], comparisons: int, settings: CompareSettings
) -> list[str]:
    """A note where the smallest p that there can be is not significant once it is corrected."""
    least = _smallest_p(pairs, comparisons, settings)
    if least is None:
        return []
    times = settings.times(comparisons)
    more = "more topics"
    if least.of != "topics":
        more = f"--draws {draws_needed(times, settings.alpha)} or more"
    limit = f"{least.number:,} {least.of}"
    return note_unreachable_alpha(least.p, times, settings.alpha, limit, f"{more}, or --test t,")


def _smallest_p(
    pairs: Sequence[PairTest], comparisons: int, settings: CompareSettings
) -> SmallestP | None:
    """The smallest p that the pairs can have, where that is not significant."""
    topics = max((pair.topics for pair in pairs), default=0)
    exact = settings.test != "bootstrap" and topics <= MOST_EXACT
    if settings.test == "t" or (settings.test == "wilcoxon" and not exact) or topics < 2:
        return None
    # Where few of many topics differ all signs are counted, and p is below what draws can give.
    if any(map(settings.differ, pairs)):
        return None
    draws = settings.permutations(comparisons)
    least = least_permutation_p(topics, draws) if exact else 1 / (1 + draws)
    corrected = least * settings.times(comparisons)
    if is_significant(corrected, settings.alpha):
        return None
    drawn = "resamples" if settings.test == "bootstrap" else "permutations"
    of = (topics, "topics") if exact else (draws, drawn)
    return SmallestP(least, min(corrected, 1.0), *of)
