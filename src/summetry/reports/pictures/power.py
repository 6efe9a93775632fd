"""What a number of topics can show: the smallest difference that is seen with the wanted chance.

The curve is that of a paired t-test for two systems whose differences spread as those of the median
pair here; a second one is for the smaller alpha that is left where all pairs are tested.
"""

from __future__ import annotations

import math
from functools import cache

from summetry.errors import counted
from summetry.metaeval.columns import short_name
from summetry.metaeval.rankings import PairPower, Ranking
from summetry.reports.pictures.drawing import (
    NARROW,
    Axis,
    axis_beside,
    element,
    line,
    place,
    shown,
    text,
    titled,
)
from summetry.reports.pictures.picture import Picture, named
from summetry.reports.pictures.systems import digits_for
from summetry.reports.sheets import Heading, Sheet
from summetry.stats.power import smallest_difference

HEIGHT = 380
_LEFT, _RIGHT, _TOP, _BOTTOM = 60.0, 500.0, 16.0, 320.0
_TICKS = (2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
_POINTS = 40


def power_picture(ranking: Ranking) -> Picture | None:
    """The curve of a ranking; None where no two systems have two topics in common."""
    powers = [
        one for one in ranking.power if one.power.topics > 1 and 0 < one.power.deviation < math.inf
    ]
    if not powers:
        return None
    kept = [powers[0], powers[-1]][: len(powers)]
    own, share = kept[0].power.topics, f"{100 * ranking.settings.power:g}%"
    fewest = [ranking.settings.fewest_topics(one.comparisons) for one in kept]
    ticks = _ticks(own, fewest[0])
    across = Axis(math.log(ticks[0]), math.log(ticks[-1]), _LEFT, _RIGHT, 1.0)
    curves = [_curve(ranking, one, ticks) for one in kept]
    # Very few topics would need a difference that presses everything else down.
    most = 1.15 * max(y for curve in curves for x, y in curve if x >= min(own, ticks[1]))
    up = Axis.over([0.0, min(most, max(y for c in curves for _, y in c))], _BOTTOM, _TOP)
    digits = max(digits_for([up.high]), up.digits)
    drawn = [axis_beside(up, _LEFT, _RIGHT)]
    for tick in ticks:
        x = across.at(math.log(tick))
        drawn.append(line("grid", x, _TOP, x, _BOTTOM))
        drawn.append(text(f"{tick:,}", x, _BOTTOM + 18, "middle", "axis"))
    drawn.append(text("topics", (_LEFT + _RIGHT) / 2, _BOTTOM + 42, "middle", "axis"))
    for kind, curve in zip(("one", "many"), curves, strict=False):
        inside = [(x, y) for x, y in curve if y <= up.high]
        path = " ".join(f"{place(across.at(math.log(x)))},{place(up.at(y))}" for x, y in inside)
        drawn.append(element("polyline", class_=f"curve {kind}", points=path))
    rows, sentences, has_points = [], [], False
    for kind, one, least in zip(("one", "many"), kept, fewest, strict=False):
        # With fewer topics the test cannot be significant, however large the difference is.
        smallest = one.power.smallest if own >= least else math.nan
        rows.append((one.comparisons, one.alpha, own, one.power.deviation, smallest))
        size = shown(smallest, digits) if own >= least else f"none, since it needs {least} topics"
        sentences.append(f"{_pairs(one)}: {size}")
        if math.isfinite(smallest) and smallest <= up.high:
            x, y = across.at(math.log(own)), up.at(smallest)
            about = titled(f"{counted(own, 'topic')}, {_pairs(one)}: {shown(smallest, digits)}")
            drawn.append(element("circle", about, class_=f"point {kind}", cx=x, cy=y, r=5.5))
            has_points = True
    drawn.append(_legend(kept))
    here = f"the {counted(own, 'topic')} here"
    points = f"points: {here}" if has_points else f"{here} can show none"
    name = named("power", ranking.column.name)
    title = f"What so many topics can show, {short_name(ranking.column)}"
    columns = (
        Heading("comparisons"), Heading("alpha", digits=5), Heading("topics"),
        Heading("standard_deviation", digits=4), Heading("smallest", "smallest difference", 4),
    )  # fmt: skip
    return Picture(
        f"With {counted(own, 'topic')} the smallest difference seen in "
        f"{share} of cases is, for {'; for '.join(sentences)}.",
        f"The smallest difference between two systems that is seen in {share} of cases, by the "
        f"number of topics; {points}.",
        (NARROW, HEIGHT),
        "".join(drawn),
        Sheet(name, title, columns, tuple(rows)),
    )


def _ticks(own: int, fewest: int) -> list[int]:
    """Round numbers of topics from below those that there are to some times as many."""
    low = max((tick for tick in _TICKS if tick <= max(min(own / 3, 100), fewest)), default=2)
    high = next((tick for tick in _TICKS if tick >= 8 * own), _TICKS[-1])
    return [tick for tick in _TICKS if low <= tick <= max(high, own)]


def _curve(ranking: Ranking, one: PairPower, ticks: list[int]) -> list[tuple[int, float]]:
    """Numbers of topics and the smallest difference that each shows."""
    low, high = math.log(ticks[0]), math.log(ticks[-1])
    numbers = {round(math.exp(low + (high - low) * k / _POINTS)) for k in range(_POINTS + 1)}
    fewest = ranking.settings.fewest_topics(one.comparisons)
    wanted = ranking.settings.power
    return [
        (topics, one.power.deviation * _in_deviations(topics, wanted, one.alpha))
        for topics in sorted(numbers | {one.power.topics})
        if topics >= fewest
    ]


@cache
def _in_deviations(topics: int, power: float, alpha: float) -> float:
    """The smallest difference as a multiple of the deviation, which all metrics share."""
    return smallest_difference(topics, 1.0, power, alpha)


def _pairs(one: PairPower) -> str:
    return "one pair" if one.comparisons == 1 else f"one of {one.comparisons} pairs"


def _legend(kept: list[PairPower]) -> str:
    drawn = []
    for k, (kind, one) in enumerate(zip(("one", "many"), kept, strict=False)):
        y = _TOP + 18 + 24 * k
        drawn.append(line(f"curve {kind}", _RIGHT - 40, y, _RIGHT - 8, y))
        drawn.append(text(_pairs(one), _RIGHT - 48, y + 4.5, "end"))
    return "".join(drawn)
