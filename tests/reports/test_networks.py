"""Networks for people: the table of arcs, and pictures that are well-formed and readable."""

from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from summetry.errors import SummetryError
from summetry.metrics.networks.network import merge
from summetry.metrics.networks.sum_accy import sum_accy
from summetry.reports.networks import MOST_UNITS, network_svg, print_arcs
from summetry.reports.tables import console

SVG = "{http://www.w3.org/2000/svg}"
WORDS = ("The", "beautiful", "cherry", "blossoms", "in", "Japan", "bloom", "in", "spring")
LABELS = dict(enumerate(WORDS))
TABLE = [[0, 2, 3, 4, 5], [2, 3, 4, 5, 6], [1, 2, 6, 7, 8], [1, 2, 3, 7, 8], [0, 1, 2, 3, 6]]


def drawn(picture):
    root = ElementTree.fromstring(picture)
    texts = list(root.iter(f"{SVG}text"))
    boxes = [e for e in root.iter(f"{SVG}rect") if e.get("class")]
    return {
        "labels": [t.text for t in texts if not t.get("class")],
        "counts": sorted(int(t.text) for t in texts if t.get("class") == "n"),
        "places": [(float(t.get("x")), float(t.get("y"))) for t in texts if t.get("class") == "n"],
        "key": [t.text for t in texts if (t.get("class") or "").startswith("k")],
        "arcs": [e.get("class") for e in root.iter(f"{SVG}path") if e.get("class")],
        "boxes": [(float(b.get("x")), float(b.get("x")) + float(b.get("width"))) for b in boxes],
        "size": (float(root.get("width")), float(root.get("height"))),
        "titles": [e.text for e in root.iter(f"{SVG}title")],
    }


def test_the_papers_figure_has_every_word_arc_and_count_and_two_paths_are_coloured():
    result = drawn(network_svg(merge(TABLE), LABELS))
    assert result["labels"] == ["<s>", *LABELS.values(), "</s>"]
    assert result["counts"] == sorted([2, 2, 1, 1, 1, 3, 4, 1, 2, 1, 1, 2, 1, 1, 2, 1, 2, 2])
    assert result["arcs"] == ["a"] * 18
    assert result["key"] == []
    result = drawn(network_svg(merge(TABLE), LABELS, (2, 3, 6, 7, 8), (1, 2, 3, 4, 5)))
    marks = [names.removeprefix("a").strip() for names in result["arcs"]]
    # Six arcs each; cherry-blossoms is on both.
    assert (marks.count("target"), marks.count("best"), marks.count("both")) == (5, 5, 1)
    assert len(result["key"]) == 3
    only = drawn(network_svg(merge(TABLE), LABELS, best=(1, 2, 3, 4, 5)))
    assert only["key"] == ["the most reliable path"]


@pytest.mark.parametrize("seed", range(5))
def test_nothing_lies_on_anything_else(seed):
    random = Random(seed)
    people = [sorted(random.sample(range(20), random.randint(1, 12))) for _ in range(8)]
    network = merge(people)
    result = drawn(network_svg(network, {unit: "x" * random.randint(1, 18) for unit in range(20)}))
    wide, high = result["size"]
    assert all(0 < x < wide and 0 < y < high for x, y in result["places"])
    assert len(result["places"]) == len(network.arcs())
    places = result["places"]
    near = [(a, b) for a in places for b in places if a < b and abs(a[1] - b[1]) < 10]
    assert all(abs(a[0] - b[0]) > 16 for a, b in near)
    ends = [end for box in result["boxes"] for end in box]
    assert ends == sorted(ends)


def test_a_picture_is_the_same_each_time_safe_for_any_label_and_has_texts_as_tooltips():
    labels = {0: "<&>", 1: "line\none", 2: "\x01", 3: "北京市海淀区"}
    once, again = (network_svg(merge([[0, 1], [2, 3]]), labels) for _ in range(2))
    assert once == again
    assert drawn(once)["labels"] == ["<s>", "<&>", "line one", "�", "北京市海淀区", "</s>"]
    sentence = "The ferry struck the pier at Port Tarrow."
    result = drawn(network_svg(merge([[4]]), {4: sentence}))
    assert sentence in result["titles"]
    for labels in (result["labels"], drawn(network_svg(merge([[4]]), {}))["labels"]):
        assert labels == ["<s>", "4", "</s>"]


def test_a_large_network_is_not_drawn():
    with pytest.raises(SummetryError, match=f"at most {MOST_UNITS} units, this network has 61"):
        network_svg(merge([range(61)]), {})
    assert len(drawn(network_svg(merge([range(60)]), {}))["counts"]) == 61


def test_the_table_has_the_arcs_in_source_order(capsys):
    print_arcs(console(), merge([[0, 2], [2]]), {0: "a", 2: "c"})
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines == ["from to people", "<s> 0 a 1", "<s> 2 c 1", "0 a 2 c 1", "2 c </s> 2"]


def test_the_picture_on_the_page_is_made_by_this_code():
    page = Path(__file__).parents[2] / "docs" / "metrics" / "networks.svg"
    result = sum_accy([2, 3, 6, 7, 8], TABLE)
    picture = network_svg(merge(TABLE), LABELS, result.target, result.best_path)
    assert page.read_text(encoding="utf-8") == picture
