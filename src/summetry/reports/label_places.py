"""Where the names of points stand in a chart, so that none lies on another or on a point.

Names are placed one after the other, each at the first side of its point that is free and has the
fewest lines of intervals through it. A name for which no side is free is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from summetry.reports.chart_names import room

# In points: the height of a line of letters, a point of a chart, and the gap between both.
LINE_HEIGHT, POINT, GAP = 14.0, 10.0, 3.0


class Box(NamedTuple):
    """A rectangle; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
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
    """For each name the box it stands in, or None; all of them lie within a chart of ``size``.

    >>> place_names(["lcs"], [(50, 50)], [], (100, 100))
    [Box(left=58.0, top=43.0, right=80.5, bottom=57.0)]
    """
    frame = Box(0.0, 0.0, *size)
    taken = [_around(x, y) for x, y in points]
    found: list[Box | None] = []
    for name, (x, y) in zip(names, points, strict=True):
        free = [
            box
            for box in _sides(x, y, room(name))
            if _within(box, frame) and not any(box.meets(other) for other in taken)
        ]
        best = min(free, key=lambda box: sum(box.meets(line) for line in lines), default=None)
        found.append(best)
        if best:
            taken.append(best)
    return found


def _around(x: float, y: float) -> Box:
    half = POINT / 2
    return Box(x - half, y - half, x + half, y + half)


def _sides(x: float, y: float, width: float) -> Iterator[Box]:
    """Right, left, above, below, then the corners."""
    far = POINT / 2 + GAP
    across = {"right": x + far, "middle": x - width / 2, "left": x - far - width}
    down = {
        "above": y - far - LINE_HEIGHT,
        "middle": y - LINE_HEIGHT / 2,
        "below": y + far,
    }
    for horizontal, vertical in (
        ("right", "middle"),
        ("left", "middle"),
        ("middle", "above"),
        ("middle", "below"),
        ("right", "above"),
        ("right", "below"),
        ("left", "above"),
        ("left", "below"),
    ):
        left, top = across[horizontal], down[vertical]
        yield Box(left, top, left + width, top + LINE_HEIGHT)


def _within(box: Box, frame: Box) -> bool:
    return (
        frame.left <= box.left
        and box.right <= frame.right
        and frame.top <= box.top
        and box.bottom <= frame.bottom
    )
