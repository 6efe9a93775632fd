"""Networks of references for people: their arcs as a table, and a picture (SVG).

Units stand in a row in source order, so that every arc leads to the right. Arcs between units
run above the row, those from ``<s>`` and to ``</s>`` below it, each with its number of people.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import NamedTuple
from unicodedata import east_asian_width

from rich.console import Console

from summetry.errors import SummetryError, counted
from summetry.metrics.networks.network import Network
from summetry.reports.tables import print_rows

# More than this in a row cannot be read.
MOST_UNITS = 60
# A longer label is left to the tooltip, and the unit shows its number.
_LONGEST = 18
# So that two of them, their numbers and the people fit a line.
_LONGEST_CELL = 28
_LANE, _BOX, _GAP, _EDGE = 24.0, 28.0, 34.0, 16.0
_STYLE = (
    "text{font:14px sans-serif;text-anchor:middle;dominant-baseline:central;fill:#111}"
    ".n{font-size:12px;fill:#333;paint-order:stroke;stroke:#fff;stroke-width:5px}"
    ".a{fill:none;stroke:#8796a5}.target{stroke:#c2560c}.best{stroke:#1d5fbf}.both{stroke:#7b3fa0}"
    ".u{fill:#eef3f8;stroke:#456}.b{fill:#fff;stroke:#999}"
    ".k{text-anchor:start;font-size:12px;stroke:none}"
    "text.target{fill:#c2560c}text.best{fill:#1d5fbf}text.both{fill:#7b3fa0}"
)
_ARROW = (
    '<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
    'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" fill="#567"/></marker>'
)
_KEY = {
    "target": "the path closest to the candidate",
    "best": "the most reliable path",
    "both": "on both paths",
}

Labels = Mapping[int, str]


def print_arcs(out: Console, network: Network, labels: Labels) -> None:
    """Arcs in source order with the number of people who took each."""
    rows = [
        (_named(arc.tail, labels), _named(arc.head, labels), str(arc.people))
        for arc in network.arcs()
    ]
    print_rows(out, ["from", "to", "people"], rows)


def network_svg(
    network: Network,
    labels: Labels,
    target: Sequence[int] = (),
    best: Sequence[int] = (),
) -> str:
    """A picture; ``labels`` has the text of each unit, the arcs of two paths can be coloured."""
    if len(network.units) > MOST_UNITS:
        raise SummetryError(
            f"a picture shows at most {MOST_UNITS} units, this network has {len(network.units)}; "
            f"the table and --json have all arcs"
        )
    boxes = _row_of_boxes(network, labels)
    marks = _marks(network, target, best)
    lanes = _lanes(network)
    top = _EDGE + _LANE * max(0, *lanes.values())
    bottom = _LANE * -min(0, *lanes.values())
    wide = boxes[-1].right + _EDGE
    used = [mark for mark in _KEY if mark in marks.values()]
    high = top + _BOX + bottom + _EDGE + 18 * len(used)
    picture = _Picture(boxes, top, lanes)
    counts = network.counts.tolist()
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" '
        f'width="{wide:g}" height="{high:g}">',
        f"<title>the network of {counted(network.people, 'reference')}: "
        f"{counted(len(network.units), 'unit')}, {counted(len(counts), 'arc')}</title>",
        f'<style>{_STYLE}</style>{_ARROW}<rect width="100%" height="100%" fill="#fff"/>',
    ]
    arcs = list(zip(_ends(network), counts, strict=True))
    lines += [picture.arc(ends, marks.get(ends, ""), n / network.people) for ends, n in arcs]
    lines += [picture.count(ends, n) for ends, n in arcs]
    lines += [picture.box(box) for box in boxes]
    for place, mark in enumerate(used):
        y = high - 18 * (len(used) - place) + 2
        lines.append(f'<text class="k {mark}" x="{_EDGE:g}" y="{y:g}">{_KEY[mark]}</text>')
    return "\n".join([*lines, "</svg>", ""])


Ends = tuple[int, int]


class _Box(NamedTuple):
    """A node of the picture: where it begins and ends, and what it shows."""

    left: float
    right: float
    shown: str
    whole: str
    boundary: bool

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2


def _row_of_boxes(network: Network, labels: Labels) -> list[_Box]:
    boxes: list[_Box] = []
    left = _EDGE
    for node in range(network.end + 1):
        unit = network.unit(node)
        whole = unit if isinstance(unit, str) else _clean(labels.get(unit, str(unit)))
        shown = whole if len(whole) <= _LONGEST else str(unit)
        right = left + max(30.0, _width(shown) + 14)
        boxes.append(_Box(left, right, shown, whole, isinstance(unit, str)))
        left = right + _GAP
    return boxes


def _width(label: str) -> float:
    """About what a label takes; letters of Chinese, Japanese and Korean are wide ones."""
    return sum(14.5 if east_asian_width(letter) in "WF" else 8.5 for letter in label)


def _ends(network: Network) -> list[Ends]:
    return list(zip(network.tails.tolist(), network.heads.tolist(), strict=True))


def _lanes(network: Network) -> dict[Ends, int]:
    """The lane of each arc, above the row or (negative) below, so that no two lie on one another.

    Neighbours are joined by a straight line and need none: 0. Short arcs lie next to the row.
    """
    lanes: dict[Ends, int] = {}
    for tail, head in sorted(_ends(network), key=lambda arc: (arc[1] - arc[0], arc)):
        if head - tail == 1:
            lanes[tail, head] = 0
            continue
        side = -1 if tail == 0 or head == network.end else 1
        taken = {side * lane for (a, b), lane in lanes.items() if a < head and tail < b}
        lanes[tail, head] = side * next(n for n in range(1, len(taken) + 2) if n not in taken)
    return lanes


def _marks(network: Network, target: Sequence[int], best: Sequence[int]) -> dict[Ends, str]:
    """Which arcs are on the two paths."""
    first, second = (_arcs_of(network, path) for path in (target, best))
    one = dict.fromkeys(first, "target") | dict.fromkeys(second, "best")
    return one | dict.fromkeys(first & second, "both")


def _arcs_of(network: Network, path: Sequence[int]) -> set[Ends]:
    node = {unit: place for place, unit in enumerate(network.units, 1)}
    return set(pairwise([0, *(node[unit] for unit in path), network.end])) if path else set()


@dataclass(frozen=True)
class _Picture:
    """Where the row of boxes is, and the lanes around it."""

    boxes: Sequence[_Box]
    top: float
    lanes: Mapping[Ends, int]

    def arc(self, ends: Ends, mark: str, share: float) -> str:
        tail, head = (self.boxes[node] for node in ends)
        height, side = self._height(ends)
        if not self.lanes[ends]:
            outline = f"M{tail.right:.1f} {height:.1f}L{head.left:.1f} {height:.1f}"
        else:
            # Arcs leave a box right of its middle and come in left of it.
            a, b = tail.middle + 7, head.middle - 7
            bend = min(22.0, (b - a) / 2)
            outline = (
                f"M{a:.1f} {side:.1f}Q{a:.1f} {height:.1f} {a + bend:.1f} {height:.1f}"
                f"L{b - bend:.1f} {height:.1f}Q{b:.1f} {height:.1f} {b:.1f} {side:.1f}"
            )
        width = f'stroke-width="{1 + 3 * share:.2f}"'
        names = f"a {mark}".strip()
        return f'<path class="{names}" d="{outline}" {width} marker-end="url(#arrow)"/>'

    def count(self, ends: Ends, people: int) -> str:
        tail, head = (self.boxes[node] for node in ends)
        height, _ = self._height(ends)
        x, y = (tail.middle + head.middle) / 2, height
        if not self.lanes[ends]:
            x, y = (tail.right + head.left) / 2, height - 9
        return f'<text class="n" x="{x:.1f}" y="{y:.1f}">{people}</text>'

    def box(self, box: _Box) -> str:
        name = "b" if box.boundary else "u"
        return (
            f'<g><title>{escape(box.whole)}</title><rect class="{name}" x="{box.left:.1f}" '
            f'y="{self.top:.1f}" width="{box.right - box.left:.1f}" height="{_BOX:g}" rx="8"/>'
            f'<text x="{box.middle:.1f}" y="{self.top + _BOX / 2:.1f}">{escape(box.shown)}</text>'
            f"</g>"
        )

    def _height(self, ends: Ends) -> tuple[float, float]:
        """How high an arc runs, and the side of the boxes where it begins and ends."""
        lane = self.lanes[ends]
        side = self.top + (_BOX / 2 if not lane else _BOX if lane < 0 else 0.0)
        return side - _LANE * lane, side


def _named(unit: int | str, labels: Labels) -> str:
    if isinstance(unit, str):
        return unit
    label = _clean(labels.get(unit, ""))
    short = label if len(label) <= _LONGEST_CELL else f"{label[:_LONGEST_CELL].rstrip()}..."
    return f"{unit} {short}".rstrip()


def _clean(label: str) -> str:
    """A label in one line, without what no font can show."""
    return "".join(
        c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in " ".join(label.split())
    )
