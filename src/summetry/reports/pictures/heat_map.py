"""Systems and metrics: the means, tinted by how good they are within their column.

The tint goes from 0, the worst, to 5, the best of a column, by equal steps between both; a column
that does not say which direction is better has none. The best are marked by a sign, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from summetry.arrays.types import Floats
from summetry.errors import counted
from summetry.metaeval.columns import better_of, first_to_rank_by, sign_of
from summetry.metaeval.correlation_tables import CorrelationTable
from summetry.metaeval.grids import Grid
from summetry.metaeval.selection import JudgedScores
from summetry.records.scores import Column
from summetry.reports.labels import room
from summetry.reports.pictures.drawing import Names, element, fold, line, name_at, safe, shown, text
from summetry.reports.pictures.picture import Picture
from summetry.reports.pictures.systems import digits_for
from summetry.reports.sheets import Cell, Heading, Sheet
from summetry.reports.words import COEFFICIENTS
from summetry.stats.agreement import mean_defined
from summetry.stats.weighted import Coefficient

LEVELS = 5
# That of the last row.
_COEFFICIENT: Coefficient = "tau_b"
# More columns stand closer together.
MOST_WIDE = 9
_ROW, _GAP = 34.0, 2.0


@dataclass(frozen=True)
class HeatColumn:
    """A metric, or the judges: a mean for each system, its tint, and whether it is the best."""

    name: str
    # What stands below the name: the value, and which direction is better if it is the lower one.
    under: str
    means: tuple[float, ...]
    levels: tuple[int | None, ...]
    best: tuple[bool, ...]
    # The coefficient with the judges, and of how many systems if not of all.
    follows: float = math.nan
    follows_of: str = ""
    is_people: bool = False
    # What stands before each number, if anything does; and whether the tint is that of a mistake.
    signs: tuple[str, ...] = ()
    mistaken: tuple[bool, ...] = ()

    @property
    def digits(self) -> int:
        return digits_for(self.means)


@dataclass(frozen=True)
class HeatMap:
    """Systems by metrics; ``coefficient`` names that of the last row, if there is one."""

    systems: tuple[str, ...]
    columns: tuple[HeatColumn, ...]
    coefficient: str = ""
    topics: int = 0


def heat_map(
    grid: Grid,
    columns: Sequence[Column] = (),
    judged: JudgedScores | None = None,
    correlations: CorrelationTable | None = None,
    systems: Sequence[str] = (),
) -> HeatMap:
    """The means of a grid's systems; ``judged`` adds the judges, ``correlations`` the last row.

    Systems are in the order of ``systems``, such as that of a ranking; without one they are best
    first by the first metric that says which direction is better and that all have.
    """
    shown_columns = tuple(columns) or grid.columns
    order = [grid.systems.index(name) for name in systems] or _best_first(grid)
    names = tuple(grid.systems[at] for at in order)
    made = []
    if judged is not None:
        marks = dict(zip(judged.grid.systems, judged.marks.means().tolist(), strict=True))
        means = [mean_defined(marks.get(name, [math.nan])) for name in names]
        people = _column(judged.dimension, "judges", means, 1.0)
        made.append(replace(people, is_people=True))
    rows = correlations.of(_COEFFICIENT) if correlations else []
    follows, most = {row.column: row for row in rows}, max((row.systems for row in rows), default=0)
    for column in shown_columns:
        of_all = system_means(grid, column)
        means = [of_all[at] for at in order]
        sign = 0.0 if better_of(column) == "neither" else sign_of(column)
        one = _column(column.metric, _under(column), means, sign)
        if column in follows:
            row = follows[column]
            fewer = counted(row.systems, "system") if row.systems < most else ""
            one = replace(one, follows=row.value, follows_of=fewer)
        made.append(one)
    words = f"{COEFFICIENTS[_COEFFICIENT]} with the judges" if rows else ""
    return HeatMap(names, tuple(made), words, len(grid.topics))


def system_means(grid: Grid, column: Column) -> list[float]:
    """The mean of each system of a grid over its topics; infinite if a score is."""
    most = grid.infinite_from(column)
    means = [mean_defined(row) for row in grid.values[grid.columns.index(column)].tolist()]
    return [math.copysign(math.inf, mean) if abs(mean) > most else mean for mean in means]


def best_first(grid: Grid, column: Column) -> list[int]:
    """The places of the systems by their means, those without one last; equal ones as they came."""
    means = np.array(system_means(grid, column))
    order: list[int] = np.argsort(-sign_of(column) * means, kind="stable").tolist()
    return order


def _best_first(grid: Grid) -> list[int]:
    values: Floats = grid.values
    at = first_to_rank_by(grid.columns, lambda k: not np.isnan(values[k]).all(axis=1).any())
    return list(range(len(grid.systems))) if at is None else best_first(grid, grid.columns[at])


def _under(column: Column) -> str:
    value = "F" if column.value == "f" else column.value if column.value != "value" else ""
    lower = "lower is better" if better_of(column) == "lower" else ""
    return ", ".join(filter(None, [value, lower]))


def _column(name: str, under: str, means: Sequence[float], sign: float) -> HeatColumn:
    finite = [mean for mean in means if math.isfinite(mean)]
    worst, best = (min(finite, default=0.0), max(finite, default=0.0))[:: 1 if sign >= 0 else -1]
    levels = tuple(_level(mean, worst, best) if sign else None for mean in means)
    marked = tuple(bool(sign) and mean == best and worst != best for mean in means)
    return HeatColumn(name, under, tuple(means), levels, marked)


def _level(mean: float, worst: float, best: float) -> int | None:
    if not math.isfinite(mean):
        return None
    return math.floor(LEVELS * (mean - worst) / (best - worst) + 0.5) if best != worst else 0


def heat_table(heat: HeatMap) -> str:
    """A table of HTML; cells have their number in full as ``data-value``, for sorting."""
    heads = "".join(
        f'<th scope="col"><bdi>{safe(one.name)}</bdi>'
        f'<span class="under">{safe(one.under) or "&nbsp;"}</span></th>'
        for one in heat.columns
    )
    rows = "".join(
        f'<tr><th scope="row" class="left"><bdi>{safe(name)}</bdi></th>'
        f"{''.join(_cell(one, at) for one in heat.columns)}</tr>"
        for at, name in enumerate(heat.systems)
    )
    foot = ""
    if heat.coefficient:
        cells = "".join(_foot(one) for one in heat.columns)
        foot = (
            f'<tfoot><tr><th scope="row" class="left">{heat.coefficient}</th>{cells}</tr></tfoot>'
        )
    many = " many" if len(heat.columns) > MOST_WIDE else ""
    return (
        '<div class="scroll" role="region" aria-label="Systems and metrics" tabindex="0">'
        f'<table class="heatmap wide{many}"><thead><tr><th scope="col" class="left">System</th>'
        f"{heads}</tr></thead><tbody>{rows}</tbody>{foot}</table></div>"
    )


def _cell(column: HeatColumn, at: int) -> str:
    mean, level = column.means[at], column.levels[at]
    if math.isnan(mean):
        return '<td class="none">–<span class="visually-hidden"> no value</span></td>'
    number = shown(mean, column.digits)
    if column.best[at]:
        number = f'<span class="best">{number}</span> <span class="visually-hidden">best</span>'
    tint = "" if level is None else f' data-heat="{level}"'
    return f'<td{tint} data-value="{mean!r}">{number}</td>'


def _foot(column: HeatColumn) -> str:
    under = f'<span class="under">{column.follows_of}</span>' if column.follows_of else ""
    if math.isnan(column.follows):
        return f'<td class="none">{"" if column.is_people else "–"}</td>'
    return f"<td>{shown(column.follows, 2)}{under}</td>"


def heat_picture(heat: HeatMap) -> Picture:
    """The same as one SVG."""
    last = [heat.coefficient] if heat.coefficient else []
    names = Names.of([*heat.systems, *last], 200)
    heads = [fold(one.name, 130) for one in heat.columns]
    unders = [fold(one.under, 130) if one.under else [] for one in heat.columns]
    widths = [
        max(64.0, *(room(words) + 12 for words in (*head, *under)))
        for head, under in zip(heads, unders, strict=True)
    ]
    top = 16.0 * max((len(h) + len(u) for h, u in zip(heads, unders, strict=True)), default=1) + 12
    bands = names.bands(top, _ROW, 16)
    drawn, left = [], names.width
    for name, lines, band in zip([*heat.systems, *last], names.lines, bands, strict=True):
        drawn.append(name_at(name, lines, 0, sum(band) / 2))
    for one, head, under, width in zip(heat.columns, heads, unders, widths, strict=True):
        right, words = left + width, [*head, *under]
        first = top - 10 - 16 * (len(words) - 1)
        for k, word in enumerate(words):
            drawn.append(text(word, right - 8, first + 16 * k, "end", "axis"))
        cells = zip(range(len(one.means)), bands, strict=False)
        drawn += [_drawn_cell(one, k, left, width, band) for k, band in cells]
        if last and not math.isnan(one.follows):
            middle = sum(bands[-1]) / 2
            drawn.append(text(shown(one.follows, 2), right - 8, middle + 4.5, "end", "strong"))
        left = right
    drawn.append(line("base", 0, top - 3, left, top - 3))
    if last:
        drawn.append(line("base", 0, bands[-1][0] + 2, left, bands[-1][0] + 2))
    return Picture(
        _description(heat),
        "The stronger the tint, the better within its column; • marks the best. "
        "A dash: the metric has no value for the system.",
        (math.ceil(left), math.ceil((bands[-1][1] if bands else top) + 8)),
        "".join(drawn),
        _sheet(heat),
    )


def _drawn_cell(one: HeatColumn, at: int, x: float, width: float, band: tuple[float, float]) -> str:
    y, height = band[0], band[1] - band[0]
    mean, level = one.means[at], one.levels[at]
    sign = one.signs[at] if one.signs else "•" if one.best[at] else ""
    words = f"{sign} {shown(mean, one.digits)}".lstrip()
    kind = "strong" if one.best[at] else "axis" if math.isnan(mean) else ""
    number = text(words, x + width - 8, y + height / 2 + 4.5, "end", kind)
    is_mistaken = bool(one.mistaken) and one.mistaken[at]
    if not (level or is_mistaken):
        return number
    kind = "mistaken" if is_mistaken else f"heat-{level}"
    box = {"x": x + _GAP / 2, "y": y + _GAP / 2, "width": width - _GAP, "height": height - _GAP}
    return element("rect", class_=kind, **box) + number


def _description(heat: HeatMap) -> str:
    sentences = []
    for one in heat.columns:
        pairs = zip(heat.systems, one.means, strict=True)
        numbers = ", ".join(f"{name} {shown(mean, one.digits)}" for name, mean in pairs)
        under = f" ({one.under})" if one.under else ""
        sentences.append(f"{one.name}{under}: {numbers}")
    return ". ".join(sentences) + "."


def _sheet(heat: HeatMap) -> Sheet:
    columns = [Heading("system")]
    for one in heat.columns:
        under = f".{one.under}" if one.under else ""
        columns.append(Heading(f"{one.name}{under}", f"{one.name} {one.under}".strip(), one.digits))
    rows: list[tuple[Cell, ...]] = [
        (name, *(one.means[at] for one in heat.columns)) for at, name in enumerate(heat.systems)
    ]
    if heat.coefficient:
        rows.append((heat.coefficient, *(one.follows for one in heat.columns)))
    return Sheet("metrics", "Systems and metrics", tuple(columns), tuple(rows))
