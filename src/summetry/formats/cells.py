"""Rows of a table as named cells, whatever the file: JSONL, JSON, CSV, TSV, Parquet.

Few rows are held in memory at a time, so a table of any length can be scored; of JSON that is not
one object per line, its bytes.
"""

from __future__ import annotations

import contextlib
import csv
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO
from zoneinfo import ZoneInfo

import msgspec

from summetry.errors import FormatError, MissingPackageError, Place, shorten
from summetry.formats._base import first_bytes
from summetry.formats.columns import Cells as Cells
from summetry.formats.columns import known_role
from summetry.formats.frames import Frame, Readable
from summetry.formats.lines import (
    BLOCK_BYTES,
    JSON_ERRORS,
    Block,
    Report,
    broken_utf8,
    numbered_lines,
    read_objects,
    stop,
    without_mark,
)
from summetry.formats.texts import warn_at

TABLE_ENDINGS = ("jsonl", "csv", "tsv", "parquet")
_DELIMITERS = {"csv": ",", "tsv": "\t"}
# The default limit of 128 KB a cell is less than a book.
_LONGEST_CELL = 2**31 - 1


def kind_of_table(path: Path) -> str:
    """``jsonl``, ``json``, ``csv``, ``tsv`` or ``parquet``, by content, then by name; or nothing.

    ``json`` is one list of rows, or one object of columns.
    """
    start = first_bytes(path)
    if start.startswith(b"PAR1"):
        return "parquet"
    ending = path.suffix.lower().removeprefix(".")
    content = start.lstrip()
    if content.startswith(b"{"):
        return "json" if ending != "jsonl" and _is_one_object(path) else "jsonl"
    if re.match(rb"\[\s*\{", content) or (ending == "json" and content.startswith(b"[")):
        return "json"
    if ending in _DELIMITERS:
        return ending
    line = start.partition(b"\n")[0].decode("utf-8", "replace")
    names = [name.strip().strip('"') for name in line.replace("\t", ",").split(",")]
    roles = [known_role(name) for name in names]
    is_header = len(roles) > 1 and all(roles)
    if is_header or "candidate" in map(str.lower, names):
        return "tsv" if "\t" in line else "csv"
    return ""


def _is_one_object(path: Path) -> bool:
    """Whether JSON that begins with an object is that object alone, not one per line."""
    with path.open("rb") as file:
        lines = (line.removeprefix(b"\xef\xbb\xbf") for line in file if line.strip())
        first = next(lines).strip()
        is_alone = next(lines, None) is None
    try:
        msgspec.json.decode(first)
    except JSON_ERRORS:
        # An object over several lines, unless each line is to be one and the first is broken.
        return first == b"{" or not first.endswith(b"}")
    return is_alone and path.suffix.lower() == ".json"


def may_have_names(path: Path, *names: str) -> bool:
    """Whether the names stand at the beginning of JSON, or the file is Parquet; quickly."""
    start = first_bytes(path)
    return start.startswith(b"PAR1") or all(f'"{name}"'.encode() in start for name in names)


def has_columns(path: Path, *names: str) -> bool:
    """Whether a file is a table whose first row has these columns."""
    if not path.is_file() or not kind_of_table(path):
        return False
    try:
        rows = first_cells(path, 1)
    except FormatError:
        return False
    return bool(rows) and all(name in rows[0][1] for name in names)


def read_cells(
    path: Readable, report: Report = stop, only: Collection[str] | None = None
) -> Iterator[tuple[Place, Cells]]:
    """Every row with its place, as :func:`read_blocks` reads them."""
    for places, rows in read_blocks(path, report, only):
        yield from zip(places, rows, strict=True)


def read_blocks(
    path: Readable, report: Report = stop, only: Collection[str] | None = None
) -> Iterator[Block[Cells]]:
    """All rows, some at a time; ``report`` is given what is wrong with a row, in its turn.

    Of Parquet no other columns than ``only`` these are decoded, if they are named.
    """
    if isinstance(path, Frame):
        return (([place], [cells]) for place, cells in path.rows())
    if kind_of_table(path) == "parquet":
        return _read_parquet(path, report, only)
    readers: dict[str, Callable[[Path, Report], Iterator[Block[Cells]]]] = {
        "jsonl": read_objects,
        "json": _read_json,
        "csv": _read_separated,
        "tsv": _read_separated,
    }
    return readers[kind_of_table(path) or "csv"](path, report)


def rows_about(path: Path) -> int:
    """About how many rows a table has, by its beginning; of Parquet exactly."""
    if kind_of_table(path) == "parquet":
        with _naming_broken_parquet(path) as pyarrow:
            count: int = pyarrow.parquet.read_metadata(path).num_rows
            return count
    start = first_bytes(path, 2**20)
    return round(start.count(b"\n") * path.stat().st_size / max(len(start), 1))


def _read_json(path: Path, report: Report) -> Iterator[Block[Cells]]:
    """The rows of a list of objects, or of an object with a list for each column."""
    place = Place(str(path))
    content = without_mark(path.read_bytes())
    is_list = content.lstrip().startswith(b"[")
    rows = _listed_rows(content, place, report) if is_list else _rows_of_columns(content, place)
    try:
        for where, cells in rows:
            yield [where], [cells]
    except JSON_ERRORS as error:
        reason = broken_utf8(content, place)
        raise reason or FormatError(place, "a list or an object in JSON", str(error)) from error


def _listed_rows(content: bytes, place: Place, report: Report) -> Iterator[tuple[Place, Cells]]:
    at, line = 0, 1
    for raw in msgspec.json.decode(content, type=list[msgspec.Raw]):
        start = content.index(bytes(raw), at)
        line += content.count(b"\n", at, start)
        where, at = Place(place.path, line), start
        row = msgspec.json.decode(raw)
        if isinstance(row, str | list):
            # A bare list of texts has one column, without a name.
            row = {"": row}
        if isinstance(row, dict):
            yield where, row
        else:
            report(FormatError(where, "an object with named cells", str(row)))


def _rows_of_columns(content: bytes, place: Place) -> Iterator[tuple[Place, Cells]]:
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
        yield Place(place.path, number), dict(zip(columns, row, strict=True))


def _read_separated(path: Path, report: Report) -> Iterator[Block[Cells]]:
    csv.field_size_limit(_LONGEST_CELL)
    kind = kind_of_table(path)
    broken: list[FormatError] = []
    lines = _decoded(path, broken)
    delimiter = _DELIMITERS.get(kind, ",")
    start = first_bytes(path).partition(b"\n")[0]
    if delimiter.encode() not in start and b";" in start:
        # As spreadsheets write it where the comma stands in decimal fractions.
        delimiter = ";"
        warn_at(path, "cells are taken to be separated by ';'")
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    header: list[str] = []
    while True:
        numbers, read, end = _good_rows(rows, len(header), broken)
        if read:
            places = map(partial(Place, str(path)), numbers)
            yield places, [dict(zip(header, cells, strict=True)) for cells in read]
        if end is None:
            continue
        place, cells = Place(str(path), end[0]), end[1]
        if isinstance(cells, csv.Error):
            # After a quotation mark that never closes there is no telling where a row begins.
            raise FormatError(place, "rows of cells", f"a broken one ({cells})") from cells
        if cells is None:
            return
        if broken and not header:
            raise broken[0]
        if broken:
            report(broken[0])
            broken.clear()
        elif len(header) != 1 and not "".join(cells).strip() and len(cells) < 2:
            continue  # A blank line between rows.
        elif not header:
            header = _header(cells, place)
        else:
            report(FormatError(place, f"{len(header)} cells in the row", str(len(cells))))


def _good_rows(
    rows: Any, width: int, broken: list[FormatError]
) -> tuple[list[int], list[list[str]], tuple[int, list[str] | csv.Error | None] | None]:
    """Rows of ``width`` cells with their lines, up to the end of a block.

    Last comes what ended them earlier: another row, a broken one, or None after the last.
    """
    numbers: list[int] = []
    read: list[list[str]] = []
    size = 0
    while size < BLOCK_BYTES:
        number = rows.line_num + 1
        try:
            cells = next(rows, None)
        except csv.Error as error:
            return numbers, read, (number, error)
        if cells is None or len(cells) != width or not width or broken:
            return numbers, read, (number, cells)
        numbers.append(number)
        read.append(cells)
        size += sum(map(len, cells))
    return numbers, read, None


def _header(cells: Sequence[str], place: Place) -> list[str]:
    twice = {name for name, count in Counter(cells).items() if count > 1}
    if twice:
        raise FormatError(place, "each column once", f"{shorten(sorted(twice)[0])} more than once")
    return list(cells)


def _decoded(path: Path, broken: list[FormatError]) -> Iterator[str]:
    """The lines as text; ``broken`` is given those that are not UTF-8."""
    for number, line in numbered_lines(path):
        try:
            yield line.decode()
        except UnicodeDecodeError:
            error = broken_utf8(line, Place(str(path), number))
            broken += [error] if error else []
            yield line.decode("utf-8", "replace")


def write_separated(file: TextIO, rows: Iterable[Iterable[Any]], delimiter: str = ",") -> None:
    """Rows of cells that :func:`read_cells` reads back."""
    plain = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    quoted = csv.writer(file, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in rows:
        cells = list(row)
        # Only newer Pythons quote a carriage return of their own accord.
        has_return = any(isinstance(cell, str) and "\r" in cell for cell in cells)
        (quoted if has_return else plain).writerow(cells)


def pyarrow_for(doing: str) -> Any:
    """The package pyarrow with its Parquet, or an error that says how to install it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingPackageError(doing, "pyarrow") from error
    return pyarrow


def first_cells(path: Readable, count: int) -> list[tuple[Place, Cells]]:
    """The first rows of a table with all their columns, to see what it is.

    Rows that are broken are left out. What cannot be read of Parquet is None.
    """
    if isinstance(path, Path) and kind_of_table(path) == "parquet":
        blocks = _read_parquet(path, lambda error: None, keep=True, batch_size=count)
    else:
        blocks = read_blocks(path, lambda error: None)
    rows = chain.from_iterable(zip(*block, strict=True) for block in blocks)
    return list(islice(rows, count))


@contextlib.contextmanager
def _naming_broken_parquet(path: Path) -> Iterator[Any]:
    """pyarrow, which says nothing of the file when one is broken."""
    pyarrow = pyarrow_for("reading Parquet")
    try:
        yield pyarrow
    except (pyarrow.ArrowException, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise FormatError(Place(str(path)), "a Parquet file", f"a broken one ({reason})") from error


def _read_parquet(
    path: Path,
    report: Report,
    only: Collection[str] | None = None,
    keep: bool = False,
    batch_size: int = 1024,
) -> Iterator[Block[Cells]]:
    with _naming_broken_parquet(path) as pyarrow, pyarrow.parquet.ParquetFile(path) as file:
        names = _header(file.schema_arrow.names, Place(str(path)))
        names = [name for name in names if only is None or name in only]
        before = 0
        for batch in file.iter_batches(batch_size=batch_size, columns=names):
            numbers = range(before + 1, before + batch.num_rows + 1)
            before += batch.num_rows
            places = map(partial(Place, str(path)), numbers)
            try:
                yield places, batch.to_pylist()
            except _UNREADABLE:
                yield from _parquet_rows(batch, places, report, keep)


def _parquet_rows(
    batch: Any, places: Iterable[Place], report: Report, keep: bool
) -> Iterator[Block[Cells]]:
    """The rows of a batch; one with a cell that Python cannot hold is reported and left out.

    If it is to ``keep``, its cell is None.
    """
    for number, place in enumerate(places):
        cells: Cells = {}
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            try:
                cells[name] = column[number].as_py()
            except _UNREADABLE as error:
                report(_unreadable(error, name, column.type, place))
                cells[name] = None
                if not keep:
                    break
        else:
            yield [place], [cells]


# What decoding a cell may raise: bytes that are no text, a date before the year 1 or after 9999,
# nanoseconds where pandas is missing, a time zone that nobody knows.
_UNREADABLE = (ValueError, OverflowError, LookupError, ImportError)


def _unreadable(error: Exception, name: str, kind: Any, place: Place) -> FormatError:
    if isinstance(error, UnicodeDecodeError):
        byte = f"the byte {error.object[error.start]:#04x} at byte {error.start + 1}"
        return FormatError(place, f"UTF-8 in {name!r}", byte)
    reason = str(error).partition("\n")[0]
    zone = getattr(kind, "tz", None)
    if zone and not _is_zone(zone):
        reason = f"the time zone {zone} is not known"
    found = f"one that cannot be read ({reason})"
    return FormatError(place, f"a value of the type {kind} in {name!r}", found)


def _is_zone(name: str) -> bool:
    try:
        return ZoneInfo(name) is not None
    except (ValueError, LookupError, OSError):
        return False
