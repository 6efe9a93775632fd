"""A non-negative combination of measures that follows people's marks, and what it is worth.

The combination is w_1 x_1 + ... + w_k x_k with w >= 0, by least squares (``least_squares.py``).
The sign of values of which lower is better is reversed first, so that their weights come out
negative. A summary counts where all measures and people have a value.

What it is worth is estimated by cross-validation, beside the best single measure
(``cross_validation.py``).

*Chance.* Say that the other measures tell nothing beyond the best one, x. Then what x leaves of the
marks, z - b x, belongs to no system, and might as well be another system's: its rows change places
at random, b x is added again, and everything from the choice of weights on is done anew (Freedman
and Lane 1983). p is the share of draws that gain as much. Where no measure fits, b is 0. All ways
are counted where there are no more of them than draws; else the real one counts as a draw too, so
that p is never 0. A sum that is as good as the single measure, or made
of one measure only, has p = 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations
from typing import NamedTuple

import numpy as np

from summetry import spec
from summetry.arguments import Progress, counter
from summetry.arrays.threads import one_thread
from summetry.arrays.types import Bools, Floats, Ints
from summetry.errors import SummetryError
from summetry.metaeval.columns import sign_of
from summetry.metaeval.cross_validation import (
    CombineSettings,
    CrossValidated,
    Folds,
    cross_validate,
)
from summetry.metaeval.grids import Grid, GridJudgments
from summetry.metaeval.least_squares import (
    EQUAL,
    Fit,
    Level,
    best_alone,
    design,
    different,
    fit_weights,
    unstandardised,
)
from summetry.metrics.combination import Combination, MetricValue
from summetry.records.scores import Column
from summetry.stats.levels import correlate

# How many marks of permuted tables are held at once.
STEP = 1 << 21
# The digits of weights, in tables and spellings.
DIGITS = 6


class Gain(NamedTuple):
    """What a combination gains over a single measure, and how likely chance alone gives as much."""

    single: float
    combination: float
    p: float

    @property
    def value(self) -> float:
        gained = self.combination - self.single
        # The noise of addition is no gain, and no loss.
        return 0.0 if abs(gained) <= EQUAL else gained


@dataclass(frozen=True)
class Combined:
    """A combination of measures, and what it is worth."""

    fit: Fit
    # The coefficient of each measure with the marks.
    singles: tuple[float, ...]
    # Over the best single measure as chosen in the folds, and as it is known in hindsight.
    gain: Gain
    hindsight: Gain
    # In how many folds each measure had a weight, and was the best single one.
    used: tuple[int, ...]
    chosen: tuple[int, ...]
    draws: int
    exact: bool
    systems: int
    topics: int
    system_folds: int
    topic_folds: int
    # Summaries with all values and a mark, and those of all systems and topics that lack one.
    cells: int
    missing: int
    # Why there is no p; empty where there is one.
    reason: str = ""


def combine_columns(
    grid: Grid,
    marks: GridJudgments,
    settings: CombineSettings | None = None,
    progress: Progress = lambda done, total: None,
) -> Combined:
    """The combination of all columns of a grid, weights for their values as they are."""
    signs = np.array([sign_of(column) for column in grid.columns])
    combined = combine(grid.finite() * signs[:, None, None], marks.means(), settings, progress)
    raw = (*(combined.fit.raw * signs).tolist(), combined.fit.constant)
    # Adding 0 leaves no -0 behind.
    *weights, constant = (float(f"{weight:.{DIGITS}g}") + 0.0 for weight in raw)
    return replace(combined, fit=Fit(combined.fit.standardised, np.array(weights), constant))


def spelling(columns: Sequence[Column], fit: Fit) -> str:
    """The combination as a metric for ``summetry score``; weights of 0 are left out.

    A column of a metric that is not ours cannot be scored, and the error names it.
    """
    used = [(c, w) for c, w in zip(columns, fit.raw.tolist(), strict=True) if w]
    parts = tuple(MetricValue.from_spec(column.name) for column, _ in used)
    return spec.show(Combination(parts, tuple(weight for _, weight in used), fit.constant))


def combine(
    measures: Floats,
    marks: Floats,
    settings: CombineSettings | None = None,
    progress: Progress = lambda done, total: None,
) -> Combined:
    """The combination of ``measures`` (measures x systems x topics) that follows ``marks``.

    Higher values must be better for all measures; a missing value is NaN.
    """
    settings = settings or CombineSettings()
    x, z, present = _complete(measures, marks)
    folds = Folds.of(z.shape, settings.folds)
    gaps = [np.where(present, table, np.nan) for table in (*x, z)]
    singles = [
        correlate(one, gaps[-1], settings.level, settings.coefficient).value for one in gaps[:-1]
    ]
    with one_thread():
        fit = fit_weights(x, z, present, settings.level)
        judged = cross_validate(x, z[..., None], present, settings, folds)
        reason = _reason(fit, judged)
        exact = math.factorial(len(z)) <= settings.draws
        null = _permuted(x, z, present, settings, folds, progress) if not reason else []
        gains = _gains(judged, list(null), exact, bool(reason))
    if len(different(design(x, present, settings.level).gram)) == 1:
        # A sum of one measure is that measure, though a fold may leave it out.
        gains = [gain if math.isnan(gain.p) else gain._replace(p=1.0) for gain in gains]
    return Combined(
        fit=fit,
        singles=tuple(singles),
        gain=gains[0],
        hindsight=gains[1],
        used=tuple(judged.used.sum(axis=0).tolist()),
        chosen=tuple(judged.chosen.sum(axis=0).tolist()),
        draws=0 if reason else min(settings.draws, math.factorial(len(z))),
        exact=exact,
        systems=z.shape[0],
        topics=z.shape[1],
        system_folds=len(folds.systems),
        topic_folds=len(folds.topics),
        cells=int(present.sum()),
        missing=int(np.size(marks) - present.sum()),
        reason=reason,
    )


def _gains(
    judged: CrossValidated, null: Sequence[CrossValidated], exact: bool, undefined: bool
) -> list[Gain]:
    """The two gains with their p, from judgments of permuted marks."""
    both = []
    for name in ("single", "hindsight"):
        single, combination = float(getattr(judged, name)[0]), float(judged.combination[0])
        if undefined:
            both.append(Gain(single if name == "hindsight" else math.nan, math.nan, math.nan))
            continue
        # Where no measure has a weight in any fold, a table says nothing, and is worth 0.
        drawn = [np.nan_to_num(j.combination) - np.nan_to_num(getattr(j, name)) for j in null]
        gains = np.concatenate(drawn)
        real = int(not exact)
        hits = int((gains >= combination - single - EQUAL).sum())
        p = (hits + real) / (len(gains) + real)
        # What gains nothing is not rare, however often chance alone would lose.
        same = abs(combination - single) <= EQUAL
        both.append(Gain(single, combination, 1.0 if same else p))
    return both


def _permuted(
    x: Floats,
    z: Floats,
    present: Bools,
    settings: CombineSettings,
    folds: Folds,
    progress: Progress,
) -> Iterator[CrossValidated]:
    """All again, where what the best measure leaves of the marks belongs to other systems."""
    explained = _explained_by_best(x, z, present, settings.level)
    rest = _filled(np.where(present, z - explained, np.nan))
    total = min(settings.draws, math.factorial(len(z)))
    step = max(STEP // z.size, 1)
    orders = islice(_orders(len(z), settings), total)
    fitted = counter(total * len(folds), progress)
    while some := list(islice(orders, step)):
        marks = explained[..., None] + np.moveaxis(rest[np.array(some)], 0, -1)
        marks = np.where(present[..., None], marks, 0.0)
        yield cross_validate(x, marks, present, settings, folds, fitted)


def _explained_by_best(x: Floats, z: Floats, present: Bools, level: Level) -> Floats:
    """The part of the marks that the best single measure explains: b x, or 0."""
    problem = design(x, present, level)
    raw = unstandardised(best_alone(problem.products_with(z)), problem.sizes)[:, 0]
    explained: Floats = np.einsum("k,kij->ij", raw, x)
    return explained


def _filled(rest: Floats) -> Floats:
    """Only whole rows can change places: a gap gets what its row and its column have in common."""
    there = ~np.isnan(rest)
    numbers = np.where(there, rest, 0.0)
    rows = numbers.sum(axis=1, keepdims=True) / there.sum(axis=1, keepdims=True)
    columns = numbers.sum(axis=0) / there.sum(axis=0)
    return np.where(there, rest, rows + columns - numbers.sum() / there.sum())


def _orders(systems: int, settings: CombineSettings) -> Iterator[Sequence[int] | Ints]:
    """All orders of the systems, or as many drawn ones as are asked for."""
    if math.factorial(systems) <= settings.draws:
        yield from permutations(range(systems))
        return
    random = np.random.default_rng(settings.seed)
    while True:
        yield random.permutation(systems)


def _complete(measures: Floats, marks: Floats) -> tuple[Floats, Floats, Bools]:
    """Systems and topics that have a summary with all values and a mark; 0 in the gaps."""
    x, z = np.asarray(measures, np.float64), np.asarray(marks, np.float64)
    if x.ndim != 3 or x.shape[1:] != z.shape or not len(x):
        raise SummetryError(
            f"expected metrics x systems x topics and judgments of systems x topics, got shapes "
            f"{x.shape} and {z.shape}"
        )
    present = np.isfinite(x).all(axis=0) & np.isfinite(z)
    systems, topics = present.any(axis=1), present.any(axis=0)
    present = present[systems][:, topics]
    x, z = x[:, systems][:, :, topics], z[systems][:, topics]
    return np.where(present, x, 0.0), np.where(present, z, 0.0), present


def _reason(fit: Fit, judged: CrossValidated) -> str:
    if not fit.standardised.any():
        return "no metric follows the judgments: all weights are 0"
    if not judged.used.any():
        return "in no fold does a metric follow the judgments: all weights are 0 there"
    if math.isnan(judged.combination[0]) or math.isnan(judged.single[0]):
        return "there is no coefficient: the judgments, or the values, are all the same"
    return ""
