"""The driver of all permutation tests: what changes places, and the p that follows.

If two things were equally good, it would not matter which of them gave a score. So their scores
change places, unit by unit (a system, a topic, a cell), each with probability 1/2, and p is the
share of permutations that are as extreme as what was seen. Where there are no more permutations
than draws, all are counted; else the seen one counts as one draw more, (extreme + 1) / (draws + 1),
so that p is never 0.

For a mean of paired differences a change of places is a change of sign. There all permutations of
more units can be counted, since every sum is one of the first half and one of the second.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from summetry.arrays.threads import one_thread
from summetry.arrays.types import Bools, Floats
from summetry.errors import SummetryError

# Signs that are held at once.
HELD = 1 << 19
# Of more columns there are faster ways than to draw a number for each.
MANY_COLUMNS = 4096
# Rows, octets of columns and draws that are looked at together.
_ROWS, _OCTETS, _DRAWS = 32, 64, 1 << 14


@dataclass(frozen=True)
class Permutations:
    """All permutations of some units, or as many drawn ones as ``draws`` says.

    ``units`` is a table of any shape, True for a unit that can change places.
    """

    units: Bools
    draws: int
    seed: int = 0

    def __post_init__(self) -> None:
        if self.draws < 1:
            raise SummetryError(f"a permutation test needs 1 draw or more, got {self.draws}")

    @property
    def exact(self) -> bool:
        """Whether all permutations are counted."""
        return self._all <= self.draws

    @property
    def number(self) -> int:
        return min(self._all, self.draws)

    @property
    def _all(self) -> int:
        return 1 << int(self.units.sum())

    @property
    def seen(self) -> int:
        """1 where what was seen is not one of the permutations, and counts as one more."""
        return int(not self.exact)

    def blocks(self, size: int) -> Iterator[Bools]:
        """Permutations x units, True where a unit has changed places, ``size`` at a time."""
        rng = np.random.default_rng(self.seed)
        for start in range(0, self.number, size):
            numbers = np.arange(start, min(start + size, self.number))[:, None]
            units = int(self.units.sum())
            switched = np.zeros((len(numbers), *self.units.shape), bool)
            if self.exact:
                switched[:, self.units] = numbers >> np.arange(units) & 1
            else:
                switched[:, self.units] = rng.random((len(numbers), units)) < 0.5
            yield switched

    def p(self, extreme: Bools) -> float:
        """The share of the permutations, given by whether each is as extreme as what was seen."""
        return (int(extreme.sum()) + self.seen) / (len(extreme) + self.seen)


def p_of_all_signs(row: Floats, noise: float) -> float:
    """The share of all choices of signs whose sum is as far from 0 as the sum of the row.

    Every such sum is one of the first half of the row and one of the second; with the second
    ones in order, the count for each of the first is a search.
    """
    least = abs(math.fsum(row)) - noise * len(row)
    if least <= 0:
        return 1.0
    half = len(row) // 2
    first, second = _all_sums(row[:half]), np.sort(_all_sums(row[half:]))
    beyond = len(first) * len(second) - int(np.searchsorted(second, least - first).sum())
    # As many sums are as far below 0.
    return float(2 * beyond / 2 ** len(row))


def p_of_drawn_signs(
    rows: Floats, noise: Floats, draws: int, seed: int, held: int = HELD
) -> Floats:
    """The p of each row by drawn signs, the same ones for all rows."""
    columns = rows.shape[1]
    if columns > MANY_COLUMNS:
        parts = [slice(start, start + _ROWS) for start in range(0, len(rows), _ROWS)]
        each = [_p_by_octets(rows[part], noise[part], draws, seed) for part in parts]
        return np.concatenate([np.zeros(0), *each])
    least = (np.abs(rows.sum(axis=1)) - noise * columns)[:, None]
    rng = np.random.default_rng(seed)
    step = max(held // columns, 1)
    as_far = np.zeros(len(rows), np.int64)
    with one_thread():
        for start in range(0, draws, step):
            shape = (min(step, draws - start), columns)
            signs = 1.0 - 2.0 * rng.integers(0, 2, shape, np.int8)
            as_far += (np.abs(rows @ signs.T) >= least).sum(axis=1)
    return (1 + as_far) / (1 + draws)


def _p_by_octets(rows: Floats, noise: Floats, draws: int, seed: int) -> Floats:
    """The same, where one drawn byte has the signs of eight columns, whose 256 sums are a table."""
    columns = rows.shape[1]
    least = (np.abs(rows.sum(axis=1)) - noise * columns)[:, None]
    octets = -(-columns // 8)
    padded = np.pad(rows, ((0, 0), (0, 8 * octets - columns))).reshape(len(rows), octets, 8)
    signs = 1.0 - 2.0 * (np.arange(256)[:, None] >> np.arange(8) & 1)
    rng = np.random.default_rng(seed)
    as_far = np.zeros(len(rows), np.int64)
    with one_thread():
        for start in range(0, draws, _DRAWS):
            sums = np.zeros((len(rows), min(_DRAWS, draws - start)))
            for first in range(0, octets, _OCTETS):
                tables = padded[:, first : first + _OCTETS] @ signs.T
                shape = tables.shape[1], sums.shape[1]
                for place, drawn in enumerate(rng.integers(0, 256, shape, np.uint8)):
                    for row, table in zip(sums, tables[:, place], strict=True):
                        row += table.take(drawn)
            as_far += (np.abs(sums) >= least).sum(axis=1)
    return (1 + as_far) / (1 + draws)


def _all_sums(row: Floats) -> Floats:
    """The sums with every choice of signs."""
    sums = np.zeros(1)
    for number in row:
        sums = np.concatenate([sums + number, sums - number])
    return sums
