"""Building a corpus record by record, with every check that needs to see more than one line.

A reader hands over each record with its place; what does not fit is an error that names the
place. With ``on_error="skip"`` the record is left out instead and the problem is listed.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, get_args

from summetry.errors import FormatError, Place, SummetryWarning, did_you_mean, shorten
from summetry.records.base import Meta, Record
from summetry.records.corpus import KINDS, Corpus
from summetry.records.judgments import Answer, Judgment, Qrel, Question, Utilities
from summetry.records.pyramids import RULES, Label, LabelScu, Pyramid, Scu
from summetry.records.summaries import Extract, Role, Summary
from summetry.records.topics import Document, Topic, topic_of_text, with_units
from summetry.text.finding import spans_in_order
from summetry.text.sentences import lost_breaks

OnError = Literal["stop", "skip"]

# From so many on, a topic without blanks between its sentences is worth a note.
_MANY_LOST_BREAKS = 3


class CorpusBuilder:
    """Collects records and their problems. Topics must come before what refers to them."""

    def __init__(
        self,
        name: str = "",
        language: str = "",
        scales: dict[str, tuple[str, ...]] | None = None,
        meta: Meta | None = None,
        on_error: OnError = "stop",
        splitter: str = "rules",
    ) -> None:
        self.head: dict[str, Any] = {"name": name, "language": language}
        self.head |= {"scales": scales or {}, "meta": meta or {}}
        self.on_error = on_error
        self.splitter = splitter
        self.problems: list[str] = []
        # What to do where a word is a judgment and no scale has it, if not to declare a scale.
        self.advice_on_words = ""
        self._records: dict[str, list[Record]] = {kind: [] for kind in KINDS}
        self._units: dict[str, int] = {}
        self._seen: dict[tuple[object, ...], Place] = {}
        self._cut_topics: list[str] = []
        # An example, and how many there are, of each topic that has many lost line breaks.
        self._lost_breaks: list[tuple[str, int]] = []

    def add(self, kind: str, record: Record, place: Place) -> None:
        """Check ``record`` and keep it."""
        # Not `reporting`, which would take a third of the time that a record takes.
        try:
            self._add(kind, record, place)
        except FormatError as error:
            self.report(error)

    def _add(self, kind: str, record: Record, place: Place) -> None:
        if isinstance(record, Topic):
            record = self._topic(record, place)
        topic = getattr(record, "topic", None)
        if topic is not None and topic not in self._units:
            hint = did_you_mean(topic, self._units).strip()
            raise FormatError(place, "a topic of topics.jsonl", f"topic {topic!r}", hint)
        if check := _CHECKS.get(type(record)):
            check(self, record, place)
        key = identity(record)
        if first := self._seen.get(key):
            name = " ".join(filter(None, map(str, key)))
            raise FormatError(place, f"one {name}", f"a second one, the first is {first}")
        # Only what is kept counts: nothing may refer to a record that was left out.
        self._seen[key] = place
        if isinstance(record, Topic):
            self._units[record.id] = len(record.units)
        self._records[kind].append(record)

    def add_texts(
        self,
        topic: str,
        source: str | None,
        references: Iterable[str],
        place: Place,
        category: str | tuple[str, ...] = "",
    ) -> None:
        """A topic, whose one document is ``source``, and what ``reference 1``, ... wrote of it."""
        self.add("topics", topic_of_text(topic, source, category), place)
        for number, text in enumerate(references, start=1):
            one = Summary(topic, f"reference {number}", "reference", text=text)
            self.add("summaries", one, place)

    @contextlib.contextmanager
    def reporting(self) -> Iterator[None]:
        """What is wrong with the record that is read or added inside is reported."""
        try:
            yield
        except FormatError as error:
            self.report(error)

    def report(self, error: FormatError) -> None:
        """A problem with one record: raised, or listed when bad records are skipped."""
        if self.on_error == "stop":
            raise error
        self.problems.append(str(error))

    def build(self) -> Corpus:
        self._note_lost_breaks()
        kept: dict[str, Any] = {kind: tuple(records) for kind, records in self._records.items()}
        return Corpus(
            **self.head,
            **kept,
            problems=tuple(self.problems),
            cut_topics=tuple(self._cut_topics),
        )

    def _topic(self, topic: Topic, place: Place) -> Topic:
        _check_name(topic.id, place)
        if topic.text and topic.documents:
            raise FormatError(place, "text or documents", "both", "put the text into a document")
        _check_once(topic.categories, "category", place)
        if "" in topic.categories:
            raise FormatError(place, "names of categories", "an empty one")
        for document in topic.documents:
            _check_document(document, place)
        cut = with_units(topic, self.head["language"], self.splitter)
        given = {document.id for document in topic.documents if document.units}
        if any(len(d.units) > 1 and d.id not in given for d in cut.documents):
            self._cut_topics.append(topic.id)
            if self.splitter == "rules" and topic.unit == "sentence":
                self._look_for_lost_breaks(cut, given)
        return cut

    def _look_for_lost_breaks(self, topic: Topic, given: set[str]) -> None:
        """Remember a topic that we had to cut at many places without a blank."""
        places = [
            (document.text, place)
            for document in topic.documents
            if document.text and document.id not in given
            for place in lost_breaks(document.text, document.units)
        ]
        if len(places) >= _MANY_LOST_BREAKS:
            text, place = places[0]
            before, after = text[:place].split()[-1], text[place : place + 40].split()[0]
            self._lost_breaks.append((before + after, len(places)))

    def _note_lost_breaks(self) -> None:
        if not self._lost_breaks:
            return
        topics = len(self._lost_breaks)
        places = sum(count for _, count in self._lost_breaks)
        note = (
            f"{topics} {'topic has' if topics == 1 else 'topics have'} sentences without a blank "
            f"between them ({shorten(self._lost_breaks[0][0])}); cut there, at {places} places"
        )
        name = self.head["name"]
        warnings.warn(f"{name}: {note}" if name else note, SummetryWarning, stacklevel=3)

    def _units_in_range(self, topic: str, units: tuple[int, ...], place: Place) -> None:
        count = self._units[topic]
        for unit in units:
            if not 0 <= unit < count:
                if not count:
                    raise FormatError(place, f"units of topic {topic!r}, which has none", str(unit))
                expected = f"units from 0 to {count - 1} for topic {topic!r}"
                raise FormatError(place, expected, f"unit {unit}", "units are counted from 0")
        _check_once(units, "unit", place)


def _check_name(name: str, place: Place) -> None:
    """Refuse what no file can hold: the name of a file whose bytes are no letters."""
    try:
        name.isascii() or name.encode()
    except UnicodeEncodeError:
        raise FormatError(place, "a name in UTF-8", repr(name), "rename it") from None


def _check_once(names: Sequence[object], noun: str, place: Place) -> None:
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise FormatError(place, f"each {noun} once", f"{noun} {twice!r} more than once")


def _check_document(document: Document, place: Place) -> None:
    """Where a document has both, its units must stand in its text, in order."""
    spans = list(spans_in_order(document.text, document.units)) if document.text else []
    if None in spans:
        number = spans.index(None)
        found = f"unit {number} {shorten(document.units[number])} that is not there"
        expected = f"the units of document {document.id!r} in its text, in order"
        raise FormatError(place, expected, found)


def _check_summary(builder: CorpusBuilder, summary: Summary, place: Place) -> None:
    _check_name(summary.author, place)
    if summary.role not in get_args(Role):
        raise FormatError(place, f"the role {' or '.join(get_args(Role))}", repr(summary.role))
    if summary.text is not None and summary.sentences is not None:
        raise FormatError(place, "text or sentences", "both", "keep one of them")
    if summary.text is None and summary.sentences is None and summary.units is None:
        raise FormatError(
            place, "a summary with text, sentences or units", "none of them",
            'write "text": "" for a system that returned nothing',
        )  # fmt: skip
    builder._units_in_range(summary.topic, summary.units or (), place)


def _check_extract(builder: CorpusBuilder, extract: Extract, place: Place) -> None:
    builder._units_in_range(extract.topic, extract.units, place)


def _check_judgment(builder: CorpusBuilder, judgment: Judgment, place: Place) -> None:
    scale = builder.head["scales"].get(judgment.dimension, ())
    if isinstance(judgment.value, str) and judgment.value not in scale:
        expected = f"a number or one of {', '.join(scale)}" if scale else "a number"
        found = f"the mark {judgment.value!r} for {judgment.dimension}"
        declare = f'declare "scales": {{"{judgment.dimension}": [...]}} in corpus.json'
        advice = (judgment.value and builder.advice_on_words) or declare
        raise FormatError(place, expected, found, "" if scale else advice)


def _check_utilities(builder: CorpusBuilder, utilities: Utilities, place: Place) -> None:
    count = builder._units[utilities.topic]
    if len(utilities.values) != count:
        raise FormatError(
            place, f"{count} values, one for each unit of topic {utilities.topic!r}",
            str(len(utilities.values)),
        )  # fmt: skip
    for number, value in enumerate(utilities.values):
        if value < 0:
            raise FormatError(place, "utilities of 0 or more", f"{value} for unit {number}")


def _check_pyramid(builder: CorpusBuilder, pyramid: Pyramid, place: Place) -> None:
    _check_once([scu.id for scu in pyramid.scus], "SCU", place)
    if pyramid.annotator in RULES:
        expected = f"an annotator who is not called {' or '.join(RULES)}, which are rules"
        raise FormatError(place, expected, repr(pyramid.annotator), "rename this one")
    _check_weights(pyramid.scus, place)


def _check_label(builder: CorpusBuilder, label: Label, place: Place) -> None:
    builder._units_in_range(label.topic, (label.unit,), place)
    _check_weights(label.scus, place)


def _check_weights(scus: Iterable[Scu | LabelScu], place: Place) -> None:
    for scu in scus:
        if scu.weight < 0:
            raise FormatError(place, "weights of 0 or more", f"{scu.weight} for SCU {scu.id!r}")


def _check_question(builder: CorpusBuilder, question: Question, place: Place) -> None:
    if question.answer is not None and not 0 <= question.answer < len(question.choices):
        expected = "choices for the answer to name one of"
        if question.choices:
            expected = f"an answer from 0 to {len(question.choices) - 1}"
        raise FormatError(place, expected, f"the answer {question.answer}")


def _check_answer(builder: CorpusBuilder, answer: Answer, place: Place) -> None:
    if ("question", answer.topic, answer.question) not in builder._seen:
        raise FormatError(place, "a question of questions.jsonl", f"question {answer.question!r}")


def _check_qrel(builder: CorpusBuilder, qrel: Qrel, place: Place) -> None:
    if ("query", qrel.query) not in builder._seen:
        raise FormatError(place, "a query of queries.jsonl", f"query {qrel.query!r}")


_CHECKS: dict[type[Record], Callable[[CorpusBuilder, Any, Place], None]] = {
    Summary: _check_summary,
    Extract: _check_extract,
    Judgment: _check_judgment,
    Utilities: _check_utilities,
    Pyramid: _check_pyramid,
    Label: _check_label,
    Question: _check_question,
    Answer: _check_answer,
    Qrel: _check_qrel,
}

# What makes a record the only one of its kind.
_KEYS: dict[str, tuple[str, ...]] = {
    "Topic": ("id",),
    "Summary": ("topic", "author", "role"),
    "Extract": ("topic", "informant"),
    "Judgment": ("topic", "author", "judge", "dimension", "reference"),
    "Utilities": ("topic", "judge"),
    "Pyramid": ("topic", "annotator"),
    "Label": ("topic", "unit"),
    "Question": ("topic", "id"),
    "Answer": ("topic", "question", "judge", "condition", "author"),
    "Query": ("id",),
    "Qrel": ("query", "topic"),
    "Person": ("id",),
}


def identity(record: Record) -> tuple[object, ...]:
    """What a corpus holds once only: the kind of the record, and what names it."""
    kind = type(record).__name__
    return (kind.lower(), *(getattr(record, key) for key in _KEYS[kind]))
