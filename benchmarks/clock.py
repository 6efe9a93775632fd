"""Seconds of the processor: what others do on the machine counts less."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


def best_of(runs: int, work: Callable[[], Found]) -> tuple[float, Found]:
    """The fewest seconds of some runs, since noise only ever adds, and what came out."""
    taken = []
    for _ in range(runs):
        started = time.process_time()
        found = work()
        taken.append(time.process_time() - started)
    return min(taken), found


def seconds_of(work: Callable[[], object]) -> float:
    """The seconds of one run."""
    return best_of(1, work)[0]
