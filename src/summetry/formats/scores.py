"""Score tables in files: one row per summary, one column per value, in CSV, JSONL or Parquet.

    id,system,rouge1.recall,rouge1.precision,rouge1.f
    t1,lead,0.41,0.37,0.389

With ``long`` every number has a row of its own: ``id,system,metric,part,score``. Protocol and
role are columns only where they differ. An undefined number is an empty cell or ``null``; one
without a bound is ``inf`` or ``-inf``. The signatures are in Parquet's metadata, or beside the
file as ``NAME.signatures.json``. Tables are written row by row as they are computed, to a file
that takes its name when it is complete.

Scores of other programs are read as well: ``topic`` and ``author`` stand for ``id`` and
``system``, and no signatures are needed. A single metric can also be written as a file of AESOP,
and such files are read: ``aesop.py``.
"""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec
import numpy as np

from summetry.arguments import as_path
from summetry.arrays.types import Floats
from summetry.errors import FormatError, Place, SummetryError
from summetry.files import write_whole, written_whole
from summetry.formats._base import must_be_stored
from summetry.formats.aesop import Cell, check_one_metric, is_aesop, read_aesop, written_lines
from summetry.formats.cells import (
    Cells,
    kind_of_table,
    pyarrow_for,
    read_cells,
    write_separated,
)
from summetry.records.scores import (
    LONG_FIELDS,
    ROW_DEFAULTS,
    ROW_NAMES,
    Column,
    Row,
    ScoreTable,
    row_names,
)

# The rows of a file, in the order of its columns.
_Rows = Iterable[tuple[Any, ...]]
_Write = Callable[[_Rows], None]
# Other names that the columns of a row have.
_ALSO = {"id": "topic", "system": "author"}
_PARQUET_KEY = b"summetry.signatures"


class ScoreWriter:
    """Writes rows of scores to a file as they come; use it in a ``with`` statement.

    ``names`` are the columns that say whose a score is (see :func:`row_names`).
    """

    def __init__(
        self,
        path: Path,
        columns: Sequence[Column],
        names: Sequence[str] = ("id", "system"),
        long: bool = False,
    ) -> None:
        ending = path.suffix.lower().removeprefix(".")
        if ending not in _WRITERS:
            known = ", ".join(f".{name}" for name in _WRITERS)
            raise SummetryError(f"{path}: scores are written to files ending in {known}")
        _check_names([column.name for column in columns])
        self.path, self.columns, self.long = path, tuple(columns), long
        self._ending = ending
        self._is_whole = False
        self._names = tuple(names)
        if ending == "aesop":
            check_one_metric(path, columns)
            self._names, self.long = tuple(ROW_NAMES), False
        # Beside a pipe or a device there is no place.
        is_file = path.is_file() or not path.exists()
        has_own_place = ending == "parquet" or not is_file
        self._beside = None if has_own_place else signatures_beside(path)
        if self._beside:
            _check_beside(self._beside)

    def __enter__(self) -> ScoreWriter:
        values = LONG_FIELDS if self.long else tuple(column.name for column in self.columns)
        # A file of AESOP names no metric: what is beside it does, with a signature or without.
        is_named = self._ending != "aesop"
        signatures = {c.name: c.signature for c in self.columns if c.signature or not is_named}
        with contextlib.ExitStack() as opened:
            if self._beside and signatures:
                # When the scores have taken their name, for they are what is asked for.
                opened.callback(self._write_signatures, signatures)
            part = opened.enter_context(written_whole(self.path))
            # Closed before the file takes its place.
            writer = _WRITERS[self._ending](part, (*self._names, *values), signatures)
            self._write = opened.enter_context(writer)
            self._opened = opened.pop_all()
        return self

    def add(self, rows: Sequence[Row], data: Floats) -> None:
        whose = [tuple(getattr(row, ROW_NAMES[name]) for name in self._names) for row in rows]
        pairs = zip(whose, data.tolist(), strict=True)
        if not self.long:
            self._write((*names, *map(_written, numbers)) for names, numbers in pairs)
            return
        labels = [(column.metric, column.value) for column in self.columns]
        self._write(
            (*names, *label, _written(number))
            for names, numbers in pairs
            for label, number in zip(labels, numbers, strict=True)
        )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_whole = kind is None
        self._opened.__exit__(kind, error, trace)

    def _write_signatures(self, signatures: Mapping[str, str]) -> None:
        assert self._beside is not None
        if self._is_whole:
            write_whole(self._beside, json.dumps({"signatures": signatures}, indent=1) + "\n")


def _check_names(names: Sequence[str]) -> None:
    """Refuse names that could not be told from others in a file."""
    for place, name in enumerate(names):
        if name in _WHOSE or name in names[:place]:
            reason = "names whose score it is" if name in _WHOSE else "is there twice"
            raise SummetryError(f"a file of scores has each column once, and {name!r} {reason}")


def write_scores(table: ScoreTable, path: Path, long: bool = False) -> None:
    """A whole table to a file, its kind by the file's ending."""
    with ScoreWriter(path, table.columns, row_names(table.rows), long) as writer:
        writer.add(table.rows, table.data)


def signatures_beside(path: Path) -> Path:
    """Where the signatures of a file of scores are."""
    return path.with_name(f"{path.name}.signatures.json")


def scores_at(scores: ScoreTable | str | Path) -> ScoreTable:
    """A table as it is, or the one in a file (see :func:`read_scores`)."""
    if isinstance(scores, ScoreTable):
        return scores
    return read_scores(as_path("scores", scores, "a table of scores or a path to one"))


def read_scores(path: Path) -> ScoreTable:
    """The table in a file written by :func:`write_scores`, by others, or in files of AESOP."""
    must_be_stored(path)
    if path.is_dir() and not is_aesop(path):
        raise SummetryError(
            f"{path}: expected scores in a file, or files of AESOP, found a folder of something "
            f"else"
        )
    rows: dict[Row, int] = {}
    columns: dict[Column, int] = {}
    numbers: dict[tuple[int, int], float] = {}
    for place, row, column, number in _read_aesop(path) if is_aesop(path) else _read_table(path):
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
    if is_aesop(path):
        return True
    if not path.is_file() or not kind_of_table(path):
        return False
    try:
        _, cells = next(read_cells(path, lambda error: None), (None, {}))
    except FormatError:
        return False
    if any(_cell(cells, name) is None for name in ("id", "system")):
        return False
    if {"metric", "score"} <= cells.keys():
        return True
    values = [cell for name, cell in cells.items() if name not in _WHOSE]
    return bool(values) and all(_is_number_or_empty(cell) for cell in values)


_WHOSE = {*ROW_NAMES, *_ALSO.values()}


def _read_aesop(path: Path) -> Iterator[Cell]:
    """The scores of files of AESOP, each with the metric that is named beside it, if one is."""
    columns: dict[str, Column] = {}
    for place, row, column, number in read_aesop(path):
        if place.path not in columns:
            named = _signatures(Path(place.path))
            known = [Column.named(*metric) for metric in named.items()]
            columns[place.path] = known[0] if len(known) == 1 else column
        yield place, row, columns[place.path], number


def _read_table(path: Path) -> Iterator[Cell]:
    signatures = _signatures(path)
    columns: dict[str, Column] = {}
    for place, cells in read_cells(path):
        row = _row(cells, place)
        is_long = "metric" in cells and "score" in cells
        values = [_long_value(cells)] if is_long else list(cells.items())
        for name, cell in values:
            if name in _WHOSE:
                continue
            if name not in columns:
                columns[name] = Column.named(name, signatures.get(name, ""))
            yield place, row, columns[name], _number(cell, name, place)


def _row(cells: Cells, place: Place) -> Row:
    named = {}
    for name, field in ROW_NAMES.items():
        cell = _cell(cells, name)
        if cell is None and name not in ROW_DEFAULTS:
            raise FormatError(place, f"a column {name!r} (or {_ALSO[name]!r})", f"no {name!r}")
        named[field] = ROW_DEFAULTS[name] if cell is None else str(cell)
    return Row(**named)


def _cell(cells: Cells, name: str) -> Any:
    return cells[name] if name in cells else cells.get(_ALSO.get(name, ""))


def _long_value(cells: Cells) -> tuple[str, Any]:
    return Column(str(cells["metric"]), str(cells.get("part") or "value")).name, cells["score"]


def _number(cell: Any, name: str, place: Place) -> float:
    try:
        return math.nan if cell in ("", None) else float(cell)
    except (ValueError, TypeError):
        raise FormatError(place, f"a number as {name}", repr(cell)) from None


def _is_number_or_empty(cell: Any) -> bool:
    try:
        return cell in ("", None) or (not isinstance(cell, bool) and float(cell) is not None)
    except (ValueError, TypeError):
        return False


def _written(number: float) -> float | str | None:
    """A number as every kind of file can hold it."""
    if math.isnan(number):
        return None
    return number if math.isfinite(number) else str(number)


def _signatures(path: Path) -> dict[str, str]:
    """The signature of each column of a file, where it has one."""
    if kind_of_table(path) == "parquet":
        metadata = pyarrow_for("reading Parquet").parquet.read_schema(path).metadata or {}
        return dict(json.loads(metadata.get(_PARQUET_KEY, b"{}")))
    beside = signatures_beside(path)
    return _read_signatures(beside) if beside.is_file() else {}


def _read_signatures(beside: Path) -> dict[str, str]:
    try:
        kept = msgspec.json.decode(beside.read_bytes(), type=dict[str, dict[str, str]])
        return kept["signatures"]
    except (OSError, msgspec.DecodeError, KeyError) as error:
        expected = 'an object {"signatures": {"rouge1.f": "...", ...}}'
        raise FormatError(Place(str(beside)), expected, f"something else ({error})") from error


def _check_beside(beside: Path) -> None:
    """Refuse to write signatures over a file that holds something else."""
    try:
        if beside.exists():
            _read_signatures(beside)
    except FormatError as error:
        raise SummetryError(
            f"{beside}: signatures would be written over something else; rename it, or name "
            f"another file for the scores"
        ) from error


@contextlib.contextmanager
def _csv(path: Path, names: Sequence[str], signatures: Mapping[str, str]) -> Iterator[_Write]:
    with path.open("w", encoding="utf-8", newline="") as file:
        write_separated(file, [names])
        yield lambda rows: write_separated(file, rows)


@contextlib.contextmanager
def _json_lines(
    path: Path, names: Sequence[str], signatures: Mapping[str, str]
) -> Iterator[_Write]:
    encode = msgspec.json.Encoder().encode
    with path.open("wb") as file:
        yield lambda rows: file.writelines(
            encode(dict(zip(names, row, strict=True))) + b"\n" for row in rows
        )


@contextlib.contextmanager
def _aesop(path: Path, names: Sequence[str], signatures: Mapping[str, str]) -> Iterator[_Write]:
    with path.open("w", encoding="utf-8", newline="") as file:
        yield lambda rows: file.writelines(written_lines(rows))


@contextlib.contextmanager
def _parquet(path: Path, names: Sequence[str], signatures: Mapping[str, str]) -> Iterator[_Write]:
    pyarrow = pyarrow_for("writing Parquet")
    words = {*ROW_NAMES, *LONG_FIELDS[:-1]}
    types = {name: pyarrow.string() if name in words else pyarrow.float64() for name in names}
    metadata = {_PARQUET_KEY: json.dumps(dict(signatures)).encode()}
    schema = pyarrow.schema(list(types.items()), metadata)
    with pyarrow.parquet.ParquetWriter(path, schema) as out:

        def write(rows: _Rows) -> None:
            columns = list(zip(*rows, strict=True)) or [()] * len(names)
            named = {
                name: column if name in words else [None if n is None else float(n) for n in column]
                for name, column in zip(names, columns, strict=True)
            }
            out.write_table(pyarrow.Table.from_pydict(named, schema=schema))

        yield write


# What writes rows to a file, by the ending of its name.
_Writer = Callable[[Path, Sequence[str], Mapping[str, str]], AbstractContextManager[_Write]]
_WRITERS: dict[str, _Writer] = {
    "csv": _csv,
    "jsonl": _json_lines,
    "parquet": _parquet,
    "aesop": _aesop,
}
