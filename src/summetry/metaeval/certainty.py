"""How sure the coefficients of metrics are: p, intervals, tests against the best metric, clusters.

A coefficient has a p of its own, how likely chance alone gives as much (``stats.association``), and
the bootstrap's interval (``stats.resampling``). Metrics are compared by permutation tests, or by
Williams' (``stats.dependent``). Those against the best metric are two-sided and corrected for their
number by Holm's rule. The metrics that do not differ significantly from the best are its cluster;
the best of the others is tested against the rest of them in the same way, and so on. So a metric is
in the first cluster exactly if its corrected p against the best is above alpha.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from summetry.arrays.types import Floats
from summetry.errors import counted
from summetry.metaeval.columns import better_of, is_made_of_judgments, sign_of
from summetry.metaeval.correlation_tables import CorrelateSettings, MetricCorrelation
from summetry.metaeval.notes import note_unreachable_alpha
from summetry.metaeval.selection import JudgedScores
from summetry.records.scores import Column
from summetry.stats.association import association
from summetry.stats.dependent import EQUAL, Blocks, MetricTests, WilliamsTests
from summetry.stats.levels import Level
from summetry.stats.multiple import holm
from summetry.stats.resampling import BY_JUDGE, bootstrap_many
from summetry.stats.significance import draws_needed, is_significant
from summetry.stats.weighted import Coefficient

# Both ends of an interval, and how many draws it has.
Ends = tuple[float, float, int]


def ranked(rows: Sequence[MetricCorrelation], dimension: str) -> list[MetricCorrelation]:
    """The rows of a coefficient with ranks."""
    values = [_oriented_value(row, dimension) for row in rows]
    return [
        row if math.isnan(own) else replace(row, rank=1 + sum(v > own + EQUAL for v in values))
        for row, own in zip(rows, values, strict=True)
    ]


def _oriented_value(row: MetricCorrelation, dimension: str) -> float:
    """What a row is ranked by; NaN where it is not ranked."""
    return sign_of(row.column) * row.value if _is_ranked(row.column, dimension) else math.nan


def _is_ranked(column: Column, dimension: str) -> bool:
    """Whether one direction is better, and the judges of the dimension did not make the value."""
    return better_of(column) != "neither" and not is_made_of_judgments(column, dimension)


class Certainty:
    """The rows of all parts with p, intervals, tests and clusters; what they share is drawn once.

    ``tick`` is called for each row that has been compared.
    """

    def __init__(
        self, parts: Sequence[JudgedScores], settings: CorrelateSettings, tick: Callable[[], None]
    ) -> None:
        self._settings, self._tick = settings, tick
        self._permutations: dict[bytes, Blocks] = {}
        self._intervals: dict[tuple[JudgedScores, Level, Coefficient], list[Ends]] = {}
        # Dimensions that judge the same scores are resampled together.
        self._alike: dict[bytes, list[JudgedScores]] = {}
        for part in parts:
            self._alike.setdefault(_scores_of(part), []).append(part)

    def of(
        self,
        rows: Sequence[MetricCorrelation],
        part: JudgedScores,
        level: Level,
        coefficient: Coefficient,
    ) -> tuple[list[MetricCorrelation], list[str]]:
        """The ranked rows of a coefficient, and notes where no test could show anything."""
        rows = self._with_p(rows, part, level, coefficient)
        rows = self._with_intervals(rows, part, level, coefficient)
        return self._with_clusters(rows, part, level, coefficient)

    def _with_p(
        self,
        rows: Sequence[MetricCorrelation],
        part: JudgedScores,
        level: Level,
        coefficient: Coefficient,
    ) -> list[MetricCorrelation]:
        people, draws, seed = part.marks.means(), self._settings.resamples, self._settings.seed
        return [
            replace(row, p=association(x, people, level, coefficient, draws=draws, seed=seed).p)
            for row, x in zip(rows, part.oriented(), strict=True)
        ]

    def _with_intervals(
        self,
        rows: Sequence[MetricCorrelation],
        part: JudgedScores,
        level: Level,
        coefficient: Coefficient,
    ) -> list[MetricCorrelation]:
        key = part, level, coefficient
        if key not in self._intervals:
            self._intervals |= self._resampled(*key)
        made = []
        for row, (low, high, kept) in zip(rows, self._intervals.pop(key), strict=True):
            ends = (-high, -low) if row.better == "lower" else (low, high)
            made.append(replace(row, low=ends[0], high=ends[1], draws=kept))
        return made

    def _resampled(
        self, part: JudgedScores, level: Level, coefficient: Coefficient
    ) -> dict[tuple[JudgedScores, Level, Coefficient], list[Ends]]:
        """The intervals of a part, and of those that judge the same scores."""
        settings, alike = self._settings, self._alike[_scores_of(part)]
        none: list[Ends] = [(math.nan, math.nan, 0)] * len(part.grid.columns)
        intervals = {(one, level, coefficient): none for one in alike}
        by_judge = settings.over in BY_JUDGE
        # Of one judge there are no others to draw.
        drawn = [one for one in alike if not by_judge or len(one.marks.judges) > 1]
        people = [one.marks.values if by_judge else one.marks.means() for one in drawn]
        each = bootstrap_many(
            part.oriented(), people, level, coefficient, settings.over,
            draws=settings.resamples, confidence=1 - settings.alpha, seed=settings.seed,
        )  # fmt: skip
        for one, ends in zip(drawn, each, strict=True):
            intervals[one, level, coefficient] = ends
        return intervals

    def _with_clusters(
        self,
        rows: Sequence[MetricCorrelation],
        part: JudgedScores,
        level: Level,
        coefficient: Coefficient,
    ) -> tuple[list[MetricCorrelation], list[str]]:
        """The rows with tests against the best, and clusters; and doubts of tests.

        The best of those that are in no cluster yet is tested against the others of them. Those
        that do not differ significantly from it, or cannot be tested, are its cluster.
        """
        tested = list(rows)
        values = np.array([_oriented_value(row, part.dimension) for row in rows])
        # Equal ones as they came.
        places = np.flatnonzero(~np.isnan(values))
        waiting: list[int] = places[np.argsort(-values[places], kind="stable")].tolist()
        for _ in range(len(rows) - len(waiting)):
            self._tick()
        if not waiting:
            return tested, []
        tests, notes = self._tests(part, level, len(waiting) - 1), []
        cluster = 0
        while waiting:
            cluster += 1
            best, *others = waiting
            p = tests.against(best, others, coefficient)[1]
            corrected = holm(p)
            if cluster == 1:
                notes = _unreachable(p, tests, self._settings)
                for place, own, after in zip(others, p.tolist(), corrected.tolist(), strict=True):
                    tested[place] = replace(tested[place], p_best=own, p_best_corrected=after)
            significant = is_significant(corrected, self._settings.alpha).tolist()
            differs = dict(zip(others, significant, strict=True))
            for place in [best, *(other for other in others if not differs[other])]:
                tested[place] = replace(tested[place], cluster=cluster)
                self._tick()
            waiting = [other for other in others if differs[other]]
        return tested, notes

    def _tests(
        self, part: JudgedScores, level: Level, comparisons: int
    ) -> MetricTests | WilliamsTests:
        settings, tables, people = self._settings, part.oriented(), part.marks.means()
        if settings.test == "williams":
            return WilliamsTests(tables, people, level)
        draws, seed = settings.permutations(comparisons), settings.seed
        kept = self._permutations
        return MetricTests(tables, people, level, settings.swap, draws=draws, seed=seed, kept=kept)


def _scores_of(part: JudgedScores) -> bytes:
    """Equal for parts that have the same scores, whatever is judged."""
    values = part.grid.values
    return repr((values.shape, part.grid.columns)).encode() + values.tobytes()


def _unreachable(
    p: Floats, tests: MetricTests | WilliamsTests, settings: CorrelateSettings
) -> list[str]:
    """A note where the smallest p that there can be is above alpha after Holm's correction."""
    count = int((~np.isnan(p)).sum())
    if not count or isinstance(tests, WilliamsTests):
        return []
    number = tests.permutations.number
    if tests.permutations.exact:
        # Among all ways there is the real one, and the one that swaps everything is as extreme.
        least, limit, remedy = 2 / number, f"all {number:,} ways to swap", "more systems or topics"
    else:
        least, limit = 1 / (number + 1), counted(number, "draw")
        remedy = counted(draws_needed(count, settings.alpha), "draw")
    return note_unreachable_alpha(least, count, settings.alpha, limit, remedy)
