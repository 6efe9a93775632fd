"""Work that could take any time and memory, in a process of its own that is ended at the limit."""

from __future__ import annotations

import contextlib
import os
import pickle
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from summetry.engine.workers import Worker
from summetry.errors import SummetryError, counted

P = ParamSpec("P")
Result = TypeVar("Result")
_MEGABYTE = 2**20


class TooMuchError(SummetryError):
    """Work that did not end within its time or memory."""


class Bounded:
    """Calls functions in one process after the other's call; it begins at the first and stays."""

    def __init__(self, seconds: float, megabytes: int) -> None:
        self.seconds, self.megabytes = seconds, megabytes
        self._lock = threading.Lock()
        self._worker: Worker | None = None

    def run(self, function: Callable[P, Result], *arguments: P.args, **named: P.kwargs) -> Result:
        """What a function of a module gives; refused where it needs more time or memory."""
        task = pickle.dumps((self.megabytes, function, arguments, named))
        with self._lock:
            try:
                if self._worker is None or not self._worker.process.is_alive():
                    self._worker = _started()
                result, error, where = self._outcome(self._worker, task)
                if isinstance(error, MemoryError):
                    raise self._too_little_memory()
            except BaseException:
                self._end()
                raise
        if error is not None:
            raise error from (None if isinstance(error, SummetryError) else RuntimeError(where))
        return result  # type: ignore[no-any-return]

    def _outcome(self, worker: Worker, task: bytes) -> Any:
        try:
            worker.pipe.send_bytes(task)
            if not worker.pipe.poll(self.seconds):
                limit = counted(round(self.seconds), "second")
                raise TooMuchError(f"took longer than {limit}, and was ended")
            return pickle.loads(worker.pipe.recv_bytes())
        except (EOFError, OSError):
            # Some code cannot go on without memory.
            raise self._too_little_memory() from None

    def _too_little_memory(self) -> TooMuchError:
        return TooMuchError(f"needed more than {self.megabytes:,} MB of memory, and was ended")

    def _end(self) -> None:
        if self._worker is not None:
            self._worker.process.kill()
            self._worker.end()
            self._worker = None


def _started() -> Worker:
    worker = Worker(_call)
    worker.pipe.send_bytes(pickle.dumps((0, int, (), {})))
    try:
        worker.pipe.recv_bytes()
    except (EOFError, OSError) as error:
        raise RuntimeError("a process that the page needs does not start") from error
    return worker


def _call(task: tuple[int, Callable[..., Any], tuple[Any, ...], dict[str, Any]]) -> Any:
    megabytes, function, arguments, named = task
    if megabytes:
        _limit_memory(megabytes)
    return function(*arguments, **named)


def _limit_memory(megabytes: int) -> None:
    """Refuse this process more memory than it has now, and so many megabytes."""
    # Arrow would reserve more than it uses.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    if sys.platform != "linux":
        # Elsewhere only the time is limited.
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + megabytes * _MEGABYTE
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    with contextlib.suppress(ValueError):
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
