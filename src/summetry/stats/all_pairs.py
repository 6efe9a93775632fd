"""Which of many metrics is nearer to people: the permutation test of every pair of them.

Each pair is tested as by ``dependent.permutation_test``, and all pairs meet the same swaps, which
are drawn once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from summetry.arrays.threads import one_thread
from summetry.arrays.types import Bools, Floats
from summetry.errors import SummetryError
from summetry.stats.concordance import SAME, codes
from summetry.stats.dependent import (
    EQUAL,
    Swap,
    standardised,
    swappable,
    swapped,
    ways_to_swap,
)
from summetry.stats.levels import Level, check_names, same_cells, without_noise
from summetry.stats.significance import DRAWS
from summetry.stats.swapped_cells import deltas_of_cells
from summetry.stats.swapped_columns import SwappedColumns, divided, signs_of
from summetry.stats.weighted import Coefficient, pearson_of

# Systems x inputs x ways, 1 where a cell has changed places; a side may be 1, for all.
Swaps = NDArray[np.int8]
Deltas = dict[Coefficient, Floats]

# How many swaps are held at a time, a byte each.
HELD = 1 << 27
# How many swaps of cells are numbers at a time.
STEP = 1 << 22
# The same for some inputs at a time, which are used again and again: they stay in the cache.
BLOCK = 1 << 18
# Of columns with more cells, a table of all pairs of cells takes too much memory.
LONGEST = 3000


class PairTests(NamedTuple):
    """``[i, k]`` is of the metrics i and k; NaN where a coefficient is undefined."""

    # The coefficient of the first less that of the second.
    differences: Floats
    # p that the first is no better than the second, and that they are equally good.
    greater: Floats
    two_sided: Floats
    draws: int
    exact: bool
    seed: int


def compare_all_pairs(
    metrics: Sequence[ArrayLike],
    people: ArrayLike,
    level: Level,
    coefficients: Sequence[Coefficient],
    swap: Swap = "both",
    *,
    draws: int = DRAWS,
    seed: int = 0,
    tick: Callable[[], None] = lambda: None,
) -> dict[Coefficient, PairTests]:
    """The permutation tests of all pairs, by coefficient; ``tick`` is called after each pair.

    A pair is compared on the cells that both metrics and people have.

    >>> tables = [[1, 2], [2, 3], [3, 1]], [[3, 2], [1, 2], [2, 1]], [[1, 1], [2, 2], [3, 3]]
    >>> found = compare_all_pairs(tables[:2], tables[2], "input", ["tau_a"], "inputs")["tau_a"]
    >>> [round(float(p[0, 1]), 3) for p in (found.differences, found.two_sided, found.greater)]
    [0.833, 0.5, 0.25]
    """
    for coefficient in coefficients:
        check_names(level, coefficient)
    if draws < 1:
        raise SummetryError(f"a permutation test needs 1 draw or more, got {draws}")
    (human,) = same_cells(people)
    tables = [same_cells(metric, human)[0] for metric in metrics]
    swaps = _Drawn.of(tables, human, swap, draws, seed)
    blank = np.full((len(tables), len(tables)), np.nan)
    counted = (swaps.ways, swaps.exact, seed)
    found = {
        name: PairTests(blank.copy(), blank.copy(), blank.copy(), *counted) for name in coefficients
    }
    with one_thread():
        for i, k in combinations(range(len(tables)), 2):
            a, b, z = same_cells(tables[i], tables[k], human)
            if not np.isnan(z).all():
                pair = (standardised(a), standardised(b), z, level, coefficients)
                blocks = [_deltas(*pair, block) for block in swaps.blocks()]
                for name in coefficients:
                    # Each block begins with what really was.
                    rest = [block[name][1:] for block in blocks[1:]]
                    _note(found[name], i, k, np.concatenate([blocks[0][name], *rest]))
            tick()
    return found


class _Drawn(NamedTuple):
    """All ways to swap, or so many draws of them, some at a time; ``kept`` if they are few."""

    units: Bools
    ways: int
    exact: bool
    seed: int
    kept: list[Swaps]

    @classmethod
    def of(
        cls, tables: Sequence[Floats], human: Floats, swap: Swap, draws: int, seed: int
    ) -> _Drawn:
        gone = np.all([np.isnan(table) for table in tables], axis=0) if tables else np.isnan(human)
        units = swappable(np.where(gone, np.nan, human), swap)
        ways = 2 ** int(units.sum())
        return cls(units, min(draws, ways), ways <= draws, seed, [])

    def blocks(self) -> Iterable[Swaps]:
        """Ways to swap, each block beginning with the one that swaps nothing.

        Where all do not fit into one block they are drawn again for every pair, the same ones.
        """
        if self.units.size * self.ways > HELD:
            return self._drawn()
        if not self.kept:
            self.kept.extend(self._drawn())
        return self.kept

    def _drawn(self) -> Iterator[Swaps]:
        unswapped = np.zeros((*self.units.shape, 1), np.int8)
        moved, held = [unswapped], 0
        size = self.units.size
        for part in ways_to_swap(self.units, self.ways, self.seed, self.exact, size):
            if held and (held + len(part)) * size > HELD:
                yield _side_by_side(moved)
                moved, held = [unswapped], 0
            moved.append(np.moveaxis(part, 0, -1).astype(np.int8))
            held += len(part)
        yield _side_by_side(moved)


def _side_by_side(moved: Sequence[Swaps]) -> Swaps:
    """Ways of one cell lie side by side: they are used together."""
    return np.ascontiguousarray(np.concatenate(moved, axis=-1))


def _note(found: PairTests, i: int, k: int, deltas: Floats) -> None:
    """Put down what the deltas say of a pair; the first of them is the real one."""
    delta, others = float(deltas[0]), deltas[1:]
    if np.isnan(delta):
        return
    kept = others[~np.isnan(others)]
    # Among all ways there is the real one; among draws it is one more.
    real = int(not found.exact)

    def share(extreme: Bools) -> float:
        return (int(extreme.sum()) + real) / (len(kept) + real)

    found.differences[i, k], found.differences[k, i] = delta, -delta
    found.greater[i, k] = share(kept >= delta - EQUAL)
    found.greater[k, i] = share(kept <= delta + EQUAL)
    found.two_sided[i, k] = found.two_sided[k, i] = share(np.abs(kept) >= abs(delta) - EQUAL)


def _deltas(
    x: Floats,
    y: Floats,
    z: Floats,
    level: Level,
    coefficients: Sequence[Coefficient],
    swaps: Swaps,
) -> Deltas:
    """The coefficient of X' less that of Y' for each way to swap."""
    if level == "per_system":
        turned = np.swapaxes(swaps, 0, 1)
        return _deltas(x.T, y.T, z.T, "input", coefficients, turned)
    if level == "global":
        own = np.broadcast_to(swaps, (*z.shape, swaps.shape[-1]))
        present = ~np.isnan(z)
        return deltas_of_cells(x[present], y[present], z[present], coefficients, own[present])
    if level == "input" and len(z) <= LONGEST:
        return _of_columns(x, y, z, coefficients, swaps)
    step = max(STEP // max(z.size, 1), 16)
    parts = [swaps[..., start : start + step] for start in range(0, swaps.shape[-1], step)]
    if level == "system":
        found = [_of_means(x, y, z, coefficients, part) for part in parts]
    else:
        found = [{name: _swapped(x, y, z, name, part) for name in coefficients} for part in parts]
    return {name: np.concatenate([part[name] for part in found]) for name in coefficients}


def _swapped(x: Floats, y: Floats, z: Floats, coefficient: Coefficient, swaps: Swaps) -> Floats:
    return swapped(x, y, z, "input", coefficient, np.moveaxis(swaps, -1, 0).astype(bool))


def _of_means(
    x: Floats, y: Floats, z: Floats, coefficients: Sequence[Coefficient], swaps: Swaps
) -> Deltas:
    scored = ~np.isnan(z).all(axis=1)
    present = ~np.isnan(z[scored])
    count = present.sum(axis=1, keepdims=True)
    a, b, people = (np.where(present, table[scored], 0.0) for table in (x, y, z))
    apart = b - a
    if swaps.shape[1] == 1:
        apart = apart.sum(axis=1, keepdims=True)
    moved = (swaps[scored] if len(swaps) > 1 else swaps).astype(np.float64)
    shift = np.matmul(apart[:, None], moved)[:, 0]
    first = (a.sum(axis=1, keepdims=True) + shift) / count
    second = (b.sum(axis=1, keepdims=True) - shift) / count
    human = without_noise(people.sum(axis=1, keepdims=True) / count, people)
    of_first, of_second = (
        _of_points(without_noise(side, a, b), human, coefficients) for side in (first, second)
    )
    return {name: of_first[name] - of_second[name] for name in coefficients}


def _of_points(points: Floats, human: Floats, coefficients: Sequence[Coefficient]) -> Deltas:
    """Coefficients of points, a column a way, with people's numbers, one column for all."""
    found: Deltas = {}
    if "pearson" in coefficients:
        found["pearson"] = pearson_of(points, human, np.ones(points.shape))
    if set(coefficients) <= {"pearson"}:
        return found
    signs = signs_of(codes(human[:, 0]))
    near = SAME * np.abs(points).max(axis=0, initial=0.0)
    size, ways = points.shape
    ranks, balance, untied = np.zeros((size, ways)), np.zeros(ways), np.zeros(ways)
    for i in range(size - 1):
        apart = points[i] - points[i + 1 :]
        order = (apart > near).astype(np.float64) - (apart < -near)
        balance += signs[i, i + 1 :] @ order
        untied += np.abs(order).sum(axis=0)
        ranks[i] += order.sum(axis=0)
        ranks[i + 1 :] -= order
    people = signs.sum(axis=1)
    parts: dict[Coefficient, tuple[Floats, Floats]] = {
        "tau_a": (balance, np.full(ways, size * (size - 1) / 2)),
        "tau_b": (balance, np.sqrt(untied * (np.abs(signs).sum() / 2))),
        "spearman": (people @ ranks, np.sqrt((ranks**2).sum(axis=0) * (people**2).sum())),
    }
    return found | {name: divided(*parts[name]) for name in coefficients if name in parts}


def _of_columns(
    x: Floats, y: Floats, z: Floats, coefficients: Sequence[Coefficient], swaps: Swaps
) -> Deltas:
    """The mean over columns of the coefficient of X' less that of Y', some columns at a time."""
    (systems, inputs), ways = z.shape, swaps.shape[-1]
    sums = {name: np.zeros(ways) for name in coefficients}
    counts = {name: np.zeros(ways) for name in coefficients}
    uneven: set[Coefficient] = set()
    step = max(BLOCK // max(systems * ways, 1), 1)
    for start in range(0, inputs, step):
        part = slice(start, start + step)
        own = np.swapaxes(swaps[:, part] if swaps.shape[1] > 1 else swaps, 0, 1)
        shape = (len(range(inputs)[part]), systems, ways)
        moved = np.broadcast_to(own, shape).astype(np.float64)
        columns = SwappedColumns(x[:, part].T, y[:, part].T, z[:, part].T, moved)
        for name in coefficients:
            first, second = columns.coefficients(name)
            defined = ~np.isnan(first)
            if (defined == np.isnan(second)).any():
                uneven.add(name)
            sums[name] += np.where(defined, first - second, 0.0).sum(axis=0)
            counts[name] += defined.sum(axis=0)
    # Where X' has a coefficient and Y' none, the means are over different columns.
    return {
        name: _swapped(x, y, z, name, swaps)
        if name in uneven
        else divided(sums[name], counts[name])
        for name in coefficients
    }
