"""Scoring one chunk of items: the unit of work of every engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from summetry import spec
from summetry.arguments import kind_of
from summetry.arrays.threads import one_thread
from summetry.arrays.types import Floats, Ints
from summetry.engine.memory import keep_freed_memory
from summetry.engine.plan import Item
from summetry.engine.targets import with_majority
from summetry.errors import PlugInError, SummetryError
from summetry.metrics import METRICS, Metric, Needs
from summetry.metrics.base import NEEDED, offers
from summetry.records.batches import Batch
from summetry.spec import Spec

CHUNK_ITEMS = 4096
CHUNK_CHARACTERS = 4_000_000


@dataclass(frozen=True)
class ChunkScores:
    """One row of numbers an item, and what was amiss, counted."""

    data: Floats
    # (spelling of the metric, what its candidates lack) -> how many items lack it.
    lacking: Counter[tuple[str, str]] = field(default_factory=Counter)
    problems: tuple[str, ...] = ()
    # (spelling of the metric, what its reader should know) -> how many comparisons it is true of.
    remarks: Counter[tuple[str, str]] = field(default_factory=Counter)


def build_metrics(spellings: Sequence[str | Spec | Metric]) -> list[tuple[Metric, tuple[str, ...]]]:
    """Metrics, each with the values that are wanted of it (all, unless the spelling picks)."""
    built: list[tuple[Metric, tuple[str, ...]]] = []
    if not spellings:
        raise SummetryError("at least one metric is needed")
    for place, spelling in enumerate(spellings):
        if not isinstance(spelling, str | Spec):
            if isinstance(spelling, type) or not hasattr(spelling, "headline"):
                should_be = "must be a metric or its spelling"
                raise SummetryError(f"metrics[{place}] {should_be}, got {kind_of(spelling)}")
            built.append((spelling, spelling.values))
            continue
        wanted = spec.parse(spelling) if isinstance(spelling, str) else spelling
        metric = METRICS.build(wanted)
        if wanted.pick and wanted.pick not in metric.values:
            known = ", ".join(metric.values)
            raise SummetryError(f"{metric.name} has no value {wanted.pick!r}; its values: {known}")
        built.append((metric, (wanted.pick,) if wanted.pick else metric.values))
    return built


def cut_into_chunks(items: Iterable[Item], size: int = CHUNK_ITEMS) -> Iterator[list[Item]]:
    """Lists of at most ``size`` items, fewer when their texts are long."""
    chunk: list[Item] = []
    characters = 0
    for item in items:
        length = _characters(item)
        if chunk and (len(chunk) == size or characters + length > CHUNK_CHARACTERS):
            yield chunk
            chunk, characters = [], 0
        chunk.append(item)
        characters += length
    if chunk:
        yield chunk


def score_chunk(
    items: Sequence[Item], spellings: Sequence[str], on_error: Literal["stop", "skip"] = "stop"
) -> ChunkScores:
    """The scores of some items, the same whatever other items stand beside them."""
    metrics = _metrics(tuple(spellings))
    with threads_for(metrics):
        if on_error == "stop":
            return _score(items, metrics)
        return _score_with_care(items, metrics)


def _score(items: Sequence[Item], metrics: Sequence[Metric]) -> ChunkScores:
    found = [comparison for item in items for comparison in item.comparisons]
    comparisons = with_majority(found, metrics)
    owners = np.repeat(np.arange(len(items)), [len(item.comparisons) for item in items])
    batch = Batch(comparisons, **reading(metrics))
    offered = np.array([offers(comparison) for comparison in comparisons], dtype=np.int64)
    scores = score_batch(batch, metrics, offered, owners)
    data = [_mean_of_groups(column, owners, len(items)) for column in scores.data.T]
    return replace(scores, data=np.column_stack(data) if data else np.zeros((len(items), 0)))


def reading(metrics: Sequence[Metric]) -> dict[str, bool]:
    """What metrics read, as a batch wants to know it."""
    return {
        "sources": any(Needs.SOURCE in metric.needs for metric in metrics),
        "sentences": any(metric.reads_sentences for metric in metrics),
    }


def threads_for(metrics: Sequence[Metric]) -> AbstractContextManager[Any]:
    """One thread for products of matrices, unless all metrics say that they make none.

    To find the libraries that have threads takes longer than to count a thousand pairs of texts.
    """
    if any(metric.multiplies_matrices for metric in metrics):
        return one_thread()
    return nullcontext()


def score_batch(
    batch: Batch, metrics: Sequence[Metric], offered: Ints, owners: Ints
) -> ChunkScores:
    """One row a comparison; ``owners`` says which item each is of, to count items that lack."""
    keep_freed_memory()
    lacking: Counter[tuple[str, str]] = Counter()
    remarks: Counter[tuple[str, str]] = Counter()
    columns = []
    for metric in metrics:
        remarks.update({(spec.show(metric), r): n for r, n in metric.notes(batch).items()})
        found = _values(metric, batch)
        unmet = metric.needs.value & ~offered
        _count_lacking(lacking, metric, unmet, owners)
        columns += [np.where(unmet > 0, np.nan, column) for column in found]
    data = np.column_stack(columns) if columns else np.zeros((len(batch), 0))
    return ChunkScores(data, lacking, remarks=remarks)


def _values(metric: Metric, batch: Batch) -> list[Floats]:
    """The values of a metric, each with one number a comparison."""
    try:
        scores = metric.score(metric.count(batch))
        found = [np.asarray(scores[name], dtype=np.float64) for name in metric.values]
    except (SummetryError, MemoryError):
        raise
    except Exception as error:
        home = type(metric).__module__
        if home.startswith("summetry."):
            raise
        reason = f"{type(error).__name__}: {error}"
        raise PlugInError(
            f"the metric {metric.name!r} of the plug-in {home} failed: {reason}; repair or "
            f"uninstall it, SUMMETRY_TRACEBACK=1 shows where"
        ) from error
    for name, column in zip(metric.values, found, strict=True):
        # One number for all would be taken for the value of each.
        if column.shape != (len(batch),):
            raise PlugInError(
                f"the metric {metric.name!r} must give {len(batch)} numbers for {name!r}, one a "
                f"comparison, and gave an array of the shape {column.shape}"
            )
    return found


def _score_with_care(items: Sequence[Item], metrics: Sequence[Metric]) -> ChunkScores:
    """As :func:`_score`, but an item that makes a metric fail has no values and is listed."""
    try:
        return _score(items, metrics)
    except Exception as error:
        # A plug-in may raise anything; the point is to lose one item and not the run.
        if len(items) == 1:
            row = items[0].row
            width = sum(len(metric.values) for metric in metrics)
            reason = error.__cause__ if isinstance(error, PlugInError) else None
            reason = reason or error
            problem = f"topic {row.topic}, author {row.author}: {type(reason).__name__}: {reason}"
            return ChunkScores(np.full((1, width), np.nan), problems=(problem,))
    half = len(items) // 2
    parts = [_score_with_care(part, metrics) for part in (items[:half], items[half:])]
    return ChunkScores(
        np.concatenate([part.data for part in parts]),
        parts[0].lacking + parts[1].lacking,
        parts[0].problems + parts[1].problems,
        parts[0].remarks + parts[1].remarks,
    )


def _mean_of_groups(values: Floats, owners: Ints, items: int) -> Floats:
    """The mean over the groups of references of each item, undefined ones left out."""
    defined = ~np.isnan(values)
    total = np.bincount(owners[defined], weights=values[defined], minlength=items)
    count = np.bincount(owners[defined], minlength=items)
    found = np.full(items, np.nan)
    np.divide(total, count, out=found, where=count > 0)
    return found


def _count_lacking(
    lacking: Counter[tuple[str, str]],
    metric: Metric,
    unmet: Ints,
    owners: Ints,
) -> None:
    for need in metric.needs:
        without = (unmet & need.value) > 0
        if without.any():
            items = len(np.unique(owners[without]))
            lacking[spec.show(metric), NEEDED[need][0]] += items


def _characters(item: Item) -> int:
    first = item.comparisons[0]
    length = len(first.candidate.text) + len(first.material.source or "")
    for reference in first.references:
        length += len(reference.text)
    return length


@lru_cache(maxsize=8)
def _metrics(spellings: tuple[str, ...]) -> list[Metric]:
    return [metric for metric, _ in build_metrics(spellings)]
