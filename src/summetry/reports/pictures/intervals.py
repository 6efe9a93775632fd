"""Intervals in the rows of tables: a dot and a line that are as wide as their column.

Places are shares of the column in per cent, so the drawing needs no size. The numbers beside it say
the same, so it is hidden from screen readers.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from summetry.reports.labels import room
from summetry.reports.pictures.drawing import Axis, element, place, safe, shown

# How wide a column of intervals is at least (11rem, on phones; on paper both it and its letters are
# smaller); how large the numbers above it (12) are compared with names (13), and the gap between
# two of them.
_WIDTH, _SCALE, _GAP = 176.0, 12 / 13, 3.0


def table_of_rows(label: str, heads: Iterable[str], rows: Iterable[str]) -> str:
    """A table of HTML, of the cells of its head and of ready rows."""
    return (
        f'<div class="scroll" role="region" aria-label="{safe(label)}" tabindex="0">'
        f'<table class="wide ranking"><thead><tr>{"".join(heads)}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def scale_cell(axis: Axis) -> str:
    """The head of a column of intervals: the numbers of its axis, which goes from 0 to 100.

    Where the numbers have no room, only every second, third, ... is written.
    """
    ticks = axis.ticks
    every = next(k for k in range(1, len(ticks) + 1) if _have_room(axis, ticks[::k]))
    words = []
    for tick in ticks[::every]:
        at = axis.at(tick)
        words.append(
            element("text", safe(axis.label(tick)), x=_share(at), y=18, text_anchor=_anchor(at))
        )
    return _cell("".join(words))


def _have_room(axis: Axis, ticks: Sequence[float]) -> bool:
    """Whether the numbers stand beside each other where the column is as narrow as it can be."""
    begins, ends = [], []
    for tick in ticks:
        at, width = axis.at(tick), room(axis.label(tick)) * _SCALE
        begins.append(at * _WIDTH / 100 - width * _BEFORE[_anchor(at)])
        ends.append(begins[-1] + width)
    return all(end + _GAP <= begin for end, begin in zip(ends, begins[1:], strict=False))


# How much of a number is to the left of its place.
_BEFORE = {"start": 0.0, "middle": 0.5, "end": 1.0}


def _anchor(at: float) -> str:
    return "start" if at < 1 else "end" if at > 99 else "middle"


def interval_cell(value: float, low: float, high: float, axis: Axis) -> str:
    """A cell with a dot, and a line from the low end to the high one, where there are such."""
    drawn = []
    for tick in axis.ticks:
        x = _share(axis.at(tick))
        drawn.append(element("line", class_="grid", x1=x, x2=x, y1=-9, y2=33))
    if math.isfinite(low) and math.isfinite(high):
        ends = {"x1": _share(axis.at(low)), "x2": _share(axis.at(high))}
        drawn.append(element("line", class_="whisker", **ends, y1=12, y2=12))
    if math.isfinite(value):
        drawn.append(element("circle", class_="dot", cx=_share(axis.at(value)), cy=12, r=5))
    return _cell("".join(drawn))


def ends_of(low: float, high: float, digits: int) -> str:
    """The ends of an interval in numbers; a dash where there is none.

    >>> ends_of(0.348, 0.42, 3), ends_of(-0.5, 0.25, 2)
    ('0.348–0.420', '−0.50 to 0.25')
    """
    if math.isnan(low):
        return "–"
    # Before a minus a dash would be read as another one.
    between = "–" if low >= 0 else " to "
    return f"{shown(low, digits)}{between}{shown(high, digits)}"


def _cell(content: str) -> str:
    drawing = element("svg", content, class_="interval", aria_hidden="true")
    return f'<td class="plot">{drawing}</td>'


def _share(at: float) -> str:
    return f"{place(at)}%"
