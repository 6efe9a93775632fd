"""Rank correlation: whether a system puts the units into the order that people give them.

A ranking is a list of units, best first: the ``units`` of a summary in the order in which they
stand there. Units that it does not name share the last place. Of a judge's utilities the largest
has the first place, and equal ones share theirs.

    spearman = sum a b / sqrt(sum a^2 * sum b^2)
    kendall  = (C - D) / sqrt(apart in the one * apart in the other)        (tau-b)

a and b are the ranks of a unit in the two rankings, less the mean rank, where units of one place
share the mean of their ranks. C pairs of units are in the same order in both rankings and D in
the opposite one; a pair is apart in a ranking that gives its units different places. All units of
the topic count. A reference that keeps no two units apart leaves both undefined, and so does a
topic of one unit. A candidate without units has the worst value, -1.

All sums are whole numbers: what is tied is tied, and equal rankings give 1 and not nearly 1.

Source: Donaway, Drummey and Mather (2000) compare sentence rankings so; the two coefficients are
those that Steinberger and Jezek (2009), section 3.4.2, name for rankings.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from summetry.arrays.types import Ints
from summetry.metrics._pairs import FactsMetric, PairFacts, facts_of_rows
from summetry.metrics.base import METRICS, Needs, Over, Scores
from summetry.metrics.explanations import Match, Part, Votes, left_out
from summetry.metrics.formulas import Facts
from summetry.metrics.source_units import unit_match, votes_of_judges
from summetry.records.batches import Batch, Comparison


@dataclass(frozen=True)
class Places:
    """The place of each unit in a ranking; a smaller number is better, equal ones are tied."""

    of: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.of)

    @cached_property
    def deviations(self) -> Ints:
        """Twice the rank of each unit less the mean rank: the units before it less those behind."""
        places = np.array(self.of, dtype=np.int64)
        ordered = np.sort(places)
        deviations: Ints = np.searchsorted(ordered, places) - len(places)
        return deviations + np.searchsorted(ordered, places, "right")

    @cached_property
    def square(self) -> int:
        """The sum of the squared deviations."""
        return int((self.deviations**2).sum())

    @cached_property
    def apart(self) -> int:
        """How many pairs of units have different places."""
        return math.comb(len(self), 2) - sum(math.comb(n, 2) for n in Counter(self.of).values())


def places_in(ranking: Sequence[int], n: int) -> Places:
    """The places of ``n`` units by a list of units, best first.

    >>> places_in([2, 0], 4).of
    (1, 2, 0, 2)
    """
    return _places_in(tuple(dict.fromkeys(ranking)), n)


def places_by(values: Sequence[float]) -> Places:
    """The places of units by their values, the largest first.

    >>> places_by([5, 9, 5, 1]).of
    (1, 0, 1, 2)
    """
    return _places_by(tuple(values))


# The summaries of a topic share their references, and each is compared with several of them.
@lru_cache(maxsize=4096)
def _places_in(ranking: tuple[int, ...], n: int) -> Places:
    place = {unit: i for i, unit in enumerate(ranking)}
    return Places(tuple(place.get(unit, len(place)) for unit in range(n)))


@lru_cache(maxsize=4096)
def _places_by(values: tuple[float, ...]) -> Places:
    place = {value: i for i, value in enumerate(sorted(set(values), reverse=True))}
    return Places(tuple(place[value] for value in values))


class RankCorrelations(NamedTuple):
    spearman: float
    kendall: float


def rank_correlation(system: Sequence[int], reference: Places) -> RankCorrelations:
    """Spearman's rho and Kendall's tau-b of a list of units, best first, with a reference.

    >>> rank_correlation([0, 1, 2], places_in([0, 2, 1], 4))
    RankCorrelations(spearman=0.8, kendall=0.6666666666666666)
    """
    facts = facts_of_rows(RankFacts._fields, [(0, *rank_facts(system, reference))]).facts
    values = RankCorrelation().values_of(facts)
    return RankCorrelations(*(float(column[0]) for column in values.values()))


class RankFacts(NamedTuple):
    """What two rankings have in common: products and squares of twice the ranks, pairs of units."""

    matched: int = 0
    not_named: int = 0
    candidate: int = 0
    reference: int = 0
    agree: int = 0
    oppose: int = 0
    candidate_apart: int = 0
    reference_apart: int = 0


def rank_facts(system: Sequence[int], reference: Places) -> RankFacts:
    """The facts of a list of units, best first; all but one are 0 where there is no correlation."""
    if not reference.apart or not len(system):
        return RankFacts(reference_apart=reference.apart)
    named = list(dict.fromkeys(system))
    mine = places_in(named, len(reference))
    products = mine.deviations * reference.deviations
    matched = int(products[named].sum())
    not_named = int(products.sum()) - matched
    pairs = _pairs(named, reference)
    squares = mine.square, reference.square
    return RankFacts(matched, not_named, *squares, *pairs, mine.apart, reference.apart)


def _pairs(named: Sequence[int], reference: Places) -> tuple[int, int]:
    """How many pairs of units both rankings order in the same way, and how many otherwise."""
    known = set(named)
    # From the worst unit upwards: the places, in the reference, of all that the system ranks lower.
    lower = sorted(place for unit, place in enumerate(reference.of) if unit not in known)
    agree = oppose = 0
    for unit in reversed(named):
        place = reference.of[unit]
        agree += len(lower) - bisect_right(lower, place)
        oppose += bisect_left(lower, place)
        insort(lower, place)
    return agree, oppose


@METRICS.register
@dataclass(frozen=True)
class RankCorrelation(FactsMetric[Places]):
    """Spearman and Kendall correlation of the order of units (Donaway et al. 2000)."""

    against: Literal["utilities", "references"] = "utilities"
    references: Over = "mean"

    name: ClassVar[str] = "rank_correlation"
    family: ClassVar[str] = "co-selection"
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    defined_by: ClassVar[str] = "reference_apart"
    formulas: ClassVar[dict[str, str]] = {
        "spearman": "(matched + not_named) / (candidate * reference) ** 0.5",
        "kendall": "(agree - oppose) / (candidate_apart * reference_apart) ** 0.5",
    }

    terms: ClassVar[Mapping[str, str]] = {
        "matched": "over the units named, the product of both ranks from the middle",
        "not_named": "the same over all other units",
        "candidate": "sum of the squares over the candidate's ranks",
        "reference": "sum of the squares over the other ranks",
        "agree": "pairs of units in the same order in both",
        "oppose": "pairs of units in opposite orders",
        "candidate_apart": "pairs of units that the candidate does not tie",
        "reference_apart": "pairs of units that the other does not tie",
        "units": "units of the topic",
    }

    @property
    def needs(self) -> Needs:
        rankings = Needs.REFERENCE_UNITS if self.against == "references" else Needs.UTILITIES
        return Needs.UNITS | rankings

    def others(self, comparison: Comparison) -> list[tuple[str, Places]]:
        if self.against == "utilities":
            judged = comparison.material.utilities
            return [(utilities.judge, places_by(utilities.values)) for utilities in judged]
        return [
            (side.author, places_in(side.units, _units(comparison, side.units)))
            for side in comparison.references
            if side.units is not None
        ]

    def pair_facts(self, batch: Batch) -> PairFacts:
        rows = [
            (row, *rank_facts(comparison.candidate.units or (), ranking))
            for row, comparison in enumerate(batch.comparisons)
            for _, ranking in self.others(comparison)
        ]
        return facts_of_rows(RankFacts._fields, rows)

    def values_of(self, facts: Facts) -> Scores:
        # A candidate that names no unit keeps none apart. It has the worst value.
        is_worst = (facts["candidate"] == 0) & (facts["reference_apart"] != 0)
        values = super().values_of(facts)
        return {name: np.where(is_worst, -1.0, column) for name, column in values.items()}

    def parts(self, comparison: Comparison) -> list[Part]:
        parts = super().parts(comparison)
        for i, (who, ranking) in enumerate(self.others(comparison)):
            if not parts[i].facts["candidate"]:
                worst = dict.fromkeys(self.values, "-1")
                formulas = worst if ranking.apart else left_out(self.values)
                parts[i] = Part(who, {"units": float(len(ranking))}, formulas)
        return parts

    def votes(self, comparison: Comparison) -> Votes | None:
        return votes_of_judges(comparison) if self.against == "utilities" else None

    def matches(self, comparison: Comparison, other: Places) -> list[Match]:
        named = list(dict.fromkeys(comparison.candidate.units or ()))
        products = places_in(named, len(other)).deviations * other.deviations
        return [
            unit_match(
                comparison,
                unit,
                float(products[unit]),
                f"{place} here, {other.of[unit] + 1} there: ",
            )
            for place, unit in enumerate(named, 1)
        ]


def _units(comparison: Comparison, reference: Sequence[int]) -> int:
    """How many units the topic has; as many as are named where nothing is known of the source."""
    named = (*reference, *(comparison.candidate.units or ()))
    return len(comparison.material.units) or max(named, default=-1) + 1
