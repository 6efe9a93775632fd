"""Scoring texts that are already in memory: ``summetry.score``."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from summetry import spec
from summetry.arguments import as_list, check_string, kind_of
from summetry.arrays.types import Floats, Ints
from summetry.engine.chunks import (
    CHUNK_CHARACTERS,
    CHUNK_ITEMS,
    build_metrics,
    reading,
    score_batch,
    threads_for,
)
from summetry.engine.plan import Facts, Item, check_offer
from summetry.engine.run import MetricLike, in_notes
from summetry.errors import SummetryError, SummetryWarning
from summetry.metrics import Metric, Needs
from summetry.records.batches import TextBatch, TextColumns
from summetry.records.scores import Row
from summetry.signature import fingerprint

# What gives a metric what it needs, in a call from Python.
_ARGUMENTS = {Needs.REFERENCES: "the argument references", Needs.SOURCE: "the argument sources"}


def score(
    candidates: str | Sequence[str],
    references: Sequence[str] | Sequence[Sequence[str]] = (),
    metrics: Sequence[MetricLike] = ("unit_overlap",),
    *,
    sources: str | Sequence[str] | None = None,
    language: str = "",
) -> dict[str, Any]:
    """Values by metric, each under the spelling that the caller used.

    For one candidate ``references`` is a list of texts and every value is a number; for a list
    of candidates it is a list of such lists and every value is an array.

    >>> score("a b c", ["b c d"], metrics=["unit_overlap"])
    {'unit_overlap': {'value': 0.5}}
    """
    asked_for = as_list("metrics", metrics)
    check_string("language", language)
    single = isinstance(candidates, str)
    columns = _single(candidates, references, sources, language) if single else _many(
        candidates, references, sources, language
    )  # fmt: skip
    built = build_metrics(asked_for)
    numbers, notes = _numbers(columns, [metric for metric, _ in built])
    for note in notes:
        warnings.warn(note, SummetryWarning, stacklevel=2)
    found: dict[str, Any] = {}
    for asked, (metric, values) in zip(asked_for, built, strict=True):
        spelling = spec.show(metric)
        mine = {name: numbers[spelling, name] for name in values}
        found[asked if isinstance(asked, str) else spelling] = (
            {name: float(column[0]) for name, column in mine.items()} if single else mine
        )
    return found


@dataclass(frozen=True)
class PairPlan:
    """One candidate text as a plan."""

    columns: TextColumns
    name: str = "the call"
    protocol: str = "no_models"

    @cached_property
    def facts(self) -> Facts:
        counts = list(map(len, self.columns.references))
        span = (min(counts, default=0), max(counts, default=0))
        offered = Needs(int(np.bitwise_or.reduce(_offered(self.columns))))
        spoken = (self.columns.language,)
        return Facts(len(counts), offered, span, (0, 0), (0, 0), self._fingerprint, spoken)

    def items(self) -> Iterator[Item]:
        for comparison in TextBatch(self.columns).comparisons:
            row = Row(
                self.protocol, comparison.material.topic, comparison.candidate.author, "candidate"
            )
            yield Item(row, (comparison,))

    @property
    def _fingerprint(self) -> str:
        return fingerprint(
            text.encode("utf-8", "surrogatepass")
            for candidate, references, source in zip(*self.columns[:3], strict=True)
            for text in (candidate, *references, source or "")
        )


def _numbers(
    columns: TextColumns, metrics: Sequence[Metric]
) -> tuple[dict[tuple[str, str], Floats], list[str]]:
    """The numbers by spelling and value, and what there is to say about them.

    As :class:`~summetry.engine.run.Run` does it, without rows and signatures, which nobody
    sees here, and without a record for each text.
    """
    total = len(columns.candidates)
    metrics = list({spec.show(metric): metric for metric in metrics}.values())
    names = [(spec.show(metric), value) for metric in metrics for value in metric.values]
    if not total:
        return {name: np.zeros(0) for name in names}, []
    offered = _offered(columns)
    check_offer(metrics, Needs(int(np.bitwise_or.reduce(offered))), "the call", _ARGUMENTS)
    data = []
    lacking: Counter[tuple[str, str]] = Counter()
    remarks: Counter[tuple[str, str]] = Counter()
    for part in _parts(columns):
        texts = columns.part(part)
        batch = TextBatch(texts, part.start + 1, **reading(metrics))
        with threads_for(metrics):
            scores = score_batch(batch, metrics, offered[part], np.arange(len(batch)))
        data.append(scores.data)
        lacking += scores.lacking
        remarks += scores.remarks
    numbers = dict(zip(names, np.concatenate(data).T, strict=True))
    return numbers, in_notes(lacking, remarks, total)


def _offered(columns: TextColumns) -> Ints:
    """What each row can offer a metric, as the bits of :class:`Needs`."""
    offered = np.zeros(len(columns.candidates), dtype=np.int64)
    offered[_counts(columns.references) > 0] |= Needs.REFERENCES.value
    offered[[source is not None for source in columns.sources]] |= Needs.SOURCE.value
    return offered


def _parts(columns: TextColumns) -> Iterator[slice]:
    """The rows in parts that are worked on at a time."""
    count = len(columns.candidates)
    lengths = _counts(columns.candidates)
    # The references of all behind one another, and the first of each.
    first = np.concatenate([[0], np.cumsum(_counts(columns.references))])
    passed = np.cumsum([0, *map(len, chain.from_iterable(columns.references))])
    lengths += np.diff(passed[first])
    lengths += np.fromiter((len(source or "") for source in columns.sources), np.int64, count)
    ends = np.cumsum(lengths)
    start = 0
    while start < count:
        most = ends[start] - lengths[start] + CHUNK_CHARACTERS
        end = max(int(np.searchsorted(ends, most, "right")), start + 1)
        yield slice(start, min(end, start + CHUNK_ITEMS, count))
        start = min(end, start + CHUNK_ITEMS)


def _counts(found: Sequence[Sized]) -> Ints:
    return np.fromiter(map(len, found), np.int64, len(found))


def _single(candidate: Any, references: Any, source: Any, language: str) -> TextColumns:
    texts = _texts(references, "for one candidate references", "a list of texts")
    if source is not None and not isinstance(source, str):
        raise SummetryError(f"sources must be one text for one candidate, got {kind_of(source)}")
    return TextColumns([candidate], [texts], [source], language)


def _many(candidates: Any, references: Any, sources: Any, language: str) -> TextColumns:
    texts = _texts(candidates, "candidates", "a text or a list of texts")
    lists = _matching(references, "references", "a list of texts for each candidate", texts)
    groups = (
        lists
        if _are_lists_of_texts(lists)
        else [_texts(group, f"references[{i}]", "a list of texts") for i, group in enumerate(lists)]
    )
    if sources is None:
        origins: list[str | None] = [None] * len(texts)
    else:
        wanted = _matching(sources, "sources", "one text for each candidate", texts)
        origins = list(_texts(wanted, "sources", "a list of texts"))
    return TextColumns(texts, groups or [[]] * len(texts), origins, language)


def _are_lists_of_texts(found: list[Any]) -> bool:
    """Whether this is what nearly every caller gives; a closer look is taken only if not."""
    return _all_of(list, found) and _all_of(str, chain.from_iterable(found))


def _all_of(kind: type, found: Iterable[Any]) -> bool:
    return {kind}.issuperset(map(type, found))


def _matching(found: Any, name: str, wanted: str, candidates: list[str]) -> list[Any]:
    """``found`` as a list, if it has one entry a candidate (or none at all)."""
    if isinstance(found, str):
        raise SummetryError(f"{name} must be {wanted}, got a string")
    items = as_list(name, found, wanted)
    if len(items) not in ((0, len(candidates)) if name == "references" else (len(candidates),)):
        raise SummetryError(
            f"{name} must be {wanted}, got {len(items)} for {len(candidates)} candidates"
        )
    return items


def _texts(found: Any, name: str, wanted: str) -> list[str]:
    if isinstance(found, str):
        advice = "write [text] for a single one"
        raise SummetryError(f"{name} must be {wanted}, got a string; {advice}")
    texts = as_list(name, found, wanted)
    if _all_of(str, texts):
        return texts
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            raise SummetryError(f"{name}[{number}] must be a text, got {kind_of(text)}")
    return texts
