"""``summetry graph``: the n-gram graph of a text, as a table or as a picture."""

from __future__ import annotations

from typing import Annotated

import typer

from summetry.cli._inputs import read_input
from summetry.cli._options import JsonOption, LanguageOption, PictureOption, argument, flag, option
from summetry.cli._output import check_picture, print_json
from summetry.errors import SummetryError, counted
from summetry.files import write_whole
from summetry.metrics.graphs.ngram_graphs import ngram_graphs
from summetry.metrics.graphs.proximity import EdgeWeights, Graphs
from summetry.reports.graphs import graph_svg, print_edges, strongest
from summetry.reports.tables import console


def graph(
    file: Annotated[str, argument("FILE", "A text file, or - for stdin.")],
    n: Annotated[int, option("N", "How many characters (or words) long.", "-n", "--n")] = 3,
    window: Annotated[int, option("N", "How far apart n-grams may stand.")] = 3,
    directed: Annotated[
        bool, flag("--directed", "From the later to the earlier n-gram only.")
    ] = False,
    weights: Annotated[
        EdgeWeights, typer.Option(help="How often two n-grams meet, or how far apart they are.")
    ] = "occurrences",
    text: Annotated[
        str, option("PIPELINE", "What n-grams are made of: raw, or auto for words.")
    ] = "raw",
    top: Annotated[int, option("N", "Show the N heaviest edges; 0 shows all.")] = 20,
    output: PictureOption = None,
    as_json: JsonOption = False,
    language: LanguageOption = "",
) -> None:
    """Show the n-gram graph of a text, as a table or a picture.

    \b
    Example:
        summetry graph summary.txt -n 3 --window 3 -o graph.svg
    """
    if top < 0:
        raise SummetryError(f"--top must be 0 or more, got {top}")
    check_picture(output, "graph", file)
    (text_graph,) = ngram_graphs([read_input(file)], n, window, directed, weights, text, language)
    edges = strongest(text_graph, top)
    if output is not None:
        # All vertices where all edges are shown, else those that the shown edges join.
        vertices = text_graph.vertices() if len(edges) == text_graph.lengths[0] else None
        write_whole(output, graph_svg(edges, vertices, directed))
    if as_json:
        print_json(_as_json(text_graph))
        return
    out = console()
    vertices_in_words = counted(len(text_graph.vertices()), "vertex", "vertices")
    out.print(f"{vertices_in_words}, |G| = {text_graph.sizes[0]:,.0f}", style="bold")
    if not edges:
        out.print(f"no edges: the text has fewer than {n + 1} characters (or words)")
        return
    print_edges(out, edges, directed)
    hidden = int(text_graph.lengths[0]) - len(edges)
    if hidden:
        out.print(f"... and {hidden:,} more (--top 0 shows all)")


def _as_json(text_graph: Graphs) -> dict[str, object]:
    ends = ("source", "target", "weight")
    return {
        "vertices": text_graph.vertices(),
        "size": text_graph.sizes[0],
        "directed": text_graph.edges.directed,
        "edges": [dict(zip(ends, edge, strict=True)) for edge in text_graph.edge_list()],
    }
