"""Whose votes count, and the votes for every topic of a corpus."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from summetry.errors import SummetryError, UnknownNameError
from summetry.records.corpus import Corpus
from summetry.records.lengths import Budget, Counted, Fit, exact, gap_between, lengths_of
from summetry.records.summaries import Extract
from summetry.records.topics import Topic
from summetry.references.fitting import Reference, fit_reference
from summetry.references.ties import Ties
from summetry.references.voting import Ballot, count_votes
from summetry.text.languages import language
from summetry.text.pipeline import LanguagePipeline

# Called with the number of topics done so far and of all topics.
Progress = Callable[[int, int], None]

# The group of informants of whom people.jsonl does not say one.
NO_GROUP = "(no group)"


@dataclass(frozen=True)
class Panel:
    """The informants who have a vote: all, unless some are left out or one group is asked for.

    ``weights`` says how many votes an informant has who does not have one; 0 leaves them out.
    """

    without: frozenset[str] = frozenset()
    group: str | None = None
    weights: Mapping[str, Fraction] = field(default_factory=dict)

    def __post_init__(self) -> None:
        weights = {name: exact(weight) for name, weight in self.weights.items()}
        for name, weight in weights.items():
            if weight < 0:
                raise SummetryError(
                    f"the weight of informant {name!r} must be 0 or more, got {weight}"
                )
            if name in self.without:
                raise SummetryError(
                    f"informant {name!r} is left out and has a weight too; it can be one of both"
                )
        object.__setattr__(self, "weights", weights)

    def check(self, corpus: Corpus) -> None:
        """Refuse names that nobody in the corpus has, and a corpus without extracts."""
        informants = {extract.informant for extract in corpus.extracts}
        if not informants:
            raise SummetryError(
                f"the corpus {corpus.name!r} has no extracts to count votes of; "
                f"extracts.jsonl would give some"
            )
        for name in [*sorted(self.without), *self.weights]:
            if name not in informants:
                raise UnknownNameError("informant", name, informants)
        groups = set(groups_of(corpus).values())
        if self.group is not None and self.group not in groups:
            raise UnknownNameError("group of informants", self.group, groups)

    def weight(self, informant: str, groups: Mapping[str, str]) -> Fraction:
        if informant in self.without or self.group not in (None, groups[informant]):
            return Fraction(0)
        return self.weights.get(informant, Fraction(1))


@dataclass(frozen=True)
class TopicVotes:
    """A topic with the extracts that count, and the number of words of each unit."""

    topic: Topic
    language: str
    extracts: tuple[Extract, ...]
    ballot: Ballot
    words: tuple[int, ...]

    @property
    def chosen(self) -> list[tuple[int, ...]]:
        """The units of each extract."""
        return [extract.units for extract in self.extracts]

    @property
    def percents(self) -> list[float]:
        """The length of each extract in per cent of the words; NaN where there are no words."""
        total = sum(self.words)
        counts = [sum(self.words[unit] for unit in set(units)) for units in self.chosen]
        return [100 * count / total if total else math.nan for count in counts]

    def lengths(self, counted: Counted) -> list[int]:
        return lengths_of(self.topic.units, self.words, counted)

    def gap(self, counted: Counted) -> int:
        return gap_between(counted, language(self.language).spaced)

    def reference(self, budget: Budget, fit: Fit = "stop", ties: Ties | None = None) -> Reference:
        """The reference of the topic by majority vote."""
        lengths, gap = self.lengths(budget.counted), self.gap(budget.counted)
        limit = budget.limit(lengths, self.chosen, gap)
        return fit_reference(self.ballot, lengths, limit, fit, ties, gap)

    def without(self, place: int) -> TopicVotes:
        """The same topic with the votes of all informants but one."""
        kept = self.extracts[:place] + self.extracts[place + 1 :]
        weights = self.ballot.weights[:place] + self.ballot.weights[place + 1 :]
        exact_weights = [Fraction(weight, self.ballot.unit) for weight in weights]
        ballot = count_votes(len(self.words), [e.units for e in kept], exact_weights)
        return TopicVotes(self.topic, self.language, kept, ballot, self.words)


def topic_votes(corpus: Corpus, panel: Panel | None = None) -> list[TopicVotes]:
    """The votes for each topic that has an extract by somebody of the panel."""
    panel = panel or Panel()
    panel.check(corpus)
    groups = groups_of(corpus)
    words = _words(corpus)
    found = []
    for topic in corpus.topics:
        extracts, weights = [], []
        for extract in corpus.of_topic("extracts", topic.id):
            weight = panel.weight(extract.informant, groups)
            if weight:
                extracts.append(extract)
                weights.append(weight)
        if extracts:
            ballot = count_votes(len(topic.units), [e.units for e in extracts], weights)
            spoken = corpus.language_of(topic)
            found.append(TopicVotes(topic, spoken, tuple(extracts), ballot, words[topic.id]))
    if not found:
        raise SummetryError(
            f"nobody is left to vote: all informants of {corpus.name!r} are left out"
        )
    return found


def one_by_one(votes: Sequence[TopicVotes], progress: Progress | None) -> Iterator[TopicVotes]:
    """The topics, with ``progress`` told after each."""
    for done, of_topic in enumerate(votes, 1):
        yield of_topic
        if progress:
            progress(done, len(votes))


def voting_part(corpus: Corpus, panel: Panel) -> Corpus:
    """The corpus with the extracts that count, and the topics that have any of them."""
    panel.check(corpus)
    groups = groups_of(corpus)
    extracts = tuple(e for e in corpus.extracts if panel.weight(e.informant, groups))
    voted = {extract.topic for extract in extracts}
    topics = tuple(topic for topic in corpus.topics if topic.id in voted)
    summaries = tuple(summary for summary in corpus.summaries if summary.topic in voted)
    return dataclasses.replace(corpus, topics=topics, extracts=extracts, summaries=summaries)


def groups_of(corpus: Corpus) -> dict[str, str]:
    """The group of every informant."""
    known = {person.id: person.group for person in corpus.people}
    informants = dict.fromkeys(extract.informant for extract in corpus.extracts)
    return {name: known.get(name) or NO_GROUP for name in informants}


def _words(corpus: Corpus) -> dict[str, tuple[int, ...]]:
    """The number of running words of every unit, stop words included, by topic."""
    units = [unit for topic in corpus.topics for unit in topic.units]
    spoken = [corpus.language_of(topic) for topic in corpus.topics for _ in topic.units]
    counts = iter(LanguagePipeline().encode(units, spoken).lengths.tolist())
    return {t.id: tuple(next(counts) for _ in t.units) for t in corpus.topics}
