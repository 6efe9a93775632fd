"""The alternative-annotator test: may a judge stand in for one of the annotators?

Each annotator j is left out in turn. On every instance i that j, the judge and at least one of the
other annotators have marked, both the judge and j are compared with those others. A mark x is as
near to the marks a_1 ... a_k of the others as

    rmse      -sqrt(mean of (x - a)^2)     for marks on a scale
    accuracy  the share of a that equal x  for classes

says; more is nearer. Ties count for both:

    W_f = 1 if the judge is as near as j or nearer, else 0
    W_h = 1 if j is as near as the judge or nearer, else 0

The *advantage* of the judge over j is the mean of W_f. The judge *wins* against j if the mean of
d = W_h - W_f is significantly below epsilon, by Student's one-sided test of one sample:

    t = (mean of d - epsilon) / (standard deviation of d / sqrt(n)), n - 1 degrees of freedom

Epsilon is what a person's mark may be ahead since it costs more: .2 for experts, .15 for trained
annotators, .1 for crowd workers, say the authors. The p-values of all annotators are corrected
together by Benjamini and Yekutieli, as these tests depend on each other. The *winning rate* is the
share of annotators against whom the judge wins; at .5 or more it passes. The *average advantage* is
the mean over annotators, and is for comparing judges.

An annotator with fewer than 30 instances is not tested, as t needs as many; the marks of such an
annotator still count among the others. Three annotators are needed: of two, "the others" are one
person. Where all d are equal, t is infinite: p is the smallest number below epsilon, else 1.

*Two judges* are compared by their average advantages. The instances of one topic are not
independent of each other, so topics are the sample: the difference is the mean over T topics of

    T * mean over annotators j of (sum over the topic's instances of W_f - W_f') / n_j

and is tested by a one-sided t with T - 1 degrees of freedom, on the instances that both marked.

Source: Calderon, Reichart and Dror (2025), The Alternative Annotator Test for LLM-as-a-Judge; the
limits (30 instances, two marks of an instance) are those of the authors' program. The comparison of
two judges is ours.
"""

from __future__ import annotations

import math
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from summetry.arrays.types import Floats
from summetry.errors import SummetryError, must_be_known
from summetry.stats.concordance import SAME
from summetry.stats.multiple import benjamini_yekutieli
from summetry.stats.significance import is_significant, student_p

Alignment = Literal["rmse", "accuracy"]

# So many annotators, and instances of each, are needed.
ANNOTATORS, INSTANCES = 3, 30
# A judge passes from this winning rate on.
PASSES = 0.5


class AgainstAnnotator(NamedTuple):
    """The judge against one annotator; numbers are NaN where the instances are too few."""

    instances: int
    # The mean of W_f and of W_h.
    advantage: float = math.nan
    annotator_advantage: float = math.nan
    p: float = math.nan
    corrected_p: float = math.nan
    is_won: bool = False


class AltTest(NamedTuple):
    """The judge against all annotators."""

    against: tuple[AgainstAnnotator, ...]
    winning_rate: float
    advantage: float
    # Annotators x instances: W_f, NaN where it does not count.
    indicators: Floats

    @property
    def passes(self) -> bool:
        return self.winning_rate >= PASSES


class AdvantageDifference(NamedTuple):
    """By how much the average advantage of a judge is above another's, one-sided p."""

    value: float
    p: float
    topics: int


def alt_test(
    judge: ArrayLike,
    marks: ArrayLike,
    alignment: Alignment = "rmse",
    *,
    epsilon: float = 0.2,
    alpha: float = 0.05,
) -> AltTest:
    """The test of a judge's marks (instances) beside those of people (annotators x instances).

    >>> marks = np.tile([[1, 2, 3], [1, 3, 3], [2, 2, 4]], 10)
    >>> test = alt_test(np.tile([3, 2, 3], 10), marks)
    >>> test.winning_rate, round(test.advantage, 3)
    (0.0, 0.667)
    """
    own, people = _checked(judge, marks, alignment, epsilon)
    indicators = np.full(people.shape, np.nan)
    counts: list[int] = []
    advantages, theirs, p = np.full((3, len(people)), np.nan)
    for place, mine in enumerate(people):
        others = np.delete(people, place, axis=0)
        used = ~np.isnan(own + mine) & ~np.isnan(others).all(axis=0)
        counts.append(int(used.sum()))
        if counts[-1] >= INSTANCES:
            ours, human = _nearest(np.stack([own, mine])[:, used], others[:, used], alignment)
            indicators[place, used] = ours
            advantages[place], theirs[place] = ours.mean(), human.mean()
            p[place] = _p_below(human - ours, epsilon)
    if max(counts) < INSTANCES:
        raise SummetryError(
            f"the alternative-annotator test needs an annotator with {INSTANCES} instances or more "
            f"that the judge and another annotator have marked, too; the most is {max(counts)}"
        )
    corrected = benjamini_yekutieli(p)
    wins = is_significant(corrected, alpha)
    numbers = (each.tolist() for each in (advantages, theirs, p, corrected, wins))
    against = tuple(map(AgainstAnnotator, counts, *numbers))
    tested = ~np.isnan(p)
    advantage = float(advantages[tested].mean())
    return AltTest(against, float(wins[tested].mean()), advantage, indicators)


def advantage_difference(first: Floats, second: Floats, topics: ArrayLike) -> AdvantageDifference:
    """Whether a judge's average advantage is above another's, from the indicators of both.

    ``topics`` has the number of each instance's topic. Without two topics there is no p.
    """
    change = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    there = ~np.isnan(change)
    used = there.any(axis=1)
    numbers = np.unique(np.asarray(topics)[there.any(axis=0)], return_inverse=True)[1]
    if not used.any():
        return AdvantageDifference(math.nan, math.nan, 0)
    shares = np.where(there, change, 0.0)[used] / there[used].sum(axis=1, keepdims=True)
    weights = shares.mean(axis=0)[there.any(axis=0)]
    each = np.asarray(np.bincount(numbers, weights=weights), np.float64)
    count = len(each)
    value = float(each.sum())
    if count < 2:
        return AdvantageDifference(value, math.nan, count)
    return AdvantageDifference(value, _p_below(-count * each, 0.0), count)


def check_epsilon(epsilon: float) -> None:
    if not 0 <= epsilon < 1:
        raise SummetryError(f"epsilon must be 0 or more and below 1, such as 0.2, got {epsilon}")


def check_annotators(number: int) -> None:
    if number < ANNOTATORS:
        raise SummetryError(
            f"the alternative-annotator test needs {ANNOTATORS} annotators or more beside the "
            f"judge, got {number}"
        )


def _checked(
    judge: ArrayLike, marks: ArrayLike, alignment: Alignment, epsilon: float
) -> tuple[Floats, Floats]:
    must_be_known("alignment", alignment, get_args(Alignment))
    check_epsilon(epsilon)
    own, people = np.asarray(judge, np.float64), np.asarray(marks, np.float64)
    if people.ndim != 2 or own.shape != people.shape[1:]:
        raise SummetryError(
            f"the judge needs one mark for each instance of the annotators, got {own.shape} "
            f"beside {people.shape}"
        )
    # Who has marked nothing is no annotator.
    there = int((~np.isnan(people)).any(axis=1).sum())
    check_annotators(there)
    return own, people


def _nearest(both: Floats, others: Floats, alignment: Alignment) -> Floats:
    """For the judge and the annotator: 1 where no farther from the others than the other one.

    The others are the same for both, so that sums tell who is nearer.
    """
    gaps = both[:, None] - others
    missing = np.isnan(others)
    far = np.where(missing, 0.0, gaps != 0 if alignment == "accuracy" else gaps**2).sum(axis=1)
    # What the rounding of sums of squares may add.
    noise = SAME * far.max(initial=0.0)
    return np.stack([far[0] <= far[1] + noise, far[1] <= far[0] + noise]).astype(np.float64)


def _p_below(numbers: Floats, limit: float) -> float:
    """One-sided p that the mean is not below ``limit``; NaN of fewer than two numbers."""
    size = len(numbers)
    if size < 2:
        return math.nan
    mean, deviation = float(numbers.mean()), float(numbers.std(ddof=1))
    if deviation <= SAME * float(np.abs(numbers).max()):
        return float(student_p(-np.inf if mean < limit else np.inf, size - 1, "less"))
    return float(student_p((mean - limit) * math.sqrt(size) / deviation, size - 1, "less"))
