"""What is compared with what.

A plan lists items in a fixed order: one author's summary of one topic under a protocol, with
one comparison, or several when references are jackknifed. It knows beforehand how many items
there are, what they can offer a metric, and the fingerprint of the data.

``no_models``  peers against all models.
``all_peers``  models against the remaining models; peers against every group that leaves one
               model out, and the mean of that (jackknifing), so that both meet as many
               references. With one model a peer is compared with it and a model with none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol, TypeAlias

from summetry import spec
from summetry.arguments import check_choice
from summetry.errors import NeedsError, SummetryError
from summetry.metrics import Metric, Needs
from summetry.metrics.base import NEEDED, offers
from summetry.records.batches import Comparison, Light, Material, Side
from summetry.records.corpus import Corpus, join_units
from summetry.records.scores import Row
from summetry.records.summaries import Summary
from summetry.records.topics import Topic

ProtocolName: TypeAlias = Literal["no_models", "all_peers"]
PROTOCOLS: tuple[ProtocolName, ...] = ("no_models", "all_peers")


class Item(Light, frozen=True, gc=False):
    """One score to be: whose it is, and the comparisons whose mean it is."""

    row: Row
    comparisons: tuple[Comparison, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a plan before anything is scored."""

    items: int
    offered: Needs
    references: tuple[int, int]
    informants: tuple[int, int]
    judges: tuple[int, int]
    fingerprint: str
    # The languages of the texts, an empty one where a text does not say.
    languages: tuple[str, ...]


class Plan(Protocol):
    """Items in order, as often as they are asked for."""

    @property
    def name(self) -> str: ...

    @property
    def protocol(self) -> str: ...

    @property
    def facts(self) -> Facts: ...

    def items(self) -> Iterator[Item]: ...


@dataclass(frozen=True)
class CorpusPlan:
    """The comparisons that a protocol makes of a corpus."""

    corpus: Corpus
    protocol: ProtocolName = "no_models"

    def __post_init__(self) -> None:
        check_choice("protocol", self.protocol, PROTOCOLS)

    @property
    def name(self) -> str:
        return f"the corpus {self.corpus.name!r}" if self.corpus.name else "the corpus"

    @cached_property
    def facts(self) -> Facts:
        count, offered = 0, 0
        for item in self.items():
            count += 1
            for comparison in item.comparisons:
                offered |= offers(comparison)
        topics = self.corpus.topics
        models = [len(self._models(topic)) for topic in topics]
        informants = [len(self.corpus.of_topic("extracts", topic.id)) for topic in topics]
        judges = [len(self.corpus.of_topic("utilities", topic.id)) for topic in topics]
        return Facts(
            count,
            Needs(offered),
            references=_span(models),
            informants=_span(informants),
            judges=_span(judges),
            fingerprint=self.corpus.fingerprint,
            languages=tuple(sorted({self.corpus.language_of(topic) for topic in topics})),
        )

    def items(self) -> Iterator[Item]:
        for topic in self.corpus.topics:
            material = self._material(topic)
            models = [self._side(summary) for summary in self._models(topic)]
            for summary in self.corpus.of_topic("summaries", topic.id):
                groups = self._groups(summary, models)
                if groups:
                    row = Row(self.protocol, topic.id, summary.author, summary.role)
                    side = self._side(summary)
                    yield Item(row, tuple(Comparison(material, side, group) for group in groups))

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
        pyramids = corpus.of_topic("pyramids", topic.id)
        return Material(
            topic=topic.id,
            language=language,
            source=join_units(units, language) if topic.documents else None,
            units=units,
            unit=topic.unit,
            extracts=corpus.of_topic("extracts", topic.id),
            utilities=corpus.of_topic("utilities", topic.id),
            pyramid=pyramids[0] if pyramids else None,
            models=tuple(summary.author for summary in self._models(topic)),
        )


def check_items(plan: Plan) -> None:
    """Refuse a plan without a single summary to score."""
    if not plan.facts.items:
        raise SummetryError(
            f"{plan.name} has no summaries to score; what would give some: peers in "
            f"summaries.jsonl, the column 'candidate' of a table, or --candidate"
        )


def check_needs(metrics: Sequence[Metric], plan: Plan) -> None:
    """Refuse a metric that could have no value anywhere, and say what would give it one."""
    check_items(plan)
    check_offer(metrics, plan.facts.offered, plan.name)


def check_offer(
    metrics: Sequence[Metric], offered: Needs, name: str, cures: Mapping[Needs, str] | None = None
) -> None:
    """As :func:`check_needs`, for what ``name`` can offer; ``cures`` say what would give it."""
    told = cures or {}
    for metric in metrics:
        lacking = [(need, *NEEDED[need]) for need in metric.needs & ~offered]
        if lacking:
            what = " and ".join(words for _, words, _ in lacking)
            cure = " and ".join(told.get(need, cure) for need, _, cure in lacking)
            raise NeedsError(
                f"{spec.show(metric)} needs {what}, which {name} does not have; "
                f"what would give it: {cure}"
            )


def _span(counts: list[int]) -> tuple[int, int]:
    return min(counts, default=0), max(counts, default=0)


def in_words(span: tuple[int, int]) -> str:
    """A number, or a range of numbers."""
    low, high = span
    return str(low) if low == high else f"{low}-{high}"
