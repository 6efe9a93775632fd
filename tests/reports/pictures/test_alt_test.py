"""A judge beside null judges and against annotators: numbers read back by the axis."""

import math

import pytest
from drawings import of_class, parsed, reader, words
from judge_tables import ALT_TEST

from summetry.formats.judge_tables import AltTestTables, JudgeRow, Table
from summetry.reports.pictures.alt_test import annotators_picture, null_judges_picture

# Places have one digit behind the point, and about 200 of them are 1 here.
NEAR = {"abs": 1e-3}


def circles(svg):
    return [(one.get("class"), one.get("cx")) for one in parsed(svg).iter("circle")]


def test_every_judge_stands_at_its_advantage_and_the_hollow_ones_were_not_beaten():
    svg = null_judges_picture(ALT_TEST).svg
    value = reader(svg, "x")
    kinds, places = zip(*circles(svg), strict=True)
    assert kinds == ("dot", "unclear", "dot", "below")
    assert [value(place) for place in places] == pytest.approx([0.85, 0.4, 0.3, 0.9], **NEAR)
    drawn = words(svg)
    assert [drawn.index(name) for name in ("a", "a + b")] == sorted(
        drawn.index(name) for name in ("a", "a + b")
    )
    # The winning rates.
    assert [word for word in drawn if word in ("1.00", "0.50", "0.00")] == [
        "1.00", "0.50", "0.00", "1.00"
    ]  # fmt: skip


def test_every_tested_annotator_stands_at_the_lead_beside_epsilon():
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
    assert {"−0.30", "0.65", "ann"} <= set(words(svg)) and "bob" not in words(svg)


def test_words_and_tables_say_the_same():
    beside, against = null_judges_picture(ALT_TEST), annotators_picture(ALT_TEST)
    assert beside.title == "llm beside null judges"
    assert against.title == "llm against each annotator"
    assert "a: llm: advantage 0.850, winning rate 1.00; (constant): advantage 0.400, winning " in (
        beside.description
    )
    assert "0.450 behind the judge, p = .001, beaten" in beside.description
    # No p with one topic.
    assert "−0.600 behind the judge, not beaten." in beside.description
    assert "ann: ahead by −0.300, corrected p = .010, the judge wins" in against.description
    assert "epsilon = 0.1" in against.caption
    assert beside.sheet.rows[1] == ("llm", "a", "(constant)", 0.5, 0.4, 0.45, 0.001, "yes")
    assert beside.sheet.notes == ("a note",)
    columns = [heading.name for heading in against.sheet.headings]
    untested = dict(zip(columns, against.sheet.rows[1], strict=True))
    assert untested["annotator"] == "bob" and math.isnan(untested["ahead"])


def test_several_judges_have_their_names_in_headings():
    two = JudgeRow("hasty", "a", "hasty", 0.0, 0.2, None, None, None)
    tables = AltTestTables(
        ALT_TEST.settings, (), Table((*ALT_TEST.judges.rows, two), ""), ALT_TEST.annotators
    )
    picture = null_judges_picture(tables)
    assert picture.title == "Judges beside null judges"
    assert {"llm, a", "llm, a + b", "hasty, a"} <= set(words(picture.svg))


def test_a_phone_shows_them_whole():
    assert not null_judges_picture(ALT_TEST).is_wide and not annotators_picture(ALT_TEST).is_wide
