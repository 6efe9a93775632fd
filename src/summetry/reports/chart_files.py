"""Charts in files: SVG or PNG without a browser, or one HTML page that asks nothing of the network.

The page holds the script that draws, and beside it the pictures for readers without scripts.
vl-convert is an optional package.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from summetry.errors import MissingPackageError, SummetryError
from summetry.files import refuse_inputs, write_together, write_whole
from summetry.formats.texts import warn_at
from summetry.reports.plots import FONT, altair_or_error
from summetry.reports.sheets import files_beside

if TYPE_CHECKING:
    from summetry.reports.plots import Drawn

PIXELS_PER_POINT = 2
ENDINGS = (".svg", ".png", ".html")
# What every font for charts has ends here; so many letters that have no font are named.
_LATIN_TO_CYRILLIC = "\u052f"
_FEW = 8
_NO_LETTER = "\u0378"
_TEMPLATE = Path(__file__).with_name("chart_page.html")


def write_chart(chart: Drawn, path: Path) -> None:
    """``chart`` in a file; its ending says whether as SVG, PNG or HTML."""
    if path.suffix == ".html":
        write_page({"": chart}, path)
    else:
        write_whole(path, _picture(chart, path))


def write_charts(charts: Mapping[str, Drawn], path: Path, title: str) -> list[Path]:
    """One page, or one picture per chart: of several, each has its heading in its name."""
    if path.suffix == ".html":
        write_page(charts, path, title)
        return [path]
    # Letters and digits of the heading, with dashes between words.
    names = ["-".join(re.findall(r"[^\W_]+", heading)).lower() for heading in charts]
    paths = files_beside(path, names) if len(charts) > 1 else [path]
    pairs = zip(charts.values(), paths, strict=True)
    write_together({file: _picture(chart, file) for chart, file in pairs})
    return paths


def check_chart(path: Path) -> None:
    """Refuse what could not be drawn or written; asked before long work begins."""
    if path.suffix not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise SummetryError(f"{path}: a chart is written as {known}, got {path.suffix!r}")
    if path.is_dir():
        raise SummetryError(f"{path}: expected a file to write to, found a folder")
    altair_or_error()
    _converter()


def _picture(chart: Drawn, path: Path) -> str | bytes:
    if path.suffix not in (".svg", ".png"):
        check_chart(path)
    if path.suffix == ".svg":
        return as_svg(chart)
    _note_boxes(json.dumps(chart.to_dict(), ensure_ascii=False), path)
    return as_png(chart)


def check_picture(path: Path | None, what: str, *read: str) -> None:
    """Refuse a name that is none of a picture or of what is ``read``, and PNG without its maker."""
    if path is None:
        return
    if path.suffix.lower() not in (".svg", ".png"):
        raise SummetryError(
            f"{path}: a {what} is drawn as SVG or PNG; give a name that ends with .svg or .png"
        )
    refuse_inputs([path], read)
    if path.suffix.lower() == ".png":
        _converter()


def write_picture(svg: str, path: Path) -> None:
    """A picture in a file, as SVG or PNG by its ending."""
    if path.suffix.lower() == ".png":
        picture: bytes = _converter().svg_to_png(svg, scale=PIXELS_PER_POINT)
        write_whole(path, picture)
        _note_boxes(svg, path)
    else:
        write_whole(path, svg)


def _note_boxes(text: str, path: Path) -> None:
    """Say which letters of a PNG are boxes, since no font here has them."""
    letters = dict.fromkeys(letter for letter in text if letter > _LATIN_TO_CYRILLIC)
    boxes = [letter for letter in letters if letter.isalpha() and _is_box(letter)]
    if boxes:
        few = "".join(boxes[:_FEW]) + ("..." if len(boxes) > _FEW else "")
        warn_at(
            path,
            f"no font on this computer has {few}: boxes stand for them; "
            f"install one that has them, or write .svg, which the reader's fonts show",
        )


@cache
def _is_box(letter: str) -> bool:
    """Whether a letter is drawn as what is drawn for a place of Unicode that has no letter."""
    return _drawn(letter) == _drawn(_NO_LETTER)


@cache
def _drawn(letter: str) -> bytes:
    picture: bytes = _converter().svg_to_png(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
        f'<text x="5" y="30" font-family="{FONT}" font-size="20">{letter}</text></svg>'
    )
    return picture


def as_svg(chart: Drawn) -> str:
    picture: str = _converter().vegalite_to_svg(chart.to_json(indent=None))
    return picture + "\n"


def as_png(chart: Drawn) -> bytes:
    spec = chart.to_json(indent=None)
    picture: bytes = _converter().vegalite_to_png(spec, scale=PIXELS_PER_POINT)
    return picture


def write_page(charts: Mapping[str, Drawn], path: Path, title: str = "Summetry") -> None:
    """Charts, each under its heading, in one HTML file that needs no network."""
    figures = [_figure(i, heading, chart) for i, (heading, chart) in enumerate(charts.items())]
    specs = ",\n".join(_inside_script(chart.to_json(indent=None)) for chart in charts.values())
    page = _TEMPLATE.read_text("utf-8").format(
        title=html.escape(title),
        font=FONT,
        figures="\n".join(figures),
        script=_script(),
        specs=specs,
    )
    write_whole(path, page)


def _figure(number: int, heading: str, chart: Drawn) -> str:
    title = f"<h2>{html.escape(heading)}</h2>\n" if heading else ""
    return f'{title}<figure id="chart{number}">{as_svg(chart).strip()}</figure>'


def _inside_script(text: str) -> str:
    """JSON without the sign that begins a tag, so that it cannot end the script it stands in."""
    return json.dumps(json.loads(text), ensure_ascii=True).replace("<", "\\u003c")


@cache
def _script() -> str:
    """What draws the charts of a page; to bundle it takes seconds."""
    bundle: str = _converter().javascript_bundle("window.vegaEmbed = vegaEmbed;")
    # Elsewhere the sign is an operator; these stand in strings, and would end or hide the script.
    return re.sub("<(?=!--|/?script)", r"\\x3c", bundle, flags=re.IGNORECASE)


def _converter() -> ModuleType:
    try:
        import vl_convert
    except ImportError as error:
        raise MissingPackageError("a chart", "vl-convert-python", "altair") from error
    converter: ModuleType = vl_convert
    return converter
