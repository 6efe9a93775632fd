"""Lines of JSON with the place of everything that is wrong with them."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from summetry.errors import FormatError, Place, SummetryWarning, did_you_mean, shorten
from summetry.model.records import Record

R = TypeVar("R", bound=Record)
Report = Callable[[FormatError], None]

_BOM = b"\xef\xbb\xbf"


def read_lines(path: Path) -> Iterator[tuple[Place, bytes]]:
    """The lines of a file that hold anything, without line ends or byte order mark."""
    crlf = False
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            place = Place(str(path), number)
            if number == 1 and line.startswith(_BOM):
                line = line.removeprefix(_BOM)
                _tell(place, "the file starts with a byte order mark, which was left out")
            if line.endswith(b"\r\n") and not crlf:
                crlf = True
                _tell(place, "lines end in CRLF; they were read like lines that end in LF")
            if line.strip():
                yield place, line


def read_records(path: Path, kind: type[R], report: Report) -> Iterator[tuple[Place, R]]:
    """Records of one kind, one a line; ``report`` is given what is wrong with a line."""
    decode = msgspec.json.Decoder(kind).decode
    for place, line in read_lines(path):
        try:
            yield place, decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            report(explain_json_error(place, line, error, kind))


def read_objects(path: Path, report: Report) -> Iterator[tuple[Place, dict[str, Any]]]:
    """JSON objects, one a line, of whatever fields."""
    decode = msgspec.json.Decoder(dict[str, Any]).decode
    for place, line in read_lines(path):
        try:
            yield place, decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            report(explain_json_error(place, line, error, None))


def explain_json_error(
    place: Place, line: bytes, error: Exception, kind: type[Record] | None
) -> FormatError:
    """The error in the words of this program: expected, found, what to do."""
    message = str(error)
    if broken := _broken_utf8(line):
        return FormatError(place, "UTF-8", broken, "save the file as UTF-8")
    if unknown := re.search(r"unknown field `(.*)`(.*)", message):
        fields = [f.name for f in msgspec.structs.fields(kind)] if kind else []
        hint = did_you_mean(unknown[1], fields).strip() or "free fields belong under meta"
        inside = unknown[2].replace(" - at ", " at ").replace("`", "")
        return FormatError(place, "known fields", f"{unknown[1]!r}{inside}", hint)
    if missing := re.search(r"missing required field `(.*)`", message):
        return FormatError(place, f"the field {missing[1]!r}", f"none{_where(message)}")
    if "out of range" in message:
        return FormatError(place, "numbers below 2^63", f"one that is too large{_where(message)}")
    if wrong := re.search(r"Expected `(.*?)`, got `(.*?)`", message):
        return FormatError(place, _in_words(wrong[1]), _in_words(wrong[2]) + _where(message))
    if wrong := re.search(r"Invalid enum value (.*?) - at `\$\.?(.*)`", message):
        return FormatError(place, _choices(kind, wrong[2]), f"{wrong[1]} at {wrong[2]}")
    if not line.endswith(b"\n") and "truncated" in message:
        return FormatError(
            place, "a complete JSON object", "the end of the file in the middle of it",
            "was the file cut off when it was written or copied?",
        )  # fmt: skip
    text = shorten(line.decode("utf-8", "replace").strip())
    return FormatError(place, "one JSON object a line", f"{text} ({message})")


def _where(message: str) -> str:
    found = re.search(r"at `\$\.?(.+?)`", message)
    return f" at {found[1]}" if found else ""


def _in_words(types: str) -> str:
    words = {"str": "text", "int": "a whole number", "float": "a number", "null": "null"}
    words |= {"array": "a list", "object": "an object", "bool": "true or false"}
    return " or ".join(words.get(name.strip(), name.strip()) for name in types.split("|"))


def _choices(kind: type[Record] | None, field: str) -> str:
    for known in msgspec.structs.fields(kind) if kind else ():
        if known.name == field:
            inspected = msgspec.inspect.type_info(known.type)
            if isinstance(inspected, msgspec.inspect.LiteralType):
                return f"{field} to be one of {', '.join(map(str, inspected.values))}"
    return f"another value of {field}"


def _broken_utf8(line: bytes) -> str:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"the byte {line[error.start]:#04x} at byte {error.start + 1} of the line"
    return ""


def _tell(place: Place, message: str) -> None:
    warnings.warn(f"{place}: {message}", SummetryWarning, stacklevel=4)
