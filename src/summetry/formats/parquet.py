"""Tables in Parquet, read in parts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from summetry.errors import FormatError, Place, RowPlace, optional_module
from summetry.formats.columns import Cells
from summetry.formats.lines import Report
from summetry.formats.parts import (
    PART_BYTES,
    PART_ROWS,
    Block,
    ColumnBlock,
    Part,
    TableFile,
    checked_header,
    last_read,
    parts_of_rows,
)

# So many rows are decoded at a time.
_BATCH_ROWS = 1024


@dataclass(frozen=True)
class ParquetTable(TableFile):
    """A file of Parquet; no other columns than ``only`` these are decoded, if they are named."""

    path: Path
    only: frozenset[str] | None = None
    # Whether a row with a cell that Python cannot hold is kept, with None as the cell.
    keeps_all: bool = False

    def parts(self, size: int = PART_ROWS) -> Iterator[Part]:
        with naming_broken_parquet(self.path) as pyarrow:
            metadata = pyarrow.parquet.read_metadata(self.path)
        groups = map(metadata.row_group, range(metadata.num_row_groups))
        length = sum(group.total_byte_size for group in groups) // max(metadata.num_rows, 1)
        return parts_of_rows(metadata.num_rows, max(min(size, PART_BYTES // max(length, 1)), 1))

    def blocks(self, part: Part, report: Report) -> Iterator[Block]:
        with naming_broken_parquet(self.path):
            cursor = last_read(self.path, self.only, partial(_ParquetCursor, self))
            for number, batch in cursor.batches(part.start, part.stop):
                places = map(partial(RowPlace, str(self.path)), range(number, number + len(batch)))
                try:
                    columns = [column.to_pylist() for column in batch.columns]
                except _UNREADABLE:
                    yield from self._singly(batch, number, places, report)
                else:
                    cells = dict(zip(batch.schema.names, columns, strict=True))
                    yield ColumnBlock(partial(int, number), places, cells)

    def _singly(
        self, batch: Any, first: int, places: Iterable[Place], report: Report
    ) -> Iterator[Block]:
        """Row by row; one with a cell that Python cannot hold is reported and left out."""
        for number, place in enumerate(places):
            cells: Cells = {}
            for name, column in zip(batch.schema.names, batch.columns, strict=True):
                try:
                    cells[name] = column[number].as_py()
                except _UNREADABLE as error:
                    report(_unreadable(error, name, column.type, place))
                    cells[name] = None
                    if not self.keeps_all:
                        break
            else:
                yield Block(partial(int, first + number), [place], [cells])


class _ParquetCursor:
    """Reads on where it stopped: what comes before cannot be stepped over, only decoded."""

    def __init__(self, table: ParquetTable) -> None:
        pyarrow = pyarrow_for("reading Parquet")
        # Read ahead, all chunks of the file would be held until its end.
        file = pyarrow.parquet.ParquetFile(table.path, buffer_size=2**18, pre_buffer=False)
        names = checked_header(file.schema_arrow.names, Place(str(table.path)))
        self._names = [name for name in names if table.only is None or name in table.only]
        self._path, self._file = table.path, file
        self._start()

    def _start(self) -> None:
        self._left = self._file.iter_batches(_BATCH_ROWS, columns=self._names, use_threads=False)
        # The batches of the last rows that were asked for, who may be asked for again, each with
        # the number of rows before it; and how many rows are behind them.
        self._held: list[tuple[int, Any]] = []
        self._at = 0

    def batches(self, start: int, stop: int) -> Iterator[tuple[int, Any]]:
        """The rows from ``start`` to before ``stop``, with the number of each batch's first."""
        if start < (self._held[0][0] if self._held else self._at):
            self._start()
        while self._at < stop:
            batch = next(self._left, None)
            if batch is None:
                place, expected = Place(str(self._path)), f"at least {stop} rows"
                raise FormatError(place, expected, f"{self._at}, a broken file")
            self._held.append((self._at, batch))
            self._at += len(batch)
            self._held = [held for held in self._held if held[0] + len(held[1]) > start]
        self._held = [held for held in self._held if held[0] + len(held[1]) > start]
        for before, batch in self._held:
            first, last = max(start, before), min(stop, before + len(batch))
            if first < last:
                yield first + 1, batch.slice(first - before, last - first)


def unpacked_size(path: Path, most: int) -> int:
    """How many bytes the values of a Parquet file have; counted up to ``most``. 0 for other files.

    A value that is repeated is in the file once, and a small file can hold very much.
    """
    with path.open("rb") as file:
        if file.read(4) != b"PAR1":
            return 0
    try:
        with naming_broken_parquet(path) as pyarrow:
            return _unpacked_size(pyarrow, path, most)
    except FormatError:
        # Whoever reads it says what is wrong.
        return 0


def _unpacked_size(pyarrow: Any, path: Path, most: int) -> int:
    metadata = pyarrow.parquet.read_metadata(path)
    columns = map(metadata.schema.column, range(metadata.num_columns))
    texts = [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]
    # Of texts each one that differs, and for each row the number of its text.
    file = pyarrow.parquet.ParquetFile(path, read_dictionary=texts)
    groups = map(metadata.row_group, range(metadata.num_row_groups))
    packed = sum(group.total_byte_size for group in groups)
    size = int(max(packed, metadata.num_rows * metadata.num_columns))
    if size > most:
        return size
    unpacked = 0
    for batch in file.iter_batches(_BATCH_ROWS, use_threads=False):
        unpacked += sum(map(_array_size, batch.columns))
        if unpacked > most:
            break
    return max(size, unpacked)


def _array_size(array: Any) -> int:
    compute = optional_module("pyarrow.compute", "reading Parquet")
    if hasattr(array, "dictionary"):
        lengths = compute.binary_length(array.dictionary).take(array.indices)
        return compute.sum(lengths).as_py() or 0
    if hasattr(array, "flatten"):
        # The items of lists, the fields of structs.
        parts = array.flatten()
        return sum(map(_array_size, parts)) if isinstance(parts, list) else _array_size(parts)
    return int(array.nbytes)


def pyarrow_for(doing: str) -> Any:
    """The package pyarrow with its Parquet, or an error that says how to install it."""
    optional_module("pyarrow.parquet", doing)
    return optional_module("pyarrow", doing)


@contextlib.contextmanager
def naming_broken_parquet(path: Path) -> Iterator[Any]:
    """pyarrow, which says nothing of the file when one is broken."""
    pyarrow = pyarrow_for("reading Parquet")
    try:
        yield pyarrow
    except MemoryError:
        raise
    except (pyarrow.ArrowException, OSError) as error:
        reason = str(error).partition("\n")[0]
        raise FormatError(Place(str(path)), "a Parquet file", f"a broken one ({reason})") from error


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
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name) is not None
    except (ValueError, LookupError, OSError):
        return False
