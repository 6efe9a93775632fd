"""A table in parts: rows that follow one another and that anybody can read without the others.

A part of JSONL or CSV is a range of bytes that ends with a row, a part of Parquet or of a list in
JSON a range of rows. Whoever cuts a table looks at its bytes, not at what they mean; whoever reads
a part, in this process or another, needs the file or the bytes.
"""

from __future__ import annotations

import contextlib
import csv
import io
import re
import threading
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np

from summetry.arrays.types import Ints
from summetry.errors import FormatError, Place, RowPlace, counted, shorten
from summetry.files import is_compressed, opened
from summetry.formats.columns import Cells, not_cut
from summetry.formats.lines import (
    JSON_ERRORS,
    Report,
    broken_utf8,
    decoded_singly,
    may_repeat_names,
    repeated_name,
    stop,
    without_mark,
    without_nan,
)
from summetry.formats.texts import warn_at

# Few rows are held at a time: so many, and fewer where they are long.
PART_ROWS = 4096
PART_BYTES = 2_000_000
_LINE_END, _RETURN, _QUOTE = b'\n\r"'
# The default limit of 128 KB a cell is less than a book.
_LONGEST_CELL = 2**31 - 1
# How many bytes tell how long a row is.
_LOOKED_AT = 2**16


class Part(NamedTuple):
    """Where some rows are, and their bytes if they are at hand.

    Line and number of the first row are 0 where whoever cut the table did not look at what is
    before it; :meth:`TableFile.numbered` finds them.
    """

    start: int
    stop: int
    line: int = 0
    number: int = 0
    content: bytes | None = None


@dataclass
class Block:
    """Rows; the number of the first and the places are found when they are asked for."""

    first: Callable[[], int]
    places: Iterable[Place]
    rows: Sequence[Cells]

    def names(self) -> set[str]:
        """The names of all columns."""
        return set().union(*self.rows)

    def column(self, name: str) -> list[Any]:
        """The cells of a column, None where a row has none."""
        return [row.get(name) for row in self.rows]


class ColumnBlock(Block):
    """The same in columns, which is quicker where nobody asks for rows."""

    def __init__(
        self, first: Callable[[], int], places: Iterable[Place], columns: dict[str, list[Any]]
    ) -> None:
        self.first, self.places, self.columns = first, places, columns

    @cached_property
    def rows(self) -> Sequence[Cells]:  # type: ignore[override]
        cells = zip(*self.columns.values(), strict=True)
        return [dict(zip(self.columns, row, strict=True)) for row in cells]

    def names(self) -> set[str]:
        return set(self.columns)

    def column(self, name: str) -> list[Any]:
        length = len(next(iter(self.columns.values()), ()))
        return self.columns.get(name) or [None] * length


class TableFile(Protocol):
    """A table that can be read in parts."""

    path: Path

    @property
    def is_packed(self) -> bool:
        """Whether a part can be found only by reading what is before it."""
        return False

    @property
    def heading(self) -> Any:
        """What a part must be read with."""
        return None

    @abstractmethod
    def parts(self, size: int = PART_ROWS) -> Iterator[Part]:
        """All rows in parts of about ``size``, fewer where they are long."""

    @abstractmethod
    def blocks(self, part: Part, report: Report) -> Iterator[Block]:
        """The rows of a part; ``report`` is given what is wrong with a row, in its turn."""

    def content(self, part: Part) -> bytes | None:
        """The bytes of a part, where these are what it consists of."""
        return None

    def numbered(self, part: Part) -> Part:
        """The part with the line and the number of its first row."""
        return part


@dataclass(frozen=True)
class TextTable(TableFile):
    """A table in lines, which begin at the byte ``start``: each one row, at least in the end."""

    path: Path
    start: int = 0
    line: int = 1

    @property
    def is_packed(self) -> bool:
        return is_compressed(self.path)

    @abstractmethod
    def row_ends(self, block: bytes) -> Ints:
        """Where the rows of a block end that are whole; it begins with a row."""

    @abstractmethod
    def rows(self, content: bytes, part: Part) -> Block | None:
        """All rows of a part at once, or None where something is wrong with one."""

    @abstractmethod
    def rows_singly(self, content: bytes, part: Part, report: Report) -> Iterator[Block]:
        """Row by row, so that what is wrong comes after what is before it."""

    def is_blank(self, line: bytes) -> bool:
        return line.isspace()

    def parts(self, size: int = PART_ROWS) -> Iterator[Part]:
        part = Part(self.start, self.start, self.line, 1)
        with opened(self.path) as file:
            file.read(self.start)
            rest, wanted, is_end = b"", PART_BYTES, False
            while not is_end:
                read = file.read(wanted)
                is_end, block = len(read) < wanted, rest + read
                begin, found = 0, []
                for stop, count in self._cut(block, size, is_end):
                    part = part._replace(start=part.stop, stop=part.stop + stop - begin)
                    content = block[begin:stop] if self.is_packed else None
                    found.append(part._replace(content=content))
                    lines = _count(_LINE_END, block, begin, stop)
                    part = part._replace(line=part.line + lines, number=part.number + count)
                    begin = stop
                if self.is_packed:
                    rest = block[begin:]
                else:
                    file.seek(part.stop)
                # More where not even one row was whole.
                wanted = PART_BYTES if found else 2 * len(block)
                read = block = b""  # Not to be held while the parts are scored.
                yield from found

    def _cut(self, block: bytes, size: int, is_end: bool) -> Iterator[tuple[int, int]]:
        """Where parts of a block end, and how many rows each has."""
        ends = self.row_ends(block)
        if is_end and len(block) > (ends[-1] if len(ends) else 0):
            ends = np.append(ends, len(block))
        starts = np.concatenate([[0], ends[:-1]])
        for rows in _slices(ends, size, is_end):
            # A row may begin with a blank, and a blank line is none.
            first = np.frombuffer(block, np.uint8)[starts[rows]] <= ord(" ")
            doubtful = (np.flatnonzero(first) + rows.start).tolist()
            blank = sum(self.is_blank(block[starts[row] : ends[row]]) for row in doubtful)
            yield int(ends[rows.stop - 1]), rows.stop - rows.start - blank

    def content(self, part: Part) -> bytes:
        if part.content is not None:
            return part.content
        with self.path.open("rb") as file:
            file.seek(part.start)
            content = file.read(part.stop - part.start)
        if len(content) < part.stop - part.start:
            raise self._shorter(part)
        return content

    def _shorter(self, part: Part) -> FormatError:
        place, expected = Place(str(self.path)), f"at least {part.stop} bytes"
        return FormatError(place, expected, "fewer", "was it changed while it was read?")

    def blocks(self, part: Part, report: Report) -> Iterator[Block]:
        content = self.content(part)
        block = self.rows(content, part)
        return iter([block]) if block else self.rows_singly(content, part, report)

    def places(self, part: Part, lines: Callable[[int], Iterable[int]]) -> Iterator[Place]:
        """Where rows are, by their lines from that of the first one on; looked for when asked."""
        for line in lines(self.numbered(part).line):
            yield Place(str(self.path), line)


@dataclass(frozen=True)
class JsonLines(TextTable):
    """One JSON object per line."""

    @classmethod
    def at(cls, path: Path) -> JsonLines:
        """The table at ``path``, behind a byte order mark."""
        with opened(path) as file:
            start = file.read(3)
        return cls(path, len(start) - len(without_mark(start)))

    def row_ends(self, block: bytes) -> Ints:
        return _places_of(_LINE_END, block) + 1

    def rows(self, content: bytes, part: Part) -> Block | None:
        lines = partial(content.split, b"\n")
        try:
            rows = _decode_lines(content)
            if len(rows) != _count(_LINE_END, content) + (not content.endswith(b"\n")):
                # Some line is blank, or an object goes on over its end.
                rows = [_decode(line) for line in lines() if line and not line.isspace()]
        except JSON_ERRORS:
            return None
        if may_repeat_names(content, rows) and any(
            repeated_name(line, Place(str(self.path), 0)) for line in lines()
        ):
            return None
        places = self.places(
            part, lambda first: (n for n, line in enumerate(lines(), first) if line.strip())
        )
        first = partial(self._first_number, part)
        layouts = set(map(tuple, rows))
        names = layouts.pop() if len(layouts) == 1 else ()
        if not names:
            return Block(first, places, rows)
        columns = map(list, zip(*map(dict.values, rows), strict=True))
        return ColumnBlock(first, places, dict(zip(names, columns, strict=True)))

    def _first_number(self, part: Part) -> int:
        return self.numbered(part).number

    def rows_singly(self, content: bytes, part: Part, report: Report) -> Iterator[Block]:
        part = self.numbered(part)
        lines = enumerate(io.BytesIO(content), part.line)
        there = [(number, line) for number, line in lines if not line.isspace()]
        decoded = decoded_singly(there, self.path, _decode, report, None)
        for number, ((place, row), (_, line)) in enumerate(
            zip(decoded, there, strict=True), part.number
        ):
            if row is None:
                continue
            if error := repeated_name(line, place):
                report(error)
            else:
                yield Block(partial(int, number), [place], [row])

    def parts(self, size: int = PART_ROWS) -> Iterator[Part]:
        """Cut by the bytes alone: what is between the ends of parts is not even looked at."""
        if self.is_packed:
            yield from super().parts(size)
            return
        with self.path.open("rb") as file:
            file.seek(self.start)
            beginning = file.read(_LOOKED_AT)
            length = len(beginning) / max(beginning.count(b"\n"), 1)
            wanted = max(min(PART_BYTES, round(size * length)), 1)
            end, start = file.seek(0, io.SEEK_END), self.start
            while start < end:
                # To the end of the row that has the last byte that is wanted.
                file.seek(min(start + wanted, end) - 1)
                file.readline()
                part = Part(start, file.tell())
                yield part
                start = part.stop

    def numbered(self, part: Part) -> Part:
        if part.line:
            return part
        # Counted from where this thread counted last, where that is before.
        counted = last_read(self.path, "lines", lambda: [Part(self.start, self.start, 1, 1)])
        _, at, line, number, _ = counted[0]
        if at > part.start:
            at, line, number = self.start, 1, 1
        with self.path.open("rb") as file:
            file.seek(at)
            while at < part.start:
                row = file.readline()
                if not row:
                    raise self._shorter(part)
                at, line, number = at + len(row), line + 1, number + (not row.isspace())
        counted[0] = Part(at, at, line, number)
        return part._replace(line=line, number=number)


_objects = msgspec.json.Decoder(dict[str, Any])
_decode: Callable[[bytes], Cells] = _objects.decode
_decode_lines: Callable[[bytes], list[Cells]] = _objects.decode_lines


@dataclass(frozen=True)
class Separated(TextTable):
    """Cells with a comma, a tabulator or a semicolon between them, below a line of names."""

    delimiter: str = ","
    header: tuple[str, ...] = ()
    # Whether line ends within cells are CRLF as well, and mean LF.
    crlf: bool = False

    @classmethod
    def at(cls, path: Path, delimiter: str) -> Separated:
        """The table at ``path``, with what its first line says."""
        read: list[bytes] = []

        def raw() -> Iterator[bytes]:
            for line in chain([first] if first else [], file):
                read.append(line)
                yield without_mark(line) if len(read) == 1 else line

        with opened(path) as file:
            first = file.readline()
            if delimiter.encode() not in first and b";" in first:
                # As spreadsheets write it where the comma stands in decimal fractions.
                delimiter = ";"
                warn_at(path, "cells are taken to be separated by ';'")
            new = cls(path, delimiter=delimiter, crlf=first.endswith(b"\r\n"))
            for line, cells in new._records(raw(), 1, stop):
                if "".join(cells).strip() or len(cells) > 1:
                    header = tuple(checked_header(cells, Place(str(path), line)))
                    start = sum(map(len, read))
                    return replace(new, header=header, start=start, line=1 + len(read))
        return new

    @property
    def heading(self) -> Any:
        return self.delimiter, self.header, self.crlf

    def is_blank(self, line: bytes) -> bool:
        # In a table of one column it is a row without a cell.
        return len(self.header) != 1 and line.isspace()

    def row_ends(self, block: bytes) -> Ints:
        ends = _places_of(_LINE_END, block)
        if b'"' not in block:
            found: Ints = ends + 1
            return found
        quotes = _places_of(_QUOTE, block)
        opening = quotes[::2]
        before = np.frombuffer(block, np.uint8)[opening[opening > 0] - 1]
        if not np.isin(before, (_LINE_END, _QUOTE, ord(self.delimiter))).all():
            # Somewhere a mark stands within a cell that has none around it.
            return self._row_ends_singly(block, ends)
        found = ends[np.searchsorted(quotes, ends) % 2 == 0] + 1
        return found

    def _row_ends_singly(self, block: bytes, ends: Ints) -> Ints:
        # Every byte is a letter of Latin-1, and no part of a letter is a mark in UTF-8.
        text = io.StringIO(block.decode("latin-1"), newline="\n")
        rows, lines = self._reader(text), []
        with contextlib.suppress(csv.Error):
            lines = [rows.line_num for _ in rows if rows.line_num <= len(ends)]
        found: Ints = ends[np.array(lines, np.int64) - 1] + 1
        return found

    def rows(self, content: bytes, part: Part) -> Block | None:
        try:
            ends = _count(_LINE_END, content)
            returns = _count(_RETURN, content) if b"\r" in content else 0
            if b'"' in content or returns != self.crlf * ends:
                lines = io.StringIO(self._plain(content).decode(), newline="\n")
                read = list(self._reader(lines))
            else:
                # Ten times as fast, and the same where nothing is quoted.
                end = "\r\n" if self.crlf else "\n"
                whole = content.decode().removesuffix(end).split(end)
                read = [line.split(self.delimiter) if line else [] for line in whole]
        except (UnicodeDecodeError, csv.Error):
            return None
        width = len(self.header)
        if width != 1 and [] in read:
            read = list(filter(None, read))
        if not {width}.issuperset(map(len, read)):
            return None
        numbers: Sequence[int] = range(len(read))
        if ends > len(read):
            records = self._records(io.BytesIO(content), 0)
            numbers = [line for line, cells in records if cells]
        columns = map(list, zip(*read, strict=True)) if read else [[] for _ in self.header]
        cells = dict(zip(self.header, columns, strict=True))
        places = self.places(part, lambda first: (first + n for n in numbers))
        return ColumnBlock(partial(int, part.number), places, cells)

    def rows_singly(self, content: bytes, part: Part, report: Report) -> Iterator[Block]:
        number, width = part.number, len(self.header)
        broken: list[FormatError] = []
        for line, cells in self._records(io.BytesIO(content), part.line, broken.append):
            place = Place(str(self.path), line)
            if broken:
                report(broken[0])
                broken.clear()
            elif width != 1 and len(cells) < 2 and not "".join(cells).strip():
                continue  # A blank line between rows.
            elif len(cells) != width:
                advice, uncut = "", not_cut(self.header)
                if len(cells) > width:
                    quoted = f"put a cell with {self.delimiter!r} in it in quotation marks"
                    advice = f"cells {uncut}" if uncut else quoted
                expected = f"{counted(width, 'cell')} in the row"
                report(FormatError(place, expected, str(len(cells)), advice))
            else:
                row = dict(zip(self.header, cells, strict=True))
                yield Block(partial(int, number), [place], [row])
            number += 1

    def _records(
        self, lines: Iterable[bytes], first: int, report: Report = lambda error: None
    ) -> Iterator[tuple[int, list[str]]]:
        """The cells of every record, with its line; ``report`` is given what is not UTF-8."""
        decoded = (self._decoded(line, n, report) for n, line in enumerate(lines, first))
        rows = self._reader(decoded)
        while True:
            line = first + rows.line_num
            try:
                cells = next(rows, None)
            except csv.Error as error:
                # After a quotation mark that never closes there is no telling where a row begins.
                place, found = Place(str(self.path), line), f"a broken one ({error})"
                advice = (
                    "double the quotation marks inside of a quoted cell, or take out the one that "
                    "is never closed"
                )
                if "new-line character" in str(error):
                    found = "a carriage return in a cell without quotation marks"
                    advice = "put the cell in quotation marks, or take the carriage return out"
                raise FormatError(place, "rows of cells", found, advice) from error
            if cells is None:
                return
            yield line, cells

    def _reader(self, lines: Iterable[str]) -> Any:
        csv.field_size_limit(_LONGEST_CELL)
        return csv.reader(lines, delimiter=self.delimiter, strict=True)

    def _decoded(self, line: bytes, number: int, report: Report) -> str:
        line = self._plain(line)
        if error := broken_utf8(line, Place(str(self.path), number)):
            report(error)
        return line.decode("utf-8", "replace")

    def _plain(self, content: bytes) -> bytes:
        return content.replace(b"\r\n", b"\n") if self.crlf else content


@dataclass(frozen=True)
class JsonTable(TableFile):
    """A list of objects, or an object with a list for each column; its parts are of rows."""

    path: Path

    def parts(self, size: int = PART_ROWS) -> Iterator[Part]:
        return parts_of_rows(len(self._all()), size)

    def blocks(self, part: Part, report: Report) -> Iterator[Block]:
        some = self._all()[part.start : part.stop]
        for number, (place, row) in enumerate(some, part.number):
            if isinstance(row, FormatError):
                report(row)
            else:
                yield Block(partial(int, number), [place], [row])

    def _all(self) -> list[tuple[Place, Cells | FormatError]]:
        """All rows, read once; in the place of one that is wrong, what is."""
        rows: list[tuple[Place, Cells | FormatError]] = last_read(self.path, "json", self._read)
        return rows

    def _read(self) -> list[tuple[Place, Cells | FormatError]]:
        place = Place(str(self.path))
        with opened(self.path) as file:
            content = without_mark(file.read())
        read = _listed_rows if content.lstrip().startswith(b"[") else _rows_of_columns
        try:
            return list(read(content, place))
        except JSON_ERRORS as error:
            with suppress(*JSON_ERRORS):
                return list(read(without_nan(content), place))
            raise _broken_json(content, place.path, str(error)) from error


def _broken_json(content: bytes, path: str, message: str) -> FormatError:
    """What is wrong with a file that is one list or object, and in which line."""
    for number, line in enumerate(content.split(b"\n"), 1):
        if broken := broken_utf8(line, Place(path, number)):
            return broken
    if "truncated" in message:
        end = Place(path, 1 + content.rstrip().count(b"\n"))
        found, advice = "the end of the file in the middle of it", "was the file cut off?"
        return FormatError(end, "a complete list or object in JSON", found, advice)
    malformed = re.fullmatch(r"JSON is malformed: (.*) \(byte (\d+)\)", message)
    if not malformed:
        return FormatError(Place(path), "a list or an object in JSON", message)
    before = content[: int(malformed[2])]
    place = Place(path, 1 + before.count(b"\n"))
    column = len(before) - before.rfind(b"\n")
    found = f"malformed JSON: {malformed[1]} (byte {column} of the line)"
    return FormatError(place, "a list or an object in JSON", found)


def _listed_rows(content: bytes, place: Place) -> Iterator[tuple[Place, Cells | FormatError]]:
    at, line = 0, 1
    rows = msgspec.json.decode(content, type=list[msgspec.Raw])
    has_lines = content.count(b"\n") + 1 >= len(rows)
    for number, raw in enumerate(rows, 1):
        start = content.index(bytes(raw), at)
        line += content.count(b"\n", at, start)
        where = Place(place.path, line) if has_lines else RowPlace(place.path, number)
        at = start
        row = msgspec.json.decode(raw)
        if may_repeat_names(bytes(raw), [row]) and (error := repeated_name(bytes(raw), where)):
            row = error
        if isinstance(row, str | list):
            # A bare list of texts has one column, without a name.
            row = {"": row}
        if not isinstance(row, dict | FormatError):
            row = FormatError(where, "an object with named cells", str(row))
        yield where, row


def _rows_of_columns(content: bytes, place: Place) -> Iterator[tuple[Place, Cells | FormatError]]:
    columns: Cells = msgspec.json.decode(content)
    if not any(isinstance(cells, list) for cells in columns.values()):
        yield place, columns
        return
    first = next(name for name, cells in columns.items() if isinstance(cells, list))
    expected = f"a list of {len(columns[first])} cells in each column, as in {first!r}"
    for name, cells in columns.items():
        if not isinstance(cells, list):
            raise FormatError(place, expected, f"no list in {name!r}")
        if len(cells) != len(columns[first]):
            raise FormatError(place, expected, f"{len(cells)} in {name!r}")
    for number, row in enumerate(zip(*columns.values(), strict=True), start=1):
        yield RowPlace(place.path, number), dict(zip(columns, row, strict=True))


class _Read(threading.local):
    """What a thread read last, and of which file."""

    of: Any = None
    held: Any = None


_READ = _Read()


def last_read(path: Path, how: Any, read: Callable[[], Any]) -> Any:
    """What ``read`` gives, which is called once as long as the same file is asked for."""
    status = path.stat()
    key = (path, status.st_mtime_ns, status.st_size, how)
    if _READ.of != key:
        _READ.of, _READ.held = None, read()
        _READ.of = key
    return _READ.held


def parts_of_rows(rows: int, size: int) -> Iterator[Part]:
    for start in range(0, rows, size):
        yield Part(start, min(start + size, rows), start + 1, start + 1)


def _slices(ends: Ints, size: int, is_end: bool) -> Iterator[slice]:
    """Rows by where they end, in slices of at most ``size``, fewer where they are long.

    A last slice of little is left for later, to become larger, unless there is no more.
    """
    start, begin = 0, 0
    while start < len(ends):
        fit = int(np.searchsorted(ends, begin + PART_BYTES, side="right"))
        stop = min(max(fit, start + 1), start + size)
        is_little = stop < start + size and 2 * (ends[stop - 1] - begin) < PART_BYTES
        if stop == len(ends) and is_little and not is_end:
            return
        yield slice(start, stop)
        start, begin = stop, int(ends[stop - 1])


def _places_of(byte: int, block: bytes) -> Ints:
    return np.flatnonzero(np.frombuffer(block, np.uint8) == byte)


def _count(byte: int, block: bytes, start: int = 0, stop: int | None = None) -> int:
    # The method of bytes looks at one after the other.
    return int(np.count_nonzero(np.frombuffer(block, np.uint8)[start:stop] == byte))


def checked_header(cells: Sequence[str], place: Place) -> list[str]:
    """The names of columns, each of which must be there once."""
    twice = {name for name, count in Counter(cells).items() if count > 1}
    if twice:
        found = f"{shorten(sorted(twice)[0])} more than once"
        raise FormatError(place, "each column once", found, "rename one of them")
    return list(cells)
