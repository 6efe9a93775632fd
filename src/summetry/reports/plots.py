"""Rows of numbers as charts: lines and bars, with intervals, titles and units.

A row is a mapping from names to values; a :class:`Field` says which name an axis shows, and
how it is called. Charts are Altair's and can be changed further; ``chart_files`` writes them, and
``scatter`` draws points.

Altair is of the extra ``plots``. The colours are those of Okabe and Ito, which
people with any kind of colour vision can tell apart, with grey for their black, in which the
interval of a bar would not be seen; lines differ in their dashes too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from summetry.errors import MissingPackageError, SummetryError
from summetry.reports.chart_names import HEIGHT, WIDTH, Bands, folded, legend_columns

if TYPE_CHECKING:
    import altair

    Drawn: TypeAlias = altair.LayerChart

Rows: TypeAlias = Iterable[Mapping[str, Any]]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999999", "#F0E442")
# More series than colours have them paler, and then darker: with how much white, or black.
SHADES = (("#ffffff", 0.0), ("#ffffff", 0.5), ("#000000", 0.45))
# vl-convert carries the first of these, so that a picture is the same on every machine.
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
INK, GREY = "#333333", "#555555"
# Names are folded where they have this sign.
_LINES = r"split(datum.label, '\n')"


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
    """A line a series over a numeric ``x``; an interval is a band around it."""
    alt = altair_or_error()
    canvas = Canvas.of(rows, x, y, series)
    shown = {"x": number_axis(alt.X, x), "y": number_axis(alt.Y, y)}
    colour = canvas.colour("stroke")
    point = {"size": 40, "filled": True}
    lines = canvas.base.mark_line(point=point, strokeWidth=2, tooltip=True)
    bands = intervals(canvas.base.mark_area(opacity=0.18), shown, y, colour)
    drawn = lines.encode(**shown, color=colour, **canvas.told_apart(alt.StrokeDash))
    return finished([*bands, drawn], title, note)


def bar_chart(
    rows: Rows, x: Field, y: Field, series: Field | None = None, title: str = "", note: str = ""
) -> Drawn:
    """A bar a name, side by side by series; names stay in the order of the rows.

    Bars of many or long names lie, so that the names can be read.
    """
    alt = altair_or_error()
    values = [{**row, x.name: folded(str(row[x.name])) if x.name in row else ""} for row in rows]
    canvas = Canvas.of(values, x, y, series)
    names = list(dict.fromkeys(value[x.name] for value in values))
    bands = Bands.of(names, len(canvas.names))
    along, across = ("x", "y") if bands.lie else ("y", "x")
    kinds = {"x": alt.X, "y": alt.Y, "xOffset": alt.XOffset, "yOffset": alt.YOffset}
    written = alt.Axis(labelExpr=_LINES, labelLimit=0, **bands.labels)
    named = _names(kinds[across], x, axis=written, title=x.label)
    shown = {across: named, along: number_axis(kinds[along], y, axis=alt.Axis(**_ZERO_LINE))}
    if series:
        shown[f"{across}Offset"] = _names(kinds[f"{across}Offset"], series)
    bars = canvas.base.mark_bar(tooltip=True).encode(**shown, color=canvas.colour("square"))
    # In the colour of its bar an interval would not be seen.
    marks = canvas.base.mark_rule(strokeWidth=1.5)
    layers = [bars, *intervals(marks, shown, y, alt.value(INK), along)]
    return finished(layers, title, note, bands.size)


@dataclass(frozen=True)
class Canvas:
    """The rows of a chart, and how its series are told apart."""

    base: Any
    series: Field | None
    names: list[Any]

    @classmethod
    def of(cls, rows: Rows, x: Field, y: Field, series: Field | None) -> Canvas:
        alt = altair_or_error()
        values = [{name: _cell(value) for name, value in row.items()} for row in rows]
        wanted = [x.name, x.low, x.high, y.name, y.low, y.high, series.name if series else ""]
        for name in filter(None, wanted):
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
        how = {"symbolType": symbol, "columns": columns, "labelExpr": _LINES, **size}
        legend = alt.Legend(symbolOpacity=1, **how)
        return _names(alt.Color, self.series, title=self.series.label, scale=scale, legend=legend)

    def told_apart(self, kind: Any) -> dict[str, Any]:
        """The series by dashes or shapes too; the same names make one legend of both."""
        if self.series is None:
            return {}
        scale = altair_or_error().Scale(domain=self.names)
        made = _names(kind, self.series, title=self.series.label, scale=scale)
        return {kind._encoding_name: made}


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
    chart: Drawn = (
        alt.layer(*layers)
        .properties(width=size[0], height=size[1], background="#ffffff", **heading)
        .configure(font=FONT, padding=16)
        .configure_title(
            fontSize=17, subtitleFontSize=13, subtitleColor=GREY, anchor="start", offset=10
        )
        .configure_axis(**_AXES)
        .configure_legend(**_LEGEND)
        .configure_view(stroke=None)
    )
    return chart


def altair_or_error() -> ModuleType:
    """Altair, or what to do where it is not installed."""
    try:
        import altair
    except ImportError as error:
        raise MissingPackageError("a chart", "altair", "plots") from error
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
