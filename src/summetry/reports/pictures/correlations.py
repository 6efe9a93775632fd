"""How well each metric follows the judges: a table of HTML, the best first, with intervals."""

from __future__ import annotations

import math

from summetry.errors import counted
from summetry.metaeval.correlation_tables import (
    CorrelateSettings,
    CorrelationTable,
    MetricCorrelation,
)
from summetry.reports.pictures.drawing import Axis, safe, shown
from summetry.reports.pictures.intervals import ends_of, interval_cell, scale_cell, table_of_rows
from summetry.reports.words import COEFFICIENTS, LEVELS, confidence, heading_of

_DIGITS = 2


def correlations_title(table: CorrelationTable) -> str:
    """What is compared with whom, and of how many systems and topics."""
    sizes = f"{counted(table.systems, 'system')}, {counted(table.topics, 'topic')}"
    return (
        f"{heading_of(table.dimension, table.part, table.protocol, LEVELS[table.level])}: {sizes}"
    )


def correlations_table(table: CorrelationTable, settings: CorrelateSettings) -> str:
    """The metrics by their first coefficient, with its interval, and the other coefficients.

    Below them are a judge, the length of the summaries and random numbers.
    """
    first, *others = settings.coefficients
    by_name = {(row.column, row.coefficient): row for row in table.rows}
    rows, beside = table.of(first), table.beside()
    numbers = [n for row in rows for n in (row.value, row.low, row.high)]
    numbers += [line[first] for line in beside.values()]
    axis = Axis.over(numbers, 0.0, 100.0, 4)
    heads = [f'<th scope="col" class="left">Metric</th><th scope="col">{COEFFICIENTS[first]}</th>']
    heads.append(scale_cell(axis))
    has_ends = any(math.isfinite(row.low) for row in rows)
    if has_ends:
        heads.append(f'<th scope="col">{confidence(settings.alpha)}% interval</th>')
    heads += [f'<th scope="col">{COEFFICIENTS[name]}</th>' for name in others]
    body = []
    for row in rows:
        also = [by_name[row.column, name].value for name in others]
        body.append(_line(_name(row), row.value, (row.low, row.high), also, axis, has_ends))
    none = (math.nan, math.nan)
    for label, line in beside.items():
        quiet = f'<span class="quiet">{safe(label)}</span>'
        also = [line[name] for name in others]
        body.append(_line(quiet, line[first], none, also, axis, has_ends))
    return table_of_rows(correlations_title(table), heads, body)


def _name(row: MetricCorrelation) -> str:
    rank = f'<span class="rank">{row.rank or ""}</span>'
    lower = '<span class="under">lower is better</span>' if row.better == "lower" else ""
    return f"{rank}<bdi>{safe(row.column.name)}</bdi>{lower}"


def _line(
    name: str,
    value: float,
    ends: tuple[float, float],
    also: list[float],
    axis: Axis,
    has_ends: bool,
) -> str:
    cells = [f'<th scope="row" class="left">{name}</th>', _number(value)]
    cells.append(interval_cell(value, *ends, axis))
    if has_ends:
        cells.append(f'<td class="number">{ends_of(*ends, _DIGITS)}</td>')
    return f"<tr>{''.join(cells)}{''.join(map(_number, also))}</tr>"


def _number(value: float) -> str:
    return f'<td data-value="{value!r}">{shown(value, _DIGITS)}</td>'
