"""Rows of a table as named cells, one row at a time, whatever the file: JSONL, CSV, TSV, Parquet.

Nothing is held in memory but the row, so a table of any length can be scored.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO

from summetry.errors import FormatError, MissingPackageError, Place
from summetry.formats._base import first_bytes
from summetry.formats.lines import Report, broken_utf8, read_lines, read_objects, stop

Cells = dict[str, Any]
TABLE_ENDINGS = ("jsonl", "csv", "tsv", "parquet")
_DELIMITERS = {"csv": ",", "tsv": "\t"}
# The default limit of 128 KB a cell is less than a book.
_LONGEST_CELL = 2**31 - 1


def kind_of_table(path: Path) -> str:
    """``jsonl``, ``csv``, ``tsv`` or ``parquet``, by content and then by name; or nothing."""
    start = first_bytes(path)
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.lstrip().startswith(b"{"):
        return "jsonl"
    ending = path.suffix.lower().removeprefix(".")
    if ending in _DELIMITERS:
        return ending
    line = start.partition(b"\n")[0].decode("utf-8", "replace")
    names = {name.strip().strip('"').lower() for name in line.replace("\t", ",").split(",")}
    if "candidate" in names:
        return "tsv" if "\t" in line else "csv"
    return ""


def read_cells(path: Path, report: Report = stop) -> Iterator[tuple[Place, Cells]]:
    """Every row with its place; ``report`` is given what is wrong with a row."""
    readers: dict[str, Callable[[Path, Report], Iterator[tuple[Place, Cells]]]] = {
        "jsonl": read_objects,
        "parquet": _read_parquet,
        "csv": _read_separated,
        "tsv": _read_separated,
    }
    return readers[kind_of_table(path) or "csv"](path, report)


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
        raise MissingPackageError(doing, "pyarrow", "table") from error
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
