"""Fetching data that others publish into the user's cache; only ``summetry download`` does so."""

from __future__ import annotations

import hashlib
import http.client
import re
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from summetry.arguments import Progress
from summetry.errors import SummetryError, must_be_known, shorten
from summetry.files import write_whole
from summetry.lexicons.roget import read_book
from summetry.lexicons.word_paths import load_paths, thesaurus_folder

# Seconds without an answer.
_PATIENCE = 30
_PIECE = 1 << 16
# Bytes of the largest file that is taken; what is published here has one or two million.
_MOST = 50_000_000
# What is checked on arrival should not be readable on its way either.
_SCHEMES = ("https",)


@dataclass(frozen=True)
class Download:
    """A file somewhere, and the SHA-256 by which it is known to be the right one."""

    url: str
    sha256: str


# Roget's Thesaurus as Project Gutenberg has had it since October 28, 2024 (1,519,303 bytes).
DOWNLOADS = {
    "roget1911": Download(
        url="https://www.gutenberg.org/cache/epub/10681/pg10681.txt",
        sha256="7e9f9b78bdef6292e97f46afe1c55f05fe3c5bc1f17a136680afc330675959a1",
    )
}


def download(
    name: str,
    url: str = "",
    sha256: str = "",
    force: bool = False,
    progress: Progress | None = None,
) -> tuple[Path, bool, int]:
    """One of DOWNLOADS in the user's cache, fetched if it is not there already or by ``force``:
    where it is, whether it was fetched just now, and how many words it has.

    ``url`` and ``sha256`` replace the known ones.
    """
    must_be_known("download", name, DOWNLOADS)
    if sha256 and not re.fullmatch("[0-9A-Fa-f]{64}", sha256):
        raise SummetryError(f"--sha256: expected 64 hexadecimal digits, found {shorten(sha256)}")
    known = DOWNLOADS[name]
    file = Download(url or known.url, sha256 or known.sha256)
    path = thesaurus_folder() / f"{name}.txt"
    is_there = path.is_file() and _digest(path.read_bytes()) == file.sha256.lower()
    if force or not is_there:
        content = fetch(file, progress)
        if not read_book(content.decode("utf-8-sig", "replace")):
            raise SummetryError(f"{file.url}: expected Roget's Thesaurus, found no head of it")
        write_whole(path, content)
    # To read it now makes the first use quick.
    return path, force or not is_there, len(load_paths(path))


def fetch(file: Download, progress: Progress | None = None) -> bytes:
    """The content of a file, whole and checked."""
    content = _read(file.url, progress)
    digest = _digest(content)
    if digest != file.sha256.lower():
        raise SummetryError(
            f"{file.url}: expected a file with the SHA-256 {file.sha256}, found {digest} "
            f"({len(content):,} bytes); nothing was kept. Try again; if the publisher has changed "
            f"the file and you trust it, give --sha256 {digest}"
        )
    return content


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Goes where a server sends us, if that is an address that would have been taken."""

    def redirect_request(
        self, request: Any, answer: Any, *details: Any
    ) -> urllib.request.Request | None:
        try:
            _check_scheme(details[-1])
        except SummetryError:
            answer.close()  # Nobody else gets it.
            raise
        return super().redirect_request(request, answer, *details)


def _check_scheme(url: str) -> None:
    if urllib.parse.urlsplit(url).scheme.lower() not in _SCHEMES:
        raise SummetryError(f"expected an address that begins with https://, found {shorten(url)}")


def _read(url: str, progress: Progress | None) -> bytes:
    _check_scheme(url)
    pieces: list[bytes] = []
    done = 0
    try:
        request = urllib.request.Request(url, headers={"User-Agent": "summetry"})
        opener = urllib.request.build_opener(_Redirects)
        with opener.open(request, timeout=_PATIENCE) as answer:
            total = int(answer.headers.get("Content-Length") or 0)
            while piece := answer.read(_PIECE):
                pieces.append(piece)
                done += len(piece)
                if max(done, total) > _MOST:
                    raise _failed(url, f"expected at most {_MOST:,} bytes, found more")
                if progress:
                    progress(done, max(total, done))
    except urllib.error.HTTPError as error:
        error.close()  # It is an open answer as well.
        raise _failed(url, f"the server answered {error.code} {error.reason}") from error
    except SummetryError:
        raise
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
