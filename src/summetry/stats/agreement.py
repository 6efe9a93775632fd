"""How far people agree who sort the same things into classes.

A table has a row for every thing and a column for every class, and says how many people put the
thing into the class. People may have left things out, so rows may have different sums; a thing
that fewer than two people sorted says nothing about agreement and is left out.

    P(A)   share of the pairs of people who agree, mean over the things
    P(E)   sum of the squared shares of the classes: what chance would give
    kappa  (P(A) - P(E)) / (1 - P(E))

Undefined is NaN: nothing to count, or P(E) = 1 because all lies in one class. Sums are exact, in
integers and fractions; only the result is a float.

Sources: Fleiss (1971), which is (A-1) to (A-5) of Hori et al. (2004); Cohen (1960), and (1968)
for weights; Krippendorff (2004), chapter 11; Hassel and Dalianis (2005), section 4, for the
agreement of votes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Literal, NamedTuple, get_args

import numpy as np

from summetry.arguments import check_choice
from summetry.arrays.types import Ints
from summetry.errors import SummetryError

Table = Sequence[Sequence[int]] | Ints
Level = Literal["nominal", "ordinal", "interval", "ratio"]


class Kappa(NamedTuple):
    """P(A), P(E), and how far P(A) is above it."""

    agreement: float
    chance: float
    kappa: float


UNDEFINED = Kappa(math.nan, math.nan, math.nan)


def fleiss_kappa(table: Table) -> Kappa:
    """Fleiss' kappa. With rows of one sum it is exactly his; with others, classes are pooled.

    >>> fleiss_kappa([[2, 1]])
    Kappa(agreement=0.3333333333333333, chance=0.5555555555555556, kappa=-0.5)
    """
    counts, sums = _rated(table)
    if not len(counts):
        return UNDEFINED
    agreeing = (counts * (counts - 1)).sum(axis=1)
    # Rows of one sum have one denominator, so that the integers of many rows are added first.
    shares = [
        Fraction(int(agreeing[sums == size].sum()), size * (size - 1))
        for size in np.unique(sums).tolist()
    ]
    classes, total = counts.sum(axis=0).tolist(), int(sums.sum())
    chance = sum((Fraction(n, total) ** 2 for n in classes), Fraction(0))
    return _kappa(sum(shares, Fraction(0)) / len(counts), chance)


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> Kappa:
    """Cohen's kappa of two people; None is a thing that one of them left out.

    >>> cohen_kappa("yyn", "yny").kappa
    -0.5
    """
    _check_same_things(first, second)
    both = [(a, b) for a, b in zip(first, second, strict=True) if None not in (a, b)]
    if not both:
        return UNDEFINED
    left, right = Counter(a for a, _ in both), Counter(b for _, b in both)
    chance = Fraction(sum(n * right[name] for name, n in left.items()), len(both) ** 2)
    return _kappa(Fraction(sum(a == b for a, b in both), len(both)), chance)


def weighted_kappa(
    first: Sequence[float | None],
    second: Sequence[float | None],
    weights: Literal["quadratic", "linear"] = "quadratic",
) -> float:
    """Cohen's kappa of two people's numbers: one minus how far apart they are, divided by chance.

    Distances are those of the numbers themselves, (a - b)^2 or |a - b|, so a step of the scale
    that nobody used still counts. None is a thing that one of them left out.

    >>> weighted_kappa([1, 2, 3], [1, 3, 3])
    0.8
    """
    check_choice("weights", weights, ("quadratic", "linear"))
    _check_same_things(first, second)
    both = [
        (Fraction(a), Fraction(b))
        for a, b in zip(first, second, strict=True)
        if a is not None and b is not None
    ]
    power = 2 if weights == "quadratic" else 1
    seen = sum((abs(a - b) ** power for a, b in both), Fraction(0))
    left, right = Counter(a for a, _ in both), Counter(b for _, b in both)
    expected = sum(
        (n * m * abs(a - b) ** power for a, n in left.items() for b, m in right.items()),
        Fraction(0),
    )
    return float(1 - len(both) * seen / expected) if expected else math.nan


def cohen_of_masks(first: int, second: int, things: int) -> Kappa:
    """Cohen's kappa of two people who chose some of so many things, given as bit masks."""
    if not things:
        return UNDEFINED
    a, b = first.bit_count(), second.bit_count()
    equal = things - (first ^ second).bit_count()
    # In parts of 1 / things^2: all integers, and there may be hundreds of pairs.
    chance, most = a * b + (things - a) * (things - b), things * things
    kappa = (equal * things - chance) / (most - chance) if chance != most else math.nan
    return Kappa(equal / things, chance / most, kappa)


def krippendorff_alpha(
    table: Table, values: Sequence[float] | None = None, level: Level = "nominal"
) -> float:
    """Krippendorff's alpha: one minus the disagreement that is seen, divided by that of chance.

    ``values`` are the numbers that the classes stand for, for all levels but nominal.

    >>> krippendorff_alpha([[2, 0], [0, 2], [1, 1]])
    0.4444444444444444
    """
    counts, sums = _rated(table)
    numbers = _check_level(counts.shape[1], values, level)
    if not len(counts):
        return math.nan
    totals = counts.sum(axis=0)
    apart = _distances(totals, numbers, level)
    # Things with n ratings count by 1 / (n - 1): whole numbers, once all are multiplied by a scale.
    sizes = np.flatnonzero(np.bincount(sums)).tolist()
    scale = math.lcm(*(size - 1 for size in sizes))
    products = []
    for size in sizes:
        # Products of whole numbers are as exact here, and many times as fast.
        rows = (counts if len(sizes) == 1 else counts[sums == size]).astype(np.float64)
        products.append((rows.T @ rows).astype(np.int64))
    small = scale * int(sums @ sums) < 1 << 61
    weights = np.array([scale // (size - 1) for size in sizes], np.int64 if small else object)
    seen = apart.of_pairs(np.tensordot(weights, np.array(products, weights.dtype), 1))
    expected = apart.of_pairs(np.outer(totals, totals))
    if not expected:
        return math.nan
    return float(1 - Fraction((int(sums.sum()) - 1) * seen, scale * expected))


def count_ratings(ratings: Sequence[Sequence[float | None]]) -> tuple[Ints, list[float]]:
    """The table of ratings that each person gave each thing (None or NaN: none), and its classes.

    >>> table, classes = count_ratings([[1, 2, None], [1, 1, 3]])
    >>> table.tolist(), classes
    ([[2, 0, 0], [1, 1, 0], [0, 0, 1]], [1.0, 2.0, 3.0])
    """
    lengths = {len(row) for row in ratings}
    if len(lengths) > 1:
        raise SummetryError(
            f"each person has a rating or None for every thing, got {sorted(lengths)} of them"
        )
    by_thing = np.array(ratings, np.float64).reshape(len(ratings), -1).T
    classes = np.unique(by_thing[~np.isnan(by_thing)])
    counts = [np.count_nonzero(by_thing == name, axis=1) for name in classes]
    return np.array(counts, np.int64).reshape(len(classes), len(by_thing)).T, classes.tolist()


def jaccard(first: int, second: int) -> float:
    """Shared members divided by all members of two sets (bit masks); NaN for two empty ones."""
    union = (first | second).bit_count()
    return (first & second).bit_count() / union if union else math.nan


def votes_agreement(votes: float | Fraction, units: int, voters: float | Fraction) -> float:
    """Hassel and Dalianis's agreement in per cent: Vc / (Ns * Nx) * 100.

    ``votes`` are those for the units of an extract, which has so many ``units``; every one could
    have had the votes of all ``voters``.

    >>> votes_agreement(7, 3, 4)
    58.333333333333336
    """
    most = Fraction(units) * Fraction(voters)
    return float(100 * Fraction(votes) / most) if most else math.nan


def mean_defined(values: Sequence[float]) -> float:
    """The mean of what is defined; NaN where nothing is.

    >>> mean_defined([0.5, math.nan, 1.0])
    0.75
    """
    defined = [value for value in values if not math.isnan(value)]
    return math.fsum(defined) / len(defined) if defined else math.nan


def _check_same_things(first: Sequence[object], second: Sequence[object]) -> None:
    if len(first) != len(second):
        raise SummetryError(
            f"two people's classes must be of the same things, got {len(first)} and {len(second)}"
        )


def _rated(table: Table) -> tuple[Ints, Ints]:
    """The rows with two ratings or more, and their sums."""
    if not isinstance(table, np.ndarray) and len({len(row) for row in table}) > 1:
        raise SummetryError("a table of ratings has as many classes in every row")
    classes = len(table[0]) if len(table) else 0
    counts = np.array(table).reshape(len(table), classes)
    if counts.dtype.kind not in "biu":
        counts = counts.astype(np.float64)
    is_whole = counts.dtype.kind != "f" or (counts == np.floor(counts)).all()
    if not is_whole or counts.min(initial=0) < 0:
        raise SummetryError("a table of ratings holds whole numbers of people, 0 or more")
    whole = counts.astype(np.int64)
    sums = whole.sum(axis=1)
    rated = sums > 1
    return (whole, sums) if rated.all() else (whole[rated], sums[rated])


def _kappa(agreement: Fraction, chance: Fraction) -> Kappa:
    value = float((agreement - chance) / (1 - chance)) if chance != 1 else math.nan
    return Kappa(float(agreement), float(chance), value)


class _Distances(NamedTuple):
    """How far apart classes are, as whole numbers: a scale is the same for what is seen and chance.

    Squared differences of ``values``; divided by squared sums, or all 1 where there are no values.
    """

    values: list[int]
    is_ratio: bool

    def of_pairs(self, pairs: Ints) -> int | Fraction:
        """Half the squared distances over pairs of classes, which come ``pairs[c, k]`` times."""
        if not self.values:
            return int(pairs.sum() - pairs.trace())
        largest = max(map(abs, self.values))
        is_small = largest**2 * int(pairs.sum()) < 1 << 61
        values = np.array(self.values, np.int64 if is_small and not self.is_ratio else object)
        if not self.is_ratio:
            squares = (pairs.sum(axis=1).astype(values.dtype) * values**2).sum()
            return int(squares - values @ (pairs.astype(values.dtype) @ values))
        by_total: dict[int, int] = {}
        for c, k in combinations(range(len(values)), 2):
            a, b = self.values[c], self.values[k]
            by_total[a + b] = by_total.get(a + b, 0) + int(pairs[c, k]) * (a - b) ** 2
        # Two classes of opposite values are not apart.
        parts = (Fraction(above, total**2) for total, above in by_total.items() if total)
        return sum(parts, Fraction(0))


def _distances(totals: Ints, values: Sequence[float], level: Level) -> _Distances:
    if level == "nominal":
        return _Distances([], False)
    if level == "ordinal":
        # Twice the middle ranks: everything between two classes, and half of each of them.
        return _Distances((2 * np.cumsum(totals) - totals).tolist(), False)
    exact = [Fraction(value) for value in values]
    scale = math.lcm(*(value.denominator for value in exact))
    return _Distances([int(value * scale) for value in exact], level == "ratio")


def _check_level(classes: int, values: Sequence[float] | None, level: str) -> Sequence[float]:
    check_choice("level", level, get_args(Level))
    numbers = () if values is None else values
    if level in ("interval", "ratio") and len(numbers) != classes:
        raise SummetryError(
            f"the level {level} needs a value for each of {classes} classes, got {len(numbers)}"
        )
    return numbers
