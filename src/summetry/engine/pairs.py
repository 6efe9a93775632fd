"""Scoring texts that are already in memory: ``summetry.score``."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from summetry import spec
from summetry.engine.chunks import build_metrics
from summetry.engine.plan import Facts, Item
from summetry.engine.run import MetricLike, Run
from summetry.errors import SummetryError, SummetryWarning
from summetry.metrics import Needs
from summetry.metrics._base import offers
from summetry.model.batches import Comparison, Material, Side
from summetry.model.scores import Row
from summetry.signature import fingerprint

Values = dict[str, float] | dict[str, NDArray[np.float64]]


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
    if isinstance(metrics, str):
        raise SummetryError(f"metrics must be a list, got a string; write [{metrics!r}]")
    single = isinstance(candidates, str)
    pairs = _single(candidates, references, sources, language) if single else _many(
        candidates, references, sources, language
    )  # fmt: skip
    table = Run(pairs, metrics).table() if pairs.comparisons else None
    for note in table.notes if table else ():
        warnings.warn(note, SummetryWarning, stacklevel=2)
    found: dict[str, Any] = {}
    for asked, (metric, values) in zip(metrics, build_metrics(metrics), strict=True):
        key = asked if isinstance(asked, str) else spec.show(metric)
        columns = {name: _column(table, f"{spec.show(metric)}.{name}") for name in values}
        found[key] = {n: float(c[0]) for n, c in columns.items()} if single else columns
    return found


@dataclass(frozen=True)
class PairsPlan:
    """Comparisons in memory as a plan; each is a topic of its own."""

    comparisons: tuple[Comparison, ...]
    name: str = "the call"
    protocol: str = "no_models"

    @cached_property
    def facts(self) -> Facts:
        offered = 0
        for comparison in self.comparisons:
            offered |= offers(comparison)
        counts = [len(comparison.references) for comparison in self.comparisons]
        texts = (
            text.encode("utf-8", "surrogatepass")
            for c in self.comparisons
            for text in (c.candidate.text, *(r.text for r in c.references), c.material.source or "")
        )
        span = (min(counts, default=0), max(counts, default=0))
        return Facts(len(counts), Needs(offered), span, (0, 0), (0, 0), fingerprint(texts))

    def items(self) -> Iterator[Item]:
        for comparison in self.comparisons:
            row = Row(self.protocol, comparison.material.topic, comparison.candidate.author, "peer")
            yield Item(row, (comparison,))


def compare_texts(
    candidate: str, references: Sequence[str], source: str | None, language: str, topic: str = "1"
) -> Comparison:
    """One candidate text with its references and source."""
    names = _REFERENCE_NAMES
    sides = tuple(
        [
            Side(names[i] if i < len(names) else f"reference {i + 1}", text)
            for i, text in enumerate(references)
        ]
    )
    return Comparison(Material(topic, language, source), Side("candidate", candidate), sides)


# Spelt once: most texts have few references, and there may be many texts.
_REFERENCE_NAMES = tuple(f"reference {i}" for i in range(1, 33))


def _single(candidate: Any, references: Any, source: Any, language: str) -> PairsPlan:
    texts = _texts(references, "for one candidate references", "a list of texts")
    if source is not None and not isinstance(source, str):
        raise SummetryError(f"sources must be one text for one candidate, got {_kind(source)}")
    return PairsPlan((compare_texts(candidate, texts, source, language),))


def _many(candidates: Any, references: Any, sources: Any, language: str) -> PairsPlan:
    texts = _texts(candidates, "candidates", "a text or a list of texts")
    lists = _matching(references, "references", "a list of texts for each candidate", texts)
    groups = [_texts(group, f"references[{i}]", "a list of texts") for i, group in enumerate(lists)]
    if sources is None:
        origins: list[str | None] = [None] * len(texts)
    else:
        wanted = _matching(sources, "sources", "one text for each candidate", texts)
        origins = list(_texts(wanted, "sources", "a list of texts"))
    return PairsPlan(
        tuple(
            compare_texts(text, group, source, language, str(i))
            for i, (text, group, source) in enumerate(
                zip(texts, groups or [[]] * len(texts), origins, strict=True), 1
            )
        )
    )


def _matching(found: Any, name: str, wanted: str, candidates: list[str]) -> list[Any]:
    """``found`` as a list, if it has one entry a candidate (or none at all)."""
    if isinstance(found, str | Mapping) or not hasattr(found, "__len__"):
        raise SummetryError(f"{name} must be {wanted}, got {_kind(found)}")
    if len(found) not in ((0, len(candidates)) if name == "references" else (len(candidates),)):
        raise SummetryError(
            f"{name} must be {wanted}, got {len(found)} for {len(candidates)} candidates"
        )
    return list(found)


def _texts(found: Any, name: str, wanted: str) -> list[str]:
    if isinstance(found, str | Mapping) or not hasattr(found, "__iter__"):
        advice = "; write [text] for a single one" if isinstance(found, str) else ""
        raise SummetryError(f"{name} must be {wanted}, got {_kind(found)}{advice}")
    texts = list(found)
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            raise SummetryError(f"{name}[{number}] must be a text, got {_kind(text)}")
    return texts


def _kind(found: Any) -> str:
    return "a string" if isinstance(found, str) else f"a {type(found).__name__}"


def _column(table: Any, name: str) -> NDArray[np.float64]:
    return np.zeros(0) if table is None else table.column(name)
