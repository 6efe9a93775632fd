"""Score tables: metric value x protocol x topic x author, with signatures.

A row is one author's summary of one topic under one protocol, a column one value of one
metric. What is undefined or absent is NaN, never 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from summetry.arrays.types import Floats, Ints
from summetry.errors import MissingPackageError, SummetryError, UnknownNameError

if TYPE_CHECKING:
    import pandas
    import polars

FIELDS = ("protocol", "topic", "author", "role", "metric", "value", "score", "signature")


@dataclass(frozen=True, slots=True)
class Column:
    """One value of one metric: the metric's spelling, the value's name, the signature."""

    metric: str
    value: str
    signature: str = ""

    @property
    def name(self) -> str:
        return f"{self.metric}.{self.value}"


class Row(NamedTuple):
    """Whose score: an author's summary of a topic under a protocol."""

    protocol: str
    topic: str
    author: str
    role: str


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Rows of scores; ``data[i, j]`` belongs to ``rows[i]`` and ``columns[j]``."""

    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    data: Floats
    # What was left out or went wrong, in words, for the reader of the table.
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.data.shape != (len(self.rows), len(self.columns)):
            raise SummetryError(
                f"a score table of {len(self.rows)} rows and {len(self.columns)} columns "
                f"cannot hold numbers of shape {self.data.shape}"
            )

    def __len__(self) -> int:
        return len(self.rows)

    def __eq__(self, other: object) -> bool:
        """Same rows, columns and numbers; NaN equals NaN."""
        if not isinstance(other, ScoreTable):
            return NotImplemented
        same = (self.rows, self.columns) == (other.rows, other.columns)
        return same and np.array_equal(self.data, other.data, equal_nan=True)

    __hash__ = None  # type: ignore[assignment]

    def column(self, name: str) -> Floats:
        """The numbers of a column named like ``unit_overlap.value``."""
        if name not in self._places:
            raise UnknownNameError("column of scores", name, self._places)
        numbers: Floats = self.data[:, self._places[name]]
        return numbers

    def authors(self) -> list[str]:
        return sorted({row.author for row in self.rows})

    def records(self) -> Iterator[dict[str, Any]]:
        """One record per number, with its signature; an undefined number is None."""
        for values in score_fields(self.rows, self.columns, self.data):
            yield dict(zip(FIELDS, values, strict=True))

    def to_pandas(self) -> pandas.DataFrame:
        """One row per number, as a pandas frame."""
        try:
            import pandas
        except ImportError as error:
            raise MissingPackageError("a pandas frame", "pandas") from error
        return pandas.DataFrame(self._tidy())

    def to_polars(self) -> polars.DataFrame:
        """One row per number, as a polars frame."""
        try:
            import polars
        except ImportError as error:
            raise MissingPackageError("a polars frame", "polars") from error
        return polars.DataFrame(self._tidy(), nan_to_null=True)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {column.name: i for i, column in enumerate(self.columns)}

    def _tidy(self) -> dict[str, Any]:
        width = len(self.columns)
        tidy: dict[str, Any] = {
            name: np.repeat(np.array([getattr(row, name) for row in self.rows], object), width)
            for name in Row._fields
        }
        for name in ("metric", "value", "signature"):
            labels = np.array([getattr(column, name) for column in self.columns], object)
            tidy[name] = np.tile(labels, len(self.rows))
        tidy["score"] = self.data.reshape(-1)
        return {name: tidy[name] for name in FIELDS}


def score_fields(
    rows: Sequence[Row], columns: Sequence[Column], data: Floats
) -> Iterator[tuple[Any, ...]]:
    """For each number its ``FIELDS``, row by row; an undefined number is None."""
    labels = [(column.metric, column.value, column.signature) for column in columns]
    for row, numbers in zip(rows, data.tolist(), strict=True):
        for (metric, value, signature), number in zip(labels, numbers, strict=True):
            yield *row, metric, value, None if math.isnan(number) else number, signature


class SystemMeans:
    """Means over topics for each author, added up row by row as chunks of scores arrive.

    Rows are added in order, so the means do not depend on how the rows were chunked.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = tuple(columns)
        self._places: dict[tuple[str, str, str], int] = {}
        self._sums = np.zeros((0, len(columns)))
        self._defined = np.zeros((0, len(columns)), dtype=np.int64)
        self._rows = np.zeros(0, dtype=np.int64)

    def add(self, rows: Sequence[Row], data: Floats) -> None:
        keys = [(row.protocol, row.author, row.role) for row in rows]
        places = np.array([self._places.setdefault(key, len(self._places)) for key in keys], int)
        grow = len(self._places) - len(self._sums)
        self._sums = np.pad(self._sums, ((0, grow), (0, 0)))
        self._defined = np.pad(self._defined, ((0, grow), (0, 0)))
        self._rows = np.pad(self._rows, (0, grow))
        defined = ~np.isnan(data)
        np.add.at(self._sums, places, np.where(defined, data, 0.0))
        np.add.at(self._defined, places, defined)
        np.add.at(self._rows, places, 1)

    def systems(self) -> list[tuple[str, str, str]]:
        """(protocol, author, role) of every line, in the order of ``means``."""
        return list(self._places)

    def means(self) -> Floats:
        """Mean over the topics where the value is defined, NaN where there is none."""
        with np.errstate(invalid="ignore"):
            means: Floats = self._sums / self._defined
        return means

    def undefined(self) -> Ints:
        """How many topics were left out of each mean."""
        left_out: Ints = self._rows[:, None] - self._defined
        return left_out

    def topics(self) -> Ints:
        """How many rows each system has."""
        return self._rows
