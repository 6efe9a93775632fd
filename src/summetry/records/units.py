"""Units mended by hand: one is cut in two, or joined with the next; the first line as the title.

What refers to the units of a topic moves with them. Where it cannot be known what becomes of it
(a utility that was given to a whole sentence, an extract that holds one of two joined sentences),
the change is refused and the message names the record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
import regex

from summetry.errors import SummetryError, shorten
from summetry.records.base import Meta, Record
from summetry.records.corpus import Corpus, join_units
from summetry.records.judgments import Utilities
from summetry.records.pyramids import Label
from summetry.records.summaries import Extract, Summary
from summetry.records.topics import Document, Topic, paragraph_numbers, with_units
from summetry.text.finding import spans_in_order
from summetry.text.languages import language as language_of
from summetry.text.titles import split_title
from summetry.text.tokens import find_words

# Where ``meta`` of a topic keeps the first line of its text that became its title.
FIRST_LINE = "first_line"


def cut_places(unit: str, language: str = "", *, at_marks: bool = False) -> list[int]:
    """Where a unit can be cut: before each word but the first, with the marks before it.

    ``at_marks``, a word that has a mark but no blank before it is one too.

    >>> cut_places('He said "go" twice.', "en")
    [3, 8, 13]
    >>> cut_places("well-known", "en", at_marks=True)
    [5]
    """
    starts = [piece.start() for piece in regex.finditer(r"\S+", unit)]
    if at_marks or not language_of(language).spaced:
        starts = sorted({*starts, *(start for start, _ in find_words(unit))})
    return starts[1:]


@dataclass(frozen=True)
class UnitChange:
    """One change of the units of a topic: unit ``unit`` is cut, or joined with the next one."""

    topic: str
    unit: int
    joins: bool

    def moved(self, record: Record) -> Record:
        """A record with the numbers that its units have after the change."""
        if getattr(record, "topic", None) != self.topic:
            return record
        if isinstance(record, Extract):
            units = self._chosen(record.units, f"the extract by {record.informant!r}")
            return msgspec.structs.replace(record, units=units)
        if isinstance(record, Summary) and record.units is not None:
            units = self._chosen(record.units, f"the {record.role} by {record.author!r}")
            return msgspec.structs.replace(record, units=units)
        if isinstance(record, Label):
            if record.unit == self.unit or (self.joins and record.unit == self.unit + 1):
                raise SummetryError(
                    f"unit {record.unit} has a label with content units, and it is not known which "
                    f"part they belong to; take the label out of the upload first"
                )
            return msgspec.structs.replace(record, unit=self._later(record.unit))
        if isinstance(record, Utilities):
            raise SummetryError(
                f"{record.judge!r} gave utilities to the units of this text as they are; take them "
                f"out of the upload first"
            )
        return record

    def _later(self, unit: int) -> int:
        if unit <= self.unit:
            return unit
        return unit - 1 if self.joins else unit + 1

    def _chosen(self, units: tuple[int, ...], whose: str) -> tuple[int, ...]:
        if not self.joins:
            # Who chose the whole chose both parts.
            return tuple(
                part
                for unit in units
                for part in ((unit, unit + 1) if unit == self.unit else (self._later(unit),))
            )
        first, second = self.unit in units, self.unit + 1 in units
        if first != second:
            raise SummetryError(
                f"{whose} holds one of the two units but not the other; they cannot be joined "
                f"while it is part of the study"
            )
        return tuple(self._later(unit) for unit in units if unit != self.unit + 1)


def split_unit(topic: Topic, unit: int, at: int) -> Topic:
    """The topic with a unit cut before its character ``at``."""
    document, place, number = _find(topic, unit)
    text = document.units[number]
    parts = text[:at].rstrip(), text[at:].lstrip()
    if not 0 < at < len(text) or not all(parts):
        raise SummetryError(f"unit {unit} cannot be cut there: both parts must hold something")
    units = (*document.units[:number], *parts, *document.units[number + 1 :])
    return _with_document(topic, place, document, units, _meta_after(document, number, 1))


def join_unit(topic: Topic, unit: int, language: str = "") -> Topic:
    """The topic with a unit and the next one as one unit."""
    document, place, number = _find(topic, unit)
    if number + 1 >= len(document.units):
        raise SummetryError(f"unit {unit} is the last one of its document; there is none to join")
    if number + 1 == document.meta.get("headline"):
        raise SummetryError(f"unit {unit} ends the headline, and the text begins after it")
    pair = document.units[number : number + 2]
    joined = join_units(pair, language)
    if document.text:
        (start, before), (after, end) = _spans(document)[number : number + 2]
        # Between words stand marks that are part of none; a joined word holds them.
        if topic.unit != "word" and document.text[before:after].strip():
            raise SummetryError(
                f"between unit {unit} and the next stands text that is part of no unit: "
                f"{shorten(document.text[before:after].strip())}"
            )
        joined = document.text[start:end]
    units = (*document.units[:number], joined, *document.units[number + 2 :])
    return _with_document(topic, place, document, units, _meta_after(document, number, -1))


def fixed_topics(corpus: Corpus) -> set[str]:
    """The topics whose units something refers to by number."""
    fixed = {summary.topic for summary in corpus.summaries if summary.units is not None}
    for records in (corpus.extracts, corpus.utilities, corpus.labels):
        fixed |= {record.topic for record in records}
    return fixed


def title_line(topic: Topic) -> str:
    """The first line of the text of a topic that has no title, if it looks like one."""
    if topic.title or len(topic.documents) != 1:
        return ""
    return split_title(topic.documents[0].text)[0]


def first_line_to_title(topic: Topic) -> Topic:
    """The topic with the title that its text begins with as its title, if it has none yet.

    The line is no longer part of the text; ``meta`` keeps it, so that it can be put back.
    """
    title = title_line(topic)
    if not title:
        return topic
    (document,) = topic.documents
    _, rest = split_title(document.text)
    start = len(document.text) - len(rest)
    spans = _spans(document)
    if any(begin < start < end for begin, end in spans):
        raise SummetryError("the first line is joined with what follows it; cut that unit first")
    units = tuple(document.text[begin:end] for begin, end in spans if begin >= start)
    documents = (msgspec.structs.replace(document, text=rest, units=units),)
    meta = {**topic.meta, FIRST_LINE: title}
    return msgspec.structs.replace(topic, title=title, documents=documents, meta=meta)


def title_to_first_line(topic: Topic, language: str = "") -> Topic:
    """The topic with the line that became its title as the beginning of its text again."""
    line = topic.meta.get(FIRST_LINE)
    if not isinstance(line, str) or not line or not topic.documents:
        raise SummetryError("the title of this text was not its first line")
    first, *others = topic.documents
    bare = msgspec.structs.replace(topic, documents=(Document(first.id, text=line),))
    units = (*with_units(bare, language).units, *first.units)
    whole = msgspec.structs.replace(first, text=f"{line}\n\n{first.text}", units=units)
    return msgspec.structs.replace(
        topic,
        title="" if topic.title == line else topic.title,
        documents=(whole, *others),
        meta={name: value for name, value in topic.meta.items() if name != FIRST_LINE},
    )


def _find(topic: Topic, unit: int) -> tuple[Document, int, int]:
    """The document of a unit, the document's place, and the unit's number in it."""
    number = unit
    for place, document in enumerate(topic.documents):
        if 0 <= number < len(document.units):
            return document, place, number
        number -= len(document.units)
    raise SummetryError(f"topic {shorten(topic.id)} has no unit {unit}")


def _spans(document: Document) -> list[tuple[int, int]]:
    """Where the units of a document stand in its text; that they do is checked when it is read."""
    return [span for span in spans_in_order(document.text, document.units) if span]


def _meta_after(document: Document, number: int, more: int) -> Meta:
    """What ``meta`` says of paragraphs and of the headline, after a cut (1) or a join (-1)."""
    meta: dict[str, Any] = dict(document.meta)
    if numbers := paragraph_numbers(document):
        copies = 2 if more == 1 else 1
        rest = numbers[number + 3 - copies :]
        meta["paragraphs"] = [*numbers[:number], *[numbers[number]] * copies, *rest]
    headline = meta.get("headline")
    if isinstance(headline, int) and number < headline:
        meta["headline"] = headline + more
    return meta


def _with_document(
    topic: Topic, place: int, document: Document, units: tuple[str, ...], meta: Meta
) -> Topic:
    changed = msgspec.structs.replace(document, units=units, meta=meta)
    documents = (*topic.documents[:place], changed, *topic.documents[place + 1 :])
    return msgspec.structs.replace(topic, documents=documents)
