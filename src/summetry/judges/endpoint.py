"""An endpoint that speaks OpenAI's ``/v1/chat/completions``: vLLM, ollama, llama.cpp, a vendor.

A request is repeated after a time-out, a broken connection, and the statuses 408, 409, 425, 429 and
5xx, each time after twice the wait, with some chance in it, or when the server says (Retry-After,
which holds for all requests). Any other refusal ends the run: the next request would meet it, too.

The key goes into a header of the connection and nowhere else; where a server repeats it in what it
answers, it is struck out.
"""

from __future__ import annotations

import asyncio
import email.utils
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import httpx
import msgspec

from summetry.errors import SummetryError
from summetry.fetching import LOOPBACK, first_bytes

_AGAIN = (408, 409, 425, 429)
# No wait is longer, and a server that asks for a longer one ends the run.
_LONGEST_WAIT = 60.0
_LONGEST_ASKED = 900.0
# A shorter key is a word such as EMPTY, which local servers are given, and no secret.
_SECRET = 8
_STRUCK = "[key]"
# Of an answer; one with very much reasoning has some hundred thousand.
_MOST_BYTES = 1 << 24
# What is kept of a longer one, so that it can be looked at.
_KEPT = 10_000
_ADVICE = {
    400: "is a parameter, or so long a text, not possible there? --set NAME=VALUE changes one",
    401: "--key-env NAME says which variable holds the key",
    403: "--key-env NAME says which variable holds the key",
    404: "are --url and --model right?",
}


class StoppedError(SummetryError):
    """A server that will answer no request: the run ends, and what it has is kept."""


class Reply(NamedTuple):
    """What came back: a JSON object, another body, or the problem of the last attempt."""

    response: dict[str, Any] | None = None
    body: str | None = None
    problem: str = ""
    attempts: int = 1
    seconds: float = 0.0


@dataclass(frozen=True)
class Patience:
    """How long is waited, in seconds, and how often a request is sent at most."""

    timeout: float = 120.0
    attempts: int = 5
    wait: float = 1.0


def chat_url(url: str) -> str:
    """The address that requests are sent to.

    >>> chat_url("http://localhost:11434"), chat_url("https://api.example/v1/")
    ('http://localhost:11434/v1/chat/completions', 'https://api.example/v1/chat/completions')
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise SummetryError(f"--url: expected http://HOST:PORT/v1 or https://..., found {url!r}")
    if parts.username or parts.password:
        raise SummetryError("--url: a password has no place in an address; --key-env names a key")
    path = parts.path.rstrip("/")
    if not path.endswith("/chat/completions"):
        path = f"{path or '/v1'}/chat/completions"
    return parts._replace(path=path, fragment="").geturl()


def server_of(url: str) -> str:
    """The server of an address, without path and query."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


@dataclass
class Endpoint:
    """A server, and how patient we are with it; to be used in ``async with``."""

    url: str
    key: str = field(repr=False)
    patience: Patience
    concurrency: int
    # Whether the run is to end: nothing is repeated any more.
    is_ending: Callable[[], bool] = lambda: False
    _not_before: float = 0.0

    async def __aenter__(self) -> Endpoint:
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        is_near = urlsplit(self.url).hostname in LOOPBACK
        self._client = httpx.AsyncClient(
            headers=headers,
            timeout=httpx.Timeout(self.patience.timeout),
            limits=httpx.Limits(max_connections=self.concurrency),
            # No proxy stands between us and this machine.
            trust_env=not is_near,
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._client.aclose()

    async def ask(self, body: dict[str, Any]) -> Reply:
        """Send a request until it is answered, or has failed so often as we are patient."""
        problem, attempt = "", 0
        while attempt < self.patience.attempts and not (attempt and self.is_ending()):
            attempt += 1
            await self._until(self._not_before)
            began = time.monotonic()
            wait: float | None = None
            try:
                # In all, not only between two parts of an answer, as httpx counts.
                async with (
                    asyncio.timeout(self.patience.timeout),
                    self._client.stream("POST", self.url, json=body) as response,
                ):
                    content, is_whole = await first_bytes(response.aiter_bytes(), _MOST_BYTES)
            except (TimeoutError, httpx.TimeoutException):
                problem = f"no answer within {self.patience.timeout:g} s"
            except httpx.ConnectError as error:
                problem = f"no connection ({self._clean(str(error))})"
            except (httpx.TransportError, httpx.DecodingError) as error:
                problem = (
                    f"the connection broke ({self._clean(str(error)) or type(error).__name__})"
                )
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise StoppedError(f"{self.url}: {self._clean(str(error))}") from None
            else:
                text = content.decode("utf-8", "replace")
                if response.status_code == 200:
                    if not is_whole:
                        text = f"{text[:_KEPT]} [cut: the answer has over {_MOST_BYTES:,} bytes]"
                    return self._read(text, attempt, time.monotonic() - began)
                self._refuse(response, text)
                problem = f"{response.status_code} {response.reason_phrase}".strip()
                wait = _asked_wait(response.headers.get("Retry-After", ""))
                if wait is not None:
                    self._pause(wait, problem)
            if attempt < self.patience.attempts:
                await self._until(time.monotonic() + max(wait or 0, self._wait(attempt)))
        self._give_up(problem, attempt)
        return Reply(problem=problem, attempts=attempt)

    def _read(self, text: str, attempts: int, seconds: float) -> Reply:
        try:
            decoded = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError):
            decoded = None
        if not isinstance(decoded, dict):
            return Reply(body=self._clean(text), attempts=attempts, seconds=seconds)
        # Whatever way the server writes its JSON, a key in it stands there in one way now.
        plain = self._clean(msgspec.json.encode(decoded).decode())
        return Reply(msgspec.json.decode(plain), attempts=attempts, seconds=seconds)

    def _refuse(self, response: httpx.Response, text: str) -> None:
        """End the run where no repetition would help."""
        status = response.status_code
        if status in _AGAIN or status >= 500:
            return
        said = " ".join(self._clean(_words_of(text)).split())[:300]
        advice = f"; {_ADVICE[status]}" if status in _ADVICE else ""
        words = f"{status} {response.reason_phrase}".strip()
        raise StoppedError(
            f"{self.url}: the server refuses the request ({words}){': ' if said else ''}{said}"
            f"{advice}"
        )

    def _give_up(self, problem: str, attempts: int) -> None:
        """End the run where the failure has nothing to do with the request."""
        if problem.startswith(("no connection", "429")):
            tried = "once" if attempts == 1 else f"{attempts} times"
            raise StoppedError(f"{self.url}: {problem}, tried {tried}; is the server there?"
                               if problem.startswith("no connection") else
                               f"{self.url}: {problem}, tried {tried}; too many requests for this "
                               f"server or account: a smaller --concurrency, or later")  # fmt: skip

    def _pause(self, seconds: float, problem: str) -> None:
        if seconds > _LONGEST_ASKED:
            raise StoppedError(
                f"{self.url}: {problem}; the server asks to wait {seconds:,.0f} s, so try later"
            )
        self._not_before = max(self._not_before, time.monotonic() + seconds)

    def _wait(self, attempt: int) -> float:
        # By chance, so that requests that failed together do not come back together.
        longest = min(self.patience.wait * 2 ** (attempt - 1), _LONGEST_WAIT)
        return float(longest * random.uniform(0.5, 1.0))

    async def _until(self, moment: float) -> None:
        while not self.is_ending() and (rest := moment - time.monotonic()) > 0:
            await asyncio.sleep(min(rest, 0.5))

    def _clean(self, text: str) -> str:
        """What a server says, without the key: as it is, and as it stands in JSON."""
        if len(self.key) < _SECRET:
            return text
        quoted = msgspec.json.encode(self.key).decode()[1:-1]
        return text.replace(quoted, _STRUCK).replace(self.key, _STRUCK)


def _asked_wait(header: str) -> float | None:
    """The seconds that a header Retry-After asks for; it may name a time instead."""
    if header.strip().isdecimal():
        return float(header)
    try:
        moment = email.utils.parsedate_to_datetime(header)
    except (TypeError, ValueError):
        return None
    return max(moment.timestamp() - time.time(), 0.0)


def _words_of(text: str) -> str:
    """What a server says of an error: OpenAI's form, or the body."""
    try:
        error: Any = msgspec.json.decode(text)
        for name in ("error", "message"):
            error = error.get(name, error) if isinstance(error, dict) else error
    except (msgspec.DecodeError, RecursionError):
        return text
    return error if isinstance(error, str) else text
