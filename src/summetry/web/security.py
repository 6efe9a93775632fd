"""Cookies, forms that only our own pages can send, limits, and the headers of every answer."""

from __future__ import annotations

import hashlib
import hmac
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from itsdangerous import BadSignature, URLSafeTimedSerializer
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

VISIT = "summetry_visit"
RESEARCHER = "summetry_researcher"
# Researchers log in again after half a day; informants keep their place for half a year.
HALF_A_DAY = 12 * 3600
HALF_A_YEAR = 182 * 24 * 3600
MEGABYTE = 2**20

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


class Signer:
    """Signs what a cookie holds, and makes the token that a form carries."""

    def __init__(self, secret: str) -> None:
        self._secret = secret

    def sign(self, purpose: str, value: Any) -> str:
        return URLSafeTimedSerializer(self._secret, salt=purpose).dumps(value)

    def read(self, purpose: str, signed: str | None, oldest: int) -> Any:
        """What was signed, or None if it was not signed by us or is too old."""
        try:
            return URLSafeTimedSerializer(self._secret, salt=purpose).loads(
                signed or "", max_age=oldest
            )
        except BadSignature:
            return None

    def form_token(self, visit: str) -> str:
        return hmac.new(
            self._secret.encode(), b"form:" + visit.encode(), hashlib.sha256
        ).hexdigest()


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


class RateLimit:
    """At most so many tries in so many seconds, for each of those who try."""

    def __init__(self, tries: int, seconds: float) -> None:
        self.tries, self.seconds = tries, seconds
        self._times: defaultdict[str, deque[float]] = defaultdict(deque)

    def allows(self, who: str) -> bool:
        """Count a try; false when it is one too many."""
        moment = time.monotonic()
        if len(self._times) > 10_000:
            # Addresses that have not tried for a while are forgotten.
            for name in [n for n, t in self._times.items() if moment - t[-1] > self.seconds]:
                del self._times[name]
        times = self._times[who]
        while times and moment - times[0] > self.seconds:
            times.popleft()
        if len(times) >= self.tries:
            return False
        times.append(moment)
        return True


class Guard:
    """Around the whole application: the headers of every answer, and the size of every request."""

    def __init__(self, app: Callable[..., Awaitable[None]], largest: int, upload: int) -> None:
        self.app, self.largest, self.upload = app, largest, upload

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        path = scope["path"]
        most = self.upload if path.endswith(("/upload", "/import")) else self.largest
        given = dict(scope["headers"]).get(b"content-length", b"0")
        if not given.isdigit() or int(given) > most:
            await _too_large(most)(scope, receive, send)
            return
        taken = 0

        async def limited() -> MutableMapping[str, Any]:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > most:
                # Without a declared length: end the request, the rest is not read.
                return {"type": "http.disconnect"}
            return message

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                headers = [(k.lower().encode(), v.encode()) for k, v in HEADERS.items()]
                if not path.startswith("/static/"):
                    # Pages hold what is somebody's own.
                    headers.append((b"cache-control", b"no-store"))
                message["headers"] = [*message.get("headers", []), *headers]
            await send(message)

        try:
            await self.app(scope, limited, with_headers)
        except ClientDisconnect:
            # One who has gone gets no answer.
            if taken > most:
                await _too_large(most)(scope, receive, send)


def _too_large(most: int) -> Response:
    return PlainTextResponse(
        f"too large: expected at most {most // MEGABYTE} MB", status_code=413, headers=HEADERS
    )
