"""Orders of lists, and their pairs under many weights at once.

A weight is how often a point was drawn, a whole number, with one row per point and one column per
resample; a pair counts as often as both of its points together, w_i w_k. Counts are exact.

Numbers of a list that differ by less than 1e-12 of its largest are the same. What a point of weight
0 holds does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from summetry.arrays.orders import count_pairs
from summetry.arrays.types import Floats, Ints

# Numbers that differ by no more than this share of the largest one are the same.
SAME = 1e-12


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
    # Equal numbers share a code, in whatever order they are.
    places = np.argsort(x, axis=-1)
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


def pairs_fixed(x: Floats, z: Floats, weights: Floats) -> Pairs:
    """Counts of pairs of the same points under many weights."""
    return Pairs(*count_pairs(codes(x), codes(z), weights), _all_pairs(weights))


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


def divided(above: Floats | Ints, below: Floats | Ints) -> Floats:
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
