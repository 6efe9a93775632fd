"""Score tables in files: one row per summary, one column per value, in CSV, JSONL or Parquet.

    id,system,rouge1.recall,rouge1.precision,rouge1.f
    t1,lead,0.41,0.37,0.389

With ``long`` every number has a row of its own: ``id,system,metric,part,score``. Protocol and
role are columns only where they differ. An undefined number is an empty cell or ``null``; one
without a bound is ``inf`` or ``-inf``. The signatures are in Parquet's metadata, or beside the
file as ``NAME.signatures.json``. Tables are written chunk by chunk as they are computed, to a file
that takes its name when it is complete.

Scores of other programs are read as well, wide or long, under the names that people give to
columns (``doc_id``, ``model``, ``metric`` and ``value``, ...), and no signatures are needed. A
single metric can also be written as a file of AESOP, and such files are read: ``aesop.py``.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from summetry.arguments import as_path
from summetry.arrays.types import Floats
from summetry.errors import FormatError, Place, SummetryError, shorten
from summetry.files import write_whole, written_whole
from summetry.formats._base import must_be_stored
from summetry.formats.aesop import Cell, check_one_metric, is_aesop, read_aesop, written_lines
from summetry.formats.cells import (
    Cells,
    first_cells,
    kind_of_table,
    read_cells,
    write_separated,
)
from summetry.formats.columns import (
    LOOKED_AT,
    NO_SYSTEMS,
    NUMBERED,
    ROLES,
    are_texts,
    column_for,
    columns_of_roles,
    known_role,
    naming_advice,
    taken_in_words,
)
from summetry.formats.frames import Readable, as_frame
from summetry.formats.parquet import pyarrow_for
from summetry.formats.texts import about_comma, number_in, warn_at, warn_of_rows
from summetry.records.scores import (
    LONG_FIELDS,
    ROW_DEFAULTS,
    ROW_NAMES,
    Column,
    Row,
    ScoreTable,
    Whose,
    plain_number,
    row_names,
)

# The bytes of rows: of columns of names, and of the numbers behind them.
_Encode = Callable[[Sequence[Sequence[str]], Floats], bytes]
# What --columns can name in a table of scores.
SCORE_ROLES = ("id", "system", "metric", "score")
# Columns of tables that are something else, whatever numbers they have.
_NO_SCORES = {"unit", "scu", "dimension"}
_PARQUET_KEY = b"summetry.signatures"
# What must stand in quotation marks in CSV.
_QUOTED = re.compile(r'[",\r\n]')
# How many numbers are remembered as they are written.
_REMEMBERED = 2**15
# A row group of Parquet has at least so many rows, but for the last: readers take each by itself.
# With four times as many, memory is not flat any more.
_GROUP_ROWS = 2**13


class ScoreEncoder(msgspec.Struct, frozen=True):
    """Makes what a file of scores consists of, in this process or in another."""

    ending: str
    names: tuple[str, ...]
    columns: tuple[Column, ...]
    long: bool = False

    @property
    def names_of_columns(self) -> tuple[str, ...]:
        values = LONG_FIELDS if self.long else tuple(column.name for column in self.columns)
        return (*self.names, *values)

    def __call__(self, whose: Whose, data: Floats) -> bytes:
        columns = [whose.names(ROW_NAMES[name]) for name in self.names]
        if self.long:
            labels = ([c.metric for c in self.columns], [c.value for c in self.columns])
            columns = [[name for name in names for _ in self.columns] for names in columns]
            columns += [names * len(data) for names in labels]
            data = data.reshape(-1, 1)
        return _ENCODERS[self.ending](self.names_of_columns)(columns, data)


class ScoreWriter:
    """Writes rows of scores to a file as they come; use it in a ``with`` statement.

    ``names`` are the columns that say whose a score is (see :func:`row_names`). Signatures may be
    given with the ``columns``, or by :meth:`sign` when all rows are there.
    """

    def __init__(
        self,
        path: Path,
        columns: Sequence[Column],
        names: Sequence[str] = ("id", "system"),
        long: bool = False,
    ) -> None:
        ending = path.suffix.lower().removeprefix(".")
        if ending not in _ENCODERS:
            known = ", ".join(f".{name}" for name in _ENCODERS)
            raise SummetryError(f"{path}: scores are written to files ending in {known}")
        _check_names([column.name for column in columns])
        self.path, self.columns = path, tuple(columns)
        if ending == "aesop":
            check_one_metric(path, columns)
            names, long = tuple(ROW_NAMES), False
        self.encode = ScoreEncoder(ending, tuple(names), self.columns, long)
        # Beside a pipe or a device there is no place.
        is_file = path.is_file() or not path.exists()
        has_own_place = ending == "parquet" or not is_file
        self._beside = None if has_own_place else signatures_beside(path)
        if self._beside:
            _check_beside(self._beside)

    def __enter__(self) -> ScoreWriter:
        with contextlib.ExitStack() as opened:
            part = opened.enter_context(written_whole(self.path))
            if self._beside:
                opened.enter_context(_signed(self._beside, self._signatures))
            # Closed before the file takes its place.
            if self.encode.ending == "parquet":
                writer = _parquet_file(part, self.encode.names_of_columns, self._signatures)
            else:
                writer = _text_file(part, self.encode)
            self.append = opened.enter_context(writer)
            self._opened = opened.pop_all()
        return self

    def add(self, rows: Sequence[Row], data: Floats) -> None:
        self.append(self.encode(Whose.of(rows), data))

    def sign(self, columns: Sequence[Column]) -> None:
        """Give the columns, which are the same, their signatures."""
        self.columns = tuple(columns)

    def _signatures(self) -> dict[str, str]:
        # A file of AESOP names no metric: what is beside it does, with a signature or without.
        is_named = self.encode.ending != "aesop"
        return {c.name: c.signature for c in self.columns if c.signature or not is_named}

    def __exit__(self, *raised: Any) -> None:
        self._opened.__exit__(*raised)


def _check_names(names: Sequence[str]) -> None:
    """Refuse names that could not be told from others in a file."""
    for place, name in enumerate(names):
        is_whose = name in (*ROW_NAMES, "topic", "author")
        if is_whose or name in names[:place]:
            reason = "names whose score it is" if is_whose else "is there twice"
            raise SummetryError(f"a file of scores has each column once, and {name!r} {reason}")


def write_scores(table: ScoreTable, path: Path, long: bool = False) -> None:
    """A whole table to a file, its kind by the file's ending."""
    with ScoreWriter(path, table.columns, row_names(table.rows), long) as writer:
        writer.add(table.rows, table.data)


def is_signed(path: Path) -> bool:
    """Whether a file has signatures, which say that it was written here."""
    return bool(kind_of_table(path) or is_aesop(path)) and bool(signatures_of(path))


def signatures_beside(path: Path) -> Path:
    """Where the signatures of a file of scores are."""
    return path.with_name(f"{path.name}.signatures.json")


def scores_at(
    scores: ScoreTable | str | Path | Any, columns: Mapping[str, str] | None = None
) -> ScoreTable:
    """A table as it is, or the one in a frame or a file (see :func:`read_scores`)."""
    if isinstance(scores, ScoreTable):
        return scores
    expected = "a table of scores, a frame or a path to one"
    place = as_frame(scores, "the scores") or as_path("scores", scores, expected)
    return read_scores(place, columns)


def read_scores(path: Readable, columns: Mapping[str, str] | None = None) -> ScoreTable:
    """The table in a file written by :func:`write_scores`, by others, or in files of AESOP.

    ``columns`` maps the roles ``id``, ``system``, ``metric`` and ``score`` to names of columns.
    """
    if isinstance(path, Path):
        must_be_stored(path)
    old = path if isinstance(path, Path) and is_aesop(path) else None
    if path.is_dir() and old is None:
        raise SummetryError(
            f"{path}: expected scores in a file, or files of AESOP, found a folder of something "
            f"else"
        )
    rows: dict[Row, int] = {}
    places: dict[Column, int] = {}
    numbers: dict[tuple[int, int], float] = {}
    for place, row, column, number in _read_aesop(old) if old else _read_table(path, columns or {}):
        key = (rows.setdefault(row, len(rows)), places.setdefault(column, len(places)))
        if key in numbers:
            raise FormatError(place, "each score once", f"{column.name} of {row} a second time")
        numbers[key] = number
    data = np.full((len(rows), len(places)), np.nan)
    for (i, j), number in numbers.items():
        data[i, j] = number
    return ScoreTable(tuple(rows), tuple(places), data)


def is_scores(path: Readable, columns: Mapping[str, str] | None = None) -> bool:
    """Whether a table has scores, by its first rows, or a file or folder is of AESOP."""
    if isinstance(path, Path):
        if is_aesop(path):
            return True
        if not path.is_file() or not kind_of_table(path):
            return False
    try:
        rows = first_cells(path, LOOKED_AT)
        layout = _layout(rows, columns or {}, path)
    except FormatError:
        # What the user names scores of is refused as scores.
        return bool(columns_of_roles(columns or {}, ("metric", "score")))
    if layout.is_named:
        return True
    names = dict.fromkeys(name for _, cells in rows for name in cells)
    asked = {n for role in ROLES[:4] for n in (columns or {}).get(role, "").split("+")}
    others = [name for name in names if name not in layout.whose.values()]
    if any(known_role(n) in ROLES[:4] or NUMBERED.fullmatch(n) or n in asked for n in others):
        return False
    is_judged = column_for("judge", others, columns or {}, Place(str(path))) is not None
    if is_judged or _NO_SCORES & {name.strip().lower() for name in others}:
        return False
    unread = [name for name in layout.left_out if name not in NO_SYSTEMS]
    if any(are_texts(cells.get(name) for _, cells in rows) for name in unread):
        return False
    values = [name for name in others if name not in layout.left_out]
    return layout.long is not None or any(
        number_in(cells.get(n)) is not None for _, cells in rows for n in values
    )


class _Layout(msgspec.Struct, frozen=True):
    """Which columns say whose a score is, and which hold numbers."""

    whose: Mapping[str, str]
    # Of a long table: the columns of the metric's name and of the number.
    long: tuple[str, str] | None = None
    left_out: tuple[str, ...] = ()
    # Whether the user names the columns of scores.
    is_named: bool = False
    notes: str = ""


def _read_aesop(path: Path) -> Iterator[Cell]:
    """The scores of files of AESOP, each with the metric that is named beside it, if one is."""
    columns: dict[str, Column] = {}
    for place, row, column, number in read_aesop(path):
        if place.path not in columns:
            named = signatures_of(Path(place.path))
            known = [Column.named(*metric) for metric in named.items()]
            columns[place.path] = known[0] if len(known) == 1 else column
        yield place, row, columns[place.path], number


def _layout(
    rows: Sequence[tuple[Place, Cells]], columns: Mapping[str, str], path: Readable
) -> _Layout:
    """What the columns of the first rows are."""
    place = rows[0][0] if rows else Place(str(path))
    names = list(dict.fromkeys(name for _, cells in rows for name in cells))
    asked = columns_of_roles(columns, SCORE_ROLES)
    whose = {name: name for name in ROW_DEFAULTS if name in names}
    for role in ("id", "system"):
        column = column_for(role, names, asked, place)
        if column is None:
            found = f"the columns {', '.join(names)}"
            asks = naming_advice([cells for _, cells in rows], f"--columns {role}=NAME")
            advice = f"say {asks}"
            raise FormatError(place, f"a column {role!r}", found, advice)
        whose[role] = column
    others = [name for name in names if name not in whose.values()]
    metric = column_for("metric", others, asked, place)
    named = asked.get("score", "").split("+")
    is_named = not metric and set(named) <= set(others)
    score = column_for("score", others, asked, place) if metric else None
    long = (metric, score) if metric and score else None
    if long:
        left_out = [name for name in others if name not in (*long, "part")]
    elif is_named:
        left_out = [name for name in others if name not in named]
    else:
        left_out = [n for n in others if _is_no_score(n, [cells.get(n) for _, cells in rows])]
        if len(left_out) == len(others):
            left_out = []
    usual = {*ROW_NAMES, "topic", "author", *LONG_FIELDS, *asked.values()}
    roles = [*whose.items(), *(zip(("metric", "score"), long, strict=True) if long else ())]
    taken = taken_in_words([([c], f"the {role}") for role, c in roles if c and c not in usual])
    unread = f"not read as scores: {', '.join(left_out)}" if left_out else ""
    notes = "; ".join(filter(None, (taken, unread)))
    return _Layout(whose, long, tuple(left_out), is_named, notes)


def _is_no_score(name: str, cells: Sequence[Any]) -> bool:
    """Whether a column is a second id, the numbers of rows as pandas writes them, or no numbers."""
    if not name or name.startswith("Unnamed: ") or known_role(name) in ("id", "system"):
        return True
    there = [cell for cell in cells if cell not in ("", None)]
    return bool(there) and all(number_in(cell) is None for cell in there)


def _read_table(path: Readable, columns: Mapping[str, str]) -> Iterator[Cell]:
    signatures = signatures_of(path)
    rows = read_cells(path)
    first = list(islice(rows, LOOKED_AT))
    layout = _layout(first, columns, path) if first else _Layout({})
    if layout.notes:
        warn_at(path, layout.notes)
    apart = {*layout.whose.values(), *layout.left_out}
    known: dict[str, Column] = {}
    unnamed: dict[str, tuple[Place, int]] = {}
    for place, cells in chain(first, rows):
        row = _row(cells, layout, place)
        for role, name in (("id", row.topic), ("system", row.author)):
            if not name:
                where, before = unnamed.get(layout.whose[role], (place, 0))
                unnamed[layout.whose[role]] = where, before + 1
        if layout.long:
            metric, score = map(cells.get, layout.long)
            values = [(Column(str(metric), str(cells.get("part") or "value")).name, score)]
        else:
            values = [(name, cell) for name, cell in cells.items() if name not in apart]
        for name, cell in values:
            if name not in known:
                known[name] = Column.named(name, signatures.get(name, ""))
            yield place, row, known[name], _number(cell, name, place)
    for column, (place, count) in unnamed.items():
        warn_of_rows(place, count, f"no {column!r}, so an empty name is taken")


def _row(cells: Cells, layout: _Layout, place: Place) -> Row:
    named = {}
    for name, field in ROW_NAMES.items():
        column = layout.whose.get(name, name)
        cell = cells.get(column)
        if cell is None and name not in ROW_DEFAULTS:
            raise FormatError(place, f"a name as {column}", "none")
        named[field] = ROW_DEFAULTS[name] if cell is None else str(cell)
    return Row(**named)


def _number(cell: Any, name: str, place: Place) -> float:
    try:
        return math.nan if cell in ("", None) else float(cell)
    except (ValueError, TypeError):
        found = shorten(cell) if isinstance(cell, str) else repr(cell)
        raise FormatError(place, f"a number as {name}", found, about_comma(cell)) from None


def signatures_of(path: Readable) -> dict[str, str]:
    """The signature of each column of a file, where it has one."""
    if not isinstance(path, Path):
        return {}
    if kind_of_table(path) == "parquet":
        metadata = pyarrow_for("reading Parquet").parquet.read_schema(path).metadata or {}
        try:
            return msgspec.json.decode(metadata.get(_PARQUET_KEY, b"{}"), type=dict[str, str])
        except msgspec.DecodeError as error:
            expected = 'an object {"rouge1.f": "...", ...} as signatures in the metadata'
            raise FormatError(Place(str(path)), expected, f"something else ({error})") from error
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
def _signed(beside: Path, signatures: _Signatures) -> Iterator[None]:
    """Write signatures when the scores are whole, before their file takes its place."""
    yield
    if signatures() or beside.exists():
        write_whole(beside, json.dumps({"signatures": signatures()}, indent=1) + "\n")


class _Texts(dict[int, str]):
    """Numbers as they are written, by their bits: most scores are there many times."""

    def __init__(self, write: Callable[[float | str | None], str]) -> None:
        super().__init__()
        self._write_one = write

    def __missing__(self, bits: int) -> str:
        (number,) = struct.unpack("d", struct.pack("q", bits))
        self[bits] = text = self._write_one(plain_number(number))
        return text

    def rows(self, whose: Sequence[Sequence[str]], data: Floats) -> Iterator[tuple[str, ...]]:
        """The cells of each row."""
        if len(self) > _REMEMBERED:
            self.clear()
        bits = np.ascontiguousarray(data.T).view(np.int64).tolist()
        return zip(*whose, *(map(self.__getitem__, column) for column in bits), strict=True)


_CSV_TEXTS = _Texts(lambda number: "" if number is None else str(number))


def _csv(whose: Sequence[Sequence[str]], data: Floats) -> bytes:
    words = "".join(chain.from_iterable(whose))
    if "\r" in words:
        return _separated(_CSV_TEXTS.rows(whose, data))
    if _QUOTED.search(words):
        whose = [[_quoted(name) for name in column] for column in whose]
    # With an end after the last one, too, if there is any.
    ends = [""] if len(data) else []
    return "\n".join(chain(map(",".join, _CSV_TEXTS.rows(whose, data)), ends)).encode()


def _separated(rows: Iterable[Iterable[str]]) -> bytes:
    file = io.StringIO(newline="")
    write_separated(file, rows)
    return file.getvalue().encode()


def _quoted(name: str) -> str:
    """A name as a cell of CSV."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"' if _QUOTED.search(name) else name


@cache
def _json_lines(names: tuple[str, ...]) -> _Encode:
    encoder = msgspec.json.Encoder()

    def encoded(cell: float | str | None) -> str:
        return encoder.encode(cell).decode()

    texts = _Texts(encoded)
    keys = (encoded(name).replace("%", "%%") for name in names)
    line = "{" + ",".join(f"{key}:%s" for key in keys) + "}\n"

    def encode(whose: Sequence[Sequence[str]], data: Floats) -> bytes:
        cells = [list(map(encoded, column)) for column in whose]
        return "".join(map(line.__mod__, texts.rows(cells, data))).encode()

    return encode


def _aesop(whose: Sequence[Sequence[str]], data: Floats) -> bytes:
    scores = map(plain_number, data[:, 0].tolist())
    return "".join(written_lines(zip(*whose, scores, strict=True))).encode()


def _parquet(names: tuple[str, ...], whose: Sequence[Sequence[str]], data: Floats) -> bytes:
    pyarrow, schema = _schema(names)
    # From buffers: pyarrow.array() would import pandas, which takes as long as all else.
    columns = [
        pyarrow.Array.from_buffers(kind, len(data), list(map(pyarrow.py_buffer, buffers)))
        for kind, buffers in zip(
            schema.types, [*map(_as_words, whose), *map(_as_numbers, data.T)], strict=True
        )
    ]
    batch = pyarrow.RecordBatch.from_arrays(columns, schema=schema)
    return batch.serialize().to_pybytes()  # type: ignore[no-any-return]


def _as_words(column: Sequence[str]) -> tuple[bytes, ...]:
    """Names as Arrow keeps them: which are there, where each ends, and all together."""
    encoded = [name.encode() for name in column]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    return _bits(np.ones(len(column), dtype=bool)), ends.tobytes(), b"".join(encoded)


def _as_numbers(column: Floats) -> tuple[bytes, ...]:
    """Scores as Arrow keeps them: what is not a number is not there."""
    return _bits(~np.isnan(column)), column.tobytes()


def _bits(there: NDArray[np.bool_]) -> bytes:
    return np.packbits(there, bitorder="little").tobytes()


def _schema(names: Sequence[str]) -> tuple[Any, Any]:
    pyarrow = pyarrow_for("writing Parquet")
    words = {*ROW_NAMES, *LONG_FIELDS[:-1]}
    types = {name: pyarrow.string() if name in words else pyarrow.float64() for name in names}
    return pyarrow, pyarrow.schema(list(types.items()))


@contextlib.contextmanager
def _text_file(path: Path, encode: ScoreEncoder) -> Iterator[Callable[[bytes], Any]]:
    with path.open("wb") as file:
        if encode.ending == "csv":
            file.write(_separated([encode.names_of_columns]))
        yield file.write


@contextlib.contextmanager
def _parquet_file(
    path: Path, names: Sequence[str], signatures: _Signatures
) -> Iterator[Callable[[bytes], Any]]:
    pyarrow, schema = _schema(names)
    # Where a schema is stored as well, readers look for metadata there, which cannot be added to.
    with pyarrow.parquet.ParquetWriter(path, schema, store_schema=False) as out:
        held: list[Any] = []

        def append(content: bytes) -> None:
            held.append(pyarrow.ipc.read_record_batch(pyarrow.py_buffer(content), schema))
            if sum(map(len, held)) >= _GROUP_ROWS:
                write()

        def write() -> None:
            out.write_table(pyarrow.Table.from_batches(held, schema))
            held.clear()

        yield append
        if held:
            write()
        out.add_key_value_metadata({_PARQUET_KEY: json.dumps(signatures()).encode()})


_Signatures = Callable[[], Mapping[str, str]]
# What makes the bytes of rows with these names of columns, by the ending of a file's name.
_ENCODERS: dict[str, Callable[[tuple[str, ...]], _Encode]] = {
    "csv": lambda names: _csv,
    "jsonl": _json_lines,
    "parquet": lambda names: partial(_parquet, names),
    "aesop": lambda names: _aesop,
}
