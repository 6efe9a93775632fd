"""The room that names take in a chart, so that none is cut and none covers another or a point.

Sizes are in points, for letters of the size that axes and legends have. Names of points are placed
one after the other, each at the first side of its point that is free and has the fewest lines of
intervals through it. A name for which no side is free is left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

WIDTH, HEIGHT = 640, 360
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


def place_names(
    names: Sequence[str],
    points: Sequence[tuple[float, float]],
    lines: Sequence[Box],
    size: tuple[float, float],
) -> list[Box | None]:
    """For each name the box it stands in, or None; all of them are within a chart of ``size``.

    >>> place_names(["lcs"], [(50, 50)], [], (100, 100))
    [Box(left=58.0, top=43.0, right=80.5, bottom=57.0)]
    """
    frame = Box(0.0, 0.0, *size)
    taken = [_around(x, y) for x, y in points]
    placed: list[Box | None] = []
    for name, (x, y) in zip(names, points, strict=True):
        free = [
            box
            for box in _sides(x, y, room(name))
            if _within(box, frame) and not any(box.overlaps(other) for other in taken)
        ]
        best = min(free, key=lambda box: sum(box.overlaps(line) for line in lines), default=None)
        placed.append(best)
        if best:
            taken.append(best)
    return placed


def _around(x: float, y: float) -> Box:
    half = POINT / 2
    return Box(x - half, y - half, x + half, y + half)


def _sides(x: float, y: float, width: float) -> Iterator[Box]:
    """Right, left, above, below, then the corners."""
    far = POINT / 2 + GAP
    right, middle, left = x + far, x - width / 2, x - far - width
    above, beside, below = y - far - LINE_HEIGHT, y - LINE_HEIGHT / 2, y + far
    corners = [(side, end) for side in (right, left) for end in (above, below)]
    for edge, top in (
        (right, beside), (left, beside), (middle, above), (middle, below), *corners
    ):  # fmt: skip
        yield Box(edge, top, edge + width, top + LINE_HEIGHT)


def _within(box: Box, frame: Box) -> bool:
    return (
        frame.left <= box.left
        and box.right <= frame.right
        and frame.top <= box.top
        and box.bottom <= frame.bottom
    )
