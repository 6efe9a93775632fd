"""Running a plan: chunk by chunk, resumed where an earlier run stopped.

The numbers do not depend on the size of the chunks or on the number of workers.
"""

from __future__ import annotations

import pickle
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, TypeAlias, cast, get_args

import msgspec
import numpy as np

from summetry import __version__, spec
from summetry.arguments import as_path, check_choice, check_function, check_whole, kind_of
from summetry.arrays import kernel
from summetry.arrays.types import Floats
from summetry.engine.cache import ChunkStore, run_key, task_key
from summetry.engine.chunks import (
    NAMED,
    ChunkScores,
    Note,
    Requested,
    build_metrics,
    keep_freed_memory,
    score_chunk,
)
from summetry.engine.languages import with_language
from summetry.engine.local import Ready, map_in_order
from summetry.engine.plan import (
    CHUNK_ITEMS,
    CorpusPlan,
    Plan,
    ProtocolName,
    Task,
    check_needs,
    in_words,
)
from summetry.errors import SummetryError, counted, for_python, in_python, warn
from summetry.metrics import DEFAULT_METRICS, METRICS, Metric, Needs
from summetry.metrics.functions import Function
from summetry.records.builder import OnError
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, Row, ScoreTable, Whose
from summetry.signature import Signature
from summetry.spec import Spec

# Called with the number of items done so far and of all items; if it has a method ``working``, that
# is called with the name of each metric that begins.
Progress: TypeAlias = Callable[[int, int], None]
# Makes the bytes of a file of scores.
Write: TypeAlias = Callable[[Whose, Floats], bytes]
# Given the work and the tasks, yields the results in the order of the tasks.
Engine: TypeAlias = Callable[[Callable[[Task], Any], Iterable[Any]], Iterator[Any]]
MetricLike: TypeAlias = str | Spec | Metric | Function | Requested
_BAD_ENGINE = (
    "the engine must yield what the work gives for each task, once and in the order of the tasks; "
    "it gave other results, or fewer, or more"
)
# In the place of a key: what was kept already.
_FOUND = "found"
_build = lru_cache(maxsize=64)(METRICS.build)


@dataclass
class Run:
    """A plan with metrics, ready to be scored; ``notes`` is complete after the last chunk."""

    plan: Plan
    metrics: MetricLike | Sequence[MetricLike]
    workers: int = 1
    chunk_items: int = CHUNK_ITEMS
    store: ChunkStore | None = None
    on_error: OnError = "stop"
    progress: Progress | None = None
    # What works on the tasks, in the place of ``workers`` on this machine.
    engine: Engine | None = None

    chunks_done: int = 0
    chunks_found: int = 0
    # How many items an earlier run had scored.
    items_found: int = 0
    _notes: Counter[Note] = field(default_factory=Counter)
    # The first summaries that lack something, with their numbers, by the note that says so.
    _lacking: dict[Note, list[tuple[int, Row]]] = field(default_factory=dict)
    _skipped: list[str] = field(default_factory=list)
    # How many summaries have no text and are valued all the same; the first, with their numbers.
    _empty: int = 0
    _first_empty: list[tuple[int, Row]] = field(default_factory=list)
    # Why finished work is not in the store, if it is not.
    _unkept: str = ""

    def __post_init__(self) -> None:
        check_whole("workers", self.workers, 1)
        check_whole("chunk_items", self.chunk_items, 1)
        # A library that cannot be loaded is named now, and never taken for a fault of a text.
        kernel.is_compiled()
        self.requested, self._guess = with_language(build_metrics(self.metrics), self.plan)
        check_needs(self.requested, self.plan)
        # A metric that is asked for twice (or for two of its values) is computed once.
        self._computed = {spec.show(r.metric): r.metric for r in self.requested}
        for metric in self._computed.values():
            if metric.pipeline is not None:
                # An encoder that is not there is named now, and never taken for a fault of a text.
                metric.pipeline.describe()

    @property
    def unsigned(self) -> tuple[Column, ...]:
        """The columns without signatures, which may not be known before all is read."""
        return tuple(Column(name, value) for name, value in self._spellings)

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The values that are asked for, each once, under the names that they were asked by."""
        signatures = {
            spelling: str(_signature(metric, self.plan))
            for spelling, metric in self._computed.items()
        }
        return tuple(
            Column(name, value, signatures[spelling])
            for (name, value), spelling in self._spellings.items()
        )

    @cached_property
    def _spellings(self) -> dict[tuple[str, str], str]:
        """The spelling of the metric behind each column."""
        return {(r.name, v): spec.show(r.metric) for r in self.requested for v in r.values}

    def chunks(self) -> Iterator[tuple[list[Row], Floats]]:
        """Rows with their numbers, one for each of ``columns``, in the order of the plan."""
        for whose, data, _ in self.written():
            yield whose.rows(), data

    def written(self, write: Write | None = None) -> Iterator[tuple[Whose, Floats, bytes]]:
        """Numbers, one for each of ``columns``, with whose they are and what ``write`` makes of
        both, in the order of the plan."""
        places = {place: number for number, place in enumerate(self._places)}
        picked = [places[spelling, value] for (_, value), spelling in self._spellings.items()]
        for scores in self._scored(Handed(write, picked)):
            assert scores.whose is not None
            data, written = _picked(scores.data, picked), scores.written
            if write and not written:
                # An earlier run finished it, perhaps for another file.
                written = write(scores.whose, data)
            yield scores.whose, data, written

    def numbers(self) -> dict[tuple[str, str], Floats]:
        """All values of all metrics, by spelling and name, without whose they are."""
        data = [scores.data for scores in self._scored()]
        return dict(zip(self._places, np.concatenate(data).T, strict=True))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the numbers should know; metrics with the same note share it."""
        lacking = {
            note: _names([self.plan.shown(*one) for one in first], self._notes[note])
            for note, first in self._lacking.items()
        }
        lines = in_lines(self._notes, self.requested, self.plan.facts.items, lacking)
        lines = [*self._empty_notes(), *self._people_notes(), *lines]
        lack_references = any(n.about == "lacking" and n.words == "references" for n in lacking)
        all_peers = self.plan.protocol == "all_peers"
        if all_peers and lack_references and self.plan.facts.references[0] < 2:
            lines.append(
                "all_peers compares a reference with the others of its topic (jackknifing): each "
                "topic needs two references"
            )
        if self._guess:
            lines.insert(0, self._guess)
        if self._unkept:
            lines.append(f"finished work could not be kept, to be resumed: {self._unkept}")
        return (*lines, *(f"skipped: {item}" for item in self._skipped))

    def _empty_notes(self) -> Iterator[str]:
        """How many summaries have no text, and whose they are."""
        count, total = self._empty, self.plan.facts.items
        if not count:
            return
        worst = f"{'counts' if count == 1 else 'count'} as the worst value"
        if self.plan.facts.items == 1:
            yield f"the summary is empty: it {worst}"
            return
        names = _names([self.plan.shown(*one) for one in self._first_empty], count)
        verb = "is" if count == 1 else "are"
        some = f"{count:,} of {total:,} summaries {verb} empty"
        yield f"{some} and {worst}: {names}"

    def _people_notes(self) -> Iterator[str]:
        """Who is compared without what they chose or valued themselves, and by which metrics."""
        for need, names in self.plan.facts.people.items():
            metrics = [r.name for r in self.requested if need in r.metric.needs]
            if names and metrics:
                what = "extracts" if need is Needs.EXTRACTS else "utilities"
                yield (
                    f"{', '.join(dict.fromkeys(metrics))}: {_names(names, len(names))} "
                    f"compared without their own {what}; if a system only has the name of a "
                    f"person, give it another"
                )

    @staticmethod
    def _add_first(
        first: list[tuple[int, Row]], scores: ChunkScores, places: Sequence[int], done: int
    ) -> None:
        """Add the summaries at these places of a chunk, before which others are ``done``."""
        if places and len(first) < NAMED:
            assert scores.whose is not None
            rows = scores.whose.rows()
            first += [(done + place, rows[place]) for place in places]

    def table(self) -> ScoreTable:
        """All chunks as one table."""
        rows: list[Row] = []
        data = [np.zeros((0, len(self._spellings)))]
        for chunk_rows, numbers in self.chunks():
            rows += chunk_rows
            data.append(numbers)
        return ScoreTable(tuple(rows), self.columns, np.concatenate(data), self.notes)

    def _tell(self, spelling: str) -> None:
        """Say which metric is at work, to a progress that wants to know."""
        working = getattr(self.progress, "working", None)
        if working:
            working(", ".join(_names_of(spelling, self.requested)))

    @property
    def _places(self) -> list[tuple[str, str]]:
        """Spelling and value of each number of a scored chunk, in their order."""
        return [(name, value) for name, m in self._computed.items() for value in m.values]

    @cached_property
    def _judged(self) -> list[int]:
        """The numbers of a scored chunk that judge the text of a summary.

        What people marked in a summary is there without its text, and a length is not a value of
        which one direction is better.
        """
        return [
            place
            for place, (name, value) in enumerate(self._places)
            if Needs.PYRAMID not in (metric := self._computed[name]).needs
            and metric.better.get(value, "higher") != "neither"
        ]

    def _scored(self, handed: Handed | None = None) -> Iterator[ChunkScores]:
        metrics = tuple(self._computed.values())
        # Work of a function that is given directly is not kept: its code may change any time.
        store = self.store if all(map(_is_registered, metrics)) else None
        total, done = self.plan.items_about, 0
        workers = max(min(self.workers, total), 1)
        is_here = workers == 1 and self.engine is None
        sendable = metrics if is_here else tuple(map(_portable, metrics))
        # What other processes are at is not known here.
        tell = self._tell if is_here and self.progress else None
        if handed is None and store:
            handed = Handed()
        run = run_key(metrics, self.on_error) if store else ""
        work = partial(_work, metrics=sendable, on_error=self.on_error, handed=handed,
                       judged=self._judged, run=run, store=store, tell=tell)  # fmt: skip
        keep_freed_memory()
        kept = store if store and store.has_begun(run) else None
        waiting: deque[Task] = deque()
        # Something once all tasks are given out.
        given: list[bool] = []

        def tasks() -> Iterator[Task | Ready[tuple[ChunkScores, str]]]:
            for task in self.plan.tasks(self.chunk_items):
                waiting.append(task)
                found = kept.get(run + task_key(task)) if kept else None
                # What has other columns is not of this run, whatever put it there.
                if found is not None and found.data.shape[1] == len(self._places):
                    yield Ready((found, _FOUND))
                else:
                    # An engine knows whether its workers see the files, those here do.
                    yield task if is_here or self.engine else task.by_place()
            given.append(True)

        engine = self.engine or partial(map_in_order, workers=workers)
        for result in engine(work, tasks()):
            if not waiting or not isinstance(result, tuple):
                raise SummetryError(_BAD_ENGINE)
            (scores, key), task = result, waiting.popleft()
            if scores.reading and (instead := self.plan.take(scores.reading, task)):
                # Rows that repeat others are seen only here.
                scores, key = work(instead)
                assert scores.reading is not None
                self.plan.take(scores.reading, instead)
            was_kept, items = key == _FOUND, len(scores.data)
            if store and key and not was_kept:
                self._unkept = store.put(key, scores) or self._unkept
            self.chunks_done += 1
            self.chunks_found += was_kept
            self.items_found += was_kept * items
            self._notes += scores.notes
            self._skipped += scores.skipped
            self._empty += len(scores.empty)
            self._add_first(self._first_empty, scores, scores.empty, done)
            for note, places in scores.lacking.items():
                self._add_first(self._lacking.setdefault(note, []), scores, places, done)
            done += items
            if self.progress:
                self.progress(done, max(done, total))
            if items:
                yield scores
        if waiting or not given:
            raise SummetryError(_BAD_ENGINE)
        self.plan.end()
        # What was not known before.
        check_needs(self.requested, self.plan)


class Handed(msgspec.Struct, frozen=True):
    """What is handed back of a chunk beside its numbers: whose they are, and what ``write`` makes
    of some of them."""

    write: Write | None = None
    columns: Sequence[int] = ()


def in_lines(
    notes: Mapping[Note, int],
    requested: Sequence[Requested],
    items: int,
    lacking: Mapping[Note, str],
) -> list[str]:
    """Notes on some of so many items, each once, with the names of its metrics in front and, where
    items lack something, whose they are."""
    lines: dict[str, list[str]] = {}
    for note, count in sorted(notes.items(), key=lambda entry: entry[0].about):
        if note.about == "lacking":
            some = f"{count:,} of {items:,} summaries"
            words = f"no value for {some}, which lack {note.words}: {lacking[note]}"
        else:
            words = f"{note.words} ({counted(count, 'comparison')})"
        lines.setdefault(words, []).extend(_names_of(note.metric, requested))
    return [f"{', '.join(metrics)}: {words}" for words, metrics in lines.items()]


def _names(names: Sequence[str], count: int) -> str:
    """The first of so many names."""
    return ", ".join(names[:NAMED]) + (f" and {count - NAMED:,} more" if count > NAMED else "")


def _names_of(spelling: str, requested: Sequence[Requested]) -> list[str]:
    """The names that a metric was asked by."""
    return list(dict.fromkeys(r.name for r in requested if spec.show(r.metric) == spelling))


@for_python
def evaluate(
    corpus: Corpus | Plan | str | Path | Any,
    metrics: MetricLike | Sequence[MetricLike] = DEFAULT_METRICS,
    protocol: ProtocolName = "no_models",
    *,
    workers: int = 1,
    chunk_items: int = CHUNK_ITEMS,
    cache: str | Path | None = None,
    on_error: OnError = "stop",
    progress: Progress | None = None,
    columns: Mapping[str, str] | None = None,
    engine: Engine | Any = None,
) -> ScoreTable:
    """The scores of every summary of a corpus: of one that is read, at a path, or in a frame.

    ``columns`` says which column of a table is which (``{"candidate": "bart+t5"}``).
    ``cache`` names a folder where finished chunks are kept, so that the same call goes on
    where an interrupted one stopped. ``engine`` is a Dask client, or what works on tasks elsewhere.
    """
    asked = build_metrics(metrics)
    check_choice("on_error", on_error, get_args(OnError))
    check_function("progress", progress)
    store = ChunkStore(as_path("cache", cache, "a folder")) if cache is not None else None
    plan = as_plan(corpus, protocol, on_error, columns)
    elsewhere = as_engine(engine)
    table = Run(plan, asked, workers, chunk_items, store, on_error, progress, elsewhere).table()
    return replace(table, notes=tuple(map(in_python, table.notes)))


def as_engine(engine: Any) -> Engine | None:
    """An engine, or the one of a Dask client."""
    if engine is None:
        return None
    if callable(engine) and not hasattr(engine, "submit"):
        return cast(Engine, engine)
    if not hasattr(engine, "submit") or not hasattr(engine, "nthreads"):
        raise SummetryError(f"engine must be a Dask client or a function, got {kind_of(engine)}")
    from summetry.engine.dask import OnDask

    return OnDask(engine)


def as_plan(
    corpus: Any,
    protocol: ProtocolName,
    on_error: OnError = "stop",
    columns: Mapping[str, str] | None = None,
) -> Plan:
    """A plan for a corpus, for what is at a path, or the plan itself."""
    if not isinstance(corpus, Corpus | Plan):
        from summetry.formats import load
        from summetry.formats.frames import as_frame

        expected = "a corpus, a frame or a path to one"
        place = as_frame(corpus) or as_path("corpus", corpus, expected)
        corpus = load(place, on_error=on_error, columns=columns)
        if corpus.problems:
            left_out = counted(len(corpus.problems), "record")
            listed = "summetry.load(..., on_error='skip').problems lists all"
            warn(f"left out {left_out}; the first: {corpus.problems[0]}; {listed}")
    elif columns:
        raise SummetryError("columns go with a table or its path, not with a corpus that is read")
    return CorpusPlan(corpus, protocol) if isinstance(corpus, Corpus) else corpus


def _work(
    task: Task,
    metrics: tuple[str | Metric, ...],
    on_error: OnError,
    handed: Handed | None,
    judged: Sequence[int],
    run: str = "",
    store: ChunkStore | None = None,
    tell: Callable[[str], None] | None = None,
) -> tuple[ChunkScores, str]:
    """The scores of a task, and by which key they are still to be kept, if they are.

    ``run`` is what the keys begin with; scores are kept at once where the ``store`` can be reached.
    """
    built = [_build(metric) if isinstance(metric, str) else metric for metric in metrics]
    chunk, reading = task.read()
    if not len(chunk):
        # Blank lines, or rows that were all left out.
        nothing = np.zeros((0, sum(len(metric.values) for metric in built)))
        return ChunkScores(nothing, whose=Whose.of([]), reading=reading), ""
    scores = score_chunk(chunk, built, on_error, tell)
    empty = chunk.empty()
    if empty:
        numbers = scores.data[:, judged]
        empty = [place for place in empty if not np.isnan(numbers[place]).all()]
    whose, written = None, b""
    if handed or empty or scores.lacking:
        whose = chunk.whose()
    if whose and handed and handed.write:
        written = handed.write(whose, _picked(scores.data, handed.columns))
    scores = msgspec.structs.replace(
        scores, whose=whose, empty=tuple(empty), reading=reading, written=written
    )
    if not run or (reading and not reading.is_lasting):
        return scores, ""
    key = run + task_key(task, chunk)
    is_kept = store is not None and not store.put(key, scores)
    return scores, "" if is_kept else key


def _picked(data: Floats, columns: Sequence[int]) -> Floats:
    """Some columns; nearly always these are all of them."""
    return data if [*columns] == [*range(data.shape[1])] else np.take(data, columns, axis=1)


def _is_registered(metric: Metric) -> bool:
    return METRICS.has(metric.name) and METRICS.get(metric.name) is type(metric)


def _portable(metric: Metric) -> str | Metric:
    """A metric as another process can have it: by its spelling, or else as it is."""
    if _is_registered(metric):
        return spec.show(metric)
    try:
        pickle.dumps(metric)
    except Exception as error:
        raise SummetryError(
            f"{metric.name} cannot be given to other processes ({error}): define it at the top "
            f"of a module, or take one worker"
        ) from error
    return metric


def _signature(metric: Metric, plan: Plan) -> Signature:
    pipeline = metric.pipeline
    return Signature(
        metric=spec.show(metric),
        text=pipeline.describe() if pipeline is not None else "",
        refs=_references_in_words(metric, plan),
        data=plan.fingerprint,
        plugin=METRICS.plug_in_of(type(metric)),
        v=__version__,
    )


def _references_in_words(metric: Metric, plan: Plan) -> str:
    facts, words = plan.facts, []
    if metric.needs & (Needs.REFERENCES | Needs.REFERENCE_UNITS) or metric.leaves_out_contributors:
        words.append(in_words(facts.references))
        if plan.protocol == "all_peers":
            words.append("jackknife")
    if Needs.EXTRACTS in metric.needs:
        words.append(f"{in_words(facts.informants)} informants")
    if Needs.UTILITIES in metric.needs:
        words.append(f"{in_words(facts.judges)} judges")
    if any(names and need in metric.needs for need, names in facts.people.items()):
        words.append("own left out")
    over = metric.reference_policy
    return ",".join([*words, over] if over and words else words)
