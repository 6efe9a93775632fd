"""Score tables in files: one number a row, each with its signature, in CSV, JSONL or Parquet.

    protocol,topic,author,role,metric,value,score,signature
    no_models,t1,lead,peer,unit_overlap,value,0.41,"unit_overlap|text:auto,words,fold|refs:3,mean|..."

An undefined number is an empty cell or ``null``. Tables are written row by row as they are
computed, to a file that takes its name when it is complete.

A single metric can also be written as a file of AESOP, and such files are read: ``_tac_aesop.py``.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

import msgspec
import numpy as np

from summetry.arguments import as_path
from summetry.arrays.types import Floats
from summetry.errors import FormatError, MissingPackageError, SummetryError
from summetry.files import written_whole
from summetry.formats._base import must_be_stored
from summetry.formats.aesop import (
    Cell,
    check_one_metric,
    is_aesop,
    read_aesop,
    written_lines,
)
from summetry.formats.cells import kind_of_table, read_cells, write_separated
from summetry.records.scores import FIELDS, Column, Row, ScoreTable

ENDINGS = ("csv", "jsonl", "parquet", "aesop")


class _Sink(Protocol):
    def write(self, records: Iterable[tuple[Any, ...]]) -> None: ...

    def close(self) -> None: ...


class ScoreWriter:
    """Writes rows of scores to a file as they come; use it in a ``with`` statement."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        ending = path.suffix.lower().removeprefix(".")
        if ending not in _SINKS:
            known = ", ".join(f".{name}" for name in ENDINGS)
            raise SummetryError(f"{path}: scores are written to files ending in {known}")
        if ending == "aesop":
            check_one_metric(path, columns)
        self.path = path
        self.columns = tuple(columns)
        self._ending = ending

    def __enter__(self) -> ScoreWriter:
        with contextlib.ExitStack() as opened:
            part = opened.enter_context(written_whole(self.path))
            # Closed before the file takes its place.
            self._sink: _Sink = opened.enter_context(contextlib.closing(_SINKS[self._ending](part)))
            self._opened = opened.pop_all()
        return self

    def add(self, rows: Sequence[Row], data: Floats) -> None:
        labels = [(column.metric, column.value) for column in self.columns]
        signatures = [column.signature for column in self.columns]
        self._sink.write(
            (*row, *label, None if math.isnan(number) else number, signature)
            for row, numbers in zip(rows, data.tolist(), strict=True)
            for label, number, signature in zip(labels, numbers, signatures, strict=True)
        )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._opened.__exit__(kind, error, trace)


def write_scores(table: ScoreTable, path: Path) -> None:
    """A whole table to a file, its kind by the file's ending."""
    with ScoreWriter(path, table.columns) as writer:
        writer.add(table.rows, table.data)


def scores_at(given: ScoreTable | str | Path) -> ScoreTable:
    """A table as it is, or the one in a file (see :func:`read_scores`)."""
    if isinstance(given, ScoreTable):
        return given
    return read_scores(as_path("scores", given, "a table of scores or a path to one"))


def read_scores(path: Path) -> ScoreTable:
    """The table in a file written by :func:`write_scores`, or in files of AESOP."""
    must_be_stored(path)
    if path.is_dir() and not is_aesop(path):
        raise SummetryError(
            f"{path}: expected scores in a file, or files of AESOP, found a folder of something "
            f"else"
        )
    rows: dict[Row, int] = {}
    columns: dict[Column, int] = {}
    numbers: dict[tuple[int, int], float] = {}
    for place, row, column, number in read_aesop(path) if is_aesop(path) else _read_table(path):
        key = (rows.setdefault(row, len(rows)), columns.setdefault(column, len(columns)))
        if key in numbers:
            raise FormatError(place, "each score once", f"{column.name} of {row} a second time")
        numbers[key] = number
    data = np.full((len(rows), len(columns)), np.nan)
    for (i, j), number in numbers.items():
        data[i, j] = number
    return ScoreTable(tuple(rows), tuple(columns), data)


def is_scores(path: Path) -> bool:
    """Whether a file is a score table, by its first row, or of AESOP; or a folder has such."""
    if path.is_dir() or is_aesop(path):
        return is_aesop(path)
    if not kind_of_table(path):
        return False
    try:
        _, cells = next(read_cells(path, _refuse), (None, {}))
    except FormatError:
        return False
    return "metric" in cells and "score" in cells


def _read_table(path: Path) -> Iterator[Cell]:
    for place, cells in read_cells(path, _refuse):
        missing = [name for name in FIELDS if name not in cells]
        if missing:
            raise FormatError(place, f"the columns {', '.join(FIELDS)}", f"no {missing[0]!r}")
        row = Row(*(str(cells[name]) for name in Row._fields))
        column = Column(str(cells["metric"]), str(cells["value"]), str(cells["signature"]))
        try:
            score = cells["score"]
            number = math.nan if score in ("", None) else float(score)
        except (ValueError, TypeError):
            raise FormatError(place, "a number as score", repr(cells["score"])) from None
        yield place, row, column, number


def _refuse(error: FormatError) -> None:
    raise error


class _CsvSink:
    def __init__(self, path: Path) -> None:
        self.file = path.open("w", encoding="utf-8", newline="")
        write_separated(self.file, [FIELDS])

    def write(self, records: Iterable[tuple[Any, ...]]) -> None:
        write_separated(self.file, records)

    def close(self) -> None:
        self.file.close()


class _JsonLinesSink:
    def __init__(self, path: Path) -> None:
        self.file = path.open("wb")
        self.encode = msgspec.json.Encoder().encode

    def write(self, records: Iterable[tuple[Any, ...]]) -> None:
        for record in records:
            self.file.write(self.encode(dict(zip(FIELDS, record, strict=True))) + b"\n")

    def close(self) -> None:
        self.file.close()


class _AesopSink:
    def __init__(self, path: Path) -> None:
        self.file = path.open("w", encoding="utf-8", newline="")

    def write(self, records: Iterable[tuple[Any, ...]]) -> None:
        self.file.writelines(written_lines(records))

    def close(self) -> None:
        self.file.close()


class _ParquetSink:
    def __init__(self, path: Path) -> None:
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError as error:
            raise MissingPackageError("writing Parquet", "pyarrow", "table") from error
        types = {
            name: pyarrow.float64() if name == "score" else pyarrow.string() for name in FIELDS
        }
        self.schema = pyarrow.schema(list(types.items()))
        self.table = pyarrow.Table
        self.out = pyarrow.parquet.ParquetWriter(path, self.schema)

    def write(self, records: Iterable[tuple[Any, ...]]) -> None:
        columns = list(zip(*records, strict=True)) or [()] * len(FIELDS)
        named = dict(zip(FIELDS, columns, strict=True))
        self.out.write_table(self.table.from_pydict(named, schema=self.schema))

    def close(self) -> None:
        self.out.close()


_SINKS: dict[str, Callable[[Path], _Sink]] = {
    "csv": _CsvSink,
    "jsonl": _JsonLinesSink,
    "parquet": _ParquetSink,
    "aesop": _AesopSink,
}
