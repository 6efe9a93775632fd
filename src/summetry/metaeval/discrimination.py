"""Whether a metric finds the same differences between systems significant as people do.

For every pair of systems the metric and people each say: the first is significantly better, or
worse, or there is no significant difference. Their verdicts are counted as in the AESOP task of TAC
(``stats/discrimination.py``). A verdict comes from one of three tests of the scores on all topics:

    tukey        analysis of variance and Tukey's test, one alpha for all pairs; what NIST did
    t            Student's t of the differences topic by topic, alpha for each pair
    permutation  how often the signs of these differences, reversed at random, give as large a mean

A cell counts where both the metric and people have it, so both verdicts rest on the same topics.
Systems with the same scores everywhere do not differ (p = 1). A pair has no verdict and is left out
where fewer than two topics are in common, or t is undefined because all differences are the same.
The sign of values of which lower is better is reversed.

Source: Giannakopoulos and Karkaletsis (2010), tables 5 and 6 and appendix A.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from summetry.arguments import check_share
from summetry.arrays.types import Bools, Floats
from summetry.errors import SummetryError, must_be_known
from summetry.metaeval.columns import sign_of
from summetry.metaeval.grids import Grid, GridJudgments
from summetry.metaeval.selection import JudgedScores
from summetry.records.scores import Column
from summetry.stats.contrasts import Test as Paired
from summetry.stats.contrasts import check_draws, differences, p_of_pairs
from summetry.stats.discrimination import Discrimination, discrimination
from summetry.stats.levels import same_cells
from summetry.stats.multiple import tukey_hsd
from summetry.stats.significance import DRAWS

Test: TypeAlias = Literal["tukey", "t", "permutation"]
Pairs: TypeAlias = Literal["all", "candidate_reference"]


class Verdicts(NamedTuple):
    """For each pair of rows: the mean difference, and p; and p of the analysis of variance."""

    differences: Floats
    p: Floats
    anova: float = math.nan


@dataclass(frozen=True)
class DiscriminateSettings:
    """How verdicts are found, and of which pairs; draws and seed are of the permutation test."""

    test: Test = "tukey"
    alpha: float = 0.05
    pairs: Pairs = "all"
    draws: int = DRAWS
    seed: int = 0

    def __post_init__(self) -> None:
        must_be_known("test", self.test, get_args(Test))
        must_be_known("choice of pairs", self.pairs, get_args(Pairs))
        check_share("alpha", self.alpha)
        check_draws(self.draws)


@dataclass(frozen=True)
class VerdictAgreement:
    """How the verdicts of one value agree with those of the judgments on one dimension."""

    column: Column
    dimension: str
    counts: Discrimination
    # 1 for the value that agrees most often on this dimension; equal ones share a rank, and a null
    # judge has none.
    rank: int | None
    topics: int
    # Cells that only the value has, or only people, or neither.
    missing: int
    # p of the analysis of variance of the value's scores (Tukey's test only).
    anova: float


def discriminate(
    grid: Grid,
    marks: GridJudgments,
    settings: DiscriminateSettings | None = None,
    tick: Callable[[], None] = lambda: None,
) -> list[VerdictAgreement]:
    """One result for each value of the grid; ``tick`` is called after each."""
    settings = settings or DiscriminateSettings()
    counted = _counted_pairs(grid, settings.pairs)
    people = marks.means()
    known: dict[bytes, Verdicts] = {}
    results = []
    for column, values in zip(grid.columns, grid.values, strict=True):
        mine, theirs = same_cells(sign_of(column) * values, people)
        # Most values have the same cells, and then people's verdicts are the same too.
        key = np.isnan(theirs).tobytes()
        if key not in known:
            known[key] = verdicts(theirs, settings)
        own = verdicts(mine, settings)
        counts = _counts(own, known[key], counted, settings.alpha)
        cells = mine.shape[1], int(np.isnan(mine).sum())
        results.append(VerdictAgreement(column, marks.dimension, counts, 0, *cells, own.anova))
        tick()
    return _ranked(results)


def discriminate_nulls(
    part: JudgedScores, settings: DiscriminateSettings | None = None
) -> list[VerdictAgreement]:
    """One result for each null judge beside the values of a grid; a constant sees no difference."""
    columns, tables = zip(*part.null_tables(), strict=True)
    grid = replace(part.grid, columns=columns, values=np.array(tables), notes=(), far={})
    return [replace(one, rank=None) for one in discriminate(grid, part.marks, settings)]


def verdicts(table: ArrayLike, settings: DiscriminateSettings) -> Verdicts:
    """The differences of all pairs of rows, and p of each, by the test of the settings.

    >>> tested = verdicts([[5, 6, 7, 8], [1, 2, 3, 5]], DiscriminateSettings("t"))
    >>> tested.differences[0].tolist(), tested.p[0].round(4).tolist()
    ([0.0, 3.75], [1.0, 0.0006])
    """
    (scores,) = same_cells(table)
    if settings.test == "tukey":
        tukey = tukey_hsd(scores)
        return Verdicts(tukey.differences, tukey.p, tukey.anova)
    return _paired(scores, settings.test, settings)


def _paired(scores: Floats, test: Paired, settings: DiscriminateSettings) -> Verdicts:
    """A paired test of every row with those below it."""
    size = len(scores)
    means, p = np.zeros((size, size)), np.ones((size, size))
    for first in range(size):
        # All pairs at once would be as many tables as there are systems.
        below = np.arange(first + 1, size)
        pairs = differences(scores, np.full(len(below), first), below)
        means[first, below] = pairs.means()
        means[below, first] = -means[first, below]
        p[first, below] = p_of_pairs(pairs, test, settings.draws, settings.seed)
        p[below, first] = p[first, below]
    return Verdicts(means, p)


def _counted_pairs(grid: Grid, pairs: Pairs) -> Bools:
    """Which pairs of systems count: all, or those of a candidate and a reference."""
    roles = np.array(grid.roles)
    if pairs == "all":
        return np.ones((len(roles), len(roles)), bool)
    if len(set(grid.roles)) < 2:
        raise SummetryError(
            f"pairs of a candidate and a reference need both, but under {grid.protocol} all are "
            f"{roles[0]}s; --protocol all_peers scores references too"
        )
    differ: Bools = roles[:, None] != roles
    return differ


def _counts(metric: Verdicts, people: Verdicts, counted: Bools, alpha: float) -> Discrimination:
    """The counts over the pairs that count."""
    p = np.where(counted, metric.p, np.nan)
    counts = discrimination(p, metric.differences, people.p, people.differences, alpha)
    ignored = int((~counted[np.triu_indices(len(counted), 1)]).sum())
    return counts._replace(left_out=counts.left_out - ignored)


def _ranked(results: list[VerdictAgreement]) -> list[VerdictAgreement]:
    """The results as they came, each with its rank by agreements."""
    agreements = [result.counts.agreements for result in results]
    return [
        replace(result, rank=1 + sum(other > mine for other in agreements))
        for result, mine in zip(results, agreements, strict=True)
    ]
