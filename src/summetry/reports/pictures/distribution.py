"""How the values of each system are spread over topics: every value a dot, quartiles behind them.

Dots of nearly equal values stand above and below each other, so three values can be counted and
three hundred make a shape. The band goes from the first to the third quartile, the upright line is
the median.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from summetry.errors import counted
from summetry.metaeval.columns import better_of, short_name
from summetry.metaeval.grids import Grid
from summetry.records.scores import Column
from summetry.reports.pictures.drawing import (
    NARROW,
    PHONE_SCALE,
    Axis,
    Names,
    axis_below,
    dots,
    element,
    line,
    name_at,
    shown,
    titled,
)
from summetry.reports.pictures.heat_map import best_first
from summetry.reports.pictures.picture import Picture, named
from summetry.reports.pictures.systems import digits_for
from summetry.reports.sheets import Heading, Sheet

_ROW, _TOP = 40.0, 8.0
# Of more topics the dots have no names under the pointer: so many would make a page slow.
MOST_TITLED = 40


def distribution_picture(grid: Grid, column: Column) -> Picture:
    """One row per system, best first by the mean."""
    table = grid.finite()[grid.columns.index(column)]
    order = [k for k in best_first(grid, column) if not np.isnan(table[k]).all()]
    names = Names.of([grid.systems[k] for k in order], 170, PHONE_SCALE)
    axis = Axis.over(table[~np.isnan(table)].tolist(), names.width, NARROW - 16)
    bands = names.bands(_TOP, _ROW, 20)
    bottom = bands[-1][1] if bands else _TOP
    lower = " (lower is better)" if better_of(column) == "lower" else ""
    drawn = [axis_below(axis, _TOP, bottom, f"{short_name(column)}{lower}")]
    rows, sentences = [], []
    digits = digits_for(table[~np.isnan(table)].tolist())
    radius = 3.5 if len(grid.topics) <= MOST_TITLED else 2.2
    for place, k in enumerate(order):
        own = [
            (topic, v) for topic, v in zip(grid.topics, table[k].tolist(), strict=True) if v == v
        ]
        middle = sum(bands[place]) / 2
        values = [value for _, value in own]
        low, q1, median, q3, high = np.percentile(values, [0, 25, 50, 75, 100]).tolist()
        drawn.append(name_at(grid.systems[k], names.lines[place], 0, middle))
        if len(values) > 3:
            width = max(axis.at(q3) - axis.at(q1), 1.0)
            band = {"x": axis.at(q1), "y": middle - 14, "width": width, "height": 28}
            drawn.append(element("rect", class_="quartiles", **band))
        drawn.append(_dots(own, axis, middle, radius, digits))
        drawn.append(line("median", axis.at(median), middle - 16, axis.at(median), middle + 16))
        rows.append((grid.systems[k], len(values), low, q1, median, q3, high))
        sentences.append(
            f"{grid.systems[k]}: median {shown(median, digits)}, "
            f"{shown(low, digits)} to {shown(high, digits)}"
        )
    name, title = named("distribution", column.name), f"{short_name(column)} over topics, by system"
    numbers = (Heading(n, digits=digits) for n in ("lowest", "quartile_1", "median", "quartile_3"))
    columns = (Heading("system"), Heading("topics"), *numbers, Heading("highest", digits=digits))
    return Picture(
        f"{counted(len(order), 'system')}. {'; '.join(sentences)}.",
        "Each dot is a topic; the band goes from the first to the third quartile, the upright "
        "line is the median.",
        (NARROW, bottom + 50),
        "".join(drawn),
        Sheet(name, title, columns, tuple(rows)),
    )


def _dots(
    own: Sequence[tuple[str, float]], axis: Axis, middle: float, radius: float, digits: int
) -> str:
    """Dots side by side; those that would cover each other are stacked around the middle."""
    stacks: dict[int, list[tuple[str, float]]] = {}
    for topic, value in sorted(own, key=lambda one: one[1]):
        stacks.setdefault(math.floor(axis.at(value) / (2 * radius)), []).append((topic, value))
    tallest = max(map(len, stacks.values()))
    # A stack that is higher than its row is pressed together.
    apart = min(2 * radius, 30 / max(tallest - 1, 1))
    placed = [
        (topic, value, axis.at(value), middle + apart * ((k + 1) // 2) * (-1) ** k)
        for stack in stacks.values()
        for k, (topic, value) in enumerate(stack)
    ]
    if len(own) > MOST_TITLED:
        return dots("all-of", ((x, y) for _, _, x, y in placed), radius)
    titles = [titled(f"{topic}: {shown(value, digits)}") for topic, value, _, _ in placed]
    return "".join(
        element("circle", title, class_="each", cx=x, cy=y, r=radius)
        for title, (_, _, x, y) in zip(titles, placed, strict=True)
    )
