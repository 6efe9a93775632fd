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

Each feature has a few values, written as small numbers. Where a value depends on a comparison with
the other units of the topic, "high" are the units whose number is not 0 and among the highest
quarter, all units with equal numbers alike.

Source: J. Kupiec, J. Pedersen and F. Chen, A trainable document summarizer (1995). They divide by
the product of P(f_j) over all sentences; with both classes counted, that product is not needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Literal

import numpy as np

from summetry.arrays.types import Bools, Floats, Ints
from summetry.errors import NeedsError, SummetryError, optional_module
from summetry.records.corpus import Corpus
from summetry.records.summaries import Extract
from summetry.summarizers._cues import cues
from summetry.summarizers._words import frequent, language_of, phrase_counts, running_words
from summetry.summarizers.base import (
    SUMMARIZERS,
    Ranking,
    SameCorpus,
    Source,
    borders,
    content_words,
    rank_by,
)
from summetry.text.pipeline import LanguagePipeline, TextPipeline

Feature = Literal["length", "phrase", "place", "paragraph", "frequency", "upper"]

# The values of each feature, in the order of their numbers.
VALUES: dict[Feature, tuple[str, ...]] = {
    "length": ("short", "long"),
    "phrase": ("without", "with"),
    "place": ("first", "early", "middle", "late"),
    "paragraph": ("inside", "begins", "ends", "whole"),
    "frequency": ("low", "high"),
    "upper": ("low", "high"),
}

# The number of most frequent content words that are thematic; those as frequent as the last too.
_THEMATIC = 10

# For each feature how often each of its values was seen.
Counts = Sequence[Sequence[int]]


def feature_rows(
    source: Source, features: tuple[Feature, ...], short: int, pipeline: TextPipeline
) -> Ints:
    """One row per unit, one column per feature; ``VALUES`` says what the numbers stand for.

    Units of at most ``short`` words are short.
    """
    columns_of: dict[Feature, Callable[[], Ints]] = {
        "length": lambda: (source.words > short).astype(np.int64),
        "phrase": lambda: fixed_phrases(source, pipeline),
        "place": lambda: places(source),
        "paragraph": lambda: places_in_paragraphs(source),
        "frequency": lambda: thematic_words(source, pipeline),
        "upper": lambda: upper_case(source, pipeline),
    }
    columns = [columns_of[feature]() for feature in features]
    return np.column_stack([np.zeros((len(source), 0), np.int64), *columns])


def fixed_phrases(source: Source, pipeline: TextPipeline) -> Ints:
    """1 for units with a fixed phrase of the language ("in conclusion")."""
    known = cues(language_of(source, pipeline)).phrases
    return (phrase_counts(source, pipeline, known) > 0).astype(np.int64)


def places(source: Source) -> Ints:
    """0 for the first unit of a document, else 1 to 3 for the third of the document it is in."""
    sizes = np.bincount(source.documents, minlength=1)[source.documents]
    thirds = 3 * source.places // np.maximum(sizes, 1) + 1
    return np.where(source.places == 0, 0, thirds)


def places_in_paragraphs(source: Source) -> Ints:
    """1 for the first unit of a paragraph, 2 for the last, 3 for the only one, else 0.

    In a document that shows no paragraphs every unit has 0.
    """
    begins, ends = borders(source.paragraphs)
    value = begins + 2 * ends
    inner = (begins & ~borders(source.documents).begins).astype(np.int64)
    parted = np.bincount(source.documents, weights=inner, minlength=1)[source.documents] > 0
    return np.where(parted, value, 0)


def thematic_words(source: Source, pipeline: TextPipeline) -> Ints:
    """1 for units with many thematic words, the most frequent content words of the topic."""
    words = running_words(source, pipeline)
    is_thematic = frequent(words.frequencies, _THEMATIC, least=2)
    return high(words.total(is_thematic.astype(np.int64)))


def upper_case(source: Source, pipeline: TextPipeline) -> Ints:
    """1 for units with many names.

    A name is a content word with a capital that is not the first word of its unit and that the
    topic has so twice or more. Its first occurrence counts double.
    """
    plain = LanguagePipeline(case="keep")
    is_content: Bools | bool = True
    if isinstance(pipeline, LanguagePipeline):
        plain = LanguagePipeline(tokens=pipeline.tokens, case="keep")
        # Both tables hold the same tokens in the same places.
        is_content = running_words(source, pipeline).is_content
    table = source.tokens(plain)
    has_capital = np.array([word[0].isupper() for word in table.words], np.bool_)[table.ids]
    begins = np.zeros(len(table.ids), np.bool_)
    begins[table.offsets[:-1][table.lengths > 0]] = True
    at = np.flatnonzero(has_capital & ~begins & is_content)
    name, first, number = np.unique(table.ids[at], return_index=True, return_inverse=True)
    repeated = np.bincount(number, minlength=len(name)) > 1
    worth = repeated[number].astype(np.int64)
    worth[first] *= 2
    rows = np.searchsorted(table.offsets, at, side="right") - 1
    return high(np.bincount(rows, weights=worth, minlength=len(table)).astype(np.int64))


def high(numbers: Ints) -> Ints:
    """1 for the numbers that are not 0 and among the highest quarter, ties in.

    >>> high(np.array([3, 0, 3, 1, 0])).tolist()
    [1, 0, 1, 0, 0]
    """
    return frequent(numbers, top=-(-len(numbers) // 4), least=1).astype(np.int64)


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
    """Units like those that people chose in other texts (Kupiec et al., 1995)."""

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

    def rank(self, source: Source, count: int) -> Ranking:
        raise SummetryError(
            "trainable has learned nothing yet: it needs a corpus with extracts.jsonl, the one "
            "that is summarized (each topic from the others) or another, given with --train"
        )

    def learn(self, corpus: Corpus, leave_out: frozenset[str]) -> Trained:
        """The model of all topics that have extracts, except those named."""
        by_topic = _examples(SameCorpus(corpus), self)
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
                f"unit of the {len(parts):,} topics counts as chosen; it needs units of both kinds"
            )
        sizes = [len(VALUES[feature]) for feature in self.features]
        fit = fit_bayes if self.model == "naive_bayes" else fit_svm
        return Trained(self, fit(examples, sizes))

    def examples(self, source: Source, extracts: Sequence[Extract]) -> Examples:
        """The units of a topic with what its informants chose."""
        votes = [unit for extract in extracts for unit in set(extract.units)]
        chosen = np.bincount(np.array(votes, np.int64), minlength=len(source))
        passed = len(extracts) - chosen
        if self.labels == "majority":
            chosen = (chosen > passed).astype(np.int64)
            passed = 1 - chosen
        return _together([Examples(self.rows(source), chosen, passed)])

    def rows(self, source: Source) -> Ints:
        """The features of each unit."""
        return feature_rows(source, self.features, self.short, self.text)


@dataclass(frozen=True)
class Trained:
    """A :class:`Trainable` that has learned."""

    settings: Trainable
    model: Bayes | Plane

    name: ClassVar[str] = "trainable"

    def rank(self, source: Source, count: int) -> Ranking:
        # Units with equal features get one score, to the last bit.
        rows, place = np.unique(self.settings.rows(source), axis=0, return_inverse=True)
        return rank_by(self.model.score(rows)[place.reshape(-1)])


@dataclass(frozen=True)
class Bayes:
    """How often each value of each feature was seen, of chosen units and of the others."""

    chosen: Counts
    passed: Counts

    def score(self, rows: Ints) -> Floats:
        """The score of units with these features, one row each."""
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
    svm = optional_module("sklearn.svm", "trainable(model=svm)", "scikit-learn")
    points = np.tile(_coordinates(examples.rows, sizes), (2, 1))
    is_chosen = np.repeat([1, 0], len(examples.rows))
    chosen, passed = examples.chosen, examples.passed
    # Few units are chosen, so without equal weights a plane that passes over all would do.
    half = (chosen.sum() + passed.sum()) / 2
    weights = np.concatenate([chosen * (half / chosen.sum()), passed * (half / passed.sum())])
    # The primal problem has one minimum and draws nothing at random.
    machine = svm.LinearSVC(dual=False, tol=1e-8, max_iter=10_000, random_state=0)
    machine.fit(points[weights > 0], is_chosen[weights > 0], weights[weights > 0])
    return Plane(tuple(sizes), tuple(machine.coef_[0].tolist()), float(machine.intercept_[0]))


@lru_cache(maxsize=4)
def _examples(same: SameCorpus, settings: Trainable) -> dict[str, Examples]:
    """The examples of each topic with extracts, gathered once however often one is left out."""
    corpus = same.corpus
    extracts = {topic.id: corpus.of_topic("extracts", topic.id) for topic in corpus.topics}
    return {
        topic.id: settings.examples(Source(topic, corpus.language), extracts[topic.id])
        for topic in corpus.topics
        if topic.units and extracts[topic.id]
    }


def _together(parts: Sequence[Examples]) -> Examples:
    """All examples, with equal rows made one."""
    every_row = np.concatenate([part.rows for part in parts])
    rows, place = np.unique(every_row, axis=0, return_inverse=True)

    def added(times: list[Ints]) -> Ints:
        total = np.bincount(place.reshape(-1), np.concatenate(times), minlength=len(rows))
        return total.astype(np.int64)

    chosen, passed = [part.chosen for part in parts], [part.passed for part in parts]
    return Examples(rows, added(chosen), added(passed))


def _coordinates(rows: Ints, sizes: Sequence[int]) -> Floats:
    """0 or 1 for each value of each feature."""
    columns = zip(rows.T, sizes, strict=True)
    return np.hstack([c[:, None] == np.arange(size) for c, size in columns]).astype(np.float64)
