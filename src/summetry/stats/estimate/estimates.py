"""What people would say of every system, from judgments of a few topics and proxies of all.

Every mean and every paired difference is a target with weights of its own (``targets``), so the
difference of two printed means is not exactly the printed difference. Two systems are paired if
three topics or more were judged for both, and these are half of what either was judged on;
otherwise their means are subtracted.

Holm's correction is over all pairs. The ranks that a system may have go from 1 + how many are
significantly better to how many are not significantly worse: all of these hold together with the
confidence that is asked for.

    saved = 1 - (half width / half width from the judgments alone)^2

is the share of the judgments that the proxies save; it may be negative.

The judged topics must have been drawn at random. A judgment of a summary that lacks a proxy is
dropped and counted. A system needs three judged topics for an estimate.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from statistics import median_high
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from summetry.arguments import check_confidence
from summetry.arrays.types import Bools, Floats, Ints
from summetry.errors import SummetryError, must_be_known
from summetry.stats.estimate.intervals import (
    Spreads,
    p_of_zero,
    rank_ranges,
    saved,
    spreads_of_means,
    spreads_of_pairs,
    spreads_of_two_means,
)
from summetry.stats.estimate.needed import Source, smallest_seen, topics_to_judge
from summetry.stats.estimate.targets import Fits, distances, fit
from summetry.stats.multiple import holm
from summetry.stats.power import MOST, POWER
from summetry.stats.significance import is_significant

# ``topics``: topics like these, as in ``compare``; ``these``: exactly these and no others.
Population = Literal["topics", "these"]
POPULATIONS: tuple[Population, ...] = get_args(Population)
# So many judged topics are needed for an estimate.
FEWEST = 3
# So many cells of pairs x topics are held at once.
_HELD = 1 << 21


class Alone(NamedTuple):
    """What the judgments say without any proxy; p is that of a difference."""

    estimate: float
    se: float
    low: float
    high: float
    p: float = math.nan


class Mean(NamedTuple):
    """The mean judgment of a system; all from ``estimate`` on is NaN below three judged topics."""

    system: int
    # Judged topics, and all topics, that have every proxy; judgments without a proxy.
    judged: int
    topics: int
    dropped: int
    proxy_means: tuple[float, ...]
    # How many standard errors the judged topics' proxies are from the mean of all.
    distances: tuple[float, ...]
    estimate: float = math.nan
    weights: tuple[float, ...] = ()
    freedom: int = 0
    se: float = math.nan
    low: float = math.nan
    high: float = math.nan
    # Too few different judgments: the interval promises nothing.
    thin: bool = False
    alone: Alone = Alone(math.nan, math.nan, math.nan, math.nan)
    saved: float = math.nan

    @property
    def is_estimated(self) -> bool:
        return self.judged >= FEWEST


class Difference(NamedTuple):
    """The mean judgment of system a minus that of system b."""

    a: int
    b: int
    paired: bool
    # Topics that were judged for both, and all topics of both; none if not paired.
    judged: int | None
    topics: int | None
    estimate: float
    weights: tuple[float, ...] | None
    freedom: float
    se: float
    low: float
    high: float
    p: float
    p_holm: float
    # The interval that holds together with those of all other pairs.
    low_all: float
    high_all: float
    thin: bool
    alone: Alone
    saved: float
    # Topics to judge to see a difference of the size that was asked for; none if all are too few.
    needed: int | None = None
    needed_alone: int | None = None
    # The smallest difference that is seen if all topics are judged, where one was asked for.
    smallest: float = math.nan


class Rank(NamedTuple):
    """The rank of a system, and the best and the worst that it may have."""

    system: int
    rank: int
    best: int
    worst: int


class Estimate(NamedTuple):
    """Means of all systems, differences of all pairs, ranks, and what the proxies save."""

    means: tuple[Mean, ...]
    differences: tuple[Difference, ...]
    ranks: tuple[Rank, ...]
    saved_means: float
    saved_differences: float
    confidence: float
    population: Population
    # The difference that ``needed`` is about, if one was asked for, and the power.
    detect: float | None
    power: float

    def topics_needed(self, alone: bool = False) -> tuple[int | None, int | None]:
        """Topics to judge to see ``detect`` in the pair in the middle, and in every pair."""
        needed = [d.needed_alone if alone else d.needed for d in self.differences]
        if not needed:
            return None, None
        # A pair that no number of topics is enough for needs more than any other.
        order = sorted(math.inf if count is None else count for count in needed)
        return _finite(median_high(order)), _finite(order[-1])

    def smallest_seen(self) -> tuple[float, float]:
        """What is seen if all topics are judged, in the pair in the middle and in every pair."""
        order = sorted(d.smallest for d in self.differences)
        return (median_high(order), order[-1]) if order else (math.nan, math.nan)


def _finite(count: float) -> int | None:
    return None if math.isinf(count) else int(count)


def estimate(
    judgments: ArrayLike,
    proxies: ArrayLike,
    confidence: float = 0.95,
    population: Population = "topics",
    detect: float | None = None,
    power: float = POWER,
    scale: tuple[float, float] | None = None,
) -> Estimate:
    """Estimates from judgments (systems x topics) and proxies (proxies x systems x topics).

    NaN is what nobody judged, or a proxy that is missing. Intervals of means are cut at ``scale``,
    the lowest and the highest possible judgment. ``detect`` is a difference of two systems: with
    the probability ``power`` it is seen if so many topics are judged as ``needed`` says.

    >>> judged = [[3, 4, 5, 4] + [math.nan] * 4, [2, 2, 4, 2] + [math.nan] * 4]
    >>> metric = [[0.3, 0.4, 0.5, 0.4, 0.6, 0.3, 0.4, 0.5], [0.2, 0.2, 0.4, 0.1] * 2]
    >>> found = estimate(judged, [metric])
    >>> [mean.estimate for mean in found.means], found.differences[0].estimate
    ([4.0, 2.5], 1.5)
    """
    y, f = _checked(judgments, proxies)
    check_estimate(confidence, population, detect, power, scale)
    these, tail = population == "these", (1 - confidence) / 2
    there: Bools = np.asarray(~np.isnan(f).any(axis=0))
    fits = fit(y, f, there)
    kept = np.flatnonzero(fits.judged >= FEWEST)
    if not len(kept):
        raise SummetryError(
            f"judge at least {FEWEST} topics of one system: no system has {FEWEST} judgments "
            f"of summaries with a value of the metric, the most is {fits.judged.max(initial=0)}"
        )
    own = fits.at(kept)
    means, alone = (spreads_of_means(one, these) for one in (own, own.alone()))
    half, half_alone = (spreads.half_widths(tail) for spreads in (means, alone))
    rows = _unestimated(fits, y, f, there)
    limits = scale or (-math.inf, math.inf)
    known = _estimated(own, means, alone, half, half_alone, limits)
    for system, row in zip(kept.tolist(), known, strict=True):
        rows[system] = rows[system]._replace(**row)
    pairs = _pairs(y[kept], f[:, kept], there[kept], own, (means, alone), these)
    widths, widths_alone = pairs.spreads.half_widths(tail), pairs.alone.half_widths(tail)
    found = list(_difference_rows(pairs, kept, widths, widths_alone, tail))
    if detect is not None:
        found = [
            row._replace(needed=needed, needed_alone=needed_alone, smallest=smallest)
            for row, (needed, needed_alone, smallest) in zip(
                found, pairs.needed(own, detect, these, power, 1 - confidence), strict=True
            )
        ]
    return Estimate(
        tuple(rows), tuple(found), tuple(_ranks(kept, own.estimate, found, 1 - confidence)),
        _pooled(half, half_alone), _pooled(widths, widths_alone),
        confidence, population, detect, power,
    )  # fmt: skip


class _Pairs(NamedTuple):
    """All pairs of estimated systems, i and k their places."""

    i: Ints
    k: Ints
    paired: Bools
    # Of the paired ones alone, in their order.
    fits: Fits
    estimate: Floats
    plain: Floats
    thin: Bools
    # With and without the proxies: of pairs, and of the means they are made of.
    spreads: Spreads
    alone: Spreads
    means: tuple[Spreads, Spreads]

    def needed(
        self, own: Fits, detect: float, these: bool, power: float, alpha: float
    ) -> Iterator[tuple[int | None, int | None, float]]:
        """For each pair the topics to judge with the proxies, without them, and what all show."""
        places = np.cumsum(self.paired) - 1
        for pair, paired in enumerate(self.paired.tolist()):
            at = [places[pair]] if paired else [self.i[pair], self.k[pair]]
            fits = self.fits if paired else own
            topics = int(fits.topics[at].min())
            counts, smallest = [], math.nan
            for spreads, means in zip((self.spreads, self.alone), self.means, strict=True):
                is_alone = spreads is self.alone
                here, source = ([pair], spreads) if paired else (at, means)
                sources = [
                    Source(
                        float(source.unexplained[h]),
                        float(source.spread[h]),
                        int(fits.topics[a]),
                        0 if is_alone else int(fits.used[a]),
                    )
                    for h, a in zip(here, at, strict=True)
                ]
                most = MOST if is_alone and not these else topics
                counts.append(topics_to_judge(detect, sources, these, power, alpha, most))
                if not is_alone:
                    smallest = smallest_seen(sources, these, power, alpha, topics)
            yield counts[0], counts[1], smallest


def _pairs(
    y: Floats, f: Floats, there: Bools, own: Fits, means: tuple[Spreads, Spreads], these: bool
) -> _Pairs:
    """The differences of all pairs of systems."""
    i, k = np.triu_indices(len(y), 1)
    judged = (there & ~np.isnan(y)).astype(np.int64)
    shared = (judged @ judged.T)[i, k]
    paired = (shared >= FEWEST) & (2 * shared >= np.maximum(own.judged[i], own.judged[k]))
    fits = _paired_fits(y, f, there, i[paired], k[paired])
    estimate, plain = own.estimate[i] - own.estimate[k], own.plain[i] - own.plain[k]
    thin = own.thin[i] | own.thin[k]
    estimate[paired], plain[paired], thin[paired] = fits.estimate, fits.plain, fits.thin
    both = []
    for whole, mine, of_pairs in zip((own, own.alone()), means, (fits, fits.alone()), strict=True):
        spreads = spreads_of_two_means(whole, mine, i, k)
        for values, others in zip(spreads, spreads_of_pairs(of_pairs, these), strict=True):
            values[paired] = others
        both.append(spreads)
    return _Pairs(i, k, paired, fits, estimate, plain, thin, both[0], both[1], means)


def _paired_fits(y: Floats, f: Floats, there: Bools, i: Ints, k: Ints) -> Fits:
    """The fits of differences on shared topics, a part of the pairs at a time."""
    step = max(_HELD // max(y.shape[1], 1), 1)
    parts = []
    for start in range(0, max(len(i), 1), step):
        a, b = i[start : start + step], k[start : start + step]
        parts.append(fit(y[a] - y[b], f[:, a] - f[:, b], there[a] & there[b]))
    return Fits._make(np.concatenate(values, axis=-1) for values in zip(*parts, strict=True))


def _unestimated(fits: Fits, y: Floats, f: Floats, there: Bools) -> list[Mean]:
    """Of each system what is known without an estimate."""
    dropped = (~np.isnan(y) & ~there).sum(axis=1)
    with np.errstate(invalid="ignore"):
        proxies = np.where(there, f, 0.0).sum(axis=-1) / there.sum(axis=-1)
    away = distances(y, f, there)
    return [
        Mean(
            system, int(fits.judged[system]), int(fits.topics[system]), int(dropped[system]),
            tuple(proxies[:, system].tolist()), tuple(away[:, system].tolist()),
        )
        for system in range(len(y))
    ]  # fmt: skip


def _estimated(
    own: Fits,
    means: Spreads,
    alone: Spreads,
    half: Floats,
    half_alone: Floats,
    limits: tuple[float, float],
) -> Iterator[dict[str, Any]]:
    """What is known of each system that has an estimate."""
    low, high = (np.clip(means.centre + sign * half, *limits) for sign in (-1, 1))
    low_alone, high_alone = (np.clip(alone.centre + sign * half_alone, *limits) for sign in (-1, 1))
    by_labels = _alone_rows(own.plain, alone.error, low_alone, high_alone)
    shares = saved(half, half_alone)
    for place, labels in enumerate(by_labels):
        yield {
            "estimate": float(own.estimate[place]),
            "weights": tuple(own.weights[:, place].tolist()),
            "freedom": int(own.freedom[place]),
            "se": float(means.error[place]),
            "low": float(low[place]),
            "high": float(high[place]),
            "thin": bool(own.thin[place]),
            "alone": labels,
            "saved": float(shares[place]),
        }


def _difference_rows(
    pairs: _Pairs, kept: Ints, half: Floats, half_alone: Floats, tail: float
) -> Iterator[Difference]:
    """A row for each pair."""
    estimate, count = pairs.estimate, len(pairs.i)
    p = p_of_zero(estimate, pairs.spreads)
    corrected, shares = holm(p), saved(half, half_alone)
    wide = pairs.spreads.half_widths(tail / max(count, 1))
    labels = _alone_rows(
        pairs.plain, pairs.alone.error, pairs.plain - half_alone, pairs.plain + half_alone,
        p_of_zero(pairs.plain, pairs.alone),
    )  # fmt: skip
    places = np.cumsum(pairs.paired) - 1
    for pair in range(count):
        at, paired = int(places[pair]), bool(pairs.paired[pair])
        theta = float(estimate[pair])
        yield Difference(
            int(kept[pairs.i[pair]]), int(kept[pairs.k[pair]]), paired,
            int(pairs.fits.judged[at]) if paired else None,
            int(pairs.fits.topics[at]) if paired else None,
            theta,
            tuple(pairs.fits.weights[:, at].tolist()) if paired else None,
            float(pairs.spreads.freedom[pair]), float(pairs.spreads.error[pair]),
            theta - float(half[pair]), theta + float(half[pair]),
            float(p[pair]), float(corrected[pair]),
            theta - float(wide[pair]), theta + float(wide[pair]),
            bool(pairs.thin[pair]), labels[pair], float(shares[pair]),
        )  # fmt: skip


def _alone_rows(*columns: Floats) -> list[Alone]:
    return [Alone(*values) for values in zip(*(c.tolist() for c in columns), strict=True)]


def _ranks(
    kept: Ints, estimates: Floats, differences: Sequence[Difference], alpha: float
) -> Iterator[Rank]:
    """The ranks of the systems that have an estimate."""
    places = {system: place for place, system in enumerate(kept.tolist())}
    is_better = np.zeros((len(kept), len(kept)), bool)
    for row in differences:
        if is_significant(row.p_holm, alpha):
            a, b = places[row.a], places[row.b]
            is_better[(a, b) if row.estimate > 0 else (b, a)] = True
    ranks = zip(
        kept.tolist(), *map(np.ndarray.tolist, rank_ranges(estimates, is_better)), strict=True
    )
    for system, rank, best, worst in ranks:
        yield Rank(system, rank, best, worst)


def _pooled(half: Floats, half_alone: Floats) -> float:
    """What is saved over all targets together."""
    squares = float((half_alone**2).sum())
    return 1 - float((half**2).sum()) / squares if squares > 0 else math.nan


def _checked(judgments: ArrayLike, proxies: ArrayLike) -> tuple[Floats, Floats]:
    y, f = np.asarray(judgments, np.float64), np.asarray(proxies, np.float64)
    if y.ndim != 2 or f.ndim != 3 or f.shape[1:] != y.shape:
        raise SummetryError(
            "expected judgments as systems x topics and proxies as proxies x systems x topics of "
            f"the same systems and topics, got the shapes {y.shape} and {f.shape}"
        )
    if np.isinf(y).any() or np.isinf(f).any():
        raise SummetryError("judgments and proxies must be finite numbers, or NaN where missing")
    return y, f


def check_estimate(
    confidence: float,
    population: str,
    detect: float | None,
    power: float,
    scale: tuple[float, float] | None,
) -> None:
    """Refuse settings with which nothing can be estimated."""
    check_confidence(confidence)
    must_be_known("population", population, POPULATIONS)
    if detect is not None and not (math.isfinite(detect) and detect > 0):
        raise SummetryError(f"a difference to detect is above 0, got {detect}")
    if not 1 - confidence < power < 1:
        raise SummetryError(f"a power is between alpha ({1 - confidence:.3g}) and 1, got {power}")
    if scale is not None and not scale[0] < scale[1]:
        raise SummetryError(f"a scale goes from lowest to highest, got {scale[0]} and {scale[1]}")
