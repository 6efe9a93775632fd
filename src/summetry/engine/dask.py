"""Tasks worked on by a Dask cluster.

This is the whole of an engine: a function that is given the work and the tasks and yields the
results in the order of the tasks. Another cluster needs another function like it.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar, cast

from summetry import __version__, installed
from summetry.engine.local import KEPT, Ready
from summetry.engine.plan import Task
from summetry.errors import SummetryError, counted, optional_module
from summetry.files import fingerprint_of_code

Result = TypeVar("Result")
# How many groups of tasks each thread has: one to work on, one to go on with.
_AHEAD = 2
# A group costs the scheduler and this process some milliseconds, and its way here takes longer: it
# is to be work for at most so many seconds, and so many tasks, whose results are held together.
_GROUP_SECONDS, _GROUP_TASKS = 1.0, 8
# How many groups of results are fetched while those before them are used.
_FETCHED = 3
# How many seconds a cluster has to get its first worker.
_PATIENCE = 30
# After how many seconds a user is told what is waited for.
_SILENCE = 3


@dataclass
class _Group:
    """Tasks that are sent together, and what is on its way: their results."""

    tasks: list[Any]
    # The result of the task after these, if it is there already.
    ready: list[Any]
    future: Any = None
    fetched: Future[Any] | None = None

    @classmethod
    def of(cls, tasks: Iterator[Any], size: int) -> _Group | None:
        """The next tasks, up to one whose result is there; None when there are no more."""
        group = cls([], [])
        for task in islice(tasks, size):
            if isinstance(task, Ready):
                group.ready.append(task.result)
                break
            group.tasks.append(task)
        return group if group.tasks or group.ready else None

    def fetch(self, client: Any) -> None:
        """Fetch the results as soon as they are there, while this process does something else."""
        if self.future and not self.fetched:
            results = client.gather(self.future, asynchronous=True)
            self.fetched = asyncio.run_coroutine_threadsafe(results, client.loop.asyncio_loop)

    def result(self) -> tuple[list[Any], float]:
        """The results, and how many seconds they took to compute."""
        from distributed import KilledWorker
        from distributed.comm.core import CommClosedError

        assert self.fetched
        try:
            return cast(tuple[list[Any], float], self.fetched.result())
        except KilledWorker as error:
            raise SummetryError(
                f"workers of the Dask cluster died again and again on the same work, "
                f"{self.tasks[0]}, perhaps for want of memory; {KEPT}"
            ) from error
        except (CancelledError, CommClosedError) as error:
            raise SummetryError(f"the Dask cluster gave up work ({error}); {KEPT}") from error


@dataclass(frozen=True)
class OnDask:
    """Works on tasks wherever the workers of a Dask client are."""

    client: Any
    # Called with what a user who waits should know.
    say: Callable[[str], None] = lambda words: None

    def __call__(
        self, work: Callable[[Task], Result], tasks: Iterable[Task | Ready[Result]]
    ) -> Iterator[Result]:
        client, expected = self.client, versions()
        check_workers(client, expected, self.say)
        source, size = self._as_sent(tasks), 1
        groups: deque[_Group] = deque()
        try:
            while True:
                with _saying_that_it_is_gone(client):
                    # Workers may come and go.
                    threads = max(sum(client.nthreads().values()), 1)
                while len(groups) < _AHEAD * threads and (group := _Group.of(source, size)):
                    groups.append(group)
                    if group.tasks:
                        sent = checked, work, group.tasks, expected
                        with _saying_that_it_is_gone(client):
                            group.future = client.submit(*sent, pure=False)
                if not groups:
                    return
                for group in islice(groups, _FETCHED):
                    group.fetch(client)
                if groups[0].future:
                    results, seconds = groups[0].result()
                    tasks_in_time = len(results) * _GROUP_SECONDS / max(seconds, 0.001)
                    size = max(1, min(round(tasks_in_time), _GROUP_TASKS))
                    yield from results
                yield from groups.popleft().ready
        finally:
            # What nobody will ask for any more, after an error or Ctrl-C. A scheduler that is gone
            # has been told of.
            with contextlib.suppress(OSError):
                client.cancel([group.future for group in groups if group.future])

    def _as_sent(self, tasks: Iterable[Task | Ready[Result]]) -> Iterator[Task | Ready[Result]]:
        """The tasks as ranges of their files where all workers see these, else with their rows."""
        see_files: dict[Path | None, bool] = {None: True}
        for task in tasks:
            if isinstance(task, Ready):
                yield task
                continue
            path = task.path
            if path not in see_files:
                assert path is not None
                see_files[path] = _all_see(self.client, path)
            yield task.by_place() if see_files[path] else task.at_hand()


@contextlib.contextmanager
def opened(scheduler: str, workers: int, say: Callable[[str], None]) -> Iterator[OnDask]:
    """A cluster at an address, or one of ``workers`` processes that is started on this machine.

    How the connection is secured is in Dask's own configuration.
    """
    distributed = optional_module("distributed", "a Dask cluster")
    if not scheduler:
        # What a worker fails at is said here, once; its page is at a port that is free.
        how = {"silence_logs": logging.CRITICAL, "dashboard_address": "127.0.0.1:0"}
        local = distributed.LocalCluster(n_workers=workers, threads_per_worker=1, **how)
        with local as own, distributed.Client(own, direct_to_workers=True) as client:
            say(
                f"no --scheduler is named: a cluster of {counted(workers, 'process', 'processes')} "
                f"runs on this machine, at {own.scheduler_address}, as long as this command"
            )
            yield OnDask(client)
        return
    # What goes wrong there is said here, once, and without the tracebacks of every try.
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        with _said_if_it_takes_long(f"the Dask scheduler at {scheduler} does not answer yet", say):
            client = distributed.Client(scheduler)
    except (OSError, ValueError, TypeError) as error:
        reason = str(error).partition("\n")[0]
        raise SummetryError(
            f"--scheduler {scheduler}: expected the address of a Dask scheduler such as "
            f"tcp://host:8786, and none answers ({reason})"
        ) from error
    with client:
        yield OnDask(client, say)


@contextlib.contextmanager
def _said_if_it_takes_long(words: str, say: Callable[[str], None]) -> Iterator[None]:
    timer = threading.Timer(_SILENCE, say, [words])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextlib.contextmanager
def _saying_that_it_is_gone(client: Any) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = str(error).partition("\n")[0]
        raise SummetryError(
            f"the Dask scheduler at {client.scheduler.address} does not answer any more "
            f"({reason}); {KEPT}"
        ) from error


@cache
def versions() -> dict[str, str]:
    """What must be the same wherever tasks are worked on, for equal numbers."""
    found = {"Python": ".".join(map(str, sys.version_info[:2])), "summetry": __version__}
    libraries = ("numpy", "scipy", "PyStemmer", "rapidfuzz", "regex")
    found |= zip(libraries, installed.versions(libraries), strict=True)
    return found | {"the code of summetry": fingerprint_of_code()[:10]}


def check_workers(
    client: Any, expected: dict[str, str], say: Callable[[str], None] = lambda words: None
) -> None:
    address = client.scheduler.address
    try:
        with _said_if_it_takes_long(f"the Dask scheduler at {address} has no workers yet", say):
            client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError as error:
        raise SummetryError(
            f"the Dask scheduler at {address} has no workers; start some with "
            f"`dask worker {address} --nthreads 1`"
        ) from error
    try:
        found = client.run(versions)
    except Exception as error:
        raise SummetryError(
            f"the workers of the Dask cluster cannot import summetry ({error}); install the same "
            f"version there: pip install summetry=={__version__}"
        ) from error
    for worker, there in found.items():
        _refuse_others(expected, there, f"the Dask worker {worker}")


def _refuse_others(expected: dict[str, str], found: dict[str, str], whose: str) -> None:
    for name, here in expected.items():
        if found.get(name) != here:
            raise SummetryError(
                f"{whose} has {name} {found.get(name)} where this machine has {here}: numbers "
                f"might differ; install the same versions"
            )


def _all_see(client: Any, path: Path) -> bool:
    """Whether every worker has the same file at a place."""
    here = _beginning(path)
    return all(there == here for there in client.run(_beginning, path).values())


def _beginning(path: Path) -> tuple[int, str] | None:
    try:
        with path.open("rb") as file:
            return path.stat().st_size, hashlib.sha256(file.read(2**16)).hexdigest()
    except OSError:
        return None


def checked(
    work: Callable[[Task], Result], tasks: Sequence[Task], expected: dict[str, str]
) -> tuple[list[Result], float]:
    """The results of ``work``, at a worker that may have come later than the others, and how many
    seconds it took."""
    _refuse_others(expected, versions(), "a Dask worker")
    start = time.perf_counter()
    return [work(task) for task in tasks], time.perf_counter() - start
