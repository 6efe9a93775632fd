"""Systems, best first, with intervals and letters of groups: as a table of HTML, and as one SVG."""

from __future__ import annotations

import math
from collections.abc import Iterable

from summetry.errors import counted
from summetry.metaeval.columns import short_name
from summetry.metaeval.rankings import PairTest, Ranking, Standing
from summetry.reports.labels import room
from summetry.reports.pictures.drawing import (
    Axis,
    Names,
    axis_below,
    element,
    line,
    name_at,
    safe,
    shown,
    text,
    titled,
)
from summetry.reports.pictures.intervals import ends_of, interval_cell, scale_cell, table_of_rows
from summetry.reports.pictures.picture import Picture, named
from summetry.reports.sheets import Heading, Sheet, headings
from summetry.reports.verdicts import unbroken_p
from summetry.reports.words import confidence

_PLOT = 340.0
# What numbers take at the right of their column, and the gap between columns.
_NUMBER, _GAP = 56.0, 20.0
_TOP = 34.0


def ranking_table(ranking: Ranking) -> str:
    """A table of HTML: mean, interval as a drawing and in numbers, group, test against one system.

    Cells with numbers have them in full as ``data-value``, for a script that sorts.
    """
    axis, digits = _axis(ranking, 0.0, 100.0), digits_for(s.mean for s in ranking.systems)
    heads = [f'<th scope="col" class="left">System</th><th scope="col">Mean</th>{scale_cell(axis)}']
    heads.append(f'<th scope="col">{confidence(ranking.settings.alpha)}% interval</th>')
    if _has_groups(ranking):
        against = f"Against <bdi>{safe(ranking.baseline)}</bdi>"
        heads += [f'<th scope="col" class="left">{one}</th>' for one in ("Group", against)]
    rows = [
        f"<tr>{_row(ranking, rank, standing, axis, digits)}</tr>"
        for rank, standing in enumerate(ranking.systems, 1)
    ]
    return table_of_rows(_title(ranking), heads, rows)


def _row(ranking: Ranking, rank: int, one: Standing, axis: Axis, digits: int) -> str:
    cells = [
        f'<th scope="row" class="left"><span class="rank">{rank}</span>'
        f"<bdi>{safe(one.system)}</bdi>{_of_fewer(ranking, one)}</th>",
        f'<td data-value="{one.mean!r}">{shown(one.mean, digits)}</td>',
        interval_cell(one.mean, one.low, one.high, axis),
        f'<td class="number">{ends_of(one.low, one.high, digits)}</td>',
    ]
    if _has_groups(ranking):
        verdict, p = _against(ranking, one.system)
        quiet = f'<span class="quiet">{safe(verdict)}</span>' if p is None else safe(verdict)
        cells.append(f'<td class="left">{one.letters}</td>')
        sortable = "" if p is None else f' data-value="{p!r}"'
        cells.append(f'<td class="left nowrap"{sortable}>{quiet}</td>')
    return "".join(cells)


def systems_picture(ranking: Ranking) -> Picture:
    """The same as one SVG: name, mean, interval and letters, row by row."""
    names = Names.of([one.system for one in ranking.systems], 230)
    digits = digits_for(one.mean for one in ranking.systems)
    left = 24 + names.width + _NUMBER + _GAP
    axis = _axis(ranking, left, left + _PLOT)
    bands = names.bands(_TOP, 34, 16)
    bottom = bands[-1][1] if bands else _TOP
    drawn = [axis_below(axis, _TOP - 4, bottom, _mean_of(ranking))]
    drawn += [text("System", 24, 18, class_="axis"), text("Mean", left - _GAP, 18, "end", "axis")]
    letters_at = left + _PLOT + _GAP
    if _has_groups(ranking):
        drawn.append(text("Group", letters_at, 18, class_="axis"))
    rows = zip(ranking.systems, names.lines, bands, strict=True)
    for rank, (one, lines, band) in enumerate(rows, 1):
        middle = sum(band) / 2
        drawn.append(text(str(rank), 16, middle + 4.5, "end", "axis"))
        drawn.append(name_at(one.system, lines, 24, middle))
        drawn.append(text(shown(one.mean, digits), left - _GAP, middle + 4.5, "end"))
        about = titled(f"{one.system}: {_in_words(one, digits)}")
        marks = []
        if math.isfinite(one.low) and math.isfinite(one.high):
            marks.append(line("whisker", axis.at(one.low), middle, axis.at(one.high), middle))
        if math.isfinite(one.mean):
            marks.append(element("circle", class_="dot", cx=axis.at(one.mean), cy=middle, r=5))
        drawn.append(f"<g>{about}{''.join(marks)}</g>")
        drawn.append(text(one.letters, letters_at, middle + 4.5))
    longest = max((room(one.letters) for one in ranking.systems), default=0.0)
    width = (
        letters_at + max(longest, room("Group")) + 4 if _has_groups(ranking) else left + _PLOT + 20
    )
    return Picture(
        f"{counted(len(ranking.systems), 'system')}, {counted(ranking.topics, 'topic')}. "
        + "; ".join(f"{one.system}: {_in_words(one, digits)}" for one in ranking.systems)
        + ".",
        caption_of(ranking),
        (math.ceil(width), bottom + 48),
        "".join(drawn),
        _sheet(ranking),
    )


def caption_of(ranking: Ranking) -> str:
    """What the dots, lines and letters are."""
    settings, sentences = ranking.settings, [f"{_mean_of(ranking)} over topics"]
    if any(math.isfinite(one.low) for one in ranking.systems):
        sentences[0] += (
            f"; the line covers {confidence(settings.alpha)}% of "
            f"{counted(settings.resamples, 'bootstrap resample')}"
        )
    if _has_groups(ranking):
        sentences.append("Systems that share a letter do not differ significantly")
    if len(ranking.systems) > 1:
        sentences[0] = f"{_order(ranking).capitalize()}. {sentences[0]}"
    return ". ".join(sentences) + "."


def digits_for(numbers: Iterable[float]) -> int:
    """How many digits behind the point numbers of this size need.

    >>> digits_for([0.386, 0.1]), digits_for([4.1, 2.5]), digits_for([152.25]), digits_for([0.002])
    (3, 2, 1, 5)
    """
    largest = max((abs(number) for number in numbers if math.isfinite(number)), default=0.0)
    if largest >= 1:
        return 2 if largest < 100 else 1
    return 3 if largest >= 0.01 or not largest else min(2 - math.floor(math.log10(largest)), 12)


def tested_pairs(ranking: Ranking) -> dict[tuple[str, str], PairTest]:
    """All pairs, both ways round; those of a named baseline as they are tested against it."""
    pairs = (*ranking.pairs, *(ranking.against if ranking.is_named else ()))
    return {
        names: one
        for pair in pairs
        for names, one in (
            ((pair.first, pair.second), pair),
            ((pair.second, pair.first), pair.reversed()),
        )
    }


def _axis(ranking: Ranking, start: float, end: float) -> Axis:
    numbers = [number for one in ranking.systems for number in (one.mean, one.low, one.high)]
    return Axis.over(numbers, start, end, 4)


def _has_groups(ranking: Ranking) -> bool:
    return bool(ranking.pairs)


def _mean_of(ranking: Ranking) -> str:
    lower = " (lower is better)" if ranking.better == "lower" else ""
    return f"Mean {short_name(ranking.column)}{lower}"


def _title(ranking: Ranking) -> str:
    return f"Systems by {short_name(ranking.column)}, {_order(ranking)}"


def _order(ranking: Ranking) -> str:
    return "best first" if ranking.better != "neither" else "highest first"


def _in_words(one: Standing, digits: int) -> str:
    if math.isnan(one.mean):
        return "no score"
    ends = f" ({shown(one.low, digits)} to {shown(one.high, digits)})"
    letters = f", group {one.letters}" if one.letters else ""
    return f"{shown(one.mean, digits)}{'' if math.isnan(one.low) else ends}{letters}"


def _of_fewer(ranking: Ranking, one: Standing) -> str:
    if not one.missing:
        return ""
    return f'<span class="under">{one.topics:,} of {counted(ranking.topics, "topic")}</span>'


def _against(ranking: Ranking, system: str) -> tuple[str, float | None]:
    """What the test against the baseline says of a system, and its p."""
    if system == ranking.baseline:
        best = "highest" if ranking.better == "neither" else "best"
        if system in ranking.tied():
            best = f"tied for {best}"
        return ("baseline" if ranking.is_named else best), None
    (pair,) = (pair for pair in ranking.against if pair.first == system)
    verdict = ranking.verdict(pair)
    if verdict == "undefined":
        return pair.reason, None
    words = "no difference seen" if verdict == "unclear" else verdict
    return f"{words} ({unbroken_p(pair.corrected, ranking.settings.alpha)})", pair.corrected


def _sheet(ranking: Ranking) -> Sheet:
    rows = tuple(
        (rank, one.system, one.mean, one.low, one.high, one.topics, one.letters)
        for rank, one in enumerate(ranking.systems, 1)
    )
    digits = digits_for(one.mean for one in ranking.systems)
    numbers = (Heading(name, digits=digits) for name in ("mean", "low", "high"))
    columns = headings(
        Heading("rank", "#"), "system", *numbers, "topics", Heading("letters", "group")
    )
    name = named("systems", ranking.column.name)
    return Sheet(name, _title(ranking), columns, rows, (caption_of(ranking),))
