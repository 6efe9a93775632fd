"""Estimates with two intervals a system: numbers read back by the axis."""

from dataclasses import replace

import pytest
from drawings import of_class, reader, words

from summetry.metaeval.estimates import EstimateSettings, EstimateTable, Saved
from summetry.records.scores import Column
from summetry.reports.labels import room
from summetry.reports.pictures.estimates import estimates_picture, saved_picture
from summetry.stats.estimate import Alone, Estimate, Mean, Rank

# Places have one digit behind the point, and 100 of them are 1 here.
NEAR = {"abs": 1e-3}

BEST = Mean(
    1, 20, 100, 0, (0.4,), (0.1,), 4.2, (1.5,), 18, 0.1, 4.0, 4.5, False,
    Alone(4.1, 0.2, 3.7, 4.6), 0.3,
)  # fmt: skip
NEXT = BEST._replace(
    system=0, estimate=3.0, low=2.5, high=3.25, thin=True, alone=Alone(3.2, 0.2, 2.4, 3.7)
)
UNKNOWN = Mean(2, 2, 100, 0, (0.3,), (0.0,))
FOUND = Estimate(
    (NEXT, BEST, UNKNOWN), (), (Rank(0, 2, 2, 2), Rank(1, 1, 1, 1)), 0.3, 0.2, 0.95, "topics",
    None, 0.8,
)  # fmt: skip
TABLE = EstimateTable(
    "no_models", "coherence", ("second", "first", "unknown"), 100, 1,
    (Column("rouge-1", "recall"),), FOUND, (Saved("rouge-1.recall", 0.3, 0.2, False),),
)  # fmt: skip


def test_the_picture_has_both_intervals_of_every_system_that_has_an_estimate():
    picture = estimates_picture(TABLE, EstimateSettings())
    value = reader(picture.svg, "x")
    dots = [value(dot.get("cx")) for dot in of_class(picture.svg, "dot")]
    assert dots == pytest.approx([4.2, 3.0], **NEAR)
    alone = [value(dot.get("cx")) for dot in of_class(picture.svg, "unclear")]
    assert alone == pytest.approx([4.1, 3.2], **NEAR)
    for name, wanted in (
        ("whisker", [(4.0, 4.5), (2.5, 3.25)]),
        ("stem", [(3.7, 4.6), (2.4, 3.7)]),
    ):
        lines = of_class(picture.svg, name)
        ends = [(value(one.get("x1")), value(one.get("x2"))) for one in lines]
        assert ends == [pytest.approx(pair, **NEAR) for pair in wanted]
    assert {"1", "first", "4.20", "2", "second", "3.00"} <= set(words(picture.svg))
    assert "unknown" not in words(picture.svg)


def test_headings_have_room_where_letters_are_larger():
    """On a phone letters of a small picture are 17 units high; names here are short."""
    short = replace(TABLE, systems=("b", "a", "c"))
    picture = estimates_picture(short, EstimateSettings())
    places = {one.text: float(one.get("x")) for one in of_class(picture.svg, "axis")}
    wide = 17 / 13
    assert places["System"] + wide * room("System") < places["Mean"] - wide * room("Mean")
    # It is shown whole, and not moved sideways.
    assert not picture.is_wide


def test_words_and_table_say_the_same():
    picture = estimates_picture(TABLE, EstimateSettings(alpha=0.1))
    assert picture.title == "Systems by coherence, 20 of 100 topics judged"
    assert "first: 4.20 (4.00 to 4.50), judgments alone 4.10 (3.70 to 4.60)" in picture.description
    assert "second: 3.00 (2.50 to 3.25), judgments alone 3.20 (2.40 to 3.70), thin" in (
        picture.description
    )
    assert "90% intervals" in picture.caption and "rouge-1.recall" in picture.caption
    assert picture.sheet.rows[0] == ("first", 20, 4.2, 4.0, 4.5, 4.1, 3.7, 4.6)


def test_what_is_saved_stands_at_its_share_for_means_and_for_differences():
    nulls = (Saved("(length alone)", 0.05, -0.1, True), Saved("(constant)", 0.0, 0.0, True))
    picture = saved_picture(replace(TABLE, saved=(*TABLE.saved, *nulls)))
    value = reader(picture.svg, "x")
    for name, wanted in (("dot", [0.3, 0.05, 0.0]), ("unclear", [0.2, -0.1, 0.0])):
        found = [value(one.get("cx")) for one in of_class(picture.svg, name)]
        assert found == pytest.approx(wanted, abs=1e-3)
    assert {"rouge-1.recall", "(length alone)", "(constant)"} <= set(words(picture.svg))
