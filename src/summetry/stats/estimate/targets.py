"""One number that people's judgments have a mean of, estimated with the help of proxies.

A target is a list of topics: y is the judgment of a topic (or the difference of two systems'
judgments), NaN where nobody judged, f the value of a proxy there, known for all N topics. On the n
judged topics S

    estimate = mean_S y + weight (mean of f over all topics - mean_S f)
    weight   = the slope of the least squares line of y on f, over S
    E        = sum_S residual^2 / (n - 1 - k),  G = sum_S (y - mean_S y)^2 / (n - 1)
    h        = (mean f - mean_S f)^2 / sum_S (f - mean_S f)^2

with k the number of proxies that are used, one for every ten judged topics at most. A proxy is left
out where it is constant on S or follows from those before it, and all are where every topic is
judged. Values of a proxy that are farther than three times the interquartile range from the
quartiles are pulled to there first: that uses the proxy alone, so it biases nothing.

It is the regression estimator of double sampling (Cochran, Sampling Techniques, ch. 7 and 12); with
weight (N - n) / N it is the estimate of PPI++.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from summetry.arrays.types import Bools, Floats, Ints

# So many judged topics for each proxy.
PER_PROXY = 10
# Fewer different values than this say too little of how the others spread.
ENOUGH_DIFFERENT = 5
_FENCE = 3.0
_SAME, _SAME_MARK, _NEW = 1e-12, 1e-9, 1e-8


class Fits(NamedTuple):
    """What is known of targets, one entry each."""

    judged: Ints
    topics: Ints
    estimate: Floats
    # The mean of the judgments alone.
    plain: Floats
    # Proxies x targets; 0 where a proxy is not used.
    weights: Floats
    used: Ints
    freedom: Ints
    # E, G and h.
    unexplained: Floats
    spread: Floats
    leverage: Floats
    # Fewer than five values differ from the commonest one.
    thin: Bools

    def alone(self) -> Fits:
        """The same without any proxy."""
        nothing, none = np.zeros_like(self.plain), np.zeros_like(self.used)
        return self._replace(
            estimate=self.plain,
            weights=np.zeros_like(self.weights),
            used=none,
            freedom=self.judged - 1,
            unexplained=self.spread,
            leverage=nothing,
        )

    def at(self, places: Ints | Bools) -> Fits:
        """Some of the targets."""
        return Fits._make(values[..., places] for values in self)


def fit(y: Floats, proxies: Floats, there: Bools) -> Fits:
    """The estimates of targets: ``y`` is targets x topics, ``proxies`` proxies x targets x topics.

    ``there`` says which topics a target has; every proxy has a value on them.

    >>> y = np.array([[1.0, 2.0, 3.0] * 4 + [np.nan] * 2])
    >>> f = np.array([[0.0, 1.0, 2.0] * 4 + [1.0, 3.0]])
    >>> fits = fit(y, f[None], np.ones(y.shape, bool))
    >>> fits.estimate.round(3).tolist(), fits.weights.tolist()
    ([2.143], [[1.0]])
    """
    everywhere = there & ~np.isnan(y)
    counts, topics = everywhere.sum(axis=-1), there.sum(axis=-1)
    # Nothing else of what nobody judged is needed than the mean of the proxies.
    columns = np.flatnonzero(everywhere.any(axis=0))
    on = everywhere[:, columns]
    plain, residual = _centred(y[:, columns], on, counts)
    most = np.where(counts < topics, counts // PER_PROXY, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        spread = (residual**2).sum(axis=-1) / (counts - 1)
    thin = counts - _commonest(y[:, columns], on) < ENOUGH_DIFFERENT

    estimate, leverage = plain.copy(), np.zeros(len(y))
    used = np.zeros(len(y), np.int64)
    slopes: list[Floats] = []
    # What each proxy adds to those before it: its values on S, the gap of its means, its squares.
    bases: list[tuple[Floats, Floats, Floats]] = []
    shares: list[list[Floats]] = []
    for values in proxies:
        inside = fenced(values, there)
        middle, new = _centred(inside[:, columns], on, counts)
        gap = _mean(inside, there, topics) - middle
        squares = (new**2).sum(axis=-1)
        shares.append([])
        for old, old_gap, old_squares in bases:
            share = _divided((new * old).sum(axis=-1), old_squares)
            new, gap = new - share[:, None] * old, gap - share * old_gap
            shares[-1].append(share)
        left = (new**2).sum(axis=-1)
        is_used = (squares > 0) & (left >= _NEW * squares) & (used < most)
        left, new = np.where(is_used, left, 0.0), np.where(is_used[:, None], new, 0.0)
        slope = _divided((residual * new).sum(axis=-1), left)
        residual = residual - slope[:, None] * new
        estimate += slope * np.where(is_used, gap, 0.0)
        leverage += _divided(gap**2, left)
        used += is_used
        bases.append((new, gap, left))
        slopes.append(slope)
    # The slopes are those of what a proxy adds; the weights are those of the proxies.
    for place in range(len(slopes))[::-1]:
        for before, share in enumerate(shares[place]):
            slopes[before] = slopes[before] - slopes[place] * share
    freedom = counts - 1 - used
    with np.errstate(invalid="ignore", divide="ignore"):
        unexplained = np.where(used > 0, (residual**2).sum(axis=-1) / freedom, spread)
    weights = np.array(slopes).reshape(len(proxies), len(y))
    return Fits(
        counts, topics, estimate, plain, weights, used, freedom, unexplained, spread, leverage, thin
    )  # fmt: skip


def distances(y: Floats, proxies: Floats, there: Bools) -> Floats:
    """How far the judged topics' mean of each proxy is from that of all topics: proxies x targets.

    It is counted in standard errors of a mean of topics drawn at random; 0 where it has none.
    """
    judged = there & ~np.isnan(y)
    counts, topics = judged.sum(axis=-1), there.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        left = np.where(counts > 0, 1 / counts - 1 / topics, 0.0)
    away = np.zeros((len(proxies), len(y)))
    for place, values in enumerate(proxies):
        inside = fenced(values, there)
        mean, parts = _centred(inside, there, topics)
        variance = _divided((parts**2).sum(axis=-1), topics - 1)
        away[place] = _divided(_mean(inside, judged, counts) - mean, np.sqrt(variance * left))
    return away


def fenced(values: Floats, there: Bools) -> Floats:
    """A proxy with what is very far from its quartiles, over the topics that are there, pulled in.

    >>> fenced(np.array([[1.0, 2.0, 3.0, 4.0, 90.0]]), np.ones((1, 5), bool)).tolist()
    [[1.0, 2.0, 3.0, 4.0, 10.0]]
    """
    count = there.sum(axis=-1)
    if not there.size or not count.any():
        return values
    ordered = np.sort(np.where(there, values, np.nan), axis=-1)
    low, high = (_quantile(ordered, count, share) for share in (0.25, 0.75))
    reach = np.where(high > low, _FENCE * (high - low), np.inf)
    return np.clip(values, (low - reach)[:, None], (high + reach)[:, None])


def _quantile(ordered: Floats, count: Ints, share: float) -> Floats:
    """The quantile of each row's first numbers, so many of them, by linear interpolation."""
    place = share * np.maximum(count - 1, 0)
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, np.maximum(count - 1, 0))
    a, b = (np.take_along_axis(ordered, at[:, None], axis=-1)[:, 0] for at in (below, above))
    return a + (b - a) * (place - below)


def _mean(values: Floats, on: Bools, count: Ints) -> Floats:
    """The mean of each row over its cells; exact where all are the same."""
    first = _first(values, on)
    return first + _divided(np.where(on, values - first[:, None], 0.0).sum(axis=-1), count)


def _centred(values: Floats, on: Bools, count: Ints) -> tuple[Floats, Floats]:
    """The mean of each row, and what its cells differ from it by: 0 where all are the same."""
    mean = _mean(values, on, count)
    parts = np.where(on, values - mean[:, None], 0.0)
    most = np.abs(np.where(on, values, 0.0)).max(axis=-1, initial=1.0)
    extent = parts.max(axis=-1, initial=0.0) - parts.min(axis=-1, initial=0.0)
    parts[extent <= _SAME * most] = 0.0
    return mean, parts


def _first(values: Floats, on: Bools) -> Floats:
    """The first value of each row; 0 where there is none."""
    if not on.shape[-1]:
        return np.zeros(len(on))
    place = on.argmax(axis=-1)[:, None]
    value = np.take_along_axis(values, place, axis=-1)[:, 0]
    return np.where(on.any(axis=-1), value, 0.0)


def _commonest(values: Floats, on: Bools) -> Ints:
    """How often the commonest value of each row is there."""
    if not on.shape[-1]:
        return np.zeros(len(on), np.int64)
    ordered = np.sort(np.where(on, values, np.nan), axis=-1)
    places = np.arange(ordered.shape[-1])
    starts = np.ones(ordered.shape, bool)
    # What is not there comes last, each a run of its own.
    starts[:, 1:] = ~(np.diff(ordered, axis=-1) <= _SAME_MARK)
    begun = np.maximum.accumulate(np.where(starts, places, 0), axis=-1)
    longest: Ints = (places - begun + 1).max(axis=-1)
    return longest


def _divided(a: Floats, b: Floats | Ints) -> Floats:
    """a / b, and 0 where b is 0."""
    return np.divide(a, b, out=np.zeros(np.shape(a)), where=np.asarray(b) > 0)
