"""Rows of numbers as charts: lines, bars and points, with intervals, titles and units.

A row is a mapping from names to values; a :class:`Field` says which name an axis shows, and
how it is called. Charts are Altair's and can be changed further. They are written as SVG or PNG
without a browser, or as one HTML file that asks nothing of the network: the file holds the
script that draws, and beside it the picture for readers without scripts.

Altair and vl-convert are the extra ``plots``. The colours are those of Okabe and Ito, which
people with any kind of colour vision can tell apart; lines differ in their dashes too.
"""

from __future__ import annotations

import html
import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from summetry.errors import MissingPackageError, SummetryError

if TYPE_CHECKING:
    import altair

    Drawn: TypeAlias = altair.LayerChart

Rows: TypeAlias = Iterable[Mapping[str, Any]]

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442")
# vl-convert carries the first of these, so that a picture is the same on every machine.
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
INK, GREY = "#333333", "#555555"
WIDTH, HEIGHT = 640, 360
PIXELS_A_POINT = 2
ENDINGS = (".svg", ".png", ".html")


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
    alt = _altair()
    canvas = _Canvas.of(rows, x, y, series)
    shown = {"x": _axis(alt.X, x), "y": _axis(alt.Y, y)}
    colour = canvas.colour("stroke")
    point = {"size": 40, "filled": True}
    lines = canvas.base.mark_line(point=point, strokeWidth=2, tooltip=True)
    bands = _intervals(canvas.base.mark_area(opacity=0.18), shown, y, colour)
    drawn = lines.encode(**shown, color=colour, **canvas.told_apart(alt.StrokeDash))
    return _finished([*bands, drawn], title, note)


def bar_chart(
    rows: Rows, x: Field, y: Field, series: Field | None = None, title: str = "", note: str = ""
) -> Drawn:
    """A bar a name, side by side by series; names stay in the order of the rows."""
    alt = _altair()
    canvas = _Canvas.of(rows, x, y, series)
    names = _names(alt.X, x, axis=alt.Axis(labelAngle=-45), title=x.label)
    shown = {"x": names, "y": _axis(alt.Y, y)}
    if series:
        shown["xOffset"] = _names(alt.XOffset, series)
    bars = canvas.base.mark_bar(tooltip=True).encode(**shown, color=canvas.colour("square"))
    # In the colour of its bar an interval would not be seen.
    marks = canvas.base.mark_rule(strokeWidth=1.5)
    return _finished([bars, *_intervals(marks, shown, y, alt.value(INK))], title, note)


def scatter_chart(
    rows: Rows,
    x: Field,
    y: Field,
    series: Field | None = None,
    label: str = "",
    title: str = "",
    note: str = "",
) -> Drawn:
    """A point a row; an interval is a line through it, ``label`` a column with its name."""
    alt = _altair()
    canvas = _Canvas.of(rows, x, y, series)
    shown = {"x": _axis(alt.X, x, zero=False), "y": _axis(alt.Y, y, zero=False)}
    marks = canvas.base.mark_rule(strokeWidth=1.5)
    layers = _intervals(marks, shown, y, canvas.colour())
    points = canvas.base.mark_point(size=70, filled=True, opacity=1, tooltip=True)
    shapes = canvas.told_apart(alt.Shape)
    layers.append(points.encode(**shown, color=canvas.colour(), **shapes))
    if label:
        names = canvas.base.mark_text(align="left", dx=8, dy=-6, fontSize=12, color=INK)
        layers.append(names.encode(**shown, text=alt.Text(field=_path(label), type="nominal")))
    return _finished(layers, title, note)


def write_chart(chart: Drawn, path: Path) -> None:
    """``chart`` in a file; its ending says whether as SVG, PNG or HTML."""
    if path.suffix == ".svg":
        path.write_text(as_svg(chart), encoding="utf-8")
    elif path.suffix == ".png":
        path.write_bytes(as_png(chart))
    elif path.suffix == ".html":
        write_page({"": chart}, path)
    else:
        check_chart(path)


def check_chart(path: Path) -> None:
    """Refuse what could not be drawn or written; asked before long work begins."""
    if path.suffix not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise SummetryError(f"{path}: a chart is written as {known}, got {path.suffix!r}")
    if path.is_dir():
        raise SummetryError(f"{path}: expected a file to write to, found a folder")
    _altair()
    _converter()


def as_svg(chart: Drawn) -> str:
    found: str = _converter().vegalite_to_svg(chart.to_json(indent=None))
    return found + "\n"


def as_png(chart: Drawn) -> bytes:
    found: bytes = _converter().vegalite_to_png(chart.to_json(indent=None), scale=PIXELS_A_POINT)
    return found


def write_page(charts: Mapping[str, Drawn], path: Path, title: str = "Summetry") -> None:
    """Charts, each under its heading, in one HTML file that needs no network."""
    figures = [_figure(i, heading, chart) for i, (heading, chart) in enumerate(charts.items())]
    specs = ",\n".join(_inside_script(chart.to_json(indent=None)) for chart in charts.values())
    page = _PAGE.format(
        title=html.escape(title),
        font=FONT,
        figures="\n".join(figures),
        script=_script(),
        specs=specs,
    )
    path.write_text(page, encoding="utf-8")


@dataclass(frozen=True)
class _Canvas:
    """The rows of a chart, and how its series are told apart."""

    base: Any
    series: Field | None
    names: list[Any]

    @classmethod
    def of(cls, rows: Rows, x: Field, y: Field, series: Field | None) -> _Canvas:
        alt = _altair()
        values = [{name: _cell(value) for name, value in row.items()} for row in rows]
        wanted = [x.name, y.name, y.low, y.high, series.name if series else ""]
        for name in filter(None, wanted):
            if not any(name in row for row in values):
                known = ", ".join(sorted({key for row in values for key in row})) or "none"
                raise SummetryError(f"no row has the column {name!r}; the rows have: {known}")
        names = list(dict.fromkeys(row.get(series.name) for row in values)) if series else []
        return cls(alt.Chart(alt.InlineData(values=values)), series, names)

    def colour(self, symbol: str = "circle") -> Any:
        alt = _altair()
        if self.series is None:
            return alt.value(COLOURS[0])
        colours = [COLOURS[i % len(COLOURS)] for i in range(len(self.names))]
        scale = alt.Scale(domain=self.names, range=colours)
        # A band is pale, the legend is not.
        size = {"symbolSize": 500, "symbolStrokeWidth": 2} if symbol == "stroke" else {}
        legend = alt.Legend(symbolOpacity=1, symbolType=symbol, **size)
        return _names(alt.Color, self.series, title=self.series.label, scale=scale, legend=legend)

    def told_apart(self, kind: Any) -> dict[str, Any]:
        """The series by dashes or shapes too; the same names make one legend of both."""
        if self.series is None:
            return {}
        scale = _altair().Scale(domain=self.names)
        made = _names(kind, self.series, title=self.series.label, scale=scale)
        return {kind._encoding_name: made}


def _cell(value: Any) -> Any:
    """A value as JSON holds it."""
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _axis(kind: Any, field: Field, zero: bool = True) -> Any:
    """A numeric axis: to where the field says that it ends, else from 0 or with some room."""
    room: dict[str, Any] = {"zero": True} if zero else {"zero": False, "padding": 24}
    scale = {"domain": list(field.ends), "nice": False} if field.ends else room
    options = {"title": field.label, "scale": _altair().Scale(**scale)}
    return kind(field=_path(field.name), type="quantitative", **options)


def _names(kind: Any, field: Field, **options: Any) -> Any:
    """A column of names, which stay in the order of the rows."""
    return kind(field=_path(field.name), type="nominal", sort=None, **options)


def _path(name: str) -> str:
    """The name of a column for Vega, which would take dots and brackets for a path."""
    return re.sub(r"([\\.\[\]'\"])", r"\\\1", name)


def _intervals(marks: Any, shown: dict[str, Any], y: Field, colour: Any) -> list[Any]:
    """A layer from the low to the high end of every interval, where the field names them."""
    if not (y.low and y.high):
        return []
    lower = shown["y"].copy()
    lower.field = _path(y.low)
    ends = {"y": lower, "y2": _altair().Y2(field=_path(y.high))}
    return [marks.encode(**shown | ends, color=colour)]


def _finished(layers: list[Any], title: str, note: str) -> Drawn:
    """The layers as one chart, with the size, fonts and grid that all charts share."""
    alt = _altair()
    heading = {"title": alt.TitleParams(title, subtitle=note.splitlines())} if title else {}
    chart: Drawn = (
        alt.layer(*layers)
        .properties(width=WIDTH, height=HEIGHT, background="#ffffff", **heading)
        .configure(font=FONT, padding=16)
        .configure_title(
            fontSize=17, subtitleFontSize=13, subtitleColor=GREY, anchor="start", offset=10
        )
        .configure_axis(**_AXES)
        .configure_legend(**_LEGEND)
        .configure_view(stroke=None)
    )
    return chart


def _figure(number: int, heading: str, chart: Drawn) -> str:
    title = f"<h2>{html.escape(heading)}</h2>\n" if heading else ""
    return f'{title}<figure id="chart{number}">{as_svg(chart).strip()}</figure>'


def _inside_script(text: str) -> str:
    """JSON that cannot end the script it stands in."""
    return json.dumps(json.loads(text), ensure_ascii=True).replace("</", "<\\/")


@cache
def _script() -> str:
    """What draws the charts of a page; to bundle it takes seconds."""
    bundle: str = _converter().javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return bundle.replace("</script", "<\\/script")


def _altair() -> ModuleType:
    try:
        import altair
    except ImportError as error:
        raise MissingPackageError("a chart", "altair", "plots") from error
    return altair


def _converter() -> ModuleType:
    try:
        import vl_convert
    except ImportError as error:
        raise MissingPackageError("writing a chart", "vl-convert-python", "plots") from error
    found: ModuleType = vl_convert
    return found


_AXES: dict[str, Any] = {
    "labelFontSize": 13,
    "titleFontSize": 14,
    "titleFontWeight": "normal",
    "titlePadding": 10,
    "gridColor": "#e6e6e6",
}
_LEGEND: dict[str, Any] = {
    "orient": "top",
    "titleOrient": "left",
    "titleFontSize": 13,
    "titleFontWeight": "normal",
    "labelFontSize": 13,
    "labelLimit": 320,
    "columns": 4,
}

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
body {{ font-family: {font}; color: #222; background: #fff;
       max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}
h2 {{ font-size: 1.2rem; margin-top: 2.5rem }}
figure {{ margin: 1rem 0; overflow-x: auto }}
</style>
</head>
<body>
<h1>{title}</h1>
{figures}
<script>{script}</script>
<script>
{{
  const actions = {{export: true, source: false, compiled: false, editor: false}};
  [{specs}].forEach((spec, i) => vegaEmbed("#chart" + i, spec, {{actions}}));
}}
</script>
</body>
</html>
"""
