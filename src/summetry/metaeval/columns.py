"""Which columns of scores are meant, and which of their numbers are better.

Scores may come from other programs, whose metrics are only names here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from summetry import spec
from summetry.errors import SummetryError, did_you_mean
from summetry.metrics import METRICS, Metric
from summetry.metrics.base import Better
from summetry.records.scores import Column, ScoreTable


def better_of(column: Column) -> str:
    """Which numbers of a column are better; of a metric that is not ours, the higher ones."""
    metric = _known(column.metric)
    better: Better = metric.better if metric else {}
    return better.get(column.value, "higher")


def headlines(columns: Sequence[Column]) -> list[int]:
    """The places of one column a metric: its headline, or the first of those that are there."""
    found: dict[str, int] = {}
    for place, column in enumerate(columns):
        metric = _known(column.metric)
        if metric and column.value == metric.headline:
            found[column.metric] = place
        found.setdefault(column.metric, place)
    return sorted(found.values())


def pick_columns(table: ScoreTable, asked: Sequence[str]) -> ScoreTable:
    """The columns that are asked for, by spelling, alias, or name of the column, in this order.

    A metric without the name of a value stands for all its values that are there.
    """
    places: dict[int, None] = {}
    for name in asked:
        found = [place for place, column in enumerate(table.columns) if _is_meant(column, name)]
        if not found:
            names = {name for column in table.columns for name in (column.metric, column.name)}
            # Of a large table the values of all metrics would fill the screen.
            known = ", ".join(sorted({column.metric for column in table.columns}))
            hint = did_you_mean(name, sorted(names))
            raise SummetryError(
                f"no metric among the scores is named {name!r}.{hint} Known: {known}."
            )
        places.update(dict.fromkeys(found))
    kept = list(places)
    columns = tuple(table.columns[place] for place in kept)
    return ScoreTable(table.rows, columns, table.data[:, kept], table.notes)


def _is_meant(column: Column, name: str) -> bool:
    if name in (column.metric, column.name):
        return True
    metric, value = _spelt(name)
    return column.metric == metric and value in ("", column.value)


@cache
def _spelt(name: str) -> tuple[str, str]:
    """A name in the spelling that scores carry, and the value that it picks; or the name."""
    try:
        wanted = spec.parse(name)
        return spec.show(METRICS.build(wanted)), wanted.pick
    except SummetryError:
        return name, ""


@cache
def _known(spelling: str) -> Metric | None:
    try:
        return METRICS.build(spelling)
    except SummetryError:
        return None
