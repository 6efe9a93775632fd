"""Two metrics against people over all cells at once, after scores changed places.

With s = 1 for a cell that has changed places, and X', Y' the metrics after it, a coefficient of X'
is B(X') / D(X'). For all but Pearson's, B is a sum over pairs of cells (see ``swapped_columns``),

    B(X') = L(X') + s M s,   B(Y') = L(Y') + s M s

with L linear in s, while D depends on nothing but the ties of X'. All cells make too many pairs to
add them up for every way. But what is asked is only which ways give a delta as large as the real
one, and

    delta = (L(X') - L(Y')) / D(Y') + B(X') (1 / D(X') - 1 / D(Y'))

where |B(X')| <= D(X'), so the last part is at most |1 - D(X') / D(Y')|: 0 without ties, and mostly
so small that the first part decides. Only where it does not, s M s is added up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from summetry.arrays.types import Floats, Ints
from summetry.stats.concordance import EXACT, ROWS, codes, sums
from summetry.stats.swapped_columns import SwappedColumns, divided
from summetry.stats.weighted import Coefficient

# Cells x ways, 1 where a cell has changed places.
Swaps = NDArray[np.int8]

# How many swaps are numbers at a time.
STEP = 1 << 22
# A delta that may be this near to the real one, or to its negative, is counted in full.
NEAR = 1e-9


class Order(NamedTuple):
    """Scores of cells by their order from 0: those of X and Y in one order, and those of people."""

    x: Ints
    y: Ints
    people: Ints


class Linear(NamedTuple):
    """2 L of X' and of Y': with nothing swapped, and what each swapped cell adds to half of it."""

    start: Floats
    change: Floats


def deltas_of_cells(
    x: Floats, y: Floats, z: Floats, coefficients: Sequence[Coefficient], swaps: Swaps
) -> dict[Coefficient, Floats]:
    """For each way the coefficient of X' less that of Y', NaN where one is undefined.

    The scores are lists without gaps. In the first way nothing is swapped; the deltas of the others
    are right up to which side of its delta, and of the negative of it, they are on.
    """
    both = codes(np.concatenate([x, y]))
    order = Order(both[: len(x)], both[len(x) :], codes(z))
    linear = {name: linear_part(order, name) for name in coefficients if name != "pearson"}
    real = {name: _real(order, name, part) for name, part in linear.items()}
    found: dict[Coefficient, list[Floats]] = {name: [] for name in coefficients}
    step = max(STEP // max(len(z), 1), 16)
    for start in range(0, swaps.shape[1], step):
        moved = swaps[:, start : start + step].astype(np.float64)
        if "pearson" in found:
            cells = SwappedColumns(*(of[None] for of in (x, y, z, moved)))
            first, second = cells.coefficients("pearson")
            found["pearson"].append((first - second)[0])
        if linear:
            ties = Ties.of(order, moved)
        for name, part in linear.items():
            below = ties.divisors(order, name)
            found[name].append(_deltas(order, name, part, below, moved, real[name]))
    return {name: np.concatenate(parts) for name, parts in found.items()}


def _real(order: Order, name: Coefficient, linear: Linear) -> float:
    """The delta if nothing is swapped."""
    below = Ties.of(order, np.zeros((len(order.people), 1))).divisors(order, name)
    found = divided(linear.start[:, None] / 2, below)[:, 0]
    return float(found[0] - found[1])


def _deltas(
    order: Order, name: Coefficient, linear: Linear, below: Floats, moved: Floats, real: float
) -> Floats:
    twice = linear.start[:, None] + 2 * (linear.change @ moved)
    found = divided((twice[0] - twice[1]) / 2, np.where(below[0] > 0, below[1], 0.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        doubt = np.abs(1 - below[0] / below[1])
        is_open = (doubt > 0) & (np.abs(np.abs(found) - abs(real)) <= doubt + NEAR)
    is_real = ~moved.any(axis=0)
    found[is_real] = real
    ways = np.flatnonzero(is_open & ~is_real)
    if len(ways):
        whole = (twice[:, ways] + _of_pairs(order, name, moved[:, ways])) / 2
        found[ways] = whole[0] / below[0, ways] - whole[1] / below[1, ways]
    return found


@dataclass(frozen=True)
class Ties:
    """For X' and Y' and each way: equal pairs, and t^3 - t added up over groups of t equal ones."""

    pairs: Floats
    cubes: Floats

    @classmethod
    def of(cls, order: Order, moved: Floats) -> Ties:
        from scipy.sparse import csr_array

        cells = len(order.people)
        sizes = np.bincount(np.concatenate([order.x, order.y]))
        groups = np.cumsum(sizes > 1) - 1
        members = []
        for own in (order.x, order.y):
            tied = np.flatnonzero(sizes[own] > 1)
            places = (groups[own[tied]], tied)
            shape = (int((sizes > 1).sum()), cells)
            members.append(csr_array((np.ones(len(tied)), places), shape=shape))
        change = (members[1] - members[0]) @ moved
        pairs, cubes = np.zeros((2, 2, moved.shape[1]))
        for side, (own, sign) in enumerate(zip(members, (1, -1), strict=True)):
            counts = sign * change
            counts += own.sum(axis=1)[:, None]
            number, squared = counts.sum(axis=0), counts * counts
            pairs[side] = (squared.sum(axis=0) - number) / 2
            cubes[side] = sums(squared, counts) - number
        return cls(pairs, cubes)

    def divisors(self, order: Order, name: Coefficient) -> Floats:
        """D of X' and of Y'; 0 where there is none."""
        size = float(len(order.people))
        every = size * (size - 1) / 2
        if name == "tau_a":
            return np.full(self.pairs.shape, every)
        if name == "spearman":
            ranks = doubled_ranks(order.people)
            return np.sqrt((size**3 - size - self.cubes) / 3 * float((ranks**2).sum()))
        alike = np.bincount(order.people).astype(np.float64)
        by_people = every - float((alike * (alike - 1)).sum()) / 2
        return np.sqrt((every - self.pairs) * by_people)


def linear_part(order: Order, name: Coefficient) -> Linear:
    """What of B is linear, from sums over all cells k of f(z_i, z_k) sign(score_i - score_k)."""
    x, y, people = order
    if name == "spearman":
        ranks = doubled_ranks(people)
        own_x, x_by_y, y_by_x, own_y = (
            rank_sums(own, other, ranks) for own, other in ((x, x), (x, y), (y, x), (y, y))
        )
    else:
        own_x, x_by_y, y_by_x, own_y = (
            sign_sums(own, other, people) for own, other in ((x, x), (x, y), (y, x), (y, y))
        )
    start = np.array([own_x.sum(), own_y.sum()])
    return Linear(start, np.stack([y_by_x - own_x, x_by_y - own_y]))


def doubled_ranks(order: Ints) -> Ints:
    """How many are below each one, less how many are above.

    >>> doubled_ranks(np.array([0, 1, 1])).tolist()
    [-2, 1, 1]
    """
    counts = np.bincount(order)
    upto = np.cumsum(counts)
    found: Ints = (2 * upto - counts - len(order))[order]
    return found


def rank_sums(own: Ints, others: Ints, ranks: Ints) -> Floats:
    """For each i the sum over k of (ranks_i - ranks_k) sign(own_i - others_k).

    >>> rank_sums(np.array([0, 2]), np.array([1, 1]), np.array([-1, 1])).tolist()
    [2.0, 2.0]
    """
    places = np.argsort(others, kind="stable")
    below, upto = (np.searchsorted(others[places], own, side) for side in ("left", "right"))
    through = np.append(0, np.cumsum(ranks[places]))
    found = ranks * (below + upto - len(own)) - (through[below] + through[upto] - through[-1])
    return np.asarray(found, np.float64)


def sign_sums(own: Ints, others: Ints, people: Ints) -> Floats:
    """For each i the sum over k of sign(people_i - people_k) sign(own_i - others_k).

    >>> sign_sums(np.array([0, 2]), np.array([1, 1]), np.array([0, 1])).tolist()
    [1.0, 1.0]
    """
    size = len(own)
    places = np.argsort(others, kind="stable")
    below, upto = (np.searchsorted(others[places], own, side) for side in ("left", "right"))
    firsts = np.concatenate([below, upto, below, upto])
    limits = np.concatenate([people, people, people + 1, people + 1])
    lower = count_below(people[places], firsts, limits).reshape(2, 2, size)
    through = np.append(0, np.cumsum(np.bincount(people, minlength=1)))
    # Of those that people put lower, and of those they put higher: scores below less scores above.
    of_lower = lower[0].sum(axis=0) - through[people]
    of_higher = below + upto - size - (lower[1].sum(axis=0) - through[people + 1])
    return np.asarray(of_lower - of_higher, np.float64)


def count_below(values: Ints, firsts: Ints, limits: Ints) -> Ints:
    """How many of the ``firsts`` first values are below each of the limits.

    Values are sorted bit by bit, the highest first (a wavelet matrix), and every question follows
    the part in which the numbers are that have the first bits of its limit.

    >>> count_below(np.array([3, 0, 2]), np.array([1, 2, 3]), np.array([3, 3, 3])).tolist()
    [0, 1, 2]
    """
    begins, ends = np.zeros(len(firsts), np.int64), firsts
    found = np.zeros(len(firsts), np.int64)
    highest = max(values.max(initial=0), limits.max(initial=0))
    for bit in reversed(range(int(highest).bit_length())):
        is_one = values >> bit & 1
        ones = np.append(0, np.cumsum(is_one))
        wants_one = (limits >> bit & 1).astype(bool)
        before, upto = ones[begins], ones[ends]
        found += np.where(wants_one, (ends - upto) - (begins - before), 0)
        zeros = len(values) - ones[-1]
        begins = np.where(wants_one, zeros + before, begins - before)
        ends = np.where(wants_one, zeros + upto, ends - upto)
        values = values[np.argsort(is_one, kind="stable")]
    return found


def _of_pairs(order: Order, name: Coefficient, moved: Floats) -> Floats:
    """s M s for each way: pairs of swapped cells, some rows of M at a time, each pair once."""
    x, y, people = (_short(of) for of in order)
    ranks = doubled_ranks(order.people) if name == "spearman" else None
    apart = 1 if ranks is None else int(ranks.max() - ranks.min())
    # Sums of whole numbers that are small enough are exact in 32 bits.
    kind: Any = np.float32 if 8 * apart * len(people) < EXACT else np.float64
    drawn = moved.astype(kind)
    found = np.zeros(moved.shape[1])
    for start in range(0, len(people), ROWS):
        own, rest = slice(start, start + ROWS), slice(start, None)
        table: Any = _signs(x, x, own, rest) - _signs(x, y, own, rest)
        table += _signs(y, y, own, rest) - _signs(y, x, own, rest)
        by_people = _signs(people, people, own, rest)
        table = table.astype(kind) * (
            by_people if ranks is None else ranks[own, None] - ranks[rest]
        ).astype(kind)
        # Pairs within these rows are there twice.
        table[:, : len(table)] /= 2
        found += sums(table @ drawn[rest], moved[own])
    return 2 * found


def _short(order: Ints) -> NDArray[Any]:
    """In 16 bits, if differences fit: signs of them are found faster."""
    return order.astype(np.int16) if order.max(initial=0) < 1 << 14 else order


def _signs(ones: NDArray[Any], others: NDArray[Any], own: slice, rest: slice) -> NDArray[Any]:
    found: NDArray[Any] = np.sign(ones[own, None] - others[rest])
    return found
