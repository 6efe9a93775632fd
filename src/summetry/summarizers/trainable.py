"""Sentences by what people took into their extracts of other texts.

Every unit is described by a few features (length, fixed phrases, place, paragraph, frequent words,
upper case); how much each of them says is learned from a corpus of extracts. With
``labels=votes`` each extract is an example of its own: a unit that 3 of 5 informants chose was
chosen three times and passed over twice. With ``labels=majority`` a unit counts once, as chosen
if more than half of the extracts have it.

``naive_bayes`` gives the probability that a unit is chosen, features taken as independent:

    P(chosen | f_1 .. f_k) = odds / (1 + odds)
    odds = n_1 / n_0 * product over j of  ((c_1j + 1) / (n_1 + v_j)) / ((c_0j + 1) / (n_0 + v_j))

where n_1 units were chosen and n_0 passed over, c_1j and c_0j of them had the value f_j, and
feature j has v_j values (add-one smoothing). All of it is counted in whole numbers.

``svm`` gives the distance from the plane of a linear support vector machine (squared hinge loss,
C = 1, both classes of equal weight) on one coordinate for each value of each feature.

Source: J. Kupiec, J. Pedersen and F. Chen, A trainable document summarizer (1995). They divide by
the product of P(f_j) over all sentences; with both classes counted, that product is not needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Literal, Protocol

import numpy as np

from summetry.arrays.types import Floats, Ints
from summetry.errors import MissingPackageError, NeedsError, SummetryError
from summetry.records.corpus import Corpus
from summetry.records.topics import Topic
from summetry.summarizers._features import VALUES, Feature, feature_rows
from summetry.summarizers.base import SUMMARIZERS, Ranking, Source, content_words, rank_by
from summetry.text.pipeline import TextPipeline

# For each feature how often each of its values was seen.
Counts = Sequence[Sequence[int]]


class Model(Protocol):
    """What was learned."""

    def score(self, rows: Ints) -> Floats:
        """The score of units with these features, one row each."""
        ...


@dataclass(frozen=True)
class Examples:
    """Distinct rows of features, and how often units with each were chosen and passed over."""

    rows: Ints
    chosen: Ints
    passed: Ints


def bayes_odds(row: Sequence[int], chosen: Counts, passed: Counts) -> Fraction:
    """The odds that a unit with these features is chosen, by the formula above.

    ``chosen[j]`` says how many chosen units had each value of feature j, ``passed[j]`` how many
    of the others.

    >>> bayes_odds([1], [[1, 3]], [[4, 2]])
    Fraction(32, 27)
    """
    ones, zeros = sum(chosen[0]), sum(passed[0])
    odds = Fraction(ones, zeros)
    for value, taken, left in zip(row, chosen, passed, strict=True):
        odds *= Fraction(taken[value] + 1, ones + len(taken))
        odds /= Fraction(left[value] + 1, zeros + len(left))
    return odds


@SUMMARIZERS.register
@dataclass(frozen=True)
class Trainable:
    """What people took into their extracts of other texts (Kupiec et al., 1995)."""

    model: Literal["naive_bayes", "svm"] = "naive_bayes"
    features: tuple[Feature, ...] = tuple(VALUES)
    labels: Literal["votes", "majority"] = "votes"
    short: int = 5
    text: TextPipeline = field(default_factory=content_words)

    name: ClassVar[str] = "trainable"

    def __post_init__(self) -> None:
        if not self.features or len(set(self.features)) < len(self.features):
            raise SummetryError(
                f"trainable: features must be one or more of {', '.join(VALUES)}, each once; "
                f"got {', '.join(self.features) or 'none'}"
            )

    def rank(self, source: Source, wanted: int) -> Ranking:
        raise SummetryError(
            "trainable has learned nothing yet: it needs a corpus with extracts.jsonl, the one "
            "that is summarized (each topic from the others) or another, given with --train"
        )

    def learn(self, corpus: Corpus, leave_out: frozenset[str]) -> Trained:
        """The model of all topics that have extracts, except those named."""
        by_topic = self._examples(corpus)
        if not by_topic:
            raise NeedsError(
                "trainable needs informants' extracts to learn from: extracts.jsonl in the corpus, "
                "or another corpus that has it, given with --train"
            )
        parts = [part for topic, part in by_topic.items() if topic not in leave_out]
        if not parts:
            raise NeedsError(
                "trainable has nothing to learn from: no topic has extracts but the one that is "
                "summarized; give another corpus with --train"
            )
        examples = _together(parts)
        if not examples.chosen.any() or not examples.passed.any():
            which = "every" if examples.chosen.any() else "no"
            raise SummetryError(
                f"trainable cannot learn from these extracts: with labels={self.labels} {which} "
                f"unit of the {len(parts)} topics counts as chosen; it needs units of both kinds"
            )
        sizes = [len(VALUES[feature]) for feature in self.features]
        fit = fit_bayes if self.model == "naive_bayes" else fit_svm
        return Trained(self, fit(examples, sizes))

    def _examples(self, corpus: Corpus) -> dict[str, Examples]:
        """The examples of each topic that has extracts."""
        known = _known_examples(corpus.fingerprint, self)
        if not known:
            # All or none: after an error, half of them must not be taken for the whole.
            known.update([self._examples_of(topic, corpus) for topic in _with_extracts(corpus)])
        return known

    def _examples_of(self, topic: Topic, corpus: Corpus) -> tuple[str, Examples]:
        extracts = corpus.of_topic("extracts", topic.id)
        votes = count_votes([extract.units for extract in extracts], len(topic.units))
        chosen, passed = votes, len(extracts) - votes
        if self.labels == "majority":
            chosen = (chosen > passed).astype(np.int64)
            passed = 1 - chosen
        rows = self.rows(Source(topic, corpus.language))
        return topic.id, _distinct(Examples(rows, chosen, passed))

    def rows(self, source: Source) -> Ints:
        """The features of each unit."""
        return feature_rows(source, self.features, self.short, self.text)


@dataclass(frozen=True)
class Trained:
    """A :class:`Trainable` that has learned."""

    settings: Trainable
    model: Model

    name: ClassVar[str] = "trainable"

    def rank(self, source: Source, wanted: int) -> Ranking:
        # Units with equal features get one score, to the last bit.
        rows, place = np.unique(self.settings.rows(source), axis=0, return_inverse=True)
        return rank_by(self.model.score(rows)[place.reshape(-1)])


@dataclass(frozen=True)
class Bayes:
    """How often each value of each feature was seen, of chosen units and of the others."""

    chosen: Counts
    passed: Counts

    def score(self, rows: Ints) -> Floats:
        odds = [bayes_odds(row, self.chosen, self.passed) for row in rows.tolist()]
        return np.array([float(chance / (1 + chance)) for chance in odds])


def fit_bayes(examples: Examples, sizes: Sequence[int]) -> Bayes:
    """Counts of the values of each feature; ``sizes`` says how many values each can have."""

    def counts(times: Ints) -> Counts:
        return tuple(
            tuple(np.bincount(column, weights=times, minlength=size).astype(np.int64).tolist())
            for column, size in zip(examples.rows.T, sizes, strict=True)
        )

    return Bayes(counts(examples.chosen), counts(examples.passed))


@dataclass(frozen=True)
class Plane:
    """A plane between chosen units and the others, on one coordinate for each value."""

    sizes: tuple[int, ...]
    weights: tuple[float, ...]
    bias: float

    def score(self, rows: Ints) -> Floats:
        # Added in one order, which a product of matrices does not promise.
        distances = np.full(len(rows), self.bias)
        for weight, column in zip(self.weights, _coordinates(rows, self.sizes).T, strict=True):
            distances += weight * column
        return distances


def fit_svm(examples: Examples, sizes: Sequence[int]) -> Plane:
    """The plane of a linear support vector machine."""
    try:
        from sklearn.svm import LinearSVC
    except ImportError as error:
        raise MissingPackageError("trainable(model=svm)", "scikit-learn", "learn") from error
    points = np.tile(_coordinates(examples.rows, sizes), (2, 1))
    is_chosen = np.repeat([1, 0], len(examples.rows))
    chosen, passed = examples.chosen, examples.passed
    # Few units are chosen, so without equal weights a plane that passes over all would do.
    half = (chosen.sum() + passed.sum()) / 2
    weights = np.concatenate([chosen * (half / chosen.sum()), passed * (half / passed.sum())])
    # The primal problem has one minimum and draws nothing at random.
    machine = LinearSVC(dual=False, tol=1e-8, max_iter=10_000, random_state=0)
    machine.fit(points[weights > 0], is_chosen[weights > 0], weights[weights > 0])
    return Plane(tuple(sizes), tuple(machine.coef_[0].tolist()), float(machine.intercept_[0]))


def count_votes(extracts: Sequence[Sequence[int]], units: int) -> Ints:
    """How many extracts have each unit.

    >>> count_votes([[0, 2], [2, 2]], units=3).tolist()
    [1, 0, 2]
    """
    chosen = [unit for extract in extracts for unit in set(extract)]
    return np.bincount(np.array(chosen, np.int64), minlength=units).astype(np.int64)


def _with_extracts(corpus: Corpus) -> list[Topic]:
    return [t for t in corpus.topics if t.units and corpus.of_topic("extracts", t.id)]


@lru_cache(maxsize=4)
def _known_examples(fingerprint: str, settings: Trainable) -> dict[str, Examples]:
    """The examples of a corpus, gathered once however often a topic of it is left out."""
    return {}


def _together(parts: Sequence[Examples]) -> Examples:
    return _distinct(
        Examples(
            np.concatenate([part.rows for part in parts]),
            np.concatenate([part.chosen for part in parts]),
            np.concatenate([part.passed for part in parts]),
        )
    )


def _distinct(examples: Examples) -> Examples:
    """The same examples with equal rows made one."""
    rows, place = np.unique(examples.rows, axis=0, return_inverse=True)

    def added(times: Ints) -> Ints:
        total = np.bincount(place.reshape(-1), weights=times, minlength=len(rows))
        return total.astype(np.int64)

    return Examples(rows, added(examples.chosen), added(examples.passed))


def _coordinates(rows: Ints, sizes: Sequence[int]) -> Floats:
    """0 or 1 for each value of each feature."""
    columns = [
        column[:, None] == np.arange(size) for column, size in zip(rows.T, sizes, strict=True)
    ]
    return np.hstack(columns).astype(np.float64)
