"""A pyramid from marks: parts of summaries that people gave the same label.

Marks of references that share a label are the contributors of one content unit (SCU), whose weight
is the number of references among them. Marks of candidates say which units a candidate expresses; a
label that no reference has is a unit outside the pyramid. Labels are the same if they differ in
blanks and in upper and lower case only.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from summetry.errors import SummetryError, did_you_mean, next_sentence, shorten
from summetry.records.base import Meta, Record, no_meta
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Contributor, PeerScu, Pyramid, Scu
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
    groups: defaultdict[str, list[Mark]] = defaultdict(list)
    for mark in marks:
        if mark.label.strip() and mark.author in references:
            groups[same_label(mark.label)].append(mark)
    # The sort is stable, so units of equal weight stay in the order of their first mark.
    heaviest = sorted(groups.items(), key=lambda group: -_weight(group[1]))
    ids = {label: str(number) for number, (label, _) in enumerate(heaviest, start=1)}
    scus = tuple(_scu(ids[label], same) for label, same in heaviest)
    return Pyramid(topic, scus, _peers(marks, references, ids))


def _scu(name: str, marks: list[Mark]) -> Scu:
    parts = tuple(Contributor(m.author, m.text, m.start, m.end, m.meta) for m in marks)
    return Scu(name, " ".join(marks[0].label.split()), _weight(marks), parts)


def _peers(
    marks: Iterable[Mark], references: Collection[str], ids: Mapping[str, str]
) -> dict[str, tuple[PeerScu, ...]]:
    names = dict(ids)
    peers: defaultdict[str, list[PeerScu]] = defaultdict(list)
    for mark in marks:
        if mark.author in references:
            continue
        said = peers[mark.author]
        if mark.label.strip():
            outside = f"x{len(names) - len(ids) + 1}"
            scu = names.setdefault(same_label(mark.label), outside)
            said.append(PeerScu(scu, mark.text, mark.meta))
    return {author: tuple(said) for author, said in peers.items()}


def _weight(marks: Iterable[Mark]) -> int:
    return len({mark.author for mark in marks})


def same_label(label: str) -> str:
    """The same for labels that are one unit's.

    >>> same_label("A ferry  sank") == same_label("a ferry sank")
    True
    """
    return " ".join(label.split()).casefold()


def with_marks(pyramid: Pyramid, judged: Mapping[str, Sequence[Collection[str]]]) -> Pyramid:
    """The pyramid with what judges found in candidates: for each author, one set of SCUs per judge.

    An author expresses what more than half of the judges say, so that a tie is not expressed. An
    author who was annotated before is annotated anew; ids outside the pyramid are left out.

    >>> pyramid = Pyramid("t", (Scu("1"), Scu("2")))
    >>> with_marks(pyramid, {"lead": [{"1", "2"}, {"1"}]}).peers["lead"]
    (PeerScu(scu='1', text='', meta={}),)
    """
    said = {
        author: tuple(
            PeerScu(scu.id)
            for scu in pyramid.scus
            if 2 * sum(scu.id in of_one for of_one in sets) > len(sets)
        )
        for author, sets in judged.items()
    }
    return msgspec.structs.replace(pyramid, peers={**pyramid.peers, **said})


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
    built: dict[str, Pyramid] = {}
    notes: list[str] = []
    for topic, of_topic in by_topic.items():
        summaries: tuple[Summary, ...] = corpus.of_topic("summaries", topic)
        texts = {s.author: LooseText(corpus.text_of(s)) for s in summaries}
        references = {s.author for s in summaries if s.role == "reference"}
        placed = [_placed(mark, texts, notes) for mark in of_topic]
        built[topic] = build_pyramid(topic, placed, references)
    return _replaced(corpus, built, notes)


def add_pyramids(corpus: Corpus, pyramids: Iterable[Pyramid]) -> Built:
    """The corpus with the pyramids of a table, in place of those of the same topics.

    Systems that the table speaks of must be authors of summaries of the topic.
    """
    new: dict[str, Pyramid] = {}
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
        new[topic] = pyramid
    return _replaced(corpus, new)


def _replaced(corpus: Corpus, new: dict[str, Pyramid], notes: Iterable[str] = ()) -> Built:
    every = {pyramid.topic: pyramid for pyramid in corpus.pyramids} | new
    ordered = tuple(every[topic.id] for topic in corpus.topics if topic.id in every)
    made = tuple(pyramid for pyramid in ordered if pyramid.topic in new)
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
