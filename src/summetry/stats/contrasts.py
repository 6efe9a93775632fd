"""Which of many pairs of systems differ: one row of paired differences per pair, one p per row.

    permutation  how often the mean difference is as far from 0 if signs are reversed at random
    t            Student's t of the mean difference
    wilcoxon     how often the sum of ranks is as far from its middle if signs are random
    bootstrap    how often a mean of drawn topics is as far from the mean as that is from 0

All are two-sided, over the topics that both systems of a pair have (NaN elsewhere). A pair with
fewer than two such topics has no p, and two systems with the same scores have p = 1. Differences
that are all the same, and not 0, have no t, and the bootstrap has no spread to go by: no p.
No p is ever 0.

Permutations are all counted where at most 24 differences are not 0, and drawn otherwise; p is then
(1 + as far) / (1 + draws). Wilcoxon's test leaves out differences of 0 and gives equal ones their
mean rank; it counts all signs of up to 100 topics, beyond that it takes the normal distribution.

Of more than 4,096 topics the distribution of resampled means is computed and not drawn: within
some thousandths of a standard deviation it is the limit of infinitely many draws.
"""

from __future__ import annotations

import math
import sys
from typing import Literal, NamedTuple, get_args

import numpy as np

from summetry.arguments import check_confidence
from summetry.arrays.orders import doubled_ranks
from summetry.arrays.threads import one_thread
from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError, UnknownNameError
from summetry.stats.concordance import SAME, codes, divided
from summetry.stats.permutation import MANY_COLUMNS, p_of_all_signs, p_of_drawn_signs
from summetry.stats.resampling import percentiles, times_drawn
from summetry.stats.significance import DRAWS, student_p

Test = Literal["permutation", "t", "wilcoxon", "bootstrap"]

# More draws would not fit into memory, and no p needs them.
MOST_DRAWS = 10_000_000
MOST_EXACT, MOST_RANKS = 24, 100
# A sum of drawn columns is within so many standard deviations of its mean; steps in one deviation.
_REACH, _STEPS = 12, 64
# Numbers that are held at once: signs or drawn topics, and means of draws.
_STEP, _BLOCK = 1 << 19, 1 << 23


class Differences(NamedTuple):
    """Pairs x topics: the first system's score minus the second's, NaN where one has none.

    ``noise`` is what the rounding of each pair's scores may add; what is no larger is 0.
    """

    values: Floats
    noise: Floats

    def topics(self) -> Ints:
        """How many topics each pair has in common."""
        counts: Ints = (~np.isnan(self.values)).sum(axis=1)
        return counts

    def means(self) -> Floats:
        """The mean difference of each pair; NaN without a topic in common."""
        return _means(self.values)

    def deviations(self) -> Floats:
        """The standard deviation of each pair's differences; NaN below two topics."""
        counts = self.topics()
        residuals = np.where(np.isnan(self.values), 0.0, self.values - self.means()[:, None])
        residuals[np.abs(residuals) <= self.noise[:, None]] = 0.0
        return np.sqrt(divided((residuals**2).sum(axis=1), counts - 1))

    def superiority(self) -> Floats:
        """The share of topics on which the first is above the second, ties counting half."""
        above, ties = (self.values > 0).sum(axis=1), (self.values == 0).sum(axis=1)
        return divided(above + ties / 2, self.topics())


class Spread(NamedTuple):
    """For each row the ends of a bootstrap interval of its mean, and p that the mean is 0."""

    low: Floats
    high: Floats
    p: Floats


def differences(table: Floats, first: Ints, second: Ints) -> Differences:
    """The differences of pairs of rows of a table (systems x topics)."""
    one, other = table[first], table[second]
    values = one - other
    both = ~np.isnan(values)
    sizes = np.maximum(np.abs(one), np.abs(other))
    noise = SAME * np.where(both, sizes, 0.0).max(axis=1, initial=0.0)
    values[np.abs(values) <= noise[:, None]] = 0.0
    return Differences(values, noise)


def p_of_pairs(
    pairs: Differences, test: Test = "permutation", draws: int = DRAWS, seed: int = 0
) -> Floats:
    """The two-sided p of each pair by a test; the same draws for all pairs.

    >>> table = np.array([[3.0, 5.0, 7.0], [2.0, 3.0, 4.0]])
    >>> pairs = differences(table, np.array([0]), np.array([1]))
    >>> [round(float(p_of_pairs(pairs, test)[0]), 4) for test in ("permutation", "t", "wilcoxon")]
    [0.25, 0.0742, 0.25]
    """
    check_draws(draws)
    if test == "permutation":
        p = _permutation(pairs, draws, seed)
    elif test == "t":
        p = _student(pairs)
    elif test == "wilcoxon":
        p = _wilcoxon(pairs)
    elif test == "bootstrap":
        p = bootstrap_rows(pairs.values, draws, seed, noise=pairs.noise).p
        p[(pairs.deviations() == 0) & (pairs.means() != 0)] = np.nan
    else:
        raise UnknownNameError("paired test", test, get_args(Test))
    p = np.where((pairs.values == 0).sum(axis=1) == pairs.topics(), 1.0, p)
    return np.where(pairs.topics() > 1, p, np.nan)


def bootstrap_rows(
    rows: Floats,
    draws: int = DRAWS,
    seed: int = 0,
    confidence: float = 0.95,
    noise: Floats | None = None,
) -> Spread:
    """Intervals of the means of rows (NaN: missing), their columns drawn with replacement.

    All rows see the same draws; with many columns there is the limit of infinitely many draws
    instead. A row of fewer than two numbers has no interval.
    """
    check_draws(draws)
    check_confidence(confidence)
    tolerance = np.zeros(len(rows)) if noise is None else noise
    if rows.shape[1] > MANY_COLUMNS:
        spreads = zip(rows, tolerance.tolist(), strict=True)
        ends = [_limit_of_draws(row, draws, confidence, near) for row, near in spreads]
        return Spread(*np.array(ends).reshape(-1, 3).T)
    low, high, p = np.full((3, len(rows)), np.nan)
    size = max(_BLOCK // draws, 1)
    for start in range(0, len(rows), size):
        part = slice(start, start + size)
        means, resampled = _means(rows[part]), _drawn_means(rows[part], draws, seed)
        for place, (mean, drawn) in enumerate(zip(means.tolist(), resampled, strict=True), start):
            if (~np.isnan(rows[place])).sum() > 1:
                low[place], high[place], kept = percentiles(drawn, confidence)
                far = np.abs(drawn - mean) >= abs(mean) - tolerance[place]
                p[place] = (1 + int(far.sum())) / (1 + kept)
    return Spread(low, high, p)


def _limit_of_draws(
    row: Floats, draws: int, confidence: float, tolerance: float
) -> tuple[float, float, float]:
    """Both ends and p of a row, to which the percentiles and the share of draws converge.

    A sum of n drawn columns has the distribution of the columns, n times convolved with itself:
    the n-th power of its Fourier transform. Numbers are put on a grid of steps that are small
    beside their spread, each on its two neighbours, so that no mean changes.
    """
    numbers, columns = row[~np.isnan(row)], len(row)
    if len(numbers) < 2:
        return math.nan, math.nan, math.nan
    mean = float(numbers.mean())
    apart = numbers - mean
    step = math.sqrt(float(apart @ apart) / columns) / _STEPS
    if not math.isfinite(step):
        return math.nan, math.nan, math.nan
    if step <= SAME * abs(mean):
        return mean, mean, 1 / (1 + draws) if abs(mean) > tolerance else 1.0
    size = 1 << math.ceil(math.log2(2 * _REACH * _STEPS * math.sqrt(columns)))
    places = np.floor(apart / step).astype(np.int64)
    upper = apart / step - places
    shares = np.bincount(places % size, 1 - upper, size)
    shares += np.bincount((places + 1) % size, upper, size)
    # A column without a number adds nothing.
    shares[0] += columns - len(numbers)
    sums = np.fft.irfft(np.fft.rfft(shares / columns) ** columns, size)
    sums = np.roll(np.maximum(sums, 0.0), size // 2)
    upto = np.cumsum(sums) - sums / 2
    upto /= sums.sum()
    means = (np.arange(size) - size // 2) * (step / len(numbers))
    tail = (1 - confidence) / 2
    low, high = (mean + float(np.interp(share, upto, means)) for share in (tail, 1 - tail))
    far = abs(mean) - tolerance
    inside = float(np.interp(far, means, upto) - np.interp(-far, means, upto)) if far > 0 else 0.0
    return low, high, (1 + draws * max(1 - inside, 0.0)) / (1 + draws)


def _drawn_means(rows: Floats, draws: int, seed: int) -> Floats:
    """The mean of each row in every resample of the columns; one column per resample."""
    present = ~np.isnan(rows)
    numbers, counts = np.where(present, rows, 0.0), present.astype(np.float64)
    columns, complete = rows.shape[1], bool(present.all())
    rng = np.random.default_rng(seed)
    step = max(_STEP // max(columns, 1), 1)
    means = []
    with one_thread(), np.errstate(invalid="ignore"):
        for start in range(0, draws, step):
            places = rng.integers(0, columns, (min(step, draws - start), columns))
            times = times_drawn(places, columns)
            means.append(numbers @ times / (columns if complete else counts @ times))
    return np.concatenate(means, axis=1)


def _permutation(pairs: Differences, draws: int, seed: int) -> Floats:
    values = np.where(np.isnan(pairs.values), 0.0, pairs.values)
    moving = (values != 0).sum(axis=1)
    p = np.ones(len(values))
    for place in np.flatnonzero(moving <= MOST_EXACT).tolist():
        row = values[place]
        p[place] = p_of_all_signs(row[row != 0], float(pairs.noise[place]))
    drawn = np.flatnonzero(moving > MOST_EXACT)
    size = max(_BLOCK // draws, 1)
    for start in range(0, len(drawn), size):
        part = drawn[start : start + size]
        p[part] = p_of_drawn_signs(values[part], pairs.noise[part], draws, seed)
    return p


def _student(pairs: Differences) -> Floats:
    counts, deviations = pairs.topics(), pairs.deviations()
    t = np.full(len(counts), np.nan)
    varies = deviations > 0
    t[varies] = pairs.means()[varies] / (deviations[varies] / np.sqrt(counts[varies]))
    return student_p(t, np.maximum(counts - 1, 1))


def _wilcoxon(pairs: Differences) -> Floats:
    rows = zip(pairs.values, pairs.noise.tolist(), strict=True)
    p = [_signed_ranks(row[~np.isnan(row) & (row != 0)], noise) for row, noise in rows]
    return np.array(p, np.float64)


def _signed_ranks(row: Floats, noise: float) -> float:
    if not len(row):
        return 1.0
    order = codes(np.abs(row), np.array([noise]))
    # Twice each rank, a whole number even where equal ones share the mean of theirs.
    ranks = doubled_ranks(order, np.ones((len(row), 1)))[:, 0].astype(np.int64) + len(row) + 1
    # Ranks above 0 minus ranks below it: 0 is the middle.
    apart = abs(int(np.where(row > 0, ranks, -ranks).sum()))
    if len(row) > MOST_RANKS:
        from scipy.special import ndtr

        p = float(2 * ndtr(-apart / math.sqrt(float((ranks**2).sum()))))
    else:
        shares, total = _rank_sums(ranks), int(ranks.sum())
        p = float(shares[np.abs(2 * np.arange(total + 1) - total) >= apart].sum())
    return min(max(p, sys.float_info.min), 1.0)


def _rank_sums(ranks: Ints) -> Floats:
    """How likely each sum of the ranks above 0 is, if each rank is above it with chance 1/2."""
    shares = np.zeros(int(ranks.sum()) + 1)
    shares[0] = 1.0
    reached = 0
    for rank in ranks.tolist():
        moved = shares[: reached + 1] / 2
        shares[: reached + 1] = moved
        shares[rank : rank + reached + 1] += moved
        reached += rank
    return shares


def _means(rows: Floats) -> Floats:
    present = ~np.isnan(rows)
    with np.errstate(invalid="ignore"):
        sums = np.where(present, rows, 0.0).sum(axis=1)
    return divided(sums, present.sum(axis=1))


def check_draws(draws: int) -> None:
    """Refuse a number of draws that makes no sense or would take all memory."""
    if draws < 1:
        raise SummetryError(f"draws must be 1 or more, got {draws}")
    if draws > MOST_DRAWS:
        raise SummetryError(f"draws must be {MOST_DRAWS:,} or fewer, got {draws:,}")
