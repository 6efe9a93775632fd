"""How far two tables of scores agree, at four levels.

A table has one row per system and one column per topic (a topic or document); NaN is a
missing cell. One rule holds everywhere: a cell counts where every table that is compared has it,
so that no mean is over other topics than the one it is compared with.

    system      the coefficient of the systems' means
    summary     the mean over topics of the coefficient of their columns
    global      one coefficient of all cells
    per_system  the mean over systems of the coefficient of their rows

A column or row whose coefficient is undefined (fewer than two cells, or all scores the same) is
left out of the mean and counted. One of two cells can only give 1 or -1; it is in the mean, and
the result says how many there were.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError, UnknownNameError, must_be_known
from summetry.stats.concordance import SAME, divided
from summetry.stats.weighted import (
    FIXED,
    MOVING,
    Coefficient,
    check_coefficient,
    of_whole_columns,
    pearson_of_many,
)

# Of columns of up to so many cells all pairs are looked at together.
SHORT = 100
Level = Literal["system", "summary", "global", "per_system"]


class Correlation(NamedTuple):
    """A coefficient at one level, and what it is of."""

    value: float
    # Points of one coefficient: systems with a score, cells of the largest group, or all cells.
    size: int
    # Coefficients in the mean, those left out as undefined, and those of two points.
    groups: int
    undefined: int
    of_two: int
    # Cells that some table has and another lacks, or that all lack.
    missing: int
    # Why there is no value; empty where there is one.
    reason: str = ""


def correlate(x: ArrayLike, z: ArrayLike, level: Level, coefficient: Coefficient) -> Correlation:
    """The coefficient of two tables at a level.

    >>> correlate([[1, 2], [2, 3], [3, 1]], [[1, 1], [2, 2], [3, 3]], "summary", "tau_b").value
    0.33333333333333337
    """
    a, b = same_cells(x, z)
    check_names(level, coefficient)
    if level == "per_system":
        return correlate(a.T, b.T, "summary", coefficient)
    missing = int(np.isnan(a).sum())
    sizes = (~np.isnan(a)).sum(axis=0)
    if level == "summary":
        each = group_coefficients(a, b, coefficient)
        is_defined = ~np.isnan(each[:, 0])
        groups, of_two = int(is_defined.sum()), int(((sizes == 2) & is_defined).sum())
        reason = "" if groups else f"no topic has a coefficient: {_why(a, b)}"
        counts = int(sizes.max(initial=0)), groups, len(each) - groups, of_two, missing
        return Correlation(float(column_means(each)[0]), *counts, reason)
    value = float(at_level(a, b, level, coefficient)[0])
    scored = (~np.isnan(a)).any(axis=1).sum() if level == "system" else sizes.sum()
    points = system_means if level == "system" else np.ravel
    reason = _why(*(points(table)[:, None] for table in (a, b))) if math.isnan(value) else ""
    ok = int(not reason)
    return Correlation(value, int(scored), ok, 1 - ok, ok * int(scored == 2), missing, reason)


def reached_at_random(
    z: ArrayLike, level: Level, coefficient: Coefficient, alpha: float = 0.05
) -> float:
    """The coefficient with ``z`` that a share ``alpha`` of tables of random numbers exceeds.

    For one list it follows from Student's t (Pearson, Spearman) or from the variance of Kendall's
    count with its ties; for a mean over topics or systems from the sum of the variances. NaN where
    there are too few numbers.

    >>> round(reached_at_random([[1], [2], [3], [4], [5], [6]], "system", "pearson"), 3)
    0.729
    """
    from scipy.special import ndtri, stdtrit

    table = _table(z)
    check_names(level, coefficient)
    lists = [row[~np.isnan(row)] for row in lists_at(table, level)]
    counts = [tied for row in lists if len(tied := _tied(row)) > 1]
    if not counts:
        return math.nan
    if len(counts) == 1 and coefficient in ("pearson", "spearman"):
        freedom = int(counts[0].sum()) - 2
        t = float(stdtrit(freedom, 1 - alpha)) if freedom else math.nan
        return t / math.sqrt(freedom + t * t)
    variance = sum(_variance(tied, coefficient) for tied in counts) / len(counts) ** 2
    return min(float(ndtri(1 - alpha)) * math.sqrt(variance), 1.0)


def lists_at(table: Floats, level: Level) -> Floats:
    """The lists of numbers that are correlated at a level, one row each."""
    if level == "system":
        return system_means(table)[None]
    if level == "global":
        return table.reshape(1, -1)
    return table.T if level == "summary" else table


def system_means(x: ArrayLike) -> Floats:
    """The mean of each row over its cells; NaN for a row without any."""
    return _means(_table(x), np.ones((np.shape(x)[1], 1)))[:, 0]


def same_cells(*tables: ArrayLike) -> list[Floats]:
    """The tables with a cell missing in all that is missing in one."""
    arrays = [_table(table) for table in tables]
    shapes = {table.shape for table in arrays}
    if len(shapes) > 1:
        sizes = ", ".join(f"{rows} x {columns}" for rows, columns in sorted(shapes))
        raise SummetryError(
            f"tables of scores must have the same systems and topics, got {sizes}; "
            "system_means makes lists of tables with different topics"
        )
    gone = np.any([np.isnan(table) for table in arrays], axis=0)
    return [np.where(gone, np.nan, table) for table in arrays]


def level_named(name: str) -> Level:
    """The level that a name stands for; ``input`` is another program's word for ``summary``.

    >>> level_named("input")
    'summary'
    """
    if name == "segment":
        raise SummetryError(
            "the level 'segment' may mean two: say summary (within each topic, then averaged) or "
            "global (all summaries at once)"
        )
    levels: dict[str, Level] = {level: level for level in get_args(Level)}
    if name not in levels and name != "input":
        raise UnknownNameError("level", name, get_args(Level))
    return levels.get(name, "summary")


def check_names(level: str, coefficient: str) -> None:
    must_be_known("level", level, get_args(Level))
    check_coefficient(coefficient)


def at_level(
    x: Floats,
    z: Floats,
    level: Level,
    coefficient: Coefficient,
    systems: Floats | None = None,
    topics: Floats | None = None,
) -> Floats:
    """The coefficient under many weights of systems and topics, one column per resample.

    ``x`` and ``z`` have the same missing cells. ``z`` may have a third axis: a table per resample.
    """
    if level == "per_system":
        transposed = np.swapaxes(x, 0, 1), np.swapaxes(z, 0, 1)
        return at_level(*transposed, "summary", coefficient, topics, systems)
    rows = np.ones((x.shape[0], 1)) if systems is None else systems
    columns = np.ones((x.shape[1], 1)) if topics is None else topics
    if level == "summary":
        return column_means(group_coefficients(x, z, coefficient, rows), columns)
    if level == "system":
        return _of_means(x, z, coefficient, rows, columns)
    if z.ndim == 2:
        return np.asarray(_of_cells(x[None], z[None], coefficient, rows, columns)[0, 0])
    weights = rows[:, None] * columns
    weights = weights.reshape(-1, weights.shape[-1])
    return _of_moving(x.reshape(-1, 1), z.reshape(len(weights), -1), coefficient, weights)


def at_level_many(
    tables: Floats,
    people: Floats,
    level: Level,
    coefficient: Coefficient,
    systems: Floats | None = None,
    topics: Floats | None = None,
) -> Floats:
    """``at_level`` of several tables with each of several of people: people x tables x resamples.

    All of them, each along the first axis, miss the same cells. Of Pearson at the levels of systems
    and summaries, what is only of the tables or of the weights is counted once.
    """
    if level == "per_system":
        transposed = np.swapaxes(tables, 1, 2), np.swapaxes(people, 1, 2)
        return at_level_many(*transposed, "summary", coefficient, topics, systems)
    rows = np.ones((tables.shape[1], 1)) if systems is None else systems
    columns = np.ones((tables.shape[2], 1)) if topics is None else topics
    if level == "global":
        return _of_cells(tables, people, coefficient, rows, columns)
    if coefficient != "pearson":
        return np.array(
            [[at_level(x, z, level, coefficient, rows, columns) for x in tables] for z in people]
        )
    if level == "system":
        means = np.stack([_means(x, columns) for x in tables], axis=1)
        each = (_means(z, columns)[:, None] for z in people)
        return np.array([_of_moving(means, z, coefficient, rows[:, None]) for z in each])
    shape = len(people), len(tables), max(rows.shape[1], columns.shape[1])
    above, below = np.zeros(shape), np.broadcast_to(columns.sum(axis=0), shape).copy()
    for j, weight in enumerate(columns):
        present = ~np.isnan(people[0, :, j])
        drawn = rows if present.all() else rows[present]
        own = pearson_of_many(tables[:, present, j], people[:, present, j], drawn)
        for place, values in enumerate(own):
            if np.isnan(values.min(initial=0.0)):
                undefined = np.isnan(values)
                values[undefined] = 0.0
                below[place] -= undefined * weight
            above[place] += values * weight
    return divided(above, below)


def group_coefficients(
    x: Floats, z: Floats, coefficient: Coefficient, weights: Floats | None = None
) -> Floats:
    """The coefficient of every column of the tables (rows here) in every resample (columns)."""
    if weights is None and z.ndim == 2 and 0 < len(x) <= SHORT and not np.isnan(x).any():
        return of_whole_columns(x.T, z.T, coefficient)[:, None]
    drawn = np.ones((len(x), 1)) if weights is None else weights
    rows = []
    for j in range(x.shape[1]):
        if z.ndim == 3:
            rows.append(_of_moving(x[:, j, None], z[:, j], coefficient, drawn))
        else:
            present = ~np.isnan(x[:, j])
            rows.append(FIXED[coefficient](x[present, j], z[present, j], drawn[present]))
    return np.array(rows) if rows else np.zeros((0, drawn.shape[1]))


def column_means(values: Floats, weights: Floats | None = None) -> Floats:
    """The weighted mean of each column over what is defined; NaN where nothing is."""
    drawn = np.ones((len(values), 1)) if weights is None else weights
    defined = ~np.isnan(values)
    above = (np.where(defined, values, 0.0) * drawn).sum(axis=0)
    below = (defined * drawn).sum(axis=0)
    return divided(above, below)


def without_noise(means: Floats, *cells: Floats) -> Floats:
    """Means with 0 for those that are nothing but the noise of adding up the cells.

    >>> without_noise(np.array([0.1 + 0.2 - 0.3, 0.1]), np.array([[0.1, 0.2, -0.3]])).tolist()
    [0.0, 0.1]
    """
    largest = max(float(np.nanmax(np.abs(table), initial=0.0)) for table in cells)
    return np.where(np.abs(means) <= SAME * largest, 0.0, means)


def _of_cells(
    tables: Floats, people: Floats, coefficient: Coefficient, rows: Floats, columns: Floats
) -> Floats:
    """People x tables x resamples: one coefficient of all cells, under the same weights."""
    weights = rows[:, None] * columns
    weights = weights.reshape(-1, weights.shape[-1])
    present = ~np.isnan(tables[0]).ravel()
    drawn = weights if present.all() else weights[present]
    lists, marks = (each.reshape(len(each), len(present))[:, present] for each in (tables, people))
    return np.array([[FIXED[coefficient](x, z, drawn) for x in lists] for z in marks])


def _of_means(
    x: Floats, z: Floats, coefficient: Coefficient, rows: Floats, columns: Floats
) -> Floats:
    if z.ndim == 3:
        gone = np.isnan(z)
        # A cell that no drawn judge has is missing from both.
        weights = np.where(gone, 0.0, columns)
        with np.errstate(invalid="ignore"):
            total = weights.sum(axis=1)
            a = (np.where(np.isnan(x), 0.0, x)[:, :, None] * weights).sum(axis=1) / total
            b = (np.where(gone, 0.0, z) * weights).sum(axis=1) / total
        a, b = without_noise(a, x), without_noise(b, z)
    else:
        a, b = _means(x, columns), _means(z, columns)
    return _of_moving(a, b, coefficient, rows)


def _of_moving(a: Floats, b: Floats, coefficient: Coefficient, weights: Floats) -> Floats:
    """A coefficient of points that may be missing."""
    present = ~(np.isnan(a) | np.isnan(b))
    drawn = weights if present.all() else weights * present
    if coefficient != "pearson":
        drawn = np.broadcast_to(drawn, np.broadcast_shapes(a.shape, b.shape, weights.shape))
    return MOVING[coefficient](a, b, drawn)


def _means(x: Floats, columns: Floats) -> Floats:
    present = ~np.isnan(x)
    sums = np.where(present, x, 0.0) @ columns
    # Whole numbers, so that both ways give the same bits.
    counts = columns.sum(axis=0) if present.all() else present.astype(float) @ columns
    return without_noise(divided(sums, np.broadcast_to(counts, sums.shape)), x)


def _table(x: ArrayLike) -> Floats:
    table = np.asarray(x, np.float64)
    if table.ndim != 2:
        raise SummetryError(
            f"a table of scores has a row for each system and a column for each topic, "
            f"got {table.ndim} dimension{'s' * (table.ndim != 1)}"
        )
    if np.isinf(table).any():
        row, column = np.argwhere(np.isinf(table))[0].tolist()
        raise SummetryError(
            f"scores must be finite, or NaN where there is none; row {row}, column {column} "
            f"is {table[row, column]}"
        )
    return table


def _why(a: Floats, b: Floats) -> str:
    """Why no column of two tables has a coefficient."""
    present = ~(np.isnan(a) | np.isnan(b))
    if (present.sum(axis=0) < 2).all():
        return "fewer than two systems, or cells, have both scores"
    return "all scores are the same in one of the tables"


def _tied(numbers: Floats) -> Ints:
    """How often each of the numbers of a list is there."""
    largest = float(np.abs(numbers).max(initial=0.0)) or 1.0
    return np.unique(np.round(numbers / largest, 12), return_counts=True)[1]


def _variance(tied: Ints, coefficient: Coefficient) -> float:
    """The variance of a coefficient with random numbers, by how often each number is there."""
    n, pairs = int(tied.sum()), int((tied * (tied - 1)).sum()) / 2
    if coefficient in ("pearson", "spearman"):
        return 1 / (n - 1)
    total = n * (n - 1) / 2
    count = (n * (n - 1) * (2 * n + 5) - int((tied * (tied - 1) * (2 * tied + 5)).sum())) / 18
    return count / total / (total - pairs if coefficient == "tau_b" else total)
