"""What works on tasks elsewhere than in processes of this machine, by the names that users give.

A plug-in adds one under the entry point ``summetry.engines``: a function like
:func:`summetry.engine.dask.opened`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import TypeAlias

from summetry.engine.run import Engine
from summetry.errors import SummetryError, UnknownNameError
from summetry.installed import entry_points

# Given the address of a cluster, a number of workers, and what says something to the user.
Opener: TypeAlias = Callable[[str, int, Callable[[str], None]], AbstractContextManager[Engine]]
GROUP = "summetry.engines"


def opened_engine(
    name: str, scheduler: str, workers: int, say: Callable[[str], None]
) -> AbstractContextManager[Engine | None]:
    """The engine of a name, for the time of a ``with`` statement; None for this machine."""
    if name == "local":
        if scheduler:
            raise SummetryError(f"--scheduler {scheduler} goes with --engine dask")
        return nullcontext()
    if name == "dask":
        opener: Opener = import_module("summetry.engine.dask").opened
    else:
        others = {point.name: point for point in entry_points(GROUP)}
        if name not in others:
            raise UnknownNameError("engine", name, ["local", "dask", *others])
        opener = others[name].load()
    return opener(scheduler, workers, say)
