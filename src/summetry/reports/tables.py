"""Tables for people."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from summetry.metaeval.correlations import Following
from summetry.metrics import METRICS
from summetry.model.scores import Column, SystemMeans

# More values than this do not fit beside one another; then each metric shows its headline.
MOST_COLUMNS = 8


def number(value: float, digits: int = 4) -> str:
    """A number for people; a dash where there is none."""
    return "–" if math.isnan(value) else f"{value:.{digits}f}"


def system_table(means: SystemMeans) -> Table:
    """Systems, best first (see :func:`ranked_by`), the best value of each column in bold."""
    shown = shown_columns(means.columns)
    numbers = means.means()[:, shown]
    better = [_better(means.columns[place]) for place in shown]
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("system")
    table.add_column("role")
    for place in shown:
        table.add_column(_heading(means.columns[place]), justify="right")
    table.add_column("topics", justify="right")
    best = [_best(values.tolist(), b) for values, b in zip(numbers.T, better, strict=True)]
    for line in ranking(means):
        _, author, role = means.systems()[line]
        cells: list[Any] = [
            Text(number(value), style="bold" if value == top else "")
            for value, top in zip(numbers[line], best, strict=True)
        ]
        table.add_row(author, role, *cells, str(means.topics()[line]))
    return table


def ranking(means: SystemMeans) -> list[int]:
    """The lines of ``means``, best first; without a value last; ties as they came."""
    order = list(range(len(means.systems())))
    place = _ranked_by(means)
    if place is not None:
        sign = -1.0 if _better(means.columns[place]) == "higher" else 1.0
        values = (means.means()[:, place] * sign).tolist()
        order.sort(key=lambda line: (math.isnan(values[line]), values[line]))
    return order


def ranked_by(means: SystemMeans) -> str:
    """What the ranking goes by, in words."""
    place = _ranked_by(means)
    if place is None:
        return "Systems, as they came"
    return f"Systems, best first by {means.columns[place].name}"


def _ranked_by(means: SystemMeans) -> int | None:
    """The first value that says which is better, one that all systems have if there is any."""
    able = [p for p in shown_columns(means.columns) if _better(means.columns[p]) != "neither"]
    complete = [p for p in able if not np.isnan(means.means()[:, p]).any()]
    return next(iter(complete or able), None)


def shown_columns(columns: Sequence[Column]) -> list[int]:
    """The places of the columns that a table for people shows."""
    if len(columns) <= MOST_COLUMNS:
        return list(range(len(columns)))
    values = Counter(column.metric for column in columns)
    return [
        place
        for place, column in enumerate(columns)
        if values[column.metric] == 1 or column.value == METRICS.build(column.metric).headline
    ]


def following_table(lines: Sequence[Following]) -> Table:
    """Correlations of each value with the marks, one line a value."""
    dimensions = list(dict.fromkeys(line.dimension for line in lines))
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("value")
    table.add_column("systems", justify="right")
    for dimension in dimensions:
        for coefficient in ("Pearson", "Spearman", "Kendall"):
            table.add_column(f"{dimension}\n{coefficient}", justify="right")
    by_column: dict[Column, list[Following]] = {}
    for line in lines:
        by_column.setdefault(line.column, []).append(line)
    for column, found in by_column.items():
        cells = [number(x, 3) for f in found for x in (f.pearson, f.spearman, f.kendall)]
        table.add_row(column.name, str(max(f.systems for f in found)), *cells)
    return table


def plain_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A table of words."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in headings:
        table.add_column(heading)
    for row in rows:
        table.add_row(*row)
    return table


def console(width: int | None = None) -> Console:
    """Standard output; wide enough for a table where it is not a terminal."""
    made = Console(highlight=False, width=width)
    return made if made.is_terminal or width else Console(highlight=False, width=160)


def _better(column: Column) -> str:
    return METRICS.build(column.metric).better[column.value]


def _best(values: Sequence[float], better: str) -> float:
    defined = [value for value in values if not math.isnan(value)]
    if not defined or better == "neither":
        return math.nan
    return max(defined) if better == "higher" else min(defined)


def _heading(column: Column) -> str:
    return column.metric if column.value == "value" else f"{column.metric}\n{column.value}"
