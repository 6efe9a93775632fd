"""How much of a reference a summary has: at sentence level, at word level, by word frequency.

    sentence    units that both have
    word        running words that stand anywhere in the other text (the "vocabulary test")
    frequency   running words, each as often as both texts have it
    word_types  distinct words that both have

each divided by the size of the reference (recall), of what is evaluated (precision), and of both
together (f: hits on either side divided by the size of both sides). By frequency a value is never
above the one at word level, as in the printed tables. The paper gives no formulas; these readings
are ours. Undefined is NaN: recall for an empty reference, precision for an empty summary, f for
both.

:func:`compare_with_majority` makes the tables of the paper: informants and systems against the
majority vote, in the paper at the mean length of a topic's extracts. The printed values at sentence
level cannot be recall, as most of them are no k / |R| of these texts; f can give nearly all.

Source: Hassel and Dalianis (2005), section 4 and tables 1 to 3.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from summetry.arguments import Progress, one_by_one
from summetry.records.corpus import Corpus
from summetry.records.lengths import Fit, Length, TopicLengths, TopicLengthsLike, parse_length
from summetry.references.agreement import Agreement, topic_agreement
from summetry.references.majority import TopicVotes, topic_votes
from summetry.references.voting import Ties, check_units, mask_of
from summetry.stats.agreement import mean_defined
from summetry.text.alignment import Alignment, align
from summetry.text.pipeline import LanguagePipeline


class Shares(NamedTuple):
    recall: float
    precision: float
    f: float


class Overlap(NamedTuple):
    """What two texts share; ``sentence`` is undefined where one of them is no extract."""

    sentence: Shares
    word: Shares
    frequency: Shares
    word_types: Shares


NO_SHARES = Shares(math.nan, math.nan, math.nan)


def compare_extracts(
    evaluated: Collection[int], reference: Collection[int], sentences: Sequence[Sequence[str]]
) -> Overlap:
    """What an extract shares with a reference; ``sentences`` are the words of every unit.

    >>> compare_extracts([0], [1], [["a", "a", "b"], ["a", "c"]]).word.recall
    0.5
    """
    sets = {"the extract": sorted(set(evaluated)), "the reference": sorted(set(reference))}
    for whose, units in sets.items():
        check_units(units, len(sentences), whose)
    words = ([word for unit in units for word in sentences[unit]] for units in sets.values())
    return compare_words(*words)._replace(sentence=compare_units(evaluated, reference))


def compare_units(evaluated: Collection[int], reference: Collection[int]) -> Shares:
    """Units that both have."""
    units, targets = mask_of(evaluated), mask_of(reference)
    hits = (units & targets).bit_count()
    return _shares(hits, targets.bit_count(), hits, units.bit_count())


def compare_words(evaluated: Sequence[str], reference: Sequence[str]) -> Overlap:
    """What the words of a text share with those of a reference."""
    words, targets = Counter(evaluated), Counter(reference)
    both = words.keys() & targets.keys()
    covered = sum(targets[word] for word in both), sum(words[word] for word in both)
    clipped = (words & targets).total()
    return Overlap(
        NO_SHARES,
        _shares(covered[0], len(reference), covered[1], len(evaluated)),
        _shares(clipped, len(reference), clipped, len(evaluated)),
        _shares(len(both), len(targets), len(both), len(words)),
    )


def best_extract(
    extracts: Sequence[Collection[int]], references: Sequence[Collection[int]]
) -> int | None:
    """The place of the extract that is nearest to its reference, by f at sentence level.

    By recall the longest extract would be the nearest. Of equally near ones the first is taken;
    None where there is nothing to be near to.

    >>> best_extract([[0, 1, 2, 3], [0, 1], [1, 0]], [[0, 1, 4]] * 3)
    1
    """
    pairs = zip(extracts, references, strict=True)
    near = {
        place: compare_units(extract, reference).f
        for place, (extract, reference) in enumerate(pairs)
        if reference
    }
    return max(near, key=near.__getitem__) if near else None


def _shares(hits: int, reference: int, correct: int, evaluated: int) -> Shares:
    recall = hits / reference if reference else math.nan
    precision = correct / evaluated if evaluated else math.nan
    both = reference + evaluated
    return Shares(recall, precision, (hits + correct) / both if both else math.nan)


@dataclass(frozen=True)
class Compared:
    """A summary by ``author``: its words in per cent of the text's, and what it shares."""

    author: str
    length: float
    overlap: Overlap


@dataclass(frozen=True)
class TopicComparison:
    """One line of the table: how far people agree, the best of them, and the systems."""

    agreement: Agreement
    reference: tuple[int, ...]
    best: Compared | None
    systems: dict[str, Compared]


def compare_with_majority(
    corpus: Corpus,
    length: TopicLengthsLike = "mean",
    fit: Fit = "overshoot",
    ties: Ties | None = None,
    progress: Progress | None = None,
    own_vote: bool = False,
) -> list[TopicComparison]:
    """The best informant and every system against the majority vote of ``length``, by topic.

    An informant, also one who is the author of a summary, is compared with the vote of the others;
    with ``own_vote`` their own counts too, as it does in the paper.
    """
    asked = parse_length(length)
    votes = one_by_one(topic_votes(corpus), progress)
    return [_compare_topic(corpus, topic, asked, fit, ties, own_vote) for topic in votes]


def mean_overlap(topics: Sequence[Compared | None], name: str) -> Compared:
    """Plain means over topics of everything that is defined."""
    there = [compared for compared in topics if compared]
    levels = [
        Shares(*(mean_defined([c.overlap[level][share] for c in there]) for share in range(3)))
        for level in range(len(Overlap._fields))
    ]
    return Compared(name, mean_defined([c.length for c in there]), Overlap(*levels))


def system_names(lines: Sequence[TopicComparison]) -> list[str]:
    return list(dict.fromkeys(name for line in lines for name in line.systems))


def _compare_topic(
    corpus: Corpus,
    votes: TopicVotes,
    length: Length | TopicLengths,
    fit: Fit,
    ties: Ties | None,
    own_vote: bool,
) -> TopicComparison:
    reference = votes.reference(length, fit, ties).units
    targets = {} if own_vote else _votes_of_others(votes, length, fit, ties)
    candidates = [s for s in corpus.of_topic("summaries", votes.topic.id) if s.role == "candidate"]
    words = _Words(votes, [corpus.text_of(summary) for summary in candidates])
    best = words.best(targets, reference)
    systems = {
        summary.author: words.compare(
            summary.author, summary.units, targets.get(summary.author, reference), place
        )
        for place, summary in enumerate(candidates)
    }
    agreed = topic_agreement(votes, length, fit, ties).row
    return TopicComparison(agreed, reference, best, systems)


def _votes_of_others(
    votes: TopicVotes, length: Length | TopicLengths, fit: Fit, ties: Ties | None
) -> dict[str, tuple[int, ...]]:
    """The reference that each informant is compared with; nothing for one who worked alone."""
    return {
        extract.informant: votes.without(place).reference(length, fit, ties).units
        if len(votes.extracts) > 1
        else ()
        for place, extract in enumerate(votes.extracts)
    }


@dataclass(frozen=True)
class TextComparison:
    """A text that somebody gives, and the best informant, against the majority vote."""

    # Units of the topic that the text holds, and pieces of it that are in none of them.
    found: Alignment
    reference: tuple[int, ...]
    given: Compared
    best: Compared | None

    @property
    def missed(self) -> tuple[int, ...]:
        """Units of the reference that the text does not have."""
        return tuple(unit for unit in self.reference if unit not in self.found.units)

    @property
    def beside(self) -> tuple[int, ...]:
        """Units of the text that are not in the reference."""
        return tuple(unit for unit in self.found.units if unit not in self.reference)


def compare_text(
    votes: TopicVotes,
    text: str,
    length: Length | TopicLengths,
    ties: Ties | None = None,
    name: str = "",
) -> TextComparison:
    """What a text, an extract or not, shares with the majority vote of a topic.

    An extract is compared by its units. If some of the text is in no unit, its words are those of
    the text, and at sentence level it counts with the units that it holds. The best informant is
    compared with the vote of the others.
    """
    reference = votes.reference(length, ties=ties).units
    found = align(text, votes.topic.units, votes.language)
    words = _Words(votes, [text])
    given = words.compare(name, None if found.missing else found.units, reference, 0)
    if found.missing and found.units:
        shares = compare_units(found.units, reference)
        given = replace(given, overlap=given.overlap._replace(sentence=shares))
    best = words.best(_votes_of_others(votes, length, "stop", ties), reference)
    return TextComparison(found, reference, given, best)


def best_informant(
    votes: TopicVotes, length: Length | TopicLengths, ties: Ties | None = None
) -> Compared | None:
    """The informant whose extract is nearest to the vote of the others, if there are others."""
    return _Words(votes, []).best(_votes_of_others(votes, length, "stop", ties), ())


class _Words:
    """The words of a topic's units and of ``texts`` that are compared with them."""

    def __init__(self, votes: TopicVotes, texts: Sequence[str]) -> None:
        every = [*votes.topic.units, *texts]
        table = LanguagePipeline().encode(every, [votes.language] * len(every))
        count = len(votes.topic.units)
        self.votes = votes
        self.units = [table.text(row) for row in range(count)]
        self.texts = [table.text(row) for row in range(count, len(every))]

    def best(
        self, targets: Mapping[str, Sequence[int]], reference: Sequence[int]
    ) -> Compared | None:
        """The informant who is nearest to what they are compared with."""
        extracts = self.votes.extracts
        met = [targets.get(extract.informant, reference) for extract in extracts]
        place = best_extract(self.votes.chosen, met)
        if place is None:
            return None
        return self.compare(extracts[place].informant, extracts[place].units, met[place])

    def compare(
        self, author: str, units: Sequence[int] | None, reference: Sequence[int], place: int = 0
    ) -> Compared:
        """An extract by its units, or the text at ``place`` that is no extract by its words."""
        if units is None:
            text = self.texts[place]
            overlap = compare_words(text, [word for u in reference for word in self.units[u]])
            return Compared(author, self._percent(len(text)), overlap)
        overlap = compare_extracts(units, reference, self.units)
        return Compared(author, self._percent(sum(len(self.units[u]) for u in units)), overlap)

    def _percent(self, words: int) -> float:
        total = sum(map(len, self.units))
        return 100 * words / total if total else math.nan
