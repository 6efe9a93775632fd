"""Lines of JSON with the place of everything that is wrong with them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import msgspec

from summetry.errors import FormatError, Place, did_you_mean, shorten
from summetry.files import UTF16_MARKS
from summetry.records.base import Record

R = TypeVar("R", bound=Record)
T = TypeVar("T")
Report = Callable[[FormatError], None]
# About how much of a file is read at a time.
BLOCK_BYTES = 2**19

# What the decoder raises for text that is not JSON, not UTF-8, or nested without end.
JSON_ERRORS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
# Fields that other people call otherwise.
_OUR_NAMES = {"annotator": "informant"}
_BOM = b"\xef\xbb\xbf"


def read_lines(path: Path, blank: bool = False) -> Iterator[tuple[Place, bytes]]:
    """The lines of a file, as :func:`numbered_lines`; those that are ``blank`` on demand."""
    for number, line in numbered_lines(path):
        if blank or line.strip():
            yield Place(str(path), number), line


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """All lines of a file, without a byte order mark.

    Where the first line ends in CRLF, every line end that is CRLF becomes LF.
    """
    crlf = False
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if number == 1:
                line = without_mark(line)
                crlf = line.endswith(b"\r\n")
            if crlf and line.endswith(b"\r\n"):
                line = line[:-2] + b"\n"
            yield number, line


def without_mark(content: bytes) -> bytes:
    """``content`` without a byte order mark."""
    return content.removeprefix(_BOM)


def stop(error: FormatError) -> NoReturn:
    """The report of who does not go on after something wrong."""
    raise error


def read_records(path: Path, kind: type[R], report: Report) -> Iterator[tuple[Place, R]]:
    """Records of one kind, one per line; ``report`` is given what is wrong with a line."""
    decode = msgspec.json.Decoder(kind).decode
    first = 1
    with path.open("rb") as file:
        while lines := file.readlines(BLOCK_BYTES):
            if first == 1:
                lines[0] = without_mark(lines[0])
            numbered = [(n, line) for n, line in enumerate(lines, first) if not line.isspace()]
            first += len(lines)
            try:
                decoded = [decode(line) for _, line in numbered]
            except JSON_ERRORS:
                # Line by line, so that what is wrong comes after what is before it.
                for place, record in decoded_singly(numbered, path, decode, report, kind):
                    if record is not None:
                        yield place, record
                continue
            for (number, _), record in zip(numbered, decoded, strict=True):
                yield Place(str(path), number), record


def decoded_singly(
    lines: Iterable[tuple[int, bytes]],
    path: Path,
    decode: Callable[[bytes], T],
    report: Report,
    fields: type[Record] | None,
) -> Iterator[tuple[Place, T | None]]:
    """What is in each line; None where ``report`` was given what is wrong with it."""
    for number, line in lines:
        place = Place(str(path), number)
        try:
            yield place, decode(line)
        except JSON_ERRORS as error:
            try:
                yield place, decode(_mended(line, fields))
            except JSON_ERRORS:
                report(explain_json_error(place, line, error, fields))
                yield place, None


def without_nan(content: bytes) -> bytes:
    """JSON with null for NaN, which is what Python's json writes of a missing number."""
    if b"NaN" in content:
        with suppress(ValueError, OverflowError, RecursionError):
            return msgspec.json.encode(json.loads(content, parse_constant=_constant))
    return content


def _constant(name: str) -> None:
    if name != "NaN":
        raise ValueError(name)


def _mended(line: bytes, kind: type[Record] | None) -> bytes:
    """A record whose fields have our names: an annotator is an informant."""
    line = without_nan(line)
    if b'"annotator"' not in line or "informant" not in getattr(kind, "__struct_fields__", ()):
        return line
    found = msgspec.json.decode(line, type=dict[str, Any])
    return msgspec.json.encode({_OUR_NAMES.get(name, name): found[name] for name in found})


def may_repeat_names(content: bytes, rows: Iterable[Any]) -> bool:
    """Whether there are more names than the rows have, as in a row in which one stands twice."""
    return content.count(b'":') > sum(len(row) for row in rows if isinstance(row, dict))


def repeated_name(content: bytes, place: Place) -> FormatError | None:
    """The error where an object has a name twice, of which any program silently takes one."""
    repeated: list[str] = []

    def look(pairs: list[tuple[str, Any]]) -> None:
        names = [name for name, _ in pairs]
        if len(set(names)) < len(names):
            repeated.append(next(name for name in names if names.count(name) > 1))

    with suppress(json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        json.loads(content, object_pairs_hook=look)
    if not repeated:
        return None
    return FormatError(place, "each name once in an object", f"{repeated[0]!r} twice")


def explain_json_error(
    place: Place, line: bytes, error: Exception, kind: type[Record] | None
) -> FormatError:
    """The error in the words of this program: expected, found, what to do."""
    message = str(error)
    if broken := broken_utf8(line, place):
        return broken
    at = re.search(r" - at `\$\.?(.+?)`$", message)
    where = f" at {at[1]}" if at else ""
    if unknown := re.search(r"unknown field `(.*?)`(?: - at `\$|$)", message):
        fields = [field.name for field in _fields(kind, where)]
        hint = did_you_mean(unknown[1], fields).strip() or "free fields belong under meta"
        return FormatError(place, "known fields", f"{unknown[1]!r}{where}", hint)
    if missing := re.search(r"missing required field `(.*?)`", message):
        return FormatError(place, f"the field {missing[1]!r}", f"none{where}")
    if "out of range" in message or re.search(r"Expected `int` [<>]=", message):
        return FormatError(place, "a number that fits 64 bits", f"one that is too large{where}")
    if wrong := re.search(r"Expected `(.*?)`, got `(.*?)`", message):
        return FormatError(place, _in_words(wrong[1]), _in_words(wrong[2]) + where)
    if wrong := re.search(r"Invalid enum value (.*?) - at `", message):
        return FormatError(place, _choices(kind, where), wrong[1] + where)
    if not line.endswith(b"\n") and "truncated" in message:
        return FormatError(
            place, "a complete JSON object", "the end of the file in the middle of it",
            "was the file cut off when it was written or copied?",
        )  # fmt: skip
    text = shorten(line.decode("utf-8", "replace").strip())
    return FormatError(place, "one JSON object a line", f"{text} ({message})")


def _in_words(types: str) -> str:
    words = {"str": "text", "int": "a whole number", "float": "a number", "null": "null"}
    words |= {"array": "a list", "object": "an object", "bool": "true or false"}
    names = [name.strip() for name in types.split("|")]
    if "float" in names:
        names = [name for name in names if name != "int"]
    return " or ".join(words.get(name, name) for name in names)


def _fields(kind: type[Record] | None, where: str) -> tuple[msgspec.inspect.Field, ...]:
    """The fields of the object at a place like `` at scus[0].contributors[1]``."""
    inner: Any = msgspec.inspect.type_info(kind) if kind else None
    for name, inside in re.findall(r"(\w+)|(\[.*?\])", where.removeprefix(" at ")):
        if name:
            inner = next((f.type for f in getattr(inner, "fields", ()) if f.name == name), None)
        elif inside:
            inner = getattr(inner, "item_type", None) or getattr(inner, "value_type", None)
    return getattr(inner, "fields", ())


def _choices(kind: type[Record] | None, where: str) -> str:
    outside, _, name = where.removeprefix(" at ").rpartition(".")
    for field in _fields(kind, outside):
        if field.name == name and isinstance(field.type, msgspec.inspect.LiteralType):
            return f"{name} to be one of {', '.join(map(str, field.type.values))}"
    return f"another value of {name}"


# What files begin with that are no text, or text of another kind; and what to do.
_NO_TEXT = (
    (b"\x1f\x8b", "a file packed by gzip", "give the name of the file the ending .gz"),
    (b"PK\x03\x04", "a zip file or a workbook", "save each sheet as CSV, in UTF-8"),
    (b"\xd0\xcf\x11\xe0", "an old workbook or document", "save each sheet as CSV, in UTF-8"),
    *((mark, "UTF-16", "save the file as UTF-8") for mark in UTF16_MARKS),
)


def no_text(start: bytes, place: Place) -> FormatError | None:
    """What names a file that is of another kind than text, by its first bytes."""
    for mark, what, remedy in _NO_TEXT:
        if start.startswith(mark):
            return FormatError(place, "UTF-8", what, remedy)
    return None


def broken_utf8(line: bytes, place: Place) -> FormatError | None:
    """What names the first byte that is not UTF-8; None where all is well."""
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        found = f"the byte {line[error.start]:#04x} at byte {error.start + 1} of the line"
        other = no_text(line, place) if place.line in (1, None) else None
        return other or FormatError(place, "UTF-8", found, "save the file as UTF-8")
    return None
