"""Graphs for people: their edges as a table, and a small one as a picture (SVG)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from rich.table import Table

from summetry.errors import SummetryError
from summetry.reports.tables import plain_table
from summetry.text.graphs import Graphs

# More than this on a circle cannot be read.
MOST_VERTICES = 40
_VERTEX = 22.0
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


def strongest(graph: Graphs, most: int = 0) -> list[Edge]:
    """The edges of a graph, heaviest first and equal ones in their order; 0 means all."""
    edges = sorted(graph.edge_list(), key=lambda edge: -edge[2])
    return edges[:most] if most else edges


def edge_table(edges: Sequence[Edge], directed: bool = False) -> Table:
    """Edges with their weights; quotation marks show where blanks are."""
    headings = ["from", "to", "weight"] if directed else ["between", "and", "weight"]
    return plain_table(headings, [[repr(a), repr(b), f"{weight:g}"] for a, b, weight in edges])


def graph_svg(
    edges: Sequence[Edge], vertices: Sequence[str] | None = None, directed: bool = False
) -> str:
    """A picture: vertices on a circle, edges thicker where they weigh more.

    ``vertices`` are those that the edges join, unless others are given.
    """
    if vertices is None:
        vertices = list(dict.fromkeys(end for a, b, _ in edges for end in (a, b)))
    if len(vertices) > MOST_VERTICES:
        raise SummetryError(
            f"a picture shows at most {MOST_VERTICES} vertices, this graph has {len(vertices)}; "
            f"take a shorter text or the strongest edges only"
        )
    places = _on_a_circle(vertices)
    side = 2 * (_radius(len(vertices)) + 70)
    heaviest = max((weight for _, _, weight in edges), default=1.0)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side:g} {side:g}" '
        f'width="{side:g}" height="{side:g}">',
        f"<title>a graph of {len(vertices)} vertices and {len(edges)} edges</title>",
        f'<style>{_STYLE}</style>{_ARROW}<rect width="100%" height="100%" fill="#fff"/>',
    ]
    lines += [_line(places[a], places[b], w / heaviest, directed) for a, b, w in edges]
    lines += [_weight(places[a], places[b], w, directed) for a, b, w in edges]
    lines += [_vertex(places[vertex], vertex) for vertex in vertices]
    return "\n".join([*lines, "</svg>", ""])


class _Point(NamedTuple):
    """A place in the picture, and the direction in which it lies from the middle."""

    x: float
    y: float
    angle: float

    def outwards(self, far: float) -> _Point:
        return _Point(
            self.x + far * math.cos(self.angle), self.y + far * math.sin(self.angle), self.angle
        )

    def towards(self, other: _Point, share: float) -> _Point:
        return _Point(
            self.x + share * (other.x - self.x), self.y + share * (other.y - self.y), self.angle
        )


def _radius(vertices: int) -> float:
    """So that neighbours on the circle have room for their labels."""
    return max(90.0, round(vertices * 4 * _VERTEX / (2 * math.pi)))


def _on_a_circle(vertices: Sequence[str]) -> dict[str, _Point]:
    """The first on top, the others clockwise."""
    radius = _radius(len(vertices))
    middle = radius + 70
    found = {}
    for place, vertex in enumerate(vertices):
        angle = 2 * math.pi * place / max(len(vertices), 1) - math.pi / 2
        found[vertex] = _Point(middle, middle, angle).outwards(radius)
    return found


def _line(a: _Point, b: _Point, share: float, directed: bool) -> str:
    width = f'stroke-width="{1 + 3 * share:.1f}"'
    if a == b:
        loop = a.outwards(_VERTEX)
        return f'<circle class="e" cx="{loop.x:.1f}" cy="{loop.y:.1f}" r="14" {width}/>'
    if directed:
        # The arrow ends where the circle of the vertex begins.
        b = a.towards(b, 1 - _VERTEX / math.dist(a[:2], b[:2]))
    arrow = ' marker-end="url(#arrow)"' if directed else ""
    start, end = f"{a.x:.1f} {a.y:.1f}", f"{b.x:.1f} {b.y:.1f}"
    return f'<path class="e" d="M{start}L{end}" {width}{arrow}/>'


def _weight(a: _Point, b: _Point, weight: float, directed: bool) -> str:
    # Two arrows between the same ends have their weights at different places.
    at = a.outwards(_VERTEX + 24) if a == b else a.towards(b, 0.36 if directed else 0.5)
    return f'<text class="w" x="{at.x:.1f}" y="{at.y:.1f}">{weight:g}</text>'


def _vertex(at: _Point, label: str) -> str:
    shown = "".join(_visible(character) for character in label)
    across = max(_VERTEX, 4.5 * len(shown) + 5)
    return (
        f'<ellipse class="v" cx="{at.x:.1f}" cy="{at.y:.1f}" rx="{across:g}" ry="{_VERTEX - 6:g}"/>'
        f'<text x="{at.x:.1f}" y="{at.y:.1f}">{escape(shown)}</text>'
    )


def _visible(character: str) -> str:
    """Blanks, line ends and what no font can show, as something that can be seen."""
    if character == "\n":
        return "↵"
    if character.isspace():
        return "␣"
    return character if character.isprintable() else f"\\u{ord(character):04x}"
