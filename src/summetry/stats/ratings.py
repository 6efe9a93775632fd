"""How far judges agree who rated the same things on a scale, with bootstrap intervals.

    fleiss     kappa of equal ratings: every rating is a class of its own
    weighted   Cohen's kappa with weights (a - b)^2, mean over all pairs of judges, each pair
               counted by the number of things that both rated
    alpha      Krippendorff's alpha for ordered ratings

Ratings may be missing; a thing with fewer than two is left out. Where every judge rated everything
the mean over pairs is the plain one; where not, a judge with two ratings, whose kappas are nearly
all chance, counts as much as two ratings do. For an interval whole clusters of
things (the summaries of a topic) are drawn with replacement, since things of a cluster are alike.
A value is undefined (NaN) where all ratings are the same.

Of ordered ratings alpha's distance of two classes is the distance of their middle ranks, so with
s = 2 * (middle rank) - N, whose mean is 0, it is

    alpha = 1 - (N - 1) / N * sum over things (n sum s^2 - (sum s)^2) / (n - 1) / sum of all s^2

where N counts all ratings and n those of a thing. ``stats.agreement.krippendorff_alpha`` has the
definition, class by class.

Sources: Fleiss (1971); Cohen (1968); Krippendorff (2011), Computing Krippendorff's
alpha-reliability.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from summetry.arrays.threads import one_thread
from summetry.arrays.types import Floats, Ints
from summetry.stats.concordance import divided
from summetry.stats.resampling import at_once, percentiles, times_drawn
from summetry.stats.significance import DRAWS


class Estimate(NamedTuple):
    """A coefficient with the ends of its interval; NaN where there is none."""

    value: float
    low: float
    high: float


class RatingsAgreement(NamedTuple):
    """The coefficients; P(A) and P(E) are those of Fleiss' kappa."""

    agreement: float
    chance: float
    fleiss: Estimate
    weighted: Estimate
    alpha: Estimate


def ratings_agreement(
    ratings: Floats, clusters: Ints, draws: int = DRAWS, seed: int = 0
) -> RatingsAgreement:
    """The agreement of judges; ``ratings[judge, thing]`` is NaN where there is none.

    ``clusters`` says which cluster (0, 1, ...) each thing belongs to. With one cluster, or without
    draws, there are no intervals.
    """
    rated = (~np.isnan(ratings)).sum(axis=0) > 1
    ratings, clusters = ratings[:, rated], np.unique(clusters[rated], return_inverse=True)[1]
    size = int(clusters.max(initial=-1)) + 1
    whole = np.ones((size, 1))
    counts = _Counts(ratings, clusters, size)
    agreement, chance = (float(part[0]) for part in counts.fleiss_parts(whole))
    drawn = np.empty((size, 0))
    if size > 1 and draws:
        places = np.random.default_rng(seed).integers(0, size, (draws, size))
        drawn = times_drawn(places, size)
    step = at_once(max(len(counts.codes), size))
    parts = [drawn[:, start : start + step] for start in range(0, drawn.shape[1], step)]
    estimates = []
    with one_thread():
        for coefficient in (counts.fleiss, counts.weighted, counts.alpha):
            values = np.concatenate([np.empty(0), *(coefficient(part) for part in parts)])
            low, high, _ = percentiles(values, 0.95)
            estimates.append(Estimate(float(coefficient(whole)[0]), low, high))
    return RatingsAgreement(agreement, chance, *estimates)


class _Counts:
    """What the coefficients of any resample are made of; every thing has two ratings or more.

    ``drawn`` has a row per cluster and a column per resample: how often the cluster was drawn.
    """

    def __init__(self, ratings: Floats, clusters: Ints, size: int) -> None:
        self.clusters, self.size = clusters, size
        # The ratings one after the other, thing by thing, as numbers of classes.
        things, judges = np.nonzero(~np.isnan(ratings).T)
        classes, codes = np.unique(ratings[judges, things], return_inverse=True)
        count = np.bincount(things, minlength=ratings.shape[1]).astype(np.float64)
        keys = clusters[things] * len(classes) + codes
        counts = np.bincount(keys, minlength=size * len(classes)).astype(np.float64)
        self.classes = counts.reshape(size, len(classes)).T
        # The share of the pairs of judges who agree on each thing.
        owners, times = np.unique(things * len(classes) + codes, return_counts=True)
        equal = np.bincount(owners // len(classes), times * (times - 1.0), len(count))
        self.agreeing = equal / (count * (count - 1))
        # Things of a cluster with the same ratings are one, so many times.
        rows = np.full(ratings.shape, -1)
        rows[judges, things] = codes
        alike, self.times = np.unique(
            np.vstack([clusters, np.sort(rows, axis=0)]), axis=1, return_counts=True
        )
        self.owners, known = alike[0], alike[1:].T >= 0
        self.codes, self.ratings = alike[1:].T[known], known.sum(axis=1).astype(np.float64)
        self.first = np.append(0, np.cumsum(self.ratings[:-1])).astype(np.int64)
        self.pairs = _pair_sums(ratings, clusters, size)

    def fleiss_parts(self, drawn: Floats) -> tuple[Floats, Floats]:
        """P(A) and P(E)."""
        shares = np.bincount(self.clusters, self.agreeing, minlength=self.size)
        things = np.bincount(self.clusters, minlength=self.size)
        totals = self.classes @ drawn
        chance = divided((totals**2).sum(axis=0), totals.sum(axis=0) ** 2)
        return divided(shares @ drawn, things @ drawn), chance

    def fleiss(self, drawn: Floats) -> Floats:
        agreement, chance = self.fleiss_parts(drawn)
        return divided(agreement - chance, 1 - chance)

    def weighted(self, drawn: Floats) -> Floats:
        total, known = np.zeros(drawn.shape[1]), np.zeros(drawn.shape[1])
        for sums in self.pairs:
            n, apart, x, y, squares = sums @ drawn
            expected = n * squares - 2 * x * y
            # Of ratings that are no whole numbers a difference of nothing may be a little more.
            expected[expected <= 1e-12 * n * squares] = 0
            kappa = 1 - divided(n * apart, expected)
            shared = np.where(np.isnan(kappa), 0, n)
            total += shared * np.nan_to_num(kappa)
            known += shared
        return divided(total, known)

    def alpha(self, drawn: Floats) -> Floats:
        totals = self.classes @ drawn
        n = totals.sum(axis=0)
        # Twice the middle rank less all ratings: whole numbers, whose mean is 0.
        ranks = 2 * np.cumsum(totals, axis=0) - totals - n
        given = ranks[self.codes]
        if not len(given):
            return np.full(drawn.shape[1], np.nan)
        sums, squares = (np.add.reduceat(of, self.first, axis=0) for of in (given, given**2))
        spread = self.ratings[:, None] * squares - sums**2
        shares = (self.times / (self.ratings - 1))[:, None]
        seen = (drawn[self.owners] * spread * shares).sum(axis=0)
        return 1 - divided((n - 1) * seen, n * (totals * ranks**2).sum(axis=0))


def _pair_sums(ratings: Floats, clusters: Ints, size: int) -> list[Floats]:
    """Of each pair of judges, by cluster: n, and the sums of (x - y)^2, x, y and x^2 + y^2."""
    pairs: list[Floats] = []
    for x, y in combinations(ratings, 2):
        both = np.flatnonzero(~np.isnan(x + y))
        if len(both):
            a, b = x[both], y[both]
            numbers = (np.ones(len(both)), (a - b) ** 2, a, b, a**2 + b**2)
            sums = [np.bincount(clusters[both], of, minlength=size) for of in numbers]
            pairs.append(np.array(sums, np.float64))
    return pairs
