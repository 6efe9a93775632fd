"""Named rows with a number each, drawn along an axis: in groups, and in panels with their own axes.

What is drawn in a row is the business of who calls; here are names, numbers, headings and room.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from summetry.reports.labels import room
from summetry.reports.pictures.drawing import (
    NARROW,
    PHONE_SCALE,
    Axis,
    Names,
    axis_below,
    fold,
    line,
    name_at,
    text,
    titled,
)

# How wide the plot is, and how narrow it may become so that a phone shows it whole.
_PLOT, _LEAST = 340.0, 200.0
# Between columns; above the first panel and below the numbers of an axis.
_GAP, _TOP, _BELOW = 16.0, 30.0, 62.0
_NAMES, _ROW, _LINE, _INDENT = 180.0, 30.0, 16.0, 12.0


@dataclass(frozen=True)
class Row:
    """A name, what stands beside it and behind the plot, and what is drawn at a height."""

    name: str
    number: str
    # What a pointer is shown.
    about: str
    marks: Callable[[Axis, float], str]
    last: str = ""


@dataclass(frozen=True)
class Group:
    """Rows under a heading, if it has words, with a dashed line through them at a number."""

    heading: str
    rows: tuple[Row, ...]
    line: float | None = None


@dataclass(frozen=True)
class Panel:
    """Groups that share an axis, which covers some numbers and has words below it."""

    groups: tuple[Group, ...]
    numbers: tuple[float, ...]
    words: str
    # About how many steps the axis has.
    steps: int = 4


def drawn_rows(
    panels: Sequence[Panel], heads: tuple[str, str, str]
) -> tuple[str, tuple[float, float]]:
    """The elements of a picture, and its size; ``heads`` stand above names, numbers and the end."""
    every = [row for panel in panels for group in panel.groups for row in group.rows]
    indent = _INDENT if any(group.heading for p in panels for group in p.groups) else 0.0
    names = Names.of([row.name for row in every], _NAMES, PHONE_SCALE)
    widest = max(names.width, room(heads[0]) * PHONE_SCALE + 12)
    left = indent + widest + _room([heads[1], *(row.number for row in every)]) + _GAP
    last = _room([heads[2], *(row.last for row in every)])
    right = last + _GAP if last else 20.0
    fits = NARROW - right - left
    plot = min(fits, _PLOT) if fits >= _LEAST else _PLOT
    width, number_at, last_at = left + plot + right, left - _GAP, left + plot + right
    drawn = [
        text(heads[0], indent, 14, class_="axis"),
        text(heads[1], number_at, 14, "end", "axis"),
    ]
    drawn += [text(heads[2], last_at, 14, "end", "axis")] if heads[2] else []
    lines, top = iter(names.lines), _TOP
    for panel in panels:
        axis = Axis.over(panel.numbers, left, left + plot, panel.steps, zero=False)
        content, y = [], top
        for group in panel.groups:
            for folded in fold(group.heading, width / PHONE_SCALE) if group.heading else ():
                content.append(text(folded, 0, y + 20, class_="name strong"))
                y += _LINE
            y += 12 if group.heading else 0
            start = y
            for row in group.rows:
                own = next(lines)
                height = max(_ROW, _LINE * len(own) + 8)
                middle, y = y + height / 2, y + height
                content.append(name_at(row.name, own, indent, middle))
                content.append(text(row.number, number_at, middle + 4.5, "end"))
                content += [text(row.last, last_at, middle + 4.5, "end")] if row.last else []
                content.append(f"<g>{titled(row.about)}{row.marks(axis, middle)}</g>")
            if group.line is not None:
                at = axis.at(group.line)
                # Below what is drawn, so that a point on it can be seen.
                content.insert(0, line("fit", at, start, at, y))
        drawn += [axis_below(axis, top, y, panel.words), *content]
        top = y + _BELOW
    return "".join(drawn), (math.ceil(width), math.ceil(top - _BELOW + 48))


def described(title: str, groups: Iterable[Group]) -> str:
    """All rows in words, for those who do not see them."""
    said = (f"{one.heading}: {'; '.join(row.about for row in one.rows)}" for one in groups)
    return f"{title}. {'. '.join(said)}."


def _room(words: Sequence[str]) -> float:
    return max(map(room, words), default=0.0) * PHONE_SCALE
