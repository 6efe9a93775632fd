"""Chunks computed on this machine, in this process or in several."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Generic, TypeVar

from summetry.errors import SummetryError

Task = TypeVar("Task")
Result = TypeVar("Result")

_TRIES = 3


def map_in_order(
    work: Callable[[Task], Result], tasks: Iterable[Task], workers: int
) -> Iterator[Result]:
    """``work`` of every task, in the order of the tasks, with few of them held at a time."""
    if workers < 1:
        raise SummetryError(f"--workers must be 1 or more, got {workers}")
    if workers == 1:
        yield from map(work, tasks)
        return
    yield from _Pool(work, workers).run(tasks)


class _Pool(Generic[Task, Result]):
    """Worker processes that are replaced when one dies, its tasks given out again.

    The standard pool gives up altogether when a worker is killed (out of memory, say).
    """

    def __init__(self, work: Callable[[Task], Result], workers: int) -> None:
        self.work = work
        self.workers = workers
        self.pool = self._start()

    def run(self, tasks: Iterable[Task]) -> Iterator[Result]:
        waiting: deque[tuple[Task, Future[Result]]] = deque()
        source = iter(tasks)
        deaths = 0
        try:
            while True:
                while len(waiting) < 2 * self.workers and (task := next(source, None)) is not None:
                    waiting.append((task, self.pool.submit(self.work, task)))
                if not waiting:
                    return
                try:
                    result = waiting[0][1].result()
                except BrokenProcessPool as error:
                    deaths += 1
                    if deaths == _TRIES:
                        raise SummetryError(
                            f"worker processes died {_TRIES} times on the same work, perhaps for "
                            f"want of memory; try fewer --workers. What is finished is kept."
                        ) from error
                    waiting = self._again(waiting)
                    continue
                deaths = 0
                waiting.popleft()
                yield result
        finally:
            self.pool.shutdown(wait=False, cancel_futures=True)

    def _again(
        self, waiting: deque[tuple[Task, Future[Result]]]
    ) -> deque[tuple[Task, Future[Result]]]:
        self.pool.shutdown(wait=False)
        self.pool = self._start()
        return deque((task, self.pool.submit(self.work, task)) for task, _ in waiting)

    def _start(self) -> ProcessPoolExecutor:
        # A fresh interpreter each: forking a process that has threads can hang.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.workers, mp_context=context)
