"""Growth as a picture: one line per program, both axes in powers of ten."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sections import PAGE


def picture(name: str) -> Path:
    """Where a picture of the page is."""
    return PAGE.parent / f"benchmarks-{name}.svg"


def draw_growth(
    rows: Sequence[Mapping[str, Any]],
    path: Path,
    title: str,
    across: tuple[str, str],
    up: tuple[str, str, str],
    is_log: bool = True,
) -> None:
    """Rows have the columns ``program`` and those of both axes: column, title, and unit upwards.

    A line is a power of the size, its slope the exponent. Without ``is_log`` the size goes on in
    equal steps.
    """
    import altair

    from summetry.reports.chart_files import write_chart
    from summetry.reports.plots import Field, line_chart

    x, y = Field(*across), Field(*up)
    chart = line_chart(rows, x, y, Field("program"), title)
    sizes = sorted({row[x.name] for row in rows})
    # Equal steps have a number each.
    ticks = {False: sizes, True: round_numbers(sizes[0], sizes[-1])}[is_log]
    ends = round_numbers(*(end(row[y.name] for row in rows) for end in (min, max)))
    kind: Any = "log" if is_log else "linear"
    for layer in chart.layer:
        layer.encoding.x.scale = altair.Scale(type=kind, domain=[sizes[0], sizes[-1]], nice=False)
        layer.encoding.x.axis = altair.Axis(values=ticks, format=",d")
        layer.encoding.y.scale = altair.Scale(type="log", domain=[ends[0], ends[-1]], nice=False)
        layer.encoding.y.axis = altair.Axis(values=ends, format=",~g")
    write_chart(chart, path)


def round_numbers(low: float, high: float) -> list[float]:
    """1, 2 and 5 and their powers of ten, or powers of ten alone where that is many, from the last
    one that is not above ``low`` to the first that is not below ``high``.

    >>> round_numbers(3, 40), round_numbers(10, 100_000)
    ([2, 5, 10, 20, 50], [10, 100, 1000, 10000, 100000])
    """
    steps = (1, 2, 5) if high < 200 * low else (1,)
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 2)
    # By a division, so that 0.001 is the number that is written so.
    marks = [step * 10**p if p >= 0 else step / 10**-p for p in powers for step in steps]
    first = max(place for place, mark in enumerate(marks) if mark <= low)
    last = min(place for place, mark in enumerate(marks) if mark >= high)
    return marks[first : last + 1]
