"""Judges, their biases, and how they do beside annotators: numbers read back by the axis."""

from itertools import pairwise

import pytest
from drawings import in_words, of_class, parsed
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


def test_the_line_of_a_fair_judge_stands_beside_the_biases_that_have_one():
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


def test_long_names_do_not_cover_each_other():
    names = [f"a-system-with-a-very-long-name-{k}-that-is-folded" for k in range(3)]
    numbers = (4, 8, 8, 0, 0, 0, 0, 3.0, 2.0, 4.0, 3.0, 3.0)
    rows = tuple(JudgedSystem("d", name, *numbers) for name in names)
    (picture,) = judged_pictures(JudgeTables("m", {}, points=Table(rows, "")))
    lines = [one for one in parsed(picture.svg).iter("text") if not one.get("class")]
    at = sorted(float(one.get("y")) for one in lines if one.get("text-anchor") == "start")
    assert len(at) > 3 and all(below - above >= 16 for above, below in pairwise(at))


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
def test_a_picture_says_and_shows(picture, snapshot):
    assert in_words(picture, with_marks=True) == snapshot
