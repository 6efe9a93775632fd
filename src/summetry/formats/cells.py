"""Rows of a table as named cells, whatever the file: JSONL, JSON, CSV, TSV, Parquet.

Few rows are held in memory at a time, so a table of any length can be scored; of JSON that is not
one object per line, its bytes.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO

import msgspec

from summetry.errors import FormatError, Place
from summetry.files import is_compressed, opened, unpacked
from summetry.formats._base import first_bytes
from summetry.formats.columns import LOOKED_AT, known_role
from summetry.formats.columns import Cells as Cells
from summetry.formats.frames import Frame, Readable
from summetry.formats.lines import JSON_ERRORS, Report, stop, without_mark
from summetry.formats.parquet import ParquetTable, naming_broken_parquet
from summetry.formats.parts import (
    Block,
    JsonLines,
    JsonTable,
    Separated,
    TableFile,
)

TABLE_ENDINGS = ("jsonl", "csv", "tsv", "parquet")
_DELIMITERS = {"csv": ",", "tsv": "\t"}


def kind_of_table(path: Path) -> str:
    """``jsonl``, ``json``, ``csv``, ``tsv`` or ``parquet``, by content, then by name; or nothing.

    ``json`` is one list of rows, or one object of columns.
    """
    start = first_bytes(path)
    if start.startswith(b"PAR1"):
        return "parquet"
    name = path.with_suffix("") if is_compressed(path) else path
    ending = name.suffix.lower().removeprefix(".")
    content = start.lstrip()
    if content.startswith(b"{"):
        return "json" if ending != "jsonl" and _is_one_object(path, ending) else "jsonl"
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


def _is_one_object(path: Path, ending: str) -> bool:
    """Whether JSON that begins with an object is that object alone, not one per line."""
    with opened(path) as file:
        lines = (without_mark(line) for line in file if line.strip())
        first = next(lines).strip()
        is_alone = next(lines, None) is None
    try:
        msgspec.json.decode(first)
    except JSON_ERRORS:
        # An object over several lines, unless each line is to be one and the first is broken.
        return first == b"{" or not first.endswith(b"}")
    return is_alone and ending == "json"


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


def table_at(path: Path, only: Collection[str] | None = None) -> TableFile:
    """The table in a file, to be read in parts.

    Of Parquet no other columns than ``only`` these are decoded, if they are named.
    """
    kind = kind_of_table(path) or "csv"
    if kind == "parquet":
        return ParquetTable(path, only if only is None else frozenset(only))
    if kind == "json":
        return JsonTable(path)
    if kind == "jsonl":
        return JsonLines.at(path)
    return Separated.at(path, _DELIMITERS[kind])


def read_cells(
    path: Readable, report: Report = stop, only: Collection[str] | None = None
) -> Iterator[tuple[Place, Cells]]:
    """Every row with its place; ``report`` is given what is wrong with a row, in its turn."""
    if isinstance(path, Frame):
        yield from path.rows()
    else:
        for block in read_blocks(table_at(path, only), report):
            yield from zip(block.places, block.rows, strict=True)


def cells_of(path: Path, *names: str) -> Iterator[tuple[Place, list[Any]]]:
    """The cells of these columns, row by row; a row that lacks one of them is refused."""
    for place, cells in read_cells(path):
        missing = [name for name in names if name not in cells]
        if missing:
            expected = f"the columns {', '.join(names[:-1])} and {names[-1]}"
            raise FormatError(place, expected, f"no {missing[0]!r}")
        yield place, [cells[name] for name in names]


def read_blocks(table: TableFile, report: Report = stop) -> Iterator[Block]:
    """All rows of a table, some at a time."""
    for part in table.parts():
        yield from table.blocks(part, report)


def rows_about(path: Path) -> int:
    """About how many rows a table has, by its beginning; of Parquet exactly."""
    if kind_of_table(path) == "parquet":
        with naming_broken_parquet(path) as pyarrow:
            count: int = pyarrow.parquet.read_metadata(path).num_rows
            return count
    with path.open("rb") as raw, unpacked(raw, path) as file:
        start = file.read(2**20)
        return round(start.count(b"\n") * path.stat().st_size / max(raw.tell(), 1))


def write_separated(file: TextIO, rows: Iterable[Iterable[Any]], delimiter: str = ",") -> None:
    """Rows of cells that :func:`read_cells` reads back."""
    plain = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    quoted = csv.writer(file, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in rows:
        cells = list(row)
        # Only newer Pythons quote a carriage return of their own accord.
        has_return = any(isinstance(cell, str) and "\r" in cell for cell in cells)
        (quoted if has_return else plain).writerow(cells)


def table_text(names: Sequence[str], rows: Iterable[Sequence[Any]], ending: str) -> str:
    """Rows under their names as CSV, or as JSON Lines where the ending is jsonl."""
    if ending == "jsonl":
        records = (dict(zip(names, row, strict=True)) for row in rows)
        return "".join(f"{msgspec.json.encode(record).decode()}\n" for record in records)
    out = io.StringIO(newline="")
    write_separated(out, chain([names], rows))
    return out.getvalue()


def first_cells(path: Readable, count: int) -> list[tuple[Place, Cells]]:
    """The first rows of a table with all their columns, to see what it is.

    Rows that are broken are left out. What cannot be read of Parquet is None.
    """
    if isinstance(path, Frame):
        return list(islice(path.rows(), count))
    table = table_at(path)
    if isinstance(table, ParquetTable):
        table = replace(table, keeps_all=True)
    rows = (
        row
        # Not single rows: all that is read of a file is cut into parts before the first is taken.
        for part in table.parts(max(count, LOOKED_AT))
        for block in table.blocks(part, lambda error: None)
        for row in zip(block.places, block.rows, strict=True)
    )
    return list(islice(rows, count))
