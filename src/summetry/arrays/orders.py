"""Pairs and ranks of points by two orders, under many weights at once.

An order gives each point a whole number from 0, its place; equal points share one. A weight is how
often a point was drawn, a whole number, with one row per point and one column per resample. A pair
counts as often as both of its points together, w_i w_k, and copies of a point are tied.

The time is n log n for each resample: of all pairs those in opposite orders are counted while the
points come in the first order (Knight 1966), with a tree of sums by the second (``orders.c`` of the
kernel), or by one binary digit of it after the other in plain Python.
"""

from __future__ import annotations

import numpy as np

from summetry.arrays import kernel
from summetry.arrays.types import Bools, Floats, Ints


def count_pairs(first: Ints, second: Ints, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """For each resample the pairs ordered alike less those ordered oppositely; and the pairs that
    are untied in the first order, and in the second.

    >>> [int(n[0]) for n in count_pairs(np.array([0, 1, 2]), np.array([0, 1, 1]), np.ones((3, 1)))]
    [2, 3, 2]
    """
    # The tree is small, and ties are few, where the order with fewer places is the second one.
    if first.max(initial=0) < second.max(initial=0):
        balance, untied_second, untied_first = count_pairs(second, first, weights)
        return balance, untied_first, untied_second
    if weights.shape[1] == 1:
        return _count_one(first, second, weights[:, 0])
    height = int(second.max(initial=0)) + 1
    rows = np.argsort(first * height + second)
    places = second[rows]
    new_first = np.diff(first[rows], prepend=-1) > 0
    new_both = new_first | (np.diff(places, prepend=-1) != 0)
    if not kernel.is_compiled():
        return _count_plainly(new_first, new_both, places, weights[rows])
    size, columns = weights.shape
    counts = np.empty((columns, 3), np.int64)
    starts = new_first.astype(np.uint8) + 2 * new_both.astype(np.uint8)
    at = np.empty(size, np.int64)
    at[rows] = np.arange(size)
    has_ties = int(not new_first.all())
    weights = np.ascontiguousarray(weights, np.float64)
    kernel.call("count_pairs", at, places, starts, size, height, has_ties, weights, columns, counts)
    balance, untied_first, untied_second = counts.T.astype(np.float64)
    return balance, untied_first, untied_second


def _count_one(first: Ints, second: Ints, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """The same for one resample, of which a tree for many is too large."""
    rows = np.argsort(first)
    times = weights[rows].astype(np.int64)
    balance = int((times * earlier_signs(first[rows], second[rows][None], times)[0]).sum())
    every = int(times.sum()) ** 2
    in_first, in_second = ((np.bincount(order, weights) ** 2).sum() for order in (first, second))
    counts = np.array([[balance], [(every - in_first) / 2], [(every - in_second) / 2]], np.float64)
    return counts[0], counts[1], counts[2]


def _count_plainly(
    new_first: Bools, new_both: Bools, places: Ints, weights: Floats
) -> tuple[Floats, Floats, Floats]:
    """The same in plain Python; points come in the first order, equal ones in the second."""
    total = weights.sum(axis=0)
    by_place = np.argsort(places)
    new_second = np.diff(places[by_place], prepend=-1) > 0
    # Squares: each point is paired with itself, and every pair is there twice.
    in_first, in_both = (_squares(weights, new) for new in (new_first, new_both))
    in_second = _squares(weights[by_place], new_second)
    opposite = np.zeros(weights.shape[1])
    for digit in range(int(places.max(initial=0)).bit_length()):
        # Pairs whose places have the same digits but for this one and those below it.
        order = np.argsort(places >> (digit + 1), kind="stable")
        alike, is_high = places[order] >> (digit + 1), (places[order] >> digit & 1)[:, None]
        drawn = weights[order]
        high = np.cumsum(drawn * is_high, axis=0)
        starts = np.searchsorted(alike, alike)
        before = np.vstack([np.zeros((1, len(total))), high])[starts]
        opposite += (drawn * (1 - is_high) * (high - before)).sum(axis=0)
    every = total * total
    balance = (every - in_first - in_second + in_both) / 2 - 2 * opposite
    return balance, (every - in_first) / 2, (every - in_second) / 2


def _squares(weights: Floats, is_new: Bools) -> Floats:
    """The sum of the squared weights of groups of neighbours."""
    if not len(weights):
        return np.zeros(weights.shape[1])
    groups = np.add.reduceat(weights, np.flatnonzero(is_new), axis=0)
    squares: Floats = (groups * groups).sum(axis=0)
    return squares


def sum_ranks(first: Ints, second: Ints, weights: Floats) -> Floats:
    """For each resample, the sums of a b, a^2 and b^2: 3 x resamples.

    a and b are twice the mid-rank of a drawn point by each order, less n + 1.

    >>> sum_ranks(np.array([0, 1, 2]), np.array([0, 1, 1]), np.ones((3, 1))).tolist()
    [[6.0], [8.0], [6.0]]
    """
    sums = np.zeros((3, weights.shape[1]))
    if not len(first):
        return sums
    if not kernel.is_compiled():
        a, b = (doubled_ranks(order, weights) for order in (first, second))
        for k, products in enumerate((weights * a * b, weights * a * a, weights * b * b)):
            # In the order of the points, as the kernel adds.
            sums[k] = np.cumsum(products, axis=0)[-1]
        return sums
    sizes = len(first), int(first.max()) + 1, int(second.max()) + 1
    weights = np.ascontiguousarray(weights, np.float64)
    first, second = np.ascontiguousarray(first), np.ascontiguousarray(second)
    kernel.call("sum_ranks", first, second, *sizes, weights, weights.shape[1], sums)
    return sums


def doubled_ranks(order: Ints, weights: Floats) -> Floats:
    """Twice each point's mid-rank among the drawn ones, minus n + 1: a whole number.

    It is the weight of all that are below the point minus the weight of all that are above it.

    >>> doubled_ranks(np.array([0, 1, 1]), np.ones((3, 1)))[:, 0].tolist()
    [-2.0, 1.0, 1.0]
    """
    upto = np.vstack(
        [np.zeros((1, weights.shape[1])), np.cumsum(weights[np.argsort(order)], axis=0)]
    )
    ends = np.cumsum(np.bincount(order, minlength=1))
    ranks: Floats = (upto[ends] + upto[np.append(0, ends[:-1])] - upto[-1])[order]
    return ranks


def point_balances(first: Ints, second: Ints) -> Ints:
    """For each point the pairs with others that are ordered alike, less those ordered oppositely.

    >>> point_balances(np.array([0, 1, 2]), np.array([0, 2, 1])).tolist()
    [2, 0, 0]
    """
    rows = np.argsort(first)
    earlier = np.empty(len(first), np.int64)
    earlier[rows] = earlier_signs(first[rows], second[rows][None])[0]
    once = np.ones((len(first), 1))
    # Of all signs in the second order, those of points that are equal in the first one.
    both = np.unique(first * (int(second.max(initial=0)) + 1) + second, return_inverse=True)[1]
    in_first, in_second, in_both = (doubled_ranks(o, once)[:, 0] for o in (first, second, both))
    balances: Ints = 2 * earlier + (in_both - in_first - in_second).astype(np.int64)
    return balances


def earlier_signs(first: Ints, lists: Ints, times: Ints | None = None) -> Ints:
    """For each point of lists (rows): how many points before it by the first order are below it in
    the list, less those above it; a point without a place in the list has -1 there, and 0 here.

    ``first`` ascends, and a point counts ``times``. The sum of a row is the balance of its pairs.

    >>> earlier_signs(np.array([0, 1, 2]), np.array([[0, 2, 1], [1, -1, 0]])).tolist()
    [[0, 1, 0], [0, 0, -1]]
    """
    many, points = lists.shape
    times = np.ones(points, np.int64) if times is None else times
    if not kernel.is_compiled():
        rows = [_earlier_plainly(first, row, times) for row in lists]
        return np.array(rows, np.int64).reshape(many, points)
    starts = (np.diff(first, prepend=-1) > 0).astype(np.uint8)
    signs = np.empty((many, points), np.int64)
    lists = np.ascontiguousarray(lists)
    height = int(lists.max(initial=0)) + 1
    kernel.call("earlier_signs", starts, times, lists, many, points, height, signs)
    return signs


def _earlier_plainly(first: Ints, second: Ints, times: Ints) -> Ints:
    signs = np.zeros(len(first), np.int64)
    present = np.flatnonzero(second >= 0)
    for sign in (1, -1):
        # Points below are counted where equal ones descend, and those above where they ascend:
        # then no point counts one that is equal by the first order.
        rows = present[np.lexsort((-sign * second[present], first[present]))]
        places = second[rows]
        for digit in range(int(places.max(initial=0)).bit_length()):
            order = np.argsort(places >> (digit + 1), kind="stable")
            alike, is_high = places[order] >> (digit + 1), places[order] >> digit & 1 > 0
            counted = ~is_high if sign == 1 else is_high
            upto = np.concatenate([[0], np.cumsum(counted * times[rows[order]])])
            before = upto[:-1] - upto[np.searchsorted(alike, alike)]
            signs[rows[order]] += sign * np.where(counted, 0, before)
    return signs
