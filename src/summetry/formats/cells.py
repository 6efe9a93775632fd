"""Rows of a table as named cells, one at a time, whatever the file: JSONL, JSON, CSV, TSV, Parquet.

Nothing is held in memory but the row, so a table of any length can be scored; of JSON that is not
one object per line, its bytes.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

import msgspec

from summetry.errors import FormatError, MissingPackageError, Place
from summetry.formats._base import first_bytes
from summetry.formats.columns import Cells as Cells
from summetry.formats.columns import known_role
from summetry.formats.lines import (
    JSON_ERRORS,
    Report,
    broken_utf8,
    read_lines,
    read_objects,
    stop,
    without_mark,
)

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


def has_columns(path: Path, *names: str) -> bool:
    """Whether a file is a table whose first row has these columns."""
    if not path.is_file() or not kind_of_table(path):
        return False
    try:
        _, cells = next(read_cells(path, lambda error: None), (None, {}))
    except FormatError:
        return False
    return all(name in cells for name in names)


def read_cells(path: Path, report: Report = stop) -> Iterator[tuple[Place, Cells]]:
    """Every row with its place; ``report`` is given what is wrong with a row."""
    readers: dict[str, Callable[[Path, Report], Iterator[tuple[Place, Cells]]]] = {
        "jsonl": read_objects,
        "json": _read_json,
        "parquet": _read_parquet,
        "csv": _read_separated,
        "tsv": _read_separated,
    }
    return readers[kind_of_table(path) or "csv"](path, report)


def _read_json(path: Path, report: Report) -> Iterator[tuple[Place, Cells]]:
    """The rows of a list of objects, or of an object with a list for each column."""
    place = Place(str(path))
    content = without_mark(path.read_bytes())
    try:
        if content.lstrip().startswith(b"["):
            yield from _listed_rows(content, place, report)
        else:
            yield from _rows_of_columns(content, place)
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


def _read_separated(path: Path, report: Report) -> Iterator[tuple[Place, Cells]]:
    csv.field_size_limit(_LONGEST_CELL)
    kind = kind_of_table(path)
    broken: list[FormatError] = []
    lines = _decoded(path, broken)
    rows = csv.reader(lines, delimiter=_DELIMITERS.get(kind, ","), strict=True)
    header: list[str] = []
    while True:
        place = Place(str(path), rows.line_num + 1)
        try:
            cells = next(rows, None)
        except csv.Error as error:
            # After a quotation mark that never closes there is no telling where a row begins.
            raise FormatError(place, "rows of cells", f"a broken one ({error})") from error
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
        elif len(cells) != len(header):
            report(FormatError(place, f"{len(header)} cells in the row", str(len(cells))))
        else:
            yield place, dict(zip(header, cells, strict=True))


def _header(cells: list[str], place: Place) -> list[str]:
    twice = {name for name in cells if cells.count(name) > 1}
    if twice:
        raise FormatError(place, "each column once", f"{sorted(twice)[0]!r} more than once")
    return cells


def _decoded(path: Path, broken: list[FormatError]) -> Iterator[str]:
    """The lines as text; ``broken`` is given those that are not UTF-8."""
    for place, line in read_lines(path, blank=True):
        if error := broken_utf8(line, place):
            broken.append(error)
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


def _read_parquet(path: Path, report: Report) -> Iterator[tuple[Place, Cells]]:
    pyarrow = pyarrow_for("reading Parquet")
    try:
        with pyarrow.parquet.ParquetFile(path) as file:
            row = 0
            for batch in file.iter_batches(batch_size=1024):
                for cells in batch.to_pylist():
                    row += 1
                    yield Place(str(path), row), cells
    except (pyarrow.ArrowException, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise FormatError(Place(str(path)), "a Parquet file", f"a broken one ({reason})") from error
