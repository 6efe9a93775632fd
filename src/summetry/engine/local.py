"""Chunks computed on this machine, in this process or in several."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from typing import Any, Generic, TypeVar

from summetry.errors import SummetryError, SummetryWarning

Task = TypeVar("Task")
Result = TypeVar("Result")

_TRIES = 3
# Seconds between two looks at whether workers are alive.
_LOOK = 2.0


@dataclass(frozen=True)
class Ready(Generic[Result]):
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
    yield from _Pool(work, workers).run(tasks)


@dataclass
class _Job(Generic[Task, Result]):
    """A task, and its future result once it is given to the pool."""

    task: Task | Ready[Result]
    future: Future[Result] | None = None


class _Pool(Generic[Task, Result]):
    """Worker processes that are replaced when one dies, their tasks given out again.

    The standard pool gives up altogether when a worker is killed (out of memory, say).
    """

    def __init__(self, work: Callable[[Task], Result], workers: int) -> None:
        self.work = work
        self.workers = workers
        # A fresh interpreter each: forking a process that has threads can hang.
        self.context = multiprocessing.get_context("spawn")
        self.until_closed, self.stop = self.context.Pipe(duplex=False)
        self.pool = self._start()
        self.finished = 0
        # How often a dead worker was seen without the pool seeing it.
        self.looks = 0

    def run(self, tasks: Iterable[Task | Ready[Result]]) -> Iterator[Result]:
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
                self.finished += 1
                jobs.popleft()
                yield result
        finally:
            workers, results = self._workers(), self.pool._result_queue
            self.pool.shutdown(wait=False, cancel_futures=True)
            # What they are at would otherwise be finished, with the user waiting after Ctrl-C.
            self.stop.close()
            if jobs:
                _cut_off(workers, results)

    def _first(self, jobs: deque[_Job[Task, Result]]) -> Result:
        """The result of the first job, with all of them given to the pool."""
        for job in jobs:
            if job.future is None and not isinstance(job.task, Ready):
                with _without_interruption():
                    job.future = self.pool.submit(self.work, job.task)
        first = jobs[0]
        if isinstance(first.task, Ready):
            return first.task.result
        assert first.future is not None
        while True:
            try:
                return first.future.result(timeout=_LOOK)
            except TimeoutError:
                if first.future.done():
                    raise
                self._look_for_dead()

    def _look_for_dead(self) -> None:
        """End a pool that waits for the rest of what a worker was handing over when it was killed.

        The standard pool sees that a worker died, but not while it is reading, which never ends
        as long as somebody else could write.
        """
        workers = self._workers()
        if not any(worker.exitcode is not None for worker in workers):
            self.looks = 0
            return
        self.looks += 1
        # Nearly always the pool sees it by itself.
        if self.looks > 1:
            _cut_off(workers, self.pool._result_queue)

    def _workers(self) -> list[Any]:
        return list((self.pool._processes or {}).values())

    def _restart(
        self, jobs: deque[_Job[Task, Result]], deaths: int, error: BrokenProcessPool
    ) -> None:
        if deaths == _TRIES:
            # A worker begins by importing the user's script; if that calls for workers, it dies.
            guard = (
                'a script has to call Summetry below `if __name__ == "__main__":`, and to define '
                "functions that are metrics above it"
            )
            raise SummetryError(
                f"worker processes died {_TRIES} times on the same work, {jobs[0].task}, perhaps "
                f"for want of memory; try fewer --workers. "
                + ("What is finished is kept." if self.finished else f"None ever finished: {guard}")
            ) from error
        self.pool.shutdown(wait=False)
        self.pool = self._start()
        for job in jobs:
            # What was computed before a neighbour died is still there.
            done = job.future is not None and job.future.done() and not job.future.exception()
            job.future = job.future if done else None

    def _start(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            self.workers, self.context, initializer=end_with_parent, initargs=(self.until_closed,)
        )


def _cut_off(workers: Sequence[Any], results: Any) -> None:
    """Let nobody wait for what a worker that is gone had begun to hand over."""
    for worker in workers:
        worker.kill()
    results._writer.close()


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


def end_with_parent(until_closed: Connection) -> None:
    """End this worker when the process that started it closes a pipe or is gone, killed perhaps.

    Ctrl-C reaches every process of a terminal; only the one in front has something to say.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What there is to say of plug-ins has been said by the process in front.
    warnings.simplefilter("ignore", SummetryWarning)
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        wait_for([parent.sentinel, until_closed])
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
