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

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from summetry import spec
from summetry.errors import SummetryError, UnknownNameError
from summetry.records.lengths import Fit, exact
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


# Units that the same people chose are alike: what two units share is found once for all units with
# the same masks, since a long text has thousands of units at a level.


def _by_exclusion(level: list[int], ballot: Ballot, theta: Fraction) -> list[int]:
    kept: list[int] = []
    waiting: list[int] = []
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
    # Of how many units that are in each informant is one who chose them.
    company: NDArray[Any] = np.zeros(ballot.informants, dtype=_whole_numbers(ballot))
    for level in ballot.levels():
        waiting: dict[int, deque[int]] = {}
        for unit in level:
            waiting.setdefault(ballot.masks[unit], deque()).append(unit)
        queues = list(waiting.values())
        next_units = np.array([queue[0] for queue in queues])
        choosers = _choosers(list(waiting), ballot)
        weighed = choosers * np.array(ballot.weights, dtype=choosers.dtype)
        if placed:
            bonds = weighed @ company
        else:
            # Nothing is in yet: the company of a unit is its own level.
            bonds = weighed @ _choosers([ballot.masks[unit] for unit in level], ballot).sum(axis=0)
        for _ in level:
            nearest = np.flatnonzero(bonds == bonds.max())
            found = nearest[next_units[nearest].argmin()]
            bonds = weighed @ choosers[found] + (bonds if placed else 0)
            company += choosers[found]
            placed.append(queues[found].popleft())
            if queues[found]:
                next_units[found] = queues[found][0]
            else:
                weighed[found], bonds[found] = 0, -1
    return tuple(placed)


def _choosers(masks: Sequence[int], ballot: Ballot) -> NDArray[Any]:
    """A row for each mask, with a 1 for each informant who is in it."""
    rows = [[mask >> who & 1 for who in range(ballot.informants)] for mask in masks]
    return np.array(rows, dtype=_whole_numbers(ballot))


def _whole_numbers(ballot: Ballot) -> type:
    """What holds every sum of votes: machine words, unless weights are enormous."""
    return np.int64 if sum(ballot.weights) * len(ballot) < 1 << 62 else object
