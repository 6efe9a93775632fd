"""Coefficients of two metrics X and Y with people Z after scores of X and Y changed places.

With s = 1 for a cell that has changed places and 0 for the others, and X', Y' the metrics after it,
what a permutation changes within one topic is cheap to count:

    Pearson    sums of X', X' z and X'^2 are linear in s, and those of Y' are what is left
    Kendall,   sums over pairs of f(z) sign(X'_i - X'_k) are, for tables A, B, C of the signs
    Spearman   between scores of X, of X and Y, and of Y, each times f(z),
               (1 - s)A(1 - s) + 2 (1 - s)B s + s C s

Their part s M s with M = A - B - B' + C is the same for X' and Y'. It is counted only where the
two are divided by different numbers, and for that there must be ties.

At the global level all cells make one long column, whose table of pairs would be too large. There
sums over the pairs of each point are enough, and where there are ties the coefficient of X', whose
points are the scores of both metrics with weights.

Many pairs of metrics (``deltas_of_pairs``) share what is the same for all of them: what changes
places, and for Pearson one product of matrices per topic.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from summetry.arrays.orders import count_pairs, doubled_ranks, point_balances, sum_ranks
from summetry.arrays.types import Bools, Floats, Ints
from summetry.stats.concordance import SAME, codes, divided, signs
from summetry.stats.levels import Level, column_means, without_noise
from summetry.stats.weighted import FIXED, NEAR, Coefficient, pearson_of

# Systems x topics x permutations, 1 where a cell has changed places; a side may be 1, for all.
Switched = NDArray[Any]

# Numbers of one array at a time: where each becomes four weights, of few topics that are used again
# and again, so that they stay in the cache, and of points or sums of a topic.
WEIGHTS, BLOCK, POINTS = 1 << 20, 1 << 18, 1 << 18
# Of columns with more cells, a table of all pairs of cells takes too much memory.
LONGEST = 3000


def deltas(
    x: Floats, y: Floats, z: Floats, level: Level, coefficient: Coefficient, switched: Switched
) -> Floats:
    """r(X', Z) - r(Y', Z) of each permutation, NaN where one of them is undefined.

    The tables have the same missing cells.
    """
    if level == "per_system":
        return deltas(x.T, y.T, z.T, "summary", coefficient, np.swapaxes(switched, 0, 1))
    if level == "summary" and len(z) <= LONGEST:
        return _of_columns(x, y, z, coefficient, switched)
    if level in ("system", "global"):
        one_pair = np.array([[0, 1, 0]])
        both = np.array([x, y])
        return np.asarray(deltas_of_pairs(both, z[None], one_pair, level, coefficient, switched)[0])
    return _by_weights(x, y, z, coefficient, switched)


def deltas_of_pairs(
    tables: Floats,
    people: Floats,
    pairs: Ints,
    level: Level,
    coefficient: Coefficient,
    switched: Switched,
) -> Floats:
    """Pairs x permutations: r(X', Z) - r(Y', Z), NaN where one of them is undefined.

    A row of ``pairs`` has the places of X and Y among the tables, and that of Z among people. All
    have the same missing cells.
    """
    if level == "per_system":
        turned = np.swapaxes(tables, 1, 2), np.swapaxes(people, 1, 2)
        moved = np.swapaxes(switched, 0, 1)
        return deltas_of_pairs(*turned, pairs, "summary", coefficient, moved)
    if level == "system":
        return _of_means(tables, people, pairs, coefficient, switched)
    if level == "summary" and coefficient == "pearson":
        return _pearson_of_columns(tables, people, pairs, switched)
    if level == "global":
        whole = np.broadcast_to(switched, (*people[0].shape, switched.shape[-1]))
        switched = whole.reshape(-1, 1, whole.shape[-1])
        tables, people = (each.reshape(len(each), -1, 1) for each in (tables, people))
        if coefficient == "pearson":
            return _pearson_of_columns(tables, people, pairs, switched)
        present = ~np.isnan(people[0, :, 0])
        lists, marks = tables[:, present, 0], people[:, present, 0]
        moved = switched[present, 0]
        return np.array(
            [
                _of_long_column(lists[i], lists[k], marks[who], coefficient, moved)
                for i, k, who in pairs
            ]
        )
    return np.array(
        [
            deltas(tables[i], tables[k], people[who], level, coefficient, switched)
            for i, k, who in pairs
        ]
    )


def _of_long_column(
    x: Floats, y: Floats, z: Floats, coefficient: Coefficient, moved: Switched
) -> Floats:
    """By sums over the pairs of each point, since tables of all pairs would be too large.

    A point that changes places moves what X' is ahead of Y' by its sum in Y minus that in X.
    """
    size, number = moved.shape
    order, people = codes(np.concatenate([x, y])), codes(z)
    marks = doubled_ranks(people, np.ones((size, 1)))[:, 0]
    is_spearman = coefficient == "spearman"
    own, human = (marks, marks @ marks) if is_spearman else (people, _untied_pairs(people))

    def sums_of(places: Ints, own: Any) -> Floats:
        if not is_spearman:
            return point_balances(places, own).astype(np.float64)
        once, weighted = doubled_ranks(places, np.stack([np.ones(len(own)), own], axis=1)).T
        return np.asarray(own * once - weighted)

    of_x, of_y = np.split(sums_of(order, np.tile(own, 2)), 2)
    ahead = float(sums_of(order[:size], own).sum() - sums_of(order[size:], own).sum()) / 2
    tied = _tied_scores(order) if coefficient != "tau_a" else None
    untied = (size**3 - size) / 3 if is_spearman else size * (size - 1) / 2
    values = np.empty(number)
    step = max(WEIGHTS // max(size, 1), 16)
    for start in range(0, number, step):
        part = slice(start, start + step)
        s = moved[:, part].astype(np.float64)
        difference = ahead + (of_y - of_x) @ s
        if tied is None:
            whole = human if coefficient == "tau_b" or is_spearman else untied
            values[part] = divided(difference, np.full(len(difference), math.sqrt(untied * whole)))
            continue
        drawn, twice = np.concatenate([1.0 - s, s]), np.tile(people, 2)
        counted = (sum_ranks if is_spearman else count_pairs)(order, twice, drawn)[0]
        sides = []
        for above, weights in ((counted, drawn), (counted - difference, 1.0 - drawn)):
            t = np.add.reduceat(weights[tied.places], tied.starts, axis=0)
            less = (t**3 - t).sum(axis=0) / 3 if is_spearman else (t * (t - 1)).sum(axis=0) / 2
            sides.append(divided(above, np.sqrt((untied - less) * human)))
        values[part] = sides[0] - sides[1]
    return values


class _TiedScores(NamedTuple):
    """Which scores equal others, group by group, and where each group begins among them."""

    places: Ints
    starts: Ints


def _tied_scores(order: Ints) -> _TiedScores | None:
    """None where all scores are different."""
    places = np.argsort(order)
    places = places[np.bincount(order)[order[places]] > 1]
    starts = np.flatnonzero(np.diff(order[places], prepend=-1))
    return _TiedScores(places, starts) if len(places) else None


def _untied_pairs(order: Ints) -> float:
    groups = np.bincount(order)
    return float((len(order) ** 2 - (groups * groups).sum()) / 2)


def _by_weights(
    x: Floats, y: Floats, z: Floats, coefficient: Coefficient, switched: Switched
) -> Floats:
    """Each column by itself, some permutations at a time."""
    step = max(WEIGHTS // max(z.size, 1), 16)
    starts = range(0, switched.shape[-1], step)
    parts = [_weighted(x, y, z, coefficient, switched[..., at : at + step]) for at in starts]
    return np.concatenate(parts)


def _weighted(
    x: Floats, y: Floats, z: Floats, coefficient: Coefficient, switched: Switched
) -> Floats:
    """By the scores of both metrics, and who has them in each permutation."""
    number = switched.shape[-1]
    whole = np.broadcast_to(switched, (*z.shape, number))
    values = np.empty((z.shape[1], 2 * number))
    for j in range(z.shape[1]):
        present = ~np.isnan(z[:, j])
        scores, human = np.concatenate([x[present, j], y[present, j]]), z[present, j]
        s = whole[present, j].astype(np.float64)
        own = np.concatenate([1.0 - s, s])
        both = np.concatenate([own, 1.0 - own], axis=1)
        values[j] = FIXED[coefficient](scores, np.tile(human, 2), both)
    first, second = np.split(column_means(values), 2)
    return np.asarray(first - second)


def _of_means(
    tables: Floats, people: Floats, pairs: Ints, coefficient: Coefficient, switched: Switched
) -> Floats:
    """The deltas of the systems' means: pairs x permutations."""
    scored = ~np.isnan(people[0]).all(axis=1)
    present = ~np.isnan(people[0][scored])
    count = present.sum(axis=1)[:, None, None]
    cells, marks = (np.where(present, each[:, scored], 0.0) for each in (tables, people))
    scores = np.swapaxes(cells, 0, 1) / count
    whole = scores.sum(axis=2, keepdims=True)
    if switched.shape[1] == 1:
        scores = whole
    own = switched[scored] if len(switched) > 1 else switched
    noise = SAME * float(np.abs(cells).max(initial=0.0))
    human = [without_noise(z.sum(axis=1) / count[:, 0, 0], z) for z in marks]
    by_people = [(who, np.flatnonzero(pairs[:, 2] == who)) for who in np.unique(pairs[:, 2])]
    number, most = switched.shape[-1], max((len(rows) for _, rows in by_people), default=0)
    values = np.empty((len(pairs), number))
    step = max(POINTS // max(len(scores) * most, 1), 16)
    for start in range(0, number, step):
        part = slice(start, start + step)
        # What each metric gives away, and what it keeps.
        given = np.matmul(scores, own[..., part].astype(np.float64))
        kept = whole - given
        for who, rows in by_people:
            i, k = pairs[rows, 0], pairs[rows, 1]
            sides = []
            for means in (kept[:, i] + given[:, k], kept[:, k] + given[:, i]):
                means[np.abs(means) <= noise] = 0.0
                sides.append(_of_points(means.reshape(len(means), -1), human[who], coefficient))
            values[rows, part] = (sides[0] - sides[1]).reshape(len(rows), -1)
    return values


def _pearson_of_columns(tables: Floats, people: Floats, pairs: Ints, switched: Switched) -> Floats:
    """The mean over columns of Pearson's r of X' minus that of Y', for each of the pairs.

    A column has three sums for each pair: of X' z, X' and X'^2, z centred and of length 1. Those of
    Y' are what is left, and X' and Y' are centred together, so that their sums are opposite.
    """
    number, many = switched.shape[-1], len(pairs)
    (systems, topics), whole = people.shape[1:], switched.shape[1] == 1
    each = [_sums_of_column(tables[..., j], people[..., j], pairs) for j in range(topics)]
    columns = [(j, column) for j, column in enumerate(each) if column is not None]
    totals = np.zeros((many, number))
    is_near = np.zeros(many, bool)
    step = max(min(POINTS // max(3 * many, 1), WEIGHTS // max(systems, 1)), 16)
    for start in range(0, number, step):
        part = slice(start, start + step)
        width = len(range(number)[part])
        total, sums = totals[:, part], np.empty((4, many, width))
        covered, squared, above, below = sums
        moved = np.ones((systems + 1, width))
        for j, column in columns:
            own = switched[:, 0 if whole else j, part]
            rows = moved[systems - len(column.present) :]
            rows[:-1] = own if len(own) in (1, len(rows) - 1) else own[column.present]
            np.matmul(column.sums, rows, out=sums[:3].reshape(3 * many, width))
            np.multiply(squared, squared, out=squared)
            np.subtract(column.squares[:, None], above, out=below)
            below -= squared
            above -= squared
            # Scores near each other: sums of their squares have too few digits.
            is_near |= np.minimum(above.min(axis=1), below.min(axis=1)) <= column.least
            with np.errstate(invalid="ignore", divide="ignore"):
                np.sqrt(sums[2:], out=sums[2:])
                # covered / above - (all that is covered - covered) / below
                total += np.divide(covered, above, out=above)
                np.subtract(column.covered[:, None], covered, out=covered)
                total -= np.divide(covered, below, out=below)
    with np.errstate(invalid="ignore", divide="ignore"):
        totals /= sum((column.used.astype(float) for _, column in columns), np.zeros(many))[:, None]
    for at in np.flatnonzero(is_near):
        x, y, z = tables[pairs[at, 0]], tables[pairs[at, 1]], people[pairs[at, 2]]
        totals[at] = deltas(x, y, z, "summary", "pearson", switched)
    return totals


class _ColumnSums(NamedTuple):
    """What permutations of one column need: products for the three sums of X', and totals."""

    present: Ints
    # The pairs whose people's scores have a coefficient.
    used: Bools
    # Rows: the change that each cell makes to a sum, and last the sum without any change.
    sums: Floats
    # Of X' and Y' together: sums with z, and of squares; and squares that have too few digits.
    covered: Floats
    squares: Floats
    least: Floats


def _sums_of_column(tables: Floats, people: Floats, pairs: Ints) -> _ColumnSums | None:
    """None where no pair has people's scores with a coefficient."""
    present = np.flatnonzero(~np.isnan(people[0]))
    size, scores, z = len(present), tables[:, present], people[:, present]
    varied: Bools = np.asarray(codes(z).any(axis=1))
    if size < 2 or not varied.any():
        return None
    z = z - z.mean(axis=1, keepdims=True)
    z -= z.mean(axis=1, keepdims=True)
    z /= np.where(varied, np.sqrt((z * z).sum(axis=1)), 1.0)[:, None]
    a, b, used = scores[pairs[:, 0]], scores[pairs[:, 1]], varied[pairs[:, 2]]
    middle = (a + b).mean(axis=1, keepdims=True) / 2
    noise = size * (SAME * np.maximum(np.abs(a), np.abs(b)).max(axis=1)) ** 2
    sides = []
    for side in (a - middle, b - middle):
        products = np.stack([side * z[pairs[:, 2]], side / np.sqrt(size), side * side])
        sides.append(np.where(used[:, None], products, 0.0))
    first, second = (side.sum(axis=2) for side in sides)
    # Where people's scores are all the same nothing is added: 0 divided by 1.
    first[2, ~used] = second[2, ~used] = 1.0
    rows = np.concatenate([sides[1] - sides[0], first[..., None]], axis=2)
    both = first + second
    least = np.where(used, np.maximum(NEAR * both[2], noise), 0.0)
    return _ColumnSums(present, used, rows.reshape(-1, size + 1), both[0], both[2], least)


def _of_points(points: Floats, human: Floats, coefficient: Coefficient) -> Floats:
    """The coefficient of points, one column per permutation, with people's."""
    if coefficient == "pearson":
        return _pearson_of_points(points, human)
    by_people = signs(codes(human))
    near = SAME * np.abs(points).max(axis=0, initial=0.0)
    size, number = points.shape
    ranks, balance, untied = np.zeros((size, number)), np.zeros(number), np.zeros(number)
    for i in range(size - 1):
        apart = points[i] - points[i + 1 :]
        order = (apart > near).astype(np.float64) - (apart < -near)
        balance += by_people[i, i + 1 :] @ order
        untied += np.abs(order).sum(axis=0)
        ranks[i] += order.sum(axis=0)
        ranks[i + 1 :] -= order
    if coefficient == "spearman":
        people = by_people.sum(axis=1)
        return divided(people @ ranks, np.sqrt((ranks**2).sum(axis=0) * (people**2).sum()))
    if coefficient == "tau_b":
        return divided(balance, np.sqrt(untied * (np.abs(by_people).sum() / 2)))
    return divided(balance, np.full(number, size * (size - 1) / 2))


def _pearson_of_points(points: Floats, human: Floats) -> Floats:
    """Pearson's r of each column with people's numbers."""
    most, least = points.max(axis=0, initial=-np.inf), points.min(axis=0, initial=np.inf)
    varies = most - least > SAME * np.maximum(np.abs(most), np.abs(least))
    if len(human) < 2 or not codes(human).any():
        varies[:] = False
    people = human - human.mean()
    centred = points - points.mean(axis=0)
    below = np.einsum("ij,ij->j", centred, centred) * (people @ people)
    r: Floats = divided(people @ centred, np.sqrt(np.where(varies, below, 0.0)))
    return np.clip(r, -1.0, 1.0)


def _of_columns(
    x: Floats, y: Floats, z: Floats, coefficient: Coefficient, switched: Switched
) -> Floats:
    """The mean over columns of the coefficient of X' minus that of Y', some columns at a time."""
    (systems, topics), number = z.shape, switched.shape[-1]
    sums, counts = np.zeros((2, number))
    step = max(BLOCK // max(systems * number, 1), 1)
    for start in range(0, topics, step):
        part = slice(start, start + step)
        own = np.swapaxes(switched[:, part] if switched.shape[1] > 1 else switched, 0, 1)
        shape = (len(range(topics)[part]), systems, number)
        moved = np.broadcast_to(own, shape).astype(np.float64)
        columns = PermutedColumns(x[:, part].T, y[:, part].T, z[:, part].T, moved)
        first, second = columns.coefficients(coefficient)
        defined = ~np.isnan(first)
        if (defined == np.isnan(second)).any():
            # Where X' has a coefficient and Y' none, the means are over different columns.
            return _by_weights(x, y, z, coefficient, switched)
        sums += np.where(defined, first - second, 0.0).sum(axis=0)
        counts += defined.sum(axis=0)
    return divided(sums, counts)


class PermutedColumns:
    """Scores of some topics (rows here) by two metrics and people, and what changes places.

    The first axis of all arrays is the topic; missing cells are missing from all three.
    """

    def __init__(self, x: Floats, y: Floats, z: Floats, moved: Floats) -> None:
        self.x, self.y, self.z, self.moved = x, y, z, moved
        self.present = ~np.isnan(z)
        self.size = self.present.sum(axis=1)[:, None]

    def coefficients(self, name: Coefficient) -> tuple[Floats, Floats]:
        """Of X' and Y' for each permutation.

        If they are divided by the same number, only their difference is right.
        """
        both = self._pearson() if name == "pearson" else self._of_pairs(name)
        undefined = self.size[:, 0] < 2
        if name != "tau_a":
            undefined |= ~np.where(self.present, self.people, 0).any(axis=1)
        for values in both:
            values[undefined] = np.nan
        return both

    @cached_property
    def people(self) -> Ints:
        """The places of people's scores in their order."""
        return codes(self.z)

    @cached_property
    def human(self) -> Floats:
        """Signs of all pairs by people."""
        return signs(self.people) * self.both

    @cached_property
    def both(self) -> Bools:
        """Pairs of cells that are there."""
        return self.present[:, :, None] & self.present[:, None]

    @cached_property
    def order(self) -> Ints:
        """The places of all scores of both metrics in one order."""
        return codes(np.concatenate([self.x, self.y], axis=1))

    @cached_property
    def signs(self) -> tuple[Floats, Floats, Floats]:
        """Signs of pairs of scores: of X, of one of X and one of Y, and of Y."""
        x, y = np.split(self.order, 2, axis=1)
        return signs(x), signs(x, y), signs(y)

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
        sides = []
        for own, sign, here, there in ((sums[0], 1, x, y), (sums[1], -1, y, x)):
            total = own.sum(axis=2)[:, :, None] + sign * change
            spread = total[:, 2] - total[:, 1] ** 2 / size
            values = divided(total[:, 0], np.sqrt(np.maximum(spread, 0.0) * squared))
            # Of scores near each other, sums of squares have too few digits.
            again = ~(spread > np.maximum(NEAR * total[:, 2], size * noise[:, None]))
            for j in np.flatnonzero(again.any(axis=1)):
                kept, columns = present[j], np.flatnonzero(again[j])
                away = self.moved[j][kept][:, columns]
                points = here[j, kept, None] + away * (there - here)[j, kept, None]
                values[j, columns] = pearson_of(points, z[j, kept, None], np.ones(points.shape))
            sides.append(np.clip(values, -1.0, 1.0))
        return sides[0], sides[1]

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
        (topics, systems, number), twice = self.moved.shape, np.tile(self.present, 2)
        pairs, cubes = np.zeros((2, 2, topics, number))
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
