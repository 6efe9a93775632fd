"""Score tables in files: one number per row, with its signature, in CSV, JSONL or Parquet.

    protocol,topic,author,role,metric,value,score,signature
    no_models,t1,lead,candidate,unit_overlap,value,0.41,"unit_overlap|text:auto,words,fold|refs:3,mean|..."

An undefined number is an empty cell or ``null``. Tables are written row by row as they are
computed, to a file that takes its name when it is complete.

A single metric can also be written as a file of AESOP, and such files are read: ``aesop.py``.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
import numpy as np

from summetry.arguments import as_path
from summetry.arrays.types import Floats
from summetry.errors import FormatError, SummetryError
from summetry.files import written_whole
from summetry.formats._base import must_be_stored
from summetry.formats.aesop import (
    Cell,
    check_one_metric,
    is_aesop,
    read_aesop,
    written_lines,
)
from summetry.formats.cells import (
    check_columns,
    has_columns,
    pyarrow_for,
    read_cells,
    write_separated,
)
from summetry.records.scores import FIELDS, Column, Row, ScoreTable, score_fields

# Of each score, the fields that it has in a file.
_Records = Iterable[tuple[Any, ...]]
_Write = Callable[[_Records], None]


class ScoreWriter:
    """Writes rows of scores to a file as they come; use it in a ``with`` statement."""

    def __init__(self, path: Path, columns: Sequence[Column]) -> None:
        ending = path.suffix.lower().removeprefix(".")
        if ending not in _WRITERS:
            known = ", ".join(f".{name}" for name in _WRITERS)
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
            self._write = opened.enter_context(_WRITERS[self._ending](part))
            self._opened = opened.pop_all()
        return self

    def add(self, rows: Sequence[Row], data: Floats) -> None:
        self._write(score_fields(rows, self.columns, data))

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


def scores_at(scores: ScoreTable | str | Path) -> ScoreTable:
    """A table as it is, or the one in a file (see :func:`read_scores`)."""
    if isinstance(scores, ScoreTable):
        return scores
    return read_scores(as_path("scores", scores, "a table of scores or a path to one"))


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
    return is_aesop(path) or has_columns(path, "metric", "score")


def _read_table(path: Path) -> Iterator[Cell]:
    for place, cells in read_cells(path):
        check_columns(cells, FIELDS, place)
        row = Row(*(str(cells[name]) for name in Row._fields))
        column = Column(str(cells["metric"]), str(cells["value"]), str(cells["signature"]))
        try:
            score = cells["score"]
            number = math.nan if score in ("", None) else float(score)
        except (ValueError, TypeError):
            raise FormatError(place, "a number as score", repr(cells["score"])) from None
        yield place, row, column, number


@contextlib.contextmanager
def _csv(path: Path) -> Iterator[_Write]:
    with path.open("w", encoding="utf-8", newline="") as file:
        write_separated(file, [FIELDS])
        yield lambda records: write_separated(file, records)


@contextlib.contextmanager
def _json_lines(path: Path) -> Iterator[_Write]:
    encode = msgspec.json.Encoder().encode
    with path.open("wb") as file:
        yield lambda records: file.writelines(
            encode(dict(zip(FIELDS, record, strict=True))) + b"\n" for record in records
        )


@contextlib.contextmanager
def _aesop(path: Path) -> Iterator[_Write]:
    with path.open("w", encoding="utf-8", newline="") as file:
        yield lambda records: file.writelines(written_lines(records))


@contextlib.contextmanager
def _parquet(path: Path) -> Iterator[_Write]:
    pyarrow = pyarrow_for("writing Parquet")
    types = {name: pyarrow.float64() if name == "score" else pyarrow.string() for name in FIELDS}
    schema = pyarrow.schema(list(types.items()))
    with pyarrow.parquet.ParquetWriter(path, schema) as out:

        def write(records: _Records) -> None:
            columns = list(zip(*records, strict=True)) or [()] * len(FIELDS)
            named = dict(zip(FIELDS, columns, strict=True))
            out.write_table(pyarrow.Table.from_pydict(named, schema=schema))

        yield write


# What writes records to a file, by the ending of its name.
_WRITERS: dict[str, Callable[[Path], AbstractContextManager[_Write]]] = {
    "csv": _csv,
    "jsonl": _json_lines,
    "parquet": _parquet,
    "aesop": _aesop,
}
