"""Normalised relative utility: 0 for a random extract, 1 for the judges themselves.

    NRU = (S - R) / (J - R)

What an extract of e units is worth to a judge is its share of the best e units of that judge:

    share(X, j) = sum of j's utilities over X / sum of j's e largest utilities

S is the mean share of the extract over the judges. J is the mean share of each judge's own best e
units by every other judge; of units that a judge values alike the earlier are taken. R is the
mean share over all extracts of e units, without drawing any: e / n of what all n units are worth.

Everything is computed in fractions, so that J = R is found where it is so. NRU is undefined where
J <= R, for instance for an extract of all units, and with fewer than two judges. A judge to whom
nothing is worth anything is left out. Nothing extracted is as good as chance at that length: 0.

Source: Radev et al. (2003), in the shape that MEAD's evaluation gave it: each judge counts the
same, while relative utility (Steinberger and Jezek, eq. 3) adds up what all judges gave.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np

from summetry.metrics.base import METRICS, Counts, MeanMetric, one_value
from summetry.metrics.explanations import Explanation, left_out
from summetry.metrics.relative_utility import UtilityMetric, check_utilities
from summetry.records.batches import Batch, Comparison

# Utilities without rounding: those of one judge, and one row per judge.
Row: TypeAlias = tuple[int | Fraction, ...]
Exact: TypeAlias = tuple[Row, ...]


class Level(NamedTuple):
    """What judges and chance reach with e units, and each judge's largest sum of e utilities."""

    judges: Fraction
    random: Fraction
    best: tuple[int | Fraction, ...]


class NormalisedRelativeUtilityResult(NamedTuple):
    value: float
    system: float
    judges: float
    random: float
    e: int


def normalised_relative_utility(
    utilities: Sequence[Sequence[float]], system: Sequence[int], e: int | None = None
) -> NormalisedRelativeUtilityResult:
    """NRU of a system's units, best first, by ``utilities[judge][unit]``.

    >>> normalised_relative_utility([[4, 2, 2, 0], [2, 4, 2, 0]], [0, 2]).value
    0.5
    """
    chosen = list(dict.fromkeys(system))
    exact = exact_utilities(tuple(map(tuple, utilities)))
    units = len(exact[0]) if exact else 0
    e = len(chosen) if e is None else min(e, units)
    if len(exact) < 2:
        return NormalisedRelativeUtilityResult(math.nan, math.nan, math.nan, math.nan, e)
    level = level_of(exact, e)
    reached = _reached(exact, level, chosen[:e])
    value = 0.0 if not e else math.nan
    if level.judges > level.random:
        value = float((reached - level.random) / (level.judges - level.random))
    judges, random = float(level.judges), float(level.random)
    return NormalisedRelativeUtilityResult(value, float(reached), judges, random, e)


# Summaries of one topic share its utilities, and most of them their length.
@lru_cache(maxsize=256)
def exact_utilities(utilities: tuple[tuple[float, ...], ...]) -> Exact:
    """Utilities as integers and fractions, without judges to whom nothing is worth anything."""
    check_utilities(utilities)
    return tuple(
        tuple(value if isinstance(value, int) else Fraction(value) for value in values)
        for values in utilities
        if any(values)
    )


@lru_cache(maxsize=256)
def level_of(utilities: Exact, e: int) -> Level:
    """What two or more judges and chance reach with ``e`` units of all.

    >>> level_of(((4, 2, 2, 0), (2, 4, 2, 0)), 1)[:2]
    (Fraction(1, 2), Fraction(1, 2))
    """
    units = range(len(utilities[0]))
    # The sort is stable: of units with the same utility the earlier comes first.
    tops = [sorted(units, key=lambda unit: -values[unit])[:e] for values in utilities]
    best = tuple(
        sum(values[unit] for unit in top) for values, top in zip(utilities, tops, strict=True)
    )
    if not e:
        return Level(Fraction(0), Fraction(0), best)
    shares = [
        _share(utilities[judge], tops[other], best[judge])
        for judge, other in permutations(range(len(utilities)), 2)
    ]
    everything = [_share(values, units, most) for values, most in zip(utilities, best, strict=True)]
    return Level(_mean(shares), _mean(everything) * e / len(units), best)


def _reached(utilities: Exact, level: Level, chosen: Sequence[int]) -> Fraction:
    if not chosen:
        return Fraction(0)
    pairs = zip(utilities, level.best, strict=True)
    return _mean([_share(values, chosen, most) for values, most in pairs])


def _share(values: Row, units: Iterable[int], best: int | Fraction) -> Fraction:
    return Fraction(sum(values[unit] for unit in units)) / best


def _mean(numbers: list[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0)) / len(numbers)


@METRICS.register
@dataclass(frozen=True)
class NormalisedRelativeUtility(UtilityMetric, MeanMetric):
    """Relative utility with chance as 0 and the judges as 1 (Radev et al. 2003)."""

    name: ClassVar[str] = "normalised_relative_utility"
    # Worse than chance is below 0, better than the judges above 1, both without a limit.
    bounds: ClassVar[tuple[float, float]] = (-math.inf, math.inf)
    # Where the judges are near chance, little is left of the digits of a difference.
    formulas: ClassVar[dict[str, str]] = {"value": "gained / attained"}

    terms: ClassVar[Mapping[str, str]] = {
        "matched": "relative utility of the candidate",
        "judges": "relative utility of the judges' own choices, by each other",
        "random": "relative utility of a random choice",
        "gained": "matched - random",
        "attained": "judges - random",
    }

    def count(self, batch: Batch) -> Counts:
        return one_value(np.array([result.value for result in self._results(batch)], np.float64))

    def notes(self, batch: Batch) -> dict[str, int]:
        """For how many comparisons, and why, the judges are no measure."""
        results = [
            result
            for comparison, result in zip(batch.comparisons, self._results(batch), strict=True)
            if comparison.candidate.units is not None and comparison.material.utilities
        ]
        alone = sum(math.isnan(result.judges) for result in results)
        undefined = sum(math.isnan(result.value) for result in results)
        notes = {
            "no value without two judges who value some unit": alone,
            "no value where judges reach no more than a random extract": undefined - alone,
        }
        return {what: count for what, count in notes.items() if count}

    def explain(self, comparison: Comparison) -> Explanation:
        result = self._result(comparison)
        if math.isnan(result.judges):
            return self.explained_by_judges(comparison, {}, {}, left_out(self.values))
        exact = exact_utilities(tuple(u.values for u in comparison.material.utilities))
        level = level_of(exact, result.e)
        chosen = list(dict.fromkeys(comparison.candidate.units or ()))[: result.e]
        worth = {unit: float(_reached(exact, level, [unit])) for unit in chosen}
        facts = {"matched": result.system, "judges": result.judges, "random": result.random}
        gained = _reached(exact, level, chosen) - level.random
        facts |= {"gained": float(gained), "attained": float(level.judges - level.random)}
        formulas = self.formulas if result.e else {"value": "0"}
        if math.isnan(result.value):
            formulas = left_out(self.values)
        return self.explained_by_judges(comparison, facts, worth, formulas)

    def _results(self, batch: Batch) -> list[NormalisedRelativeUtilityResult]:
        return batch.derived(
            (self.name, self.e), lambda: [self._result(c) for c in batch.comparisons]
        )

    def _result(self, comparison: Comparison) -> NormalisedRelativeUtilityResult:
        utilities = [judged.values for judged in comparison.material.utilities]
        return normalised_relative_utility(utilities, comparison.candidate.units or (), self.e)
