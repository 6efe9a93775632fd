"""Graphs for people: the table of edges, and pictures that are well-formed."""

import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from summetry.errors import SummetryError
from summetry.metrics.graphs.ngram_graphs import ngram_graphs
from summetry.reports.graphs import MOST_VERTICES, graph_svg, print_edges, strongest
from summetry.reports.tables import console

SVG = "{http://www.w3.org/2000/svg}"


def drawn(text):
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
    result = drawn(picture)
    assert (result["vertices"], result["lines"], result["loops"]) == (3, 3, 1)
    assert sorted(result["labels"]) == ["1", "2", "2", "2", "ana", "ban", "nan"]
    page = Path(__file__).parents[2] / "docs" / "metrics" / "ngram_graphs.svg"
    assert page.read_text(encoding="utf-8") == picture
    (graph,) = ngram_graphs(["abab"], n=1, window=1, directed=True)
    picture = graph_svg(strongest(graph), graph.vertices, directed=True)
    assert picture.count("marker-end") == 2 and drawn(picture)["lines"] == 2


def test_a_picture_is_the_same_each_time_and_safe_for_any_text():
    (graph,) = ngram_graphs(["<&> \n\x01😀"], n=2, window=2)
    once, again = (graph_svg(strongest(graph), graph.vertices) for _ in range(2))
    assert once == again
    assert {"<&", "&>", ">␣", "␣↵", "↵\\u0001", "\\u0001😀"} <= set(drawn(once)["labels"])


def test_a_graph_without_edges_is_its_vertices_and_a_large_one_is_not_drawn():
    (graph,) = ngram_graphs(["abc"])
    assert drawn(graph_svg([], graph.vertices))["labels"] == ["abc"]
    assert drawn(graph_svg([]))["vertices"] == 0
    (graph,) = ngram_graphs(["".join(map(chr, range(97, 200)))])
    with pytest.raises(SummetryError, match=f"at most {MOST_VERTICES} vertices, this graph has"):
        graph_svg(strongest(graph))
    assert drawn(graph_svg(strongest(graph, 10)))["lines"] == 10


def ellipses(root):
    sides = ("cx", "cy", "rx", "ry")
    return [tuple(float(e.get(side)) for side in sides) for e in root.iter(f"{SVG}ellipse")]


def is_inside(x, y, ellipse):
    cx, cy, rx, ry = ellipse
    return ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 < 0.99


LABELS = [
    "abcdefghijklmnopqqqq",
    "a river flooded the old quarter of the town and the river flooded the hall hall hall",
]


@pytest.mark.parametrize("text", ["raw", "auto"])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(("written", "n"), [(LABELS[0], 3), (LABELS[1], 1), (LABELS[1], 2)])
def test_no_vertex_hides_a_weight_or_an_arrow_or_another_vertex(written, n, text, directed):
    (graph,) = ngram_graphs([written], n=n, window=3, directed=directed, text=text)
    root = ElementTree.fromstring(graph_svg(strongest(graph, 30), None, directed))
    side = float(root.get("width"))
    vertices = ellipses(root)
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
