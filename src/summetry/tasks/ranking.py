"""Sentence rankers judged by the content units (SCUs) of source sentences.

Sentences that a candidate summary used are labelled: positive if they carry an SCU, negative if
not. A ranker ranks all sentences of a topic, then

- **directly**: average precision over the labelled ones (see ``stats.precision``);
- **indirectly**: of the labelled ones the first 30 (the pool) are tried in order for a summary of
  100 words; one that would exceed it is skipped. The SCUs of the summary are counted, all listings
  (total) and distinct ones of the topic (unique), with their weights (score).

With unlabelled sentences kept, which carry no SCU that anybody knows of, the same counts are a
lower bound. The share of unique SCUs by length shows how a longer summary repeats itself; no pool
is cut there, as 30 sentences can hardly fill 1,000 words.

:class:`RankingRun` does it for all topics of a corpus.

Source: Kennedy and Szpakowicz (2010), section 3.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from summetry import spec
from summetry.arguments import Progress, one_by_one
from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.lengths import fill
from summetry.records.pyramids import Label
from summetry.records.topics import Topic
from summetry.stats.agreement import mean_defined
from summetry.stats.paired import PermutationTest, TTest, paired_t_test, permutation_test
from summetry.stats.precision import Ties, average_precision, expected_ap_random
from summetry.stats.significance import DRAWS
from summetry.summarizers import SUMMARIZERS, Learning, Ranking, Source, Summarizer
from summetry.summarizers.base import equalised, is_flat, learns
from summetry.summarizers.run import flat_rankings

# The rankers of the paper.
RANKERS = ("semdist", "simple_match", "tf_isf", "length", "random", "ordered")

# The length of summaries, the pool, and the lengths for which redundancy is shown.
WORDS = 100
POOL = 30
LENGTHS = (100, 250, 500, 1000)

# An SCU that a sentence carries: its id and its weight.
Scus = Sequence[tuple[str, float]]


class Selected(NamedTuple):
    """The sentences of a summary, in the order in which they were taken, and what they carry."""

    selected: tuple[int, ...]
    words: int
    total_score: float
    unique_score: float
    total_scus: int
    unique_scus: int
    positive: int
    negative: int
    unlabelled: int = 0

    @property
    def unique_share(self) -> float:
        """Distinct SCUs divided by all listings; undefined without any."""
        return self.unique_scus / self.total_scus if self.total_scus else math.nan


def indirect_evaluation(
    ranked: Sequence[int],
    lengths: Sequence[int],
    scus: Sequence[Scus],
    labelled: Sequence[bool],
    pool: int | None = POOL,
    limit: int = WORDS,
    keep_unlabelled: bool = False,
) -> Selected:
    """What a summary of ``limit`` words made from a ranking carries.

    ``ranked`` are sentences, best first; ``lengths``, ``scus`` and ``labelled`` have one entry per
    sentence.

    >>> summary = indirect_evaluation([0, 1, 2], [60, 50, 40], [[("11", 4)], [], []], [True] * 3)
    >>> summary.selected, summary.total_score, summary.negative
    ((0, 2), 4, 1)
    """
    candidates = [unit for unit in ranked if keep_unlabelled or labelled[unit]][:pool]
    taken = fill(candidates, lengths, limit, "skip").units
    known = [unit for unit in taken if labelled[unit]]
    listed = [scu for unit in known for scu in scus[unit]]
    positive = sum(bool(scus[unit]) for unit in known)
    return Selected(
        selected=taken,
        words=sum(lengths[unit] for unit in taken),
        total_score=sum(weight for _, weight in listed),
        unique_score=sum(dict(listed).values()),
        total_scus=len(listed),
        unique_scus=len(dict(listed)),
        positive=positive,
        negative=len(known) - positive,
        unlabelled=len(taken) - len(known),
    )


def added(summaries: Iterable[Selected]) -> Selected:
    """The counts of several topics as one; an SCU is of its topic, so unique ones add up."""
    counts = zip((0,) * 8, *(summary[1:] for summary in summaries), strict=True)
    return Selected((), *map(sum, counts))


@dataclass(frozen=True)
class RankerScores:
    """What one ranker reaches, topic by topic."""

    ranker: str
    stable: tuple[float, ...]
    expected: tuple[float, ...]
    summaries: tuple[Selected, ...]
    lower_bound: tuple[Selected, ...]
    by_length: dict[int, tuple[Selected, ...]]

    def precision(self, ties: Ties) -> tuple[float, ...]:
        """Average precision of each topic, ties as they come or on average."""
        return self.stable if ties == "stable" else self.expected

    def macro(self, ties: Ties) -> float:
        """Macro-average precision: the mean over topics that have a positive sentence."""
        return mean_defined(self.precision(ties))


@dataclass(frozen=True)
class RankingEvaluation:
    """All rankers on all labelled topics of a corpus.

    ``by_chance`` is the average precision of each topic that a random order has on average.
    """

    topics: tuple[str, ...]
    by_chance: tuple[float, ...]
    sentences: int
    labelled: int
    positive: int
    rankers: tuple[RankerScores, ...]
    words: int
    pool: int | None
    notes: tuple[str, ...] = ()

    @property
    def topics_with_positives(self) -> int:
        return sum(not math.isnan(value) for value in self.by_chance)


class RankerComparison(NamedTuple):
    """Two rankers' average precision compared over topics."""

    first: str
    second: str
    t_test: TTest
    permutation: PermutationTest


def compare_rankers(
    evaluation: RankingEvaluation, ties: Ties = "stable", draws: int = DRAWS, seed: int = 0
) -> list[RankerComparison]:
    """Every pair of rankers, over the topics that have a positive sentence."""
    values = {
        scores.ranker: [value for value in scores.precision(ties) if not math.isnan(value)]
        for scores in evaluation.rankers
    }
    return [
        RankerComparison(
            first,
            second,
            paired_t_test(values[first], values[second]),
            permutation_test(values[first], values[second], draws, seed),
        )
        for first, second in combinations(values, 2)
    ]


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
    # The pool for ``lengths``, as ``pool`` is for ``words``.
    length_pool: int | None = None
    train: Corpus | None = None
    # The thesaurus of all rankers that take one and name none.
    thesaurus: str = ""
    skip_unusable: bool = False
    progress: Progress | None = None
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        lengths = (("a length", length) for length in self.lengths)
        for name, number in (("words", self.words), ("pool", self.pool), *lengths):
            if number is not None and number < 1:
                raise SummetryError(f"{name} must be 1 or more, got {number}")
        built = [SUMMARIZERS.build(r) if isinstance(r, str) else r for r in self.rankers]
        self._rankers = {spec.show(ranker): self._with_thesaurus(ranker) for ranker in built}
        if len(self._rankers) < len(built):
            raise SummetryError("expected each ranker once, found one twice")
        if not built:
            raise SummetryError("no ranker to work with; `summetry summarizers` lists all")
        if self.thesaurus and all(self._with_thesaurus(ranker) == ranker for ranker in built):
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
        results: dict[str, list[_OnTopic]] = {name: [] for name in self._rankers}
        flat: dict[str, list[str]] = {name: [] for name in self._rankers}
        for topic in one_by_one(topics, self.progress):
            source = Source(topic.topic, self.corpus.language)
            for name in list(results):
                try:
                    ranking = self._ranker(name, topic.topic).rank(source, len(source))
                except SummetryError as error:
                    self._leave_out(name, topic.topic, error)
                    del results[name]
                else:
                    results[name].append(self._on_topic(ranking, topic, source))
                    flat[name] += [topic.topic.id] if is_flat(ranking) else []
        if not results:
            raise SummetryError(f"no ranker could do its work: {'; '.join(self.notes)}")
        self.notes += flat_rankings({name: flat[name] for name in results}, len(topics))
        return RankingEvaluation(
            topics=tuple(topic.topic.id for topic in topics),
            by_chance=tuple(expected_ap_random(t.labelled, t.positive) for t in topics),
            sentences=sum(len(topic.labels) for topic in topics),
            labelled=sum(topic.labelled for topic in topics),
            positive=sum(topic.positive for topic in topics),
            rankers=tuple(self._scores(name, topics) for name, topics in results.items()),
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

    def _scores(self, name: str, topics: Sequence[_OnTopic]) -> RankerScores:
        stable, expected, summaries, lower_bound, by_length = zip(*topics, strict=True)
        lengths = dict(zip(self.lengths, zip(*by_length, strict=True), strict=True))
        return RankerScores(name, stable, expected, summaries, lower_bound, lengths)

    def _labelled_topics(self) -> list[_LabelledTopic]:
        every = [_labelled(t, self.corpus.of_topic("labels", t.id)) for t in self.corpus.topics]
        topics = [topic for topic in every if topic.labelled]
        if not topics:
            raise SummetryError(
                f"the corpus {self.corpus.name!r} has no labels, which say what content units "
                f"source sentences carry; labels.jsonl would give them, and `summetry pyramid "
                f"labels` makes them of pyramids"
            )
        if len(topics) < len(every):
            self.notes.append(
                f"{len(every) - len(topics):,} of {len(every):,} topics have no labels"
            )
        without = sum(not topic.positive for topic in topics)
        if without:
            self.notes.append(
                f"{without:,} of {len(topics):,} labelled topics have no positive sentence, so no "
                f"average precision"
            )
        return topics

    def _learns(self, ranker: Summarizer) -> bool:
        corpus = self.train or self.corpus
        return learns(ranker, lambda learning: learning.learn(corpus, frozenset()))

    def _ranker(self, name: str, topic: Topic) -> Summarizer:
        ranker = self._rankers[name]
        if not isinstance(ranker, Learning):
            return ranker
        return ranker.learn(self.train or self.corpus, frozenset({topic.id}))

    def _with_thesaurus(self, ranker: Summarizer) -> Summarizer:
        """``ranker`` with the given thesaurus; so are rankers in it, unless they name their own."""
        if not self.thesaurus:
            return ranker
        options = [option.name for option in dataclasses.fields(ranker)]  # type: ignore[arg-type]
        changes: dict[str, Any] = {
            name: self._with_thesaurus(inner)
            for name in options
            if hasattr(inner := getattr(ranker, name), "rank")
        }
        if "thesaurus" in options and "thesaurus" not in spec.changed_options(ranker):
            changes["thesaurus"] = self.thesaurus
        return dataclasses.replace(ranker, **changes)  # type: ignore[type-var]

    def _leave_out(self, name: str, topic: Topic, error: SummetryError) -> None:
        if not self.skip_unusable:
            raise SummetryError(f"{name}, topic {topic.id!r}: {error}") from error
        self.notes.append(f"{name} is left out: topic {topic.id!r}: {error}")


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
    labelled = _LabelledTopic(topic, [None] * units, [[] for _ in range(units)])
    weights: dict[str, float] = {}
    for label in labels:
        labelled.labels[label.unit] = bool(label.scus)
        for scu in label.scus:
            if weights.setdefault(scu.id, scu.weight) != scu.weight:
                raise SummetryError(
                    f"topic {topic.id!r}: expected one weight for SCU {scu.id!r} in all labels, "
                    f"found {weights[scu.id]} and {scu.weight}; correct labels.jsonl"
                )
            labelled.scus[label.unit].append((scu.id, scu.weight))
    return labelled


def _places(ranking: Ranking, units: int) -> list[float]:
    """A number for each unit, the higher the earlier it is taken; NaN where it never is."""
    places = [math.nan] * units
    for place, unit in enumerate(ranking.order):
        places[unit] = -place
    return places


def _levels(ranking: Ranking, units: int) -> list[float]:
    """As :func:`_places`, but equal for units with equal scores, and NaN without a score."""
    if ranking.scores is None:
        return _places(ranking, units)
    levels = equalised(np.asarray(ranking.scores, np.float64))
    is_taken = np.isin(np.arange(units), ranking.order)
    taken: list[float] = np.where(is_taken, levels, math.nan).tolist()
    return taken
