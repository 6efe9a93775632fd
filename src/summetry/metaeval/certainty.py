"""How sure the coefficients of metrics are: p, intervals, tests against the best metric, clusters.

A coefficient has a p of its own, how likely chance alone gives as much (``stats.association``), and
the bootstrap's interval (``stats.resampling``). Metrics are compared by one of the tests of
``metric_tests``. Those against the best metric are two-sided and corrected for their number by
Holm's rule. The metrics that do not differ significantly from the best are its cluster; the best of
the others is tested against the rest of them in the same way, and so on. So a metric is in the
first cluster exactly if its corrected p against the best is above alpha. One that cannot be tested
is in no cluster. If the best metric is not shown to follow people at all (its own p is above
alpha), nothing is shown to be worse: then there is no second cluster, and metrics that would be in
one are in none.

Each metric is tested against the null judges of texts (``nulls``), too: is it nearer to people? A
null judge is taken in the direction in which it follows people, longer or shorter, since nobody has
said which is better; that favours it. p is two-sided where the metric is nearer and 1 where it is
not, corrected by Holm's rule for all metrics and null judges of a table. A p above alpha does not
say that the metric counts words; it says that these data do not show that it does more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from summetry.arrays.types import Floats
from summetry.errors import counted, first_names
from summetry.metaeval.columns import better_of, is_made_of_judgments, sign_of
from summetry.metaeval.correlation_tables import CorrelateSettings, MetricCorrelation
from summetry.metaeval.metric_tests import PairTester, pair_tester
from summetry.metaeval.notes import NOTHING, fewest_units, note_unreachable_alpha
from summetry.metaeval.nulls import A_LEAD, A_LENGTH
from summetry.metaeval.selection import JudgedScores
from summetry.stats.association import association
from summetry.stats.dependent import EQUAL, MOST_EXACT, Blocks, MetricTests, Swap
from summetry.stats.levels import Level, correlate
from summetry.stats.multiple import holm
from summetry.stats.resampling import BY_JUDGE, bootstrap_many
from summetry.stats.significance import draws_needed, is_significant
from summetry.stats.weighted import Coefficient

# Of one coefficient, metric by metric.
Rows = list[MetricCorrelation]
# Where a row has the p of the test against a null judge.
AGAINST = {A_LENGTH: "p_length_corrected", A_LEAD: "p_lead_corrected"}
# One of what changes places.
_UNITS: dict[Swap, str] = {"systems": "system", "topics": "topic", "cells": "summary"}


def ranked(rows: Sequence[MetricCorrelation], dimension: str) -> Rows:
    """The rows of a coefficient with ranks."""
    values = [_oriented_value(row, dimension) for row in rows]
    return [
        row if math.isnan(own) else replace(row, rank=1 + sum(v > own + EQUAL for v in values))
        for row, own in zip(rows, values, strict=True)
    ]


def _oriented_value(row: MetricCorrelation, dimension: str) -> float:
    """What a row is ranked by; NaN where neither direction is better, or the judges of the
    dimension made the value, too."""
    if better_of(row.column) == "neither" or is_made_of_judgments(row.column, dimension):
        return math.nan
    return sign_of(row.column) * row.value


class _Alike(NamedTuple):
    """Parts whose dimensions judge the same cells of the same scores, and what is counted."""

    parts: Sequence[JudgedScores]
    level: Level
    coefficient: Coefficient


class Certainty:
    """Rows of coefficients with p, intervals, tests and clusters; what they share is drawn once.

    ``tick`` is called for each row that has been compared.
    """

    def __init__(self, settings: CorrelateSettings, tick: Callable[[], None]) -> None:
        self._settings, self._tick = settings, tick
        self._permutations: dict[bytes, Blocks] = {}

    def of(
        self,
        parts: Sequence[JudgedScores],
        rows: Sequence[Rows],
        level: Level,
        coefficient: Coefficient,
    ) -> list[tuple[Rows, list[str]]]:
        """The ranked rows of each part, and notes where no test could show anything.

        Dimensions that judge the same cells of the same scores are counted together.
        """
        alike: dict[tuple[bytes, int], list[int]] = {}
        for place, (part, own) in enumerate(zip(parts, rows, strict=True)):
            ranked = sum(row.rank is not None for row in own)
            draws = self._settings.permutations(max(ranked - 1, ranked * len(part.nulls), 0))
            alike.setdefault((_cells_of(part), draws), []).append(place)
        sure: dict[int, tuple[Rows, list[str]]] = {}
        for (_, draws), places in alike.items():
            group = _Alike([parts[place] for place in places], level, coefficient)
            several = self._with_p(group, [rows[place] for place in places])
            several = self._with_intervals(group, several)
            both = self._with_clusters(group, several, draws)
            sure |= dict(zip(places, both, strict=True))
        return [sure[place] for place in range(len(parts))]

    def _with_p(self, alike: _Alike, rows: Sequence[Rows]) -> list[Rows]:
        parts, level, coefficient = alike
        draws, seed = self._settings.resamples, self._settings.seed
        tables, made = parts[0].oriented(), []
        for part, own in zip(parts, rows, strict=True):
            people = part.marks.means()
            each = [
                association(x, people, level, coefficient, draws=draws, seed=seed) for x in tables
            ]
            made.append([replace(row, p=one.p) for row, one in zip(own, each, strict=True)])
        return made

    def _with_intervals(self, alike: _Alike, rows: Sequence[Rows]) -> list[Rows]:
        parts, level, coefficient = alike
        settings, made = self._settings, list(rows)
        by_judge = settings.over in BY_JUDGE
        # Of one judge there are no others to draw.
        places = [k for k, part in enumerate(parts) if not by_judge or len(part.marks.judges) > 1]
        marks = [parts[place].marks for place in places]
        intervals = bootstrap_many(
            parts[0].oriented(), [own.values if by_judge else own.means() for own in marks],
            level, coefficient, settings.over,
            draws=settings.resamples, confidence=1 - settings.alpha, seed=settings.seed,
        )  # fmt: skip
        for place, each in zip(places, intervals, strict=True):
            made[place] = [_with_ends(*both) for both in zip(rows[place], each, strict=True)]
        return made

    def _with_clusters(
        self, alike: _Alike, rows: Sequence[Rows], draws: int
    ) -> list[tuple[Rows, list[str]]]:
        """The rows with tests against the best, and clusters; and doubts of tests.

        The best of those that are in no cluster yet is tested against the others of them. Those
        that do not differ significantly from it are its cluster.
        """
        parts, level, coefficient = alike
        test = self._settings.test_at(level, coefficient)
        tested: list[tuple[Rows, list[str]]] = [(list(own), []) for own in rows]
        waiting = [_best_first(own, part.dimension) for own, part in zip(rows, parts, strict=True)]
        for _ in range(sum(map(len, rows)) - sum(map(len, waiting))):
            self._tick()
        if not any(waiting):
            return tested
        tests, cluster = self._tests(alike, draws), 0
        while any(waiting):
            cluster += 1
            pairs = [(own[0], other, who) for who, own in enumerate(waiting) for other in own[1:]]
            compared = tests.compare(pairs, coefficient)
            for who, (own, notes) in enumerate(tested):
                mine = [k for k, pair in enumerate(pairs) if pair[2] == who]
                each = compared.p[mine]
                if cluster == 1:
                    notes += _unreachable(each, tests, self._settings)
                    notes += _untested(own, waiting[who], [compared.reasons[k] for k in mine])
                    for place in waiting[who][1:]:
                        own[place] = replace(own[place], test=test)
                waiting[who] = self._with_cluster(own, waiting[who], each, cluster)
        for own, notes in tested:
            notes += _without_doubtful_clusters(own, self._settings.alpha)
        self._against_nulls(alike, tested, tests)
        return tested

    def _against_nulls(
        self,
        alike: _Alike,
        tested: Sequence[tuple[Rows, list[str]]],
        tests: PairTester,
    ) -> None:
        """Writes the p against the null judges into the rows, and which metrics are no better."""
        parts, level, coefficient = alike
        pairs: list[tuple[int, int, int]] = []
        for who, (part, (rows, _)) in enumerate(zip(parts, tested, strict=True)):
            ranked = [place for place, row in enumerate(rows) if row.rank is not None]
            for number, null in enumerate(part.nulls.values()):
                value = correlate(null.values, part.marks.means(), level, coefficient).value
                at = len(rows) + 2 * number + (value < 0)
                pairs += [(place, at, who) for place in ranked if not math.isnan(value)]
        compared = tests.compare(pairs, coefficient)
        is_no_nearer = (compared.differences <= EQUAL) & ~np.isnan(compared.p)
        p = np.where(is_no_nearer, 1.0, compared.p)
        for who, (part, (rows, notes)) in enumerate(zip(parts, tested, strict=True)):
            mine = [place for place, pair in enumerate(pairs) if pair[2] == who]
            corrected = dict(zip(mine, holm(p[mine]).tolist(), strict=True))
            names = list(part.nulls)
            for k in mine:
                place, name = pairs[k][0], names[(pairs[k][1] - len(rows)) // 2]
                rows[place] = replace(rows[place], **{AGAINST[name]: corrected[k]})
            notes += _no_better(rows, names, self._settings.alpha)
            if not any(note.startswith(NOTHING) for note in notes):
                hopeless = _unreachable(p[mine], tests, self._settings)
                notes += (f"against null judges {note}" for note in hopeless)

    def _with_cluster(self, rows: Rows, waiting: list[int], p: Floats, cluster: int) -> list[int]:
        """Writes the cluster of the best of those who wait into their rows; who waits then.

        ``p`` is that of all others against the best; of the first cluster the rows get it, too.
        """
        corrected = holm(p)
        if cluster == 1:
            both = zip(p.tolist(), corrected.tolist(), strict=True)
            for place, (own, after) in zip(waiting[1:], both, strict=True):
                rows[place] = replace(rows[place], p_best=own, p_best_corrected=after)
        differs = [False, *is_significant(corrected, self._settings.alpha).tolist()]
        tested = [True, *(~np.isnan(corrected)).tolist()]
        for place, is_other, is_tested in zip(waiting, differs, tested, strict=False):
            if not is_other:
                rows[place] = replace(rows[place], cluster=cluster if is_tested else None)
                self._tick()
        return [place for place, is_other in zip(waiting, differs, strict=False) if is_other]

    def _tests(self, alike: _Alike, draws: int) -> PairTester:
        parts, level, coefficient = alike
        tables, people = parts[0].oriented(), np.array([part.marks.means() for part in parts])
        scored = ~np.isnan(tables).all(axis=0)
        for null in parts[0].nulls.values():
            # Where no metric has a score, nothing changes places.
            values = np.where(scored, null.values, np.nan)
            tables += [values, -values]
        test, seed = self._settings.test_at(level, coefficient), self._settings.seed
        kept = self._permutations
        return pair_tester(test, tables, people, level, draws=draws, seed=seed, kept=kept)


def _cells_of(part: JudgedScores) -> bytes:
    """Equal for parts with the same scores, and judgments of the same summaries."""
    cells, scores = np.isnan(part.marks.means()), part.grid.values
    nulls = b"".join(null.values.tobytes() for null in part.nulls.values())
    shape = repr((scores.shape, part.grid.columns, list(part.nulls))).encode()
    return shape + scores.tobytes() + cells.tobytes() + nulls


def _with_ends(row: MetricCorrelation, interval: tuple[float, float, int]) -> MetricCorrelation:
    low, high, draws = interval
    ends = (-high, -low) if row.better == "lower" else (low, high)
    return replace(row, low=ends[0], high=ends[1], draws=draws)


def _best_first(rows: Rows, dimension: str) -> list[int]:
    """The places of the ranked rows; equal ones as they came."""
    values = np.array([_oriented_value(row, dimension) for row in rows])
    places = np.flatnonzero(~np.isnan(values))
    best_first: list[int] = places[np.argsort(-values[places], kind="stable")].tolist()
    return best_first


def _no_better(rows: Rows, nulls: Sequence[str], alpha: float) -> list[str]:
    """For each null judge the metrics that were not found to be nearer to people."""
    notes = []
    for null in nulls:
        known = [row for row in rows if not math.isnan(getattr(row, AGAINST[null]))]
        worse = [row for row in known if not is_significant(getattr(row, AGAINST[null]), alpha)]
        names = [row.column.name for row in worse]
        told = f"better than {null}, as far as the test can tell"
        if worse:
            is_all = len(worse) == len(known) > 1
            notes.append(f"no metric is {told}" if is_all else f"no {told}: {first_names(names)}")
    return notes


def _untested(rows: Rows, waiting: Sequence[int], reasons: Sequence[str]) -> Iterator[str]:
    """Which of the metrics behind the best one cannot be tested against it, and why."""
    both = list(zip(waiting[1:], reasons, strict=True))
    for reason in dict.fromkeys(filter(None, reasons)):
        names = [rows[place].column.name for place, own in both if own == reason]
        yield f"no test against the best metric of {first_names(names)}: {reason}"


def _without_doubtful_clusters(rows: Rows, alpha: float) -> list[str]:
    """No cluster but the first where the best metric is not shown to follow people at all."""
    later = [place for place, row in enumerate(rows) if (row.cluster or 0) > 1]
    if not later:
        return []
    best = min((row for row in rows if row.cluster == 1), key=lambda row: row.rank or 0)
    if math.isnan(best.p) or is_significant(best.p, alpha):
        return []
    for place in later:
        rows[place] = replace(rows[place], cluster=None)
    note = f"no second cluster: {best.column.name}, the best metric, is not shown to follow people"
    return [f"{note} (p = {best.p:.2g})"]


def _unreachable(p: Floats, tests: PairTester, settings: CorrelateSettings) -> list[str]:
    """A note where the smallest p that there can be is above alpha after Holm's correction."""
    count = int((~np.isnan(p)).sum())
    if not count or not isinstance(tests, MetricTests):
        return []
    number = tests.permutations.number
    if tests.permutations.exact:
        # Among all ways there is the real one, and the one that swaps everything is as extreme.
        units, noun = int(tests.permutations.units.sum()), _UNITS[tests.swap]
        least, limit = 2 / number, counted(units, noun)
        fewest = fewest_units(count, settings.alpha, MOST_EXACT)
        remedy = counted(fewest, noun) if fewest <= MOST_EXACT else f"more than {limit}"
    else:
        least, limit = 1 / (number + 1), counted(number, "draw")
        remedy = counted(draws_needed(count, settings.alpha), "draw")
    return note_unreachable_alpha(least, count, settings.alpha, limit, remedy)
