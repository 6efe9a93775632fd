"""Points in two directions, each with its interval and, where there is room, its name."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from summetry.errors import counted
from summetry.reports.chart_names import HEIGHT, WIDTH
from summetry.reports.label_places import Box, place_names
from summetry.reports.plots import (
    INK,
    Canvas,
    Field,
    altair_or_error,
    finished,
    intervals,
    number_axis,
)

if TYPE_CHECKING:
    from summetry.reports.plots import Drawn

Row = Mapping[str, Any]

# What of an axis stays empty at either end, so that names have room there.
_MARGIN = 0.08


def scatter_chart(
    rows: Sequence[Row],
    x: Field,
    y: Field,
    series: Field | None = None,
    label: str = "",
    title: str = "",
    note: str = "",
) -> Drawn:
    """A point a row; an interval is a line through it, ``label`` the column with its name.

    Axes go as far as the points and their intervals, not to 0. A name that would lie on another
    one or on a point is left out, and the note counts those; a page shows it under the pointer.
    """
    alt = altair_or_error()
    x, y = (replace(field, ends=field.ends or _ends(rows, field)) for field in (x, y))
    canvas = Canvas.of(rows, x, y, series)
    shown = {"x": number_axis(alt.X, x), "y": number_axis(alt.Y, y)}
    rules = canvas.base.mark_rule(strokeWidth=1.2, opacity=0.55)
    layers = [
        layer
        for along, field in (("x", x), ("y", y))
        for layer in intervals(rules, shown, field, canvas.colour(), along)
    ]
    # All of a row, its name among it, not only what the axes show.
    told = alt.TooltipContent("data")
    points = canvas.base.mark_point(size=70, filled=True, opacity=1, tooltip=told)
    shapes = canvas.told_apart(alt.Shape)
    layers.append(points.encode(**shown, color=canvas.colour(), **shapes))
    if label:
        placed, left_out = _placed(rows, x, y, label)
        letters = alt.Chart(alt.InlineData(values=placed)).mark_text(
            align="left", baseline="middle", fontSize=12, color=INK
        )
        layers.append(letters.encode(x="x:Q", y="y:Q", text="name:N"))
        if left_out:
            more = f"{counted(left_out, 'name')} left out for want of room"
            note = "\n".join(filter(None, [note, more]))
    return finished(layers, title, note)


def _numbers(rows: Sequence[Row], name: str) -> list[float]:
    """The numbers of a column; NaN where a row has none."""
    given = (row.get(name) for row in rows)
    return [math.nan if value is None else float(value) for value in given]


def _ends(rows: Sequence[Row], field: Field) -> tuple[float, float]:
    """From the lowest to the highest point or end of an interval, and something beyond."""
    names = filter(None, (field.name, field.low, field.high))
    numbers = [n for name in names for n in _numbers(rows, name) if math.isfinite(n)]
    low, high = min(numbers, default=0.0), max(numbers, default=1.0)
    beyond = (high - low) * _MARGIN or abs(high) * _MARGIN or 1.0
    return low - beyond, high + beyond


@dataclass(frozen=True)
class _Scale:
    """From the numbers of an axis to points of the chart and back."""

    low: float
    high: float
    # Where the low end lies and where the high one does: y grows downwards.
    start: float
    end: float

    def to_points(self, number: float) -> float:
        share = (number - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def to_number(self, points: float) -> float:
        share = (points - self.start) / (self.end - self.start)
        return self.low + share * (self.high - self.low)


def _placed(
    rows: Sequence[Row], x: Field, y: Field, label: str
) -> tuple[list[dict[str, Any]], int]:
    """Names with the numbers at which they begin, and how many names found no place."""
    assert x.ends and y.ends
    across, down = _Scale(*x.ends, 0, WIDTH), _Scale(*y.ends, HEIGHT, 0)
    lefts, centres, rights = (list(map(across.to_points, n)) for n in _with_ends(rows, x))
    bottoms, middles, tops = (list(map(down.to_points, n)) for n in _with_ends(rows, y))
    lines = [
        *map(Box, lefts, middles, rights, middles),
        *map(Box, centres, tops, centres, bottoms),
    ]
    points = list(zip(centres, middles, strict=True))
    drawn = [place for place, both in enumerate(points) if math.isfinite(sum(both))]
    names = [str(rows[place][label]) for place in drawn]
    found = place_names(names, [points[place] for place in drawn], lines, (WIDTH, HEIGHT))
    placed = [
        {
            "name": name,
            "x": across.to_number(box.left),
            "y": down.to_number((box.top + box.bottom) / 2),
        }
        for name, box in zip(names, found, strict=True)
        if box
    ]
    return placed, len(names) - len(placed)


def _with_ends(rows: Sequence[Row], field: Field) -> tuple[list[float], list[float], list[float]]:
    """The low ends, the values and the high ends of a column."""
    values = _numbers(rows, field.name)
    if not (field.low and field.high):
        return values, values, values
    return _numbers(rows, field.low), values, _numbers(rows, field.high)
