"""``summetry graph``: n-gram graphs of texts, as a table or as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from summetry.cli._inputs import read_input
from summetry.cli._options import JsonOption, LanguageOption, PictureOption
from summetry.cli._output import echo, echo_written, print_json
from summetry.cli._parameters import argument, choice, flag, option
from summetry.errors import SummetryError, counted
from summetry.metrics.graphs.hpg import Hpg, level_graphs
from summetry.metrics.graphs.ngram_graphs import ngram_graphs
from summetry.metrics.graphs.operators import Merging, merged
from summetry.metrics.graphs.proximity import EdgeWeights, Graph
from summetry.reports.chart_files import check_picture, write_picture
from summetry.reports.graphs import (
    SharedEdge,
    edges_of_two,
    graph_svg,
    print_edges,
    print_edges_of_two,
    strongest,
    svg_of_two,
)
from summetry.reports.tables import console

_N = 3


def graph(
    files: Annotated[
        list[str], argument("FILE", "A text file, or - for stdin; two files are compared.")
    ],
    n: Annotated[
        int | None,
        option("N", f"How many characters (or words) long; {_N}, or {Hpg.n} with --level.", "-n"),
    ] = None,
    window: Annotated[int, option("N", "How far apart n-grams may stand.")] = 3,
    directed: Annotated[
        bool, flag("--directed", "From the later to the earlier n-gram only.")
    ] = False,
    weights: Annotated[
        EdgeWeights, choice("How often two n-grams meet, or how far apart they are.")
    ] = "occurrences",
    merge: Annotated[
        Merging | None, choice("Merge the graphs of all files into one, as memog does.")
    ] = None,
    level: Annotated[
        int | None,
        option("N", "A level of hpg, whose vertices stand for parts of the level below."),
    ] = None,
    text: Annotated[
        str, option("PIPELINE", "What n-grams are made of: raw, or auto for words.")
    ] = "raw",
    top: Annotated[int, option("N", "Show the N heaviest edges; 0 shows all.")] = 20,
    output: PictureOption = None,
    as_json: JsonOption = False,
    language: LanguageOption = "",
) -> None:
    """Show the n-gram graph of a text, as a table or a picture.

    Two files are shown together: what both graphs have and what only one of them has. With
    --merge, the graphs of all files become one; with --level, the graph is that of a level of hpg.

    \b
    Examples:
        summetry graph summary.txt -n 3 --window 3 -o graph.svg
        summetry graph summary.txt reference.txt --level 2 -o two.png
        summetry graph anna.txt bo.txt cecilia.txt --merge update
    """
    if top < 0:
        raise SummetryError(f"--top must be 0 or more, got {top}")
    check_picture(output, "graph", *files)
    _check_files(files, merge, level, directed or weights != "occurrences")
    texts = [read_input(file) for file in files]
    if level is not None:
        graphs = level_graphs(texts, level, n or Hpg.n, window, text=text, language=language)
    else:
        size = _N if n is None else n
        graphs = ngram_graphs(texts, size, window, directed, weights, text, language)
    if merge is not None:
        graphs = [merged(graphs, merge)]
    if len(graphs) == 2:
        _show_two(graphs, files, top, output=output, as_json=as_json)
        return
    (text_graph,) = graphs
    edges = strongest(text_graph, top)
    if output is not None:
        # All vertices where all edges are shown, else those that the shown edges join.
        vertices = text_graph.vertices if len(edges) == len(text_graph.edges) else None
        write_picture(graph_svg(edges, vertices, directed), output)
    if as_json:
        print_json(_as_json(text_graph))
        return
    out = console()
    out.print(_size(text_graph), style="bold")
    if not edges:
        least = 2 * (n or Hpg.n) if level is not None else (n or _N) + 1
        out.print(f"no edges: the text has fewer than {least} characters (or words)")
        echo_written(output)
        return
    print_edges(out, edges, directed)
    _say_hidden(len(text_graph.edges) - len(edges))
    echo_written(output)


def _check_files(
    files: Sequence[str], merge: Merging | None, level: int | None, special: bool
) -> None:
    if files.count("-") > 1:
        raise SummetryError("standard input (-) can be read once; name files")
    if merge is not None and len(files) < 2:
        raise SummetryError("--merge merges the graphs of 2 files or more, got 1 file")
    if merge is None and len(files) > 2:
        raise SummetryError(
            f"one graph is shown, or two together, got {len(files)} files; --merge makes one of all"
        )
    if level is not None and (merge is not None or special):
        raise SummetryError("--level goes without --merge, --directed and --weights: hpg has none")


def _show_two(
    graphs: Sequence[Graph], files: Sequence[str], top: int, *, output: Path | None, as_json: bool
) -> None:
    first, second = graphs
    directed = graphs[0].directed
    every = edges_of_two(first, second)
    edges = every[:top] if top else every
    if output is not None:
        write_picture(svg_of_two(edges, files, directed), output)
    if as_json:
        print_json(_two_as_json(graphs, files, every))
        return
    out = console()
    for name, one in zip(files, graphs, strict=True):
        out.print(f"{name}: {_size(one)}", style="bold")
    common = sum(edge.first > 0 < edge.second for edge in every)
    out.print(f"{counted(common, 'common edge')}, {len(every):,} in all")
    print_edges_of_two(out, edges, files, directed)
    _say_hidden(len(every) - len(edges))
    echo_written(output)


def _size(graph: Graph) -> str:
    vertices = counted(len(graph.vertices), "vertex", "vertices")
    return f"{vertices}, |G| = {graph.size:,.0f}"


def _say_hidden(hidden: int) -> None:
    if hidden:
        echo(f"... and {hidden:,} more (--top 0 shows all)")


def _as_json(text_graph: Graph) -> dict[str, object]:
    ends = ("source", "target", "weight")
    return {
        "vertices": text_graph.vertices,
        "size": text_graph.size,
        "directed": text_graph.directed,
        "edges": [dict(zip(ends, edge, strict=True)) for edge in text_graph.edge_list()],
    }


def _two_as_json(
    graphs: Sequence[Graph], files: Sequence[str], edges: Sequence[SharedEdge]
) -> dict[str, object]:
    return {
        "files": list(files),
        "vertices": [one.vertices for one in graphs],
        "sizes": [one.size for one in graphs],
        "directed": graphs[0].directed,
        "edges": [
            {"source": edge.source, "target": edge.target, "weights": [edge.first, edge.second]}
            for edge in edges
        ],
    }
