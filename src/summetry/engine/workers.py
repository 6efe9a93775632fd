"""Worker processes of this machine, which may be killed at any time."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from typing import Any, Generic

from summetry.engine.local import KEPT, Ready, Result, Task
from summetry.errors import SummetryError, SummetryWarning, warn

_TRIES = 3
# How many tasks are held for each worker: one that it is at, and two that may wait for an earlier
# one to be finished.
_HELD = 3
# How a worker ends that a script's unguarded call makes start workers of its own.
_UNGUARDED = 113
_GUARD = (
    'it has to call Summetry below `if __name__ == "__main__":`, and to define functions that are '
    "metrics above it"
)


class _Job:
    """A task as it is sent, and what became of it: a result, or an error."""

    def __init__(self, task: Any) -> None:
        self.task = task
        self.deaths = 0
        self.is_given = self.is_done = isinstance(task, Ready)
        self.result: Any = task.result if self.is_done else None
        self.error: BaseException | None = None
        # The traceback of the error.
        self.where = ""
        # Made while the workers are at others, so that none waits for it.
        self.content = b"" if self.is_done else pickle.dumps(task, pickle.HIGHEST_PROTOCOL)


class Worker:
    """A process that works on one task after the other, and the one that it is at."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        # A worker begins by importing the user's script, and would start workers without end.
        if getattr(multiprocessing.current_process(), "_inheriting", False):
            os._exit(_UNGUARDED)
        # A fresh interpreter: forking a process that has threads can hang.
        context = multiprocessing.get_context("spawn")
        self.pipe, there = context.Pipe()
        self.process = context.Process(target=_serve, args=(work, there), daemon=True)
        with _without_interruption():
            self.process.start()
        there.close()
        self.job: _Job | None = None

    def give(self, job: _Job) -> None:
        self.job, job.is_given = job, True
        # One that is dead is seen when its result is waited for.
        with contextlib.suppress(OSError):
            self.pipe.send_bytes(job.content)

    def end(self) -> None:
        # What it is at would otherwise be finished, with the user waiting after Ctrl-C.
        if self.job:
            self.process.kill()
        self.pipe.close()
        self.process.join()


class Pool(Generic[Task, Result]):
    """Worker processes, each with a pipe of its own, so that one may be killed (for want of memory,
    say) at any time: another takes its place, and its task."""

    def __init__(self, work: Callable[[Task], Result], most: int) -> None:
        self.work = work
        self.most = most
        self.workers: list[Worker] = []
        self.is_any_finished = False

    def run(self, tasks: Iterable[Task | Ready[Result]]) -> Iterator[Result]:
        source = iter(tasks)
        jobs: deque[_Job] = deque()
        try:
            while True:
                jobs.extend(map(_Job, islice(source, _HELD * self.most - len(jobs))))
                if not jobs:
                    return
                self._give_out([job for job in jobs if not job.is_given])
                if not jobs[0].is_done:
                    self._take()
                    continue
                first = jobs.popleft()
                if first.error:
                    raise first.error from RuntimeError(first.where)
                yield first.result
        finally:
            for worker in self.workers:
                worker.end()

    def _give_out(self, jobs: list[_Job]) -> None:
        """Give a job to each worker who has none."""
        idle = [worker for worker in self.workers if worker.job is None]
        # All are started before the first is sent something, which it takes when it is ready.
        for _ in range(min(len(jobs) - len(idle), self.most - len(self.workers))):
            idle.append(Worker(self.work))
            self.workers.append(idle[-1])
        for worker, job in zip(idle, jobs, strict=False):
            worker.give(job)

    def _take(self) -> None:
        """Wait for workers to hand over what they were at."""
        ready = wait([worker.pipe for worker in self.workers if worker.job])
        for worker in [worker for worker in self.workers if worker.pipe in ready]:
            job = worker.job
            assert job is not None
            try:
                content = worker.pipe.recv_bytes()
            except (EOFError, OSError) as error:
                self.workers.remove(worker)
                worker.end()
                if worker.process.exitcode == _UNGUARDED:
                    raise SummetryError(f"worker processes import their script: {_GUARD}") from None
                self._take_back(job, error)
                continue
            worker.job = None
            job.result, job.error, job.where = pickle.loads(content)
            job.is_done = self.is_any_finished = True

    def _take_back(self, job: _Job, error: Exception) -> None:
        """A job of a worker that died, for another one."""
        job.is_given = False
        job.deaths += 1
        if job.deaths == _TRIES:
            raise SummetryError(
                f"worker processes died {_TRIES} times on the same work, {job.task}, perhaps for "
                f"want of memory; try fewer --workers"
                + (f"; {KEPT}" if self.is_any_finished else f". If a script starts them: {_GUARD}")
            ) from error
        # Where none ever finished, it is not for want of memory.
        if self.is_any_finished:
            warn("a worker process died, perhaps for want of memory; another one does its work")


@contextlib.contextmanager
def _without_interruption() -> Iterator[None]:
    """Ctrl-C waits until the block is over, and workers started in it are born deaf to it.

    One that came while a worker was starting, before it could ignore it, would print a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    # The first worker would start it, which ends the blocking.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(work: Callable[[Any], Any], pipe: Connection) -> None:
    """Work on tasks until the process that started this one closes the pipe or is gone.

    Ctrl-C reaches every process of a terminal; only the one in front has something to say.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What there is to say of plug-ins has been said by the process in front.
    warnings.simplefilter("ignore", SummetryWarning)
    tasks: SimpleQueue[bytes] = SimpleQueue()

    def receive() -> None:
        # In a thread, which sees the end whatever the worker is at.
        with contextlib.suppress(EOFError, OSError):
            while True:
                tasks.put(pipe.recv_bytes())
        os._exit(1)

    threading.Thread(target=receive, daemon=True).start()
    with contextlib.suppress(OSError):
        while True:
            pipe.send_bytes(_outcome(work, tasks.get()))


def _outcome(work: Callable[[Any], Any], task: bytes) -> bytes:
    """The result of a task, or the error and where it was, as they are sent."""
    try:
        return pickle.dumps((work(pickle.loads(task)), None, ""), pickle.HIGHEST_PROTOCOL)
    except BaseException as error:
        return pickle.dumps((None, _sendable(error), f"\n{traceback.format_exc()}"))


def _sendable(error: BaseException) -> BaseException:
    """An error, or its words where the process in front could not make it again."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return SummetryError(f"{type(error).__name__}: {error}")
    return error
