"""Rankers on every labelled topic of a corpus; what is counted stands in ``ranking``."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from summetry import spec
from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Label
from summetry.records.topics import Topic
from summetry.stats.precision import average_precision, expected_ap_random
from summetry.summarizers import SUMMARIZERS, Learning, Ranking, Source, Summarizer
from summetry.summarizers._base import equalised, is_flat, learns
from summetry.summarizers._run import flat_rankings
from summetry.tasks.ranking import (
    LENGTHS,
    POOL,
    WORDS,
    RankerScores,
    RankingEvaluation,
    Selected,
    indirect_evaluation,
)

# The rankers of the paper.
RANKERS = ("semdist", "simple_match", "tf_isf", "length", "random", "ordered")

# Called with the number of topics done so far and of all topics.
Progress = Callable[[int, int], None]


@dataclass
class RankingRun:
    """What is ranked and how; :meth:`evaluate` does it.

    A ranker that cannot do its work is an error. With ``skip_unusable`` it is left out instead,
    and a note says why.
    """

    corpus: Corpus
    rankers: Sequence[str | Summarizer] = RANKERS
    words: int = WORDS
    pool: int | None = POOL
    lengths: Sequence[int] = LENGTHS
    # What ``pool`` is to ``words``, for ``lengths``.
    length_pool: int | None = None
    train: Corpus | None = None
    # The thesaurus of all rankers that take one and name none.
    thesaurus: str = ""
    skip_unusable: bool = False
    progress: Progress | None = None
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name, number in (("words", self.words), ("pool", self.pool), *self._asked_lengths()):
            if number is not None and number < 1:
                raise SummetryError(f"{name} must be 1 or more, got {number}")
        built = [_build(asked) for asked in self.rankers]
        self._rankers = {spec.show(made): self._with_thesaurus(made) for made in built}
        if len(self._rankers) < len(built):
            raise SummetryError("expected each ranker once, found one twice")
        if not built:
            raise SummetryError("no ranker to work with; `summetry summarizers` lists all")
        if self.thesaurus and not any(map(self._takes_thesaurus, built)):
            raise SummetryError(
                f"no ranker uses the thesaurus {self.thesaurus!r}: semdist does where it names "
                f"none itself; add semdist, or leave the thesaurus out"
            )
        if self.train is not None and not any(map(self._learns, built)):
            raise SummetryError(
                f"a corpus to learn from was given (--train), and {', '.join(self._rankers)} would "
                f"not look at it: leave it out, or name a ranker that learns, such as trainable"
            )

    def evaluate(self) -> RankingEvaluation:
        """Rank every labelled topic by every ranker, and count."""
        topics = self._labelled_topics()
        found: dict[str, list[_OnTopic]] = {name: [] for name in self._rankers}
        flat: dict[str, list[str]] = {name: [] for name in self._rankers}
        for done, topic in enumerate(topics, 1):
            source = Source(topic.topic, self.corpus.language)
            for name in list(found):
                try:
                    ranking = self._ranker(name, topic.topic).rank(source, len(source))
                except SummetryError as error:
                    self._leave_out(name, topic.topic, error)
                    del found[name]
                else:
                    found[name].append(self._on_topic(ranking, topic, source))
                    flat[name] += [topic.topic.id] if is_flat(ranking) else []
            if self.progress:
                self.progress(done, len(topics))
        if not found:
            raise SummetryError(f"no ranker could do its work: {'; '.join(self.notes)}")
        self.notes += flat_rankings({name: flat[name] for name in found}, len(topics))
        return RankingEvaluation(
            topics=tuple(topic.topic.id for topic in topics),
            by_chance=tuple(expected_ap_random(t.labelled, t.positive) for t in topics),
            sentences=sum(len(topic.labels) for topic in topics),
            labelled=sum(topic.labelled for topic in topics),
            positive=sum(topic.positive for topic in topics),
            rankers=tuple(self._scores(name, columns) for name, columns in found.items()),
            words=self.words,
            pool=self.pool,
            notes=tuple(self.notes),
        )

    def _on_topic(self, ranking: Ranking, topic: _LabelledTopic, source: Source) -> _OnTopic:
        lengths = source.words.tolist()
        labelled = [label is not None for label in topic.labels]
        order, levels = _places(ranking, len(source)), _levels(ranking, len(source))

        def summary(limit: int, pool: int | None, keep_unlabelled: bool = False) -> Selected:
            return indirect_evaluation(
                ranking.order, lengths, topic.scus, labelled, pool, limit, keep_unlabelled
            )

        return _OnTopic(
            average_precision(order, topic.labels),
            average_precision(levels, topic.labels, "expected"),
            summary(self.words, self.pool),
            summary(self.words, self.pool, keep_unlabelled=True),
            [summary(length, self.length_pool) for length in self.lengths],
        )

    def _scores(self, name: str, columns: Sequence[_OnTopic]) -> RankerScores:
        by_length = {
            length: tuple(one.by_length[place] for one in columns)
            for place, length in enumerate(self.lengths)
        }
        return RankerScores(
            name,
            tuple(one.stable for one in columns),
            tuple(one.expected for one in columns),
            tuple(one.summary for one in columns),
            tuple(one.lower_bound for one in columns),
            by_length,
        )

    def _labelled_topics(self) -> list[_LabelledTopic]:
        found = [_labelled(t, self.corpus.of_topic("labels", t.id)) for t in self.corpus.topics]
        found = [topic for topic in found if topic.labelled]
        if not found:
            raise SummetryError(
                f"the corpus {self.corpus.name!r} has no labels, which say what content units "
                f"source sentences carry; labels.jsonl would give them, and `summetry pyramid "
                f"labels` makes them of pyramids"
            )
        bare = len(self.corpus.topics) - len(found)
        if bare:
            self.notes.append(f"{bare} of {len(self.corpus.topics)} topics have no labels")
        without = sum(not topic.positive for topic in found)
        if without:
            self.notes.append(
                f"{without} of {len(found)} labelled topics have no positive sentence, so no "
                f"average precision"
            )
        return found

    def _learns(self, ranker: Summarizer) -> bool:
        corpus = self.train or self.corpus
        return learns(ranker, lambda learning: learning.learn(corpus, frozenset()))

    def _ranker(self, name: str, topic: Topic) -> Summarizer:
        ranker = self._rankers[name]
        if not isinstance(ranker, Learning):
            return ranker
        return ranker.learn(self.train or self.corpus, frozenset({topic.id}))

    def _with_thesaurus(self, ranker: Summarizer) -> Summarizer:
        """``ranker`` with the thesaurus that is given for those that name none."""
        if not self.thesaurus or not self._takes_thesaurus(ranker):
            return ranker
        return dataclasses.replace(ranker, thesaurus=self.thesaurus)  # type: ignore[type-var]

    @staticmethod
    def _takes_thesaurus(ranker: Summarizer) -> bool:
        options = {f.name for f in dataclasses.fields(ranker)}  # type: ignore[arg-type]
        return "thesaurus" in options and "thesaurus" not in spec.changed_options(ranker)

    def _leave_out(self, name: str, topic: Topic, error: SummetryError) -> None:
        if not self.skip_unusable:
            raise SummetryError(f"{name}, topic {topic.id!r}: {error}") from error
        self.notes.append(f"{name} is left out: topic {topic.id!r}: {error}")

    def _asked_lengths(self) -> list[tuple[str, int | None]]:
        return [("a length", length) for length in self.lengths]


def _build(asked: str | Summarizer) -> Summarizer:
    return SUMMARIZERS.build(asked) if isinstance(asked, str) else asked


class _OnTopic(NamedTuple):
    """What a ranker reaches on one topic."""

    stable: float
    expected: float
    summary: Selected
    lower_bound: Selected
    by_length: list[Selected]


class _LabelledTopic(NamedTuple):
    """A topic with its labels by unit: True, False, or None where there is none."""

    topic: Topic
    labels: list[bool | None]
    scus: list[list[tuple[str, float]]]

    @property
    def labelled(self) -> int:
        return sum(label is not None for label in self.labels)

    @property
    def positive(self) -> int:
        return sum(label is True for label in self.labels)


def _labelled(topic: Topic, labels: Iterable[Label]) -> _LabelledTopic:
    units = len(topic.units)
    found = _LabelledTopic(topic, [None] * units, [[] for _ in range(units)])
    weights: dict[str, float] = {}
    for label in labels:
        found.labels[label.unit] = bool(label.scus)
        for scu in label.scus:
            if weights.setdefault(scu.id, scu.weight) != scu.weight:
                raise SummetryError(
                    f"topic {topic.id!r}: expected one weight for SCU {scu.id!r} in all labels, "
                    f"found {weights[scu.id]} and {scu.weight}; correct labels.jsonl"
                )
            found.scus[label.unit].append((scu.id, scu.weight))
    return found


def _places(ranking: Ranking, units: int) -> list[float]:
    """A number for each unit, the higher the earlier it is taken; NaN where it never is."""
    found = [math.nan] * units
    for place, unit in enumerate(ranking.order):
        found[unit] = -place
    return found


def _levels(ranking: Ranking, units: int) -> list[float]:
    """As :func:`_places`, but equal for units with equal scores, and NaN without a score."""
    if ranking.scores is None:
        return _places(ranking, units)
    levels = equalised(np.asarray(ranking.scores, np.float64))
    is_taken = np.isin(np.arange(units), ranking.order)
    found: list[float] = np.where(is_taken, levels, math.nan).tolist()
    return found
