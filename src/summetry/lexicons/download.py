"""Fetching data that others publish into the user's cache; only ``summetry download`` does so."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from summetry.arguments import Progress
from summetry.errors import SummetryError, must_be_known, shorten
from summetry.fetching import FetchError, fetch
from summetry.files import write_whole
from summetry.lexicons.roget import read_book
from summetry.lexicons.word_paths import load_paths, thesaurus_folder

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
        content = fetch_checked(file, progress)
        if not read_book(content.decode("utf-8-sig", "replace")):
            raise SummetryError(f"{file.url}: expected Roget's Thesaurus, found no head of it")
        write_whole(path, content)
    # To read it now makes the first use quick.
    return path, force or not is_there, len(load_paths(path))


def fetch_checked(file: Download, progress: Progress | None = None) -> bytes:
    """The content of a file, whole and checked."""
    try:
        content = fetch(file.url, _MOST, schemes=_SCHEMES, progress=progress)
    except FetchError as error:
        raise SummetryError(
            f"cannot download {file.url}: {error}; nothing was kept. Try again, or fetch the file "
            f"by other means and name it, as in `summetry rank --thesaurus FILE`"
        ) from error
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
