"""The value of each system topic by topic, the easiest topic first.

Every system has a strip of its own, all with the same axes. The quiet line is the mean of all
systems, which says how easy a topic is; from there a stem goes to the system's value: filled where
it is better than that mean, hollow where it is worse.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from summetry.errors import counted
from summetry.metaeval.columns import better_of, short_name, sign_of
from summetry.metaeval.grids import Grid
from summetry.records.scores import Column
from summetry.reports.labels import room
from summetry.reports.pictures.drawing import (
    NARROW,
    PHONE_SCALE,
    Axis,
    Names,
    dots,
    element,
    fold,
    line,
    name_at,
    place,
    safe,
    shown,
    text,
    titled,
)
from summetry.reports.pictures.heat_map import best_first
from summetry.reports.pictures.picture import Picture, named
from summetry.reports.pictures.systems import digits_for
from summetry.reports.sheets import Cell, Heading, Sheet
from summetry.stats.agreement import mean_defined

_ROW, _GAP, _TOP = 72.0, 20.0, 10.0
# Of more topics the names are in the table only.
MOST_NAMED, MOST_TITLED = 20, 40
# How wide a picture of so many topics is.
WIDE = 900


def topics_picture(grid: Grid, column: Column) -> Picture:
    """One strip per system, best first; topics from the easiest to the hardest."""
    table = grid.finite()[grid.columns.index(column)]
    systems = [k for k in best_first(grid, column) if not np.isnan(table[k]).all()]
    means = [mean_defined(row) for row in table[systems].T.tolist()]
    sign = sign_of(column)
    topics = [k for k, mean in enumerate(means) if mean == mean]
    topics.sort(key=lambda k: -sign * means[k])
    names = Names.of([grid.systems[k] for k in systems], 150, PHONE_SCALE)
    width = NARROW if len(topics) <= MOST_TITLED else WIDE
    left, right = names.width + 44, width - 10.0
    bands = names.bands(_TOP, _ROW, 20)
    gap = (right - left) / max(len(topics), 1)
    across = [left + gap * (k + 0.5) for k in range(len(topics))]
    numbers = table[systems][:, topics]
    defined = numbers[~np.isnan(numbers)].tolist()
    digits = digits_for(defined)
    drawn = []
    for row, system in enumerate(systems):
        top, bottom = bands[row][0], bands[row][1] - _GAP
        up = _strip(defined, bottom, top)
        middle = (top + bottom) / 2
        drawn.append(name_at(grid.systems[system], names.lines[row], 0, middle))
        for end in (up.low, up.high):
            drawn.append(line("grid", left, up.at(end), right, up.at(end)))
            # All strips have the same axis, and its numbers stand at the first.
            if not row:
                label = shown(end, min(digits, 2))
                drawn.append(text(label, left - 6, up.at(end) + 4.5, "end", "axis"))
        path = " ".join(
            f"{place(x)},{place(up.at(means[k]))}" for x, k in zip(across, topics, strict=True)
        )
        drawn.append(element("polyline", class_="all", points=path))
        values = table[system, topics].tolist()
        own = [
            _Place(
                grid.topics[k],
                value,
                x,
                up.at(means[k]),
                up.at(value),
                sign * (value - means[k]) >= 0,
            )
            for x, k, value in zip(across, topics, values, strict=True)
            if not math.isnan(value)
        ]
        drawn.append(_values(own, min(4.0, max(gap * 0.42, 1.5)), digits))
    bottom = bands[-1][1] - _GAP if bands else _TOP
    words = _NEUTRAL if better_of(column) == "neither" else _JUDGING
    below, height = _topic_names([grid.topics[k] for k in topics], across, bottom + 10, words)
    lower = ", lower is better" if better_of(column) == "lower" else ""
    name, title = named("topics", column.name), f"{short_name(column)} by topic{lower}"
    return Picture(
        _description(grid, [means[k] for k in topics], topics, systems, digits, words),
        _caption(len(systems), words),
        (width, height),
        "".join(drawn) + below,
        _sheet(name, title, grid, column, topics, systems, digits),
    )


class _Words(NamedTuple):
    """What the order of topics and the dots mean."""

    first: str
    last: str
    above: str
    below: str


_JUDGING = _Words("easiest", "hardest", "better than", "worse")
# Of a value such as a length nobody can say that much of it is easy or good.
_NEUTRAL = _Words("highest", "lowest", "above", "below it")


def _caption(systems: int, words: _Words) -> str:
    order = f"Topics from the {words.first} to the {words.last}."
    if systems < 2:
        return order
    return (
        f"{order} The quiet line is the mean of all systems; "
        f"filled dots are {words.above} it, hollow ones {words.below}."
    )


class _Place(NamedTuple):
    """A value of a system and where it is drawn, and the mean of all systems."""

    topic: str
    value: float
    x: float
    mean_y: float
    y: float
    is_better: bool


def _values(own: Sequence[_Place], radius: float, digits: int) -> str:
    """Stems from the mean to the values, and dots; each with its name if they are not very many."""
    far = [o for o in own if abs(o.y - o.mean_y) > radius]
    stems = "".join(f"M{place(o.x)} {place(o.mean_y)}V{place(o.y)}" for o in far)
    drawn = [element("path", class_="stem", d=stems)]
    if len(own) > MOST_TITLED:
        worse = [(o.x, o.y) for o in own if not o.is_better]
        drawn.append(dots("all-of plus", ((o.x, o.y) for o in own if o.is_better), radius))
        drawn.append(dots("all-of minus", worse, radius) + dots("inside", worse, radius - 1.2))
        return "".join(drawn)
    for o in own:
        about = titled(f"{o.topic}: {shown(o.value, digits)}")
        kind = "each plus" if o.is_better else "each minus"
        drawn.append(element("circle", about, class_=kind, cx=o.x, cy=o.y, r=radius))
    return "".join(drawn)


def _strip(numbers: list[float], start: float, end: float) -> Axis:
    """From the lowest to the highest number of all, so that strips are as high as can be."""
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    if low == high:
        return Axis.over([low], start, end)
    return Axis(low, high, start, end, high - low)


def _topic_names(
    names: list[str], across: list[float], bottom: float, words: _Words
) -> tuple[str, float]:
    """Names below the strips if they are few, else what the order means; and where they end."""
    if not names:
        return "", bottom + 10
    if len(names) <= MOST_NAMED:
        lines = [fold(name, 110, 1)[0] for name in names]
        gap = across[1] - across[0] if len(across) > 1 else 110.0
        widest = max(map(room, lines)) * PHONE_SCALE
        is_level = widest < gap - 4
        y, anchor = (bottom + 14, "middle") if is_level else (bottom + 8, "end")
        drawn = []
        for name, one, x in zip(names, lines, across, strict=True):
            rotated = {} if is_level else {"transform": f"rotate(-45 {place(x)} {place(y)})"}
            whole = safe(one) + (titled(name) if one != name else "")
            drawn.append(
                element("text", whole, class_="axis", x=x, y=y, text_anchor=anchor, **rotated)
            )
        # Slanted letters of a phone go as far down as to the right.
        height = bottom + 24 if is_level else bottom + 20 + widest * 0.72
        return "".join(drawn), math.ceil(height)
    first = text(f"{words.first} topic", across[0], bottom + 14, class_="axis")
    last = text(words.last, across[-1], bottom + 14, "end", "axis")
    return first + last, math.ceil(bottom + 24)


def _description(
    grid: Grid,
    means: list[float],
    topics: list[int],
    systems: list[int],
    digits: int,
    words: _Words,
) -> str:
    ends = [
        f"{word} topic: {grid.topics[topics[at]]}, mean {shown(means[at], digits)}"
        for word, at in ((words.first, 0), (words.last, -1))
        if topics
    ]
    sizes = f"{counted(len(systems), 'system')}, {counted(len(topics), 'topic')}"
    return f"{sizes}; {'; '.join(ends)}."


def _sheet(
    name: str,
    title: str,
    grid: Grid,
    column: Column,
    topics: list[int],
    systems: list[int],
    digits: int,
) -> Sheet:
    table = grid.values[grid.columns.index(column)]
    rows: list[tuple[Cell, ...]] = [
        (grid.topics[k], *(float(table[system, k]) for system in systems)) for k in topics
    ]
    columns = (
        Heading("topic"),
        *(Heading(grid.systems[k], grid.systems[k], digits) for k in systems),
    )
    return Sheet(name, title, columns, tuple(rows))
