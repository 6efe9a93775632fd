"""What a combination of measures is worth, on systems and topics that no weight has seen.

Systems and topics are dealt out to folds in turn. For each fold of systems and each fold of topics,
weights are found without these systems and without these topics, and then used for the summaries
that these systems wrote on these topics. So every summary gets its value from weights that have
seen neither its system nor its topic. The combinations of all folds are put in one table, each
standardised by its scores alone, never by marks; its coefficient with the marks is what counts.
With few systems each is a fold.

*The best single measure* is found in the same way: the one measure that fits best in each fold
gives the values of the summaries that were left out. Where folds disagree on which is the best, a
table of several measures is worse than each of them. So the combination is also compared with the
best measure in hindsight, the one with the highest plain coefficient, which is unfair to the
combination. A gain against both can be believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, get_args

import numpy as np

from summetry.arrays.types import Bools, Floats
from summetry.errors import SummetryError, must_be_known
from summetry.metaeval.least_squares import (
    Level,
    best_alone,
    design,
    level_mean,
    nonnegative,
    points,
    unstandardised,
)
from summetry.stats.contrasts import check_draws
from summetry.stats.levels import column_means, level_named
from summetry.stats.significance import DRAWS
from summetry.stats.weighted import MOVING, Coefficient, check_coefficient

# Called with the number of tables of marks that a fold was worked out for.
Done: TypeAlias = Callable[[int], None]
# With fewer systems than this times the folds, each system is a fold of its own.
FEW = 4


@dataclass(frozen=True)
class CombineSettings:
    """How measures are combined, and how the combination is judged."""

    level: Level = "system"
    coefficient: Coefficient = "pearson"
    folds: int = 5
    draws: int = DRAWS
    seed: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "level", level_named(self.level))
        must_be_known("level of a combination", self.level, get_args(Level))
        check_coefficient(self.coefficient)
        if self.folds < 2:
            raise SummetryError(f"cross-validation needs 2 folds or more, got {self.folds}")
        check_draws(self.draws)


class CrossValidated(NamedTuple):
    """Cross-validated coefficients, one for each table of marks."""

    combination: Floats
    single: Floats
    # The highest coefficient of a single measure, by all marks.
    hindsight: Floats
    # For the first table of marks, folds x measures: who has a weight, who is the best alone.
    used: Bools
    chosen: Bools


class Unseen(NamedTuple):
    """Values of summaries by weights that have not seen them."""

    # Combination and best single measure x systems x topics x tables of marks.
    tables: Floats
    # As in ``CrossValidated``.
    used: Bools
    chosen: Bools


@dataclass(frozen=True)
class Folds:
    """Which systems, and which topics, are left out at a time."""

    systems: tuple[Bools, ...]
    topics: tuple[Bools, ...]

    @classmethod
    def of(cls, shape: tuple[int, ...], folds: int) -> Folds:
        """Folds of so many systems and topics.

        >>> folds = Folds.of((3, 4), 2)
        >>> [len(folds.systems), len(folds.topics), folds.topics[0].tolist()]
        [3, 2, [True, False, True, False]]
        """
        systems, topics = shape
        if systems < 3 or topics < 2:
            raise SummetryError(
                f"a combination is judged on systems and topics that it has not seen: 3 systems "
                f"and 2 topics with all values and marks are needed, got {systems} and {topics}"
            )
        apart = systems if systems < FEW * folds else folds
        return cls(_dealt(systems, apart), _dealt(topics, min(folds, topics)))

    def __len__(self) -> int:
        return len(self.systems) * len(self.topics)

    def __iter__(self) -> Iterator[tuple[Bools, Bools]]:
        return ((systems, topics) for systems in self.systems for topics in self.topics)


def _dealt(number: int, folds: int) -> tuple[Bools, ...]:
    """Fold f has the things f, f + folds, f + 2 folds, ..."""
    return tuple(np.arange(number) % folds == fold for fold in range(folds))


def cross_validate(
    x: Floats,
    marks: Floats,
    present: Bools,
    settings: CombineSettings,
    folds: Folds,
    done: Done | None = None,
) -> CrossValidated:
    """Combination and best single measure, judged by what their weights have not seen.

    ``marks`` is systems x topics x tables; each table of marks is a question of its own.
    """
    unseen = values_of_unseen(x, marks, present, settings, folds, done)
    combination, single = (_coefficients(t, marks, present, settings) for t in unseen.tables)
    plain = [_coefficients(one[..., None], marks, present, settings) for one in x]
    # Of nothing that is defined there is no highest; fmax knows that without a warning.
    hindsight = np.fmax.reduce(plain)
    return CrossValidated(combination, single, hindsight, unseen.used, unseen.chosen)


def values_of_unseen(
    x: Floats,
    marks: Floats,
    present: Bools,
    settings: CombineSettings,
    folds: Folds,
    done: Done | None = None,
) -> Unseen:
    """What each summary gets from weights that know neither its system nor its topic."""
    centred, products = _standardising(x, present, settings.level)
    tables = np.zeros((2, *marks.shape))
    used, chosen = [], []
    for systems, topics in folds:
        training = present & ~systems[:, None] & ~topics
        problem = design(x, training, settings.level)
        follows = np.tensordot(problem.spread, marks, axes=([1, 2], [0, 1]))
        both = nonnegative(problem.gram, follows), best_alone(follows)
        used.append(both[0][:, 0] > 0)
        chosen.append(both[1][:, 0] > 0)
        values = centred[:, systems][:, :, topics]
        for table, weights in zip(tables, both, strict=True):
            raw = unstandardised(weights, problem.sizes)
            size = np.sqrt(np.maximum(np.einsum("kd,kl,ld->d", raw, products, raw), 0.0))
            scaled = np.divide(raw, size, out=np.zeros(raw.shape), where=size > 0)
            table[np.ix_(systems, topics)] = np.tensordot(values, scaled, axes=([0], [0]))
        if done:
            done(marks.shape[-1])
    return Unseen(tables, np.array(used), np.array(chosen))


def _standardising(x: Floats, present: Bools, level: Level) -> tuple[Floats, Floats]:
    """The measures minus their means, and their mean products, by which a sum of them is sized."""
    deviations, number = points(x, present, level)
    products = np.einsum("kij,lij->kl", deviations, deviations) / number
    if level == "summary":
        return deviations, products
    centres = np.array([level_mean(one, present, level) for one in x])
    return np.where(present, x - centres[:, None, None], 0.0), products


def _coefficients(
    values: Floats, marks: Floats, present: Bools, settings: CombineSettings
) -> Floats:
    """The coefficient of each table of values, or of the only one, with its table of marks."""
    kernel = MOVING[settings.coefficient]
    if settings.level == "summary":
        topics = [
            kernel(values[rows, j], marks[rows, j], np.ones(marks[rows, j].shape))
            for j, rows in enumerate(present.T)
        ]
        return column_means(np.array(topics))
    parts = (present / present.sum(axis=1, keepdims=True))[:, :, None]
    means = [(table * parts).sum(axis=1) for table in (values, marks)]
    return kernel(means[0], means[1], np.ones(means[1].shape))
