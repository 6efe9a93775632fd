"""A reference by majority vote: the units with most votes, as many as a length allows.

Units without a vote never enter, so a reference may be shorter than its limit. With the fit rule
``stop`` every unit that is in has at least as many votes as any that is left out. Where the
reference depended on a tie, it says so, with what each tie rule would have chosen.

Source: Hassel and Dalianis (2005), sections 2 and 4.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from summetry.errors import SummetryError
from summetry.records.lengths import Fit, check_fit, fill, joined_length, mean_length
from summetry.references.ties import Ties, deciding_level
from summetry.references.voting import Ballot, count_votes
from summetry.stats.agreement import votes_agreement


@dataclass(frozen=True)
class Tie:
    """Units with equally many votes, of which not all could be taken."""

    votes: Fraction
    units: tuple[int, ...]
    # What the reference would be by each tie rule, by the rule's spelling.
    choices: dict[str, tuple[int, ...]]

    @property
    def rules_differ(self) -> bool:
        """Whether it matters which of the rules is taken; another order might still matter."""
        return len(set(self.choices.values())) > 1


@dataclass(frozen=True)
class Reference:
    """Units in text order, their length, the limit that they had to keep, and all votes."""

    units: tuple[int, ...]
    length: int
    limit: Fraction | float
    ballot: Ballot
    tie: Tie | None = None

    @property
    def agreement(self) -> float:
        """Hassel and Dalianis's agreement over the units of the reference, in per cent."""
        votes = sum((self.ballot.votes[unit] for unit in self.units), Fraction(0))
        return votes_agreement(votes, len(self.units), self.ballot.most)


def fit_reference(
    ballot: Ballot,
    lengths: Sequence[int],
    limit: Fraction | int,
    fit: Fit = "stop",
    ties: Ties | None = None,
    gap: int = 0,
) -> Reference:
    """The units with most votes that make up a length of ``limit`` by the ``fit`` rule.

    ``gap`` is the length of what stands between two units.
    """
    check_whole_units(fit)
    rule = ties or Ties()

    def chosen(by: Ties) -> tuple[int, ...]:
        return tuple(sorted(fill(by.order(ballot), lengths, limit, fit, gap).units))

    units = chosen(rule)
    levels = ballot.levels()
    tie = None
    place = deciding_level(levels, lengths, limit, fit, gap)
    if place is not None:
        level = tuple(levels[place])
        tie = Tie(ballot.votes[level[0]], level, {str(r): chosen(r) for r in rules_beside(rule)})
    length = joined_length([lengths[unit] for unit in units], gap)
    return Reference(units, length, Fraction(limit), ballot, tie)


def rules_beside(ties: Ties) -> tuple[Ties, ...]:
    """All three tie rules; exclusion as it is asked for, else with theta 0."""
    exclusion = ties if ties.rule == "exclusion" else Ties("exclusion")
    return Ties("position"), exclusion, Ties("inclusion")


def majority_reference(
    lengths: Sequence[int],
    extracts: Sequence[Collection[int]],
    rate: Fraction | int | float | Literal["mean"] = "mean",
    fit: Fit = "stop",
    ties: Ties | str = "position",
) -> Reference:
    """The reference for a text whose units have these ``lengths``.

    ``rate`` is a share of the whole length, or ``"mean"``: the mean length of the extracts. Without
    an extract the reference is empty, and its limit undefined if it is the mean.

    >>> majority_reference([10] * 10, [[0, 1, 2], [0, 1, 3], [0, 4]], Fraction(3, 10)).units
    (0, 1, 2)
    """
    rule = Ties.parse(ties) if isinstance(ties, str) else ties
    ballot = count_votes(len(lengths), extracts)
    if rate != "mean":
        limit = Fraction(str(rate)) * sum(lengths)
    elif extracts:
        limit = mean_length(lengths, extracts)
    else:
        check_whole_units(fit)
        return Reference((), 0, math.nan, ballot)
    return fit_reference(ballot, lengths, limit, fit, rule)


def check_whole_units(fit: Fit) -> None:
    """Refuse fit rules that do not exist, and the one that cuts units."""
    check_fit(fit)
    if fit == "cut":
        raise SummetryError("a reference has whole units: fit is stop, skip or overshoot, not cut")
