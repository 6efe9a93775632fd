"""Charts: what a picture shows, that it is the same on every run, and asks nothing of the net."""

import json
import math
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from summetry.errors import MissingPackageError, SummetryError, SummetryWarning
from summetry.reports import chart_files, plots
from summetry.reports.chart_files import as_svg, write_chart, write_page, write_picture
from summetry.reports.labels import legend_columns
from summetry.reports.plots import Field, bar_chart, line_chart, scatter_chart

ROWS = [
    {"n": n, "r": r, "low": r - 0.1, "high": r + 0.1, "value": value, "name": f"{value} at {n}"}
    for value, numbers in {"recall": (0.4, 0.6, 0.7), "dice": (0.3, 0.5, 0.8)}.items()
    for n, r in zip((10, 20, 30), numbers, strict=True)
]
N = Field("n", "number of keywords")
R = Field("r", "correlation", "Pearson's r", low="low", high="high")
VALUE = Field("value", "which value")


def charts(rows=ROWS):
    return {
        "line": line_chart(rows, N, R, VALUE, "A title", "a note"),
        "bar": bar_chart(rows, N, R, VALUE, "A title", "a note"),
        "scatter": scatter_chart(rows, N, R, VALUE, "name", "A title", "a note"),
    }


@pytest.fixture(scope="module")
def svgs():
    return {kind: as_svg(chart) for kind, chart in charts().items()}


every_kind = pytest.mark.parametrize("kind", ["line", "bar", "scatter"])


def drawn_rows(chart):
    (rows,) = chart.to_dict()["datasets"].values()
    return rows


def words_of(svg):
    return re.sub(r"<[^>]+>", "\n", svg).replace("&#39;", "'").replace("&apos;", "'")


@every_kind
def test_titles_units_and_series_can_be_read_in_colours_that_everybody_can_tell_apart(kind, svgs):
    words = words_of(svgs[kind])
    for wanted in ("A title", "a note", "which value", "recall", "dice", "number of keywords"):
        assert wanted in words
    assert "correlation (Pearson's r)" in words
    assert all(colour.lower() in svgs[kind].lower() for colour in plots.COLOURS[:2])
    # The same rows give the same bytes.
    assert as_svg(charts()[kind]) == svgs[kind]


def test_lines_differ_in_dashes_points_in_shapes_and_bars_beyond_the_colours_in_others():
    made = {kind: json.dumps(chart.to_dict()) for kind, chart in charts().items()}
    assert '"strokeDash": {"field": "value"' in made["line"]
    assert '"shape": {"field": "value"' in made["scatter"]
    # In a chart of bars nothing but the colour tells them apart.
    colours = [plots.colour_of(place) for place in range(24)]
    assert len(set(colours)) == 24 and colours[:8] == list(plots.COLOURS)
    # The lines of intervals are nearly black.
    assert all(max(int(c[i : i + 2], 16) for i in (1, 3, 5)) > 80 for c in colours)


@every_kind
def test_an_interval_goes_from_its_low_to_its_high_end(kind):
    layers = [layer["encoding"] for layer in charts()[kind].to_dict()["layer"]]
    assert [e["y"]["field"] for e in layers if e.get("y2") == {"field": "high"}] == ["low"]
    plain = line_chart(ROWS, N, Field("r"))
    assert len(plain.to_dict()["layer"]) == 1


def test_names_stay_in_the_order_of_the_rows_with_their_dots_and_brackets():
    rows = [{"scheme": name, "r": 0.5} for name in ("FQ-NW", "BI-NW", "AU-NW")]
    words = words_of(as_svg(bar_chart(rows, Field("scheme"), Field("r"))))
    assert words.index("FQ-NW") < words.index("BI-NW") < words.index("AU-NW")
    names = ("cosine(text=en).value", "marks[1]")
    rows = [dict(zip(names, numbers, strict=True)) for numbers in ((0.25, 4), (1, 8))]
    svg = as_svg(scatter_chart(rows, Field("marks[1]"), Field("cosine(text=en).value")))
    assert len(re.findall(r"marks\[1\]: \d", svg)) == 2


def test_an_undefined_value_leaves_a_gap_and_numbers_of_numpy_are_numbers():
    rows = [*ROWS, {"n": 40, "r": math.nan, "low": math.nan, "high": math.inf, "value": "dice"}]
    gap = {"n": 40, "r": None, "low": None, "high": None, "value": "dice"}
    assert drawn_rows(line_chart(rows, N, R, VALUE))[-1] == gap
    rows = [{"n": np.int64(1), "r": np.float64(0.5)}, {"n": np.int64(2), "r": np.float64("nan")}]
    assert drawn_rows(line_chart(rows, N, Field("r"))) == [{"n": 1, "r": 0.5}, {"n": 2, "r": None}]


def test_the_axis_ends_where_the_field_says_and_its_last_numbers_stand_where_they_belong():
    axis = axis_of(line_chart(ROWS, N, Field("r", ends=(-1, 1))), "y")
    assert axis["scale"] == {"domain": [-1, 1], "nice": False}
    assert charts()["bar"].to_dict()["config"]["axis"]["labelFlush"] is False


@pytest.mark.parametrize(("ending", "start"), [
    (".svg", b"<svg"), (".png", b"\x89PNG\r\n"), (".html", b"<!doctype html>"),
])  # fmt: skip
@pytest.mark.usefixtures("page")  # Its scripts are put together once, in a second.
def test_a_picture_is_written_in_the_format_of_its_ending(tmp_path, ending, start):
    write_chart(charts()["line"], tmp_path / f"chart{ending}")
    assert (tmp_path / f"chart{ending}").read_bytes().startswith(start)


class Elements(HTMLParser):
    """What a browser would fetch for a page, and the elements of the page."""

    def __init__(self, html):
        super().__init__()
        self.fetched, self.tags = [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.fetched += [v for k, v in attrs if k in ("src", "href", "xlink:href", "data") and v]


ODD = "<!--<script>a & b</SCRIPT>"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A page of two charts, one of them of a name that could end a script."""
    path = tmp_path_factory.mktemp("charts") / "page.html"
    odd = bar_chart([{"name": ODD, "r": 0.5}], Field("name"), Field("r"))
    write_page({"One": charts()["line"], "Two & three": odd}, path, "All <figures>")
    return path.read_text(encoding="utf-8")


def test_a_page_asks_nothing_of_the_network_and_its_data_has_no_sign_of_a_tag(page):
    elements = Elements(page)
    assert [address for address in elements.fetched if not address.startswith("#")] == []
    assert not {"link", "iframe", "img", "base"} & set(elements.tags)
    assert "@import" not in re.sub(r"<script>.*?</script>", "", page, flags=re.S)
    assert elements.tags.count("svg") == 2 and elements.tags.count("script") == 2
    assert "<title>All &lt;figures&gt;</title>" in page
    assert "<h2>Two &amp; three</h2>" in page
    bundle, data = re.findall(r"<script>(.*?)</script>", page, flags=re.S)
    assert "\\u003c!--\\u003cscript>a & b\\u003c/SCRIPT>" in data
    assert "<" not in data
    assert not re.search("<(!--|/?script)", bundle, flags=re.IGNORECASE)


@pytest.mark.parametrize(("missing", "make", "error", "words"), [
    (None, lambda: write_chart(charts()["line"], Path("chart.gif")), SummetryError,
     r"written as .svg, .png, .html, got '.gif'"),
    (None, lambda: line_chart(ROWS, N, Field("rr")), SummetryError,
     "no row has the column 'rr'; the rows have: high, low"),
    (None, lambda: line_chart([], N, R), SummetryError,
     "no row has the column 'n'; the rows have: none"),
    ("altair", charts, MissingPackageError, r"pip install altair vl-convert-python"),
    ("vl_convert", lambda: as_svg(line_chart(ROWS, N, R)), MissingPackageError,
     r"pip install vl-convert-python altair"),
])  # fmt: skip
def test_what_cannot_be_drawn_is_refused(monkeypatch, missing, make, error, words):
    if missing:
        monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(error, match=words):
        make()


def test_the_module_is_imported_without_the_packages():
    code = "import sys, summetry.reports.plots; print({'altair', 'vl_convert'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def axis_of(chart, along):
    return chart.to_dict()["layer"][0]["encoding"][along]


def bars(names, **more):
    rows = [{"metric": name, "r": 0.5, "low": 0.4, "high": 0.6} | more for name in names]
    return bar_chart(rows, Field("metric"), Field("r", low="low", high="high"))


def test_few_short_names_stand_level_many_are_slanted_and_more_of_them_make_bars_lie():
    chart = bars(["lcs.f", "cosine"])
    assert axis_of(chart, "x")["axis"]["labelAngle"] == 0
    assert chart.to_dict()["width"] < 640
    assert axis_of(bars([f"FQ-{i:03}" for i in range(16)]), "x")["axis"]["labelAngle"] == -45
    assert axis_of(bars([f"FQ-{i:03}" for i in range(17)]), "y")["field"] == "metric"
    # Four names of twelve letters stand side by side if these are narrow.
    assert "labelAngle" in axis_of(bars(["lcs_recall_f"] * 1 + ["b", "c", "d"]), "x")["axis"]
    for name in ("WWWWWWWWMMMM", "質質質質質質質質質質質質", "ЩЩЩЩЩЩЩЩЩЩЩЩ"):
        assert axis_of(bars([name, "b", "c", "d"]), "y")["field"] == "metric"


def test_bars_of_long_names_lie_and_no_name_is_cut():
    long = "rouge_n(n={},text=rouge155(stem=true,stop=true),references=best).recall"
    names = [long.format(n) for n in range(1, 26)]
    chart = bars(names)
    words = words_of(as_svg(chart)).replace("\n", "")
    assert all(name in words for name in names) and "\u2026" not in words
    layers = [layer["encoding"] for layer in chart.to_dict()["layer"]]
    assert [(e["x"]["field"], e["x2"]) for e in layers if "x2" in e] == [("low", {"field": "high"})]
    # Room for both lines of every name.
    assert chart.to_dict()["height"] >= 25 * 32


def with_series(kind, names):
    rows = [{"n": n, "r": 0.1 * n, "value": name} for name in names for n in (1, 2)]
    return kind(rows, N, Field("r"), VALUE)


@pytest.mark.parametrize("kind", [line_chart, bar_chart])
def test_every_series_stands_in_the_legend_and_none_is_cut(kind):
    names = [f"a dimension of marks with the long and winding name number {i}" for i in range(30)]
    words = words_of(as_svg(with_series(kind, names))).replace("\n", "").replace(" ", "")
    assert all(name.replace(" ", "") in words for name in names) and "\u2026" not in words
    assert legend_columns(["recall", "dice"]) == 4
    assert legend_columns(["a name of thirty letters or so"]) == 2
    assert legend_columns(["a name of so many letters that nothing fits beside it at all"]) == 1


def test_letters_that_no_font_has_are_boxes_and_are_named_when_a_png_is_written(
    monkeypatch, tmp_path
):
    pytest.importorskip("vl_convert")
    assert chart_files._is_box("\u0379") and not chart_files._is_box("Ω")
    picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>{}</text></svg>'
    # Every font for charts has Greek.
    monkeypatch.setattr(chart_files, "_LATIN_TO_CYRILLIC", "\u0300")
    write_picture(picture.format("Αθήνα"), tmp_path / "greek.png")
    monkeypatch.setattr(chart_files, "_is_box", lambda letter: letter == "系")
    with pytest.warns(SummetryWarning, match=r"han\.png: no font on this computer has 系: boxes"):
        write_picture(picture.format("系 A Ω"), tmp_path / "han.png")
    write_picture(picture.format("系"), tmp_path / "han.svg")
