"""Cookies, forms that only our own pages can send, limits, and the headers of every answer."""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import threading
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from summetry.fetching import LOOPBACK

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

VISIT = "summetry_visit"
RESEARCHER = "summetry_researcher"
# Researchers log in again after half a day; informants keep their place for half a year.
HALF_A_DAY = 12 * 3600
HALF_A_YEAR = 182 * 24 * 3600
MEGABYTE = 2**20
# A request may take so many seconds, and more the more it sends: so many bytes per second.
PATIENCE = 20.0
SLOWEST = 10_000

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
# Where the page is served by https, browsers ask for it by nothing else for a year.
HSTS = {"Strict-Transport-Security": "max-age=31536000"}


def form_token(visit: str) -> str:
    """What the forms of a visit carry; other sites can neither read nor set the visit's cookie."""
    return hashlib.sha256(f"form:{visit}".encode()).hexdigest()


def set_cookie(
    request: Request, response: Response, name: str, value: str, lasting: int, path: str = "/"
) -> None:
    response.set_cookie(
        name,
        value,
        max_age=lasting,
        path=path,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def comes_from_here(request: Request) -> bool:
    """Whether a form was sent by one of our own pages, as far as the browser says."""
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")


def address_of(request: Request) -> str:
    """Who is limited together: an IPv4 address, or the 64 bits of IPv6 that a household has."""
    host = request.client.host if request.client else ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    return host if address.version == 4 else str(ipaddress.ip_network((int(address), 64), False))


class RateLimit:
    """At most so many tries in so many seconds, for each of those who try."""

    def __init__(self, tries: int, seconds: float) -> None:
        self.tries, self.seconds = tries, seconds
        self._times: dict[str, list[float]] = {}
        self._lock = threading.Lock()

    def allows(self, *who: str) -> bool:
        """Count a try of each of these, unless it is one too many for any of them."""
        moment = time.monotonic()
        with self._lock:
            if len(self._times) > 10_000:
                # Those that have not tried for a while are forgotten.
                self._times = {name: self._recent(name, moment) for name in self._times}
                self._times = {name: times for name, times in self._times.items() if times}
            recent = {name: self._recent(name, moment) for name in who}
            if any(len(times) >= self.tries for times in recent.values()):
                return False
            self._times |= {name: [*times, moment] for name, times in recent.items()}
            return True

    def forgive(self, *who: str) -> None:
        """Take back the last try of each of these: it was right."""
        with self._lock:
            for name in who:
                if times := self._times.get(name):
                    times.pop()

    def _recent(self, name: str, moment: float) -> list[float]:
        return [then for then in self._times.get(name, ()) if moment - then <= self.seconds]


class Guard:
    """Around the whole application: the name it is asked by, the size and the pace of requests,
    and the headers of every answer.

    With ``url``, all addresses on the pages begin with it, whatever the proxy in front passes on.
    """

    def __init__(
        self, app: Callable[..., Awaitable[None]], largest: int, upload: int, url: str = ""
    ) -> None:
        self.app, self.largest, self.upload = app, largest, upload
        self.url = urlsplit(url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path, given = scope["path"], dict(scope["headers"])
        host = given.get(b"host", b"").decode("latin-1")
        if not self._is_ours(host, scope):
            words = f"this page is not served as {host[:200]!r}; `summetry serve --url` names it"
            await PlainTextResponse(words, 400, HEADERS)(scope, receive, send)
            return
        if self.url.netloc:
            inner = [(name, value) for name, value in scope["headers"] if name != b"host"]
            inner.append((b"host", self.url.netloc.encode()))
            scope = {**scope, "scheme": self.url.scheme, "headers": inner}
        most = self.upload if path.endswith(("/upload", "/import")) else self.largest
        too_large = PlainTextResponse(
            f"too large: expected at most {most // MEGABYTE} MB", 413, HEADERS
        )
        length = given.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > most:
            await too_large(scope, receive, send)
            return
        taken, is_whole = 0, False
        refused: PlainTextResponse | None = None
        begun = asyncio.get_running_loop().time()

        async def limited() -> MutableMapping[str, Any]:
            nonlocal taken, is_whole, refused
            try:
                # What comes after the whole request is that the client has gone.
                end = None if is_whole else begun + PATIENCE + taken / SLOWEST
                async with asyncio.timeout_at(end):
                    message = await receive()
            except TimeoutError:
                refused = PlainTextResponse("too slow: the request was not sent", 408, HEADERS)
                return {"type": "http.disconnect"}
            taken += len(message.get("body", b""))
            is_whole = not message.get("more_body", False)
            if taken > most:
                # Without a declared length: end the request, the rest is not read.
                refused = too_large
                return {"type": "http.disconnect"}
            return message

        added = HEADERS | (HSTS if scope["scheme"] == "https" else {})
        if not path.startswith("/static/"):
            # Pages hold what is somebody's own.
            added["Cache-Control"] = "no-store"

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = [(k.lower().encode(), v.encode()) for k, v in added.items()]
                message["headers"] = [*message.get("headers", []), *headers]
            await send(message)

        try:
            await self.app(scope, limited, with_headers)
        except ClientDisconnect:
            # One who has gone gets no answer.
            if refused:
                await refused(scope, receive, send)

    def _is_ours(self, host: str, scope: Scope) -> bool:
        """Whether a request names this server: as ``url``, as loopback, or by its own address."""
        try:
            name = urlsplit(f"//{host}").hostname
        except ValueError:
            return False
        own = (scope.get("server") or ("",))[0]
        return bool(name) and name in (*LOOPBACK, self.url.hostname, own)
