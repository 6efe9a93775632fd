"""A square of cells with numbered names: what pictures of all pairs share."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from summetry.reports.pictures.drawing import Names, name_at, text

# What a cell draws at its left upper corner: its row, its column, and the corner.
Cell = Callable[[int, int, float, float], str]
_TOP = 30.0


def square(
    names: Sequence[str], size: tuple[float, float], cell: Cell
) -> tuple[str, tuple[float, float]]:
    """Cells of a size beside and below the names, which have numbers; and the size of all."""
    column = Names.of(names, 210)
    number = 30.0
    width, bands = size[0], column.bands(_TOP, size[1], 16)
    left = number + column.width
    drawn = []
    for row, (name, lines) in enumerate(zip(names, column.lines, strict=True)):
        middle = sum(bands[row]) / 2
        drawn.append(text(str(row + 1), number - 8, middle + 4.5, "end", "axis"))
        drawn.append(name_at(name, lines, number, middle))
        drawn.append(text(str(row + 1), left + width * (row + 0.5), _TOP - 10, "middle", "axis"))
        drawn += [cell(row, k, left + width * k, middle - size[1] / 2) for k in range(len(names))]
    whole = (
        math.ceil(left + width * len(names) + 2),
        math.ceil((bands[-1][1] if bands else _TOP) + 6),
    )
    return "".join(drawn), whole
