"""What ppi-python and truescore say of the cases of a file; started by ``estimate.py``.

    python benchmarks/estimate_peers.py PROGRAM CASES.json

A case has the judgments ``y`` of the first topics, the metric ``f`` of all, and a ``weight`` that
is given to the program; ``p`` are p-values to correct.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np


def ppi_python(case: dict[str, Any]) -> dict[str, Any]:
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

    y, f = np.array(case["y"]), np.array(case["f"])
    data = y, f[: len(y)], f[len(y) :]
    low, high = ppi_mean_ci(*data, alpha=0.05)
    alone = ppi_mean_ci(*data, alpha=0.05, lam=0)
    return {
        "given": float(ppi_mean_pointestimate(*data, lam=case["weight"])[0]),
        "estimate": float(low[0] + high[0]) / 2,
        "width": float(high[0] - low[0]),
        "alone": [float(end[0]) for end in alone],
    }


def truescore(case: dict[str, Any]) -> dict[str, Any]:
    from truescore import gold_only_estimate, holm, ppi_estimate

    y, f = np.array(case["y"]), np.array(case["f"])
    data = f, y, np.arange(len(y))
    own, alone = ppi_estimate(*data), gold_only_estimate(y)
    return {
        "given": ppi_estimate(*data, lambda_=case["weight"]).point,
        "estimate": own.point,
        "width": own.high - own.low,
        "alone": [alone.low, alone.high],
        "holm": np.asarray(holm(case["p"])).tolist(),
    }


def main() -> None:
    program, path = sys.argv[1:]
    cases = json.loads(Path(path).read_text(encoding="utf-8"))
    work = {"ppi-python": ppi_python, "truescore": truescore}[program]
    print(json.dumps([work(case) for case in cases]))


if __name__ == "__main__":
    main()
