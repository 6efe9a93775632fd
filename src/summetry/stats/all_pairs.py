"""Which of many metrics is nearer to people: the permutation test of every pair of them.

Each pair is tested as by ``dependent.permutation_test``, and all pairs meet the same permutations,
which are drawn once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from summetry.arrays.threads import one_thread
from summetry.arrays.types import Floats
from summetry.stats.dependent import EQUAL, Swap, standardised, swappable
from summetry.stats.levels import Level, check_names, same_cells
from summetry.stats.permutation import Permutations
from summetry.stats.permuted import deltas
from summetry.stats.significance import DRAWS
from summetry.stats.weighted import Coefficient

# Bytes of permutations that are kept for all pairs, and cells that are drawn at a time.
HELD, STEP = 1 << 27, 1 << 19


class PairTests(NamedTuple):
    """``[i, k]`` is of the metrics i and k; NaN where a coefficient is undefined."""

    # The coefficient of the first minus that of the second.
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
    >>> tests = compare_all_pairs(tables[:2], tables[2], "input", ["tau_a"], "inputs")["tau_a"]
    >>> [round(float(p[0, 1]), 3) for p in (tests.differences, tests.two_sided, tests.greater)]
    [0.833, 0.5, 0.25]
    """
    for coefficient in coefficients:
        check_names(level, coefficient)
    (human,) = same_cells(people)
    tables = [same_cells(metric, human)[0] for metric in metrics]
    scored = ~np.all([np.isnan(table) for table in tables or [human]], axis=0)
    units = swappable(np.where(scored, human, np.nan), swap)
    permutations = Permutations(units, draws, seed)
    blocks = _kept_blocks(permutations)
    blank = np.full((len(tables), len(tables)), np.nan)
    counted = (permutations.number, permutations.exact, seed)
    tests = {
        name: PairTests(blank.copy(), blank.copy(), blank.copy(), *counted) for name in coefficients
    }
    with one_thread():
        for i, k in combinations(range(len(tables)), 2):
            a, b, z = same_cells(tables[i], tables[k], human)
            if not np.isnan(z).all():
                pair = (standardised(a), standardised(b), z, level, coefficients)
                parts = [deltas(*pair, block) for block in blocks()]
                for name in coefficients:
                    # Each block begins with what was seen.
                    rest = [part[name][1:] for part in parts]
                    values = np.concatenate([parts[0][name][:1], *rest])
                    _put(tests[name], i, k, values, permutations)
            tick()
    return tests


def _kept_blocks(permutations: Permutations) -> Callable[[], Iterable[NDArray[np.int8]]]:
    """Permutations in blocks, each of which begins with the one that changes nothing.

    If all fit into memory they are drawn once; else they are drawn again for every pair, the same
    ones. Permutations of one cell are side by side, since they are used together.
    """
    size = max(permutations.units.size, 1)

    def drawn() -> Iterable[NDArray[np.int8]]:
        for block in permutations.blocks(max(STEP // size, 16)):
            yield np.moveaxis(block, 0, -1).astype(np.int8)

    def joined(blocks: Iterable[NDArray[np.int8]]) -> NDArray[np.int8]:
        unchanged = np.zeros((*permutations.units.shape, 1), np.int8)
        return np.ascontiguousarray(np.concatenate([unchanged, *blocks], axis=-1))

    if size * permutations.number > HELD:
        return lambda: (joined([block]) for block in drawn())
    whole = [joined(drawn())]
    return lambda: whole


def _put(tests: PairTests, i: int, k: int, values: Floats, permutations: Permutations) -> None:
    """Enter what the deltas say of a pair; the first of them is the one that was seen."""
    delta, others = float(values[0]), values[1:]
    if np.isnan(delta):
        return
    defined = others[~np.isnan(others)]
    tests.differences[i, k], tests.differences[k, i] = delta, -delta
    tests.greater[i, k] = permutations.p(defined >= delta - EQUAL)
    tests.greater[k, i] = permutations.p(defined <= delta + EQUAL)
    both = permutations.p(np.abs(defined) >= abs(delta) - EQUAL)
    tests.two_sided[i, k] = tests.two_sided[k, i] = both
