"""A language model as a judge: its biases with intervals, and systems with what is missing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from summetry.errors import must_be_known
from summetry.formats.judge_tables import JudgedSystem, JudgeTables, MeasuredBias, Table
from summetry.reports.judges import system_headings
from summetry.reports.pictures.drawing import Axis, element, line, shown
from summetry.reports.pictures.picture import Picture, named
from summetry.reports.pictures.rows import Group, Panel, Row, described, drawn_rows
from summetry.reports.pictures.systems import digits_for
from summetry.reports.sheets import Heading, Sheet, headings


class _Kind(NamedTuple):
    """What a bias is about, what it is counted in, and its value for a judge without it."""

    about: str
    axis: str
    none: float | None


_SHARE, _SPEARMAN, _DIFFERENCE = "Share", "Spearman's coefficient", "Difference of marks"
_KINDS = {
    "first wins": _Kind("Position", _SHARE, 0.5),
    "flips": _Kind("Position", _SHARE, 0.0),
    "called equal": _Kind("Ties", _SHARE, None),
    "longer wins": _Kind("Length", _SHARE, 0.5),
    "equal marks of two trials": _Kind("Repetition", _SHARE, 1.0),
    "mark and length": _Kind("Length", _SPEARMAN, 0.0),
    "difference of two trials": _Kind("Repetition", _DIFFERENCE, 0.0),
}
_ENDS = {_SHARE: (0.0, 1.0), _SPEARMAN: (-1.0, 1.0), _DIFFERENCE: (0.0,)}
# How far the two lines of a system are from its middle.
_APART = 5.0
_VALUES = {"points": ("Mean", "Mean mark"), "pairs": ("Wins", "Share won")}
_VALUES["units"] = ("Share", "Share of content units")
# What the axis covers in any case: marks have a scale of their own.
_SCALES: dict[str, tuple[float, ...]] = {"points": (), "pairs": (0.0, 1.0), "units": (0.0, 1.0)}
_FILLED = {"points": "the lowest and the highest mark", "pairs": "a loss and a win"}
_FILLED["units"] = "a no and a yes"


def biases_picture(judges: Sequence[JudgeTables]) -> Picture | None:
    """Position, length and repetition: one row per judge and dimension; None where nothing is."""
    rows = [(one.model, bias) for one in judges for bias in one.biases.rows]
    for _, bias in rows:
        must_be_known("bias", bias.bias, _KINDS)
    order = list(_KINDS)
    rows.sort(key=lambda row: order.index(row[1].bias))
    drawn = [(model, bias) for model, bias in rows if bias.value is not None]
    if not drawn:
        return None
    models = {model for model, _ in drawn}
    several, panels = len(models) > 1, []
    for words, ends in _ENDS.items():
        own = [(model, bias) for model, bias in drawn if _KINDS[bias.bias].axis == words]
        groups = tuple(
            Group(
                f"{_KINDS[name].about}: {name}",
                tuple(
                    _bias_row(f"{model}, {bias.dimension}" if several else bias.dimension, bias)
                    for model, bias in own
                    if bias.bias == name
                ),
                _KINDS[name].none,
            )
            for name in dict.fromkeys(bias.bias for _, bias in own)
        )
        numbers = (_number(n) for _, bias in own for n in (bias.value, bias.low, bias.high))
        panels += (
            [Panel(groups, (*ends, *numbers), words, 5 if words == _SHARE else 4)] if own else []
        )
    content, size = drawn_rows(panels, ("Judged", "Value", "n"))
    title = f"Biases: {', '.join(sorted(models))}"
    notes = dict.fromkeys(note for one in judges for note in one.biases.notes)
    sheet = Sheet(
        "biases", title,
        headings(
            "bias", "judge", "dimension", "value", "low", "high", Heading("number", "n"),
        ),
        tuple(
            (bias.bias, model, bias.dimension, bias.value, bias.low, bias.high, bias.number)
            for model, bias in rows
        ),
        tuple(notes),
    )  # fmt: skip
    return Picture(
        described(title, (group for panel in panels for group in panel.groups)),
        "Lines are 95% intervals over topics. Dashed: a judge without this bias. Length is a bias "
        "only as far as it is no merit: the longer summary may be better.",
        size,
        content,
        sheet,
    )


def _bias_row(name: str, bias: MeasuredBias) -> Row:
    value, low, high = map(_number, (bias.value, bias.low, bias.high))
    interval = "" if math.isnan(low) else f" ({shown(low)} to {shown(high)})"

    def marks(axis: Axis, y: float) -> str:
        return _whisker(axis, y, low, high) + _dot(axis, y, value)

    about = f"{name}: {shown(value)}{interval}, of {bias.number:,}"
    return Row(name, shown(value, 2), about, marks, f"{bias.number:,}")


def judged_pictures(one: JudgeTables) -> list[Picture]:
    """The systems of each mode, with the worst and the best case where marks are missing."""
    modes = {"points": one.points, "pairs": one.pairs, "units": one.units}
    return [_judged(one.model, mode, table) for mode, table in modes.items() if table.rows]


def _judged(model: str, mode: str, table: Table[JudgedSystem]) -> Picture:
    dimensions = dict.fromkeys(row.dimension for row in table.rows)
    numbers = [
        number
        for row in table.rows
        for number in map(_number, (row.mean, row.low, row.high, row.worst, row.best))
    ]
    digits = digits_for(map(_number, (row.mean for row in table.rows)))
    groups = tuple(
        Group(
            dimension if len(dimensions) > 1 else "",
            tuple(_system_row(row, digits) for row in table.rows if row.dimension == dimension),
        )
        for dimension in dimensions
    )
    head, words = _VALUES[mode]
    missing = any(row.mark < row.asked for row in table.rows)
    content, size = drawn_rows(
        [Panel(groups, (*_SCALES[mode], *numbers), words, 4 if mode == "points" else 5)],
        ("System", head, "Missing" if missing else ""),
    )
    said = (
        f"{dimension}: {'; '.join(row.about for row in group.rows)}"
        for dimension, group in zip(dimensions, groups, strict=True)
    )
    bounds = (
        f" Below, grey: from the worst to the best case, with {_FILLED[mode]} in place of what "
        "is missing."
        if missing
        else " Every request was answered."
    )
    return Picture(
        f"{table.title}. {'. '.join(said)}.",
        f"In colour: the mean with its 95% interval over topics.{bounds}",
        size,
        content,
        Sheet(
            named("judge", mode, model),
            table.title,
            system_headings(mode),
            tuple(msgspec.structs.astuple(row) for row in table.rows),
            table.notes,
        ),
    )


def _system_row(row: JudgedSystem, digits: int) -> Row:
    mean, low, high, worst, best = map(_number, (row.mean, row.low, row.high, row.worst, row.best))
    missing = row.asked - row.mark
    interval = "" if math.isnan(low) else f" ({shown(low, digits)} to {shown(high, digits)})"
    about = f"{row.system}: {shown(mean, digits)}{interval}"
    if missing:
        about += (
            f", {missing:,} of {row.asked:,} missing, so from {shown(worst, digits)} to "
            f"{shown(best, digits)}"
        )

    def marks(axis: Axis, y: float) -> str:
        if not missing or math.isnan(worst + best):
            return _whisker(axis, y, low, high) + _dot(axis, y, mean)
        above, below = y - _APART, y + _APART
        bounds = line("bounds", axis.at(worst), below, axis.at(best), below)
        return _whisker(axis, above, low, high) + _dot(axis, above, mean) + bounds

    last = f"{missing:,} of {row.asked:,}" if missing else ""
    return Row(row.system, shown(mean, digits), about, marks, last)


def _whisker(axis: Axis, y: float, low: float, high: float) -> str:
    return "" if math.isnan(low) else line("whisker", axis.at(low), y, axis.at(high), y)


def _dot(axis: Axis, y: float, value: float) -> str:
    if math.isnan(value):
        return ""
    return element("circle", class_="dot", cx=axis.at(value), cy=y, r=5)


def _number(number: float | None) -> float:
    return math.nan if number is None else number
