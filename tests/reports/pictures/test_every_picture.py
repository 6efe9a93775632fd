"""What holds for every picture: names are words, the XML is whole, and so is a file of its own."""

import re
import struct
import sys
from xml.etree import ElementTree

import pytest
from drawings import SVG, parsed, words
from pictured import STRANGE, all_pictures, generated

from summetry.errors import SummetryError
from summetry.records.scores import Column
from summetry.reports.pictures.css import chart_style, rules, stylesheet, variables
from summetry.reports.pictures.files import standalone, write_pictures
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


def test_bytes_are_the_same_and_tables_show_strange_names(strange_table, strange_pictures):
    made, pictures = all_pictures(strange_table)
    assert pictures == strange_pictures
    for html in (ranking_table(made.ranking), heat_table(made.heat)):
        root = ElementTree.fromstring(html.replace("&nbsp;", ""))
        names = ["".join(one.itertext()) for one in root.iter("bdi")]
        assert set(SHOWN) <= set(names)


def test_a_wide_picture_is_moved_sideways_and_one_system_is_drawn_without_a_claim(many_pictures):
    assert many_pictures["systems"].is_wide and not many_pictures["power"].is_wide
    region = ElementTree.fromstring(many_pictures["systems"].figure).find("div")
    assert (region.get("class"), region.get("tabindex")) == ("scroll", "0")
    assert region.get("aria-label") == many_pictures["systems"].title
    made, pictures = all_pictures(generated(["alone"], ["t1"], (Column("theirs"),)))
    assert set(pictures) == set(KINDS) - {"power"}
    assert "Group" not in words(made.systems.svg)
    assert "significantly" not in made.systems.caption
    assert "Group" not in ranking_table(made.ranking)


PNG = b"\x89PNG\r\n\x1a\n"


def test_a_stylesheet_is_read_and_every_class_has_a_rule(many_pictures, strange_pictures):
    css = "/* a { */ :root { --a: red; } b, c { color: var(--a) } @media x { d { e: f } }"
    assert [tuple(rule) for rule in rules(css)] == [
        ("", ":root", "--a: red;"), ("", "b, c", "color: var(--a)"), ("@media x", "d", "e: f"),
    ]  # fmt: skip
    assert variables()["--paper"] == "#fbfaf6" and variables(True)["--paper"] == "#17181b"
    assert variables(True)["--s1"] == variables()["--s1"] == "0.25rem"
    style = chart_style()
    assert "var(" not in style and "#1b5a8f" in style
    dark = style[style.index("@media (prefers-color-scheme: dark)") :]
    assert "#8fc2f1" in dark and "#1b5a8f" not in dark
    # Every class that is drawn has a rule.
    selectors = " ".join(rule.selectors for rule in rules(stylesheet()))
    pictures = [*many_pictures.values(), *strange_pictures.values()]
    elements = [one for picture in pictures for one in parsed(picture.svg).iter()]
    drawn = {name for one in elements for name in one.get("class", "").split()}
    # These say what is drawn, and look as what they are beside.
    assert drawn - set(re.findall(r"\.([\w-]+)", selectors)) <= {"all-of", "one"}


@pytest.mark.parametrize("kind", ["systems", "judges", "topics"])
def test_a_file_is_whole_with_title_caption_and_all_that_the_page_shows(strange_pictures, kind):
    picture = strange_pictures[kind]
    root = parsed(standalone(picture))
    assert root.tag == f"{SVG}svg" and root.find(f"{SVG}title").text == picture.title
    texts = ["".join(one.itertext()) for one in root.iter(f"{SVG}text")]
    assert "".join(texts[-3:]).replace(" ", "").endswith(picture.caption[-20:].replace(" ", ""))
    assert len(list(root.iter(f"{SVG}circle"))) == len(list(parsed(picture.svg).iter("circle")))
    assert "http" not in standalone(picture).replace("http://www.w3.org/2000/svg", "")


def test_pictures_are_written_by_their_names(strange_pictures, tmp_path):
    pictures = [strange_pictures["power"], strange_pictures["power"], strange_pictures["systems"]]
    paths = write_pictures(pictures, tmp_path / "new" / "folder")
    assert [path.name for path in paths][::2] == ["power-rouge-1.svg", "systems-rouge-1.svg"]
    assert len(set(paths)) == 3
    assert paths[0].read_text("utf-8") == standalone(pictures[0])


def test_a_png_is_twice_as_large_as_the_picture(many_pictures, tmp_path):
    pytest.importorskip("vl_convert")
    (path,) = write_pictures([many_pictures["power"]], tmp_path, ".png")
    content = path.read_bytes()
    root = parsed(standalone(many_pictures["power"]))
    assert content.startswith(PNG)
    size = [round(2 * float(root.get(side))) for side in ("width", "height")]
    assert [*struct.unpack(">II", content[16:24])] == size


def test_what_cannot_be_written_is_refused_with_what_to_do(many_pictures, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    (tmp_path / "file").write_text("")
    pictures = [many_pictures["power"]]
    for name, ending, message in (
        ("pictures", ".png", "vl-convert-python"),
        ("pictures", ".gif", r"give a name that ends with \.svg or \.png"),
        ("file", ".svg", "expected a folder for pictures, found a file"),
    ):
        with pytest.raises(SummetryError, match=message):
            write_pictures(pictures, tmp_path / name, ending)
    assert not (tmp_path / "pictures").exists()
    # What needs no package is written.
    assert write_pictures(pictures, tmp_path / "pictures")
