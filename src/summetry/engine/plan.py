"""What is compared with what.

A plan lists items in a fixed order: one author's summary of one topic under a protocol, with
one comparison, or several when references are jackknifed. It knows how many items there are, what
they can offer a metric, and the fingerprint of the data: beforehand, or once all are read; chunks
of items are what an engine works on.

``no_models``  peers against all models.
``all_peers``  models against the remaining models; peers against every group that leaves one
               model out, and the mean of that (jackknifing), so that both meet as many
               references. With one model a peer is compared with it and a model with none.

An author who is also an informant or a judge of utilities is compared with the others only, under
both protocols (as in Hori et al. 2004, 2.5: one of 25 people meets the extracts of 24).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeAlias, TypeVar

import msgspec
import numpy as np

from summetry.arguments import check_choice
from summetry.arrays.token_tables import cut_into_runs
from summetry.arrays.types import Ints
from summetry.engine.fingerprints import fingerprint_of, number_of
from summetry.engine.targets import with_majority
from summetry.errors import NeedsError, SummetryError, must_be_known
from summetry.metrics import Metric, Needs
from summetry.metrics.base import NEEDED, offers
from summetry.records.batches import (
    Batch,
    Comparison,
    Light,
    Material,
    Side,
    TextBatch,
    TextColumns,
)
from summetry.records.corpus import Corpus, join_units
from summetry.records.scores import Row, Whose
from summetry.records.summaries import Summary
from summetry.records.topics import Topic

if TYPE_CHECKING:
    from summetry.engine.chunks import Requested

ProtocolName: TypeAlias = Literal["no_models", "all_peers"]
PROTOCOLS: tuple[ProtocolName, ...] = ("no_models", "all_peers")

CHUNK_ITEMS = 4096
CHUNK_CHARACTERS = 4_000_000

Thing = TypeVar("Thing")


class Item(Light, frozen=True, gc=False):
    """One score to be: whose it is, and the comparisons whose mean it is."""

    row: Row
    comparisons: tuple[Comparison, ...]


class Names(msgspec.Struct, frozen=True):
    """A number for the topic of each item, and the place of its system among the systems."""

    topics: bytes
    places: bytes
    systems: tuple[str, ...]

    @classmethod
    def of(cls, names: Sequence[tuple[str, str]]) -> Names:
        """The names of items, each a topic and a system."""
        topics, systems = zip(*names, strict=True) if names else ((), ())
        hashed = {topic: number_of(topic) for topic in set(topics)}
        number = {system: place for place, system in enumerate(dict.fromkeys(systems))}
        return cls(
            np.fromiter(map(hashed.__getitem__, topics), np.uint64, len(names)).tobytes(),
            np.fromiter(map(number.__getitem__, systems), np.uint32, len(names)).tobytes(),
            tuple(number),
        )


class Reading(msgspec.Struct, frozen=True):
    """What is known of a part of a file once it is read."""

    items: int
    offered: int
    # How many references the items have, each number once.
    references: tuple[int, ...]
    # The sum of the numbers that make up the fingerprint.
    total: int
    # The names of the items.
    names: Names
    columns: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    # How many rows have an empty cell in the column of ids or of systems, by column.
    lacking: Mapping[str, int] = {}
    # Whether rows are called by their numbers for lack of an id.
    is_numbered: bool = False

    @property
    def is_lasting(self) -> bool:
        """Whether nothing of it depends on what is before the part: a problem names its line."""
        return not (self.problems or self.is_numbered)


class Task(Protocol):
    """What is given to whoever works, in this process or in another: a chunk, or where it is."""

    @abstractmethod
    def read(self) -> tuple[Chunk, Reading | None]:
        """The chunk; and what its reading told, if it was read from a file."""

    @abstractmethod
    def content(self, chunk: Any = None) -> tuple[Any, bytes]:
        """All that decides the scores, as plain data and as bytes; by the ``chunk`` if it is
        read already."""

    @property
    def path(self) -> Path | None:
        """The file that a worker has to see, where it is not all at hand."""
        return None

    def by_place(self) -> Task:
        """The same as small as it can be for a worker who sees the file."""
        return self

    def at_hand(self) -> Task:
        """The same for a worker who does not."""
        return self


class _InMemory(Task):
    """A task that is the chunk itself."""

    def __str__(self) -> str:
        rows = self.rows()
        return f"the summaries from {rows[0].author} ({rows[0].topic}) on"

    @abstractmethod
    def rows(self) -> list[Row]: ...

    def read(self) -> tuple[Any, Reading | None]:
        return self, None


@dataclass(frozen=True)
class ItemChunk(_InMemory):
    """A chunk as a list of items."""

    items: Sequence[Item]

    @property
    def offered(self) -> Ints:
        """What each comparison can offer a metric, as the bits of :class:`Needs`."""
        return np.array([offers(comparison) for comparison in self._comparisons], dtype=np.int64)

    @property
    def owners(self) -> Ints:
        """The item that each comparison belongs to."""
        return np.repeat(np.arange(len(self)), [len(item.comparisons) for item in self.items])

    def __len__(self) -> int:
        return len(self.items)

    def rows(self) -> list[Row]:
        return [item.row for item in self.items]

    def whose(self) -> Whose:
        return Whose.of(self.rows())

    def batch(self, metrics: Sequence[Metric]) -> Batch:
        return Batch(with_majority(self._comparisons, metrics), **read_by(metrics))

    def empty(self) -> list[int]:
        """The items whose summary has no text."""
        return [place for place, text in enumerate(self.texts()) if is_empty(text)]

    def texts(self) -> list[str]:
        """The summaries themselves."""
        return [item.comparisons[0].candidate.text for item in self.items]

    def part(self, rows: slice) -> ItemChunk:
        return ItemChunk(self.items[rows])

    def content(self, chunk: Any = None) -> tuple[Any, bytes]:
        """What is scored, as plain data and as bytes."""
        return self.items, b""

    @property
    def _comparisons(self) -> list[Comparison]:
        return [comparison for item in self.items for comparison in item.comparisons]


@dataclass
class TextChunk(_InMemory):
    """A chunk as columns of texts, which is much quicker than a record for each of them.

    It holds its batch: memory that is still in use while the next chunk and the results get
    theirs is not given back to the system, to be asked for again page by page.
    """

    columns: TextColumns
    first: int
    names: Sequence[tuple[str, str]] = ()
    _batch: Batch | None = field(default=None, init=False, repr=False)

    @property
    def offered(self) -> Ints:
        return offered_by(self.columns)

    @property
    def owners(self) -> Ints:
        return np.arange(len(self))

    def __len__(self) -> int:
        return len(self.columns.candidates)

    @property
    def _names(self) -> Callable[[], Sequence[tuple[str, str]]]:
        # No method of the chunk, which holds the batch that holds this: neither would be freed.
        return partial(_names_of_rows, self.names, range(self.first, self.first + len(self)))

    def rows(self) -> list[Row]:
        return self.whose().rows()

    def whose(self) -> Whose:
        topics, authors = zip(*self._names(), strict=True)
        known = {author: ("no_models", author, "candidate") for author in set(authors)}
        return Whose.named(list(map(known.__getitem__, authors)), topics)

    def items(self) -> Iterator[Item]:
        for row, comparison in zip(self.rows(), self.batch(()).comparisons, strict=True):
            yield Item(row, (comparison,))

    def batch(self, metrics: Sequence[Metric]) -> Batch:
        self._batch = TextBatch(self.columns, self._names, **read_by(metrics))
        return self._batch

    def texts(self) -> Sequence[str]:
        return self.columns.candidates

    def empty(self) -> list[int]:
        texts = self.columns.candidates
        if all(texts) and not any(map(str.isspace, texts)):
            return []
        return [place for place, text in enumerate(texts) if is_empty(text)]

    def cut(self, size: int) -> Iterator[TextChunk]:
        """The same in chunks of at most ``size`` rows, fewer where texts are long."""
        return map(self.part, cut_into_runs(self.columns.lengths(), CHUNK_CHARACTERS, size))

    def only(self, rows: Sequence[int]) -> TextChunk:
        names = [self.names[row] for row in rows]
        return TextChunk(self.columns.only(rows), self.first, names)

    def part(self, rows: slice) -> TextChunk:
        first = self.first + rows.indices(len(self))[0]
        return TextChunk(self.columns.part(rows), first, self.names[rows])

    def content(self, chunk: Any = None) -> tuple[Any, bytes]:
        # Whose the texts are may decide a metric's values as well.
        return (self.first, self.names, self.columns), b""


def _names_of_rows(
    names: Sequence[tuple[str, str]], numbers: Iterable[int]
) -> Sequence[tuple[str, str]]:
    """The topic and the author of each row; without names the number is the topic."""
    return names or [(str(number), "candidate") for number in numbers]


def is_empty(text: str) -> bool:
    """Whether a text is nothing but blanks.

    >>> is_empty(""), is_empty(" \\n"), is_empty("a")
    (True, True, False)
    """
    return not text or text.isspace()


def offered_by(columns: TextColumns) -> Ints:
    """What each row can offer a metric, as the bits of :class:`Needs`."""
    rows, sources = len(columns.candidates), columns.sources
    offered: Ints = np.fromiter(map(bool, columns.references), np.int64, rows)
    offered *= Needs.REFERENCES.value
    if sources.count(None) < rows:
        offered[[source is not None for source in sources]] |= Needs.SOURCE.value
    return offered


# Some items of a plan that are worked on together.
Chunk: TypeAlias = ItemChunk | TextChunk


def read_by(metrics: Sequence[Metric]) -> dict[str, bool]:
    """What metrics read of texts, as arguments of a batch."""
    return {
        "sources": any(Needs.SOURCE in metric.needs for metric in metrics),
        "sentences": any(metric.reads_sentences for metric in metrics),
    }


def cut_into_chunks(
    things: Iterable[Thing], characters: Callable[[Thing], int], size: int
) -> Iterator[list[Thing]]:
    """Lists of at most ``size`` things, fewer when their texts are long."""
    chunk: list[Thing] = []
    total = 0
    for thing in things:
        length = characters(thing)
        if chunk and (len(chunk) == size or total + length > CHUNK_CHARACTERS):
            yield chunk
            chunk, total = [], 0
        chunk.append(thing)
        total += length
    if chunk:
        yield chunk


def _characters(item: Item) -> int:
    first = item.comparisons[0]
    length = len(first.candidate.text) + len(first.material.source or "")
    return length + sum([len(reference.text) for reference in first.references])


class Facts(msgspec.Struct, frozen=True):
    """What there is in a plan."""

    items: int
    offered: Needs
    # The fewest and the most of each that a topic has.
    references: tuple[int, int]
    informants: tuple[int, int] = (0, 0)
    judges: tuple[int, int] = (0, 0)
    # Who is compared without their own extracts (Needs.EXTRACTS) or utilities (Needs.UTILITIES).
    people: Mapping[Needs, tuple[str, ...]] = msgspec.field(default_factory=dict)
    # Who made pyramids or marked candidates by them.
    annotators: tuple[str, ...] = ()


class Plan(ABC):
    """Items in order, as often as they are asked for."""

    # What would give a metric what the plan lacks, where that is not said of data in files.
    remedies: Mapping[Needs, str] = {}
    # What would give a plan without summaries some.
    remedy_if_empty: ClassVar[str] = (
        "candidates in summaries.jsonl, the column 'candidate' of a table, --candidate, or "
        "--references for files of outputs"
    )

    @property
    @abstractmethod
    def name(self) -> str: ...

    @property
    def protocol(self) -> ProtocolName:
        return "no_models"

    @property
    @abstractmethod
    def facts(self) -> Facts: ...

    @property
    @abstractmethod
    def languages(self) -> tuple[str, ...]:
        """The languages of the texts, an empty one where a text does not say."""

    @property
    def is_read(self) -> bool:
        """Whether facts and fingerprint are known, and need not be read first."""
        return True

    @property
    def items_about(self) -> int:
        """How many items there are, or about so many as long as not all are read."""
        return self.facts.items

    @property
    def offered(self) -> Needs:
        """What items have, or what they may have as long as not all are read."""
        return self.facts.offered

    def offers(self, need: Needs) -> bool:
        """Whether some item has this."""
        return need in self.facts.offered

    def needed(self, need: Needs) -> tuple[str, str]:
        """What the plan lacks, in words, and what would give it."""
        what, remedy = NEEDED[need]
        role = {Needs.SOURCE: "source", Needs.REFERENCES: "reference"}.get(need)
        if role and self.unused_columns:
            column = self.unused_columns[0]
            return what, f"--columns {role}={column}, if that is what this column holds"
        return what, self.remedies.get(need, remedy)

    @property
    def unused_columns(self) -> tuple[str, ...]:
        """The columns of texts that stand for nothing, if the data are a table."""
        return ()

    def shown(self, number: int, row: Row) -> str:
        """Which summary is meant, for a note; items are numbered from 0."""
        return f"{row.author} ({row.topic})"

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """Of what is scored: the same data have the same one, whichever plan holds them."""

    @abstractmethod
    def items(self) -> Iterator[Item]: ...

    def chunks(self, size: int = CHUNK_ITEMS) -> Iterator[Chunk]:
        """All items in chunks of at most ``size``, fewer when their texts are long."""
        return map(ItemChunk, cut_into_chunks(self.items(), _characters, size))

    def tasks(self, size: int = CHUNK_ITEMS) -> Iterator[Task]:
        """The same as they are given to whoever works."""
        return self.chunks(size)

    def take(self, reading: Reading, task: Task) -> Task | None:
        """Take over what was read of a task, in the order of the tasks.

        A task that is returned has to be worked on instead.
        """
        return None

    def end(self) -> None:
        """Take over that there is no more to read."""
        return None


@dataclass(frozen=True)
class CorpusPlan(Plan):
    """The comparisons that a protocol makes of a corpus."""

    corpus: Corpus
    protocol: ProtocolName = "no_models"

    def __post_init__(self) -> None:
        check_choice("protocol", self.protocol, PROTOCOLS)

    @property
    def name(self) -> str:
        return f"the corpus {self.corpus.name!r}" if self.corpus.name else "the corpus"

    @property
    def unused_columns(self) -> tuple[str, ...]:
        return self.corpus.unused_columns

    def needed(self, need: Needs) -> tuple[str, str]:
        if need is Needs.CONTENT_UNITS and self.corpus.pyramids:
            build = "`summetry pyramid build CORPUS --units TABLE` adds units to a corpus of texts"
            return "summaries with a text", build
        return super().needed(need)

    @cached_property
    def facts(self) -> Facts:
        count, offered = 0, 0
        for item in self.items():
            count += 1
            for comparison in item.comparisons:
                offered |= offers(comparison)
        corpus, topics = self.corpus, self.corpus.topics
        if all(is_empty(corpus.text_of(summary)) for summary in corpus.summaries):
            # A table of content units: nothing that they could be looked for in.
            offered &= ~Needs.CONTENT_UNITS.value
        return Facts(
            count,
            Needs(offered),
            references=span([len(self._models(topic)) for topic in topics]),
            informants=span([len(corpus.of_topic("extracts", topic.id)) for topic in topics]),
            judges=span([len(corpus.of_topic("utilities", topic.id)) for topic in topics]),
            people=self._people(),
            annotators=tuple(dict.fromkeys(p.annotator for p in corpus.pyramids if p.annotator)),
        )

    @cached_property
    def languages(self) -> tuple[str, ...]:
        corpus = self.corpus
        return tuple(sorted({corpus.language_of(topic) for topic in corpus.topics}))

    @cached_property
    def fingerprint(self) -> str:
        # A corpus is the same data under both protocols; of topics without candidates only the
        # second scores anything.
        items = list(CorpusPlan(self.corpus).items())
        topics = {item.row.topic for item in items}
        items += [item for item in self.items() if item.row.topic not in topics]
        return fingerprint_of(comparison for item in items for comparison in item.comparisons)

    def items(self) -> Iterator[Item]:
        for topic in self.corpus.topics:
            material = self._material(topic)
            models = [self._side(summary) for summary in self._models(topic)]
            for summary in self.corpus.of_topic("summaries", topic.id):
                groups = self._groups(summary, models)
                if groups:
                    row = Row(self.protocol, topic.id, summary.author, summary.role)
                    side, own = self._side(summary), material.without(summary.author)
                    yield Item(row, tuple(Comparison(own, side, group) for group in groups))

    def _people(self) -> dict[Needs, tuple[str, ...]]:
        """The authors of summaries that are scored who made extracts or utilities of the topic."""
        made = {
            Needs.EXTRACTS: {(e.topic, e.informant) for e in self.corpus.extracts},
            Needs.UTILITIES: {(u.topic, u.judge) for u in self.corpus.utilities},
        }
        scored = [
            (summary.topic, summary.author)
            for summary in self.corpus.summaries
            if summary.role == "candidate" or self.protocol == "all_peers"
        ]
        return {
            need: tuple(dict.fromkeys(name for topic, name in scored if (topic, name) in own))
            for need, own in made.items()
        }

    def _groups(self, summary: Summary, models: list[Side]) -> list[tuple[Side, ...]]:
        """The references that a summary is compared with, once for each group."""
        if self.protocol == "no_models":
            return [tuple(models)] if summary.role == "candidate" else []
        if summary.role == "reference":
            return [tuple(model for model in models if model.author != summary.author)]
        if len(models) < 2:
            return [tuple(models)]
        return [(*models[:i], *models[i + 1 :]) for i in range(len(models))]

    def _models(self, topic: Topic) -> list[Summary]:
        return [s for s in self.corpus.of_topic("summaries", topic.id) if s.role == "reference"]

    def _side(self, summary: Summary) -> Side:
        sentences = self.corpus.sentences_of(summary)
        return Side(summary.author, self.corpus.text_of(summary), summary.units, sentences)

    def _material(self, topic: Topic) -> Material:
        corpus, units = self.corpus, topic.units
        language = corpus.language_of(topic)
        return Material(
            topic=topic.id,
            language=language,
            source=join_units(units, language) if topic.documents else None,
            units=units,
            unit=topic.unit,
            extracts=corpus.of_topic("extracts", topic.id),
            utilities=corpus.of_topic("utilities", topic.id),
            pyramids=corpus.of_topic("pyramids", topic.id),
            models=tuple(summary.author for summary in self._models(topic)),
        )


def check_items(plan: Plan) -> None:
    """Refuse a plan without a single summary to score."""
    if not plan.facts.items:
        raise SummetryError(
            f"{plan.name} has no summaries to score; what would give some: {plan.remedy_if_empty}"
        )


def check_needs(requested: Iterable[Requested], plan: Plan) -> None:
    """Refuse a metric that could have no value anywhere, and say what would give it one."""
    if plan.is_read:
        check_items(plan)
    for request in requested:
        lacking = request.metric.needs & ~plan.offered
        if lacking:
            what, remedy = map(" and ".join, zip(*map(plan.needed, lacking), strict=True))
            raise NeedsError(
                f"{request.name} needs {what}, which {plan.name} does not have; "
                f"what would give it: {remedy}"
            )
        if request.metric.annotator:
            must_be_known("annotator", request.metric.annotator, plan.facts.annotators)


def span(counts: Collection[int]) -> tuple[int, int]:
    """The fewest and the most."""
    return min(counts, default=0), max(counts, default=0)


def in_words(span: tuple[int, int]) -> str:
    """A number, or a range of numbers."""
    low, high = span
    return str(low) if low == high else f"{low}-{high}"
