"""Systems ranked, estimated and by metrics: places and tints by hand, numbers read back."""

import math
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from drawings import in_words, of_class
from pictured import judged_of, scored

from summetry.metaeval.comparisons import compare_systems
from summetry.metaeval.correlation_tables import CorrelateSettings
from summetry.metaeval.correlations import correlate_parts
from summetry.metaeval.estimates import EstimateSettings, EstimateTable, Saved
from summetry.metaeval.grids import grid_of
from summetry.metaeval.rankings import CompareSettings, PairTest, Ranking, Standing
from summetry.records.scores import Column
from summetry.reports.labels import room
from summetry.reports.pictures.audits import audit_picture
from summetry.reports.pictures.css import chart_style, variables
from summetry.reports.pictures.estimates import estimates_picture, saved_picture
from summetry.reports.pictures.heat_map import heat_map, heat_picture, heat_table
from summetry.reports.pictures.significance import significance_picture
from summetry.reports.pictures.systems import ranking_table, systems_picture
from summetry.stats.estimate import Alone, Estimate, Mean, Rank

BEST = Standing("best", "candidate", 0.4, 0.3, 0.5, 8, 0, "a", 0.2, 5)
LAST = Standing("last", "candidate", 0.2, 0.1, 0.3, 6, 2, "b", math.nan, None)
PAIR = PairTest("best", "last", 6, 0.2, 0.1, 0.3, 0.004, 0.004, 1.0, 1.0, 0.2)
TWO = Ranking(
    Column("rouge-1", "f"), "higher", "no_models", CompareSettings(), 8, (BEST, LAST), (PAIR,),
    "best", False, (PAIR.reversed(),), (),
)  # fmt: skip


def rows_of(ranking):
    return ElementTree.fromstring(ranking_table(ranking)).findall(".//tbody/tr")


def test_places_and_words_of_a_hand_worked_ranking_in_the_table_and_the_picture():
    # The axis goes from 0 to 0.5, so 0.4 is at 80 per cent of it.
    first, second = rows_of(TWO)
    for row, dot, ends in ((first, "80%", ("60%", "100%")), (second, "40%", ("20%", "60%"))):
        (circle,) = row.findall(".//circle")
        (whisker,) = [one for one in row.iter("line") if one.get("class") == "whisker"]
        assert circle.get("cx") == dot
        assert (whisker.get("x1"), whisker.get("x2")) == ends
    head = ElementTree.fromstring(ranking_table(TWO)).find(".//thead")
    ticks = [(one.text, one.get("x")) for one in head.iter("text")]
    assert ticks == [(f"0.{k}", f"{20 * k}%") for k in range(6)]
    first, second = (["".join(cell.itertext()) for cell in row] for row in (first, second))
    assert first == ["1best", "0.400", "", "0.300–0.500", "a", "best"]
    # No line ends within a p.
    test = "worse (p = .004)".replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
    assert second == ["2last6 of 8 topics", "0.200", "", "0.100–0.300", "b", test]


def test_numbers_leave_each_other_room_and_many_topics_are_counted_with_a_comma():
    # From 0.58 to 0.70 by 0.02: seven numbers are too many for the narrowest column.
    best = BEST._replace(mean=0.69, low=0.685, high=0.695)
    last = LAST._replace(mean=0.59, low=0.585, high=0.595)
    table = ElementTree.fromstring(ranking_table(replace(TWO, systems=(best, last))))
    ticks = [one.text for one in table.find(".//thead").iter("text")]
    lines = [one for one in table.find(".//tbody/tr").iter("line") if one.get("class") == "grid"]
    assert ticks == ["0.58", "0.62", "0.66", "0.70"] and len(lines) == 7
    fewer = LAST._replace(topics=1666, missing=1)
    _, row = rows_of(replace(TWO, topics=1667, systems=(BEST, fewer)))
    assert "".join(row[0].itertext()) == "2last1,666 of 1,667 topics"


def test_the_system_that_others_are_compared_with_is_called_what_it_is():
    for better, is_named, word in (("higher", True, "baseline"), ("neither", False, "highest")):
        row, _ = rows_of(replace(TWO, better=better, is_named=is_named))
        assert "".join(row[-1].itertext()) == word


def test_a_system_without_scores_or_with_an_infinite_mean_is_not_drawn():
    nothing = LAST._replace(mean=math.nan, low=math.nan, high=math.nan, topics=0, letters="")
    silent = replace(TWO, systems=(BEST, nothing))
    _, row = rows_of(silent)
    assert [row[k].text for k in (1, 3)] == ["–", "–"] and row.find(".//circle") is None
    assert len(of_class(systems_picture(silent).svg, "dot")) == 1
    far = LAST._replace(mean=math.inf, low=math.nan, high=math.nan)
    _, row = rows_of(replace(TWO, systems=(BEST, far)))
    assert row[1].text == "∞" and row.find(".//circle") is None


def shapes(svg):
    kinds = ("above", "below", "unclear")
    return [one.get("class") for one in of_class(svg) if one.get("class") in kinds]


def test_every_pair_has_a_shape_and_its_p_in_words_by_the_direction_of_the_metric(snapshot):
    # By 8 topics that all say the same the smallest p is 2 / 256, for three pairs 3 times that.
    topics = [f"t{k}" for k in range(8)]
    values = {
        "best": dict.fromkeys(topics, 0.9) | {"t0": 0.8},
        "also": {t: 0.9 + 0.001 * (-1) ** k for k, t in enumerate(topics)} | {"t0": 0.8},
        "last": {t: 0.1 + k / 100 for k, t in enumerate(topics)},
    }
    grid = grid_of(scored(values))
    ranking = compare_systems(grid, grid.columns[0], settings=CompareSettings(draws=100))
    picture = significance_picture(ranking)
    order = [one.system for one in ranking.systems]
    assert order[2] == "last"
    assert shapes(picture.svg) == ["unclear", "above", "unclear", "above", "below", "below"]
    assert in_words(picture) == snapshot
    # Where lower is better the lower system points upwards.
    lower = replace(TWO, better="lower")
    assert shapes(significance_picture(lower).svg) == ["below", "above"]
    assert shapes(significance_picture(TWO).svg) == ["above", "below"]


FIRST = Mean(
    1, 20, 100, 0, (0.4,), (0.1,), 4.2, (1.5,), 18, 0.1, 4.0, 4.5, False,
    Alone(4.1, 0.2, 3.7, 4.6), 0.3,
)  # fmt: skip
ALONE = Alone(3.2, 0.2, 2.4, 3.7)
SECOND = FIRST._replace(system=0, estimate=3.0, low=2.5, high=3.25, thin=True, alone=ALONE)
UNKNOWN = Mean(2, 2, 100, 0, (0.3,), (0.0,))
FOUND = Estimate(
    (SECOND, FIRST, UNKNOWN), (), (Rank(0, 2, 2, 2), Rank(1, 1, 1, 1)), 0.3, 0.2, 0.95, "topics",
    None, 0.8,
)  # fmt: skip
TABLE = EstimateTable(
    "no_models", "coherence", ("second", "first", "unknown"), 100, 1,
    (Column("rouge-1", "recall"),), FOUND, (Saved("rouge-1.recall", 0.3, 0.2, False),),
)  # fmt: skip
NULLS = (Saved("(length alone)", 0.05, -0.1, True), Saved("(constant)", 0.0, 0.0, True))
SAVED = replace(TABLE, saved=(*TABLE.saved, *NULLS))


def test_headings_of_estimates_have_room():
    # On a phone letters of a small picture are 17 units high; names here are short.
    short = replace(TABLE, systems=("b", "a", "c"))
    picture = estimates_picture(short, EstimateSettings())
    places = {one.text: float(one.get("x")) for one in of_class(picture.svg, "axis")}
    wide = 17 / 13
    assert places["System"] + wide * room("System") < places["Mean"] - wide * room("Mean")


COLUMNS = (
    Column("up"), Column("js_divergence", signature="js_divergence|v:0"),
    Column("words", signature="compression|v:0"),
)  # fmt: skip
NAN = float("nan")
SCORES = scored({
    "c": {"t1": (0.0, 0.9, 7.0), "t2": (0.2, 0.7, 7.0)},
    "a": {"t1": (0.5, 0.5, 9.0), "t2": (0.7, 0.3, 9.0)},
    "b": {"t1": (0.3, NAN, 8.0), "t2": (0.5, NAN, 8.0)},
    "d": {"t1": (0.2, 0.3, 8.0), "t2": (0.3, 0.3, 8.0)},
}, COLUMNS)  # fmt: skip
# Means: up 0.1, 0.6, 0.4, 0.25; divergence 0.8, 0.4, none, 0.3.
MARKS = {"c": 1.0, "a": 5.0, "b": 4.0, "d": 2.0}


@pytest.fixture(scope="module")
def heat():
    judged = judged_of(SCORES, MARKS)
    table = correlate_parts([judged], CorrelateSettings(tests=False)).tables[0]
    return heat_map(grid_of(SCORES), (), judged, table)


def test_systems_are_best_first_and_their_tints_five_equal_steps(heat):
    assert heat.systems == ("a", "b", "d", "c")
    judges, up, lower, neither = heat.columns
    assert up.means == pytest.approx((0.6, 0.4, 0.25, 0.1))
    # Shares of the way from 0.1 to 0.6: 1, 0.6, 0.3, 0; fifths of it rounded.
    assert up.levels == (5, 3, 2, 0) and up.best == (True, False, False, False)
    # From 0.8, the worst, to 0.3: 0.4 is 0.8 of the way.
    assert lower.levels == (4, None, 5, 0) and lower.best == (False, False, True, False)
    assert lower.under == "lower is better"
    assert neither.levels == (None,) * 4 and not any(neither.best)
    assert judges.means == (5, 4, 2, 1) and judges.name == "quality"


def test_the_table_and_the_picture_mark_the_best_and_say_of_how_many_a_coefficient_is(
    heat, snapshot
):
    table = ElementTree.fromstring(heat_table(heat).replace("&nbsp;", ""))
    rows = [
        " | ".join(f"{''.join(c.itertext())} {c.get('data-heat', '')}".strip() for c in row)
        for row in table.findall(".//tr")[-5:]
    ]
    assert "\n".join(rows) == snapshot(name="table")
    assert [one.follows_of for one in heat.columns] == ["", "", "3 systems", ""]
    # The picture has the same words and tints.
    picture = heat_picture(heat)
    assert in_words(picture) == snapshot(name="picture")
    tints = [one.get("class") for one in ElementTree.fromstring(picture.svg).iter("rect")]
    # A level of 0 has no tint: judges 5, 4, 1 and 0 of 5; then those of the test above.
    assert tints == ["heat-5", "heat-4", "heat-1", "heat-5", "heat-3", "heat-2", "heat-4", "heat-5"]


def test_systems_come_in_the_order_that_is_asked_for_and_equal_means_have_no_best():
    assert heat_map(grid_of(SCORES), systems=["d", "a", "c", "b"]).systems == ("d", "a", "c", "b")
    same = scored({name: {"t1": 0.5, "t2": 0.5} for name in "ab"})
    (column,) = heat_map(grid_of(same)).columns
    assert column.levels == (0, 0) and column.best == (False, False)


# Metric, perturbation, share of pairs in which it is seen, and whether that is certain.
FIELDS = ("metric", "perturbation", "share", "seen")
RECORDS = [
    dict(zip(FIELDS, cells, strict=True)) for cells in (
        ("rouge-1", "word_salad", 0.5, "no"), ("rouge-1", "lead", 0.625, ""),
        ("rouge-2", "word_salad", 1.0, "yes"), ("memog", "word_salad", 0.555, "yes"),
        ("memog", "lead", None, ""), ("cosine", "word_salad", 0.1, "reversed"),
    )
]  # fmt: skip


def test_what_an_audit_sees_has_a_tint_and_a_share_and_a_mistake_has_another_tint():
    picture = audit_picture(RECORDS)
    root = ElementTree.fromstring(picture.svg)
    tints = [e.get("class") for e in root.iter() if e.tag.endswith("rect")]
    # 2 * 1.0 - 1 is all of five steps; 2 * 0.555 - 1 is 0.11, which begins the first.
    assert sorted(tints) == ["heat-1", "heat-5", "mistaken"]
    # In files, light and dark.
    light, dark = chart_style().split("@media", 1)
    assert ".chart .mistaken" in light and variables()["--bad-tint"] in light
    assert ".chart .mistaken" in dark and variables(is_dark=True)["--bad-tint"] in dark


@pytest.mark.parametrize("picture", [
    systems_picture(TWO), estimates_picture(TABLE, EstimateSettings(alpha=0.1)),
    saved_picture(SAVED),
], ids=["systems", "estimates", "saved"])  # fmt: skip
def test_a_picture_says_and_shows(picture, snapshot):
    assert in_words(picture, with_marks=True) == snapshot


@pytest.mark.parametrize("picture", [
    significance_picture(TWO), audit_picture(RECORDS),
], ids=["significance", "audit"])  # fmt: skip
def test_a_picture_says(picture, snapshot):
    assert in_words(picture) == snapshot
