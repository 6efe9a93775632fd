"""Rows of numbers as charts: lines, bars and points, with intervals, titles and units.

A row is a mapping from names to values; a :class:`Field` says which name an axis shows, and
how it is called. Charts are Altair's and can be changed further; ``chart_files`` writes them.

Altair is an optional package. The colours are those of Okabe and Ito, which
people with any kind of colour vision can tell apart, with grey for their black, in which the
interval of a bar would not be seen; lines differ in their dashes too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from summetry.errors import MissingPackageError, SummetryError, counted
from summetry.reports.labels import (
    HEIGHT,
    WIDTH,
    Bands,
    Box,
    folded,
    key_places,
    legend_columns,
    place_names,
)
from summetry.reports.pictures.drawing import Axis

if TYPE_CHECKING:
    import altair

    Drawn: TypeAlias = altair.LayerChart

Row: TypeAlias = Mapping[str, Any]
Rows: TypeAlias = Iterable[Row]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999999", "#F0E442")
# More series than colours have them paler, and then darker: with how much white, or black.
SHADES = (("#ffffff", 0.0), ("#ffffff", 0.5), ("#000000", 0.45))
# vl-convert carries the first of these, so that a picture is the same on every machine.
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
INK, GREY = "#333333", "#555555"
# What of a scatter chart's axis stays empty at either end, so that names have room there.
_MARGIN = 0.08
# More points than this have numbers and a key, and more than that have nothing.
MOST_NAMED, MOST_NUMBERED = 25, 100
# Names are folded where they have this sign.
LINES = r"split(datum.label, '\n')"


@dataclass(frozen=True)
class Field:
    """A column of the rows: its name, what the axis calls it, its unit, the ends of the axis.

    ``low`` and ``high`` name the columns that hold the ends of an interval around the value.
    """

    name: str
    title: str = ""
    unit: str = ""
    ends: tuple[float, float] | None = None
    low: str = ""
    high: str = ""

    @property
    def label(self) -> str:
        """What stands at the axis.

        >>> Field("length", "summary length", "% of words").label
        'summary length (% of words)'
        """
        return (self.title or self.name) + (f" ({self.unit})" if self.unit else "")


def line_chart(
    rows: Rows, x: Field, y: Field, series: Field | None = None, title: str = "", note: str = ""
) -> Drawn:
    """One line per series over a numeric ``x``; an interval is a band around it."""
    alt = altair_or_error()
    canvas = Canvas.of(rows, x, y, series)
    shown = {"x": number_axis(alt.X, x), "y": number_axis(alt.Y, y)}
    colour = canvas.colour("stroke")
    point = {"size": 40, "filled": True}
    lines = canvas.base.mark_line(point=point, strokeWidth=2, tooltip=True)
    bands = intervals(canvas.base.mark_area(opacity=0.18), shown, y, colour)
    drawn = lines.encode(**shown, color=colour, **canvas.distinguished(alt.StrokeDash))
    return finished([*bands, drawn], title, note)


def bar_chart(
    rows: Rows, x: Field, y: Field, series: Field | None = None, title: str = "", note: str = ""
) -> Drawn:
    """One bar per name, side by side by series; names stay in the order of the rows.

    Bars of many or long names are horizontal, so that the names can be read.
    """
    alt = altair_or_error()
    values = [{**row, x.name: folded(str(row[x.name])) if x.name in row else ""} for row in rows]
    canvas = Canvas.of(values, x, y, series)
    names = list(dict.fromkeys(value[x.name] for value in values))
    bands = Bands.of(names, len(canvas.names))
    along, across = ("x", "y") if bands.horizontal else ("y", "x")
    kinds = {"x": alt.X, "y": alt.Y, "xOffset": alt.XOffset, "yOffset": alt.YOffset}
    written = alt.Axis(labelExpr=LINES, labelLimit=0, **bands.labels)
    named = _names(kinds[across], x, axis=written, title=x.label)
    shown = {across: named, along: number_axis(kinds[along], y, axis=alt.Axis(**_ZERO_LINE))}
    if series:
        shown[f"{across}Offset"] = _names(kinds[f"{across}Offset"], series)
    bars = canvas.base.mark_bar(tooltip=True).encode(**shown, color=canvas.colour("square"))
    # In the colour of its bar an interval would not be seen.
    marks = canvas.base.mark_rule(strokeWidth=1.5)
    layers = [bars, *intervals(marks, shown, y, alt.value(INK), along)]
    return finished(layers, title, note, bands.size)


def scatter_chart(
    rows: Sequence[Row],
    x: Field,
    y: Field,
    series: Field | None = None,
    label: str = "",
    title: str = "",
    note: str = "",
) -> Drawn:
    """One point per row; an interval is a line through it, ``label`` the column with its name.

    Axes go as far as the points and their intervals, not to 0. A name without room at its point
    stands beside it with a line to it; where not all have room, the points have numbers, and the
    names stand in a key. Of very many points no names are shown, and the note says so; a page shows
    the name under the pointer.
    """
    alt = altair_or_error()
    # Many points need more room.
    size = (WIDTH, HEIGHT if len(rows) <= MOST_NAMED else 3 * HEIGHT // 2)
    x, y = (replace(field, ends=field.ends or _ends(rows, field)) for field in (x, y))
    canvas = Canvas.of(rows, x, y, series)
    # More numbers than this crowd each other.
    few = alt.Axis(tickCount=8)
    shown = {"x": number_axis(alt.X, x, axis=few), "y": number_axis(alt.Y, y)}
    rules = canvas.base.mark_rule(strokeWidth=1.2, opacity=0.55)
    layers = [
        layer
        for along, field in (("x", x), ("y", y))
        for layer in intervals(rules, shown, field, canvas.colour(), along)
    ]
    # All of a row, its name among it, not only what the axes show.
    tooltip = alt.TooltipContent("data")
    points = canvas.base.mark_point(size=70, filled=True, opacity=1, tooltip=tooltip)
    shapes = canvas.distinguished(alt.Shape)
    layers.append(points.encode(**shown, color=canvas.colour(), **shapes))
    if label:
        named, left_out = _named(rows, x, y, label, size)
        layers += named
        if left_out:
            more = f"{counted(left_out, 'name')} left out, since there is no room"
            note = "\n".join(filter(None, [note, more]))
    return finished(layers, title, note, size)


@dataclass(frozen=True)
class Canvas:
    """The rows of a chart, and how its series are distinguished."""

    base: Any
    series: Field | None
    names: list[Any]

    @classmethod
    def of(cls, rows: Rows, x: Field, y: Field, series: Field | None) -> Canvas:
        alt = altair_or_error()
        values = [{name: _cell(value) for name, value in row.items()} for row in rows]
        columns = [x.name, x.low, x.high, y.name, y.low, y.high, series.name if series else ""]
        for name in filter(None, columns):
            if not any(name in row for row in values):
                known = ", ".join(sorted({key for row in values for key in row})) or "none"
                raise SummetryError(f"no row has the column {name!r}; the rows have: {known}")
        names: list[Any] = []
        if series:
            values = [
                row | {series.name: folded(str(row[series.name]))} if series.name in row else row
                for row in values
            ]
            names = list(dict.fromkeys(row.get(series.name) for row in values))
        return cls(alt.Chart(alt.InlineData(values=values)), series, names)

    def colour(self, symbol: str = "circle") -> Any:
        alt = altair_or_error()
        if self.series is None:
            return alt.value(COLOURS[0])
        colours = [colour_of(place) for place in range(len(self.names))]
        scale = alt.Scale(domain=self.names, range=colours)
        # A band is pale, the legend is not.
        size = {"symbolSize": 500, "symbolStrokeWidth": 2} if symbol == "stroke" else {}
        columns = legend_columns([str(name) for name in self.names])
        how = {"symbolType": symbol, "columns": columns, "labelExpr": LINES, **size}
        legend = alt.Legend(symbolOpacity=1, **how)
        return _names(alt.Color, self.series, title=self.series.label, scale=scale, legend=legend)

    def distinguished(self, kind: Any) -> dict[str, Any]:
        """The series by dashes or shapes too; the same names make one legend of both."""
        if self.series is None:
            return {}
        scale = altair_or_error().Scale(domain=self.names)
        encoding = _names(kind, self.series, title=self.series.label, scale=scale)
        return {kind._encoding_name: encoding}


def colour_of(place: int) -> str:
    """The colour of a series.

    >>> colour_of(0), colour_of(8), colour_of(16), colour_of(24)
    ('#0072B2', '#80B8D8', '#003F62', '#0072B2')
    """
    times, own = divmod(place, len(COLOURS))
    other, share = SHADES[times % len(SHADES)]
    pairs = ((int(colour[i : i + 2], 16) for colour in (COLOURS[own], other)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + share * (b - a)):02X}" for a, b in pairs)


def _cell(value: Any) -> Any:
    """A value as JSON holds it."""
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def number_axis(kind: Any, field: Field, **more: Any) -> Any:
    """A numeric axis: to where the field says that it ends, else from 0."""
    scale = {"domain": list(field.ends), "nice": False} if field.ends else {"zero": True}
    options = {"title": field.label, "scale": altair_or_error().Scale(**scale), **more}
    return kind(field=path_of(field.name), type="quantitative", **options)


def _names(kind: Any, field: Field, **options: Any) -> Any:
    """A column of names, which stay in the order of the rows."""
    return kind(field=path_of(field.name), type="nominal", sort=None, **options)


def path_of(name: str) -> str:
    """The name of a column for Vega, which would take dots and brackets for a path."""
    return re.sub(r"([\\.\[\]'\"])", r"\\\1", name)


def intervals(
    marks: Any, shown: dict[str, Any], value: Field, colour: Any, along: str = "y"
) -> list[Any]:
    """A layer from the low to the high end of every interval, where the field names them."""
    if not (value.low and value.high):
        return []
    alt = altair_or_error()
    lower = shown[along].copy()
    lower.field = path_of(value.low)
    upper = {"x": alt.X2, "y": alt.Y2}[along](field=path_of(value.high))
    return [marks.encode(**shown | {along: lower, f"{along}2": upper}, color=colour)]


def finished(
    layers: list[Any], title: str, note: str, size: tuple[int, int] = (WIDTH, HEIGHT)
) -> Drawn:
    """The layers as one chart, with the size, fonts and grid that all charts share."""
    alt = altair_or_error()
    heading = {"title": alt.TitleParams(title, subtitle=note.splitlines())} if title else {}
    sized = alt.layer(*layers).properties(width=size[0], height=size[1], **heading)
    chart: Drawn = styled(sized)
    return chart


def styled(chart: Any) -> Any:
    """A chart with the fonts and the grid that all charts share."""
    return (
        chart.properties(background="#ffffff")
        .configure(font=FONT, padding=16)
        .configure_title(
            fontSize=17, subtitleFontSize=13, subtitleColor=GREY, anchor="start", offset=10
        )
        .configure_axis(**_AXES)
        .configure_legend(**_LEGEND)
        .configure_view(stroke=None)
    )


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


def _named(
    rows: Sequence[Row], x: Field, y: Field, label: str, size: tuple[int, int]
) -> tuple[list[Any], int]:
    """Layers with the name of every point, or numbers and a key; how many have no place."""
    assert x.ends and y.ends
    # In points of the chart, in which y grows downwards; Altair makes the ticks.
    across, down = Axis(*x.ends, 0, size[0], 1.0), Axis(*y.ends, size[1], 0, 1.0)
    lefts, centres, rights = (list(map(across.at, n)) for n in _with_ends(rows, x))
    bottoms, middles, tops = (list(map(down.at, n)) for n in _with_ends(rows, y))
    lines = [
        *map(Box, lefts, middles, rights, middles),
        *map(Box, centres, tops, centres, bottoms),
    ]
    points = list(zip(centres, middles, strict=True))
    drawn = [place for place, both in enumerate(points) if math.isfinite(sum(both))]
    if len(drawn) > MOST_NUMBERED:
        return [], len(drawn)
    names = [str(rows[place][label]) for place in drawn]
    at = [points[place] for place in drawn]
    labels = place_names(names, at, lines, size) if len(names) <= MOST_NAMED else [None]
    key: list[tuple[float, float, str]] = []
    if not all(labels):
        # The key is in the order of the points from above.
        order = sorted(range(len(names)), key=lambda k: (at[k][1], at[k][0]))
        numbers = {k: str(number) for number, k in enumerate(order, start=1)}
        key = key_places([f"{numbers[k]}  {names[k]}" for k in order], size)
        names = [numbers[k] for k in range(len(names))]
        labels = place_names(names, at, lines, size, crossing=True)
    texts: dict[str, list[tuple[float, float, str]]] = {"left": key}
    for name, one in zip(names, labels, strict=True):
        if one:
            texts.setdefault(one.align, []).append((*one.anchor, name))
    leaders = [one.leader for one in labels if one and one.leader]
    layers = [_leaders(leaders, across, down)] if leaders else []
    layers += [
        layer for align, own in texts.items() if own for layer in _letters(own, align, across, down)
    ]
    return layers, sum(one is None for one in labels)


def _letters(
    texts: Sequence[tuple[float, float, str]], align: str, across: Axis, down: Axis
) -> list[Any]:
    """Words, each with the place of its beginning, middle or end, and the middle of its line.

    A white edge keeps them legible where the line of an interval passes behind them.
    """
    alt = altair_or_error()
    values = [
        {"name": name, "x": across.number_at(left), "y": down.number_at(middle)}
        for left, middle, name in texts
    ]
    base = alt.Chart(alt.InlineData(values=values)).encode(x="x:Q", y="y:Q", text="name:N")
    how = {"align": align, "baseline": "middle", "fontSize": 12}
    edge = {"stroke": "#ffffff", "strokeWidth": 4, "strokeJoin": "round", "opacity": 0.85}
    return [base.mark_text(**how, **edge), base.mark_text(**how, color=INK)]


def _leaders(leaders: Sequence[Box], across: Axis, down: Axis) -> Any:
    alt = altair_or_error()
    values = [
        {
            "x": across.number_at(line.left),
            "y": down.number_at(line.top),
            "x2": across.number_at(line.right),
            "y2": down.number_at(line.bottom),
        }
        for line in leaders
    ]
    rules = alt.Chart(alt.InlineData(values=values)).mark_rule(strokeWidth=0.8, color=GREY)
    return rules.encode(x="x:Q", y="y:Q", x2="x2:Q", y2="y2:Q")


def _with_ends(rows: Sequence[Row], field: Field) -> tuple[list[float], list[float], list[float]]:
    """The low ends, the values and the high ends of a column."""
    values = _numbers(rows, field.name)
    if not (field.low and field.high):
        return values, values, values
    return _numbers(rows, field.low), values, _numbers(rows, field.high)


def altair_or_error() -> ModuleType:
    """Altair, or what to do where it is not installed."""
    try:
        import altair
    except ImportError as error:
        raise MissingPackageError("a chart", "altair", "vl-convert-python") from error
    return altair


_AXES: dict[str, Any] = {
    "labelFontSize": 13,
    "titleFontSize": 14,
    "titleFontWeight": "normal",
    "titlePadding": 10,
    "gridColor": "#e6e6e6",
    # The first and last number stand where they belong, not beside their neighbours.
    "labelFlush": False,
}
# Bars begin at 0, which is not always at an edge.
_ZERO_LINE: dict[str, Any] = {
    "gridColor": {"condition": {"test": "datum.value === 0", "value": GREY}, "value": "#e6e6e6"}
}
_LEGEND: dict[str, Any] = {
    "orient": "top",
    "titleOrient": "left",
    "titleFontSize": 13,
    "titleFontWeight": "normal",
    "labelFontSize": 13,
    # Nothing is cut, and no name of many is left out.
    "labelLimit": 0,
    "symbolLimit": 0,
}
