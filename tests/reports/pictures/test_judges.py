"""Judges, their biases, and how they do beside annotators: numbers read back by the axis."""

import re
from functools import partial
from itertools import pairwise

import pytest
from drawings import in_words, number, of_class, parsed, reader
from judge_tables import ALT_TEST, PAIRS, POINTS

from summetry.errors import SummetryError
from summetry.formats.judge_tables import (
    AltTestTables,
    JudgedSystem,
    JudgeRow,
    JudgeTables,
    MeasuredBias,
    Table,
)
from summetry.reports.pictures.alt_test import annotators_picture, null_judges_picture
from summetry.reports.pictures.judges import biases_picture, judged_pictures

# Places have one digit behind the point, and about 100 of them are 1 here.
NEAR = {"abs": 2e-3}


def panels(svg):
    """Of each axis: where its rows end, and from a place to a number by its ticks."""
    rows = {}
    for one in of_class(svg, "axis"):
        if re.fullmatch(r"−?\d+(\.\d+)?", one.text or "") and one.get("text-anchor") == "middle":
            rows.setdefault(float(one.get("y")), {})[float(one.get("x"))] = number(one.text)
    found = []
    for y, ticks in sorted(rows.items()):
        (a, low), *_, (b, high) = sorted(ticks.items())
        found.append((y, partial(_number_at, a, b, low, high)))
    return found


def _number_at(a, b, low, high, x):
    return low + (x - a) / (b - a) * (high - low)


def values(svg, kind, *names):
    """The numbers at which elements of a kind stand, each by the axis below it."""
    every = panels(svg)
    for one in of_class(svg, kind):
        y = float(one.get("cy") or one.get("y1"))
        value = next(read for bottom, read in every if y < bottom)
        yield tuple(value(float(one.get(name))) for name in names)


def test_every_bias_has_its_dot_and_interval_beside_the_line_of_a_fair_judge():
    svg = biases_picture([POINTS, PAIRS]).svg
    # In shares: first wins, flips, called equal, equal marks; then Spearman, and a difference.
    dots = [0.7, 0.3, 0.1, 0.6, -0.5, 0.4]
    lines = [(0.6, 0.8), (0.1, 0.5), (0.0, 0.2), (0.4, 0.7), (-0.75, 0.25), (0.3, 1.2)]
    assert len(panels(svg)) == 3
    assert [x for (x,) in values(svg, "dot", "cx")] == pytest.approx(dots, **NEAR)
    ends = list(values(svg, "whisker", "x1", "x2"))
    assert ends == [pytest.approx(pair, **NEAR) for pair in lines]
    # A judge is fair at one half, steady at 0 and 1, blind to length at 0; of ties nothing is fair.
    fair = [x for (x,) in values(svg, "fit", "x1")]
    assert sorted(fair) == pytest.approx([0.0, 0.0, 0.0, 0.5, 1.0], **NEAR)
    svg = biases_picture([PAIRS]).svg
    ends = [(float(one.get("y1")), float(one.get("y2"))) for one in of_class(svg, "fit")]
    heights = [float(one.get("cy")) for one in of_class(svg, "dot")]
    beside = [sum(top < y < end for top, end in ends) for y in heights]
    # First wins, flips, and ties, which have none.
    assert beside == [1, 1, 0] and len(ends) == 2


def test_without_a_bias_there_is_no_picture_and_a_bias_that_nobody_knows_is_refused():
    none = MeasuredBias("d", "mark and length", None, None, None, 3)
    strange = MeasuredBias("d", "first winz", 0.5, 0.4, 0.6, 3)
    without, unknown = (JudgeTables("m", {}, biases=Table((b,), "")) for b in (none, strange))
    assert biases_picture([without]) is None
    with pytest.raises(SummetryError, match="no bias is named 'first winz'"):
        biases_picture([unknown])


def test_what_is_missing_is_bounded_and_counted_and_else_there_are_no_bounds():
    (picture,) = judged_pictures(POINTS)
    svg = picture.svg
    assert [x for (x,) in values(svg, "dot", "cx")] == pytest.approx([4.5, 2.0], abs=0.01)
    whiskers = list(values(svg, "whisker", "x1", "x2"))
    assert whiskers == [pytest.approx(pair, abs=0.01) for pair in ((4.25, 4.75), (1.5, 2.25))]
    # Nothing of bob is missing.
    bounds = list(values(svg, "bounds", "x1", "x2"))
    assert bounds == [pytest.approx(pair, abs=0.01) for pair in ((4.0, 4.625), (1.0, 5.0))]
    (picture,) = judged_pictures(PAIRS)
    assert of_class(picture.svg, "bounds") == []


def test_long_names_do_not_cover_each_other():
    names = [f"a-system-with-a-very-long-name-{k}-that-is-folded" for k in range(3)]
    numbers = (4, 8, 8, 0, 0, 0, 0, 3.0, 2.0, 4.0, 3.0, 3.0)
    rows = tuple(JudgedSystem("d", name, *numbers) for name in names)
    (picture,) = judged_pictures(JudgeTables("m", {}, points=Table(rows, "")))
    lines = [one for one in parsed(picture.svg).iter("text") if not one.get("class")]
    at = sorted(float(one.get("y")) for one in lines if one.get("text-anchor") == "start")
    assert len(at) > 3 and all(below - above >= 16 for above, below in pairwise(at))


def circles(svg):
    return [(one.get("class"), one.get("cx")) for one in parsed(svg).iter("circle")]


def test_judges_and_annotators_stand_at_advantages_and_leads_hollow_if_not_beaten():
    svg = null_judges_picture(ALT_TEST).svg
    value = reader(svg, "x")
    kinds, places = zip(*circles(svg), strict=True)
    assert kinds == ("dot", "unclear", "dot", "below")
    assert [value(place) for place in places] == pytest.approx([0.85, 0.4, 0.3, 0.9], **NEAR)
    # Every tested annotator stands at the lead, beside epsilon.
    svg = annotators_picture(ALT_TEST).svg
    value = reader(svg, "x")
    kinds, places = zip(*circles(svg), strict=True)
    # The judge wins at -0.3, and does not at 0.65.
    assert kinds == ("dot", "below")
    assert [value(place) for place in places] == pytest.approx([-0.3, 0.65], **NEAR)
    limits = of_class(svg, "fit")
    assert len(limits) == 2
    for one in limits:
        assert [value(one.get(end)) for end in ("x1", "x2")] == pytest.approx([0.1] * 2, **NEAR)


HASTY = JudgeRow("hasty", "a", "hasty", 0.0, 0.2, None, None, None)
SEVERAL_JUDGES = AltTestTables(
    ALT_TEST.settings, (), Table((*ALT_TEST.judges.rows, HASTY), ""), ALT_TEST.annotators
)
QWEN = JudgeTables("qwen", {"mark": 1}, biases=PAIRS.biases)


# What is undefined is in tables alone; rows and headings name judges where there are several.
@pytest.mark.parametrize("picture", [
    biases_picture([POINTS, PAIRS]), biases_picture([PAIRS, QWEN]),
    *judged_pictures(POINTS), *judged_pictures(PAIRS),
    null_judges_picture(ALT_TEST), null_judges_picture(SEVERAL_JUDGES),
    annotators_picture(ALT_TEST),
], ids=[
    "biases", "biases of two", "marks", "pairs", "null judges", "two judges", "annotators",
])  # fmt: skip
def test_a_picture_says(picture, snapshot):
    assert in_words(picture) == snapshot
