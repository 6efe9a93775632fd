"""Graphs for people: their edges as a table, and a small one as a picture (SVG)."""

from __future__ import annotations

import cmath
import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

from rich.console import Console

from summetry.errors import SummetryError, counted
from summetry.metrics.graphs.proximity import Graph
from summetry.reports.tables import print_rows

# More than this on a circle cannot be read.
MOST_VERTICES = 40
# So many on a circle and no edge runs behind a vertex that stands between its ends.
MOST_WITH_STRAIGHT_EDGES = 10
# Half the width, at least, and half the height of a vertex.
_WIDE, _HIGH = 22.0, 16.0
_STYLE = (
    "text{font:13px monospace;text-anchor:middle;dominant-baseline:central;fill:#111}"
    ".w{font-size:11px;fill:#a33;paint-order:stroke;stroke:#fff;stroke-width:4px}"
    ".e{fill:none;stroke:#789;stroke-opacity:.7}.v{fill:#eef3f8;stroke:#456}"
)
_ARROW = (
    '<marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" '
    'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="#567"/></marker>'
)

Edge = tuple[str, str, float]

# Colours and dashes tell apart what both of two graphs have, only the first, and only the second.
_BOTH, _FIRST, _SECOND = "both", "first", "second"
_STYLE_OF_TWO = (
    ".both{stroke:#333}.first{stroke:#1769aa}.second{stroke:#c2570c;stroke-dasharray:7 4}"
    "text.key{text-anchor:start}"
)


class SharedEdge(NamedTuple):
    """An edge of two graphs, with its weight in each; 0 in the one that does not have it."""

    source: str
    target: str
    first: float
    second: float

    @property
    def side(self) -> str:
        return _BOTH if self.first and self.second else _FIRST if self.first else _SECOND


def edges_of_two(first: Graph, second: Graph) -> list[SharedEdge]:
    """The edges of two graphs together, the heaviest first."""
    weights = [{(a, b): w for a, b, w in graph.edge_list()} for graph in (first, second)]
    ends = dict.fromkeys([*weights[0], *weights[1]])
    edges = [SharedEdge(*pair, *(known.get(pair, 0.0) for known in weights)) for pair in ends]
    return sorted(edges, key=lambda edge: -max(edge.first, edge.second))


def strongest(graph: Graph, most: int = 0) -> list[Edge]:
    """The edges of a graph, heaviest first and equal ones in their order; 0 means all."""
    return graph.edge_list(heaviest=most or len(graph.edges))


def print_edges(out: Console, edges: Sequence[Edge], directed: bool = False) -> None:
    """Edges with their weights; quotation marks show where blanks are."""
    headings = ["from", "to", "weight"] if directed else ["between", "and", "weight"]
    print_rows(out, headings, [(repr(a), repr(b), f"{weight:g}") for a, b, weight in edges])


def print_edges_of_two(
    out: Console, edges: Sequence[SharedEdge], names: Sequence[str], directed: bool = False
) -> None:
    """Edges with their weights in two graphs, which have these names."""
    ends = ["from", "to"] if directed else ["between", "and"]
    rows = [(repr(a), repr(b), f"{w:g}", f"{v:g}") for a, b, w, v in edges]
    print_rows(out, [*ends, *names], rows)


def graph_svg(
    edges: Sequence[Edge], vertices: Sequence[str] | None = None, directed: bool = False
) -> str:
    """A picture: vertices on a circle, edges thicker where they weigh more.

    ``vertices`` are those that the edges join, unless others are given.
    """
    return _picture(edges, ["e"] * len(edges), [f"{w:g}" for *_, w in edges], vertices, directed)


def svg_of_two(edges: Sequence[SharedEdge], names: Sequence[str], directed: bool = False) -> str:
    """A picture of two graphs together: what both have, what only one has, and whose it is."""
    drawn = [(edge.source, edge.target, max(edge.first, edge.second)) for edge in edges]
    kinds = [f"e {edge.side}" for edge in edges]
    weights = [
        f"{edge.first:g}/{edge.second:g}" if edge.side == _BOTH else f"{w:g}"
        for edge, (_, _, w) in zip(edges, drawn, strict=True)
    ]
    keys = {_BOTH: "both", _FIRST: f"only {names[0]}", _SECOND: f"only {names[1]}"}
    return _picture(drawn, kinds, weights, None, directed, keys)


def _picture(
    edges: Sequence[Edge],
    kinds: Sequence[str],
    weights: Sequence[str],
    vertices: Sequence[str] | None,
    directed: bool,
    keys: Mapping[str, str] | None = None,
) -> str:
    """All edges with the class of each and what is written beside it; ``keys`` name classes."""
    if vertices is None:
        vertices = list(dict.fromkeys(end for a, b, _ in edges for end in (a, b)))
    if len(vertices) > MOST_VERTICES:
        raise SummetryError(
            f"a picture shows at most {MOST_VERTICES} vertices, this graph has {len(vertices)}; "
            f"take a shorter text, or the strongest edges only (--top 20)"
        )
    places = _on_a_circle(vertices)
    side = 2 * _middle(vertices)
    # Below the circle there is a line for each key.
    high = side + 22 * len(keys or ())
    heaviest = max((weight for _, _, weight in edges), default=1.0)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side:g} {high:g}" '
        f'width="{side:g}" height="{high:g}">',
        f"<title>a graph of {counted(len(vertices), 'vertex', 'vertices')} and "
        f"{counted(len(edges), 'edge')}</title>",
        f"<style>{_STYLE}{_STYLE_OF_TWO if keys else ''}</style>{_ARROW}"
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    middle = complex(side / 2, side / 2)
    bent = len(vertices) > MOST_WITH_STRAIGHT_EDGES
    shape = _Shape(directed, middle, bent or bool(keys), directed and bool(keys))
    drawn = [
        _edge(places[a], places[b], (kind, weight), w / heaviest, shape)
        for (a, b, w), kind, weight in zip(edges, kinds, weights, strict=True)
    ]
    lines += [line for line, _ in drawn] + [weight for _, weight in drawn]
    lines += [_vertex(places[vertex], vertex) for vertex in vertices]
    for number, (kind, key) in enumerate((keys or {}).items()):
        y = side - 8 + 22 * number
        lines.append(f'<path class="e {kind}" d="M20 {y:g}L70 {y:g}" stroke-width="3"/>')
        lines.append(f'<text class="key" x="80" y="{y:g}">{escape(key)}</text>')
    return "\n".join([*lines, "</svg>", ""])


class _Shape(NamedTuple):
    """How all edges of a picture are drawn."""

    directed: bool
    middle: complex
    bent: bool
    # Whether the edges of both directions are drawn beside each other.
    apart: bool


class _Vertex(NamedTuple):
    """An ellipse with a label: its centre, the way to it from the middle, half its width.

    Places in the picture are complex numbers, x + yi.
    """

    at: complex
    angle: float
    across: float

    def rim(self, angle: float) -> complex:
        """Where the ellipse ends this way, from its centre."""
        far = 1 / math.hypot(math.cos(angle) / self.across, math.sin(angle) / _HIGH)
        return cmath.rect(far, angle)


def _label(vertex: str) -> str:
    return "".join(_visible(character) for character in vertex)


def _across(vertex: str) -> float:
    """Half the width of an ellipse with this label."""
    return max(_WIDE, 4.5 * len(_label(vertex)) + 5)


def _radius(vertices: Sequence[str]) -> float:
    """So that neighbours on the circle have room for their labels, and for an arrow."""
    widest = max(map(_across, vertices), default=_WIDE)
    return max(90.0, round(len(vertices) * 2 * (widest + _WIDE) / (2 * math.pi)))


def _middle(vertices: Sequence[str]) -> float:
    """Where the middle of the picture is; outside the circle there is room for loops."""
    return _radius(vertices) + max(map(_across, vertices), default=_WIDE) + 48


def _on_a_circle(vertices: Sequence[str]) -> dict[str, _Vertex]:
    """The first on top, the others clockwise."""
    radius, middle = _radius(vertices), _middle(vertices)
    places = {}
    for place, vertex in enumerate(vertices):
        angle = 2 * math.pi * place / len(vertices) - math.pi / 2
        at = complex(middle, middle) + cmath.rect(radius, angle)
        places[vertex] = _Vertex(at, angle, _across(vertex))
    return places


def _edge(
    a: _Vertex, b: _Vertex, drawn: tuple[str, str], share: float, shape: _Shape
) -> tuple[str, str]:
    """The line of an edge of a class, and what is written beside it; ``share`` is its weight
    divided by that of the heaviest one."""
    kind, weight = drawn
    width = f'stroke-width="{1 + 3 * share:.1f}"'
    if a == b:
        loop = a.at + a.rim(a.angle)
        text = loop + cmath.rect(24, a.angle)
        line = f'<circle class="{kind}" cx="{loop.real:.1f}" cy="{loop.imag:.1f}" r="14" {width}/>'
    else:
        # Vertices that stand between two others would hide a straight edge and its weight.
        half = _between(a.at, b.at, 0.5)
        bend = _between(half, shape.middle, 0.35 if shape.bent else 0.0)
        if shape.apart:
            bend = half + 0.18j * (b.at - a.at)
        # An arrow ends where the ellipse of the vertex begins.
        end = b.at + b.rim(cmath.phase(bend - b.at)) if shape.directed else b.at
        course = f"Q{_xy(bend)} {_xy(end)}" if shape.bent else f"L{_xy(end)}"
        arrow = ' marker-end="url(#arrow)"' if shape.directed else ""
        line = f'<path class="{kind}" d="M{_xy(a.at)}{course}" {width}{arrow}/>'
        # Two arrows between the same ends have their weights at different places of the curve.
        far = 0.36 if shape.directed else 0.5
        text = _between(_between(a.at, bend, far), _between(bend, end, far), far)
    return line, f'<text class="w" x="{text.real:.1f}" y="{text.imag:.1f}">{weight}</text>'


def _between(a: complex, b: complex, share: float) -> complex:
    return a + share * (b - a)


def _xy(place: complex) -> str:
    return f"{place.real:.1f} {place.imag:.1f}"


def _vertex(vertex: _Vertex, label: str) -> str:
    x, y = _xy(vertex.at).split()
    return (
        f'<ellipse class="v" cx="{x}" cy="{y}" rx="{vertex.across:g}" ry="{_HIGH:g}"/>'
        f'<text x="{x}" y="{y}">{escape(_label(label))}</text>'
    )


def _visible(character: str) -> str:
    """Blanks, line ends and what no font can show, as something that can be seen."""
    if character == "\n":
        return "↵"
    if character.isspace():
        return "␣"
    return character if character.isprintable() else f"\\u{ord(character):04x}"
