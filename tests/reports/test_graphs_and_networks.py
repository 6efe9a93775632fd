"""Graphs and networks for people: the table of edges or arcs, and pictures that can be read."""

import re
from itertools import combinations
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from summetry.errors import SummetryError
from summetry.metrics.graphs.ngram_graphs import ngram_graphs
from summetry.metrics.networks.network import merge
from summetry.metrics.networks.sum_accy import sum_accy
from summetry.reports.graphs import MOST_VERTICES, graph_svg, print_edges, strongest
from summetry.reports.networks import MOST_UNITS, network_svg, print_arcs
from summetry.reports.tables import console

SVG = "{http://www.w3.org/2000/svg}"


def graph_parts(text):
    root = ElementTree.fromstring(text)
    return {
        "vertices": len(list(root.iter(f"{SVG}ellipse"))),
        "lines": len([e for e in root.iter(f"{SVG}path") if e.get("class") == "e"]),
        "loops": len(list(root.iter(f"{SVG}circle"))),
        "labels": [e.text for e in root.iter(f"{SVG}text")],
    }


BANANA = ngram_graphs(["banana"])[0]


def test_the_heaviest_edges_come_first_and_a_table_shows_blanks(capsys):
    assert strongest(BANANA, 2) == [("ana", "ana", 2.0), ("ana", "ban", 2.0)]
    assert len(strongest(BANANA)) == 4
    (graph,) = ngram_graphs(["a b\n"])
    print_edges(console(), strongest(graph))
    lines = [line.split("  ") for line in capsys.readouterr().out.splitlines()]
    assert [cell.strip() for cell in lines[1] if cell.strip()] == ["' b\\n'", "'a b'", "1"]


def test_a_picture_has_every_vertex_edge_and_weight_and_arrows_where_it_is_directed():
    picture = graph_svg(strongest(BANANA), BANANA.vertices)
    result = graph_parts(picture)
    assert (result["vertices"], result["lines"], result["loops"]) == (3, 3, 1)
    assert sorted(result["labels"]) == ["1", "2", "2", "2", "ana", "ban", "nan"]
    assert (DOCS / "ngram_graphs.svg").read_text(encoding="utf-8") == picture
    (graph,) = ngram_graphs(["abab"], n=1, window=1, directed=True)
    picture = graph_svg(strongest(graph), graph.vertices, directed=True)
    assert picture.count("marker-end") == 2 and graph_parts(picture)["lines"] == 2


def test_a_picture_of_a_graph_is_the_same_each_time_for_any_text_and_not_drawn_if_large():
    (graph,) = ngram_graphs(["<&> \n\x01😀"], n=2, window=2)
    once, again = (graph_svg(strongest(graph), graph.vertices) for _ in range(2))
    assert once == again
    assert {"<&", "&>", ">␣", "␣↵", "↵\\u0001", "\\u0001😀"} <= set(graph_parts(once)["labels"])
    (graph,) = ngram_graphs(["abc"])
    assert graph_parts(graph_svg([], graph.vertices))["labels"] == ["abc"]
    assert graph_parts(graph_svg([]))["vertices"] == 0
    (graph,) = ngram_graphs(["".join(map(chr, range(97, 200)))])
    with pytest.raises(SummetryError, match=f"at most {MOST_VERTICES} vertices, this graph has"):
        graph_svg(strongest(graph))
    assert graph_parts(graph_svg(strongest(graph, 10)))["lines"] == 10


def is_inside(x, y, ellipse):
    cx, cy, rx, ry = ellipse
    return ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 < 0.99


WRITTEN = [
    "abcdefghijklmnopqqqq",
    "a river flooded the old quarter of the town and the river flooded the hall hall hall",
]


@pytest.mark.parametrize("text", ["raw", "auto"])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(("written", "n"), [(WRITTEN[0], 3), (WRITTEN[1], 1), (WRITTEN[1], 2)])
def test_no_vertex_hides_a_weight_or_an_arrow_or_another_vertex(written, n, text, directed):
    (graph,) = ngram_graphs([written], n=n, window=3, directed=directed, text=text)
    root = ElementTree.fromstring(graph_svg(strongest(graph, 30), None, directed))
    side = float(root.get("width"))
    sides = ("cx", "cy", "rx", "ry")
    vertices = [tuple(float(e.get(s)) for s in sides) for e in root.iter(f"{SVG}ellipse")]
    for x, y, rx, ry in vertices:
        assert rx <= x <= side - rx and ry <= y <= side - ry
    for one, other in combinations(vertices, 2):
        assert abs(one[0] - other[0]) > one[2] + other[2] or abs(one[1] - other[1]) > 2 * one[3]
    points = [(e.get("x"), e.get("y")) for e in root.iter(f"{SVG}text") if e.get("class") == "w"]
    if directed:
        lines = [e.get("d") for e in root.iter(f"{SVG}path") if e.get("class") == "e"]
        points += [re.split("[ L]", line)[-2:] for line in lines]
    for x, y in points:
        assert not any(is_inside(float(x), float(y), vertex) for vertex in vertices)


WORDS = ("The", "beautiful", "cherry", "blossoms", "in", "Japan", "bloom", "in", "spring")
LABELS = dict(enumerate(WORDS))
DOCS = Path(__file__).parents[2] / "docs" / "metrics"
TABLE = [[0, 2, 3, 4, 5], [2, 3, 4, 5, 6], [1, 2, 6, 7, 8], [1, 2, 3, 7, 8], [0, 1, 2, 3, 6]]


def network_parts(picture):
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


def test_the_papers_figure_has_every_word_arc_and_count_and_is_that_on_the_page():
    result = network_parts(network_svg(merge(TABLE), LABELS))
    assert result["labels"] == ["<s>", *LABELS.values(), "</s>"]
    assert result["counts"] == sorted([2, 2, 1, 1, 1, 3, 4, 1, 2, 1, 1, 2, 1, 1, 2, 1, 2, 2])
    assert result["arcs"] == ["a"] * 18
    assert result["key"] == []
    result = network_parts(network_svg(merge(TABLE), LABELS, (2, 3, 6, 7, 8), (1, 2, 3, 4, 5)))
    marks = [names.removeprefix("a").strip() for names in result["arcs"]]
    # Six arcs each; cherry-blossoms is on both.
    assert (marks.count("target"), marks.count("best"), marks.count("both")) == (5, 5, 1)
    assert len(result["key"]) == 3
    only = network_parts(network_svg(merge(TABLE), LABELS, best=(1, 2, 3, 4, 5)))
    assert only["key"] == ["the most reliable path"]
    result = sum_accy([2, 3, 6, 7, 8], TABLE)
    picture = network_svg(merge(TABLE), LABELS, result.target, result.best_path)
    assert (DOCS / "networks.svg").read_text(encoding="utf-8") == picture


@pytest.mark.parametrize("seed", range(5))
def test_nothing_lies_on_anything_else(seed):
    random = Random(seed)
    people = [sorted(random.sample(range(20), random.randint(1, 12))) for _ in range(8)]
    network = merge(people)
    labels = {unit: "x" * random.randint(1, 18) for unit in range(20)}
    result = network_parts(network_svg(network, labels))
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
    assert network_parts(once)["labels"] == ["<s>", "<&>", "line one", "�", "北京市海淀区", "</s>"]
    sentence = "The ferry struck the pier at Port Tarrow."
    result = network_parts(network_svg(merge([[4]]), {4: sentence}))
    assert sentence in result["titles"]
    for labels in (result["labels"], network_parts(network_svg(merge([[4]]), {}))["labels"]):
        assert labels == ["<s>", "4", "</s>"]


def test_the_table_of_arcs_is_in_source_order_and_a_large_network_is_not_drawn(capsys):
    with pytest.raises(SummetryError, match=f"at most {MOST_UNITS} units, this network has 61"):
        network_svg(merge([range(61)]), {})
    assert len(network_parts(network_svg(merge([range(60)]), {}))["counts"]) == 61
    print_arcs(console(), merge([[0, 2], [2]]), {0: "a", 2: "c"})
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines == ["from to people", "<s> 0 a 1", "<s> 2 c 1", "0 a 2 c 1", "2 c </s> 2"]
