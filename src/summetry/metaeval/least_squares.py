"""Non-negative weights of measures by least squares, from some of the summaries.

What is fitted are points: the systems' means (level ``system``), or all summaries, each minus the
mean of its topic (level ``summary``). Measures are standardised over the points, which changes no
solution and makes weights comparable. With G the mean products of the measures with each other and
q those with the marks, the weights are the w >= 0 with the least w G w - 2 q w. Both are sums over
summaries, so q of many tables of marks is one product of matrices.

Arrays of measures are measures x systems x topics, with any number in a cell that is not used.
"""

from __future__ import annotations

from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from summetry.arrays.types import Bools, Floats

Level: TypeAlias = Literal["system", "summary"]

# Numbers that are nearer than this, by their size, are equal.
EQUAL = 1e-10
# Up to this number of measures every choice is tried, for all tables of marks at once.
_FEW = 5


class Fit(NamedTuple):
    """Weights for standardised measures, for measures as they are, and the constant of these."""

    standardised: Floats
    raw: Floats
    constant: float


class Design(NamedTuple):
    """Standardised measures, ready for any marks."""

    # What a mark of a summary adds to q, measure by measure.
    spread: Floats
    gram: Floats
    # The standard deviation of each measure over the points; 0 for one that is constant.
    sizes: Floats

    def products_with(self, marks: Floats) -> Floats:
        """The products q with one table of marks, as a column."""
        products: Floats = (self.spread * marks).sum(axis=(1, 2))[:, None]
        return products


def fit_weights(x: Floats, z: Floats, present: Bools, level: Level) -> Fit:
    """The weights by all summaries that are there; with the constant, the means are equal."""
    problem = design(x, present, level)
    follows = problem.products_with(z)
    weights = nonnegative(problem.gram, follows)
    raw = unstandardised(weights, problem.sizes)[:, 0]
    *centres, mean = (level_mean(one, present, level) for one in (*x, z))
    return Fit(weights[:, 0], raw, mean - float(raw @ centres))


def design(x: Floats, used: Bools, level: Level) -> Design:
    """The least squares problem of the summaries that are used."""
    deviations, number = points(x, used, level)
    sizes = np.sqrt((deviations**2).sum(axis=(1, 2)) / number)
    largest = np.abs(np.where(used, x, 0.0)).max(axis=(1, 2), initial=0.0)
    sizes[sizes <= EQUAL * largest] = 0.0
    inverse = np.divide(1.0, sizes, out=np.zeros(len(sizes)), where=sizes > 0)
    standard = deviations * inverse[:, None, None]
    gram = np.einsum("kij,lij->kl", standard, standard) / number
    spread = standard / number
    if level == "system":
        # Each mark of a system has the same part in its mean.
        spread = spread * (used / np.maximum(used.sum(axis=1, keepdims=True), 1))
    return Design(spread, gram, sizes)


def points(x: Floats, used: Bools, level: Level) -> tuple[Floats, int]:
    """What is fitted, minus its mean, and how many points it is (1 where there is none).

    At the level ``system`` the last axis is 1: a system's mean is one point.
    """
    numbers = np.where(used, x, 0.0)
    if level == "system":
        counts = used.sum(axis=1)
        scored = counts > 0
        number = max(int(scored.sum()), 1)
        means = numbers.sum(axis=2) / np.maximum(counts, 1)
        centres = means.sum(axis=1, keepdims=True) / number
        return np.where(scored, means - centres, 0.0)[:, :, None], number
    centres = numbers.sum(axis=1, keepdims=True) / np.maximum(used.sum(axis=0), 1)
    return np.where(used, x - centres, 0.0), max(int(used.sum()), 1)


def level_mean(table: Floats, present: Bools, level: Level) -> float:
    """The mean of the systems' means, or of all summaries."""
    numbers = np.where(present, table, 0.0)
    if level == "summary":
        return float(numbers.sum() / present.sum())
    return float((numbers.sum(axis=1) / present.sum(axis=1)).mean())


def nonnegative(gram: Floats, follows: Floats) -> Floats:
    """The weights for each column of ``follows``: measures x tables of marks.

    A constant measure has no weight. Nor has one that is a multiple of an earlier one.

    >>> nonnegative(np.eye(2), np.array([[0.5], [-0.2]])).ravel().tolist()
    [0.5, 0.0]
    """
    from scipy.optimize import nnls

    weights = np.zeros(follows.shape)
    kept = different(gram)
    if not kept:
        return weights
    # With G = R'R and R'b = q it is the least |R w - b|. Signs of eigenvectors cancel out.
    values, vectors = np.linalg.eigh(gram[np.ix_(kept, kept)])
    solid = values > EQUAL * values.max()
    roots, axes = np.sqrt(values[solid])[:, None], vectors[:, solid].T
    left, right = roots * axes, axes @ follows[kept] / roots
    open_tables = np.flatnonzero((follows[kept] > 0).any(axis=0))
    if len(kept) <= _FEW and solid.all():
        known, is_known = _by_choices(gram[kept][:, kept], follows[kept][:, open_tables])
        weights[np.array(kept)[:, None], open_tables] = known
        open_tables = open_tables[~is_known]
    for table in open_tables.tolist():
        weights[kept, table] = nnls(left, right[:, table])[0]
    return weights


def _by_choices(gram: Floats, follows: Floats) -> tuple[Floats, Bools]:
    """The weights for each column of ``follows``, and for which of them they were found.

    Of the measures that have a weight all are above 0, and to give one to another measure would
    make the fit no better: only one choice of measures is so (Karush, Kuhn and Tucker). Where
    rounding hides it, it is not found.
    """
    all_weights = np.zeros(follows.shape)
    is_known = np.zeros(follows.shape[1], np.bool_)
    everyone = np.arange(len(gram))
    for size in range(1, len(gram) + 1):
        for some in combinations(range(len(gram)), size):
            chosen = np.array(some)
            others = np.delete(everyone, chosen)
            left = np.flatnonzero(~is_known)
            products = follows[:, left]
            weights = np.linalg.solve(gram[chosen][:, chosen], products[chosen])
            better = products[others] - gram[others][:, chosen] @ weights
            fits = (weights > 0).all(axis=0) & (better <= 0).all(axis=0)
            all_weights[chosen[:, None], left[fits]] = weights[:, fits]
            is_known[left[fits]] = True
    return all_weights, is_known


def best_alone(follows: Floats) -> Floats:
    """The weights where one measure only may have one: the first of the best, or none.

    >>> best_alone(np.array([[0.5, -0.1], [0.6, -0.2]])).tolist()
    [[0.0, 0.0], [0.6, 0.0]]
    """
    weights = np.zeros(follows.shape)
    most = follows.max(axis=0)
    # The last digits depend on the order of a sum and must not decide between equals.
    best = (follows >= most - EQUAL * np.abs(most)).argmax(axis=0)
    tables = np.arange(follows.shape[1])
    weights[best, tables] = np.maximum(follows[best, tables], 0.0)
    return weights


def unstandardised(weights: Floats, sizes: Floats) -> Floats:
    """Weights for measures as they are, from those for standardised ones."""
    inverse = np.divide(1.0, sizes, out=np.zeros(len(sizes)), where=sizes > 0)
    return weights * inverse[:, None]


def different(gram: Floats) -> list[int]:
    """The measures that vary and are no multiple of an earlier one."""
    places: list[int] = []
    for place in np.flatnonzero(np.diag(gram) > 0).tolist():
        if all(gram[place, other] < 1 - EQUAL for other in places):
            places.append(place)
    return places
