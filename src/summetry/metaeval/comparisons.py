"""Which system is better, and is it more than chance: systems ranked by one value.

Systems are compared pair by pair on the topics that both have. The best is found by looking at the
scores, so a test against it is one of all pairs, and its p is corrected for all of them, like those
behind the letters. A baseline that was named beforehand is compared with each other system only,
and p is corrected for these comparisons; the letters of these pairs follow it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np

from summetry.arguments import Progress
from summetry.arrays.types import Floats
from summetry.errors import SummetryError, must_be_known
from summetry.metaeval.columns import (
    better_of,
    headlines,
    pick_columns,
    repeated_columns,
    short_name,
    sign_of,
)
from summetry.metaeval.grids import Grid
from summetry.metaeval.rankings import (
    CompareSettings,
    PairPower,
    PairTest,
    Ranking,
    Standing,
    having_p,
    note_unreachable,
)
from summetry.metrics import DEFAULT_METRICS
from summetry.records.scores import Column, ScoreTable
from summetry.spec import split_list
from summetry.stats.agreement import mean_defined
from summetry.stats.concordance import divided
from summetry.stats.contrasts import Differences, bootstrap_rows, differences, p_of_pairs
from summetry.stats.letters import compact_letters
from summetry.stats.power import CorpusPower, corpus_power, topics_needed

# So many metrics are compared where none is named.
MOST_METRICS = len(DEFAULT_METRICS)
# Numbers of a block of pairs: differences on all topics.
_BLOCK = 1 << 22
# The squares of numbers above this come near to what a number can be.
_LARGE = 1e100
_Numbers = TypeVar("_Numbers", PairTest, Standing, CorpusPower)


def compare_by(
    grid: Grid,
    columns: Sequence[Column],
    baseline: str = "",
    settings: CompareSettings | None = None,
    progress: Progress | None = None,
) -> list[Ranking]:
    """The systems of a grid, ranked and tested by each of several values.

    Values that are the same by construction are compared once.
    """
    repeated = repeated_columns(columns)
    places = [place for place in range(len(columns)) if place not in repeated]
    rankings = []
    for number, place in enumerate(places):

        def show(done: int, total: int, before: int = number) -> None:
            if progress:
                progress(before * total + done, len(places) * total)

        ranking = compare_systems(grid, columns[place], baseline, settings, show)
        same = tuple(columns[other] for other, first in repeated.items() if first == place)
        if same:
            names, verb = ", ".join(map(short_name, same)), "is" if len(same) == 1 else "are"
            note = f"{short_name(columns[place])}: with one reference {names} {verb} the same"
            ranking = replace(ranking, same=same, notes=(*ranking.notes, note))
        rankings.append(ranking)
    return rankings


def must_have_two_systems(grid: Grid) -> None:
    if len(grid.systems) < 2:
        found = " and ".join(grid.systems) or "none"
        raise SummetryError(
            f"compare needs two systems, found {found}; name a file of another one, or the columns "
            "of systems, as in --columns candidate=bart+t5"
        )


def columns_to_compare(table: ScoreTable, grid: Grid, metrics: Sequence[str]) -> list[Column]:
    """The value of a grid that each metric stands for, each once.

    Without metrics these are the first headlines that say which direction is better, up to as many
    as the default metrics are; those that all systems have, if there are such.
    """
    if not metrics:
        directed = [
            place
            for place in headlines(grid.columns)
            if better_of(grid.columns[place]) != "neither"
        ]
        if not directed:
            raise SummetryError(
                "no metric among the scores says which direction is better; name one with -m"
            )
        values = grid.values
        complete = [k for k in directed if not np.isnan(values[k]).all(axis=1).any()]
        return [grid.columns[place] for place in (complete or directed[:1])[:MOST_METRICS]]
    columns: dict[Column, None] = {}
    for metric in (one for names in metrics for one in split_list(names)):
        # Under another protocol the same value has a column of its own.
        there = [c for c in pick_columns(table, [metric]).columns if c in grid.columns]
        if not there:
            raise SummetryError(f"{metric} has no scores under the protocol {grid.protocol!r}")
        columns.update(dict.fromkeys(there[place] for place in headlines(there)))
    return list(columns)


def compare_systems(
    grid: Grid,
    column: Column,
    baseline: str = "",
    settings: CompareSettings | None = None,
    progress: Progress | None = None,
) -> Ranking:
    """The systems of a grid, ranked and tested by one of its values."""
    settings = settings or CompareSettings()
    if baseline:
        must_be_known("system", baseline, grid.systems)
    better = better_of(column)
    table = grid.values[grid.columns.index(column)]
    unit = _unit(table)
    restored = _Restored(unit, grid.infinite_from(column) / unit)
    table = table / unit
    means = np.array([mean_defined(row) for row in table.tolist()])
    # Equal ones stay as they came; those without a score are last.
    order = np.argsort(-sign_of(column) * means, kind="stable")
    table, means = table[order], means[order]
    names, roles = ([of[place] for place in order.tolist()] for of in (grid.systems, grid.roles))
    pairs = [restored.pair(p) for p in _all_pairs(table, names, better, settings, progress)]
    scored = int((~np.isnan(means)).sum())
    named = baseline or (names[0] if scored else "")
    against = [
        pair if pair.second == named else pair.reversed() for pair in pairs if named in pair[:2]
    ]
    by_letters = pairs
    if baseline:
        against = settings.correct(against)
        # Letters and the tests against the baseline never contradict each other.
        tested = {frozenset(pair[:2]): pair for pair in against}
        by_letters = [tested.get(frozenset(pair[:2]), pair) for pair in pairs]
    own, all_pairs = (len(having_p(family)) for family in (against if baseline else pairs, pairs))
    fewest = [
        settings.fewest_topics(own if baseline in two else all_pairs) for two in pairwise(names)
    ]
    standings = _standings(table, means, names, roles, by_letters, settings, fewest)
    return Ranking(
        column,
        better,
        grid.protocol,
        settings,
        len(grid.topics),
        tuple(map(restored.standing, standings)),
        tuple(pairs),
        named,
        bool(baseline),
        tuple(against),
        tuple(map(restored.power, _powers(table, settings, [own, all_pairs]))),
        tuple(_notes(grid, column, names[:scored], pairs, against if baseline else [], settings)),
    )


def _unit(table: Floats) -> float:
    """What very large scores are divided by, so that their squares and sums are finite.

    It is a power of two, so no digit is lost.
    """
    largest = float(np.nanmax(np.abs(table), initial=0.0))
    return math.ldexp(1.0, math.frexp(largest)[1] - 1) if largest > _LARGE else 1.0


class _Restored(NamedTuple):
    """Numbers that were computed from scores divided by ``unit``, as they are.

    Those beyond ``most`` come from infinite scores, and are infinite.
    """

    unit: float
    most: float

    def number(self, number: float) -> float:
        if abs(number) > self.most:
            return math.copysign(math.inf, number)
        return number if self.unit == 1 else number * self.unit

    def pair(self, pair: PairTest) -> PairTest:
        restored = self._of(pair, "difference", "low", "high", "deviation")
        # Of an infinite deviation nothing is a share.
        return restored._replace(effect=math.nan) if math.isinf(restored.deviation) else restored

    def standing(self, standing: Standing) -> Standing:
        restored = self._of(standing, "mean", "low", "high", "gap")
        return restored._replace(needed=None) if math.isinf(restored.gap) else restored

    def power(self, power: PairPower) -> PairPower:
        names = ("deviation", "widest", "smallest", "smallest_of_widest")
        return power._replace(power=self._of(power.power, *names))

    def _of(self, numbers: _Numbers, *names: str) -> _Numbers:
        restored: dict[str, Any] = {name: self.number(getattr(numbers, name)) for name in names}
        return numbers._replace(**restored)


def _all_pairs(
    table: Floats,
    names: Sequence[str],
    better: str,
    settings: CompareSettings,
    progress: Progress | None,
) -> list[PairTest]:
    """Every pair of rows, some pairs at a time, so that memory does not grow with all of them."""
    first, second = np.triu_indices(len(table), 1)
    # Many draws take long: then progress is reported more often.
    step = max(_BLOCK // max(table.shape[1], settings.permutations(len(first))), 1)
    tests: list[PairTest] = []
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        i, k = first[part], second[part]
        labels = [(names[a], names[b]) for a, b in zip(i.tolist(), k.tolist(), strict=True)]
        tests += _tested(differences(table, i, k), labels, better, settings, len(first))
        if progress:
            progress(len(tests), len(first))
    return settings.correct(tests)


def _tested(
    pairs: Differences,
    labels: Sequence[tuple[str, str]],
    better: str,
    settings: CompareSettings,
    comparisons: int,
) -> list[PairTest]:
    spread = bootstrap_rows(pairs.values, settings.resamples, settings.seed, 1 - settings.alpha)
    p = p_of_pairs(pairs, settings.test, settings.permutations(comparisons), settings.seed)
    means, deviations = pairs.means(), pairs.deviations()
    above = pairs.superiority()
    numbers = (
        pairs.topics(), means, spread.low, spread.high, p, p, divided(means, deviations),
        1 - above if better == "lower" else above, deviations,
    )  # fmt: skip
    rows = zip(*(column.tolist() for column in numbers), strict=True)
    return [PairTest(*label, *row) for label, row in zip(labels, rows, strict=True)]


def _standings(
    table: Floats,
    means: Floats,
    names: Sequence[str],
    roles: Sequence[str],
    pairs: Sequence[PairTest],
    settings: CompareSettings,
    fewest: Sequence[int],
) -> tuple[Standing, ...]:
    """The systems; ``fewest`` has for each but the last how many topics its test needs at least."""
    scored = int((~np.isnan(means)).sum())
    letters = _letters(pairs, names[:scored], settings) + [""] * (len(names) - scored)
    spread = bootstrap_rows(table, settings.resamples, settings.seed, 1 - settings.alpha)
    topics = (~np.isnan(table)).sum(axis=1)
    gaps = [_gap(table[[i, i + 1]], settings, fewest[i]) for i in range(scored - 1)]
    gaps += [(math.nan, None)] * (len(names) - len(gaps))
    numbers = (means, spread.low, spread.high, topics, table.shape[1] - topics)
    columns = (column.tolist() for column in numbers)
    gap, needed = zip(*gaps, strict=True)
    rows = zip(names, roles, *columns, letters, gap, needed, strict=True)
    return tuple(Standing(*row) for row in rows)


def _letters(
    pairs: Sequence[PairTest], names: Sequence[str], settings: CompareSettings
) -> list[str]:
    places = {name: place for place, name in enumerate(names)}
    different = np.zeros((len(names), len(names)), bool)
    for pair in filter(settings.differ, pairs):
        i, k = places[pair.first], places[pair.second]
        different[i, k] = different[k, i] = True
    return compact_letters(different)


def _gap(two: Floats, settings: CompareSettings, fewest: int) -> tuple[float, int | None]:
    """The difference of two neighbours, and how many topics would show it."""
    pair = differences(two, np.array([0]), np.array([1]))
    gap, deviation = float(pair.means()[0]), float(pair.deviations()[0])
    if not gap or math.isnan(gap) or math.isnan(deviation):
        return gap, None
    try:
        needed = topics_needed(gap, deviation, settings.power, settings.alpha)
        # The power is that of a t-test, and other tests have a smallest p.
        return gap, max(needed, fewest)
    except SummetryError:
        # More topics than anybody could have.
        return gap, None


def _powers(table: Floats, settings: CompareSettings, families: Sequence[int]) -> list[PairPower]:
    """What the topics can show in one comparison, and in one of each family."""
    if len(table) < 2:
        return []
    counts = {1} if settings.correction == "none" else {1, *filter(None, families)}
    shares = [(count, settings.alpha / count) for count in sorted(counts)]
    return [PairPower(n, alpha, corpus_power(table, settings.power, alpha)) for n, alpha in shares]


def _notes(
    grid: Grid,
    column: Column,
    scored: Sequence[str],
    pairs: Sequence[PairTest],
    against: Sequence[PairTest],
    settings: CompareSettings,
) -> list[str]:
    notes = list(grid.only_columns([column]).notes)
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
            f"scores are missing: {fewer:,} of {len(among):,} pairs are compared on fewer than "
            f"{len(grid.topics):,} topics, those that both systems have"
        )
    for reason in dict.fromkeys(pair.reason for pair in among if pair.reason):
        count = sum(pair.reason == reason for pair in among)
        notes.append(f"{count:,} of {len(among):,} pairs have no p: {reason}")
    hopeless = note_unreachable(among, len(having_p(among)), settings)
    if against and not note_unreachable(against, len(having_p(against)), settings):
        # The tests against the baseline are fewer, and so they can show something.
        named = f"only comparisons with {against[0].second} can be significant here: elsewhere"
        nothing = "nothing can be significant here:"
        hopeless = [note.replace(nothing, named) for note in hopeless]
    return notes + hopeless
