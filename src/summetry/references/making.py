"""References for a whole corpus, and a corpus that has them as models."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.lengths import Budget, Fit
from summetry.records.summaries import Summary
from summetry.references.fitting import Reference, Tie, check_whole_units
from summetry.references.panel import Panel, Progress, TopicVotes, one_by_one, topic_votes
from summetry.references.ties import Ties

# So many topics are named in a note.
_NAMED = 5


class TopicReference(NamedTuple):
    votes: TopicVotes
    reference: Reference


@dataclass(frozen=True)
class References:
    """The references of a corpus, one a topic with extracts, and how they were made."""

    corpus: Corpus
    budget: Budget
    fit: Fit
    ties: Ties
    made: tuple[TopicReference, ...]

    @property
    def tied(self) -> list[TopicReference]:
        """Those that depended on a tie."""
        return [found for found in self.made if found.reference.tie]

    @property
    def disputed(self) -> list[TopicReference]:
        """Those of them for which the tie rules differ."""
        return [f for f in self.made if f.reference.tie and f.reference.tie.rules_differ]

    def notes(self) -> list[str]:
        """What a user should know: topics without a reference, and why."""
        there = {found.votes.topic.id for found in self.made}
        silent = [topic.id for topic in self.corpus.topics if topic.id not in there]
        empty = [found for found in self.made if not found.reference.units]
        unvoted = [f.votes.topic.id for f in empty if not any(f.votes.ballot.counts)]
        too_long = [f.votes.topic.id for f in empty if any(f.votes.ballot.counts)]
        room = "the mean length" if self.budget.kind == "mean" else self.budget
        unfit = f"nothing fits into {room}, by the fit rule {self.fit}"
        advice = "--fit overshoot would take the unit with most votes"
        # Overshoot itself takes one wherever there is any room.
        unfit = f"{room} comes to 0" if self.fit == "overshoot" else f"{unfit}; {advice}"
        reasons = {
            "nobody made an extract of them": silent,
            "all extracts are empty": unvoted,
            unfit: too_long,
        }
        return [
            f"no reference for {len(topics)} of {len(self.corpus.topics)} topics "
            f"({_listed(topics)}): {reason}"
            for reason, topics in reasons.items()
            if topics
        ]


def make_references(
    corpus: Corpus,
    budget: Budget | str = "mean",
    fit: Fit = "stop",
    ties: Ties | str = "position",
    panel: Panel | None = None,
    progress: Progress | None = None,
) -> References:
    """References by majority vote for all topics that have extracts."""
    check_whole_units(fit)
    length = Budget.parse(budget) if isinstance(budget, str) else budget
    rule = Ties.parse(ties) if isinstance(ties, str) else ties
    made = [
        TopicReference(votes, votes.reference(length, fit, rule))
        for votes in one_by_one(topic_votes(corpus, panel), progress)
    ]
    return References(corpus, length, fit, rule, tuple(made))


def with_references(references: References, author: str = "majority", only: bool = False) -> Corpus:
    """The corpus with the references as models by ``author``; with ``only`` it has no others.

    A topic whose reference is empty gets none. Votes, and a tie that was broken, are in ``meta``.
    """
    corpus = references.corpus
    if not any(found.reference.units for found in references.made):
        raise SummetryError(f"no topic of {corpus.name!r} has a reference that is not empty")
    kept = [s for s in corpus.summaries if not (only and s.role == "reference")]
    if any(s.author == author and s.role == "reference" for s in kept):
        raise SummetryError(
            f"the corpus {corpus.name!r} has models by {author!r} already; "
            f"give the new ones another name, such as --name 'majority 2'"
        )
    made = [
        Summary(
            found.votes.topic.id,
            author,
            "reference",
            units=found.reference.units,
            meta=_meta(references, found),
        )
        for found in references.made
        if found.reference.units
    ]
    return dataclasses.replace(corpus, summaries=(*kept, *made))


def tie_as_data(tie: Tie) -> dict[str, Any]:
    """A tie as it is written into files."""
    choices = {rule: list(units) for rule, units in tie.choices.items()}
    return {"votes": plain(tie.votes), "units": list(tie.units), "choices": choices}


def plain(number: Fraction | float) -> int | float:
    """A number for a file: whole where it is whole."""
    return int(number) if number == number and number == int(number) else float(number)


def _meta(references: References, found: TopicReference) -> dict[str, Any]:
    votes, reference = found
    ballot = votes.ballot
    names = [extract.informant for extract in votes.extracts]
    meta: dict[str, Any] = {
        "budget": str(references.budget),
        "fit": references.fit,
        "ties": str(references.ties),
        "informants": names,
        "votes": [plain(count) for count in ballot.votes],
    }
    if set(ballot.weights) != {ballot.unit}:
        weights = [plain(Fraction(weight, ballot.unit)) for weight in ballot.weights]
        meta["weights"] = dict(zip(names, weights, strict=True))
    if reference.tie:
        meta["tie"] = tie_as_data(reference.tie)
    return meta


def _listed(topics: Sequence[str]) -> str:
    more = len(topics) - _NAMED
    return ", ".join(topics[:_NAMED]) + (f" and {more} more" if more > 0 else "")
