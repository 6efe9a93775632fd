"""What holds for every picture: names are words, the XML is whole, the bytes are the same."""

import re
from xml.etree import ElementTree

import pytest
from drawings import parsed, words
from pictured import STRANGE, all_pictures, generated

from summetry.records.scores import Column
from summetry.reports.pictures.heat_map import heat_table
from summetry.reports.pictures.systems import ranking_table

KINDS = (
    "systems", "metrics", "judges", "agreement", "distribution", "topics", "significance", "power",
)  # fmt: skip
SHOWN = [name.replace("\x00", "�").replace("\x1b", "�") for name in STRANGE]


@pytest.mark.parametrize("kind", ["systems", "metrics", "distribution", "topics", "significance"])
def test_every_system_can_be_read_in_full_somewhere(strange_pictures, kind):
    root = parsed(strange_pictures[kind].svg)
    texts = {"".join("".join(one.itertext()).split()) for one in root.iter()}
    for name in SHOWN:
        whole = "".join(name.split())
        assert any(whole in text for text in texts), name


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_is_whole_and_says_what_it_shows(strange_pictures, many_pictures, kind):
    picture = strange_pictures[kind]
    root = parsed(picture.svg)
    # Strange names are words and nothing else.
    assert {one.tag for one in root.iter()} <= {
        "svg", "title", "desc", "g", "text", "line", "circle", "rect", "path", "polyline"
    }  # fmt: skip
    attributes = {name for one in root.iter() for name in one.attrib}
    assert not attributes & {"style", "id", "href", "onload", "onclick"}
    assert "<script" not in picture.figure and "<script" not in picture.svg
    # No name is drawn outside.
    for picture in (many_pictures[kind], strange_pictures[kind]):
        width, height = picture.size
        for one in parsed(picture.svg).iter("text"):
            assert -0.1 <= float(one.get("x")) <= width and 0 <= float(one.get("y")) <= height
    picture = many_pictures[kind]
    root = parsed(picture.svg)
    assert root.get("role") == "img"
    assert root.find("title").text == picture.title
    assert root.find("desc").text == picture.description
    assert picture.sheet.rows and picture.caption.endswith(".")
    # The numbers that are told are those of the table.
    assert re.search(r"\d", picture.description)
    # Of 25 systems and 100 topics.
    assert len(picture.svg) < 160_000


def test_the_same_results_give_the_same_bytes(strange_table, strange_pictures):
    assert all_pictures(strange_table)[1] == strange_pictures


def test_a_wide_picture_is_moved_sideways_by_pointer_and_keys(many_pictures):
    assert many_pictures["systems"].is_wide and not many_pictures["power"].is_wide
    region = ElementTree.fromstring(many_pictures["systems"].figure).find("div")
    assert (region.get("class"), region.get("tabindex")) == ("scroll", "0")
    assert region.get("aria-label") == many_pictures["systems"].title


def test_tables_show_strange_names_as_they_are(strange_table):
    made, _ = all_pictures(strange_table)
    for html in (ranking_table(made.ranking), heat_table(made.heat)):
        root = ElementTree.fromstring(html.replace("&nbsp;", ""))
        names = ["".join(one.itertext()) for one in root.iter("bdi")]
        assert set(SHOWN) <= set(names)


def test_one_system_and_one_topic_are_drawn_without_a_claim():
    made, pictures = all_pictures(generated(["alone"], ["t1"], (Column("theirs"),)))
    assert set(pictures) == {
        "systems", "metrics", "judges", "agreement", "distribution", "topics", "significance"
    }  # fmt: skip
    assert "Group" not in words(made.systems.svg)
    assert "significantly" not in made.systems.caption
    assert "Group" not in ranking_table(made.ranking)
