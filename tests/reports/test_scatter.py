"""Points of a chart: their intervals, how far the axes go, and where their names stand."""

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.reports import labels
from summetry.reports.chart_files import as_svg
from summetry.reports.labels import GAP, LINE_HEIGHT, POINT, Box, place_names, room
from summetry.reports.plots import Field, scatter_chart

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


def test_a_name_that_would_stand_at_another_point_gets_a_line():
    """Two points that nearly cover each other: what is beside one is beside the other, too."""
    placed = place_names(["BART", "Pegasus"], [(200, 150), (203, 150)], [], SIZE)
    assert all(label and label.leader for label in placed)
    for label, other in zip(placed, [(203, 150), (200, 150)], strict=True):
        assert distance(label.box, other) >= labels.APART


@pytest.mark.parametrize("side", ["left", "right"])
def test_letters_stand_at_the_end_that_is_near_the_point(side):
    """A box is as wide as letters are at the most, so that they may be far from its other end."""
    edge = 395 if side == "right" else 5
    (label,) = place_names(["name"], [(edge, 150)], [], SIZE)
    assert label.align == side
    assert abs(label.anchor[0] - edge) == pytest.approx(POINT / 2 + GAP)


def test_a_name_goes_where_no_line_is_and_without_room_is_left_out():
    across, down = Box(60, 50, 140, 50), Box(100, 20, 100, 80)
    (free,) = place_names(["lcs"], [(100, 50)], [across, down], SIZE)
    # Right and left have the line across, above and below the line down: a corner is free.
    assert free.box == Box(108, 50 - 8 - LINE_HEIGHT, 108 + 22.5, 50 - 8)
    result = place_names(["a" * 60, "b"], [(200, 150), (200, 200)], [], SIZE)
    assert result[0] is None and result[1] is not None


ROWS = [
    {"name": "lead", "x": 1.0, "x0": 0.5, "x1": 1.5, "y": 10.0, "y0": 9.0, "y1": 12.0},
    {"name": "picker", "x": 3.0, "x0": 2.0, "x1": 4.5, "y": 20.0, "y0": 18.0, "y1": 29.0},
]
X, Y = Field("x", "score", low="x0", high="x1"), Field("y", "mark", low="y0", high="y1")


def layers(chart):
    return chart.to_dict()["layer"]


def test_axes_go_a_bit_beyond_the_intervals_which_may_have_both_directions():
    encodings = layers(scatter_chart(ROWS, X, Y))[-1]["encoding"]
    for axis, low, high in (("x", 0.5, 4.5), ("y", 9.0, 29.0)):
        ends = encodings[axis]["scale"]["domain"]
        assert ends == pytest.approx([low - 0.08 * (high - low), high + 0.08 * (high - low)])
    result = [layer["encoding"] for layer in layers(scatter_chart(ROWS, X, Y))]
    assert (result[0]["x"]["field"], result[0]["x2"]["field"]) == ("x0", "x1")
    assert (result[1]["y"]["field"], result[1]["y2"]["field"]) == ("y0", "y1")
    assert len(layers(scatter_chart(ROWS, Field("x"), Field("y")))) == 1


def test_names_stand_beside_their_points_with_a_white_edge_for_lines_that_pass_there():
    chart = scatter_chart(ROWS, X, Y, label="name")
    # Behind two layers of intervals.
    encoding = layers(chart)[2]["encoding"]
    (x0, x1), (y0, y1) = (encoding[axis]["scale"]["domain"] for axis in ("x", "y"))
    placed = list(chart.to_dict().get("datasets", {}).values())
    names = {row["name"]: row for rows in placed for row in rows if set(row) == {"name", "x", "y"}}
    assert set(names) == {"lead", "picker"}
    for row in ROWS:
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


@pytest.mark.parametrize("number", [5, 17, 60])
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
    rows = [*ROWS, {"name": "gone", "x": math.nan, "y": 3.0}, {"name": "half", "x": 2.0, "y": None}]
    svg = as_svg(scatter_chart(rows, X, Y, label="name"))
    assert ">lead<" in svg and ">gone<" not in svg and ">half<" not in svg
    rows = [{"name": "a", "x": 0.0, "y": 2.0}]
    encodings = layers(scatter_chart(rows, Field("x"), Field("y")))[-1]["encoding"]
    assert encodings["x"]["scale"]["domain"] == [-1, 1]
    assert encodings["y"]["scale"]["domain"] == pytest.approx([1.84, 2.16])
