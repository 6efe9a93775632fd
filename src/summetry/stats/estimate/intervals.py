"""How far estimates of means and differences can be trusted.

The variance of an estimate (see ``targets`` for E, G, h, n, N) is

    V = E (1/n - 1/N + h) + G/N

for topics like these, and without G/N for exactly these N topics. Judges who give the highest
value nearly always leave too little to see how far their judgments spread, so every target borrows
two pseudo topics from the others:

    means        E+ = (df E + 2 mean_k [E_k + (estimate_k - estimate)^2]) / (df + 2), over the other
                 systems k, G+ likewise with n - 1; V is taken n / (n + 2) times, and the centre of
                 the interval moves 2 / (n + 2) of the way to the others' mean
    differences  E+ = (df E + 2 mean [E + estimate^2]) / (df + 2), over all pairs; nothing moves

The interval is the centre +- t of df degrees of freedom times sqrt(V). With a normal linear model
and all topics scored it is exact but for what is borrowed. Sources: Agresti and Coull (1998) for
pseudo observations, Smyth (2004) for borrowed variances.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from summetry.arrays.types import Bools, Floats, Ints
from summetry.stats.concordance import divided
from summetry.stats.estimate.targets import Fits
from summetry.stats.significance import student_p

# So many pseudo topics are borrowed.
_BORROWED = 2
_SAME = 1e-12


class Spreads(NamedTuple):
    """E+ and G+ of targets, with their standard errors, degrees of freedom and centres."""

    unexplained: Floats
    spread: Floats
    error: Floats
    freedom: Floats
    centre: Floats

    def half_widths(self, tail: float) -> Floats:
        """Half the width of the intervals that leave out the probability ``tail`` on each side."""
        from scipy.special import stdtrit

        return np.asarray(-stdtrit(self.freedom, tail) * self.error)


def spreads_of_means(fits: Fits, these: bool) -> Spreads:
    """Of the means of systems, each of which borrows from the others."""
    n, others = fits.judged, len(fits.judged) - 1
    if not others:
        error = np.sqrt(_variance(fits, fits.unexplained, fits.spread, these))
        return Spreads(
            fits.unexplained, fits.spread, error, fits.freedom.astype(np.float64), fits.estimate
        )
    apart = ((fits.estimate[:, None] - fits.estimate) ** 2).sum(axis=-1)
    unexplained, spread = (
        _with_borrowed(own, weight, (own.sum() - own + apart) / others)
        for own, weight in ((fits.unexplained, fits.freedom), (fits.spread, n - 1))
    )
    variance = n / (n + _BORROWED) * _variance(fits, unexplained, spread, these)
    mean_of_others = (fits.estimate.sum() - fits.estimate) / others
    share = _BORROWED / (n + _BORROWED) * (1 - n / fits.topics if these else 1.0)
    centre = fits.estimate + share * (mean_of_others - fits.estimate)
    # The same numbers have the same mean, whatever adding them rounds to.
    centre = np.where(apart > 0, centre, fits.estimate)
    return Spreads(unexplained, spread, np.sqrt(variance), fits.freedom.astype(np.float64), centre)


def spreads_of_pairs(fits: Fits, these: bool) -> Spreads:
    """Of paired differences, each of which borrows from all."""
    unexplained, spread = (
        _with_borrowed(own, weight, (own + fits.estimate**2).mean() if len(own) else 0.0)
        for own, weight in (
            (fits.unexplained, fits.freedom),
            (fits.spread, fits.judged - 1),
        )
    )
    error = np.sqrt(_variance(fits, unexplained, spread, these))
    return Spreads(unexplained, spread, error, fits.freedom.astype(np.float64), fits.estimate)


def spreads_of_two_means(fits: Fits, means: Spreads, i: Ints, k: Ints) -> Spreads:
    """Of differences of systems that were judged on other topics, with Welch's degrees of freedom.

    What they have in common would make them a little smaller; it is left out.
    """
    squares = means.error**2
    variance = squares[i] + squares[k]
    parts = squares[i] ** 2 / means.freedom[i] + squares[k] ** 2 / means.freedom[k]
    both = means.freedom[i] + means.freedom[k]
    freedom = np.divide(variance**2, parts, out=both.copy(), where=parts > 0)
    return Spreads(
        means.unexplained[i] + means.unexplained[k], means.spread[i] + means.spread[k],
        np.sqrt(variance), freedom, fits.estimate[i] - fits.estimate[k],
    )  # fmt: skip


def p_of_zero(difference: Floats, spreads: Spreads) -> Floats:
    """Two-sided p that there is no difference; 1 where nothing differs at all."""
    is_sure = spreads.error == 0
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where(is_sure, np.inf, np.abs(difference) / spreads.error)
    t = np.where(is_sure & (np.abs(difference) <= _SAME), 0.0, t)
    return student_p(t, spreads.freedom)


def saved(half_widths: Floats, alone: Floats) -> Floats:
    """The share of the judgments that a proxy saves, NaN where the judgments leave no doubt."""
    return 1 - divided(half_widths, alone) ** 2


def rank_ranges(estimates: Floats, is_better: Bools) -> tuple[Ints, Ints, Ints]:
    """The rank of each system, and the best and the worst that it may have.

    ``is_better[i, k]`` says whether i is significantly better than k.
    """
    rank = 1 + (estimates > estimates[:, None] + _SAME).sum(axis=1)
    return rank, 1 + is_better.sum(axis=0), len(estimates) - is_better.sum(axis=1)


def _with_borrowed(own: Floats, weight: Ints, borrowed: Floats | float) -> Floats:
    """E+ or G+."""
    return (weight * own + _BORROWED * borrowed) / (weight + _BORROWED)


def _variance(fits: Fits, unexplained: Floats, spread: Floats, these: bool) -> Floats:
    """V."""
    of_drawing = unexplained * (1 / fits.judged - 1 / fits.topics + fits.leverage)
    return of_drawing if these else of_drawing + spread / fits.topics
