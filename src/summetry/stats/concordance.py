"""Order, ranks and pairs of lists, under many weights at once.

A weight is how often a point was drawn, a whole number, with one row per point and one column per
resample; a pair counts as often as both of its points together, w_i w_k. Counts are exact.

Numbers of a list that differ by less than 1e-12 of its largest are the same. What a point of weight
0 holds does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from summetry.arrays.types import Floats, Ints

# Numbers that differ by no more than this share of the largest one are the same.
SAME = 1e-12
# Of so many points one table of all pairs is fastest; of more it is made, so many rows at a time.
ROWS = 256


class Pairs(NamedTuple):
    """For each resample: ordered alike minus ordered oppositely; untied in x, in z; all pairs."""

    balance: Floats
    untied_x: Floats
    untied_z: Floats
    all: Floats


def noise_of(x: Floats) -> Floats:
    """How far apart numbers of a list (the last axis) may be and still be the same."""
    sizes = np.where(np.isfinite(x), np.abs(x), 0.0)
    noise: Floats = SAME * sizes.max(axis=-1, keepdims=True, initial=0.0)
    return noise


def codes(x: Floats, noise: Floats | None = None) -> Ints:
    """The order of each list (the last axis) as whole numbers from 0; equal numbers share one.

    NaN has the last number of its list; an infinite number is the same as nothing but itself.

    >>> codes(np.array([0.3, 7.0, 0.1 + 0.2])).tolist()
    [0, 1, 0]
    """
    places = np.argsort(x, axis=-1, kind="stable")
    # One list is so short that the more general function would take most of the time.
    ascending = x[places] if x.ndim == 1 else np.take_along_axis(x, places, axis=-1)
    with np.errstate(invalid="ignore"):
        gaps = ascending[..., 1:] - ascending[..., :-1]
    steps = np.cumsum(gaps > (noise_of(x) if noise is None else noise), axis=-1)
    order = np.zeros(x.shape, np.int64)
    if x.ndim == 1:
        order[places[1:]] = steps
    else:
        np.put_along_axis(order, places[..., 1:], steps, axis=-1)
    return order


def signs(order: Ints, others: Ints | None = None) -> Floats:
    """1, 0 or -1 for all pairs of places in the last axis, or of these places and ``others``."""
    right = order if others is None else others
    table: Floats = np.sign(order[..., :, None] - right[..., None, :]).astype(np.float64)
    return table


def doubled_ranks(order: Ints, weights: Floats) -> Floats:
    """Twice each point's mid-rank among the drawn ones, minus n + 1: a whole number.

    It is the weight of all that are below the point minus the weight of all that are above it.

    >>> doubled_ranks(np.array([0, 1, 1]), np.ones((3, 1)))[:, 0].tolist()
    [-2.0, 1.0, 1.0]
    """
    if len(order) <= ROWS:
        return signs(order) @ weights
    upto = _drawn_upto(order, weights)
    before = np.vstack([np.zeros((1, weights.shape[1])), upto[:-1]])
    ranks: Floats = (upto + before - upto[-1])[order]
    return ranks


def _drawn_upto(order: Ints, weights: Floats) -> Floats:
    """For each group of equal numbers, the weight of all points up to its end."""
    places = np.argsort(order, kind="stable")
    return np.cumsum(weights[places], axis=0)[np.cumsum(np.bincount(order)) - 1]


def pairs_fixed(x: Floats, z: Floats, weights: Floats) -> Pairs:
    """Counts of pairs of the same points under many weights.

    A table of all pairs of many points is made some rows at a time, each pair once, in 32 bits,
    where sums of so small whole numbers are exact. Of few points there is one table, and tied
    pairs are counted by it too, which takes half the time.
    """
    a, b = codes(x), codes(z)
    all_pairs = _all_pairs(weights)
    if len(a) <= ROWS:
        s_x, s_z = signs(a), signs(b)
        balance, untied_x, untied_z = (
            sums(table @ weights, weights) / 2 for table in (s_x * s_z, np.abs(s_x), np.abs(s_z))
        )
        return Pairs(balance, untied_x, untied_z, all_pairs)
    untied_x, untied_z = (all_pairs - tied_pairs(order, weights) for order in (a, b))
    return Pairs(balance_and_rows(a, b, weights)[0], untied_x, untied_z, all_pairs)


def balance_and_rows(a: Ints, b: Ints, weights: Floats) -> tuple[Floats, Floats]:
    """The balance of pairs by two orders in each resample; and of each point with all others."""
    # Signs of differences are found faster in 16 bits, which hold the order of most lists.
    kind: Any = np.int16 if len(a) < 1 << 15 else np.int64
    a, b = a.astype(kind), b.astype(kind)
    drawn = weights.astype(np.float32)
    balance, points = np.zeros(weights.shape[1]), np.zeros(len(a))
    for start in range(0, len(a), ROWS):
        rows = slice(start, start + ROWS)
        s_x, s_z = (np.sign(order[rows, None] - order[start:]) for order in (a, b))
        table = (s_x * s_z).astype(np.float32)
        # Pairs within these rows are there twice.
        table[:, : len(table)] /= 2
        points[rows] += table.sum(axis=1, dtype=np.float64)
        points[start:] += table.sum(axis=0, dtype=np.float64)
        balance += sums(table @ drawn[start:], weights[rows])
    return balance, points


def tied_pairs(order: Ints, weights: Floats) -> Floats:
    """For each resample, the pairs of equal numbers."""
    # Where all are different, a point is tied with itself only.
    drawn = weights
    if order.max(initial=-1) + 1 < len(order):
        drawn = np.diff(_drawn_upto(order, weights), axis=0, prepend=0.0)
    tied: Floats = (sums(drawn, drawn) - drawn.sum(axis=0)) / 2
    return tied


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
    noise = [SAME * np.abs(values).max(axis=0, initial=0.0) for values in numbers]
    for i in range(len(weights)):
        a, b = (values[i] - values for values in numbers)
        yield np.sign(a) * (np.abs(a) > noise[0]), np.sign(b) * (np.abs(b) > noise[1])


def sums(a: Floats, b: Floats) -> Floats:
    """The sum of products of each column."""
    products: Floats = np.einsum("ij,ij->j", a, b)
    return products


def divided(above: Floats, below: Floats | Ints) -> Floats:
    """Quotients; NaN where there is nothing to divide by."""
    # To divide only where that is defined takes several times as long as to divide everywhere.
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        quotients: Floats = np.asarray(above / below, np.float64)
    undefined = ~(below > 0)
    if undefined.any():
        quotients[undefined] = np.nan
    return quotients


def _all_pairs(weights: Floats) -> Floats:
    total = weights.sum(axis=0)
    pairs: Floats = total * (total - 1) / 2
    return pairs
