"""Points, spreads, topics and curves: numbers are read back from the places by the axis."""

import re
from dataclasses import replace

import numpy as np
import pytest
from drawings import dots_of, in_words, of_class, parsed, reader, words
from pictured import generated, judged_of, scored

from summetry.metaeval.correlation_tables import CorrelateSettings
from summetry.metaeval.grids import grid_of
from summetry.metaeval.matrix import Matrix, matrices
from summetry.metaeval.nulls import A_LEAD, A_LENGTH, NullValues
from summetry.metaeval.rankings import CompareSettings, PairPower, Ranking, Standing
from summetry.metaeval.selection import Selection
from summetry.records.scores import Column
from summetry.reports.labels import Box, room
from summetry.reports.pictures.agreement import agreement_picture
from summetry.reports.pictures.by_topic import topics_picture
from summetry.reports.pictures.distribution import distribution_picture
from summetry.reports.pictures.drawing import Axis, fold, name_at
from summetry.reports.pictures.power import power_picture
from summetry.reports.pictures.scatter import null_pictures, scatter_picture
from summetry.stats.power import CorpusPower

UP = Column("up")
DOWN = Column("js_divergence", signature="js_divergence|v:0")
VALUES = {"a": {"t1": 0.9, "t2": 0.7}, "b": {"t1": 0.5, "t2": 0.3}, "c": {"t1": 0.2, "t2": 0.4}}
THREE = scored(VALUES, (UP,))
MARKS = {"a": 5.0, "b": 3.0, "c": 1.0}


def points_of(svg):
    across, up = reader(svg, "x"), reader(svg, "y")
    return [(across(one.get("cx")), up(one.get("cy"))) for one in of_class(svg, "point")]


def test_points_are_where_their_judgments_and_means_are_with_the_line_of_least_squares(snapshot):
    picture = scatter_picture(judged_of(THREE, MARKS), UP)
    points = points_of(picture.svg)
    assert points == [pytest.approx(one) for one in ((5.0, 0.8), (3.0, 0.4), (1.0, 0.3))]
    # Judgments 1 to 5 are drawn from 56 to 500, so 3 is in the middle.
    assert [float(one.get("cx")) for one in of_class(picture.svg, "point")] == [500, 278, 56]
    # By hand: deviations 0.3, -0.1, -0.2 and 2, 0, -2; r = 1 / sqrt(0.14 * 8) = 0.94.
    assert in_words(picture) == snapshot
    across, up = reader(picture.svg, "x"), reader(picture.svg, "y")
    (fit,) = of_class(picture.svg, "fit")
    for end in "12":
        x, y = across(fit.get(f"x{end}")), up(fit.get(f"y{end}"))
        # The slope is 1 / 8, the means are 3 and 0.5; places have one digit.
        assert y == pytest.approx(0.5 + (x - 3) / 8, abs=0.002)


@pytest.mark.parametrize(
    ("names", "is_slanted"),
    [(["1", "2", "3"], False), ([f"topic {k} of many" for k in range(12)], True)],
)
def test_names_of_topics_are_slanted_only_where_they_need_to_be(names, is_slanted):
    picture = topics_picture(grid_of(generated(["a", "b"], names, (UP,))), UP)
    assert ("rotate" in picture.svg) == is_slanted
    assert {"1", "2", "3"} <= set(words(picture.svg)) or is_slanted
    # One system is not compared with the mean of all.
    assert "mean of all systems" in picture.caption
    alone = topics_picture(grid_of(generated(["a"], names, (UP,))), UP)
    assert "mean of all systems" not in alone.caption


def test_null_judges_stand_beside_a_metric_if_their_values_are_known():
    judged = judged_of(THREE, MARKS)
    assert null_pictures(judged) == ()
    words = NullValues("number of words", np.array([[90.0, 110.0], [60.0, 60.0], [50.0, 30.0]]))
    shares = NullValues("words shared", np.array([[0.5, 0.7], [0.2, 0.2], [1.0, 0.8]]))
    nulls = {A_LENGTH: words, A_LEAD: shares}
    length, lead = null_pictures(replace(judged, nulls=nulls))
    assert [y for _, y in points_of(length.svg)] == pytest.approx([100, 60, 40], abs=0.02)
    assert length.title == "length (number of words) against quality"
    assert [y for _, y in points_of(lead.svg)] == pytest.approx([0.6, 0.2, 0.9], abs=0.002)
    assert lead.title == "lead overlap against quality"


def test_of_many_systems_some_are_named_whose_names_do_not_cover_each_other(many_pictures):
    names = [f"s{k}" for k in range(30)]
    table = generated(names, ["t1", "t2"], (UP,))
    judged = judged_of(table, {name: 1 + k % 5 + k / 100 for k, name in enumerate(names)})

    def scatter_names(picture):
        return [word for word in words(picture.svg) if re.fullmatch(r"s\d+", word)]

    asked = scatter_names(scatter_picture(judged, UP))
    assert 3 <= len(asked) <= 15
    other = next(name for name in names if name not in asked)
    assert other in scatter_names(scatter_picture(judged, UP, [other]))
    points = of_class(scatter_picture(judged, UP).svg, "point")
    assert {one.find("title").text.split(":")[0] for one in points} == set(names)
    boxes = []
    for one in parsed(many_pictures["judges"].svg).iter("text"):
        if one.get("class") == "name":
            width, x, y = room(one.text), float(one.get("x")), float(one.get("y"))
            left = x - {"start": 0.0, "middle": width / 2, "end": width}[one.get("text-anchor")]
            boxes.append(Box(left, y - 13, left + width, y + 3))
    assert len(boxes) > 5
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[k + 1 :])


def test_every_value_of_a_system_is_a_dot_and_the_median_a_line(snapshot):
    values = {"a": {"t1": 0.1, "t2": 0.5, "t3": 0.4}, "b": {"t1": 0.2, "t2": 0.2, "t3": 0.3}}
    picture = distribution_picture(grid_of(scored(values, (UP,))), UP)
    titles = [one.find("title").text for one in of_class(picture.svg, "each")]
    assert titles[:3] == ["t1: 0.100", "t3: 0.400", "t2: 0.500"]
    # Of equal values one stands above the other.
    assert len({(one.get("cx"), one.get("cy")) for one in of_class(picture.svg, "each")}) == 6
    # The quartiles of a are 0.25, 0.4 and 0.45.
    assert in_words(picture, with_marks=True) == snapshot


@pytest.mark.parametrize("topics", [3, 41, 300])
def test_dots_of_any_number_of_topics_are_all_there_and_stay_in_their_row(topics):
    table = generated(["a", "b", "c"], [f"t{k}" for k in range(topics)], (UP,))
    svg = distribution_picture(grid_of(table), UP).svg
    value = reader(svg, "x")
    if topics > 40:
        rows = [dots_of(path) for path in of_class(svg, "dots")]
    else:
        each = [(float(o.get("cx")), float(o.get("cy"))) for o in of_class(svg, "each")]
        rows = [each[k : k + topics] for k in (0, topics, 2 * topics)]
    data = grid_of(table).values[0]
    order = np.argsort(-data.mean(axis=1), kind="stable")
    for place, (row, system) in enumerate(zip(rows, order, strict=True)):
        # A place has one digit, and so a number is known as well as the axis is long.
        assert [value(x) for x, _ in row] == pytest.approx(sorted(data[system]), abs=2e-4)
        assert all(8 + 40 * place <= y <= 8 + 40 * (place + 1) for _, y in row)


def test_topics_go_from_the_easiest_to_the_hardest_by_the_direction_of_the_metric(snapshot):
    topics = ("hard", "easy", "so-so")
    values = {"a": (0.3, 1.0, 0.6), "b": (0.1, 0.4, 0.6)}
    table = scored({s: dict(zip(topics, v, strict=True)) for s, v in values.items()}, (UP,))
    picture = topics_picture(grid_of(table), UP)
    assert in_words(picture) == snapshot
    circles = of_class(picture.svg, "each")
    titles = "easy: 1.00, so-so: 0.60, hard: 0.30, easy: 0.40, so-so: 0.60, hard: 0.10"
    assert ", ".join(one.find("title").text for one in circles) == titles
    # The first strip goes from 0.1, the lowest number, at 62, to 1.0 at 10.
    heights = [float(one.get("cy")) for one in circles[:3]]
    assert heights == pytest.approx([10, 33.1, 50.4], abs=0.06)
    kinds = [one.get("class").split()[1] for one in circles]
    assert kinds == ["plus", "plus", "plus", "minus", "plus", "minus"]
    # A topic that a system lacks has no dot.
    table = scored({"a": {"t1": 0.9, "t2": 0.2}, "b": {"t1": 0.7}}, (UP,))
    assert len(of_class(topics_picture(grid_of(table), UP).svg, "each")) == 3
    # Where lower is better the easiest topic has the lowest values.
    table = scored({"a": {"hard": 0.9, "easy": 0.2}, "b": {"hard": 0.7, "easy": 0.3}}, (DOWN,))
    picture = topics_picture(grid_of(table), DOWN)
    assert [row[0] for row in picture.sheet.rows] == ["easy", "hard"]
    circles = of_class(picture.svg, "each")
    # The better system comes first: b has the lower mean.
    assert [one.find("title").text for one in circles[:2]] == ["easy: 0.300", "hard: 0.700"]
    assert [one.get("class").split()[1] for one in circles] == ["minus", "plus", "plus", "minus"]


def test_agreement_has_every_coefficient_and_says_of_how_many_systems_it_is(snapshot):
    values = np.array([[1.0, 0.72, -0.31], [0.72, 1.0, np.nan], [-0.31, np.nan, 1.0]])
    matrix = Matrix("no_models", "", "system", "pearson", (UP, Column("other"), DOWN), values, 6, 9)
    picture = agreement_picture(matrix)
    assert in_words(picture) == snapshot
    boxes = [one.get("class") for one in parsed(picture.svg).iter("rect")]
    assert boxes[:3] == ["no-heat", "heat-4", "heat-2 minus"]
    # Of a metric that only some systems have.
    both = (UP, Column("other"))
    values = {name: {"t": (k / 20, k if k < 3 else np.nan)} for k, name in enumerate("abcdefghij")}
    table = scored(values, both)
    how = CorrelateSettings(("system",), ("pearson",))
    (matrix,) = matrices([table], Selection(all_values=True), how)
    caption = agreement_picture(matrix).caption
    assert "10 systems (other: 3), 1 topic" in caption and "uncertain" not in caption
    few = replace(matrix, systems=9, systems_of=())
    assert "Of so few systems a coefficient is uncertain." in agreement_picture(few).caption
    judged = judged_of(table, {name: float(k) for k, name in enumerate(values)})
    few = "Only 3 of 10 systems have a value and a judgment."
    assert scatter_picture(judged, both[1]).caption.endswith(few)
    assert "Only" not in scatter_picture(judged, UP).caption


def ranking_with(*powers):
    rest = (34, 0, "a", 0.1, None)
    both = tuple(Standing(n, "candidate", m, m, m, *rest) for n, m in (("a", 2.0), ("b", 1.0)))
    settings = CompareSettings(test="t")
    return Ranking(UP, "higher", "no_models", settings, 34, both, (), "a", False, (), powers)


def test_topics_that_can_show_something_have_a_point_on_the_curve_and_else_the_caption_says_so(
    snapshot,
):
    """Three topics cannot be significant by signs: 2 of 8 is above 0.05."""
    ranking = ranking_with(PairPower(1, 0.05, CorpusPower(3, 1.0, 1.0, 3.26, 3.26, 1, 0)))
    assert power_picture(ranking).caption.endswith("points: the 3 topics here.")
    exact = power_picture(replace(ranking, settings=CompareSettings()))
    assert not of_class(exact.svg, "point")
    assert exact.caption.endswith("; the 3 topics here can show none.")
    # Without two topics there is no curve.
    assert power_picture(ranking_with()) is None
    # 9 topics cannot be significant in one of 15 exact tests: 15 * 2 / 512 is above 0.05.
    power = CorpusPower(9, 0.05, 0.05, 0.05, 0.05, 15, 0)
    ranking = ranking_with(PairPower(1, 0.05, power), PairPower(15, 0.05 / 15, power))
    picture = power_picture(replace(ranking, settings=CompareSettings()))
    assert len(of_class(picture.svg, "point")) == 1
    assert in_words(picture) == snapshot


def test_the_curve_passes_through_what_the_topics_can_show():
    # G*Power: 34 pairs see d = 0.495 with power 0.8 at alpha 0.05, and about 8 need d = 1.16.
    power = CorpusPower(34, 1.0, 1.0, 0.4950, 0.4950, 1, 0)
    svg = power_picture(ranking_with(PairPower(1, 0.05, power))).svg
    up = reader(svg, "y")
    (point,), curve = of_class(svg, "point"), of_class(svg, "curve")[0]
    assert up(point.get("cy")) == pytest.approx(0.495, abs=0.002)
    at = {float(x): up(y) for x, y in (one.split(",") for one in curve.get("points").split())}
    assert at[float(point.get("cx"))] == pytest.approx(0.495, abs=0.002)
    assert [*at.values()] == sorted(at.values(), reverse=True)
    # The axis of topics is read by powers.
    axis = [one for one in of_class(svg, "axis") if one.get("text-anchor") == "middle"]
    ticks = {one.text: float(one.get("x")) for one in axis}
    share = (float(point.get("cx")) - ticks["20"]) / (ticks["50"] - ticks["20"])
    assert share == pytest.approx(np.log(34 / 20) / np.log(50 / 20), abs=0.002)


@pytest.mark.parametrize("numbers, low, high", [
    ([0.1, 0.43], 0, 0.5), ([-2, 3], -2, 3), ([98, 100], 98, 100), ([5], 0, 8), ([], 0, 1),
    ([0, 0], 0, 1), ([1e-9, 4e-9], 0, 4e-9), ([float("inf"), 2, 4], 0, 4),
])  # fmt: skip
def test_an_axis_covers_its_numbers_and_ends_at_round_ones(numbers, low, high):
    axis = Axis.over(numbers, 0, 100)
    assert axis.low <= low + 1e-12 and axis.high >= high * (1 - 1e-9) - 1e-12
    assert len(axis.ticks) <= 9
    assert len({axis.label(tick) for tick in axis.ticks}) == len(axis.ticks)
    assert [axis.at(axis.low), axis.at(axis.high)] == pytest.approx([0, 100])


def test_what_is_long_or_cut_in_a_name_is_under_the_pointer():
    lines = fold("a" * 100, 75, 2)
    assert lines == ["a" * 10, "a" * 9 + "…"] or len(lines) == 2
    drawn = name_at("a" * 100, lines, 0, 50)
    assert f"<title>{'a' * 100}</title>" in drawn
    assert "<title>" not in name_at("two words", fold("two words", 45), 0, 50)
    long = "system-" * 20
    values = {long: {"t1": 0.8}, "b": {"t1": 0.5}, "c": {"t1": 0.3}}
    svg = scatter_picture(judged_of(scored(values, (UP,)), {long: 5.0, "b": 3.0, "c": 1.0}), UP).svg
    assert any(word.startswith("system-") and word.endswith("…") for word in words(svg))
    titles = [one.find("title").text for one in of_class(svg, "point")]
    assert titles[0] == f"{long}: 0.800, judged 5.00"
