"""``summetry download``: data that others publish and Summetry can use."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from pathlib import Path
from typing import Annotated

import typer

from summetry.cli._inputs import JsonOption
from summetry.cli._json import print_json
from summetry.cli._progress import progress_bar
from summetry.errors import SummetryError, UnknownNameError, shorten
from summetry.files import write_whole
from summetry.lexicons.download import Download, fetch
from summetry.lexicons.roget import read_book
from summetry.lexicons.word_paths import load_paths, thesaurus_folder

# Roget's Thesaurus as Project Gutenberg has had it since October 28, 2024 (1,519,303 bytes).
DOWNLOADS = {
    "roget1911": Download(
        url="https://www.gutenberg.org/cache/epub/10681/pg10681.txt",
        sha256="7e9f9b78bdef6292e97f46afe1c55f05fe3c5bc1f17a136680afc330675959a1",
    )
}


def download(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to fetch: roget1911.")],
    url: Annotated[str, typer.Option(metavar="URL", help="Fetch it from somewhere else.")] = "",
    sha256: Annotated[
        str, typer.Option(metavar="DIGEST", help="The checksum that the file must have.")
    ] = "",
    force: Annotated[
        bool, typer.Option("--force", help="Fetch it again where it is already.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Fetch data that others publish, into the user's cache.

    roget1911 is Roget's Thesaurus of 1911, from Project Gutenberg, for the ranker semdist. The
    file must have the checksum that Summetry knows, or the one that --sha256 gives.

    \b
    Example:
        summetry download roget1911
    """
    if name not in DOWNLOADS:
        raise UnknownNameError("download", name, DOWNLOADS)
    if sha256 and not re.fullmatch("[0-9A-Fa-f]{64}", sha256):
        raise SummetryError(f"--sha256: expected 64 hexadecimal digits, found {shorten(sha256)}")
    wanted = DOWNLOADS[name]
    wanted = dataclasses.replace(wanted, url=url or wanted.url, sha256=sha256 or wanted.sha256)
    path = thesaurus_folder() / f"{name}.txt"
    if _is_there(path, wanted, force):
        _tell(path, "is there already", as_json)
        return
    with progress_bar("bytes fetched") as show:
        content = fetch(wanted, show)
    if not read_book(content.decode("utf-8-sig", "replace")):
        raise SummetryError(f"{wanted.url}: expected Roget's Thesaurus, found no head of it")
    write_whole(path, content)
    _tell(path, "written", as_json)


def _is_there(path: Path, wanted: Download, force: bool) -> bool:
    if force or not path.is_file():
        return False
    return hashlib.sha256(path.read_bytes()).hexdigest() == wanted.sha256.lower()


def _tell(path: Path, what: str, as_json: bool) -> None:
    # To read it now makes the first use quick.
    known = load_paths(path)
    if as_json:
        print_json({"path": str(path), "words": len(known)})
        return
    typer.echo(f"{path}: {what}, {len(known):,} words and phrases")
