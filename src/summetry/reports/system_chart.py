"""Systems with the intervals of their means as a picture: one panel per metric, best first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from summetry.errors import SummetryError, counted
from summetry.metaeval.columns import better_of, bounded_intervals, headlines, sign_of
from summetry.metaeval.rankings import Ranking
from summetry.records.scores import Column, SystemMeans
from summetry.reports.chart_files import write_chart
from summetry.reports.labels import LINE_HEIGHT, folded
from summetry.reports.plots import COLOURS, LINES, altair_or_error, styled
from summetry.reports.words import confidence

_WIDTH = 480
# What a system takes beside the lines of its name, and a panel of one system at least.
_GAP, _LEAST = 10, 40


class Bar(NamedTuple):
    """A system's mean and the ends of its interval, which need not be there."""

    system: str
    mean: float
    low: float
    high: float


def plot_systems(means: SystemMeans, path: Path) -> None:
    """Draw the systems by the main value of each metric, with 95 % t intervals over topics."""
    columns = [means.columns[place] for place in headlines(means.columns)]
    numbers = (means.means(), *bounded_intervals(means))
    panels = {}
    for place, column in zip(headlines(means.columns), columns, strict=True):
        of_column = (part[:, place].tolist() for part in numbers)
        systems = [author for _, author, _ in means.systems()]
        rows = [Bar(*row) for row in zip(systems, *of_column, strict=True)]
        panels[column] = sorted(rows, key=lambda row: -sign_of(column) * row.mean)
    _write(panels, "95 % t intervals", int(means.topics().max(initial=0)), path)


def plot_rankings(rankings: Sequence[Ranking], path: Path) -> None:
    """Draw the systems of comparisons, one panel for each."""
    panels = {
        ranking.column: [Bar(s.system, s.mean, s.low, s.high) for s in ranking.systems]
        for ranking in rankings
    }
    kind = f"{confidence(rankings[0].settings.alpha)} % bootstrap intervals"
    _write(panels, kind, rankings[0].topics, path)


def _write(panels: dict[Column, list[Bar]], kind: str, topics: int, path: Path) -> None:
    defined = {
        column: [row for row in rows if math.isfinite(row.mean)] for column, rows in panels.items()
    }
    drawn = [_panel(column, rows) for column, rows in defined.items() if rows]
    if not drawn:
        raise SummetryError(f"{path}: there is no score to draw")
    alt = altair_or_error()
    has_intervals = any(math.isfinite(row.low) for rows in defined.values() for row in rows)
    intervals = f" with {kind}" if has_intervals else ""
    note = f"means{intervals}, {counted(topics, 'topic')}"
    rows = [(column.name, row) for column, rows in panels.items() for row in rows]
    infinite = [f"{row.system} ({name})" for name, row in rows if math.isinf(row.mean)]
    note += f"; infinite, so not drawn: {', '.join(infinite)}" if infinite else ""
    title = alt.TitleParams("Systems, best first", subtitle=note)
    write_chart(styled(alt.vconcat(*drawn, spacing=24, title=title)), path)


def _panel(column: Column, rows: Sequence[Bar]) -> Any:
    alt = altair_or_error()
    names = [folded(row.system) for row in rows]
    values = [
        {"name": name, "system": row.system, "mean": row.mean}
        | {end: at for end, at in (("low", row.low), ("high", row.high)) if math.isfinite(at)}
        for name, row in zip(names, rows, strict=True)
    ]
    base = alt.Chart(alt.InlineData(values=values))
    lower = ", lower is better" if better_of(column) == "lower" else ""
    axis = alt.Axis(labelExpr=LINES, labelLimit=0, ticks=False, domain=False, labelPadding=8)
    shown = alt.Y("name:N", sort=None, axis=axis, title=None)
    scale = alt.Scale(zero=False, nice=True, padding=10, **_domain(values))
    numbers = alt.Axis(tickCount=8)
    across = alt.X("mean:Q", scale=scale, axis=numbers, title=f"{column.name}{lower}")
    tooltip = [alt.Tooltip(f"{field}:{kind}") for field, kind in _SHOWN]
    points = base.mark_point(size=70, filled=True, opacity=1, color=COLOURS[0])
    layers = [points.encode(x=across, y=shown, tooltip=tooltip)]
    if any("low" in value for value in values):
        rules = base.transform_filter("isValid(datum.low)").mark_rule(
            strokeWidth=2, color=COLOURS[0]
        )
        ends = {"x": alt.X("low:Q", scale=scale), "x2": alt.X2("high")}
        layers.insert(0, rules.encode(**ends, y=shown, tooltip=tooltip))
    # The first line of a name is beside its point, the others below it.
    lines = 2 * max(name.count("\n") for name in names) + 1
    height = len(names) * (lines * LINE_HEIGHT + _GAP)
    return alt.layer(*layers).properties(width=_WIDTH, height=max(height, _LEAST))


def _domain(values: Sequence[dict[str, Any]]) -> dict[str, list[float]]:
    """The ends of the axis if all numbers are the same, for which Vega has no ticks."""
    numbers = [value[name] for value in values for name in ("mean", "low", "high") if name in value]
    low, high = min(numbers), max(numbers)
    if not math.isclose(low, high):
        return {}
    around = abs(low) / 2
    return {"domain": [0.0, 1.0] if 0 <= low <= 1 else [low - around, high + around]}


_SHOWN = (("system", "N"), ("mean", "Q"), ("low", "Q"), ("high", "Q"))
