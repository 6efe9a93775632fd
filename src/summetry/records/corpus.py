"""A corpus: topics with all that people and systems said about them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from summetry.errors import counted, first_names, must_be_known
from summetry.records.base import Meta, Record
from summetry.records.judgments import Answer, Judgment, Qrel, Query, Question, Utilities
from summetry.records.pyramids import Label, Pyramid
from summetry.records.scores import html_table, pandas_frame, text_table
from summetry.records.summaries import Extract, Person, Summary
from summetry.records.topics import Topic
from summetry.signature import fingerprint
from summetry.text.languages import language

if TYPE_CHECKING:
    import pandas

# Every kind of record, with the file of the native folder that holds it.
KINDS: dict[str, type[Record]] = {
    "topics": Topic,
    "summaries": Summary,
    "extracts": Extract,
    "judgments": Judgment,
    "utilities": Utilities,
    "pyramids": Pyramid,
    "labels": Label,
    "questions": Question,
    "answers": Answer,
    "queries": Query,
    "qrels": Qrel,
    "people": Person,
}
# What one record of a kind is called, where that is not the kind without its s.
_ONE = {"summaries": "summary", "utilities": "utility", "queries": "query", "people": "person"}


@dataclass(frozen=True, repr=False)
class Corpus:
    """Everything known about a set of topics; made by a :class:`CorpusBuilder`."""

    name: str = ""
    language: str = ""
    scales: dict[str, tuple[str, ...]] = field(default_factory=dict)
    meta: Meta = field(default_factory=dict)
    topics: tuple[Topic, ...] = ()
    summaries: tuple[Summary, ...] = ()
    extracts: tuple[Extract, ...] = ()
    judgments: tuple[Judgment, ...] = ()
    utilities: tuple[Utilities, ...] = ()
    pyramids: tuple[Pyramid, ...] = ()
    labels: tuple[Label, ...] = ()
    questions: tuple[Question, ...] = ()
    answers: tuple[Answer, ...] = ()
    queries: tuple[Query, ...] = ()
    qrels: tuple[Qrel, ...] = ()
    people: tuple[Person, ...] = ()
    # Records that were left out when the corpus was read with on_error="skip", in words.
    problems: tuple[str, ...] = field(default=(), compare=False)
    # Topics that came as text and were cut into units when the corpus was read.
    cut_topics: tuple[str, ...] = field(default=(), compare=False)
    # The columns of texts of a table that stand for nothing.
    unused_columns: tuple[str, ...] = field(default=(), compare=False)

    def __repr__(self) -> str:
        """How many records there are of each kind."""
        counts = {kind: len(getattr(self, kind)) for kind in KINDS}
        title = f"{self.name} ({self.language})" if self.language else self.name
        lines = text_table(["corpus", title], [[kind, f"{n:,}"] for kind, n in counts.items() if n])
        for role in ("candidate", "reference"):
            names = list(dict.fromkeys(s.author for s in self.summaries if s.role == role))
            if names:
                lines.append(f"{role}s by {first_names(names)}")
        return "\n".join([*lines, "(.to_pandas() has each summary)"])

    def _repr_html_(self) -> str:
        return html_table(repr(self))

    def to_pandas(self) -> pandas.DataFrame:
        """One row per summary: id, system, role and text."""
        rows = [(s.topic, s.author, s.role, self.text_of(s)) for s in self.summaries]
        return pandas_frame(rows, columns=["id", "system", "role", "text"])

    def topic(self, topic_id: str) -> Topic:
        must_be_known("topic", topic_id, self._topics)
        return self._topics[topic_id]

    def of_topic(self, kind: str, topic_id: str) -> tuple[Any, ...]:
        """The records of one kind that belong to a topic, in the order of the corpus."""
        if kind not in self._by_topic:
            groups: defaultdict[str, list[Any]] = defaultdict(list)
            for record in getattr(self, kind):
                groups[record.topic].append(record)
            self._by_topic[kind] = {topic: tuple(group) for topic, group in groups.items()}
        return self._by_topic[kind].get(topic_id, ())

    def language_of(self, topic: Topic) -> str:
        return topic.language or self.language

    def text_of(self, summary: Summary) -> str:
        """The text of a summary; an extract's text is that of its units, in their order."""
        if summary.text is not None:
            return summary.text
        language = self.language_of(self.topic(summary.topic))
        return join_units(self.sentences_of(summary) or self._chosen(summary), language)

    def sentences_of(self, summary: Summary) -> tuple[str, ...] | None:
        """The sentences of a summary where the corpus knows them: given, or units of a topic."""
        if summary.sentences is not None or summary.text is not None:
            return summary.sentences
        return self._chosen(summary) if self.topic(summary.topic).unit == "sentence" else None

    def _chosen(self, summary: Summary) -> tuple[str, ...]:
        units = self.topic(summary.topic).units
        return tuple(units[i] for i in summary.units or ())

    def mark(self, judgment: Judgment) -> float:
        """A judgment as a number: the place on the scale, from 1 (worst), for a mark."""
        if isinstance(judgment.value, str):
            return float(self.scales[judgment.dimension].index(judgment.value) + 1)
        return float(judgment.value)

    @cached_property
    def fingerprint(self) -> str:
        """Ten digits that change with any record."""
        encode = msgspec.json.Encoder().encode
        head = encode([self.name, self.language, sorted(self.scales.items()), self.meta])
        records = (
            part
            for kind in KINDS
            for part in (kind.encode(), *(encode(record) for record in getattr(self, kind)))
        )
        return fingerprint([head, *records])

    @cached_property
    def _topics(self) -> dict[str, Topic]:
        return {topic.id: topic for topic in self.topics}

    @cached_property
    def _by_topic(self) -> dict[str, dict[str, tuple[Any, ...]]]:
        """For each kind that was asked for, the records of each topic."""
        return {}


def counted_records(number: int, kind: str) -> str:
    """A number of records of a kind, in words.

    >>> counted_records(1, "summaries"), counted_records(2, "people")
    ('1 summary', '2 people')
    """
    return counted(number, _ONE.get(kind, kind.removesuffix("s")), kind)


def join_units(units: Iterable[str], code: str) -> str:
    """Units as running text, with blanks between them where the language has blanks."""
    return (" " if language(code).spaced else "").join(units)
