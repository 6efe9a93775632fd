"""Systems, best first: the estimate with its interval, and below it that of judgments alone."""

from __future__ import annotations

import math

from summetry.metaeval.estimates import EstimateSettings, EstimateTable, Saved
from summetry.reports.labels import room
from summetry.reports.pictures.drawing import (
    NARROW,
    PHONE_SCALE,
    Axis,
    Names,
    axis_below,
    element,
    line,
    name_at,
    shown,
    text,
    titled,
)
from summetry.reports.pictures.picture import Picture, named
from summetry.reports.pictures.systems import digits_for
from summetry.reports.sheets import Heading, Sheet, headings
from summetry.reports.words import confidence, heading_of
from summetry.stats.estimate import Mean

# How wide the plot is, and how narrow it may become so that a phone shows it whole.
_PLOT, _LEAST, _RIGHT = 340.0, 240.0, 20.0
_NUMBER, _GAP, _TOP = 56.0, 20.0, 34.0
# How far the two lines of a system are from its middle.
_APART = 6.0


def estimates_picture(table: EstimateTable, settings: EstimateSettings) -> Picture:
    """Each system with two intervals: helped by the metric, and from the judgments alone."""
    means = [mean for mean in table.best_first() if mean.is_estimated]
    systems = [table.systems[mean.system] for mean in means]
    ranks = {rank.system: rank for rank in table.estimate.ranks}
    names = Names.of(systems, 230, PHONE_SCALE)
    digits = digits_for(mean.estimate for mean in means)
    # Headings have room on a phone, too, where letters of a small picture are larger.
    widest = max(names.width, room("System") * PHONE_SCALE + 12)
    left = 24 + widest + _NUMBER + _GAP
    fits = NARROW - _RIGHT - left
    plot = min(fits, _PLOT) if fits >= _LEAST else _PLOT
    numbers = [n for m in means for n in (m.low, m.high, m.alone.low, m.alone.high, m.estimate)]
    axis = Axis.over(numbers, left, left + plot, 4, zero=False)
    bands = names.bands(_TOP, 38, 16)
    bottom = bands[-1][1]
    drawn = [axis_below(axis, _TOP - 4, bottom, f"Mean judgment of {table.dimension}")]
    drawn += [text("System", 24, 18, class_="axis"), text("Mean", left - _GAP, 18, "end", "axis")]
    for mean, system, lines, band in zip(means, systems, names.lines, bands, strict=True):
        middle = sum(band) / 2
        drawn.append(text(str(ranks[mean.system].rank), 16, middle + 4.5, "end", "axis"))
        drawn.append(name_at(system, lines, 24, middle))
        drawn.append(text(shown(mean.estimate, digits), left - _GAP, middle + 4.5, "end"))
        about = titled(f"{system}: {_in_words(mean, digits)}")
        drawn.append(f"<g>{about}{_lines(mean, axis, middle)}</g>")
    described = "; ".join(
        f"{system}: {_in_words(mean, digits)}" for mean, system in zip(means, systems, strict=True)
    )
    return Picture(
        f"{_title(table)}. {described}.",
        _caption(table, settings),
        (math.ceil(left + plot + _RIGHT), bottom + 48),
        "".join(drawn),
        _sheet(table, means, digits),
    )


def _lines(mean: Mean, axis: Axis, middle: float) -> str:
    above, below = middle - _APART, middle + _APART
    return "".join((
        line("whisker", axis.at(mean.low), above, axis.at(mean.high), above),
        element("circle", class_="dot", cx=axis.at(mean.estimate), cy=above, r=5),
        line("stem", axis.at(mean.alone.low), below, axis.at(mean.alone.high), below),
        element("circle", class_="unclear", cx=axis.at(mean.alone.estimate), cy=below, r=3),
    ))  # fmt: skip


def _in_words(mean: Mean, digits: int) -> str:
    own, alone = (
        f"{shown(one.estimate, digits)} ({shown(one.low, digits)} to {shown(one.high, digits)})"
        for one in (mean, mean.alone)
    )
    return f"{own}, judgments alone {alone}{', thin' if mean.thin else ''}"


def _title(table: EstimateTable) -> str:
    return heading_of(
        f"Systems by {table.dimension}", table.protocol, f"{table.judged_topics:,} of "
        f"{table.topics:,} topics judged",
    )  # fmt: skip


def _caption(table: EstimateTable, settings: EstimateSettings) -> str:
    share = confidence(settings.alpha)
    used = table.used_names
    helped = f" and {' + '.join(used)} of all topics" if used else "; no metric is used"
    return (
        f"Best first. Above, in colour: the estimate from the judgments{helped}. Below, grey: the "
        f"judgments alone. The lines are {share}% intervals."
    )


def _sheet(table: EstimateTable, means: list[Mean], digits: int) -> Sheet:
    rows = tuple(
        (table.systems[m.system], m.judged, m.estimate, m.low, m.high, *m.alone[:1], *m.alone[2:4])
        for m in means
    )
    columns = headings(
        "system", "judged",
        *(Heading(name, title, digits) for name, title in (
            ("estimate", ""), ("low", ""), ("high", ""), ("alone", ""), ("alone_low", "low"),
            ("alone_high", "high"))),
    )  # fmt: skip
    return Sheet(named("estimates", table.dimension, table.protocol), _title(table), columns, rows)


def saved_picture(table: EstimateTable) -> Picture:
    """The share of the judgments that the metric and each null judge save."""
    rows = [one for one in table.saved if math.isfinite(one.means)]
    names = Names.of([one.name for one in rows], 230, PHONE_SCALE)
    left = names.width + _GAP
    differences = [one.differences for one in rows if math.isfinite(one.differences)]
    axis = Axis.over([*(one.means for one in rows), *differences], left, left + _LEAST, 4)
    bands = names.bands(_TOP, 30, 12)
    bottom = bands[-1][1]
    drawn = [axis_below(axis, _TOP - 4, bottom, "Share of the judgments saved")]
    for one, lines, band in zip(rows, names.lines, bands, strict=True):
        middle = sum(band) / 2
        drawn.append(name_at(one.name, lines, 0, middle))
        dots = [element("circle", class_="dot", cx=axis.at(one.means), cy=middle, r=5)]
        if math.isfinite(one.differences):
            place = axis.at(one.differences)
            dots.append(element("circle", class_="unclear", cx=place, cy=middle, r=4))
        drawn.append(f"<g>{titled(_saved_in_words(one))}{''.join(dots)}</g>")
    title = heading_of(f"Judgments saved on {table.dimension}", table.protocol)
    columns = headings("by", Heading("means", digits=2), Heading("differences", digits=2))
    cells = tuple((one.name, one.means, one.differences) for one in rows)
    return Picture(
        f"{title}. {'; '.join(map(_saved_in_words, rows))}.",
        "In colour: for the means of systems; grey: for their differences. Names in brackets know "
        "nothing of the content. Below 0 the metric costs judgments.",
        (math.ceil(left + _LEAST + _RIGHT), bottom + 48),
        "".join(drawn),
        Sheet(named("saved", table.dimension, table.protocol), title, columns, cells),
    )


def _saved_in_words(one: Saved) -> str:
    return (
        f"{one.name}: {shown(one.means, 2)} for means, {shown(one.differences, 2)} for differences"
    )
