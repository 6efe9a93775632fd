"""Running a plan: chunk by chunk, resumed where an earlier run stopped.

The numbers do not depend on the size of the chunks or on the number of workers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, get_args

import numpy as np

from summetry import __version__, spec
from summetry.arguments import as_list, as_path, check_choice, check_function, check_whole
from summetry.arrays.types import Floats
from summetry.engine.cache import ChunkStore, chunk_key
from summetry.engine.chunks import (
    CHUNK_ITEMS,
    ChunkScores,
    build_metrics,
    cut_into_chunks,
    score_chunk,
)
from summetry.engine.local import map_in_order
from summetry.engine.plan import (
    CorpusPlan,
    Facts,
    Item,
    Plan,
    ProtocolName,
    check_needs,
    in_words,
)
from summetry.errors import counted
from summetry.metrics import Metric, Needs
from summetry.records.builder import OnError
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, Row, ScoreTable
from summetry.signature import Signature
from summetry.spec import Spec

# Called with the number of items done so far and of all items.
Progress = Callable[[int, int], None]
MetricLike = str | Spec | Metric


@dataclass
class Run:
    """A plan with metrics, ready to be scored; ``notes`` is complete after the last chunk."""

    plan: Plan
    metrics: Sequence[MetricLike]
    workers: int = 1
    chunk_items: int = CHUNK_ITEMS
    store: ChunkStore | None = None
    on_error: OnError = "stop"
    progress: Progress | None = None

    chunks_done: int = 0
    chunks_found: int = 0
    problems: list[str] = field(default_factory=list)
    _lacking: Counter[tuple[str, str]] = field(default_factory=Counter)
    _remarks: Counter[tuple[str, str]] = field(default_factory=Counter)
    # Why finished work is not in the store, if it is not.
    _unkept: str = ""

    def __post_init__(self) -> None:
        check_whole("workers", self.workers, 1)
        check_whole("chunk_items", self.chunk_items, 1)
        built = build_metrics(self.metrics)
        check_needs([metric for metric, _ in built], self.plan)
        self._built = built
        self.columns = tuple(dict.fromkeys(_columns(built, self.plan)))

    def chunks(self) -> Iterator[tuple[list[Row], Floats]]:
        """Rows with their numbers, in the order of the plan."""
        # A metric asked for twice (or for two of its values) is computed once.
        spellings = tuple(dict.fromkeys(spec.show(metric) for metric, _ in self._built))
        picked = self._picked(spellings)
        work = partial(_work, spellings=spellings, on_error=self.on_error, store=self.store)
        total, done = self.plan.facts.items, 0
        tasks = cut_into_chunks(self.plan.items(), self.chunk_items)
        for rows, scores, found, unkept in map_in_order(work, tasks, min(self.workers, total)):
            self.chunks_done += 1
            self.chunks_found += found
            self._unkept = self._unkept or unkept
            self.problems += scores.problems
            self._lacking += scores.lacking
            self._remarks += scores.remarks
            done += len(rows)
            if self.progress:
                self.progress(done, total)
            yield rows, scores.data[:, picked]

    @property
    def notes(self) -> tuple[str, ...]:
        """What is missing from the table, in words."""
        found = in_notes(self._lacking, self._remarks, self.plan.facts.items)
        if self._unkept:
            found.append(f"finished work could not be kept, to be resumed: {self._unkept}")
        return (*found, *(f"skipped: {problem}" for problem in self.problems))

    def table(self) -> ScoreTable:
        """All chunks as one table."""
        rows: list[Row] = []
        data = []
        for chunk_rows, numbers in self.chunks():
            rows += chunk_rows
            data.append(numbers)
        empty = np.zeros((0, len(self.columns)))
        return ScoreTable(tuple(rows), self.columns, np.concatenate([empty, *data]), self.notes)

    def columns_by_request(self, asked: Sequence[str] | None) -> dict[str, list[Column]]:
        """The columns of each metric under the spelling that was asked for."""
        names = asked or [spec.show(metric) for metric, _ in self._built]
        found: dict[str, list[Column]] = {}
        for name, (metric, values) in zip(names, self._built, strict=True):
            mine = [c for c in self.columns if c.metric == spec.show(metric)]
            found[name] = [c for c in mine if c.value in values]
        return found

    def _picked(self, spellings: tuple[str, ...]) -> list[int]:
        values = {spec.show(metric): metric.values for metric, _ in self._built}
        places = [(spelling, value) for spelling in spellings for value in values[spelling]]
        return [places.index((column.metric, column.value)) for column in self.columns]


def in_notes(
    lacking: Counter[tuple[str, str]], remarks: Counter[tuple[str, str]], total: int
) -> list[str]:
    """What summaries lack and what metrics remark, in words; those that say the same share it."""
    told: dict[str, list[str]] = {}
    for (metric, what), count in lacking.items():
        words = f"no value for {count} of {total} summaries, which lack {what}"
        told.setdefault(words, []).append(metric)
    for (metric, what), count in remarks.items():
        told.setdefault(f"{what} ({counted(count, 'comparison')})", []).append(metric)
    return [f"{', '.join(metrics)}: {words}" for words, metrics in told.items()]


def evaluate(
    corpus: Corpus | Plan | str | Path,
    metrics: Sequence[MetricLike],
    protocol: ProtocolName = "no_models",
    *,
    workers: int = 1,
    chunk_items: int = CHUNK_ITEMS,
    cache: str | Path | None = None,
    on_error: OnError = "stop",
    progress: Progress | None = None,
) -> ScoreTable:
    """The scores of every summary of a corpus (or of the corpus at a path).

    ``cache`` names a folder where finished chunks are kept, so that the same call goes on
    where an interrupted one stopped.
    """
    asked = as_list("metrics", metrics)
    check_choice("on_error", on_error, get_args(OnError))
    check_function("progress", progress)
    store = ChunkStore(as_path("cache", cache, "a folder")) if cache is not None else None
    plan = as_plan(corpus, protocol, on_error)
    return Run(plan, asked, workers, chunk_items, store, on_error, progress).table()


def as_plan(corpus: Any, protocol: ProtocolName, on_error: OnError = "stop") -> Plan:
    """A plan for a corpus, for what is at a path, or the plan itself."""
    if not isinstance(corpus, Corpus) and not hasattr(corpus, "facts"):
        from summetry.formats import load

        corpus = load(as_path("corpus", corpus, "a corpus or a path to one"), on_error=on_error)
    return CorpusPlan(corpus, protocol) if isinstance(corpus, Corpus) else corpus


def _work(
    items: list[Item], spellings: tuple[str, ...], on_error: OnError, store: ChunkStore | None
) -> tuple[list[Row], ChunkScores, bool, str]:
    """The scores of a chunk, whether the store had them, and why it cannot keep them."""
    rows = [item.row for item in items]
    key = chunk_key(items, spellings, on_error) if store else ""
    kept = store.get(key) if store else None
    if kept is not None:
        return rows, kept, True, ""
    scores = score_chunk(items, spellings, on_error)
    return rows, scores, False, store.put(key, scores) if store else ""


def _columns(built: list[tuple[Metric, tuple[str, ...]]], plan: Plan) -> Iterator[Column]:
    for metric, values in built:
        spelling = spec.show(metric)
        for value in values:
            yield Column(spelling, value, str(_signature(metric, plan.facts, plan.protocol)))


def _signature(metric: Metric, facts: Facts, protocol: str) -> Signature:
    pipeline = metric.pipeline
    return Signature(
        metric=spec.show(metric),
        text=pipeline.describe() if pipeline is not None else "",
        refs=_references_in_words(metric, facts, protocol),
        data=facts.fingerprint,
        v=__version__,
    )


def _references_in_words(metric: Metric, facts: Facts, protocol: str) -> str:
    words = []
    if metric.needs & (Needs.REFERENCES | Needs.REFERENCE_UNITS) or metric.leaves_out_contributors:
        words.append(in_words(facts.references))
        if protocol == "all_peers":
            words.append("jackknife")
    if Needs.EXTRACTS in metric.needs:
        words.append(f"{in_words(facts.informants)} informants")
    if Needs.UTILITIES in metric.needs:
        words.append(f"{in_words(facts.judges)} judges")
    over = metric.reference_policy
    return ",".join([*words, over] if over and words else words)
