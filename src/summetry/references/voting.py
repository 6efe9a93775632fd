"""Votes: how many informants chose each unit.

A unit has a bit mask with a bit for each informant who chose it; its votes are the number of
bits, and what two units have in common is the number of bits in both. An informant may weigh more
or less than one; then bits of one weight are counted together.

Source: Hassel and Dalianis (2005), section 2.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from summetry.errors import SummetryError


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
        """What the informants of a mask count together, in parts of ``1 / unit``."""
        return sum(weight * (mask & who).bit_count() for weight, who in self._classes)

    def levels(self) -> list[list[int]]:
        """Units with equally many votes, most votes first; units without a vote are in none."""
        found: dict[int, list[int]] = {}
        for place, count in enumerate(self.counts):
            if count:
                found.setdefault(count, []).append(place)
        return [found[count] for count in sorted(found, reverse=True)]

    @cached_property
    def _classes(self) -> tuple[tuple[int, int], ...]:
        """Each weight with a mask of the informants who have it."""
        found: dict[int, int] = {}
        for place, weight in enumerate(self.weights):
            found[weight] = found.get(weight, 0) | 1 << place
        return tuple(found.items())


def count_votes(
    n: int,
    extracts: Sequence[Collection[int]],
    weights: Sequence[int | float | Fraction] | None = None,
) -> Ballot:
    """The votes for ``n`` units; a unit that an extract names twice has one vote of it.

    >>> count_votes(4, [[0, 2], [2], [2, 3]]).counts
    (1, 0, 3, 1)
    """
    for who, extract in enumerate(extracts):
        check_units(extract, n, f"extract {who}")
    exact = [Fraction(1)] * len(extracts) if weights is None else _weights(weights, len(extracts))
    # Who weighs nothing has no vote, and does not count as an informant either.
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
            wanted = f"units from 0 to {n - 1}" if n else "no units, for the text has none"
            raise SummetryError(f"{whose}: expected {wanted}, found {unit}; units count from 0")


def mask_of(units: Collection[int]) -> int:
    """A set of units as one number, a bit a unit.

    >>> mask_of([0, 3])
    9
    """
    found = 0
    for unit in units:
        found |= 1 << unit
    return found


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
