"""Which columns of scores are meant, and which of their numbers are better.

Scores may come from other programs, whose metrics are only names here.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache

import numpy as np

from summetry import spec
from summetry.arrays.types import Floats
from summetry.errors import SummetryError, did_you_mean
from summetry.metrics import METRICS, Metric
from summetry.metrics.base import Better, Needs, value_named
from summetry.records.joining import metric_typed
from summetry.records.scores import Column, ScoreTable, SystemMeans
from summetry.signature import Signature


def better_of(column: Column) -> str:
    """Which numbers of a column are better; of a metric that is not ours, the higher ones."""
    metric = _known(column.spelling)
    better: Better = metric.better if metric else {}
    return better.get(column.value, "higher")


def sign_of(column: Column) -> float:
    """What a column is multiplied by so that higher numbers are better: -1 where lower ones are."""
    return -1.0 if better_of(column) == "lower" else 1.0


def short_name(column: Column) -> str:
    """The metric's name where the value is its headline, else that of the value.

    >>> short_name(Column("rouge-1", "f")), short_name(Column("rouge-1", "recall"))
    ('rouge-1', 'rouge-1.recall')
    """
    metric = _known(column.spelling)
    return column.metric if metric and column.value == metric.headline else column.name


def legend_of(column: Column) -> str:
    """What a metric counts, in one line; empty for one that is not ours."""
    metric = _known(column.spelling)
    return metric.legend if metric else ""


def headlines(columns: Sequence[Column]) -> list[int]:
    """The places of one column per metric: its headline, or the first of those that are there."""
    places: dict[str, int] = {}
    for place, column in enumerate(columns):
        metric = _known(column.spelling)
        if metric and column.value == metric.headline:
            places[column.metric] = place
        places.setdefault(column.metric, place)
    return sorted(places.values())


def repeated_columns(columns: Sequence[Column]) -> dict[int, int]:
    """The places of columns that equal an earlier one because no summary has two references.

    Each has the place of that one. How many references there were is in the signatures.
    """
    first: dict[Hashable, int] = {}
    repeated: dict[int, int] = {}
    for place, column in enumerate(columns):
        metric = _known(column.spelling)
        # The most that a summary has.
        most = Signature.parse(column.signature).refs.partition(",")[0].rpartition("-")[2]
        what = metric.of_one_reference.get(column.value) if metric and most == "1" else None
        if what is not None and first.setdefault(what, place) != place:
            repeated[place] = first[what]
    return repeated


def shown_places(columns: Sequence[Column], names: Sequence[str] = ()) -> list[int]:
    """The places of the columns that a table shows: all that are named, else the headlines.

    A name such as ``rouge-2.recall`` stands for that value, ``rouge-2`` for the headline. Values of
    one metric stand beside each other.

    >>> columns = [Column("rouge-2", value) for value in ("precision", "recall", "f")]
    >>> shown_places(columns, ["rouge-2", "rouge-2.recall"]), shown_places(columns)
    ([2, 1], [2])
    """
    if not names:
        return headlines(columns)
    named = []
    asked = split_names(names)
    # A metric may have scores of another protocol only.
    for name in [name for name in asked if has_column(columns, name)] or asked:
        places = places_of(columns, name)
        named += [places[k] for k in headlines([columns[place] for place in places])]
    metrics = [columns[place].metric for place in named]
    order = dict(zip(metrics[::-1], range(len(metrics), 0, -1), strict=True))
    return sorted(dict.fromkeys(named), key=lambda place: order[columns[place].metric])


def split_names(names: Sequence[str]) -> list[str]:
    """The names of metrics one by one; several may stand in one string, with commas."""
    return [one for name in names for one in spec.split_list(name)]


def is_made_of_judgments(column: Column, dimension: str) -> bool:
    """Whether a value is computed from what the judges of a dimension did.

    >>> is_made_of_judgments(Column("scu_recall"), "modified_pyramid")
    True
    """
    metric = _known(column.spelling)
    of_units = any(word in dimension.lower() for word in ("pyramid", "scu"))
    return of_units and metric is not None and bool(metric.needs & Needs.PYRAMID)


def first_to_rank_by(columns: Sequence[Column], is_complete: Callable[[int], bool]) -> int | None:
    """The place of the first headline that says which direction is better, if there is one.

    One that all systems have (``is_complete``) comes before the others.
    """
    directed = [place for place in headlines(columns) if better_of(columns[place]) != "neither"]
    return next(filter(is_complete, directed), directed[0] if directed else None)


def bounded_intervals(means: SystemMeans) -> tuple[Floats, Floats]:
    """The t intervals of means, each cut to the values that the metric can have."""
    metrics = [_known(column.spelling) for column in means.columns]
    bounds = [metric.bounds if metric else (-np.inf, np.inf) for metric in metrics]
    least, most = np.array(bounds, np.float64).reshape(-1, 2).T
    low, high = means.intervals()
    return np.clip(low, least, most), np.clip(high, least, most)


def pick_columns(table: ScoreTable, names: Sequence[str]) -> ScoreTable:
    """The columns that are asked for, by spelling, alias, or name of the column, in this order.

    A metric without the name of a value stands for all its values that are there.
    """
    named = (places_of(table.columns, name) for name in split_names(names))
    kept = list(dict.fromkeys(place for places in named for place in places))
    columns = tuple(table.columns[place] for place in kept)
    return ScoreTable(table.rows, columns, table.data[:, kept], table.notes)


def column_meant(columns: Sequence[Column], name: str) -> Column:
    """The one value that a name stands for: the one it picks, or else the metric's headline."""
    picked = [columns[place] for place in places_of(columns, name)]
    return picked[headlines(picked)[0]]


def has_column(columns: Sequence[Column], name: str) -> bool:
    """Whether a name stands for one of these columns."""
    return bool(_found(columns, name))


def places_of(columns: Sequence[Column], name: str) -> list[int]:
    """The places of the columns that a name stands for, one at least."""
    places = _found(columns, name)
    if not places:
        names = {name for column in columns for name in (column.metric, column.name)}
        # Of a large table the values of all metrics would fill the screen.
        known = ", ".join(sorted({column.metric for column in columns}))
        if is_ours(name):
            raise SummetryError(
                f"{name} was not scored; score again with -m {name}; there are {known}"
            )
        hint = did_you_mean(name, sorted(names))
        raise SummetryError(f"no metric among the scores is named {name!r}.{hint} Known: {known}.")
    return places


def _found(columns: Sequence[Column], name: str) -> list[int]:
    """The places of the columns that a name stands for; as it was typed, if that is there."""
    given = list(enumerate(columns))
    places = [place for place, column in given if name in (column.metric, column.name)]
    return places or [place for place, column in given if _is_meant(column, name)]


def _is_meant(column: Column, name: str) -> bool:
    metrics = (column.metric, metric_typed(column.metric))
    names = [*metrics, *(f"{metric}.{column.value}" for metric in metrics)]
    if name.lower() in map(str.lower, names):
        return True
    metric, value = _spelt(name)
    return column.spelling == metric and value in ("", column.value)


def is_ours(name: str) -> bool:
    """Whether a name is of a metric that can be computed here, or of one of its values."""
    metric = _known(name)
    return metric is not None and _spelt(name)[1] in ("", *metric.values)


@cache
def _spelt(name: str) -> tuple[str, str]:
    """A name in the spelling that scores carry, and the value that it picks; or the name."""
    try:
        parsed = spec.parse(name)
        metric = METRICS.build(parsed)
        return spec.show(metric), value_named(metric, parsed.pick)
    except SummetryError:
        return name, ""


@cache
def _known(spelling: str) -> Metric | None:
    """The metric of a spelling, which may pick a value; none where it is not ours."""
    try:
        return METRICS.build(spec.parse(spelling))
    except SummetryError:
        return None
