"""The room that names take in a chart, so that none is cut and none covers another or a point.

Sizes are in points, for letters of the size that axes and legends have. Names of points are placed
one after the other, those with most neighbours first: at the side of its point that is free and has
the fewest lines of intervals through it, or farther away with a leader line. No name stands nearer
to another point than :data:`APART`. Where not all names have such a place, numbers stand for them.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal, NamedTuple, TypeAlias

WIDTH, HEIGHT = 640, 360
Align: TypeAlias = Literal["left", "center", "right"]
# Names under bars are slanted if there are so many, and they take no more than so much.
MOST_SLANTED, LONGEST_SLANTED = 16, 60
# What a letter takes: a narrow one at the most, a capital or another wide one, one of Chinese.
NARROW, WIDE, FULL = 7.5, 12.5, 13.5
# Longer names are folded.
LINE = 48
# Names side by side in a legend, and what the sign before each and the gap behind it take.
MOST_COLUMNS, SIGN = 4, 50
# In points: the height of a line of letters, a point of a chart, and the gap between both.
LINE_HEIGHT, POINT, GAP = 14.0, 10.0, 3.0
# How near a name may come to the middle of another point: it would be taken for its name.
APART = 15.0
# How far from its point a name may stand, with a line to it, and in how many directions.
LEADERS = (16.0, 24.0, 34.0, 46.0, 60.0, 76.0, 95.0, 120.0, 150.0, 190.0)
DIRECTIONS = 20


def room(text: str) -> float:
    """What the longest line of a text takes at the most.

    >>> room("lcs"), room("AWE"), room("lcs\\n質")
    (22.5, 37.5, 22.5)
    """
    return max(sum(map(_letter_room, line)) for line in text.split("\n"))


def _letter_room(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return FULL
    # Letters of other scripts may be wide without being capitals.
    is_narrow = letter.isascii() and letter not in "mw@%" and not letter.isupper()
    return NARROW if is_narrow else WIDE


def folded(name: str) -> str:
    """A long name on several lines, which end after a comma or a blank.

    >>> folded("rouge_n(n=2,text=rouge155(stem=true,stop=true),references=best).recall")
    'rouge_n(n=2,text=rouge155(stem=true,stop=true),\\nreferences=best).recall'
    """
    lines = [""]
    for piece in re.findall(r"[^, ]*[, ]*", name):
        if lines[-1] and len(lines[-1] + piece.rstrip()) > LINE:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def legend_columns(names: Sequence[str]) -> int:
    """How many names of a legend fit side by side above a chart."""
    widest = max(map(room, names), default=0.0) + SIGN
    return max(min(int(WIDTH // widest), MOST_COLUMNS), 1)


@dataclass(frozen=True)
class Bands:
    """The room that names have in a chart of bars."""

    horizontal: bool
    # Width and height of the whole chart.
    size: tuple[int, int]
    labels: dict[str, Any]

    @classmethod
    def of(cls, names: Sequence[str], series: int) -> Bands:
        longest = max(map(room, names), default=0.0)
        # Names side by side, with some room between them.
        level = round(len(names) * (longest + 16))
        if level <= WIDTH:
            width = max(level, min(len(names) * 40 * max(series, 1), WIDTH), WIDTH // 2)
            return cls(False, (width, HEIGHT), {"labelAngle": 0})
        if len(names) <= MOST_SLANTED and longest <= LONGEST_SLANTED:
            return cls(False, (WIDTH, HEIGHT), {"labelAngle": -45})
        most = max(name.count("\n") for name in names) + 1
        band = max(12 * max(series, 1), 16 * most) + 10
        return cls(True, (WIDTH, band * len(names)), {})


class Box(NamedTuple):
    """A rectangle; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


def key_places(lines: Sequence[str], size: tuple[float, float]) -> list[tuple[float, float, str]]:
    """A key to the right of a chart: where each line begins, its middle, and the line.

    >>> key_places(["1  lead", "2  random"], (640, 360))
    [(664.0, 7.5, '1  lead'), (664.0, 22.5, '2  random')]
    """
    step, left = LINE_HEIGHT + 1, size[0] + 24.0
    high = int(size[1] // step)
    places = []
    for start in range(0, len(lines), high):
        column = lines[start : start + high]
        places += [(left, step * (k + 0.5), line) for k, line in enumerate(column)]
        left += max(map(room, column)) + 10
    return places


class Label(NamedTuple):
    """Where a name stands, and the ends of the line to its point, if there is one."""

    box: Box
    # The end of the box at which the letters stand, since few take all of it.
    align: Align = "left"
    leader: Box | None = None

    @property
    def anchor(self) -> tuple[float, float]:
        """The end, or the middle, of the letters, and the middle of the line."""
        box = self.box
        ends = {"left": box.left, "center": (box.left + box.right) / 2, "right": box.right}
        return ends[self.align], (box.top + box.bottom) / 2


def place_names(
    names: Sequence[str],
    points: Sequence[tuple[float, float]],
    lines: Sequence[Box],
    size: tuple[float, float],
    crossing: bool = False,
) -> list[Label | None]:
    """For each name its place, or None; all of them are within a chart of ``size``.

    If ``crossing``, lines to points may cross where a name has no other place.

    >>> place_names(["lcs"], [(50, 50)], [], (100, 100))
    [Label(box=Box(left=58.0, top=43.0, right=80.5, bottom=57.0), align='left', leader=None)]
    """
    placed: dict[int, Label] = {}
    order = sorted(range(len(points)), key=lambda k: -_neighbours(points, k))
    for own, may_cross in product(order, (False, True) if crossing else (False,)):
        if own in placed:
            continue
        others = [point for k, point in enumerate(points) if k != own]
        boxes = [label.box for label in placed.values()]
        leaders = [label.leader for label in placed.values() if label.leader]
        free = (
            label
            for label in _candidates(*points[own], room(names[own]), lines)
            if _within(label.box, *size)
            and _is_free(label, points[own], others, boxes, leaders, may_cross)
        )
        label = next(free, None)
        if label:
            placed[own] = label
    return [placed.get(k) for k in range(len(points))]


def _neighbours(points: Sequence[tuple[float, float]], own: int) -> int:
    x, y = points[own]
    return sum(abs(x - a) < 60 and abs(y - b) < 30 for a, b in points)


def _candidates(x: float, y: float, width: float, lines: Sequence[Box]) -> Iterator[Label]:
    """The sides of a point, those with the fewest lines of intervals first; then farther away."""

    def crossed(label: Label) -> int:
        return sum(label.box.overlaps(line) for line in lines)

    yield from sorted(_sides(x, y, width), key=crossed)
    for far in LEADERS:
        around = [_at(x, y, far, turn / DIRECTIONS, width) for turn in range(DIRECTIONS)]
        yield from sorted(around, key=crossed)


def _at(x: float, y: float, far: float, turn: float, width: float) -> Label:
    """A name that begins, or ends, so far from its point in a direction, with a line to it."""
    across, down = math.cos(2 * math.pi * turn), math.sin(2 * math.pi * turn)
    end_x, end_y = x + far * across, y + far * down
    # Beside the end of the line, or above or below it.
    align: Align = "left"
    left, top = end_x, end_y - LINE_HEIGHT / 2
    if across < -0.3:
        left, align = end_x - width, "right"
    elif across <= 0.3:
        left, align = end_x - width / 2, "center"
        top = end_y if down > 0 else end_y - LINE_HEIGHT
    start = POINT / 2 / far
    leader = Box(x + start * (end_x - x), y + start * (end_y - y), end_x, end_y)
    return Label(Box(left, top, left + width, top + LINE_HEIGHT), align, leader)


def _is_free(
    label: Label,
    point: tuple[float, float],
    others: Sequence[tuple[float, float]],
    boxes: Sequence[Box],
    leaders: Sequence[Box],
    may_cross: bool,
) -> bool:
    """Whether a name covers nothing, is read at its own point only, and its line crosses none."""
    box, leader = label.box, label.leader
    if _gap(box, *point) < POINT / 2 or any(_gap(box, *other) < APART for other in others):
        return False
    if any(box.overlaps(other) for other in boxes) or any(_meets(box, line) for line in leaders):
        return False
    if leader is None:
        return True
    return not (
        any(_meets(other, leader) for other in boxes)
        or (not may_cross and any(_cross(leader, line) for line in leaders))
        # Where points lie on each other, each line passes through the others.
        or any(
            _meets(_around(*other), leader) for other in others if math.dist(other, point) > POINT
        )
    )


def _gap(box: Box, x: float, y: float) -> float:
    """How far a point is from a box."""
    across = max(box.left - x, x - box.right, 0.0)
    down = max(box.top - y, y - box.bottom, 0.0)
    return math.hypot(across, down)


def _meets(box: Box, line: Box) -> bool:
    """Whether a line, whose ends are the corners of a box of their own, touches a box."""
    if min(line.left, line.right) > box.right or max(line.left, line.right) < box.left:
        return False
    if min(line.top, line.bottom) > box.bottom or max(line.top, line.bottom) < box.top:
        return False
    corners = [(a, b) for a in (box.left, box.right) for b in (box.top, box.bottom)]
    sides = {_side(line, *corner) > 0 for corner in corners}
    return len(sides) == 2


def _cross(one: Box, other: Box) -> bool:
    """Whether two lines have a point in common that is inside both."""
    return (
        _side(one, other.left, other.top) * _side(one, other.right, other.bottom) < 0
        and _side(other, one.left, one.top) * _side(other, one.right, one.bottom) < 0
    )


def _side(line: Box, x: float, y: float) -> float:
    """Above 0 on one side of a line and below 0 on the other."""
    return (line.right - line.left) * (y - line.top) - (line.bottom - line.top) * (x - line.left)


def _around(x: float, y: float) -> Box:
    half = POINT / 2
    return Box(x - half, y - half, x + half, y + half)


def _sides(x: float, y: float, width: float) -> Iterator[Label]:
    """Right, left, above, below, then the corners."""
    far = POINT / 2 + GAP
    above, beside, below = y - far - LINE_HEIGHT, y - LINE_HEIGHT / 2, y + far
    edges: dict[Align, float] = {"left": x + far, "right": x - far - width, "center": x - width / 2}
    places: list[tuple[Align, float]] = [
        ("left", beside), ("right", beside), ("center", above), ("center", below),
        ("left", above), ("left", below), ("right", above), ("right", below),
    ]  # fmt: skip
    for align, top in places:
        box = Box(edges[align], top, edges[align] + width, top + LINE_HEIGHT)
        yield Label(box, align)


def _within(box: Box, width: float, height: float) -> bool:
    return 0 <= box.left <= box.right <= width and 0 <= box.top <= box.bottom <= height
