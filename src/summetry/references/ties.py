"""Which of several units with equally many votes comes first, and whether it mattered.

``position``          the one that stands earlier in the text.
``exclusion(theta=)`` in text order, but a unit that shares at most theta times its votes with a
                      unit of its level that is in already waits until the others are in: people
                      who chose the one did not choose the other, perhaps since both say the same.
``inclusion``         always the unit that was most often chosen together with those that are in;
                      at the very beginning, with the others of its level.

Each rule gives one order of all units with a vote, most votes first; what fits is another matter.
Position favours summarizers that look at the position as well. The paper only outlines the two
other rules, and the readings above are ours.

Source: Hassel and Dalianis (2005), sections 4 and 5.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

from summetry import spec
from summetry.errors import SummetryError, UnknownNameError
from summetry.model.budgets import Fit, exact
from summetry.references.voting import Ballot, count_votes

Rule = Literal["position", "exclusion", "inclusion"]


@dataclass(frozen=True)
class Ties:
    """A tie rule: ``Ties("inclusion")``, ``Ties("exclusion", "1/3")``."""

    rule: Rule = "position"
    theta: Fraction | int | float | str = 0

    def __post_init__(self) -> None:
        if self.rule not in get_args(Rule):
            raise UnknownNameError("tie rule", self.rule, get_args(Rule))
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
        """All units with a vote, the one to take first first."""
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
    for unit in level:
        few = theta * ballot.counts[unit]
        excluded = any(ballot.shared(unit, other) <= few for other in kept)
        (waiting if excluded else kept).append(unit)
    return kept + waiting


def _by_inclusion(ballot: Ballot) -> tuple[int, ...]:
    placed: list[int] = []
    for level in ballot.levels():
        waiting = list(level)
        if not placed:
            # Nothing is in yet: the company of a unit is its own level.
            bonds = _bonds(waiting, level, ballot)
            placed.append(max(waiting, key=bonds.__getitem__))
            waiting.remove(placed[0])
        bonds = _bonds(waiting, placed, ballot)
        while waiting:
            # Of equal ones `max` takes the first, and they stand in text order.
            found = max(waiting, key=bonds.__getitem__)
            waiting.remove(found)
            placed.append(found)
            for unit in waiting:
                bonds[unit] += ballot.shared(unit, found)
    return tuple(placed)


def _bonds(units: list[int], company: list[int], ballot: Ballot) -> dict[int, int]:
    """How often each unit was chosen together with others; of one unit nobody needs to know."""
    others = company if len(units) > 1 else []
    return {unit: sum(ballot.shared(unit, other) for other in others) for unit in units}
