"""A pyramid from marks: parts of summaries that people gave the same label.

Marks of references that share a label are the contributors of one content unit (SCU), whose weight
is the number of references among them. Marks of candidates say which units a candidate expresses; a
label that no reference has is a unit outside the pyramid. Labels are the same if they differ in
blanks and in upper and lower case only. Several annotators have a pyramid each.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from summetry.errors import (
    SummetryError,
    counted,
    did_you_mean,
    must_be_known,
    next_sentence,
    shorten,
)
from summetry.records.base import Meta, Record, no_meta
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Contributor, PeerScu, Pyramid, Scu, by_majority
from summetry.records.summaries import Summary
from summetry.text.finding import LooseText


class Mark(Record, frozen=True):
    """A part of a summary and what it says; without a label it only says that the summary was
    read."""

    topic: str
    author: str
    label: str = ""
    text: str = ""
    start: int | None = None
    end: int | None = None
    annotator: str = ""
    meta: Meta = no_meta()


def build_pyramid(topic: str, marks: Sequence[Mark], references: Collection[str]) -> Pyramid:
    """The pyramid of a topic; SCUs are numbered by weight, of equal ones the first marked first.

    >>> marks = [Mark("t", "ann", "a ferry sank"), Mark("t", "bob", "A ferry sank"),
    ...          Mark("t", "ann", "in fog"), Mark("t", "lead", "a ferry sank")]
    >>> pyramid = build_pyramid("t", marks, {"ann", "bob"})
    >>> [(scu.id, scu.weight, scu.label) for scu in pyramid.scus]
    [('1', 2, 'a ferry sank'), ('2', 1, 'in fog')]
    >>> pyramid.peers["lead"]
    (PeerScu(scu='1', text='', meta={}),)
    """
    units = _Units(topic, marks, references)
    return units.pyramid(marks)


def build_by_annotators(
    topic: str, marks: Sequence[Mark], references: Collection[str]
) -> list[Pyramid]:
    """The pyramids of a topic, one for each annotator.

    Who marked candidates only did so by the units of the one who marked references.
    """
    own: defaultdict[str, list[Mark]] = defaultdict(list)
    for mark in marks:
        own[mark.annotator].append(mark)
    makers = [who for who, of_one in own.items() if any(_is_of_unit(m, references) for m in of_one)]
    others = [who for who in own if who not in makers]
    if len(makers) > 1 and others:
        raise SummetryError(
            f"topic {topic!r}: {others[0]!r} marked candidates only, and {' and '.join(makers)} "
            f"marked references; expected one whose units are meant"
        )
    groups = [[who] for who in makers] if len(makers) > 1 else [[*makers, *others]]
    built: list[Pyramid] = []
    for group in groups:
        units = _Units(topic, [mark for who in group for mark in own[who]], references)
        built += [units.pyramid(own[who], who) for who in group]
    return built


class _Units:
    """The units of a topic by marks of references, and those that only candidates express."""

    def __init__(self, topic: str, marks: Iterable[Mark], references: Collection[str]) -> None:
        self.topic, self.references = topic, references
        groups: defaultdict[str, list[Mark]] = defaultdict(list)
        outside: dict[str, None] = {}
        for mark in marks:
            if _is_of_unit(mark, references):
                groups[same_label(mark.label)].append(mark)
            elif mark.label.strip():
                outside.setdefault(same_label(mark.label))
        # The sort is stable, so units of equal weight stay in the order of their first mark.
        heaviest = sorted(groups.items(), key=lambda group: -_weight(group[1]))
        self.ids = {label: str(number) for number, (label, _) in enumerate(heaviest, start=1)}
        self.scus = tuple(_scu(self.ids[label], same) for label, same in heaviest)
        outside = dict.fromkeys(label for label in outside if label not in groups)
        self.ids |= {label: f"x{number}" for number, label in enumerate(outside, start=1)}

    def pyramid(self, marks: Iterable[Mark], annotator: str = "") -> Pyramid:
        """The units with what these marks say of candidates."""
        peers: defaultdict[str, list[PeerScu]] = defaultdict(list)
        for mark in marks:
            if mark.author not in self.references:
                said = peers[mark.author]
                if mark.label.strip():
                    said.append(PeerScu(self.ids[same_label(mark.label)], mark.text, mark.meta))
        found = {author: tuple(said) for author, said in peers.items()}
        return Pyramid(self.topic, self.scus, found, annotator)


def _is_of_unit(mark: Mark, references: Collection[str]) -> bool:
    """Whether a mark makes its author a contributor of a unit."""
    return bool(mark.label.strip()) and mark.author in references


def _scu(name: str, marks: list[Mark]) -> Scu:
    parts = tuple(Contributor(m.author, m.text, m.start, m.end, m.meta) for m in marks)
    return Scu(name, " ".join(marks[0].label.split()), _weight(marks), parts)


def _weight(marks: Iterable[Mark]) -> int:
    return len({mark.author for mark in marks})


def same_label(label: str) -> str:
    """The same for labels that are one unit's.

    >>> same_label("A ferry  sank") == same_label("a ferry sank")
    True
    """
    return " ".join(label.split()).casefold()


@dataclass(frozen=True)
class Built:
    """A corpus with its new pyramids, and what is odd about the marks."""

    corpus: Corpus
    pyramids: tuple[Pyramid, ...]
    notes: tuple[str, ...] = ()


def build_pyramids(corpus: Corpus, marks: Iterable[Mark]) -> Built:
    """Pyramids for all topics that have marks; they take the place of those that were there."""
    by_topic: defaultdict[str, list[Mark]] = defaultdict(list)
    for mark in marks:
        by_topic[corpus.topic(mark.topic).id].append(mark)
    built: list[Pyramid] = []
    notes: list[str] = []
    for topic, of_topic in by_topic.items():
        summaries: tuple[Summary, ...] = corpus.of_topic("summaries", topic)
        texts = {s.author: LooseText(corpus.text_of(s)) for s in summaries}
        references = {s.author for s in summaries if s.role == "reference"}
        placed = [_placed(mark, texts, notes) for mark in of_topic]
        built += build_by_annotators(topic, placed, references)
    return _replaced(corpus, built, notes)


def add_pyramids(corpus: Corpus, pyramids: Iterable[Pyramid]) -> Built:
    """The corpus with the pyramids of a table, in place of those of the same topics.

    Systems that the table speaks of must be authors of summaries of the topic.
    """
    new = []
    for pyramid in pyramids:
        topic = corpus.topic(pyramid.topic).id
        summaries: tuple[Summary, ...] = corpus.of_topic("summaries", topic)
        known = [summary.author for summary in summaries]
        for author in pyramid.peers:
            if author not in known:
                raise SummetryError(
                    f"expected 0 and 1 of systems with a summary of topic {topic!r}, "
                    f"found {author!r}{next_sentence(did_you_mean(author, known))}"
                )
        new.append(pyramid)
    return _replaced(corpus, new)


def with_one_pyramid(corpus: Corpus, annotator: str | None = None) -> Built:
    """The corpus with one pyramid for each topic: what the majority says, or an annotator.

    Where annotators made different units, nobody is the majority, and one of them must be named.
    """
    if annotator is not None:
        names = dict.fromkeys(pyramid.annotator for pyramid in corpus.pyramids)
        must_be_known("annotator", annotator, names)
        own = tuple(one for one in corpus.pyramids if one.annotator == annotator)
        gone = len({one.topic for one in corpus.pyramids}) - len(own)
        left_out = f"left out: the content units of {counted(gone, 'topic')} without marks of"
        notes = (f"{left_out} {annotator}",) if gone else ()
        return Built(dataclasses.replace(corpus, pyramids=own), own, notes)
    by_topic: defaultdict[str, list[Pyramid]] = defaultdict(list)
    for pyramid in corpus.pyramids:
        by_topic[pyramid.topic].append(pyramid)
    decided = tuple(map(one_pyramid, by_topic.values()))
    several = sum(len(of_topic) > 1 for of_topic in by_topic.values())
    note = (
        f"{counted(several, 'topic')} with marks of several annotators: a summary expresses a unit "
        f"if more than half of those who marked it say so"
    )
    return Built(dataclasses.replace(corpus, pyramids=decided), decided, (note,) * (several > 0))


def one_pyramid(pyramids: Sequence[Pyramid]) -> Pyramid:
    """The pyramid of a topic with what the majority says; refused where the units differ."""
    first, *others = by_majority(pyramids)
    if others:
        makers = " and ".join(repr(one.annotator) for one in (first, *others))
        raise SummetryError(
            f"topic {first.topic!r} has different content units by {makers}: `summetry pyramid "
            f"choose CORPUS --annotator NAME -o FOLDER` writes a corpus with those of one"
        )
    return first


def _replaced(corpus: Corpus, new: Sequence[Pyramid], notes: Iterable[str] = ()) -> Built:
    topics = {pyramid.topic for pyramid in new}
    every = [*new, *(one for one in corpus.pyramids if one.topic not in topics)]
    place = {topic.id: place for place, topic in enumerate(corpus.topics)}
    # The sort is stable: annotators of a topic stay in their order.
    ordered = tuple(sorted(every, key=lambda pyramid: place[pyramid.topic]))
    made = tuple(pyramid for pyramid in ordered if pyramid.topic in topics)
    return Built(dataclasses.replace(corpus, pyramids=ordered), made, tuple(notes))


def _placed(mark: Mark, texts: Mapping[str, LooseText], notes: list[str]) -> Mark:
    """The mark with its text and the place of it in the summary, as far as they can be found."""
    if mark.author not in texts:
        raise SummetryError(
            f"expected marks of topic {mark.topic!r} by authors of its summaries, "
            f"found {mark.author!r}{next_sentence(did_you_mean(mark.author, texts))}"
        )
    whole, start, end = texts[mark.author], mark.start, mark.end
    has_place = start is not None and end is not None and 0 <= start <= end <= len(whole.text)
    text = mark.text or (whole.text[start:end] if has_place else "")
    if has_place and whole.fits(text, (start or 0, end or 0)):
        return msgspec.structs.replace(mark, text=text)
    place = whole.find(text, near=start or 0)
    where = f"topic {mark.topic}, {mark.author}: {shorten(text)}"
    if place is None and text:
        notes.append(f"{where} is not in the summary; it counts, without a place")
    elif place is None and (start is not None or end is not None):
        nothing = f"nothing stands at {start} to {end} of the summary"
        notes.append(f"topic {mark.topic}, {mark.author}: {nothing}; it counts, without a place")
    elif start is not None:
        notes.append(f"{where} is not at {start} to {end}, it was looked up")
    first, last = place or (None, None)
    return msgspec.structs.replace(mark, text=text, start=first, end=last)
