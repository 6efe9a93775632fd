"""Chunks computed on this machine, in this process or in several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

import msgspec

Task = TypeVar("Task")
Result = TypeVar("Result")
# What a message ends with where work was lost that may have been kept.
KEPT = "a command that keeps finished work goes on with it when it is given again"


class Ready(msgspec.Struct, Generic[Result], frozen=True):
    """In the place of a task: a result that is there already."""

    result: Result


def map_in_order(
    work: Callable[[Task], Result], tasks: Iterable[Task | Ready[Result]], workers: int
) -> Iterator[Result]:
    """``work`` of every task, in the order of the tasks, with few of them held at a time."""
    if workers == 1:
        for task in tasks:
            yield task.result if isinstance(task, Ready) else work(task)
        return
    # What several processes need takes a while to import.
    from summetry.engine.workers import Pool

    yield from Pool(work, workers).run(tasks)
