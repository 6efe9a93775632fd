"""Choices between two: how often each thing was taken."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from statistics import fmean
from typing import NamedTuple


class Choice(NamedTuple):
    """Two things and what the first got: 1 if it was chosen, 0 if not, 1/2 if both are equal."""

    first: str
    second: str
    points: float


def shares_won(choices: Iterable[Choice]) -> dict[str, float]:
    """The mean points of everything that was compared, in the order in which it first came.

    What the first does not get, the second gets.

    >>> shares_won([Choice("x", "y", 1), Choice("z", "x", 0.5)])
    {'x': 0.75, 'y': 0.0, 'z': 0.5}
    """
    points = defaultdict(list)
    for choice in choices:
        points[choice.first].append(float(choice.points))
        points[choice.second].append(1 - float(choice.points))
    return {name: fmean(own) for name, own in points.items()}
