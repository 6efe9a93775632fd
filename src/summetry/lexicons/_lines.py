"""Reading the lines of a thesaurus file, with the place of every mistake."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from summetry.errors import FormatError, Place, shorten
from summetry.files import decoded_text

T = TypeVar("T")


def read_text(path: Path) -> str:
    return decoded_text(path.read_bytes(), str(path))


def utf8_lines(path: Path) -> Iterator[tuple[Place, str]]:
    """The lines that are not blank."""
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            yield Place(str(path), number), line


def json_lines(path: Path, kind: type[T], expected: str) -> Iterator[tuple[Place, T]]:
    """One record of ``kind`` per line."""
    decode = msgspec.json.Decoder(kind).decode
    for place, line in utf8_lines(path):
        try:
            yield place, decode(line)
        except msgspec.DecodeError as error:
            raise FormatError(place, expected, f"{shorten(line)} ({error})") from None
