"""Charts of systems: each a point, by the mean of its scores and the mean of its marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from summetry.errors import counted
from summetry.metaeval.boards import Settings
from summetry.metaeval.columns import better_of
from summetry.metaeval.judged import Judged
from summetry.metaeval.system_points import system_points
from summetry.records.scores import Column
from summetry.reports.correlations import COEFFICIENT_WORDS, place_words, shown_name
from summetry.reports.plots import Field
from summetry.reports.scatter import scatter_chart
from summetry.stats.levels import correlate

if TYPE_CHECKING:
    from summetry.reports.plots import Drawn

_ROLES = {"candidate": "systems", "reference": "people"}


def system_charts(parts: Sequence[Judged], settings: Settings) -> dict[str, Drawn]:
    """A chart for each metric on each dimension of marks, by protocol and part."""
    made = {}
    for judged in parts:
        where = place_words(judged.protocol, judged.part, judged.dimension)
        for place, column in enumerate(judged.grid.columns):
            heading = ", ".join(filter(None, [shown_name(column), *where]))
            made[heading] = _chart(judged, place, column, heading, settings)
    return made


def _chart(judged: Judged, place: int, column: Column, heading: str, settings: Settings) -> Drawn:
    found = system_points(judged, place, settings.draws, settings.seed, settings.alpha)
    rows = [
        {
            "system": point.system,
            "by": _ROLES.get(point.role, point.role),
            "summaries": point.summaries,
            "score": point.score.value,
            "score low": point.score.low,
            "score high": point.score.high,
            "mark": point.mark.value,
            "mark low": point.mark.low,
            "mark high": point.mark.high,
        }
        for point in found
    ]
    better = {"lower": "lower is better", "higher": "", "neither": ""}[better_of(column)]
    several = len({row["by"] for row in rows}) > 1
    return scatter_chart(
        rows,
        Field("score", shown_name(column), better, low="score low", high="score high"),
        Field("mark", judged.dimension, low="mark low", high="mark high"),
        Field("by", " ") if several else None,
        "system",
        f"Systems: {heading}",
        _about(judged, place, len(found), settings),
    )


def _about(judged: Judged, place: int, systems: int, settings: Settings) -> str:
    """How many, how near to a line, and what the lines through the points are."""
    scores, marks = judged.grid.values[place], judged.marks.means()
    coefficients = [
        f"{COEFFICIENT_WORDS[name]} {correlate(scores, marks, 'system', name).value:.3f}"
        for name in settings.coefficients
    ]
    sizes = f"{counted(systems, 'system')}, {counted(len(judged.grid.topics), 'topic')}"
    lines = f"lines: {100 * (1 - settings.alpha):g} % intervals of means over topics"
    return "\n".join([f"{sizes}; {', '.join(coefficients)}", lines])
