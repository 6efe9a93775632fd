"""References by majority vote for a whole corpus: whose votes count, and what they choose."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple

from summetry.arguments import Progress, one_by_one
from summetry.errors import SummetryError, counted, first_names, must_be_known
from summetry.records.corpus import Corpus
from summetry.records.lengths import (
    Fit,
    Length,
    TopicLengths,
    TopicLengthsLike,
    exact,
    fill,
    gap_between,
    lengths_of,
    parse_length,
    share_of_words,
)
from summetry.records.summaries import Extract, Summary
from summetry.records.text_extracts import FoundExtract, found_extracts, with_found
from summetry.records.topics import Topic
from summetry.references.text_extracts import refuse_lost
from summetry.references.voting import (
    Ballot,
    Reference,
    Tie,
    Ties,
    check_whole_units,
    count_votes,
    fit_reference,
)
from summetry.text.languages import language
from summetry.text.pipeline import LanguagePipeline

# The group of informants of whom people.jsonl does not say one.
NO_GROUP = "(no group)"


@dataclass(frozen=True)
class Voters:
    """The informants who have a vote: all, unless some are left out or one group is asked for.

    An informant has one vote unless ``weights`` names another number; 0 leaves them out.
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
        """Refuse names that no informant of the corpus has, and a corpus without extracts."""
        informants = {extract.informant for extract in corpus.extracts}
        if not informants:
            raise SummetryError(
                f"the corpus {corpus.name!r} has no extracts to count votes of; "
                f"extracts.jsonl would give some"
            )
        informants |= {extract.informant for extract in found_extracts(corpus.meta)}
        for name in [*sorted(self.without), *self.weights]:
            must_be_known("informant", name, informants)
        if self.group is not None:
            must_be_known("group of informants", self.group, set(groups_of(corpus).values()))
        refuse_lost(corpus.name, self.found(corpus))

    def found(self, corpus: Corpus) -> list[FoundExtract]:
        """Their extracts that were given as text, as far as the corpus lists them."""
        found = found_extracts(corpus.meta)
        groups = _group_of_each(corpus, (extract.informant for extract in found))
        return [extract for extract in found if self.weight(extract.informant, groups)]

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
        return [share_of_words(units, self.words) for units in self.chosen]

    def lengths(self, length: Length) -> tuple[list[int], int]:
        """The length of each unit in what ``length`` counts, and of what stands between two."""
        lengths = lengths_of(self.topic.units, self.words, length.counted)
        return lengths, gap_between(length.counted, language(self.language).spaced)

    def reference(
        self, length: Length | TopicLengths, fit: Fit = "stop", ties: Ties | None = None
    ) -> Reference:
        """The reference of the topic by majority vote."""
        length = length.of_topic(self.topic.id)
        lengths, gap = self.lengths(length)
        limit = length.limit(lengths, self.chosen, gap)
        return fit_reference(self.ballot, lengths, limit, fit, ties, gap)

    def at_percents(
        self, percents: Sequence[int], fit: Fit, ties: Ties | None = None
    ) -> Iterator[tuple[int, ...]]:
        """The units of the reference at each length, in per cent of the words.

        All of them follow from one order, which is made once.
        """
        order = (ties or Ties()).order(self.ballot)
        for percent in percents:
            limit = Length("percent", percent).limit(self.words)
            yield fill(order, self.words, limit, fit).units

    def without(self, place: int) -> TopicVotes:
        """The same topic with the votes of all informants but one."""
        kept = self.extracts[:place] + self.extracts[place + 1 :]
        weights = self.ballot.weights[:place] + self.ballot.weights[place + 1 :]
        exact_weights = [Fraction(weight, self.ballot.unit) for weight in weights]
        ballot = count_votes(len(self.words), [e.units for e in kept], exact_weights)
        return TopicVotes(self.topic, self.language, kept, ballot, self.words)


def topic_votes(corpus: Corpus, voters: Voters | None = None) -> list[TopicVotes]:
    """The votes for each topic that has an extract by one of ``voters``."""
    voters = voters or Voters()
    voters.check(corpus)
    groups = groups_of(corpus)
    words = _words(corpus)
    by_topic = []
    for topic in corpus.topics:
        extracts, weights = [], []
        for extract in corpus.of_topic("extracts", topic.id):
            weight = voters.weight(extract.informant, groups)
            if weight:
                extracts.append(extract)
                weights.append(weight)
        if extracts:
            ballot = count_votes(len(topic.units), [e.units for e in extracts], weights)
            code = corpus.language_of(topic)
            by_topic.append(TopicVotes(topic, code, tuple(extracts), ballot, words[topic.id]))
    if not by_topic:
        raise SummetryError(f"no informant is left to vote: all of {corpus.name!r} are left out")
    return by_topic


def empty_extracts(extracts: Iterable[Extract]) -> list[str]:
    """A note that names the extracts without a unit; they count like all others."""
    empty = [f"{e.informant} ({e.topic})" for e in extracts if not e.units]
    if not empty:
        return []
    what = counted(len(empty), "extract is empty and counts", "extracts are empty and count")
    return [f"{what} as choosing nothing: {first_names(empty)}"]


def voting_part(corpus: Corpus, voters: Voters) -> Corpus:
    """The corpus with the extracts that count, and the topics that have any of them."""
    voters.check(corpus)
    groups = groups_of(corpus)
    extracts = tuple(e for e in corpus.extracts if voters.weight(e.informant, groups))
    voted = {extract.topic for extract in extracts}
    topics = tuple(topic for topic in corpus.topics if topic.id in voted)
    summaries = tuple(summary for summary in corpus.summaries if summary.topic in voted)
    return dataclasses.replace(
        corpus,
        meta=with_found(corpus.meta, voters.found(corpus)),
        topics=topics,
        extracts=extracts,
        summaries=summaries,
    )


def groups_of(corpus: Corpus) -> dict[str, str]:
    """The group of every informant."""
    return _group_of_each(corpus, (extract.informant for extract in corpus.extracts))


def _group_of_each(corpus: Corpus, informants: Iterable[str]) -> dict[str, str]:
    known = {person.id: person.group for person in corpus.people}
    return {name: known.get(name) or NO_GROUP for name in dict.fromkeys(informants)}


def _words(corpus: Corpus) -> dict[str, tuple[int, ...]]:
    """The number of running words of every unit, stop words included, by topic."""
    units = [unit for topic in corpus.topics for unit in topic.units]
    codes = [corpus.language_of(topic) for topic in corpus.topics for _ in topic.units]
    counts = iter(LanguagePipeline().encode(units, codes).lengths.tolist())
    return {t.id: tuple(islice(counts, len(t.units))) for t in corpus.topics}


class TopicReference(NamedTuple):
    votes: TopicVotes
    reference: Reference


@dataclass(frozen=True)
class References:
    """The references of a corpus, one per topic with extracts, and the settings behind them."""

    corpus: Corpus
    length: Length | TopicLengths
    fit: Fit
    ties: Ties
    by_topic: tuple[TopicReference, ...]

    @property
    def tied(self) -> list[TopicReference]:
        """Those that depended on a tie."""
        return [topic for topic in self.by_topic if topic.reference.tie]

    @property
    def disputed(self) -> list[TopicReference]:
        """Those of them for which the tie rules differ."""
        ties = ((topic, topic.reference.tie) for topic in self.by_topic)
        return [topic for topic, tie in ties if tie and tie.rules_differ]

    def notes(self) -> list[str]:
        """What a user should know: topics without a reference, and why."""
        voted = {votes.topic.id for votes, _ in self.by_topic}
        without_extracts = [topic.id for topic in self.corpus.topics if topic.id not in voted]
        empty = [votes for votes, reference in self.by_topic if not reference.units]
        unvoted = [votes.topic.id for votes in empty if not any(votes.ballot.counts)]
        too_long = [votes.topic.id for votes in empty if any(votes.ballot.counts)]
        room = "the mean length" if str(self.length) == "mean" else self.length
        unfit = f"nothing fits into {room}, by the fit rule {self.fit}"
        advice = "--fit overshoot would take the unit with most votes"
        # Overshoot itself takes one wherever there is any room.
        unfit = f"{room} comes to 0" if self.fit == "overshoot" else f"{unfit}; {advice}"
        reasons = {
            "they have no extracts": without_extracts,
            "all extracts are empty": unvoted,
            unfit: too_long,
        }
        counting = (extract for votes, _ in self.by_topic for extract in votes.extracts)
        return empty_extracts(counting) + [
            f"no reference for {len(topics):,} of {len(self.corpus.topics):,} topics "
            f"({first_names(topics)}): {reason}"
            for reason, topics in reasons.items()
            if topics
        ]


def make_references(
    corpus: Corpus,
    length: TopicLengthsLike = "mean",
    fit: Fit = "stop",
    ties: Ties | str = "position",
    voters: Voters | None = None,
    progress: Progress | None = None,
) -> References:
    """References by majority vote for all topics that have extracts."""
    check_whole_units(fit)
    length = parse_length(length)
    rule = Ties.parse(ties) if isinstance(ties, str) else ties
    by_topic = [
        TopicReference(votes, votes.reference(length, fit, rule))
        for votes in one_by_one(topic_votes(corpus, voters), progress)
    ]
    return References(corpus, length, fit, rule, tuple(by_topic))


def with_references(references: References, author: str = "majority", only: bool = False) -> Corpus:
    """The corpus with the references by ``author``; with ``only`` it has no others.

    A topic whose reference is empty gets none. Votes, and a tie that was broken, are in ``meta``.
    """
    corpus = references.corpus
    made = references.length, references.fit, references.ties
    summaries = [
        reference_summary(votes, reference, author, *made)
        for votes, reference in references.by_topic
        if reference.units
    ]
    if not summaries:
        raise SummetryError(f"no topic of {corpus.name!r} has a reference that is not empty")
    kept = [s for s in corpus.summaries if not (only and s.role == "reference")]
    if any(s.author == author and s.role == "reference" for s in kept):
        raise SummetryError(
            f"the corpus {corpus.name!r} has references by {author!r} already; "
            f"give the new ones another name, such as --name 'majority 2'"
        )
    return dataclasses.replace(corpus, summaries=(*kept, *summaries))


def reference_summary(
    votes: TopicVotes,
    reference: Reference,
    author: str,
    length: Length | TopicLengths,
    fit: Fit = "stop",
    ties: Ties | None = None,
) -> Summary:
    """A reference as a summary by ``author``; how it was made is in ``meta``."""
    ballot = votes.ballot
    names = [extract.informant for extract in votes.extracts]
    meta: dict[str, Any] = {
        "length": str(length.of_topic(votes.topic.id)),
        "fit": fit,
        "ties": str(ties or Ties()),
        "informants": names,
        "votes": [plain(count) for count in ballot.votes],
    }
    if set(ballot.weights) != {ballot.unit}:
        weights = [plain(Fraction(weight, ballot.unit)) for weight in ballot.weights]
        meta["weights"] = dict(zip(names, weights, strict=True))
    if reference.tie:
        meta["tie"] = tie_as_data(reference.tie)
    return Summary(votes.topic.id, author, "reference", units=reference.units, meta=meta)


def tie_as_data(tie: Tie) -> dict[str, Any]:
    """A tie as it is written into files."""
    choices = {rule: list(units) for rule, units in tie.choices.items()}
    return {"votes": plain(tie.votes), "units": list(tie.units), "choices": choices}


def plain(number: Fraction | float) -> int | float:
    """A number for a file: whole where it is whole."""
    return int(number) if number == number and number == int(number) else float(number)
