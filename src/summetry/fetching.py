"""Answers of servers, read up to a limit; a token goes only to the server that was named."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import SplitResult, urlsplit

from summetry.arguments import Progress
from summetry.errors import SummetryError, shorten

LOOPBACK = ("localhost", "127.0.0.1", "::1")
_PIECE = 1 << 16


class FetchError(SummetryError):
    """Why an address gave nothing; ``status`` is what the server answered, 0 if it did not."""

    def __init__(self, why: str, status: int = 0) -> None:
        super().__init__(why)
        self.status = status


def is_unencrypted(url: str) -> bool:
    """Whether others in the network can read what is sent to an address."""
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname not in LOOPBACK


def fetch(
    url: str,
    most: int,
    *,
    token: str = "",
    schemes: tuple[str, ...] = ("https",),
    timeout: float = 30,
    progress: Progress | None = None,
) -> bytes:
    """What is at an address, at most so many bytes of it."""
    if why := _wrong_scheme(url, schemes):
        raise SummetryError(why)
    request = urllib.request.Request(url, headers={"User-Agent": "summetry"})
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    opener = urllib.request.build_opener(_Redirects(schemes))
    pieces, done = [], 0
    try:
        with opener.open(request, timeout=timeout) as answer:
            total = int(answer.headers.get("Content-Length") or 0)
            while piece := answer.read(_PIECE):
                pieces.append(piece)
                done += len(piece)
                if max(done, total) > most:
                    raise FetchError(f"expected at most {most:,} bytes, found more")
                if progress:
                    progress(done, max(total, done))
    except urllib.error.HTTPError as error:
        error.close()  # It is an open answer as well.
        why = f"the server answered {error.code} {error.reason}"
        raise FetchError(why, error.code) from error
    except FetchError:
        raise
    except (http.client.HTTPException, OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise FetchError(f"{reason}" or type(error).__name__) from error
    if done < total:
        raise FetchError(f"the connection broke off after {done:,} of {total:,} bytes")
    return b"".join(pieces)


async def first_bytes(pieces: AsyncIterator[bytes], most: int) -> tuple[bytes, bool]:
    """What a server sends, at most so many bytes of it; whether that is all."""
    content = bytearray()
    async for piece in pieces:
        content += piece
        if len(content) > most:
            return bytes(content[:most]), False
    return bytes(content), True


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows a server to an address that would have been taken; with a token, to itself only."""

    def __init__(self, schemes: tuple[str, ...]) -> None:
        self.schemes = schemes

    def redirect_request(
        self, request: urllib.request.Request, answer: Any, *details: Any
    ) -> urllib.request.Request | None:
        old, new = urlsplit(request.full_url), urlsplit(details[-1])
        schemes = ("https",) if old.scheme == "https" else self.schemes
        why = _wrong_scheme(details[-1], schemes)
        if request.has_header("Authorization") and _origin(old) != _origin(new):
            why = f"the server redirects to {new.scheme}://{new.netloc}, which gets no token"
        if why:
            answer.close()  # Nobody else gets it.
            raise FetchError(why)
        return super().redirect_request(request, answer, *details)


def _origin(parts: SplitResult) -> tuple[str, str | None, int | None]:
    return parts.scheme, parts.hostname, parts.port


def _wrong_scheme(url: str, schemes: tuple[str, ...]) -> str:
    if urlsplit(url).scheme.lower() in schemes:
        return ""
    names = " or ".join(f"{scheme}://" for scheme in schemes)
    return f"expected an address that begins with {names}, found {shorten(url)}"
