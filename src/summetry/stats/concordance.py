"""Pairs of points that two lists order alike, under many weights at once.

A weight is how often a point was drawn, a whole number, with a row for each point and a column for
each resample; a pair counts as often as both of its points together, w_i w_k. Counts are exact.

Numbers of a list that differ by less than 1e-12 of its largest are the same. What a point of weight
0 holds does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from summetry.arrays.types import Floats, Ints

SAME = 1e-12
# Up to so many points a table of all pairs is made, beyond that some of its rows at a time. Of
# more than the last number, or for few resamples, sorting is better.
MANY, MOST, FEW = 300, 16_000, 16
# Rows of a table of pairs that are made at a time.
ROWS = 256
# Whole numbers below this are exact in 32 bits.
EXACT = 1 << 24


class Pairs(NamedTuple):
    """For each resample: ordered alike less ordered oppositely; untied in x, in z; all pairs."""

    balance: Floats
    untied_x: Floats
    untied_z: Floats
    all: Floats


def codes(x: Floats) -> Ints:
    """The order of a list as whole numbers from 0; numbers that are the same share one.

    >>> codes(np.array([0.3, 7.0, 0.1 + 0.2])).tolist()
    [0, 1, 0]
    """
    order = np.argsort(x, kind="stable")
    ascending = x[order]
    steps = np.diff(ascending) > SAME * np.abs(x).max(initial=0.0)
    found = np.zeros(len(x), np.int64)
    found[order[1:]] = np.cumsum(steps)
    return found


def pairs_fixed(x: Floats, z: Floats, weights: Floats) -> Pairs:
    """Counts of pairs of the same points under many weights."""
    a, b = codes(x), codes(z)
    if len(a) <= MANY:
        return _by_table(a, b, weights)
    is_worth_it = len(a) <= MOST and weights.shape[1] >= FEW
    if is_worth_it and weights.sum(axis=0).max() < EXACT:
        return _by_rows(a, b, weights)
    return _by_sorting(a, b, weights)


def _by_table(a: Ints, b: Ints, weights: Floats) -> Pairs:
    s_x, s_z = signs(a), signs(b)
    balance, untied_x, untied_z = (
        sums(table @ weights, weights) / 2 for table in (s_x * s_z, np.abs(s_x), np.abs(s_z))
    )
    return Pairs(balance, untied_x, untied_z, _all_pairs(weights))


def _by_rows(a: Ints, b: Ints, weights: Floats) -> Pairs:
    """Pairs from some rows of the table at a time, each pair once, in numbers of 32 bits."""
    every = _all_pairs(weights)
    untied_x, untied_z = (every - _tied_pairs(order, weights) for order in (a, b))
    short_a, short_b = a.astype(np.int16), b.astype(np.int16)
    drawn = weights.astype(np.float32)
    balance = np.zeros(weights.shape[1])
    for start in range(0, len(a), ROWS):
        own = slice(start, start + ROWS)
        s_x, s_z = (np.sign(order[own, None] - order[start:]) for order in (short_a, short_b))
        table = (s_x * s_z).astype(np.float32)
        # Pairs within these rows are there twice.
        table[:, : len(table)] /= 2
        balance += sums(table @ drawn[start:], weights[own])
    return Pairs(balance, untied_x, untied_z, every)


def _by_sorting(a: Ints, b: Ints, weights: Floats) -> Pairs:
    """Pairs from the weights of groups of ties, and inversions by merging halves upwards."""
    every = _all_pairs(weights)
    untied_x, untied_z, untied_both = (
        every - _tied_pairs(order, weights) for order in (a, b, a * (b.max() + 1) + b)
    )
    # Of equal a the smaller b comes first, so that no pair tied in x is an inversion.
    sequence = np.lexsort((b, a))
    opposite = _inversions(b[sequence], weights[sequence])
    alike = untied_x + untied_z - untied_both - opposite
    return Pairs(alike - opposite, untied_x, untied_z, every)


def _inversions(b: Ints, weights: Floats) -> Floats:
    """The weight of the pairs whose earlier point has the larger number."""
    place = np.arange(len(b))
    found = np.zeros(weights.shape[1])
    for shift in range(len(b).bit_length()):
        block = place >> shift + 1
        order = np.lexsort((b, block))
        late = (order >> shift & 1).astype(bool)
        drawn = weights[order]
        early = np.cumsum(np.where(late[:, None], 0.0, drawn), axis=0)
        ends = np.searchsorted(block, block[order[late]], side="right") - 1
        found += (drawn[late] * (early[ends] - early[late])).sum(axis=0)
    return found


def _tied_pairs(order: Ints, weights: Floats) -> Floats:
    _, groups = np.unique(order, return_inverse=True)
    places = np.argsort(groups, kind="stable")
    starts = np.cumsum(np.bincount(groups)) - np.bincount(groups)
    # Where all are different, a point is tied with itself only.
    drawn = weights
    if len(starts) < len(places):
        drawn = np.add.reduceat(weights[places], starts, axis=0)
    found: Floats = (sums(drawn, drawn) - drawn.sum(axis=0)) / 2
    return found


def pairs_moving(x: Floats, z: Floats, weights: Floats) -> Pairs:
    """Counts of pairs of points that are others in each resample."""
    balance, untied_x, untied_z = np.zeros((3, weights.shape[1]))
    for weight, (s_x, s_z) in zip(weights, signs_by_row(x, z, weights), strict=True):
        balance += weight * (weights * s_x * s_z).sum(axis=0)
        untied_x += weight * (weights * np.abs(s_x)).sum(axis=0)
        untied_z += weight * (weights * np.abs(s_z)).sum(axis=0)
    return Pairs(balance / 2, untied_x / 2, untied_z / 2, _all_pairs(weights))


def signs_by_row(x: Floats, z: Floats, weights: Floats) -> Iterator[tuple[Floats, Floats]]:
    """For each point, whether it is above (1), below (-1) or the same as each other point."""
    numbers = [np.where(weights > 0, values, 0.0) for values in (x, z)]
    sizes = [SAME * np.abs(values).max(axis=0, initial=0.0) for values in numbers]
    for i in range(len(weights)):
        a, b = (values[i] - values for values in numbers)
        yield np.sign(a) * (np.abs(a) > sizes[0]), np.sign(b) * (np.abs(b) > sizes[1])


def signs(order: Ints) -> Floats:
    """1, 0 or -1 for all pairs of places."""
    found: Floats = np.sign(order[:, None] - order).astype(np.float64)
    return found


def sums(a: Floats, b: Floats) -> Floats:
    """The sum of products of each column."""
    found: Floats = np.einsum("ij,ij->j", a, b)
    return found


def _all_pairs(weights: Floats) -> Floats:
    total = weights.sum(axis=0)
    found: Floats = total * (total - 1) / 2
    return found
