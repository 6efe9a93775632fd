"""One program on one file of tables, in a process of its own; started by ``stats.py``.

What is measured is the call that a user makes; the floor is to draw the numbers. Beside it the
values of draws that both programs take: those of numpy's old generator with the seed 123, as
nlpstats draws them.

    python benchmarks/stats_peers.py PROGRAM KIND LEVEL COEFFICIENT DRAWS TABLES.json
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

# Last, so that this folder hides no package.
sys.path.append(str(Path(__file__).parent))
from peak import peak_memory

SEED = 123
Tables = list[Any]


def nlpstats_work(kind: str, level: str, coefficient: str, tables: Tables, draws: int) -> Any:
    from nlpstats.correlations import bootstrap, permutation_test

    x, y, z = tables
    np.random.seed(SEED)
    theirs = "input" if level == "summary" else level
    if kind == "bootstrap":
        return bootstrap(x, z, theirs, coefficient, "both", n_resamples=draws)
    return permutation_test(x, y, z, theirs, coefficient, "both", n_resamples=draws)


def summetry_work(kind: str, level: Any, coefficient: str, tables: Tables, draws: int) -> Any:
    from summetry.stats.dependent import permutation_test
    from summetry.stats.resampling import bootstrap

    x, y, z = tables
    if kind == "bootstrap":
        return bootstrap(x, z, level, ours(coefficient), "both", draws=draws)
    return permutation_test(x, y, z, level, ours(coefficient), "cells", draws=draws)


def floor_work(kind: str, level: Any, coefficient: str, tables: Tables, draws: int) -> Any:
    """The numbers of all draws and nothing else: systems and topics, or what is swapped."""
    rng = np.random.default_rng(SEED)
    m, n = tables[0].shape
    if kind == "bootstrap":
        return rng.integers(m, size=(draws, m)), rng.integers(n, size=(draws, n))
    return rng.integers(256, size=(draws, (m * n + 7) // 8), dtype=np.uint8)


def summetry_values(kind: str, level: Any, coefficient: str, tables: Tables, draws: int) -> Any:
    """The value of each of nlpstats's draws."""
    from summetry.stats.dependent import standardised
    from summetry.stats.permuted import deltas
    from summetry.stats.resampling import Resamples, redrawn, times_drawn

    x, y, z = tables
    m, n = x.shape
    state = np.random.RandomState(SEED)
    if kind == "bootstrap":
        pairs = [(state.choice(m, m), state.choice(n, n)) for _ in range(draws)]
        rows, columns = (np.array(part) for part in zip(*pairs, strict=True))
        drawn = Resamples(times_drawn(rows, m), times_drawn(columns, n))
        return redrawn(x, z[None], level, ours(coefficient), drawn)
    swaps = [(state.rand(m, 1) > 0.5) ^ (state.rand(1, n) > 0.5) for _ in range(draws)]
    a, b = standardised(x), standardised(y)
    name = ours(coefficient)
    return deltas(a, b, z, level, name, np.stack(swaps, axis=-1))


def ours(coefficient: str) -> Any:
    return "tau_b" if coefficient == "kendall" else coefficient


def main() -> None:
    program, kind, level, coefficient, draws, tables = sys.argv[1:]
    given = [np.array(t) for t in json.loads(Path(tables).read_text(encoding="utf-8"))]
    work = {"nlpstats": nlpstats_work, "floor": floor_work}.get(program, summetry_work)
    # A short run first, so that imports are not measured.
    work(kind, level, coefficient, given, 2)
    before = time.process_time()
    found = work(kind, level, coefficient, given, int(draws))
    seconds = time.process_time() - before
    if program == "nlpstats":
        values = found.samples
    elif program == "floor":
        values = []
    else:
        values = summetry_values(kind, level, coefficient, given, min(int(draws), 1000)).tolist()
    told = {"seconds": seconds, "values": [float(value) for value in values]}
    told["peak"] = peak_memory()
    print(json.dumps(told))


if __name__ == "__main__":
    main()
