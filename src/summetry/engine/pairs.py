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
from summetry.engine.plan import (
    CHUNK_ITEMS,
    Chunk,
    Facts,
    Item,
    Plan,
    TextChunk,
    cut_into_chunks,
    offered_by,
    span,
)
from summetry.engine.run import MetricLike, Run
from summetry.errors import SummetryError, SummetryWarning
from summetry.metrics import Needs
from summetry.records.batches import TextColumns

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
    read = _single if single else _many
    columns = read(candidates, references, sources, language)
    if columns.candidates:
        run = Run(PairPlan(columns, remedies=_ARGUMENTS), asked_for)
        built, numbers = run.built, run.numbers()
        for note in run.notes:
            warnings.warn(note, SummetryWarning, stacklevel=2)
    else:
        built, numbers = build_metrics(asked_for), {}
    scores: dict[str, Any] = {}
    for asked, (metric, values) in zip(asked_for, built, strict=True):
        spelling = spec.show(metric)
        mine = {name: numbers.get((spelling, name), np.zeros(0)) for name in values}
        scores[asked if isinstance(asked, str) else spelling] = (
            {name: float(column[0]) for name, column in mine.items()} if single else mine
        )
    return scores


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
        offered = Needs(int(np.bitwise_or.reduce(offered_by(self.columns))))
        return Facts(len(counts), offered, span(counts), languages=(self.columns.language,))

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


def _lengths(columns: TextColumns) -> list[int]:
    """How many characters the texts of each row have."""
    lengths = _counts(columns.candidates)
    # The references of all behind one another, and the first of each.
    first = np.concatenate([[0], np.cumsum(_counts(columns.references))])
    passed = np.cumsum([0, *map(len, chain.from_iterable(columns.references))])
    lengths += np.diff(passed[first])
    lengths += _counts([source or "" for source in columns.sources])
    characters: list[int] = lengths.tolist()
    return characters


def _counts(sized: Sequence[Sized]) -> Ints:
    return np.fromiter(map(len, sized), np.int64, len(sized))


def _single(candidate: Any, references: Any, source: Any, language: str) -> TextColumns:
    texts = _texts(references, "for one candidate references", "a list of texts")
    if source is not None and not isinstance(source, str):
        raise SummetryError(f"sources must be one text for one candidate, got {kind_of(source)}")
    return TextColumns([candidate], [texts], [source], language)


def _many(candidates: Any, references: Any, sources: Any, language: str) -> TextColumns:
    texts = _texts(candidates, "candidates", "a text or a list of texts")
    groups = _matching(references, "references", "a list of texts for each candidate", texts)
    # What nearly every caller gives; a closer look is taken only if it is not.
    if not (_all_of(list, groups) and _all_of(str, chain.from_iterable(groups))):
        groups = [_texts(g, f"references[{i}]", "a list of texts") for i, g in enumerate(groups)]
    origins: list[str | None] = [None] * len(texts)
    if sources is not None:
        listed = _matching(sources, "sources", "one text for each candidate", texts)
        origins = list(_texts(listed, "sources", "a list of texts"))
    return TextColumns(texts, groups or [[]] * len(texts), origins, language)


def _all_of(kind: type, items: Iterable[Any]) -> bool:
    return {kind}.issuperset(map(type, items))


def _matching(items: Any, name: str, expected: str, candidates: list[str]) -> list[Any]:
    """``items`` as a list, if it has one entry per candidate (or of references none at all)."""
    if isinstance(items, str):
        raise SummetryError(f"{name} must be {expected}, got a string")
    listed = as_list(name, items, expected)
    if len(listed) not in ((0, len(candidates)) if name == "references" else (len(candidates),)):
        raise SummetryError(
            f"{name} must be {expected}, got {len(listed)} for {len(candidates)} candidates"
        )
    return listed


def _texts(items: Any, name: str, expected: str) -> list[str]:
    if isinstance(items, str):
        advice = "write [text] for a single one"
        raise SummetryError(f"{name} must be {expected}, got a string; {advice}")
    texts = as_list(name, items, expected)
    for number, text in () if _all_of(str, texts) else enumerate(texts):
        if not isinstance(text, str):
            raise SummetryError(f"{name}[{number}] must be a text, got {kind_of(text)}")
    return texts
