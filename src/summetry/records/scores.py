"""Score tables: metric value x protocol x topic x author, with signatures.

A row is one author's summary of one topic under one protocol, a column one value of one
metric. What is undefined or absent is NaN, never 0.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from summetry.arguments import check_confidence
from summetry.arrays.t_quantiles import t_quantiles
from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError, counted, must_be_known, optional_module
from summetry.signature import Signature

if TYPE_CHECKING:
    import pandas
    import polars

# Of a table in which every row is one number: what stands behind the names of the row.
LONG_FIELDS = ("metric", "part", "score")
_NAME_AND_VALUE = re.compile(r"(.+)\.([A-Za-z_]\w*)", re.DOTALL)
# How many systems the short form of a table shows.
_SHOWN_SYSTEMS = 10
# How long its lines are.
_WIDTH = 80
# Sums are kept in this unit, so that those of very large scores are finite; a power of two costs
# no digit.
_UNIT = 2.0**-64


class Column(msgspec.Struct, frozen=True):
    """One value of one metric: the metric's name as it was typed, the value's, the signature."""

    metric: str
    value: str = "value"
    signature: str = ""

    @classmethod
    def named(cls, name: str, signature: str = "") -> Column:
        """The column of a name; what has no value behind a dot has one value only.

        >>> Column.named("rouge-w-1.2.f").value, Column.named("rouge-w-1.2").metric
        ('f', 'rouge-w-1.2')
        """
        parts = _NAME_AND_VALUE.fullmatch(name)
        return cls(parts[1], parts[2], signature) if parts else cls(name, "value", signature)

    @property
    def name(self) -> str:
        """The name in tables and files; where a metric has one value, that is not named.

        It is named where the end of the metric's own name would be read as a value.
        """
        is_short = self.value == "value" and not _NAME_AND_VALUE.fullmatch(self.metric)
        return self.metric if is_short else f"{self.metric}.{self.value}"

    @property
    def spelling(self) -> str:
        """The full spelling of the metric, or its name where there is no signature."""
        return Signature.parse(self.signature).metric if self.signature else self.metric


class Row(NamedTuple):
    """Whose score: an author's summary of a topic under a protocol."""

    protocol: str
    topic: str
    author: str
    role: str


class Whose(NamedTuple):
    """Whose some scores are, in columns: which of the systems each is of, and its topic.

    A system is an author with a protocol and a role.
    """

    systems: tuple[tuple[str, str, str], ...]
    places: Ints
    topics: Sequence[str]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Whose:
        systems = [(protocol, author, role) for protocol, _, author, role in rows]
        return cls.named(systems, [row.topic for row in rows])

    @classmethod
    def named(cls, systems: Sequence[tuple[str, str, str]], topics: Sequence[str]) -> Whose:
        """The system and the topic of each score."""
        known = {system: place for place, system in enumerate(dict.fromkeys(systems))}
        places = np.fromiter(map(known.__getitem__, systems), np.int64, len(systems))
        return cls(tuple(known), places, topics)

    def rows(self) -> list[Row]:
        return list(map(Row, *(self.names(name) for name in Row._fields)))

    def names(self, field: str) -> Sequence[str]:
        """One field of all rows."""
        if field == "topic":
            return self.topics
        place = ("protocol", "author", "role").index(field)
        names = [system[place] for system in self.systems]
        return list(map(names.__getitem__, self.places.tolist()))


# The names of a row in files and frames, and what each has where it is left out.
ROW_NAMES = {"protocol": "protocol", "id": "topic", "system": "author", "role": "role"}
ROW_DEFAULTS = {"protocol": "no_models", "role": "candidate"}


def undefined_in_words(columns: Sequence[Column], counts: Sequence[int]) -> str:
    """How many values are undefined, in a sentence; empty where none is.

    A metric is named once if this number is the same for all its values.

    >>> undefined_in_words([Column("rouge1", "recall"), Column("rouge1", "f")], [2, 2])
    'undefined and left out of the means: rouge1 2'
    """
    by_metric: dict[str, dict[str, int]] = {}
    for column, count in zip(columns, counts, strict=True):
        by_metric.setdefault(column.metric, {})[column.name] = count
    said: dict[str, int] = {}
    for metric, own in by_metric.items():
        is_same = len(own) > 1 and len({*own.values()}) == 1
        said |= {metric: max(own.values())} if is_same else own
    names = [f"{name} {count:,}" for name, count in said.items() if count]
    return f"undefined and left out of the means: {', '.join(names)}" if names else ""


def row_names(rows: Sequence[Row]) -> tuple[str, ...]:
    """Which names of its rows a table shows: protocol and role only where there are others."""
    usual = tuple(ROW_DEFAULTS.values())
    is_usual = all((row.protocol, row.role) == usual for row in rows)
    return ("id", "system") if is_usual else ("id", "system", "protocol", "role")


@dataclass(frozen=True, eq=False, repr=False)
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

    def __repr__(self) -> str:
        """The means of the systems, and what there is."""
        means = self.means()
        systems = list(dict.fromkeys(author for _, author, _ in means.systems()))
        shown = ["system", *(author for _, author, _ in means.systems()[:_SHOWN_SYSTEMS])]
        numbers = means.means()[:_SHOWN_SYSTEMS].T.tolist()
        columns = [
            [column.name, *(f"{mean:.4f}" for mean in own)]
            for column, own in zip(self.columns, numbers, strict=True)
        ]
        groups = groupby(columns, lambda cells: Column.named(cells[0]).metric)
        lines: list[str] = []
        for some in _side_by_side([list(g) for _, g in groups], _WIDTH - max(map(len, shown))):
            table = list(zip(shown, *some, strict=True))
            lines += [*[""] * bool(lines), *text_table(table[0], table[1:])]
        summaries, values = counted(len(self), "summary"), counted(len(self.columns), "value")
        about = f"means of {counted(len(systems), 'system')}; {summaries}, {values}"
        notes = f"; .notes has {counted(len(self.notes), 'note')}" if self.notes else ""
        return "\n".join([*lines, f"({about}; .to_pandas() has each{notes})"])

    def _repr_html_(self) -> str:
        # Pictures are made of records, so the module that draws them is above this one: it is
        # looked up by name when a notebook asks, and nothing here depends on it before.
        html: str = import_module("summetry.reports.notebook").scores_html(self)
        return html

    def column(self, name: str) -> Floats:
        """The numbers of a column named like ``rouge1.f``."""
        must_be_known("column of scores", name, self._places)
        numbers: Floats = self.data[:, self._places[name]]
        return numbers

    def means(self) -> SystemMeans:
        """The mean of each system over its topics."""
        means = SystemMeans(self.columns)
        means.add(self.rows, self.data)
        return means

    def authors(self) -> list[str]:
        return sorted({row.author for row in self.rows})

    def records(self) -> Iterator[dict[str, Any]]:
        """One record per number; an undefined number is None."""
        names = row_names(self.rows)
        for row, numbers in zip(self.rows, self.data.tolist(), strict=True):
            whose = {name: getattr(row, ROW_NAMES[name]) for name in names}
            for column, number in zip(self.columns, numbers, strict=True):
                score = None if math.isnan(number) else number
                what = (column.metric, column.value, score)
                yield whose | dict(zip(LONG_FIELDS, what, strict=True))

    def to_pandas(self, long: bool = False) -> pandas.DataFrame:
        """One row per summary and one column per value; if ``long``, one row per number."""
        return pandas_frame(self._cells(long))

    def to_polars(self, long: bool = False) -> polars.DataFrame:
        """As :meth:`to_pandas`, a polars frame."""
        frames = optional_module("polars", "a polars frame")
        frame: polars.DataFrame = frames.DataFrame(self._cells(long), nan_to_null=True)
        return frame

    @cached_property
    def _places(self) -> dict[str, int]:
        return {column.name: i for i, column in enumerate(self.columns)}

    def _cells(self, long: bool) -> dict[str, Any]:
        whose: dict[str, Any] = {
            name: np.array([getattr(row, ROW_NAMES[name]) for row in self.rows], object)
            for name in row_names(self.rows)
        }
        if not long:
            return whose | dict(zip((c.name for c in self.columns), self.data.T, strict=True))
        tidy = {name: np.repeat(names, len(self.columns)) for name, names in whose.items()}
        labels = ([c.metric for c in self.columns], [c.value for c in self.columns])
        for field, names in zip(LONG_FIELDS, labels, strict=False):
            tidy[field] = np.tile(np.array(names, object), len(self.rows))
        return tidy | {LONG_FIELDS[-1]: self.data.reshape(-1)}


class SystemMeans:
    """Means over topics for each author, added up row by row as chunks of scores arrive.

    Rows are added in order, so the means do not depend on how the rows were chunked.
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = tuple(columns)
        self._places: dict[tuple[str, str, str], int] = {}
        none = np.zeros((0, len(columns)))
        self._sums = none
        self._defined = none.astype(np.int64)
        self._rows = np.zeros(0, dtype=np.int64)
        self._used = self._rows
        # The first value of each system, and sums of the distances from it and of their squares:
        # squares of large values that differ little would leave nothing of the difference.
        self._first, self._distances, self._squares = none, none, none

    def add(self, rows: Sequence[Row] | Whose, data: Floats) -> None:
        whose = rows if isinstance(rows, Whose) else Whose.of(rows)
        for system in whose.systems:
            self._places.setdefault(system, len(self._places))
        numbers = np.array([self._places[system] for system in whose.systems], dtype=np.int64)
        places = numbers[whose.places]
        if len(self._places) > len(self._sums):
            grow = ((0, len(self._places) - len(self._sums)), (0, 0))
            self._sums, self._defined = np.pad(self._sums, grow), np.pad(self._defined, grow)
            self._rows, self._used = np.pad(self._rows, grow[0]), np.pad(self._used, grow[0])
            self._first = np.pad(self._first, grow, constant_values=np.nan)
            self._distances = np.pad(self._distances, grow)
            self._squares = np.pad(self._squares, grow)
        defined = ~np.isnan(data)
        if np.isnan(self._first).any():
            # Written from the last row to the first, so that the first one stays.
            first = self._first.copy()
            for column in range(data.shape[1]):
                there = np.flatnonzero(defined[:, column])[::-1]
                first[places[there], column] = data[there, column]
            self._first = np.where(np.isnan(self._first), first, self._first)
        # The sums so far stand before the new rows, which are added to them one after the other.
        lines, width = np.concatenate([np.arange(len(self._sums)), places]), data.shape[1]
        cells = (lines[:, None] * width + np.arange(width)).ravel()

        def added(sums: NDArray[Any], numbers: NDArray[Any]) -> NDArray[Any]:
            weights = np.concatenate([sums, numbers]).ravel()
            return np.bincount(cells, weights).reshape(sums.shape)

        of_each = np.bincount(places, minlength=len(self._rows))
        self._rows += of_each
        with np.errstate(invalid="ignore", over="ignore"):
            distances = data - self._first[places]
            if defined.all():
                self._used += of_each
                self._defined += of_each[:, None]
            else:
                data, distances = np.where(defined, data, 0.0), np.where(defined, distances, 0.0)
                self._used += np.bincount(places[defined.any(axis=1)], minlength=len(self._used))
                self._defined = added(self._defined, defined).astype(np.int64)
            self._sums = added(self._sums, data * _UNIT)
            self._distances = added(self._distances, distances)
            self._squares = added(self._squares, distances**2)

    def systems(self) -> list[tuple[str, str, str]]:
        """(protocol, author, role) of every line, in the order of ``means``."""
        return list(self._places)

    def means(self) -> Floats:
        """Mean over the topics where the value is defined, NaN where there is none."""
        with np.errstate(invalid="ignore"):
            means: Floats = self._sums / self._defined / _UNIT
        return means

    def standard_errors(self) -> Floats:
        """The standard error of each mean over topics, NaN where there are fewer than two."""
        n = self._defined
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            variances = (self._squares - self._distances**2 / n) / (n - 1)
            errors: Floats = np.sqrt(np.maximum(variances, 0.0) / n)
        return np.where(n > 1, errors, np.nan)

    def intervals(self, confidence: float = 0.95) -> tuple[Floats, Floats]:
        """The ends of the t interval of each mean, over topics."""
        check_confidence(confidence)
        reach = t_quantiles(self._defined - 1, (1 + confidence) / 2) * self.standard_errors()
        return self.means() - reach, self.means() + reach

    def undefined(self) -> Ints:
        """How many topics were left out of each mean."""
        left_out: Ints = self._rows[:, None] - self._defined
        return left_out

    def topics(self) -> Ints:
        """How many topics each system has a value of."""
        return self._used


def plain_number(number: float) -> float | str | None:
    """A number as JSON, CSV and our readers have it: ``inf`` in letters, None if undefined.

    >>> plain_number(-math.inf), plain_number(math.nan), plain_number(0.5)
    ('-inf', None, 0.5)
    """
    if math.isnan(number):
        return None
    return number if math.isfinite(number) else str(float(number))


def text_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines with the cells below one another, words to the left and numbers to the right.

    >>> text_table(["system", "f"], [["lead", "0.5"], ["t5", "0.25"]])
    ['system     f', 'lead     0.5', 't5      0.25']
    """
    widths = [max(map(len, cells)) for cells in zip(headings, *rows, strict=True)]
    lines = []
    for cells in (headings, *rows):
        pairs = zip(cells[1:], widths[1:], strict=True)
        rest = [cell.rjust(width) for cell, width in pairs]
        lines.append("  ".join([cells[0].ljust(widths[0]), *rest]).rstrip())
    return lines


def _side_by_side(groups: Sequence[list[list[str]]], room: int) -> Iterator[list[list[str]]]:
    """Columns that fit on a line, two blanks before each; those of a group stay together."""
    some: list[list[str]] = []
    for columns in groups:
        if some and sum(2 + max(map(len, cells)) for cells in (*some, *columns)) > room:
            yield some
            some = []
        some = [*some, *columns]
    yield some


def pandas_frame(cells: Any, **how: Any) -> pandas.DataFrame:
    """A frame of columns or of rows, if pandas is there."""
    frame: pandas.DataFrame = optional_module("pandas", "a pandas frame").DataFrame(cells, **how)
    return frame


def html_table(text: str) -> str:
    """A short table as a notebook shows it."""
    from html import escape

    return f"<pre>{escape(text)}</pre>"
