"""Points of a chart: their intervals, how far the axes go, and where their names stand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.reports.chart_files import as_svg
from summetry.reports.labels import GAP, HEIGHT, LINE_HEIGHT, POINT, WIDTH, Box, place_names, room
from summetry.reports.plots import Field, scatter_chart

SIZE = (400.0, 300.0)
coordinates = st.tuples(st.floats(0, 400), st.floats(0, 300))
named = st.lists(st.tuples(st.text("abW質", min_size=1, max_size=12), coordinates), max_size=25)


def overlap(one, other):
    """The area that two boxes share."""
    wide = min(one.right, other.right) - max(one.left, other.left)
    high = min(one.bottom, other.bottom) - max(one.top, other.top)
    return max(wide, 0) * max(high, 0)


@given(named)
def test_no_name_lies_on_another_or_on_a_point_or_outside(drawn):
    points = [point for _, point in drawn]
    result = place_names([name for name, _ in drawn], points, [], SIZE)
    dots = [Box(x - POINT / 2, y - POINT / 2, x + POINT / 2, y + POINT / 2) for x, y in points]
    boxes = [box for box in result if box]
    for place, box in enumerate(boxes):
        assert not any(overlap(box, other) > 1e-6 for other in boxes[:place] + dots)
        assert box.left >= 0 and box.top >= 0 and box.right <= 400 and box.bottom <= 300
    for (name, (x, y)), box in zip(drawn, result, strict=True):
        if box:
            # Near enough to be read as the name of its point.
            assert box.right - box.left == pytest.approx(room(name))
            far = POINT / 2 + GAP
            assert min(abs(box.left - x), abs(box.right - x)) <= far + room(name) / 2
            assert box.top - far - 1e-6 <= y <= box.bottom + far + 1e-6


def test_a_name_goes_where_no_line_is():
    across, down = Box(60, 50, 140, 50), Box(100, 20, 100, 80)
    (free,) = place_names(["lcs"], [(100, 50)], [across, down], SIZE)
    # Right and left have the line across, above and below the line down: a corner is free.
    assert free == Box(108, 50 - 8 - LINE_HEIGHT, 108 + 22.5, 50 - 8)


def test_a_name_without_room_is_left_out():
    result = place_names(["a" * 60, "b"], [(200, 150), (200, 200)], [], SIZE)
    assert result[0] is None and result[1] is not None


ROWS = [
    {"name": "lead", "x": 1.0, "x0": 0.5, "x1": 1.5, "y": 10.0, "y0": 9.0, "y1": 12.0},
    {"name": "picker", "x": 3.0, "x0": 2.0, "x1": 4.5, "y": 20.0, "y0": 18.0, "y1": 29.0},
]
X, Y = Field("x", "score", low="x0", high="x1"), Field("y", "mark", low="y0", high="y1")


def layers(chart):
    return chart.to_dict()["layer"]


def test_axes_go_as_far_as_the_intervals_and_a_bit_beyond():
    encodings = layers(scatter_chart(ROWS, X, Y))[-1]["encoding"]
    for axis, low, high in (("x", 0.5, 4.5), ("y", 9.0, 29.0)):
        ends = encodings[axis]["scale"]["domain"]
        assert ends == pytest.approx([low - 0.08 * (high - low), high + 0.08 * (high - low)])


def test_intervals_in_both_directions():
    result = [layer["encoding"] for layer in layers(scatter_chart(ROWS, X, Y))]
    assert (result[0]["x"]["field"], result[0]["x2"]["field"]) == ("x0", "x1")
    assert (result[1]["y"]["field"], result[1]["y2"]["field"]) == ("y0", "y1")
    assert len(layers(scatter_chart(ROWS, Field("x"), Field("y")))) == 1


def test_names_stand_beside_their_points():
    chart = scatter_chart(ROWS, X, Y, label="name")
    encoding = layers(chart)[-2]["encoding"]
    (x0, x1), (y0, y1) = (encoding[axis]["scale"]["domain"] for axis in ("x", "y"))
    placed = list(chart.to_dict()["datasets"].values()) if "datasets" in chart.to_dict() else []
    names = {row["name"]: row for rows in placed for row in rows if set(row) == {"name", "x", "y"}}
    assert set(names) == {"lead", "picker"}
    for row in ROWS:
        own = names[row["name"]]
        right = (own["x"] - row["x"]) / (x1 - x0) * WIDTH
        up = (own["y"] - row["y"]) / (y1 - y0) * HEIGHT
        # At a corner, since the sides have lines.
        assert right == pytest.approx(POINT / 2 + GAP)
        assert up == pytest.approx(POINT / 2 + GAP + LINE_HEIGHT / 2)
    assert "picker" in as_svg(chart)


def test_how_many_names_are_missing_is_told():
    rows = [{"name": f"system number {n}", "x": 0.5, "y": float(n > 0)} for n in range(20)]
    chart = scatter_chart(rows, Field("x"), Field("y"), label="name", title="T", note="N")
    shown = as_svg(chart).count(">system number")
    # One alone, and those that fit around the one place of all the others.
    assert 1 < shown <= 9
    told = chart.to_dict()["title"]["subtitle"]
    assert told == ["N", f"{20 - shown} names left out for want of room"]


def test_an_undefined_point_is_not_drawn_and_disturbs_nobody():
    rows = [*ROWS, {"name": "gone", "x": math.nan, "y": 3.0}, {"name": "half", "x": 2.0, "y": None}]
    svg = as_svg(scatter_chart(rows, X, Y, label="name"))
    assert ">lead<" in svg and ">gone<" not in svg and ">half<" not in svg


def test_points_that_are_all_equal_have_an_axis():
    rows = [{"name": "a", "x": 0.0, "y": 2.0}]
    encodings = layers(scatter_chart(rows, Field("x"), Field("y")))[-1]["encoding"]
    assert encodings["x"]["scale"]["domain"] == [-1, 1]
    assert encodings["y"]["scale"]["domain"] == pytest.approx([1.84, 2.16])
