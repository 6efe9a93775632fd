"""How much of a text each of its latent dimensions holds, and how many of them a summary keeps.

The squares of the singular values say how significant dimensions are. About

    sigma_i^2 = a * i^b        (Zipf-like)

and a summary that has p % of the words of a text is compared in p % of its dimensions:

    p = min(sw / fw * 100, 100)      r = p / 100 * n

for sw words of the summary and fw words and n sentences of the text. r is rounded half up, at
least 1 and at most n, which the paper leaves open.

Source: Steinberger and Jezek (2009), section 5.2, eq. 10 and figure 3.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from summetry.arrays.svd import decompose, rank
from summetry.arrays.types import Ints
from summetry.arrays.weighting import BINARY, Weighting, weighting_matrix

Rounding: TypeAlias = Literal["half_up", "floor", "ceil"]


class Significance(NamedTuple):
    """The share of all information that each dimension has, and that the first ones have."""

    relative: list[float]
    cumulative: list[float]


def relative_significance(
    singular_values: Sequence[float], total: float | None = None
) -> Significance:
    """sigma_i^2 / sum of sigma^2; ``total`` where not all singular values are given.

    >>> relative_significance([10, 7, 5], total=500)
    Significance(relative=[0.2, 0.098, 0.05], cumulative=[0.2, 0.298, 0.348])
    """
    squares = [Fraction(value) ** 2 for value in singular_values]
    whole = Fraction(total) if total is not None else sum(squares)
    if not whole:
        return Significance([math.nan] * len(squares), [math.nan] * len(squares))
    return Significance(
        [float(square / whole) for square in squares],
        [float(square / whole) for square in accumulate(squares)],
    )


class ZipfFit(NamedTuple):
    """sigma_i^2 = a * i^b (eq. 10)."""

    a: float
    b: float


def zipf_fit(singular_values: Sequence[float]) -> ZipfFit:
    """The line through log i and log sigma_i^2 with the least squares, zeros left out.

    >>> fit = zipf_fit([6, 6 / 2**0.5, 6 / 3**0.5])
    >>> round(fit.a, 9), round(fit.b, 9)
    (36.0, -1.0)
    """
    squares = [float(value) ** 2 for value in singular_values if value > 0]
    if len(squares) < 2:
        return ZipfFit(math.nan, math.nan)
    x, y = np.log(np.arange(1, len(squares) + 1)), np.log(squares)
    x_off, y_off = x - x.mean(), y - y.mean()
    b = float((x_off * y_off).sum() / (x_off**2).sum())
    return ZipfFit(math.exp(float(y.mean()) - b * float(x.mean())), b)


def captured_significance(
    singular_values: Sequence[float], percents: Iterable[int] = range(10, 101, 10)
) -> dict[int, float]:
    """The share of information in the top p % of the dimensions, for each p (figure 3).

    >>> captured_significance([10, 7, 5, 1], [25, 50])
    {25: 0.5714285714285714, 50: 0.8514285714285714}
    """
    cumulative = relative_significance(singular_values).cumulative
    if not cumulative:
        return dict.fromkeys(percents, math.nan)
    counts = {p: int(reduction_r(p, 100, len(cumulative)).r) for p in percents}
    return {p: cumulative[r - 1] for p, r in counts.items()}


def singular_values(
    sentences: Sequence[Sequence[str]], weighting: Weighting = BINARY
) -> list[float]:
    """The singular values of a text that is given as sentences of tokens, largest first.

    What is only rounding is 0: a sentence that is there twice adds no dimension.

    >>> singular_values([["fog", "pier"], ["ice"]])
    [1.4142135623730951, 1.0]
    """
    matrix = weighting_matrix(sentences, weighting).matrix
    values = decompose(matrix.T @ matrix).values
    values[rank(values) :] = 0.0
    roots: list[float] = np.sqrt(values).tolist()
    return roots[: len(matrix)]


class Reduction(NamedTuple):
    """The summary's length in percent, that share of the dimensions, and how many are kept."""

    p: Fraction | float
    exact: Fraction | float
    r: int | float


def reduction_r(sw: int, fw: int, n: int, rounding: Rounding = "half_up") -> Reduction:
    """How many of ``n`` dimensions a summary of ``sw`` words keeps of a text of ``fw`` words.

    >>> reduction_r(10, 100, 30)
    Reduction(p=Fraction(10, 1), exact=Fraction(3, 1), r=3)
    >>> reduction_r(200, 100, 30).exact, reduction_r(50, 100, 30).exact
    (Fraction(30, 1), Fraction(15, 1))
    """
    if not fw:
        return Reduction(math.nan, math.nan, math.nan)
    share = Fraction(min(sw, fw), fw)
    words, others, sentences = (np.array([number], np.int64) for number in (sw, fw, n))
    kept = reduced(words, others, sentences, rounding)
    return Reduction(100 * share, share * n, int(kept[0]))


def reduced(sw: Ints, fw: Ints, n: Ints, rounding: Rounding) -> Ints:
    """r of many pairs, in whole numbers: no fraction is rounded twice."""
    fw = np.maximum(fw, 1)
    above = np.minimum(sw, fw) * n
    if rounding == "half_up":
        rounded = (2 * above + fw) // (2 * fw)
    else:
        rounded = above // fw if rounding == "floor" else -(-above // fw)
    kept: Ints = np.maximum(np.minimum(rounded, n), 1)
    return kept
