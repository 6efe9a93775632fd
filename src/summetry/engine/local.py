"""Chunks computed on this machine, in this process or in several."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from multiprocessing import connection
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


@dataclass
class _Job(Generic[Task, Result]):
    """A task, and its future result once it is given to the pool."""

    task: Task
    future: Future[Result] | None = None


class _Pool(Generic[Task, Result]):
    """Worker processes that are replaced when one dies, their tasks given out again.

    The standard pool gives up altogether when a worker is killed (out of memory, say).
    """

    def __init__(self, work: Callable[[Task], Result], workers: int) -> None:
        self.work = work
        self.workers = workers
        self.pool = self._start()

    def run(self, tasks: Iterable[Task]) -> Iterator[Result]:
        source = iter(tasks)
        jobs: deque[_Job[Task, Result]] = deque()
        deaths = 0
        try:
            while True:
                jobs.extend(map(_Job, islice(source, 2 * self.workers - len(jobs))))
                if not jobs:
                    return
                try:
                    result = self._first(jobs)
                except BrokenProcessPool as error:
                    deaths += 1
                    self._restart(jobs, deaths, error)
                    continue
                deaths = 0
                jobs.popleft()
                yield result
        finally:
            self.pool.shutdown(wait=False, cancel_futures=True)

    def _first(self, jobs: deque[_Job[Task, Result]]) -> Result:
        """The result of the first job, with all of them given to the pool."""
        for job in jobs:
            if job.future is None:
                with _without_interruption():
                    job.future = self.pool.submit(self.work, job.task)
        assert jobs[0].future is not None
        return jobs[0].future.result()

    def _restart(
        self, jobs: deque[_Job[Task, Result]], deaths: int, error: BrokenProcessPool
    ) -> None:
        if deaths == _TRIES:
            raise SummetryError(
                f"worker processes died {_TRIES} times on the same work, perhaps for want of "
                f"memory; try fewer --workers. What is finished is kept."
            ) from error
        self.pool.shutdown(wait=False)
        self.pool = self._start()
        for job in jobs:
            # What was computed before a neighbour died is still there.
            done = job.future is not None and job.future.done() and not job.future.exception()
            job.future = job.future if done else None

    def _start(self) -> ProcessPoolExecutor:
        # A fresh interpreter each: forking a process that has threads can hang.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.workers, mp_context=context, initializer=end_with_parent)


@contextlib.contextmanager
def _without_interruption() -> Iterator[None]:
    """Ctrl-C waits until the block is over, and workers started in it are born deaf to it.

    One that came while a worker was starting, before it could ignore it, would print a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """End this worker when the process that started it is gone, even if that was killed.

    Ctrl-C reaches every process of a terminal; only the one in front has something to say.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
