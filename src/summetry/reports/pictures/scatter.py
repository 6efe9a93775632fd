"""Each system as a point: what judges say of it, and its mean by a metric, or its length."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from summetry.arrays.types import Floats
from summetry.errors import counted
from summetry.metaeval.columns import better_of, short_name
from summetry.metaeval.nulls import A_LEAD, A_LENGTH
from summetry.metaeval.selection import JudgedScores
from summetry.records.scores import Column
from summetry.reports.labels import Box, Label, place_names
from summetry.reports.pictures.drawing import (
    PHONE_SCALE,
    Axis,
    axis_below,
    axis_beside,
    element,
    fold,
    line,
    shown,
    text,
    titled,
)
from summetry.reports.pictures.picture import Picture, named
from summetry.reports.pictures.systems import digits_for
from summetry.reports.sheets import Heading, Sheet
from summetry.reports.words import COEFFICIENTS
from summetry.stats.levels import correlate, same_cells, system_means
from summetry.stats.weighted import Coefficient

WIDTH, HEIGHT = 520, 380
# Of more systems only those are named that are farthest from the line, and the ends.
MOST_NAMED = 15
# In the points of labels, about 20 letters.
LONGEST = 150
_LEFT, _RIGHT, _TOP, _BOTTOM = 56.0, 500.0, 16.0, 326.0
_COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "tau_b")
_NULLS = {A_LENGTH: "length ({})", A_LEAD: "lead overlap"}


class Point(NamedTuple):
    system: str
    judged: float
    value: float


def scatter_picture(
    judged: JudgedScores, column: Column, named_systems: Sequence[str] = ()
) -> Picture:
    """A metric against the judges; of many systems ``named_systems`` are named in any case."""
    scores = judged.grid.values[judged.grid.columns.index(column)]
    lower = ", lower is better" if better_of(column) == "lower" else ""
    most = judged.grid.infinite_from(column)
    return _picture(judged, scores, f"{short_name(column)}{lower}", named_systems, most)


def null_pictures(judged: JudgedScores, named_systems: Sequence[str] = ()) -> tuple[Picture, ...]:
    """The null judges of texts against the judges, as baselines: length, lead overlap."""
    return tuple(
        _picture(judged, null.values, _NULLS[name].format(null.what), named_systems)
        for name, null in judged.nulls.items()
    )


def _picture(
    judged: JudgedScores,
    scores: Floats,
    what: str,
    named_systems: Sequence[str],
    most: float = math.inf,
) -> Picture:
    points = _points(judged, scores, most)
    drawn = [point for point in points if math.isfinite(point.value)]
    across = Axis.over([p.judged for p in drawn], _LEFT, _RIGHT, zero=False)
    up = Axis.over([p.value for p in drawn], _BOTTOM, _TOP, zero=False)
    content = [axis_beside(up, _LEFT, _RIGHT)]
    content.append(axis_below(across, _TOP, _BOTTOM, f"{judged.dimension}, mean of the judgments"))
    fit = _fit(drawn, across, up)
    if fit:
        content.append(line("fit", fit.left, fit.top, fit.right, fit.bottom))
    at = [(across.at(p.judged), up.at(p.value)) for p in drawn]
    digits = digits_for(p.value for p in drawn)
    for point, (x, y) in zip(drawn, at, strict=True):
        about = f"{point.system}: {shown(point.value, digits)}, judged {shown(point.judged, 2)}"
        content.append(element("circle", titled(about), class_="point", cx=x, cy=y, r=5.5))
    labels = _labels(drawn, at, fit, named_systems)
    content += [_name(o.system, one) for o, one in zip(drawn, labels, strict=True) if one]
    named_here = sum(one is not None for one in labels)
    infinite = [point.system for point in points if math.isinf(point.value)]
    left = f" Named: {named_here:,} of {len(drawn):,} systems." if named_here < len(drawn) else ""
    everyone = len(judged.grid.systems)
    if len(points) < everyone:
        left = f" Only {len(points):,} of {everyone:,} systems have a value and a judgment.{left}"
    left += f" Infinite, so not drawn: {', '.join(infinite)}." if infinite else ""
    numbers = "; ".join(
        f"{p.system}: judged {shown(p.judged, 2)}, {shown(p.value, digits)}" for p in points
    )
    name = named("judges", judged.dimension, judged.part, what)
    title = f"{what} against {judged.dimension}"
    columns = (
        Heading("system"), Heading("judged", judged.dimension, 2), Heading("value", what, digits)
    )  # fmt: skip
    return Picture(
        f"{counted(len(points), 'system')}. {numbers}.",
        f"{_coefficients(scores, judged)}.{left}",
        (WIDTH, HEIGHT),
        "".join(content),
        Sheet(name, title, columns, tuple(points)),
    )


def _points(judged: JudgedScores, scores: Floats, most: float) -> list[Point]:
    """The systems that have a score and a judgment on the same summary: means over these."""
    both, marks = same_cells(scores, judged.marks.means())
    means = zip(
        judged.grid.systems, system_means(marks).tolist(), system_means(both).tolist(), strict=True
    )
    return [
        Point(name, mark, math.copysign(math.inf, value) if abs(value) > most else value)
        for name, mark, value in means
        if not math.isnan(value + mark)
    ]


def _coefficients(scores: Floats, judged: JudgedScores) -> str:
    marks = judged.marks.means()
    values = {name: correlate(scores, marks, "system", name).value for name in _COEFFICIENTS}
    return ", ".join(f"{COEFFICIENTS[name]} {shown(value, 2)}" for name, value in values.items())


def _fit(points: Sequence[Point], across: Axis, up: Axis) -> Box | None:
    """The line of least squares, as far as the axes go."""
    x, y = (np.array([point[k] for point in points]) for k in (1, 2))
    if len(points) < 3 or np.ptp(x) == 0:
        return None
    slope, at_0 = np.polyfit(x, y, 1).tolist()
    ends = [across.low, across.high]
    if slope:
        # Where the line leaves the picture above or below.
        crossings = sorted((edge - at_0) / slope for edge in (up.low, up.high))
        ends = [max(ends[0], crossings[0]), min(ends[1], crossings[1])]
    (x1, y1), (x2, y2) = ((across.at(end), up.at(at_0 + slope * end)) for end in ends)
    return Box(x1, y1, x2, y2)


def _labels(
    points: Sequence[Point],
    at: Sequence[tuple[float, float]],
    fit: Box | None,
    named_systems: Sequence[str],
) -> list[Label | None]:
    """A place for each name that is shown, reckoned with the letters of a phone."""
    kept = _worth_naming(points, at, fit, named_systems)
    small = [_piece(fit, k / 40) for k in range(40)] if fit else []
    # Points without a name are in the way of names, too: their own name is nothing.
    names = [_short(point.system) if k in kept else "" for k, point in enumerate(points)]
    # Left of the axis are its numbers.
    size = (WIDTH - 4 - _LEFT) / PHONE_SCALE, _BOTTOM / PHONE_SCALE
    inside = [((x - _LEFT) / PHONE_SCALE, y / PHONE_SCALE) for x, y in at]
    placed = place_names(names, inside, small, size)
    return [_scaled(one) if one and k in kept else None for k, one in enumerate(placed)]


def _worth_naming(
    points: Sequence[Point],
    at: Sequence[tuple[float, float]],
    fit: Box | None,
    named_systems: Sequence[str],
) -> set[int]:
    if len(points) <= MOST_NAMED:
        return set(range(len(points)))
    order = sorted(range(len(points)), key=lambda k: -_far(at[k], fit))
    ends = [
        f(range(len(points)), key=lambda k: points[k][axis]) for f in (min, max) for axis in (1, 2)
    ]
    asked = [k for k, point in enumerate(points) if point.system in named_systems]
    return set([*dict.fromkeys([*asked, *ends, *order])][: max(MOST_NAMED, len(asked))])


def _far(at: tuple[float, float], fit: Box | None) -> float:
    if fit is None:
        return 0.0
    along = (fit.bottom - fit.top) / (fit.right - fit.left)
    return abs(at[1] - fit.top - along * (at[0] - fit.left))


def _piece(fit: Box, share: float) -> Box:
    """A small piece of a slanted line, as a box that names can avoid."""
    x, y = (a + share * (b - a) for a, b in ((fit.left, fit.right), (fit.top, fit.bottom)))
    x, y = (x - _LEFT) / PHONE_SCALE, y / PHONE_SCALE
    return Box(x - 3, y - 3, x + 3, y + 3)


def _scaled(label: Label) -> Label:
    def scaled(box: Box) -> Box:
        left, top, right, bottom = (number * PHONE_SCALE for number in box)
        return Box(left + _LEFT, top, right + _LEFT, bottom)

    return Label(scaled(label.box), label.align, label.leader and scaled(label.leader))


def _name(system: str, label: Label) -> str:
    x, y = label.anchor
    anchor = {"left": "start", "center": "middle", "right": "end"}[label.align]
    leader = label.leader
    to_point = (
        line("leader", leader.left, leader.top, leader.right, leader.bottom) if leader else ""
    )
    return to_point + text(_short(system), x, y + 4.5, anchor, "name")


def _short(system: str) -> str:
    """A name of which nobody needs more to know it; all of it is under the pointer."""
    return fold(system, LONGEST, 1)[0]
