"""Which system is better, and is it more than chance: systems ranked by one value.

Systems are compared pair by pair on the topics that both have. The best is found by looking at the
scores, so a test against it is one of all pairs, and its p is corrected for all of them, like those
behind the letters. A baseline that was named beforehand is compared with each other system only,
and p is corrected for these comparisons.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np

from summetry.arguments import as_names, check_function, check_strings
from summetry.arrays.types import Floats
from summetry.errors import SummetryError, UnknownNameError
from summetry.formats.scores import scores_at
from summetry.metaeval.columns import better_of, headlines, pick_columns
from summetry.metaeval.grids import Grid, grid_of
from summetry.metaeval.rankings import (
    Correction,
    PairPower,
    PairTest,
    Ranking,
    Standing,
    Ways,
    having_p,
    hopeless,
)
from summetry.records.scores import Column, ScoreTable
from summetry.stats.contrasts import (
    Differences,
    Test,
    bootstrap_rows,
    differences,
    p_of_pairs,
)
from summetry.stats.letters import compact_letters
from summetry.stats.power import corpus_power, topics_needed
from summetry.stats.significance import DRAWS

Progress = Callable[[int, int], None]

# Numbers of a block of pairs: differences on all topics.
_BLOCK = 1 << 22


def compare(
    scores: ScoreTable | str | Path,
    metric: str = "",
    *,
    baseline: str = "",
    exclude: Collection[str] = (),
    protocol: str = "",
    test: Test = "permutation",
    correction: Correction = "holm",
    alpha: float = 0.05,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Progress | None = None,
) -> Ranking:
    """The systems of a score table, or of the score file at a path, ranked by one value.

    ``metric`` is a metric (then its headline counts), or one of its values; without it the first
    headline is taken that says which direction is better.
    """
    check_strings(metric=metric, baseline=baseline, protocol=protocol)
    check_strings(test=test, correction=correction)
    check_function("progress", progress)
    ways = Ways(test, correction, alpha, draws, seed)
    table = scores_at(scores)
    grid = grid_of(table, protocol, as_names("exclude", exclude))
    column = column_meant(table, metric, grid) if metric else ranking_column(grid)
    return compare_systems(grid, column, baseline, ways, progress)


def column_meant(table: ScoreTable, metric: str, grid: Grid) -> Column:
    """The value of a grid that a metric's name stands for: the one it picks, or the headline."""
    # Under another protocol the same value has a column of its own.
    found = [c for c in pick_columns(table, [metric]).columns if c in grid.columns]
    if not found:
        raise SummetryError(f"{metric} has no scores under the protocol {grid.protocol!r}")
    return found[headlines(found)[0]]


def ranking_column(grid: Grid) -> Column:
    """The first headline that says which is better, one that all systems have if there is any."""
    able = _able_to_rank(grid)
    complete = [place for place in able if _has_all_systems(grid, place)]
    if not able:
        raise SummetryError(
            "no metric among the scores says which direction is better; name one with -m"
        )
    return grid.columns[(complete or able)[0]]


def ranks_all(grid: Grid) -> bool:
    """Whether a headline that says which is better has a score of every system."""
    return any(_has_all_systems(grid, place) for place in _able_to_rank(grid))


def _able_to_rank(grid: Grid) -> list[int]:
    return [p for p in headlines(grid.columns) if better_of(grid.columns[p]) != "neither"]


def _has_all_systems(grid: Grid, place: int) -> bool:
    return not np.isnan(grid.values[place]).all(axis=1).any()


def compare_systems(
    grid: Grid,
    column: Column,
    baseline: str = "",
    ways: Ways | None = None,
    progress: Progress | None = None,
) -> Ranking:
    """The systems of a grid, ranked and tested by one of its values."""
    how = ways or Ways()
    if baseline and baseline not in grid.systems:
        raise UnknownNameError("system", baseline, grid.systems)
    better = better_of(column)
    table = grid.values[grid.columns.index(column)]
    means = np.array([_mean(row) for row in table])
    sign = 1.0 if better == "lower" else -1.0
    # Equal ones as they came, and those without a score last.
    order = np.argsort(sign * means, kind="stable")
    table, means = table[order], means[order]
    names = [grid.systems[place] for place in order.tolist()]
    pairs = _all_pairs(table, names, better, how, progress)
    scored = int((~np.isnan(means)).sum())
    named = baseline or (names[0] if scored else "")
    against = _against(pairs, named, how if baseline else None)
    families = [having_p(against if baseline else pairs), having_p(pairs)]
    return Ranking(
        column,
        better,
        grid.protocol,
        how,
        len(grid.topics),
        _standings(table, means, names, [grid.roles[p] for p in order.tolist()], pairs, how),
        tuple(pairs),
        named,
        bool(baseline),
        tuple(against),
        tuple(_powers(table, how, [len(family) for family in families])),
        tuple(_notes(grid, column, names[:scored], pairs, how)),
    )


def _mean(row: Floats) -> float:
    given = row[~np.isnan(row)]
    return math.fsum(given) / len(given) if len(given) else math.nan


def _all_pairs(
    table: Floats, names: Sequence[str], better: str, ways: Ways, progress: Progress | None
) -> list[PairTest]:
    """Every pair of rows, some pairs at a time, so that memory does not grow with all of them."""
    first, second = np.triu_indices(len(table), 1)
    # Many draws take long: then progress is told more often.
    step = max(_BLOCK // max(table.shape[1], ways.draws), 1)
    found: list[PairTest] = []
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        i, k = first[part], second[part]
        of_pairs = differences(table, i, k)
        labels = [(names[a], names[b]) for a, b in zip(i.tolist(), k.tolist(), strict=True)]
        found += _tested(of_pairs, labels, better, ways)
        if progress:
            progress(len(found), len(first))
    corrected = ways.corrected(np.array([pair.p for pair in found], np.float64)).tolist()
    return [
        pair._replace(corrected=p, reason=_reason(pair))
        for pair, p in zip(found, corrected, strict=True)
    ]


def _tested(
    pairs: Differences, labels: Sequence[tuple[str, str]], better: str, ways: Ways
) -> list[PairTest]:
    spread = bootstrap_rows(pairs.values, ways.draws, ways.seed, 1 - ways.alpha)
    p = p_of_pairs(pairs, ways.test, ways.draws, ways.seed)
    means, deviations = pairs.means(), pairs.deviations()
    with np.errstate(invalid="ignore", divide="ignore"):
        effects = np.where(deviations > 0, means / deviations, np.nan)
    above = pairs.superiority()
    numbers = (
        pairs.topics(), means, spread.low, spread.high, p, p, effects,
        1 - above if better == "lower" else above,
    )  # fmt: skip
    return [
        PairTest(*label, *row)
        for label, row in zip(labels, zip(*(n.tolist() for n in numbers), strict=True), strict=True)
    ]


def _reason(pair: PairTest) -> str:
    """Why a pair has no p; nothing where it has one."""
    if not math.isnan(pair.p):
        return ""
    few = pair.topics < 2
    return "fewer than two topics in common" if few else "all differences are the same"


def _standings(
    table: Floats,
    means: Floats,
    names: Sequence[str],
    roles: Sequence[str],
    pairs: Sequence[PairTest],
    ways: Ways,
) -> tuple[Standing, ...]:
    scored = int((~np.isnan(means)).sum())
    letters = _letters(pairs, names, scored, ways) + [""] * (len(names) - scored)
    spread = bootstrap_rows(table, ways.draws, ways.seed, 1 - ways.alpha)
    topics = (~np.isnan(table)).sum(axis=1)
    gaps = [_gap(table[[i, k]], ways) for i, k in pairwise(range(scored))]
    gaps += [(math.nan, None)] * (len(names) - len(gaps))
    numbers = (means, spread.low, spread.high, topics, table.shape[1] - topics)
    columns = (column.tolist() for column in numbers)
    gap, needed = zip(*gaps, strict=True)
    rows = zip(names, roles, *columns, letters, gap, needed, strict=True)
    return tuple(Standing(*row) for row in rows)


def _letters(pairs: Sequence[PairTest], names: Sequence[str], scored: int, ways: Ways) -> list[str]:
    places = {name: place for place, name in enumerate(names)}
    different = np.zeros((scored, scored), bool)
    for pair in pairs:
        if ways.differ(pair):
            i, k = places[pair.first], places[pair.second]
            different[i, k] = different[k, i] = True
    return compact_letters(different)


def _gap(two: Floats, ways: Ways) -> tuple[float, int | None]:
    """The difference of two neighbours, and how many topics would show it."""
    pair = differences(two, np.array([0]), np.array([1]))
    gap, deviation = float(pair.means()[0]), float(pair.deviations()[0])
    if not gap or math.isnan(gap) or math.isnan(deviation):
        return gap, None
    try:
        return gap, topics_needed(gap, deviation, ways.power, ways.alpha)
    except SummetryError:
        # More topics than anybody could have.
        return gap, None


def _against(pairs: Sequence[PairTest], baseline: str, ways: Ways | None) -> list[PairTest]:
    """The baseline's pairs, the other system first; corrected among themselves by ``ways``."""
    found = [
        pair if pair.second == baseline else pair.turned()
        for pair in pairs
        if baseline in (pair.first, pair.second)
    ]
    if ways is None:
        return found
    corrected = ways.corrected(np.array([pair.p for pair in found], np.float64)).tolist()
    return [pair._replace(corrected=p) for pair, p in zip(found, corrected, strict=True)]


def _powers(table: Floats, ways: Ways, families: Sequence[int]) -> list[PairPower]:
    """What the topics can show in one comparison, and in one of each family."""
    if len(table) < 2:
        return []
    shares = {1} if ways.correction == "none" else {1, *filter(None, families)}
    return [
        PairPower(share, ways.alpha / share, corpus_power(table, ways.power, ways.alpha / share))
        for share in sorted(shares)
    ]


def _notes(
    grid: Grid, column: Column, scored: Sequence[str], pairs: Sequence[PairTest], ways: Ways
) -> list[str]:
    notes = [note for note in grid.notes if note.startswith(f"{column.name}: ")]
    silent = [name for name in grid.systems if name not in scored]
    if silent:
        notes.append(f"without any score: {', '.join(silent)}")
    if len(scored) < 2:
        notes.append(f"{len(scored) or 'no'} system with scores: there is nothing to compare")
        return notes
    known = set(scored)
    among = [pair for pair in pairs if known.issuperset(pair[:2])]
    fewer = sum(pair.topics < len(grid.topics) for pair in among)
    if fewer:
        notes.append(
            f"scores are missing: {fewer} of {len(among)} pairs are compared on fewer than "
            f"{len(grid.topics)} topics, those that both systems have"
        )
    for reason in dict.fromkeys(pair.reason for pair in among if pair.reason):
        count = sum(pair.reason == reason for pair in among)
        notes.append(f"{count} of {len(among)} pairs have no p: {reason}")
    return notes + hopeless(among, len(having_p(among)), ways)
