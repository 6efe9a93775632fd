"""Scoring one chunk of items: the unit of work of every engine."""

from __future__ import annotations

import ctypes
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec
import numpy as np

from summetry import spec
from summetry.arguments import as_list, kind_of
from summetry.arrays.threads import one_thread
from summetry.arrays.types import Floats, Ints
from summetry.engine.plan import Chunk, Reading
from summetry.errors import PlugInError, SummetryError
from summetry.metrics import METRICS, Metric
from summetry.metrics.base import NEEDED, build_metric
from summetry.metrics.functions import as_metric
from summetry.records.batches import Batch
from summetry.records.scores import Whose
from summetry.spec import Spec

if TYPE_CHECKING:
    from summetry.engine.single import SingleScorer

# A note names at most this many summaries or people.
NAMED = 5
# Options of glibc's mallopt, and the largest size in bytes that the first one takes.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
_LARGE_ARRAY = 2**25


class Note(NamedTuple):
    """What a reader of a metric's values should know.

    Either some items lack something, so that they have no value, or the metric itself has
    something to say of some comparisons.
    """

    metric: str
    about: Literal["lacking", "values"]
    words: str


class ChunkScores(msgspec.Struct, frozen=True):
    """One row of numbers per item, notes with the number of items or comparisons that they are
    about, the first items that lack something by the note that says so, and the items that were
    skipped, in words.

    The rest is there where it is asked for: whose the numbers are, which items have no text, what
    was read to score them, and the numbers as they stand in a file.
    """

    data: Floats
    notes: Counter[Note] = msgspec.field(default_factory=Counter)
    lacking: dict[Note, tuple[int, ...]] = msgspec.field(default_factory=dict)
    skipped: tuple[str, ...] = ()
    whose: Whose | None = None
    empty: tuple[int, ...] = ()
    reading: Reading | None = None
    written: bytes = b""


class Requested(NamedTuple):
    """A metric under the name that a user gave it, and the values that are asked for."""

    name: str
    metric: Metric
    values: tuple[str, ...]

    @classmethod
    def typed(cls, text: str) -> Requested:
        """What a spelling asks for: all values of a metric, unless it picks one."""
        asked = spec.parse(text)
        metric, pick = build_metric(asked)
        name = text.strip().removesuffix(asked.pick).rstrip(". ") if pick else text.strip()
        return cls(name, metric, (pick,) if pick else metric.values)


class Requests(tuple[Requested, ...]):
    """Metrics that are asked for together."""

    @cached_property
    def single(self) -> SingleScorer | None:
        """What scores one candidate without arrays; None where some metric needs them."""
        from summetry.engine.single import SingleScorer

        return SingleScorer.of(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return Requests, (tuple(self),)


def build_metrics(metrics: Any) -> Requests:
    """What is asked for: a list of spellings, metrics and plain functions, or one of them alone.

    A string may name several metrics, with commas between them.
    """
    if isinstance(metrics, str):
        return _built((metrics,))
    if isinstance(metrics, (list, tuple)) and {str}.issuperset(map(type, metrics)):
        return _built(tuple(metrics))
    is_alone = isinstance(metrics, Spec | Metric | Requested) or callable(metrics)
    built: list[Requested] = []
    several = [metrics] if is_alone else as_list("metrics", metrics, "a text or a list")
    for place, given in enumerate(several):
        if isinstance(given, Requested):
            built.append(given)
            continue
        if isinstance(given, str | Spec):
            built += _built((str(given),))
            continue
        is_function = callable(given) and not isinstance(given, type | Metric)
        metric = _of_function(given) if is_function else given
        if not isinstance(metric, Metric):
            should_be = "must be a metric, its spelling or a function"
            raise SummetryError(f"metrics[{place}] {should_be}, got {kind_of(given)}")
        built.append(Requested(spec.show(metric), metric, metric.values))
    return _checked(built)


@lru_cache(maxsize=256)
def _built(spellings: tuple[str, ...]) -> Requests:
    """What strings ask for, built once: a small call takes less time than to build its metrics.

    Nothing takes the name of a metric that is registered; one that is not found is not kept.
    """
    return _checked([Requested.typed(one) for text in spellings for one in spec.split_list(text)])


def _checked(built: list[Requested]) -> Requests:
    if not built:
        raise SummetryError("at least one metric is needed")
    _check_names([request.metric for request in built])
    return Requests(built)


def _of_function(function: Any) -> Metric:
    metric = as_metric(function)
    if METRICS.has(metric.name):
        raise SummetryError(f"there is a metric {metric.name!r} already; rename the function")
    return metric


def _check_names(metrics: Sequence[Metric]) -> None:
    """Refuse two functions of one name: the values of one would pass for the other's."""
    known: dict[str, Metric] = {}
    for metric in metrics:
        spelling = spec.show(metric)
        if known.setdefault(spelling, metric) != metric:
            raise SummetryError(f"two metrics are named {spelling!r}; rename one of the functions")


@cache
def keep_freed_memory() -> None:
    """Let arrays reuse the memory of earlier ones, which saves a tenth of the time and more.

    By default glibc returns the memory of a large array to the system, which hands it out again
    page by page. It learns not to from the arrays that are freed, but not in the workers of Dask,
    which are started with MALLOC_TRIM_THRESHOLD_.
    """
    with suppress(AttributeError, OSError, TypeError):  # Not glibc.
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_M_MMAP_THRESHOLD, _LARGE_ARRAY)
        mallopt(_M_TRIM_THRESHOLD, 2 * _LARGE_ARRAY)


def score_chunk(
    chunk: Chunk,
    metrics: Sequence[Metric],
    on_error: Literal["stop", "skip"] = "stop",
    tell: Callable[[str], None] | None = None,
) -> ChunkScores:
    """The scores of some items, the same whatever other items stand beside them.

    ``tell`` is called with the spelling of each metric that begins.
    """
    # To find the libraries that have threads takes longer than to count a thousand pairs of texts.
    multiplies = any(metric.multiplies_matrices for metric in metrics)
    keep_freed_memory()
    with one_thread() if multiplies else nullcontext():
        if on_error == "stop":
            return _score(chunk, metrics, tell)
        return _score_or_skip(chunk, metrics, tell)


def _score(
    chunk: Chunk, metrics: Sequence[Metric], tell: Callable[[str], None] | None = None
) -> ChunkScores:
    batch, offered, owners = chunk.batch(metrics), chunk.offered, chunk.owners
    notes: Counter[Note] = Counter()
    lacking: dict[Note, tuple[int, ...]] = {}
    columns: list[Floats] = []
    for metric in metrics:
        spelling = spec.show(metric)
        if tell:
            tell(spelling)
        with _named_if_it_fails(metric):
            said = metric.notes(batch)
        for words, comparisons in said.items():
            notes[Note(spelling, "values", words)] += comparisons
        unmet = metric.needs.value & ~offered
        for need in metric.needs if unmet.any() else ():
            without = (unmet & need.value) > 0
            if without.any():
                note = Note(spelling, "lacking", NEEDED[need][0])
                items = np.unique(owners[without])
                notes[note] += len(items)
                lacking[note] = tuple(items[:NAMED].tolist())
        columns += [np.where(unmet > 0, np.nan, column) for column in _values(metric, batch)]
    if len(batch) != len(chunk):
        columns = [_mean_of_groups(column, owners, len(chunk)) for column in columns]
    data = np.column_stack(columns) if columns else np.zeros((len(chunk), 0))
    # A mean of groups is never -0.0, so nothing is: adding 0 changes no other number.
    return ChunkScores(data + 0.0, notes, lacking)


def _values(metric: Metric, batch: Batch) -> list[Floats]:
    """The values of a metric, each with one number per comparison."""
    with _named_if_it_fails(metric):
        scores = metric.score(metric.count(batch))
        columns = [np.asarray(scores[name], dtype=np.float64) for name in metric.values]
    for name, column in zip(metric.values, columns, strict=True):
        # One number for all would be taken for the value of each.
        if column.shape != (len(batch),):
            raise PlugInError(
                f"the metric {metric.name!r} must give {len(batch)} numbers for {name!r}, one per "
                f"comparison, and gave an array of the shape {column.shape}"
            )
    return columns


@contextmanager
def _named_if_it_fails(metric: Metric) -> Iterator[None]:
    """A metric of somebody else is named, whatever it does, ending the program included."""
    try:
        yield
    except (SummetryError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        home = type(metric).__module__
        if home.startswith("summetry."):
            raise
        reason = f"{type(error).__name__}: {error}"
        raise PlugInError(
            f"the metric {metric.name!r} of the plug-in {home} failed: {reason}; repair or "
            f"uninstall it, SUMMETRY_TRACEBACK=1 shows where"
        ) from error


def _score_or_skip(
    chunk: Chunk, metrics: Sequence[Metric], tell: Callable[[str], None] | None = None
) -> ChunkScores:
    """As :func:`_score`, but an item that makes a metric fail has no values and is listed."""
    try:
        return _score(chunk, metrics, tell)
    except Exception as error:
        # A plug-in may raise anything; the point is to lose one item and not the run.
        if len(chunk) == 1:
            (row,) = chunk.rows()
            width = sum(len(metric.values) for metric in metrics)
            cause = error.__cause__ if isinstance(error, PlugInError) else None
            reason = cause or error
            item = f"topic {row.topic}, author {row.author}: {type(reason).__name__}: {reason}"
            return ChunkScores(np.full((1, width), np.nan), skipped=(item,))
    half = len(chunk) // 2
    halves = (chunk.part(slice(half)), chunk.part(slice(half, None)))
    first, second = (_score_or_skip(part, metrics) for part in halves)
    data = np.concatenate([first.data, second.data])
    lacking = dict(first.lacking)
    for note, places in second.lacking.items():
        moved = tuple(len(first.data) + place for place in places)
        lacking[note] = (*lacking.get(note, ()), *moved)[:NAMED]
    return ChunkScores(data, first.notes + second.notes, lacking, first.skipped + second.skipped)


def _mean_of_groups(values: Floats, owners: Ints, items: int) -> Floats:
    """The mean over the groups of references of each item, undefined ones left out."""
    defined = ~np.isnan(values)
    total = np.bincount(owners[defined], weights=values[defined], minlength=items)
    count = np.bincount(owners[defined], minlength=items)
    means = np.full(items, np.nan)
    np.divide(total, count, out=means, where=count > 0)
    return means
