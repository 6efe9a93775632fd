"""Labelled source sentences from peers and a pyramid: which SCUs a sentence carries.

Systems copy sentences, and annotators said which SCUs each peer expresses and where. So a peer's
sentence that is found in the source gives that sentence the SCUs, and the peer as one that used
it. A sentence that some annotated peer used without any SCU is a negative example; one that
nobody used has no label.

A sentence is found if its words are those of a unit (``exact``; all such units, where the source
says a thing twice), or, failing that, if it is the beginning of a unit, as when a summary was cut
at its last word, or shares enough words with one (``near``; the closest, of equals the first).

Source: Kennedy and Szpakowicz (2010), 1.2, who report 83 and 96 per cent of the peers' sentences
found for two years; how near is near is not said there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, NamedTuple

import numpy as np

from summetry.arrays.token_tables import TokenTable
from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Label, LabelScu, Pyramid
from summetry.records.summaries import Summary
from summetry.records.topics import Topic
from summetry.text.finding import LooseText
from summetry.text.pipeline import LanguagePipeline
from summetry.text.tokens import Span

NEAR = 0.8
# A sentence needs so many words to count as the beginning of another.
_BEGINNING = 5

How = Literal["given", "exact", "near", "missing"]


class Origin(NamedTuple):
    """The units that a sentence was taken from, and how that is known."""

    units: tuple[int, ...]
    how: How


def find_units(
    sentences: Sequence[str], units: Sequence[str], language: str = "", near: float = NEAR
) -> list[Origin]:
    """Where each sentence comes from.

    >>> source = ["The ferry sank.", "Nobody was hurt in it, they said.", "It sank in thick fog."]
    >>> [origin.how for origin in find_units(["the ferry sank", "It sank in fog", "Rain."], source)]
    ['exact', 'near', 'missing']
    """
    texts = [*sentences, *units]
    table = LanguagePipeline().encode(texts, [language] * len(texts))
    count = len(sentences)
    copies: defaultdict[bytes, list[int]] = defaultdict(list)
    for unit in range(len(units)):
        copies[table.row(count + unit).tobytes()].append(unit)
    words = _UnitWords(table, count)
    origins = [Origin((), "missing")] * count
    for place in range(count):
        row = table.row(place)
        if len(row):
            same = tuple(copies[row.tobytes()])
            close = () if same else words.nearest(place, near)
            how: How = "exact" if same else "near" if close else "missing"
            origins[place] = Origin(same or close, how)
    return origins


class _UnitWords:
    """The words of units, which are the rows of a table from ``first`` on, ready to be compared."""

    def __init__(self, table: TokenTable, first: int) -> None:
        self.table, self.first = table, first
        bags = table.bags
        start, units = bags.offsets[first], len(table) - first
        self.ids, self.counts = bags.ids[start:], bags.counts[start:]
        self.owners = np.repeat(np.arange(units, dtype=np.int64), bags.lengths[first:])
        self.starting: defaultdict[bytes, list[int]] = defaultdict(list)
        for unit in range(units):
            self.starting[table.row(first + unit)[:_BEGINNING].tobytes()].append(unit)

    def nearest(self, place: int, near: float) -> tuple[int, ...]:
        """The unit that a sentence begins, or the one with which it shares most words: twice the
        shared words divided by all words of both."""
        row = self.table.row(place)
        if len(row) >= _BEGINNING:
            for unit in self.starting.get(row[:_BEGINNING].tobytes(), ()):
                if np.array_equal(self.table.row(self.first + unit)[: len(row)], row):
                    return (unit,)
        lengths = self.table.lengths[self.first :]
        if not len(lengths):
            return ()
        own = np.bincount(row, minlength=self.table.bags.size)
        shared = np.minimum(own[self.ids], self.counts)
        common = np.bincount(self.owners, weights=shared, minlength=len(lengths))
        likeness = 2 * common / (len(row) + lengths)
        best = int(np.argmax(likeness))
        return (best,) if likeness[best] >= near else ()


@dataclass(frozen=True)
class Labelling:
    """Labels of a corpus, and how well they could be made."""

    labels: tuple[Label, ...]
    # How many sentences of peers have an origin of each kind.
    sentences: Mapping[How, int]
    # How many SCUs of the pyramids peers express, and how many of them have no place in a sentence.
    scus: int
    unplaced: int
    notes: tuple[str, ...] = ()

    @property
    def rate(self) -> float:
        """The share of the peers' sentences that were found in the source."""
        every = sum(self.sentences.values())
        return 1 - self.sentences["missing"] / every if every else float("nan")


def label_units(corpus: Corpus, near: float = NEAR) -> Labelling:
    """Labels for the units of all topics that have a pyramid with annotated peers."""
    if not 0 < near <= 1:
        raise SummetryError(f"near must be above 0 and at most 1, got {near}")
    labeller = _Labeller(corpus, near)
    for topic in corpus.topics:
        for pyramid in corpus.of_topic("pyramids", topic.id):
            labeller.add(topic, pyramid)
    labels, notes = tuple(labeller.labels), tuple(labeller.notes)
    return Labelling(labels, labeller.sentences, labeller.scus, labeller.unplaced, notes)


class _Labeller:
    """Makes labels, topic by topic."""

    def __init__(self, corpus: Corpus, near: float) -> None:
        self.corpus = corpus
        self.near = near
        self.labels: list[Label] = []
        self.sentences: dict[How, int] = {"given": 0, "exact": 0, "near": 0, "missing": 0}
        self.scus = 0
        self.unplaced = 0
        self.notes: list[str] = []

    def add(self, topic: Topic, pyramid: Pyramid) -> None:
        if not topic.units or topic.unit != "sentence":
            kind = f"{topic.unit}s" if topic.units else "nothing"
            self.notes.append(f"topic {topic.id}: its units are {kind}, expected sentences")
            return
        users: defaultdict[int, dict[str, None]] = defaultdict(dict)
        carried: defaultdict[int, set[str]] = defaultdict(set)
        summaries: tuple[Summary, ...] = self.corpus.of_topic("summaries", topic.id)
        written = {s.author: s for s in summaries if s.role == "candidate"}
        for author in pyramid.peers:
            if author not in written:
                self.notes.append(f"topic {topic.id}: {author!r} has no peer summary, only SCUs")
        peers = [written[author] for author in pyramid.peers if author in written]
        for peer, (spans, origins) in zip(peers, self._sentences(topic, peers), strict=True):
            for origin in origins:
                for unit in origin.units:
                    users[unit][peer.author] = None
            for scu, place in self._places(pyramid, peer, spans):
                for unit in origins[place].units:
                    carried[unit].add(scu)
        for unit in sorted(users):
            scus = (s for s in pyramid.scus if s.id in carried[unit])
            listed = tuple(LabelScu(scu.id, scu.weight, scu.label) for scu in scus)
            self.labels.append(Label(topic.id, unit, tuple(users[unit]), listed))

    def _sentences(
        self, topic: Topic, summaries: Sequence[Summary]
    ) -> Iterator[tuple[list[Span], list[Origin]]]:
        """Of each summary where its sentences stand in it, and where they come from.

        Those of all summaries are looked up at once.
        """
        language = self.corpus.language_of(topic)
        sentences = [self._texts(topic, summary, language) for summary in summaries]
        both = list(zip(summaries, sentences, strict=True))
        unknown = [sentence for s, own in both if s.units is None for sentence in own]
        looked_up = iter(find_units(unknown, topic.units, language, self.near))
        for summary, own in both:
            if summary.units is None:
                origins = list(islice(looked_up, len(own)))
            else:
                origins = [Origin((unit,), "given") for unit in summary.units]
            for origin in origins:
                self.sentences[origin.how] += 1
            yield _spans(self.corpus.text_of(summary), own), origins

    def _texts(self, topic: Topic, summary: Summary, language: str) -> Sequence[str]:
        if summary.units is not None:
            units = topic.units
            return [units[unit] for unit in summary.units]
        known = self.corpus.sentences_of(summary)
        if known is not None:
            return known
        return LanguagePipeline().sentences(self.corpus.text_of(summary), language)

    def _places(
        self, pyramid: Pyramid, peer: Summary, spans: Sequence[Span]
    ) -> Iterator[tuple[str, int]]:
        """The SCUs that a peer expresses, each with the number of the sentence it is in."""
        inside = {scu.id for scu in pyramid.scus}
        text = LooseText(self.corpus.text_of(peer))
        for part in pyramid.peers[peer.author]:
            if part.scu in inside:
                self.scus += 1
                place = sentence_of(part.text, text, spans)
                if place is None:
                    self.unplaced += 1
                else:
                    yield part.scu, place


def sentence_of(part: str, text: LooseText, spans: Sequence[Span]) -> int | None:
    """The sentence that holds most of a part, of equals the first; None where it is nowhere.

    Dots in a part stand for what is left out between two pieces of it.
    """
    shared = [0] * len(spans)
    for piece in part.split("..."):
        place = text.find(piece)
        if place is not None:
            for number, (start, end) in enumerate(spans):
                shared[number] += max(0, min(end, place[1]) - max(start, place[0]))
    most = max(shared, default=0)
    return shared.index(most) if most else None


def _spans(text: str, sentences: Iterable[str]) -> list[Span]:
    """Where the sentences stand in the text; an empty span for one that is not in it."""
    loose, spans, at = LooseText(text), [], 0
    for sentence in sentences:
        start, end = loose.find(sentence, near=at) or (at, at)
        spans.append((start, end))
        at = end
    return spans
