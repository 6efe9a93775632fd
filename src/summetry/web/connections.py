"""Limits of connections: requests that do not come in time, and too many that wait."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import Any, ClassVar

from uvicorn.protocols.http.auto import AutoHTTPProtocol

# The head of a request must be there in so many seconds.
HEAD_SECONDS = 10.0
MOST = 10_000
# What the server opens beside connections: the database, the files of uploads.
_OTHER_FILES = 200


def connection_limit() -> int:
    """How many connections there can be, once the limit of open files is raised for them."""
    if sys.platform == "win32":
        return MOST
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + _OTHER_FILES
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        wanted = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return max(wanted - _OTHER_FILES, wanted // 2)


class LimitedProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """A connection that is ended if the head of a request does not come in time.

    If there are too many, the one that has waited longest for a request makes room for a new one.
    """

    most: ClassVar[int] = MOST
    # In the order in which they began to wait.
    waiting: ClassVar[dict[Any, None]] = {}
    deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self._await_head()
        if len(self.connections) > self.most:
            next(iter(self.waiting)).transport.abort()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_idle():
            self._await_head()
        else:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._is_idle() and not self.transport.is_closing():
            # Until something comes, the time that an idle connection has is counted elsewhere.
            self.waiting[self] = None

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _is_idle(self) -> bool:
        return self.cycle is None or bool(self.cycle.response_complete)

    def _await_head(self) -> None:
        self.waiting.setdefault(self)
        if self.deadline is None:
            self.deadline = self.loop.call_later(HEAD_SECONDS, self.transport.abort)

    def _stop_waiting(self) -> None:
        self.waiting.pop(self, None)
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None
