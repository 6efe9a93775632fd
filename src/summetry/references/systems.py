"""Informants and systems against the majority, topic by topic: the tables of the paper.

The reference of a topic is the majority vote at the mean length of its extracts. The best extract
is that of the informant who is nearest to it.

Source: Hassel and Dalianis (2005), tables 1 to 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from summetry.records.corpus import Corpus
from summetry.records.lengths import Fit
from summetry.records.summaries import Summary
from summetry.references.agreement import MEAN, Agreement, topic_agreement
from summetry.references.comparison import (
    Overlap,
    Shares,
    best_extract,
    compare_extracts,
    compare_words,
)
from summetry.references.panel import Progress, TopicVotes, one_by_one, topic_votes
from summetry.references.ties import Ties
from summetry.stats.agreement import mean_defined
from summetry.text.pipeline import LanguagePipeline


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
    fit: Fit = "overshoot",
    ties: Ties | None = None,
    progress: Progress | None = None,
) -> list[TopicComparison]:
    """The best informant and every peer against the majority at mean length, by topic."""
    votes = one_by_one(topic_votes(corpus), progress)
    return [_compare_topic(corpus, of_topic, fit, ties) for of_topic in votes]


def mean_overlap(found: Sequence[Compared | None], name: str) -> Compared:
    """Plain means over topics of everything that is defined."""
    there = [compared for compared in found if compared]
    levels = [
        Shares(*(mean_defined([c.overlap[level][share] for c in there]) for share in range(3)))
        for level in range(len(Overlap._fields))
    ]
    return Compared(name, mean_defined([c.length for c in there]), Overlap(*levels))


def system_names(lines: Sequence[TopicComparison]) -> list[str]:
    return list(dict.fromkeys(name for line in lines for name in line.systems))


def _compare_topic(
    corpus: Corpus, votes: TopicVotes, fit: Fit, ties: Ties | None
) -> TopicComparison:
    reference = votes.reference(MEAN, fit, ties).units
    peers = [s for s in corpus.of_topic("summaries", votes.topic.id) if s.role == "candidate"]
    words = _Words(corpus, votes, peers)
    place = best_extract(votes.chosen, reference)
    best = None
    if place is not None:
        extract = votes.extracts[place]
        overlap = compare_extracts(extract.units, reference, words.units)
        best = Compared(extract.informant, words.percent(extract.units), overlap)
    systems = {peer.author: words.compare(peer, reference) for peer in peers}
    agreed = topic_agreement(votes, fit, ties).row
    return TopicComparison(agreed, reference, best, systems)


class _Words:
    """The words of a topic's units and of the texts of its peers."""

    def __init__(self, corpus: Corpus, votes: TopicVotes, peers: Sequence[Summary]) -> None:
        given = [*votes.topic.units, *(corpus.text_of(peer) for peer in peers)]
        table = LanguagePipeline().encode(given, [votes.language] * len(given))
        count = len(votes.topic.units)
        self.units = [table.text(row) for row in range(count)]
        self.texts = {p.author: table.text(count + i) for i, p in enumerate(peers)}
        self.total = sum(map(len, self.units))

    def percent(self, units: Sequence[int]) -> float:
        return self.in_percent(sum(len(self.units[unit]) for unit in units))

    def in_percent(self, words: int) -> float:
        return 100 * words / self.total if self.total else float("nan")

    def compare(self, peer: Summary, reference: Sequence[int]) -> Compared:
        if peer.units is not None:
            overlap = compare_extracts(peer.units, reference, self.units)
            return Compared(peer.author, self.percent(peer.units), overlap)
        wanted = [word for unit in reference for word in self.units[unit]]
        text = self.texts[peer.author]
        return Compared(peer.author, self.in_percent(len(text)), compare_words(text, wanted))
