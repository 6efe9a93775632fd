"""Is a coefficient more than chance? Permutation tests of the coefficients themselves.

If a metric had nothing to do with people, any system's scores might as well be another system's.
So whole systems change places, and p is the share of all orders whose coefficient is as far from 0
as the one that was seen. All orders are counted where there are no more of them than draws (up to
seven systems by default); else the seen one counts as one draw more, so that p is never 0. At the
level ``per_system``, where topics are compared within each system, topics change places.

What is divided by does not change with the order, so that sums are enough:

    Pearson,   sum over i of G[i, o(i)], where G[i, k] is the sum over topics of the products of
    Spearman   the scores (ranks) of X for system i and of Z for system k, both standardised
    tau        sum over pairs i < k of H[(i, k), (o(i), o(k))], H of products of signs; of all cells
               (global) the pairs are counted again, n log n for each order

A missing cell counts as the mean of its column: it adds nothing to a sum. One system has one order,
so there is no p.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from summetry.arrays.orders import earlier_signs
from summetry.arrays.threads import one_thread
from summetry.arrays.types import Bools, Floats, Ints
from summetry.stats.concordance import codes, divided, signs
from summetry.stats.levels import Level, check_names, same_cells, system_means
from summetry.stats.significance import DRAWS
from summetry.stats.weighted import Coefficient

# Sums of coefficients, or of whole numbers: nearer than this they are equal.
EQUAL = 1e-10
# Numbers of orders, and of permuted cells, that are looked at together.
STEP, CELLS = 1 << 20, 1 << 18


class Association(NamedTuple):
    """The two-sided p of a coefficient, and if all orders were counted; NaN: no coefficient."""

    p: float
    exact: bool


def association(
    x: ArrayLike,
    z: ArrayLike,
    level: Level,
    coefficient: Coefficient,
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> Association:
    """How likely a coefficient as far from 0 is if systems have nothing to do with each other.

    Three systems have six orders; 1 2 3 with 1 2 3 is as far from 0 as with 3 2 1 only.

    >>> association([[1], [2], [3]], [[1], [2], [3]], "system", "tau_b")
    Association(p=0.3333333333333333, exact=True)
    """
    check_names(level, coefficient)
    a, b = same_cells(x, z)
    if level == "per_system":
        return association(a.T, b.T, "summary", coefficient, draws=draws, seed=seed)
    if level == "system":
        a, b = system_means(a)[:, None], system_means(b)[:, None]
    scored = ~np.isnan(a).all(axis=1)
    a, b = a[scored], b[scored]
    if len(a) < 2:
        return Association(math.nan, True)
    is_tau = coefficient in ("tau_a", "tau_b")
    exact = math.factorial(min(len(a), 20)) <= draws
    with one_thread():
        way = _by_cells if not is_tau else _by_points if level == "global" else _by_pairs
        sum_of = way(a, b, level, coefficient)
    if sum_of is None:
        return Association(math.nan, exact)
    seen = float(sum_of(np.arange(len(a))[None])[0])
    orders = orders_of(len(a), draws, seed)
    step = max(STEP // max(len(a) ** 2, 1), 1)
    parts = [sum_of(orders[at : at + step]) for at in range(0, len(orders), step)]
    sums = np.abs(np.concatenate(parts))
    extreme = int((sums >= abs(seen) - EQUAL).sum())
    more = int(not exact)
    return Association((extreme + more) / (len(orders) + more), exact)


@lru_cache(maxsize=2)
def orders_of(size: int, draws: int, seed: int) -> Ints:
    """All orders of so many things, one per row, or as many drawn ones as ``draws`` says."""
    if math.factorial(min(size, 20)) <= draws:
        return np.array(list(permutations(range(size))), np.int64).reshape(-1, size)
    rows = np.tile(np.arange(size), (draws, 1))
    return np.random.default_rng(seed).permuted(rows, axis=1)


def _by_cells(
    x: Floats, z: Floats, level: Level, coefficient: Coefficient
) -> Callable[[Ints], Floats] | None:
    """The sum of an order by products of scores, or of their ranks."""
    a, b = (_standardised(table, level, coefficient) for table in (x, z))
    # A list in which one side is constant has no coefficient, and adds nothing.
    lists = None if level == "global" else 0
    if not np.any(a.any(axis=lists) & b.any(axis=lists)):
        return None
    products = a @ b.T
    firsts = len(products) * np.arange(len(products))
    return lambda orders: np.asarray(products.take(firsts + orders).sum(axis=1))


def _standardised(table: Floats, level: Level, coefficient: Coefficient) -> Floats:
    """Each column (the whole table at the global level) with mean 0 and length 1; 0 for a gap."""
    lists = table.reshape(1, -1) if level == "global" else table.T
    present, order = ~np.isnan(lists), codes(lists)
    numbers = np.where(present, lists, 0.0)
    if coefficient == "spearman":
        numbers = np.where(present, np.stack([*map(_ranks, order, present)]), 0.0)
    varied = np.where(present, order, 0).any(axis=1, keepdims=True)
    means = divided(numbers.sum(axis=1, keepdims=True), present.sum(axis=1, keepdims=True))
    centred = np.where(present & varied, numbers - means, 0.0)
    length = np.sqrt((centred * centred).sum(axis=1, keepdims=True))
    own = np.nan_to_num(divided(centred, np.broadcast_to(length, centred.shape)))
    return own.reshape(table.shape) if level == "global" else own.T


def _ranks(order: Ints, present: Bools) -> Floats:
    """The mean rank of each number that is there; NaN was put last, and has none."""
    counts = np.bincount(order, weights=present)
    return (np.cumsum(counts) - (counts - 1) / 2)[order]


def _by_pairs(
    x: Floats, z: Floats, level: Level, coefficient: Coefficient
) -> Callable[[Ints], Floats] | None:
    """The sum of an order by signs of pairs of scores."""
    size, (i, k) = len(x), np.triu_indices(len(x))
    a, b = (_column_signs(table) for table in (x, z))
    lists = (~np.isnan(x)).sum(axis=0)
    untied = [np.abs(table).sum(axis=(0, 1)) / 2 for table in (a, b)]
    below = np.sqrt(untied[0] * untied[1]) if coefficient == "tau_b" else lists * (lists - 1) / 2
    weights = np.nan_to_num(divided(np.ones(len(below)), below))
    if (lists < 2).all() or (
        coefficient == "tau_b" and not (weights.any() and a.any() and b.any())
    ):
        return None
    products = (a[i, k] * weights) @ b.reshape(size * size, -1).T
    pairs_of = np.arange(len(i))

    def sum_of(orders: Ints) -> Floats:
        places = orders[:, i] * size + orders[:, k]
        return np.asarray(products[pairs_of, places].sum(axis=1))

    return sum_of


def _by_points(
    x: Floats, z: Floats, level: Level, coefficient: Coefficient
) -> Callable[[Ints], Floats] | None:
    """The balance of pairs of all cells, whose tables would be too large."""
    cells = np.flatnonzero(~np.isnan(x))
    order, marks = codes(x.ravel()[cells]), np.full(x.shape, -1)
    marks.ravel()[cells] = codes(z.ravel()[cells])
    is_flat = not (order.any() and (marks > 0).any())
    if len(cells) < 2 or (coefficient == "tau_b" and is_flat):
        return None
    ascending = np.argsort(order)
    step = max(CELLS // len(cells), 1)

    def sum_of(orders: Ints) -> Floats:
        sums = []
        for start in range(0, len(orders), step):
            some = orders[start : start + step]
            moved = marks[some].reshape(len(some), x.size).take(cells[ascending], axis=1)
            sums.append(earlier_signs(order[ascending], moved).sum(axis=1))
        return np.concatenate(sums).astype(np.float64)

    return sum_of


def _column_signs(table: Floats) -> Floats:
    """Systems x systems x topics: the signs of differences within a topic, 0 where one is gone."""
    present = ~np.isnan(table)
    each = np.moveaxis(signs(codes(table.T)), 0, -1)
    return np.where(present[:, None] & present[None], each, 0.0)
