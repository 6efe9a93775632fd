"""The text of a file: UTF-8, or for files that were handed down, what their time wrote."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from summetry.errors import FormatError, Place, counted, warn
from summetry.files import decoded_text


def warn_at(place: object, what: str) -> None:
    """Say what is odd at a place that was read all the same."""
    warn(f"{place}: {what}")


def warn_of_rows(first: Place, rows: int, what: str) -> None:
    """Say at the first of some rows what they have, or lack."""
    who = f"this row and {counted(rows - 1, 'other')} have" if rows > 1 else "this row has"
    warn_at(first, f"{who} {what}")


def read_text(path: Path) -> str:
    """The text of a file; a byte order mark and CRLF are not part of a text."""
    return checked_text(path.read_bytes(), str(path))


def checked_text(content: bytes, name: str) -> str:
    """The text of what was read from ``name``, which must look like text."""
    text = decoded_text(content, name)
    if "\x00" in text:
        # UTF-16 without a mark, for one, has such a byte beside nearly every letter.
        place = Place(name, text.count("\n", 0, text.index("\x00")) + 1)
        raise FormatError(place, "text", "a zero byte", "is it UTF-16, or no text file?")
    return text


def decode_old(content: bytes, path: Path) -> str:
    """UTF-8, or else, with a note, the encoding of old Windows, which holds Latin-1."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        place = Place(str(path), content.count(b"\n", 0, error.start) + 1)
        warn_at(place, f"the byte {content[error.start]:#04x} is not UTF-8; read as Windows-1252")
        # Five bytes mean nothing there; what stood in their place is not known.
        return content.decode("cp1252", "replace")


def read_old_text(path: Path) -> str:
    """The text of a file as :func:`decode_old` reads it."""
    content = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    return decode_old(content, path).replace("\r\n", "\n")


def read_columns(path: Path) -> Iterator[tuple[Place, list[str]]]:
    """The lines of an old table, cut at blanks and tabs; blank lines are left out."""
    for number, line in enumerate(read_old_text(path).split("\n"), start=1):
        if cells := line.split():
            yield Place(str(path), number), cells


def about_comma(cell: Any) -> str:
    """What to do about a number with a decimal comma; nothing where a cell is none.

    >>> about_comma("0,5"), about_comma("0.5")
    ('decimal commas are not read: write 0.5 for 0,5', '')
    >>> about_comma("1,234")
    'commas in numbers are not read: write 1.234 or 1234 for 1,234, whichever is meant'
    """
    number = str(cell).strip()
    if not re.fullmatch(r"[+-]?\d+,\d+", number):
        return ""
    decimal, whole = number.replace(",", "."), number.replace(",", "")
    if re.fullmatch(r"[+-]?[1-9]\d{0,2},\d{3}", number):
        return (
            f"commas in numbers are not read: write {decimal} or {whole} for {number}, "
            "whichever is meant"
        )
    return f"decimal commas are not read: write {decimal} for {number}"


def number_in(cell: Any) -> float | None:
    """The number that a cell is or spells; None where it is something else."""
    try:
        return None if isinstance(cell, bool) else float(cell)
    except (TypeError, ValueError):
        return None
