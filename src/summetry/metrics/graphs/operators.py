"""Sets of edges with weights: update, merge, intersect and their kin.

    update(A, B, l)      common edges w_A + (w_B - w_A) l, all others as they are (eq. 2)
    merge, union         update with l = 1/2, with l = 0
    intersect            common edges, (w_A + w_B) / 2
    inverse_intersect    edges of one of both, as they are
    all_not_in           edges of A that B does not have

Equation 2 does not say what an edge of B alone weighs: its own weight, as in JInsect since 2015;
``new`` is the weight that it has instead (1 in older versions).

Source: Giannakopoulos and Karkaletsis (2010), section 3.4; JInsect.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, get_args

from summetry.arguments import check_choice
from summetry.errors import SummetryError
from summetry.metrics.graphs.proximity import Ends, Graph

Merging: TypeAlias = Literal["update", "ones", "mean"]


def update(left: Graph, right: Graph, factor: float = 0.5, new: float | None = None) -> Graph:
    """``left`` moved towards ``right`` by the learning factor, 0 to 1 (eq. 2)."""
    if not 0 <= factor <= 1:
        raise SummetryError(f"a learning factor is from 0 to 1, got {factor}")
    if new is not None and new <= 0:
        raise SummetryError(f"the weight of a new edge must be above 0, got {new}")
    check_directions(left, right)
    edges = dict(left.edges)
    for ends, weight in right.edges.items():
        if ends in edges:
            edges[ends] += (weight - edges[ends]) * factor
        else:
            edges[ends] = weight if new is None else new
    return Graph(edges, _all_vertices(left, right), left.directed)


def merge(left: Graph, right: Graph) -> Graph:
    """All edges, common ones with their mean weight."""
    return update(left, right, 0.5)


def union(left: Graph, right: Graph) -> Graph:
    """All edges, common ones with the weight that they have in ``left``."""
    return update(left, right, 0.0)


def intersect(left: Graph, right: Graph) -> Graph:
    """Common edges with their mean weight, and the vertices that they join."""
    check_directions(left, right)
    edges = {e: (w + right.edges[e]) / 2 for e, w in left.edges.items() if e in right.edges}
    return Graph(edges, tuple(dict.fromkeys(end for e in edges for end in e)), left.directed)


def inverse_intersect(left: Graph, right: Graph) -> Graph:
    """Edges that one of both has, and all vertices."""
    edges = {**all_not_in(left, right).edges, **all_not_in(right, left).edges}
    return Graph(edges, _all_vertices(left, right), left.directed)


def all_not_in(left: Graph, right: Graph) -> Graph:
    """Edges of ``left`` that ``right`` does not have, and all vertices of ``left``."""
    check_directions(left, right)
    edges = {ends: weight for ends, weight in left.edges.items() if ends not in right.edges}
    return Graph(edges, left.vertices, left.directed)


def merged(graphs: Sequence[Graph], merging: Merging = "update") -> Graph:
    """All graphs as one: the first, updated with the i-th by the factor 1/i.

    ``ones`` lets edges that the i-th adds come in with weight 1. ``mean`` is the plain mean,
    with 0 for a missing edge: the one way that knows no order and lets rare edges fade.
    """
    check_choice("merging", merging, get_args(Merging))
    if not graphs:
        return Graph({}, ())
    if merging == "mean":
        return _mean(graphs)
    together, *others = graphs
    for count, graph in enumerate(others, 2):
        together = update(together, graph, 1 / count, 1.0 if merging == "ones" else None)
    return together


def _mean(graphs: Sequence[Graph]) -> Graph:
    total: dict[Ends, float] = {}
    for graph in graphs:
        check_directions(graphs[0], graph)
        for ends, weight in graph.edges.items():
            total[ends] = total.get(ends, 0.0) + weight
    edges = {ends: weight / len(graphs) for ends, weight in total.items()}
    return Graph(edges, _all_vertices(*graphs), graphs[0].directed)


def check_directions(left: Graph, right: Graph) -> None:
    """Refuse two graphs of which one has directions and the other does not."""
    if left.directed != right.directed:
        raise SummetryError("a graph with directions is compared and combined only with its like")


def _all_vertices(*graphs: Graph) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(vertex for graph in graphs for vertex in graph.vertices))
