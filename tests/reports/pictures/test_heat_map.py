"""Systems by metrics, and metrics by perturbations: tints by hand, signs, and what is missing."""

from xml.etree import ElementTree

import pytest
from drawings import words
from pictured import judged_of, scored

from summetry.metaeval.correlation_tables import CorrelateSettings
from summetry.metaeval.correlations import correlate_parts
from summetry.metaeval.grids import grid_of
from summetry.records.scores import Column
from summetry.reports.pictures.audits import audit_picture
from summetry.reports.pictures.css import chart_style, variables
from summetry.reports.pictures.heat_map import heat_map, heat_picture, heat_table

COLUMNS = (
    Column("up"), Column("js_divergence", signature="js_divergence|v:0"),
    Column("words", signature="compression|v:0"),
)  # fmt: skip
NAN = float("nan")
TABLE = scored({
    "c": {"t1": (0.0, 0.9, 7.0), "t2": (0.2, 0.7, 7.0)},
    "a": {"t1": (0.5, 0.5, 9.0), "t2": (0.7, 0.3, 9.0)},
    "b": {"t1": (0.3, NAN, 8.0), "t2": (0.5, NAN, 8.0)},
    "d": {"t1": (0.2, 0.3, 8.0), "t2": (0.3, 0.3, 8.0)},
}, COLUMNS)  # fmt: skip
# Means: up 0.1, 0.6, 0.4, 0.25; divergence 0.8, 0.4, none, 0.3.
MARKS = {"c": 1.0, "a": 5.0, "b": 4.0, "d": 2.0}


@pytest.fixture(scope="module")
def heat():
    judged = judged_of(TABLE, MARKS)
    table = correlate_parts([judged], CorrelateSettings(tests=False)).tables[0]
    return heat_map(grid_of(TABLE), (), judged, table)


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


def test_the_table_and_the_picture_mark_the_best_and_say_of_how_many_a_coefficient_is(heat):
    table = ElementTree.fromstring(heat_table(heat).replace("&nbsp;", ""))
    rows = table.findall(".//tr")[-5:]
    first, second, third, _, foot = [["".join(cell.itertext()) for cell in row] for row in rows]
    assert first == ["a", "5.00 best", "0.600 best", "0.400", "9.00"]
    assert second[3] == "– no value" and third[3] == "0.300 best"
    assert [row[2].get("data-heat") for row in rows[:4]] == ["5", "3", "2", "0"]
    means = [float(row[2].get("data-value")) for row in rows[:4]]
    assert means == pytest.approx([0.6, 0.4, 0.25, 0.1])
    assert rows[0][4].get("data-heat") is None
    # The order by `up` is that of the judges; of the divergence three systems have values.
    assert [one.follows_of for one in heat.columns] == ["", "", "3 systems", ""]
    assert heat.columns[1].follows == pytest.approx(1.0)
    assert table.find(".//tfoot/tr") is rows[4]
    assert foot[:4] == ["Kendall tau-b with the judges", "", "1.00", "−0.333 systems"]
    # The picture has the same words and tints.
    svg = heat_picture(heat).svg
    shown = words(svg)
    assert {"• 0.600", "0.400", "0.250", "0.100", "• 0.300", "–", "lower is better"} <= set(shown)
    assert shown.count("–") == 1
    tints = [one.get("class") for one in ElementTree.fromstring(svg).iter("rect")]
    # A level of 0 has no tint: judges 5, 4, 1 and 0 of 5; then those of the test above.
    assert tints == ["heat-5", "heat-4", "heat-1", "heat-5", "heat-3", "heat-2", "heat-4", "heat-5"]


def test_systems_come_in_the_order_that_is_asked_for_and_equal_means_have_no_best():
    assert heat_map(grid_of(TABLE), systems=["d", "a", "c", "b"]).systems == ("d", "a", "c", "b")
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
    drawn = words(picture.svg)
    shares = {"? 0.50", "0.62", "1.00", "! 0.10"}
    assert {"rouge-1", "memog", "word salad", "lead"} | shares <= set(drawn)
    assert drawn.count("–") == 3
    assert picture.name == "audit"
    assert picture.sheet.rows[1][:2] == ("rouge-2", 1.0)
    assert "word salad: rouge-1 0.50, rouge-2 1.00" in picture.description
    assert "Red with !: the interval is below 0.5" in picture.caption
    assert "with ?: the interval contains 0.5, so it may be chance" in picture.caption
    # In files, light and dark.
    light, dark = chart_style().split("@media", 1)
    assert ".chart .mistaken" in light and variables()["--bad-tint"] in light
    assert ".chart .mistaken" in dark and variables(is_dark=True)["--bad-tint"] in dark
