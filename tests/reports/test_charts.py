"""Charts: what they show, where names stand, that nothing changes or comes from the net."""

import json
import math
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import MissingPackageError, SummetryError, SummetryWarning
from summetry.reports import chart_files, labels, plots
from summetry.reports.chart_files import as_svg, write_chart, write_page, write_picture
from summetry.reports.labels import GAP, LINE_HEIGHT, POINT, Box, legend_columns, place_names, room
from summetry.reports.plots import Field, bar_chart, line_chart, scatter_chart

ROWS = [
    {"n": n, "r": r, "low": r - 0.1, "high": r + 0.1, "value": value, "name": f"{value} at {n}"}
    for value, numbers in {"recall": (0.4, 0.6, 0.7), "dice": (0.3, 0.5, 0.8)}.items()
    for n, r in zip((10, 20, 30), numbers, strict=True)
]
N = Field("n", "number of keywords")
R = Field("r", "correlation", "Pearson's r", low="low", high="high")
VALUE = Field("value", "which value")


@pytest.fixture(scope="module", autouse=True)
def converter():
    """What draws charts starts once, in a second."""
    as_svg(chart_of("line"))


def chart_of(kind):
    if kind == "scatter":
        return scatter_chart(ROWS, N, R, VALUE, "name", "A title", "a note")
    return {"line": line_chart, "bar": bar_chart}[kind](ROWS, N, R, VALUE, "A title", "a note")


def layers_of(chart):
    return chart.to_dict()["layer"]


def axis_of(chart, along):
    return layers_of(chart)[0]["encoding"][along]


every_kind = pytest.mark.parametrize("kind", ["line", "bar", "scatter"])


def drawn_rows(chart):
    (rows,) = chart.to_dict()["datasets"].values()
    return rows


def words_of(svg):
    return re.sub(r"<[^>]+>", "\n", svg).replace("&#39;", "'").replace("&apos;", "'")


@every_kind
def test_titles_units_and_series_can_be_read_in_colours_that_everybody_can_tell_apart(kind):
    svg = as_svg(chart_of(kind))
    words = words_of(svg)
    for wanted in ("A title", "a note", "which value", "recall", "dice", "number of keywords"):
        assert wanted in words
    assert "correlation (Pearson's r)" in words
    assert all(colour.lower() in svg.lower() for colour in plots.COLOURS[:2])
    if kind == "line":  # The same rows give the same bytes.
        assert as_svg(chart_of(kind)) == svg


def test_lines_differ_in_dashes_points_in_shapes_and_bars_beyond_the_colours_in_others():
    for kind, marked in (("line", "strokeDash"), ("scatter", "shape")):
        assert f'"{marked}": {{"field": "value"' in json.dumps(chart_of(kind).to_dict())
    # In a chart of bars nothing but the colour tells them apart.
    colours = [plots.colour_of(place) for place in range(24)]
    assert len(set(colours)) == 24 and colours[:8] == list(plots.COLOURS)
    # The lines of intervals are nearly black.
    assert all(max(int(c[i : i + 2], 16) for i in (1, 3, 5)) > 80 for c in colours)


@every_kind
def test_an_interval_goes_from_its_low_to_its_high_end(kind):
    layers = [layer["encoding"] for layer in layers_of(chart_of(kind))]
    assert [e["y"]["field"] for e in layers if e.get("y2") == {"field": "high"}] == ["low"]


def test_names_stay_in_the_order_of_the_rows_and_undefined_values_leave_a_gap():
    rows = [{"scheme": name, "r": 0.5} for name in ("FQ-NW", "BI-NW", "AU-NW")]
    words = words_of(as_svg(bar_chart(rows, Field("scheme"), Field("r"))))
    assert words.index("FQ-NW") < words.index("BI-NW") < words.index("AU-NW")
    names = ("cosine(text=en).value", "marks[1]")
    rows = [dict(zip(names, numbers, strict=True)) for numbers in ((0.25, 4), (1, 8))]
    svg = as_svg(scatter_chart(rows, Field("marks[1]"), Field("cosine(text=en).value")))
    assert len(re.findall(r"marks\[1\]: \d", svg)) == 2
    rows = [*ROWS, {"n": 40, "r": math.nan, "low": math.nan, "high": math.inf, "value": "dice"}]
    gap = {"n": 40, "r": None, "low": None, "high": None, "value": "dice"}
    assert drawn_rows(line_chart(rows, N, R, VALUE))[-1] == gap
    rows = [{"n": np.int64(1), "r": np.float64(0.5)}, {"n": np.int64(2), "r": np.float64("nan")}]
    assert drawn_rows(line_chart(rows, N, Field("r"))) == [{"n": 1, "r": 0.5}, {"n": 2, "r": None}]


def test_the_axis_ends_where_the_field_says_or_a_bit_beyond_the_intervals():
    without = line_chart(ROWS, N, Field("r", ends=(-1, 1)))
    assert len(layers_of(without)) == 1
    axis = axis_of(without, "y")
    assert axis["scale"] == {"domain": [-1, 1], "nice": False}
    assert chart_of("bar").to_dict()["config"]["axis"]["labelFlush"] is False
    encodings = layers_of(scatter_chart(SYSTEMS, X, Y))[-1]["encoding"]
    for axis, low, high in (("x", 0.5, 4.5), ("y", 9.0, 29.0)):
        ends = encodings[axis]["scale"]["domain"]
        assert ends == pytest.approx([low - 0.08 * (high - low), high + 0.08 * (high - low)])
    result = [layer["encoding"] for layer in layers_of(scatter_chart(SYSTEMS, X, Y))]
    assert (result[0]["x"]["field"], result[0]["x2"]["field"]) == ("x0", "x1")
    assert (result[1]["y"]["field"], result[1]["y2"]["field"]) == ("y0", "y1")
    assert len(layers_of(scatter_chart(SYSTEMS, Field("x"), Field("y")))) == 1


@pytest.mark.parametrize(("ending", "start"), [
    (".svg", b"<svg"), (".png", b"\x89PNG\r\n"), (".html", b"<!doctype html>"),
])  # fmt: skip
def test_a_picture_is_written_in_the_format_of_its_ending(tmp_path, monkeypatch, ending, start):
    monkeypatch.setattr(chart_files, "_script", lambda: "")
    write_chart(chart_of("line"), tmp_path / f"chart{ending}")
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


# To put the scripts of a page together takes seconds.
@pytest.mark.parametrize("is_bundled", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_page_asks_nothing_of_the_network_and_its_data_has_no_sign_of_a_tag(
    tmp_path, monkeypatch, is_bundled
):
    if not is_bundled:
        monkeypatch.setattr(chart_files, "_script", lambda: "")
    odd = bar_chart([{"name": ODD, "r": 0.5}], Field("name"), Field("r"))
    charts = {"One": chart_of("line"), "Two & three": odd}
    write_page(charts, tmp_path / "page.html", "All <figures>")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
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
    (None, lambda: write_chart(chart_of("line"), Path("chart.gif")), SummetryError,
     r"written as .svg, .png, .html, got '.gif'"),
    (None, lambda: line_chart(ROWS, N, Field("rr")), SummetryError,
     "no row has the column 'rr'; the rows have: high, low"),
    (None, lambda: line_chart([], N, R), SummetryError,
     "no row has the column 'n'; the rows have: none"),
    ("altair", lambda: chart_of("line"), MissingPackageError,
     r"pip install altair vl-convert-python"),
    ("vl_convert", lambda: as_svg(line_chart(ROWS, N, R)), MissingPackageError,
     r"pip install vl-convert-python altair"),
])  # fmt: skip
def test_what_cannot_be_drawn_is_refused(monkeypatch, missing, make, error, words):
    if missing:
        monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(error, match=words):
        make()


def bars(names, **more):
    rows = [{"metric": name, "r": 0.5, "low": 0.4, "high": 0.6} | more for name in names]
    return bar_chart(rows, Field("metric"), Field("r", low="low", high="high"))


def test_names_of_bars_are_level_slanted_or_lie_and_none_is_cut():
    chart = bars(["lcs.f", "cosine"])
    assert axis_of(chart, "x")["axis"]["labelAngle"] == 0
    assert chart.to_dict()["width"] < 640
    assert axis_of(bars([f"FQ-{i:03}" for i in range(16)]), "x")["axis"]["labelAngle"] == -45
    assert axis_of(bars([f"FQ-{i:03}" for i in range(17)]), "y")["field"] == "metric"
    # Four names of twelve letters stand side by side if these are narrow.
    assert "labelAngle" in axis_of(bars(["lcs_recall_f"] * 1 + ["b", "c", "d"]), "x")["axis"]
    for name in ("WWWWWWWWMMMM", "質質質質質質質質質質質質", "ЩЩЩЩЩЩЩЩЩЩЩЩ"):
        assert axis_of(bars([name, "b", "c", "d"]), "y")["field"] == "metric"
    long = "rouge_n(n={},text=rouge155(stem=true,stop=true),references=best).recall"
    names = [long.format(n) for n in range(1, 26)]
    chart = bars(names)
    words = words_of(as_svg(chart)).replace("\n", "")
    assert all(name in words for name in names) and "\u2026" not in words
    layers = [layer["encoding"] for layer in layers_of(chart)]
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


def test_letters_that_no_font_has_are_boxes_and_are_named_for_a_png(monkeypatch, tmp_path):
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


SIZE = (400.0, 300.0)
coordinates = st.tuples(st.floats(0, 400), st.floats(0, 300))
named = st.lists(st.tuples(st.text("abW質", min_size=1, max_size=12), coordinates), max_size=25)


def overlap(one, other):
    """The area that two boxes share."""
    wide = min(one.right, other.right) - max(one.left, other.left)
    high = min(one.bottom, other.bottom) - max(one.top, other.top)
    return max(wide, 0) * max(high, 0)


def distance(box, point):
    """From a point to the nearest point of a box."""
    x, y = point
    near = min(max(x, box.left), box.right), min(max(y, box.top), box.bottom)
    return math.dist(near, point)


@given(named, st.booleans())
def test_no_name_lies_on_another_or_at_another_point_or_outside(drawn, crossing):
    points = [point for _, point in drawn]
    result = place_names([name for name, _ in drawn], points, [], SIZE, crossing)
    boxes = [label.box for label in result if label]
    for place, box in enumerate(boxes):
        assert not any(overlap(box, other) > 1e-6 for other in boxes[:place])
        assert box.left >= 0 and box.top >= 0 and box.right <= 400 and box.bottom <= 300
    for own, ((name, point), label) in enumerate(zip(drawn, result, strict=True)):
        if not label:
            continue
        assert label.box.right - label.box.left == pytest.approx(room(name))
        for k, other in enumerate(points):
            assert k == own or distance(label.box, other) >= labels.APART - 1e-6
        # Beside its point, or at the end of a line that begins there.
        if label.leader is None:
            assert POINT / 2 <= distance(label.box, point) <= 1.415 * (POINT / 2 + GAP)
        else:
            start, end = label.leader[:2], label.leader[2:]
            assert math.dist(start, point) == pytest.approx(POINT / 2, abs=1e-6)
            assert distance(label.box, end) == pytest.approx(0, abs=1e-6)


def test_a_name_without_room_gets_a_line_or_is_left_out():
    """Two points that nearly cover each other: what is beside one is beside the other, too."""
    placed = place_names(["BART", "Pegasus"], [(200, 150), (203, 150)], [], SIZE)
    assert all(label and label.leader for label in placed)
    for label, other in zip(placed, [(203, 150), (200, 150)], strict=True):
        assert distance(label.box, other) >= labels.APART
    across, down = Box(60, 50, 140, 50), Box(100, 20, 100, 80)
    (free,) = place_names(["lcs"], [(100, 50)], [across, down], SIZE)
    # Right and left have the line across, above and below the line down: a corner is free.
    assert free.box == Box(108, 50 - 8 - LINE_HEIGHT, 108 + 22.5, 50 - 8)
    result = place_names(["a" * 60, "b"], [(200, 150), (200, 200)], [], SIZE)
    assert result[0] is None and result[1] is not None


@pytest.mark.parametrize("side", ["left", "right"])
def test_letters_stand_at_the_end_that_is_near_the_point(side):
    """A box is as wide as letters are at the most, so that they may be far from its other end."""
    edge = 395 if side == "right" else 5
    (label,) = place_names(["name"], [(edge, 150)], [], SIZE)
    assert label.align == side
    assert abs(label.anchor[0] - edge) == pytest.approx(POINT / 2 + GAP)


SYSTEMS = [
    {"name": "lead", "x": 1.0, "x0": 0.5, "x1": 1.5, "y": 10.0, "y0": 9.0, "y1": 12.0},
    {"name": "picker", "x": 3.0, "x0": 2.0, "x1": 4.5, "y": 20.0, "y0": 18.0, "y1": 29.0},
]
X, Y = Field("x", "score", low="x0", high="x1"), Field("y", "mark", low="y0", high="y1")


def test_names_stand_beside_their_points_with_a_white_edge_for_lines_that_pass_there():
    chart = scatter_chart(SYSTEMS, X, Y, label="name")
    # Behind two layers of intervals.
    encoding = layers_of(chart)[2]["encoding"]
    (x0, x1), (y0, y1) = (encoding[axis]["scale"]["domain"] for axis in ("x", "y"))
    placed = list(chart.to_dict().get("datasets", {}).values())
    names = {row["name"]: row for rows in placed for row in rows if set(row) == {"name", "x", "y"}}
    assert set(names) == {"lead", "picker"}
    for row in SYSTEMS:
        own = names[row["name"]]
        right = (own["x"] - row["x"]) / (x1 - x0) * labels.WIDTH
        up = (own["y"] - row["y"]) / (y1 - y0) * labels.HEIGHT
        # At a corner, since the sides have lines.
        assert right == pytest.approx(POINT / 2 + GAP)
        assert up == pytest.approx(POINT / 2 + GAP + LINE_HEIGHT / 2)
    picture = as_svg(chart)
    edge, name = (match.start() for match in re.finditer(">picker</text>", picture))
    assert 'stroke="#ffffff"' in picture[picture.rindex("<text", 0, edge) : edge]
    assert "stroke=" not in picture[picture.rindex("<text", 0, name) : name]


def texts_and_subtitle(rows):
    """All words in the picture that are names or numbers of points, or in the key; its note."""
    chart = scatter_chart(rows, Field("x"), Field("y"), label="name", title="T", note="N")
    texts = re.findall(r"<text(?![^>]*stroke=)[^>]*>([^<]*)</text>", as_svg(chart))
    return texts, chart.to_dict()["title"]["subtitle"]


@pytest.mark.parametrize("number", [17, 60])
def test_every_point_has_a_name_or_a_number_with_a_key(number):
    rng = np.random.default_rng(number)
    rows = [
        {"name": f"name{k}x", "x": float(q), "y": float(q + rng.normal() / 2)}
        for k, q in enumerate(rng.normal(size=number))
    ]
    texts, subtitle = texts_and_subtitle(rows)
    assert subtitle == ["N"]
    if number == 60:
        order = sorted(rows, key=lambda row: -row["y"])
        for rank, row in enumerate(order, start=1):
            assert texts.count(f"{rank}  {row['name']}") == 1 and str(rank) in texts
    else:
        assert all(texts.count(row["name"]) == 1 for row in rows)


def test_points_at_one_position_are_all_named_and_of_very_many_none():
    names = [f"system number {n}" for n in range(7)]
    rows = [{"name": name, "x": 0.5, "y": float(n > 0)} for n, name in enumerate(names)]
    texts, subtitle = texts_and_subtitle(rows)
    assert all(name in " ".join(texts) for name in names) and subtitle == ["N"]
    rows = [{"name": f"s{n}", "x": float(n), "y": float(n)} for n in range(101)]
    texts, subtitle = texts_and_subtitle(rows)
    assert subtitle == ["N", "101 names left out, since there is no room"] and "s7" not in texts


def test_an_undefined_point_is_not_drawn_and_points_that_are_all_equal_have_an_axis():
    rows = [
        *SYSTEMS,
        {"name": "gone", "x": math.nan, "y": 3.0},
        {"name": "half", "x": 2.0, "y": None},
    ]
    svg = as_svg(scatter_chart(rows, X, Y, label="name"))
    assert ">lead<" in svg and ">gone<" not in svg and ">half<" not in svg
    rows = [{"name": "a", "x": 0.0, "y": 2.0}]
    encodings = layers_of(scatter_chart(rows, Field("x"), Field("y")))[-1]["encoding"]
    assert encodings["x"]["scale"]["domain"] == [-1, 1]
    assert encodings["y"]["scale"]["domain"] == pytest.approx([1.84, 2.16])
