"""How far the metrics agree with each other: a square of coefficients.

The tint says how strong a coefficient is, whatever its sign; a negative one has a minus and an
outline.
"""

from __future__ import annotations

import math

from summetry.errors import counted
from summetry.metaeval.columns import better_of, short_name
from summetry.metaeval.matrix import Matrix
from summetry.reports.pictures._matrix import square
from summetry.reports.pictures.drawing import element, shown, text, titled
from summetry.reports.pictures.picture import Picture, named
from summetry.reports.sheets import Cell, Heading, Sheet
from summetry.reports.words import COEFFICIENTS, FEW_SYSTEMS, LEVELS

_CELL = (52.0, 30.0)


def agreement_picture(matrix: Matrix) -> Picture:
    """The coefficients of all pairs of metrics."""
    names, values = [short_name(column) for column in matrix.columns], matrix.values.tolist()

    def cell(row: int, column: int, x: float, y: float) -> str:
        value, (width, height) = values[row][column], _CELL
        number = text(shown(value, 2), x + width / 2, y + height / 2 + 4.5, "middle")
        level = 0 if math.isnan(value) or row == column else round(5 * min(abs(value), 1.0))
        kind = " ".join(
            filter(None, [f"heat-{level}" if level else "no-heat", "minus" * (value < 0)])
        )
        box = element("rect", class_=kind, x=x + 1.5, y=y + 1.5, width=width - 3, height=height - 3)
        about = f"{names[row]} and {names[column]}: {shown(value, 3)}"
        return f"<g>{titled(about)}{box}{number}</g>"

    content, size = square(names, _CELL, cell)
    coefficient, level = COEFFICIENTS[matrix.coefficient], LEVELS[matrix.level]
    fewer = [
        f"{name}: {number}"
        for name, number in zip(names, matrix.systems_of, strict=False)
        if number < matrix.systems
    ]
    only = f" ({', '.join(fewer)})" if fewer else ""
    sizes = f"{counted(matrix.systems, 'system')}{only}, {counted(matrix.topics, 'topic')}"
    lower = [n for n, c in zip(names, matrix.columns, strict=True) if better_of(c) == "lower"]
    caption = (
        f"{coefficient}, {level}, {sizes}. The stronger the tint, the closer two metrics agree."
    )
    if matrix.level == "system" and matrix.systems < FEW_SYSTEMS:
        caption += " Of so few systems a coefficient is uncertain."
    if lower:
        caption += f" An outline marks a negative one: of {', '.join(lower)} lower is better."
    pairs = [
        f"{names[i]} and {names[k]} {shown(values[i][k], 2)}"
        for i in range(len(names))
        for k in range(i + 1, len(names))
    ]
    name = named("agreement", matrix.protocol, matrix.part, matrix.level, matrix.coefficient)
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (f"{k} {one}", *own) for k, (one, own) in enumerate(zip(names, values, strict=True), 1)
    )
    across = [Heading(f"metric_{k}", str(k), 2) for k in range(1, len(names) + 1)]
    title = "How far the metrics agree"
    return Picture(
        f"{coefficient}, {level}. {'; '.join(pairs)}.",
        caption,
        size,
        content,
        Sheet(name, title, (Heading("metric"), *across), rows, matrix.notes),
    )
