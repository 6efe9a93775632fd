"""Coefficients of two metrics with people, input by input, after their scores changed places.

With s = 1 for a cell that has changed places and 0 for the others, and X', Y' the metrics after it,
what a way to swap changes is cheap to count:

    Pearson    sums of X', X' z and X'^2 are linear in s, and those of Y' are what is left
    Kendall,   sums over pairs of f(z) sign(X'_i - X'_k) are, for tables A, B, C of the signs
    Spearman   between scores of X, of X and Y, and of Y, each by f(z),
               (1 - s)A(1 - s) + 2 (1 - s)B s + s C s

Their part s M s with M = A - B - B' + C is the same for X' and Y'. It is counted only where the
two are divided by different numbers, and for that there must be ties.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from summetry.arrays.types import Bools, Floats, Ints
from summetry.stats.concordance import SAME
from summetry.stats.weighted import NEAR, Coefficient, pearson_of


class SwappedColumns:
    """Scores of some inputs (rows here) by two metrics and people, and what is swapped of them.

    The first axis of all arrays is the input; missing cells are missing from all three.
    """

    def __init__(self, x: Floats, y: Floats, z: Floats, moved: Floats) -> None:
        self.x, self.y, self.z, self.moved = x, y, z, moved
        self.present = ~np.isnan(z)
        self.size = self.present.sum(axis=1)[:, None]

    def coefficients(self, name: Coefficient) -> tuple[Floats, Floats]:
        """Of X' and Y' for each way; if they are divided alike, only their difference is right."""
        found = self._pearson() if name == "pearson" else self._of_pairs(name)
        undefined = self.size[:, 0] < 2
        if name != "tau_a":
            undefined |= ~np.where(self.present, self.people, 0).any(axis=1)
        for values in found:
            values[undefined] = np.nan
        return found

    @cached_property
    def people(self) -> Ints:
        """The places of people's scores in their order."""
        return _codes_of_rows(self.z)

    @cached_property
    def human(self) -> Floats:
        """Signs of all pairs by people."""
        found: Floats = signs_of(self.people) * self.both
        return found

    @cached_property
    def both(self) -> Bools:
        """Pairs of cells that are there."""
        found: Bools = self.present[:, :, None] & self.present[:, None]
        return found

    @cached_property
    def order(self) -> Ints:
        """The places of all scores of both metrics in one order."""
        return _codes_of_rows(np.concatenate([self.x, self.y], axis=1))

    @cached_property
    def signs(self) -> tuple[Floats, Floats, Floats]:
        """Signs of pairs of scores: of X, of one of X and one of Y, and of Y."""
        x, y = np.split(self.order, 2, axis=1)
        return signs_of(x), signs_of(x, y), signs_of(y)

    def _pearson(self) -> tuple[Floats, Floats]:
        present, size = self.present, np.maximum(self.size, 1)
        x, y, z = (np.where(present, table, 0.0) for table in (self.x, self.y, self.z))
        middle = (x + y).sum(axis=1, keepdims=True) / (2 * size)
        people = z
        for _ in range(2):
            # The mean of large numbers is not quite in their middle; the second one is.
            people = np.where(present, people - people.sum(axis=1, keepdims=True) / size, 0.0)
        sums = []
        for side in (x, y):
            centred = np.where(present, side - middle, 0.0)
            sums.append(np.stack([centred * people, centred, centred * centred], axis=1))
        change = (sums[1] - sums[0]) @ self.moved
        squared = (people * people).sum(axis=1, keepdims=True)
        noise = (SAME * np.maximum(np.abs(x), np.abs(y)).max(axis=1, initial=0.0)) ** 2
        found = []
        for own, sign, here, there in ((sums[0], 1, x, y), (sums[1], -1, y, x)):
            total = own.sum(axis=2)[:, :, None] + sign * change
            spread = total[:, 2] - total[:, 1] ** 2 / size
            values = divided(total[:, 0], np.sqrt(np.maximum(spread, 0.0) * squared))
            # Of scores near each other, sums of squares have too few digits.
            again = ~(spread > np.maximum(NEAR * total[:, 2], size * noise[:, None]))
            for j in np.flatnonzero(again.any(axis=1)):
                kept, ways = present[j], np.flatnonzero(again[j])
                away = self.moved[j][kept][:, ways]
                points = here[j, kept, None] + away * (there - here)[j, kept, None]
                values[j, ways] = pearson_of(points, z[j, kept, None], np.ones(points.shape))
            found.append(np.clip(values, -1.0, 1.0))
        return found[0], found[1]

    def _of_pairs(self, name: Coefficient) -> tuple[Floats, Floats]:
        size, weight, moved = self.size, self.human, self.moved
        pairs, cubes = self.ties
        if name == "spearman":
            # A pair counts as much as the ranks that people give it are apart.
            ranks = self.human.sum(axis=2)
            weight = (ranks[:, :, None] - ranks[:, None]) * self.both
            untied = (size**3 - size - cubes) / 3 * (ranks**2).sum(axis=1)[:, None]
        elif name == "tau_b":
            by_people = np.abs(self.human).sum(axis=(1, 2))[:, None] / 2
            untied = (size * (size - 1) / 2 - pairs) * by_people
        else:
            untied = np.broadcast_to((size * (size - 1) / 2) ** 2, pairs.shape)
        a, b, c = (weight * table for table in self.signs)
        change = np.stack([b.sum(axis=1) - a.sum(axis=2), b.sum(axis=2) - c.sum(axis=2)], axis=1)
        start = np.stack([a.sum(axis=(1, 2)), c.sum(axis=(1, 2))], axis=1)
        sums = start[:, :, None] + 2 * (change @ moved)
        below = np.sqrt(untied)
        differ = (below[0] != below[1]).any(axis=1)
        if differ.any():
            middle = (a - b - np.swapaxes(b, 1, 2) + c)[differ]
            shared = np.einsum("jiw,jiw->jw", middle @ moved[differ], moved[differ])
            sums[differ] += shared[:, None]
        return divided(sums[:, 0] / 2, below[0]), divided(sums[:, 1] / 2, below[1])

    @cached_property
    def ties(self) -> tuple[Floats, Floats]:
        """Of X' and of Y': pairs of equal scores, and t^3 - t added up over groups of t of them."""
        (inputs, systems, ways), twice = self.moved.shape, np.tile(self.present, 2)
        pairs, cubes = np.zeros((2, inputs, ways)), np.zeros((2, inputs, ways))
        distinct = np.where(twice, self.order, -1).max(axis=1, initial=-1) + 1
        for j in np.flatnonzero(distinct < 2 * self.size[:, 0]):
            order = np.where(twice[j], self.order[j], distinct[j])
            groups = np.flatnonzero(np.bincount(order)[: distinct[j]] > 1)
            members = (order == groups[:, None]).astype(np.float64)
            of_x, of_y = members[:, :systems], members[:, systems:]
            change = (of_y - of_x) @ self.moved[j]
            for side, (own, sign) in enumerate(((of_x, 1), (of_y, -1))):
                counts = own.sum(axis=1)[:, None] + sign * change
                tied = counts * (counts - 1)
                pairs[side, j] = tied.sum(axis=0) / 2
                # t^3 - t = t (t - 1)(t + 1), since powers are slow.
                cubes[side, j] = (tied * (counts + 1)).sum(axis=0)
        return pairs, cubes


def _codes_of_rows(table: Floats) -> Ints:
    """``codes`` of every row; what is missing has the last one of its row."""
    places = np.argsort(table, axis=1, kind="stable")
    ascending = np.take_along_axis(table, places, axis=1)
    largest = np.where(np.isnan(table), 0.0, np.abs(table)).max(axis=1, initial=0.0)
    steps = np.diff(ascending, axis=1) > SAME * largest[:, None]
    found = np.zeros(table.shape, np.int64)
    np.put_along_axis(found, places[:, 1:], np.cumsum(steps, axis=1), axis=1)
    return found


def signs_of(order: Ints, others: Ints | None = None) -> Floats:
    """Of all pairs of places in the last axis, or of these and ``others``: 1, 0 or -1."""
    right = order if others is None else others
    found: Floats = np.sign(order[..., :, None] - right[..., None, :]).astype(np.float64)
    return found


def divided(above: Floats, below: Floats) -> Floats:
    found: Floats = np.divide(above, below, out=np.full(below.shape, np.nan), where=below > 0)
    return found
