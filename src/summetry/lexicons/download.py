"""Fetching a file over the network; only ``summetry download`` does so."""

from __future__ import annotations

import hashlib
import http.client
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass

from summetry.errors import SummetryError

# Seconds without an answer.
_PATIENCE = 30
_PIECE = 1 << 16

# Called with the number of bytes so far and of all.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Download:
    """A file somewhere, and the SHA-256 by which it is known to be the right one."""

    url: str
    sha256: str


def fetch(wanted: Download, progress: Progress | None = None) -> bytes:
    """The content of a file, whole and checked."""
    content = _read(wanted.url, progress)
    found = hashlib.sha256(content).hexdigest()
    if found != wanted.sha256.lower():
        raise SummetryError(
            f"{wanted.url}: expected a file with the SHA-256 {wanted.sha256}, found {found} "
            f"({len(content):,} bytes); nothing was kept. Try again; if the publisher has changed "
            f"the file and you trust it, give --sha256 {found}"
        )
    return content


def _read(url: str, progress: Progress | None) -> bytes:
    pieces: list[bytes] = []
    done = 0
    try:
        request = urllib.request.Request(url, headers={"User-Agent": "summetry"})
        with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:
            total = int(answer.headers.get("Content-Length") or 0)
            while piece := answer.read(_PIECE):
                pieces.append(piece)
                done += len(piece)
                if progress:
                    progress(done, max(total, done))
    except urllib.error.HTTPError as error:
        error.close()  # It is an open answer as well.
        raise _failed(url, f"the server answered {error.code} {error.reason}") from error
    except (http.client.HTTPException, OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise _failed(url, f"{reason}" or type(error).__name__) from error
    if done < total:
        raise _failed(url, f"the connection broke off after {done:,} of {total:,} bytes")
    return b"".join(pieces)


def _failed(url: str, why: str) -> SummetryError:
    return SummetryError(
        f"cannot download {url}: {why}; nothing was kept. Try again, or fetch the file by other "
        f"means and name it, as in --thesaurus FILE"
    )
