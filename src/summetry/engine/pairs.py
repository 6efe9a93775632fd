"""Scoring texts that are already in memory: ``summetry.score``."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from summetry import spec
from summetry.arguments import as_list, check_string, kind_of
from summetry.arrays.types import Ints
from summetry.engine.chunks import build_metrics
from summetry.engine.fingerprints import fingerprint_of_numbers, number_of_texts
from summetry.engine.plan import CHUNK_ITEMS, Chunk, Facts, Item, Plan, cut_into_chunks, read_by
from summetry.engine.run import MetricLike, Run
from summetry.errors import SummetryError, SummetryWarning, counted
from summetry.metrics import DEFAULT_METRICS, Metric, Needs
from summetry.records.batches import Batch, TextBatch, TextColumns
from summetry.records.scores import Row
from summetry.records.text_scores import TextScores, Values

# What gives a metric what it needs, in a call from Python.
_ARGUMENTS = {Needs.REFERENCES: "the argument references", Needs.SOURCE: "the argument sources"}


def score(
    candidates: str | Sequence[str],
    references: str | Sequence[str] | Sequence[Sequence[str]] = (),
    metrics: str | Sequence[MetricLike] = DEFAULT_METRICS,
    *,
    sources: str | Sequence[str] | None = None,
    language: str = "",
) -> TextScores:
    """Values by metric, each under the name that the caller used.

    One candidate goes with one reference or a list of references, and every value is a number. A
    list of candidates goes with a list of references, one text (or a list of texts) for each, and
    every value is an array. Columns of pandas and polars are lists, too.

    >>> score("a b c", "b c d", "rouge1")["rouge1"].f
    0.6666666666666666
    >>> score(["a b", "c d"], ["a b", "c e"], "rouge1").mean()["rouge1"].f
    0.75
    """
    asked = metrics if isinstance(metrics, str) else as_list("metrics", metrics)
    check_string("language", language)
    single = isinstance(candidates, str)
    columns = _single(candidates, references, sources, language) if single else _many(
        candidates, references, sources, language
    )  # fmt: skip
    if not columns.candidates:
        empty = build_metrics(asked)
        return TextScores({r.name: Values(dict.fromkeys(r.values, np.zeros(0))) for r in empty})
    run = Run(PairPlan(columns, remedies=_ARGUMENTS), asked)
    numbers = run.numbers()
    for note in run.notes:
        warnings.warn(note, SummetryWarning, stacklevel=2)
    values: dict[str, dict[str, Any]] = {}
    for request in run.requested:
        spelling = spec.show(request.metric)
        for name in request.values:
            column = numbers[spelling, name]
            values.setdefault(request.name, {})[name] = float(column[0]) if single else column
    index = candidates.index if hasattr(candidates, "iloc") else None
    return TextScores({name: Values(v) for name, v in values.items()}, lambda: run.columns, index)


@dataclass(frozen=True)
class PairPlan(Plan):
    """Texts in columns, with their topics and authors where these are known.

    Otherwise the number of a row is its topic and its author is "candidate".
    """

    columns: TextColumns
    name: str = "the call"
    names: Sequence[tuple[str, str]] = ()
    remedies: Mapping[Needs, str] = field(default_factory=dict)

    @cached_property
    def facts(self) -> Facts:
        counts = list(map(len, self.columns.references))
        span = (min(counts, default=0), max(counts, default=0))
        offered = Needs(int(np.bitwise_or.reduce(_offered(self.columns))))
        return Facts(len(counts), offered, span, languages=(self.columns.language,))

    @cached_property
    def fingerprint(self) -> str:
        rows = zip(*self.columns[:3], strict=True)
        return fingerprint_of_numbers(number_of_texts(*row, self.columns.language) for row in rows)

    def items(self) -> Iterator[Item]:
        for chunk in self.chunks():
            for row, comparison in zip(chunk.rows(), chunk.batch(()).comparisons, strict=True):
                yield Item(row, (comparison,))

    def chunks(self, size: int = CHUNK_ITEMS) -> Iterator[Chunk]:
        whole = TextChunk(self.columns, 1, self.names)
        lengths = _lengths(self.columns)
        for rows in cut_into_chunks(range(len(whole)), lengths.__getitem__, size):
            yield whole.part(slice(rows[0], rows[-1] + 1))


@dataclass
class TextChunk:
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
        return _offered(self.columns)

    @property
    def owners(self) -> Ints:
        return np.arange(len(self))

    def __len__(self) -> int:
        return len(self.columns.candidates)

    def rows(self) -> list[Row]:
        numbers = range(self.first, self.first + len(self))
        names = self.names or [(str(number), "candidate") for number in numbers]
        return [Row("no_models", topic, author, "candidate") for topic, author in names]

    def batch(self, metrics: Sequence[Metric]) -> Batch:
        self._batch = TextBatch(self.columns, self.first, **read_by(metrics))
        return self._batch

    def part(self, rows: slice) -> TextChunk:
        first = self.first + rows.indices(len(self))[0]
        return TextChunk(self.columns.part(rows), first, self.names[rows])

    def content(self) -> Any:
        # Whose the texts are may decide a metric's values as well.
        return self.first, self.names, self.columns


def _offered(columns: TextColumns) -> Ints:
    """What each row can offer a metric, as the bits of :class:`Needs`."""
    offered = np.zeros(len(columns.candidates), dtype=np.int64)
    offered[_counts(columns.references) > 0] |= Needs.REFERENCES.value
    offered[[source is not None for source in columns.sources]] |= Needs.SOURCE.value
    return offered


def _lengths(columns: TextColumns) -> list[int]:
    """How many characters the texts of each row have."""
    lengths = _counts(columns.candidates)
    # The references of all behind one another, and the first of each.
    first = np.concatenate([[0], np.cumsum(_counts(columns.references))])
    passed = np.cumsum([0, *map(len, chain.from_iterable(columns.references))])
    lengths += np.diff(passed[first])
    lengths += np.fromiter(map(len, (s or "" for s in columns.sources)), np.int64, len(lengths))
    found: list[int] = lengths.tolist()
    return found


def _counts(found: Sequence[Sized]) -> Ints:
    return np.fromiter(map(len, found), np.int64, len(found))


def _single(candidate: Any, references: Any, source: Any, language: str) -> TextColumns:
    given = [references] if isinstance(references, str) else references
    texts = _texts(given, "for one candidate references", "a text or a list of texts")
    if source is not None and not isinstance(source, str):
        raise SummetryError(f"sources must be one text for one candidate, got {kind_of(source)}")
    return TextColumns([candidate], [texts], [source], language)


def _many(candidates: Any, references: Any, sources: Any, language: str) -> TextColumns:
    texts = _texts(candidates, "candidates", "a text or a list of texts")
    per_candidate = "a text, or a list of texts, for each candidate"
    lists = _matching(references, "references", per_candidate, texts)
    if _all_of(str, lists):
        lists = [[text] for text in lists]
    groups = (
        lists
        if _are_lists_of_texts(lists)
        else [_texts(group, f"references[{i}]", "a list of texts") for i, group in enumerate(lists)]
    )
    if sources is None:
        origins: list[str | None] = [None] * len(texts)
    else:
        given = _matching(sources, "sources", "one text for each candidate", texts)
        origins = list(_texts(given, "sources", "a list of texts"))
    return TextColumns(texts, groups or [[]] * len(texts), origins, language)


def _are_lists_of_texts(found: list[Any]) -> bool:
    """Whether this is what nearly every caller gives; a closer look is taken only if not."""
    return _all_of(list, found) and _all_of(str, chain.from_iterable(found))


def _all_of(kind: type, found: Iterable[Any]) -> bool:
    return {kind}.issuperset(map(type, found))


def _matching(given: Any, name: str, expected: str, candidates: list[str]) -> list[Any]:
    """``given`` as a list, if it has one entry per candidate (or none at all)."""
    if isinstance(given, str):
        raise SummetryError(f"{name} must be {expected}, got a string")
    items = as_list(name, given, expected)
    if len(items) not in ((0, len(candidates)) if name == "references" else (len(candidates),)):
        candidate = counted(len(candidates), "candidate")
        advice = ""
        if name == "references" and len(candidates) == 1:
            # Both are common; to take one of them for the other would give wrong numbers.
            advice = (
                f"; if all are references of the one candidate, write references=[[...]]; if each "
                f"belongs to a candidate of its own, give {len(items)} candidates"
            )
        raise SummetryError(f"{name} must be {expected}, got {len(items)} for {candidate}{advice}")
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
            is_missing = text is None or isinstance(text, float)
            advice = "; it is missing: leave out the row, or fill it in" if is_missing else ""
            raise SummetryError(f"{name}[{number}] must be a text, got {kind_of(text)}{advice}")
    return texts
