"""Graphs for people: the table of edges, and pictures that are well-formed."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from summetry.errors import SummetryError
from summetry.metrics.ngram_graphs import ngram_graphs
from summetry.reports.graphs import MOST_VERTICES, edge_table, graph_svg, strongest
from summetry.reports.tables import console

SVG = "{http://www.w3.org/2000/svg}"


def drawn(text):
    root = ElementTree.fromstring(text)
    labels = [e.text for e in root.iter(f"{SVG}text")]
    return {
        "vertices": len(list(root.iter(f"{SVG}ellipse"))),
        "lines": len([e for e in root.iter(f"{SVG}path") if e.get("class") == "e"]),
        "loops": len(list(root.iter(f"{SVG}circle"))),
        "labels": labels,
    }


def test_the_heaviest_edges_come_first_and_equal_ones_in_their_order():
    (graph,) = ngram_graphs(["banana"])
    assert strongest(graph, 2) == [("ana", "ana", 2.0), ("ana", "ban", 2.0)]
    assert len(strongest(graph)) == 4


def test_a_table_shows_blanks(capsys):
    (graph,) = ngram_graphs(["a b\n"])
    console().print(edge_table(strongest(graph)))
    lines = [line.split("  ") for line in capsys.readouterr().out.splitlines()]
    assert [cell.strip() for cell in lines[1] if cell.strip()] == ["' b\\n'", "'a b'", "1"]


def test_a_picture_has_every_vertex_edge_and_weight():
    (graph,) = ngram_graphs(["banana"])
    found = drawn(graph_svg(strongest(graph), graph.vertices()))
    assert (found["vertices"], found["lines"], found["loops"]) == (3, 3, 1)
    assert sorted(found["labels"]) == ["1", "2", "2", "2", "ana", "ban", "nan"]


def test_a_picture_is_the_same_each_time_and_safe_for_any_text():
    (graph,) = ngram_graphs(["<&> \n\x01😀"], n=2, window=2)
    once, again = (graph_svg(strongest(graph), graph.vertices()) for _ in range(2))
    assert once == again
    assert {"<&", "&>", ">␣", "␣↵", "↵\\u0001", "\\u0001😀"} <= set(drawn(once)["labels"])


def test_arrows_run_both_ways_in_a_directed_picture():
    (graph,) = ngram_graphs(["abab"], n=1, window=1, directed=True)
    picture = graph_svg(strongest(graph), graph.vertices(), directed=True)
    assert picture.count("marker-end") == 2 and drawn(picture)["lines"] == 2


def test_a_graph_without_edges_is_its_vertices():
    (graph,) = ngram_graphs(["abc"])
    assert drawn(graph_svg([], graph.vertices()))["labels"] == ["abc"]
    assert drawn(graph_svg([]))["vertices"] == 0


def test_a_large_graph_is_not_drawn():
    (graph,) = ngram_graphs(["".join(map(chr, range(97, 200)))])
    with pytest.raises(SummetryError, match=f"at most {MOST_VERTICES} vertices, this graph has"):
        graph_svg(strongest(graph))
    assert drawn(graph_svg(strongest(graph, 10)))["lines"] == 10


def test_the_picture_on_the_page_is_the_one_that_is_drawn():
    (graph,) = ngram_graphs(["banana"])
    page = Path(__file__).parents[2] / "docs" / "metrics" / "ngram_graphs.svg"
    assert page.read_text(encoding="utf-8") == graph_svg(strongest(graph), graph.vertices())
