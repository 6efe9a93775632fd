"""The heat map of an audit: what is tinted, what is not, and what is missing."""

from xml.etree import ElementTree

import pytest
from drawings import words

from summetry.reports.pictures.audits import audit_picture
from summetry.reports.pictures.css import chart_style, variables

RECORDS = [
    {"metric": "rouge-1", "perturbation": "word_salad", "share": 0.5, "seen": "no"},
    {"metric": "rouge-1", "perturbation": "lead", "share": 0.625, "seen": ""},
    {"metric": "rouge-2", "perturbation": "word_salad", "share": 1.0, "seen": "yes"},
    {"metric": "memog", "perturbation": "word_salad", "share": 0.555, "seen": "yes"},
    {"metric": "memog", "perturbation": "lead", "share": None, "seen": ""},
    {"metric": "cosine", "perturbation": "word_salad", "share": 0.1, "seen": "reversed"},
]


@pytest.fixture(scope="module")
def picture():
    return audit_picture(RECORDS)


def test_what_is_seen_has_a_tint_and_what_is_mistaken_another(picture):
    root = ElementTree.fromstring(picture.svg)
    tints = [e.get("class") for e in root.iter() if e.tag.endswith("rect")]
    # 2 * 1.0 - 1 is all of five steps; 2 * 0.555 - 1 is 0.11, which begins the first.
    assert sorted(tints) == ["heat-1", "heat-5", "mistaken"]


def test_every_share_has_two_digits_and_what_is_missing_a_dash(picture):
    drawn = words(picture.svg)
    for word in ("rouge-1", "memog", "word salad", "lead", "? 0.50", "0.62", "1.00", "! 0.10"):
        assert word in drawn
    assert drawn.count("–") == 3


def test_the_numbers_are_a_sheet_and_the_description_names_them(picture):
    assert picture.name == "audit"
    assert picture.sheet.rows[1][:2] == ("rouge-2", 1.0)
    assert "word salad: rouge-1 0.50, rouge-2 1.00" in picture.description
    assert "Red with !: the interval is below 0.5" in picture.caption
    assert "with ?: the interval contains 0.5, so it may be chance" in picture.caption


def test_the_tint_of_a_mistake_is_drawn_in_files_light_and_dark():
    light, dark = chart_style().split("@media", 1)
    assert ".chart .mistaken" in light and variables()["--bad-tint"] in light
    assert ".chart .mistaken" in dark and variables(is_dark=True)["--bad-tint"] in dark
