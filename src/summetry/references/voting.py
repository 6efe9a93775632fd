"""From the extracts of several people to a reference by majority vote, for one text.

**Votes.** A unit has a bit mask with one bit per informant who chose it; its votes are the number
of bits, and what two units have in common is the number of bits in both. An informant may weigh
more or less than one; then bits of one weight are counted together.

**Ties.** Each tie rule gives one order of all units with a vote, most votes first:

``position``          of equals, the unit that stands earlier in the text.
``exclusion(theta=)`` in text order, but a unit that shares at most theta times its votes with a
                      unit of its level that is in already waits until the others are in: people
                      who chose the one did not choose the other, perhaps since both say the same.
``inclusion``         always the unit that was most often chosen together with those that are in;
                      at the very beginning, with the others of its level.

Position favours summarizers that look at the position as well. The paper only outlines the two
other rules, and the readings above are ours.

**The reference** has the units with most votes, as many as a length allows. Units without a vote
never enter, so it may be shorter than its limit. With the fit rule ``stop`` every unit that is in
has at least as many votes as any that is left out. Where the reference depended on a tie, it says
so, with what each tie rule would have chosen.

Source: Hassel and Dalianis (2005), sections 2, 4 and 5.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Literal, get_args

from summetry import spec
from summetry.arrays.sequences import bits_by_token
from summetry.errors import SummetryError, must_be_known
from summetry.records.lengths import Fit, Length, LengthLike, check_fit, exact, fill, joined_length
from summetry.stats.agreement import votes_agreement

Rule = Literal["position", "exclusion", "inclusion"]


@dataclass(frozen=True)
class Ballot:
    """Who chose which unit. Weights are integers: ``weights[i] / unit`` is what i counts."""

    masks: tuple[int, ...]
    weights: tuple[int, ...]
    unit: int = 1

    def __len__(self) -> int:
        """The number of units."""
        return len(self.masks)

    @property
    def informants(self) -> int:
        """The number of informants who have a vote."""
        return len(self.weights)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The votes for each unit, in parts of ``1 / unit``: integers, to compare exactly."""
        return tuple(map(self.weigh, self.masks))

    @cached_property
    def votes(self) -> tuple[Fraction, ...]:
        """The votes for each unit."""
        return tuple(Fraction(count, self.unit) for count in self.counts)

    @property
    def most(self) -> Fraction:
        """The votes of a unit that everybody chose."""
        return Fraction(sum(self.weights), self.unit)

    def weigh(self, mask: int) -> int:
        """The weights of the informants of a mask added up, in parts of ``1 / unit``."""
        return sum(weight * (mask & who).bit_count() for weight, who in self._classes)

    def levels(self) -> list[list[int]]:
        """Units with equally many votes, most votes first; units without a vote are in none."""
        by_count: dict[int, list[int]] = {}
        for place, count in enumerate(self.counts):
            if count:
                by_count.setdefault(count, []).append(place)
        return [by_count[count] for count in sorted(by_count, reverse=True)]

    @cached_property
    def _classes(self) -> tuple[tuple[int, int], ...]:
        """Each weight with a mask of the informants who have it."""
        return tuple(bits_by_token(self.weights).items())


def count_votes(
    n: int,
    extracts: Sequence[Collection[int]],
    weights: Sequence[int | float | Fraction] | None = None,
) -> Ballot:
    """The votes for ``n`` units; a unit that an extract names twice has one vote from it.

    >>> count_votes(4, [[0, 2], [2], [2, 3]]).counts
    (1, 0, 3, 1)
    """
    for who, extract in enumerate(extracts):
        check_units(extract, n, f"extract {who}")
    exact = [Fraction(1)] * len(extracts) if weights is None else _weights(weights, len(extracts))
    # An informant of weight 0 has no vote, and does not count as an informant either.
    kept = [who for who, weight in enumerate(exact) if weight]
    unit = math.lcm(*(exact[who].denominator for who in kept))
    masks = [0] * n
    for bit, who in enumerate(kept):
        for place in extracts[who]:
            masks[place] |= 1 << bit
    return Ballot(tuple(masks), tuple(int(exact[who] * unit) for who in kept), unit)


def check_units(units: Collection[int], n: int, whose: str) -> None:
    """Refuse a unit that a topic with ``n`` units does not have."""
    for unit in units:
        if not 0 <= unit < n:
            expected = f"units from 0 to {n - 1}" if n else "no units, for the text has none"
            raise SummetryError(f"{whose}: expected {expected}, found {unit}; units count from 0")


def mask_of(units: Collection[int]) -> int:
    """A set of units as one number, one bit per unit.

    >>> mask_of([0, 3])
    9
    """
    mask = 0
    for unit in units:
        mask |= 1 << unit
    return mask


def _weights(weights: Sequence[int | float | Fraction], extracts: int) -> list[Fraction]:
    if len(weights) != extracts:
        raise SummetryError(
            f"expected a weight for each of {extracts} extracts, found {len(weights)}"
        )
    for weight in weights:
        if not 0 <= weight < math.inf:
            raise SummetryError(f"the weight of an informant is 0 or more and finite, got {weight}")
    # As it is written: 0.1 is a tenth.
    return [Fraction(str(weight)) for weight in weights]


@dataclass(frozen=True)
class Ties:
    """A tie rule: ``Ties("inclusion")``, ``Ties("exclusion", "1/3")``."""

    rule: Rule = "position"
    theta: Fraction | int | float | str = 0

    def __post_init__(self) -> None:
        must_be_known("tie rule", self.rule, get_args(Rule))
        theta = exact(self.theta)
        object.__setattr__(self, "theta", theta)
        if not 0 <= theta <= 1:
            raise SummetryError(f"theta is a share from 0 to 1, got {self.theta}")
        if theta and self.rule != "exclusion":
            raise SummetryError(f"theta goes with the tie rule exclusion, not with {self.rule}")

    @classmethod
    def parse(cls, text: str) -> Ties:
        """Read ``position``, ``inclusion``, ``exclusion`` or ``exclusion(theta=1/3)``."""
        asked = spec.parse(text)
        unknown = sorted(asked.options.keys() - {"theta"})
        if unknown or asked.pick:
            what = unknown[0] if unknown else f".{asked.pick}"
            raise SummetryError(f"a tie rule has no option but theta, got {what!r} in {text!r}")
        return cls(asked.name, str(asked.options.get("theta", 0)))  # type: ignore[arg-type]

    def __str__(self) -> str:
        return f"{self.rule}(theta={self.theta})" if self.theta else self.rule

    def order(self, ballot: Ballot) -> tuple[int, ...]:
        """All units with a vote, in the order in which they are taken."""
        if self.rule == "inclusion":
            return _by_inclusion(ballot)
        levels = ballot.levels()
        if self.rule == "exclusion":
            levels = [_by_exclusion(level, ballot, Fraction(self.theta)) for level in levels]
        return tuple(unit for level in levels for unit in level)


def vote_order(
    n: int, extracts: Sequence[Collection[int]], ties: Ties | str = "position"
) -> tuple[int, ...]:
    """The ``n`` units of a text by votes; those without a vote are left out.

    >>> vote_order(5, [[0, 2], [1, 2], [1, 2], [0, 3]], "inclusion")
    (2, 1, 0, 3)
    """
    rule = Ties.parse(ties) if isinstance(ties, str) else ties
    return rule.order(count_votes(n, extracts))


def deciding_level(
    levels: Sequence[Sequence[int]],
    lengths: Sequence[int],
    limit: Fraction | int,
    fit: Fit,
    gap: int = 0,
) -> int | None:
    """The first level whose order decides which units are taken, or None where none does.

    No orders are tried. A level that fits as a whole is taken in any order. Of one that does not,
    some order takes a given unit and another does not, unless no unit of it can be taken, or (for
    ``skip``) all that can be taken fit together.
    """
    # With a gap behind every unit and one more of room, lengths simply add up.
    room = Fraction(limit) + gap
    for place, level in enumerate(levels):
        long = [lengths[unit] + gap for unit in level]
        if fit == "overshoot":
            if limit <= 0 or room <= 0:
                return None
            if len(level) > 1 and sum(long) - min(long) >= room:
                return place
            taken = long
        else:
            taken = [length for length in long if length <= room]
            if sum(long) > room and fit == "stop":
                return place if len(level) > 1 and taken else None
            if sum(taken) > room:
                return place
        room -= sum(taken)
    return None


def _by_exclusion(level: list[int], ballot: Ballot, theta: Fraction) -> list[int]:
    kept: list[int] = []
    waiting: list[int] = []
    # Units that the same people chose are alike, so each mask is compared once.
    choices: dict[int, None] = {}
    for unit in level:
        few, mask = theta * ballot.counts[unit], ballot.masks[unit]
        if any(ballot.weigh(mask & other) <= few for other in choices):
            waiting.append(unit)
        else:
            kept.append(unit)
            choices[mask] = None
    return kept + waiting


def _by_inclusion(ballot: Ballot) -> tuple[int, ...]:
    placed: list[int] = []
    weigh = cache(ballot.weigh)
    for level in ballot.levels():
        # Units that the same people chose are alike: each mask has one queue and one bond.
        queues: dict[int, deque[int]] = {}
        for unit in level:
            queues.setdefault(ballot.masks[unit], deque()).append(unit)
        # As long as nothing is in, units are compared with their own level.
        company = Counter(ballot.masks[unit] for unit in placed or level)
        bonds = {
            mask: sum(times * weigh(mask & other) for other, times in company.items())
            for mask in queues
        }
        while queues:
            best = max(queues, key=lambda mask: (bonds[mask], -queues[mask][0]))
            if not placed:
                bonds = dict.fromkeys(bonds, 0)
            placed.append(queues[best].popleft())
            if not queues[best]:
                del queues[best]
            for mask in queues:
                bonds[mask] += weigh(mask & best)
    return tuple(placed)


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
    length: LengthLike = "mean",
    fit: Fit = "stop",
    ties: Ties | str = "position",
) -> Reference:
    """The reference for a text whose units have these ``lengths``.

    A ``length`` of units counts units; any other is in what ``lengths`` are in. Without an extract
    the reference is empty, and its limit undefined if it is the mean length of the extracts.

    >>> majority_reference([10] * 10, [[0, 1, 2], [0, 1, 3], [0, 4]], "30%").units
    (0, 1, 2)
    """
    rule = Ties.parse(ties) if isinstance(ties, str) else ties
    ballot = count_votes(len(lengths), extracts)
    asked = Length.parse(length)
    if asked.kind == "mean" and not extracts:
        check_whole_units(fit)
        return Reference((), 0, math.nan, ballot)
    if asked.counted == "units":
        lengths = [1] * len(lengths)
    return fit_reference(ballot, lengths, asked.limit(lengths, extracts), fit, rule)


def check_whole_units(fit: Fit) -> None:
    """Refuse fit rules that do not exist, and the one that cuts units."""
    check_fit(fit)
    if fit == "cut":
        raise SummetryError("a reference has whole units: fit is stop, skip or overshoot, not cut")
