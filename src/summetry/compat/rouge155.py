"""What ROUGE-1.5.5 prints, byte for byte: options in, lines out.

Counts and values come from the metrics with ``text=rouge155(...)``, averages and intervals from
``metrics/rouge/rouge155_average.py``; here they are put together in the order and layout of the
script. What is not kept is listed on the page of the command; above all, an empty reference does
not end the run.
"""

from __future__ import annotations

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from summetry.arguments import Progress
from summetry.arrays.types import Floats
from summetry.compat.rouge155_options import Options
from summetry.errors import FormatError, counted, did_you_mean, next_sentence, warn
from summetry.formats.rouge_xml.settings import (
    Evaluation,
    Listed,
    find_file,
    merge_evaluations,
    read_list,
    read_settings,
    sentences_in,
)
from summetry.metrics.rouge.base import VALUES, Rouge
from summetry.metrics.rouge.rouge155_average import Average, average_counts, average_scores
from summetry.metrics.rouge.rouge_metrics import RougeL, RougeN, RougeS, RougeSU, RougeW
from summetry.metrics.rouge.texts import Rouge155
from summetry.records.batches import Batch, Comparison, Material, Side

# So many characters are counted at a time; an evaluation is never cut in two.
CHUNK_CHARACTERS = 1_000_000
SYSTEM_OF_A_LIST = "X"
COUNTS = ("reference", "candidate", "hits")
_LEADING_NUMBER = re.compile(r"[0-9]+")
_RULE, _DOTS = "-" * 45, "." * 45


class Evaluated(NamedTuple):
    """One line of ``-d``: recall, precision and F, or with ``-t`` the counts under these names."""

    id: str
    numbers: tuple[float, ...]


@dataclass(frozen=True)
class Result:
    """What is printed of one system and one metric: its average, or totals (``-t 2``)."""

    system: str
    tag: str
    average: Average | None
    totals: tuple[int, ...]
    evaluations: tuple[Evaluated, ...]


@dataclass
class _Rows:
    """The evaluations of one system, and for each metric a row of counts for each of them."""

    ids: list[str] = field(default_factory=list)
    counts: defaultdict[str, list[Floats]] = field(default_factory=lambda: defaultdict(list))


def run(options: Options, progress: Progress | None = None) -> list[Result]:
    """All results in the order of the script: by system, then by metric."""
    folders = (Path(), options.file.parent)
    if options.list_kind:
        system = options.system or SYSTEM_OF_A_LIST
        evaluations = read_list(options.file, options.list_kind, system)
        systems = [system]
    else:
        evaluations = merge_evaluations(read_settings(options.file))
        known = sorted({peer.id for evaluation in evaluations for peer in evaluation.peers})
        systems = known if options.all_systems else [options.system or ""]
        if not systems:
            warn(f"{options.file}: no evaluation has a P, so nothing is printed")
        _warn_of_missing(systems, known, evaluations)
    metrics = metrics_of(options)
    rows = _count(evaluations, systems, metrics, folders, progress)
    return [
        result for system in systems for result in _results(system, rows[system], metrics, options)
    ]


def metrics_of(options: Options) -> dict[str, Rouge]:
    """The metrics that the options ask for, by the names under which they are printed."""
    shared: dict[str, Any] = {
        "alpha": options.alpha,
        "length": options.length,
        "references": options.references,
        "text": Rouge155(stem=options.stem, stop=options.stop),
    }
    metrics: dict[str, Rouge] = {str(n): RougeN(n=n, **shared) for n in range(1, options.n + 1)}
    if options.lcs:
        metrics["L"] = RougeL(**shared)
    if options.weight is not None:
        metrics[f"W-{options.weight}"] = RougeW(weight=float(options.weight), **shared)
    if options.gap is not None:
        # Any number below 0 is no limit to the script.
        gap = max(int(options.gap), -1)
        shown = "*" if gap < 0 else options.gap
        if options.skip != "SU":
            metrics[f"S{shown}"] = RougeS(gap=gap, **shared)
        if options.skip != "S":
            metrics[f"SU{shown}"] = RougeSU(gap=gap, **shared)
    return metrics


def lines(results: Sequence[Result], options: Options) -> Iterator[str]:
    """The lines of the script."""
    for result in results:
        head = f"{result.system} ROUGE-{result.tag}"
        yield _RULE
        if result.average is None:
            model, peer, hits = result.totals
            yield f"{head} M_count: {model} P_count: {peer} H_count: {hits}"
        else:
            for letter, mean, low, high in zip("RPF", *result.average, strict=True):
                interval = f"({options.confidence}%-conf.int. {low:.5f} - {high:.5f})"
                yield f"{head} Average_{letter}: {mean:.5f} {interval}"
        if options.details:
            yield _DOTS
            show = "{:.5f}" if options.averaging == "scores" else "{:.15g}"
            for evaluated in result.evaluations:
                r, p, f = (show.format(number) for number in evaluated.numbers)
                yield f"{head} Eval {evaluated.id} R:{r} P:{p} F:{f}"


def as_json(results: Sequence[Result], options: Options) -> list[dict[str, Any]]:
    """The same for programs, under names that say what the numbers are."""
    names = VALUES if options.averaging == "scores" else COUNTS
    entries: list[dict[str, Any]] = []
    for result in results:
        entry: dict[str, Any] = {"system": result.system, "metric": f"ROUGE-{result.tag}"}
        if result.average is None:
            entry |= dict(zip(COUNTS, result.totals, strict=True))
        else:
            columns = zip(VALUES, *(part.tolist() for part in result.average), strict=True)
            entry |= {n: {"average": a, "low": low, "high": high} for n, a, low, high in columns}
        if options.details:
            entry["evaluations"] = [
                {"id": e.id, **dict(zip(names, e.numbers, strict=True))} for e in result.evaluations
            ]
        entries.append(entry)
    return entries


def _count(
    evaluations: Sequence[Evaluation],
    systems: Sequence[str],
    metrics: dict[str, Rouge],
    folders: tuple[Path, ...],
    progress: Progress | None,
) -> defaultdict[str, _Rows]:
    rows: defaultdict[str, _Rows] = defaultdict(_Rows)
    notes: Counter[str] = Counter()
    waiting: list[Comparison] = []
    characters = 0
    for done, evaluation in enumerate(evaluations, start=1):
        new = _comparisons(evaluation, set(systems), folders)
        waiting += new
        characters += sum(len(c.candidate.text) for c in new)
        characters += sum(len(side.text) for side in new[0].references) if new else 0
        if waiting and (characters > CHUNK_CHARACTERS or done == len(evaluations)):
            notes.update(_count_batch(waiting, metrics, rows))
            waiting, characters = [], 0
        if progress:
            progress(done, len(evaluations))
    for what, count in notes.items():
        warn(f"{what} ({counted(count, 'comparison')})")
    return rows


def _comparisons(
    evaluation: Evaluation, systems: set[str], folders: tuple[Path, ...]
) -> list[Comparison]:
    peers = [peer for peer in evaluation.peers if peer.id in systems]
    if peers and not evaluation.models:
        raise FormatError(evaluation.place, f"models in EVAL {evaluation.id}", "none")
    models = tuple(_side(model, folders) for model in evaluation.models) if peers else ()
    material = Material(evaluation.id)
    return [Comparison(material, _side(peer, folders), models) for peer in peers]


def _side(listed: Listed, folders: tuple[Path, ...]) -> Side:
    path = find_file(listed, folders)
    # Bytes that are no UTF-8 stay single, so that limits in bytes come out right.
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    sentences = tuple(sentences_in(path, text, listed.kind))
    return Side(listed.id, "\n".join(sentences), sentences=sentences)


def _count_batch(
    comparisons: Sequence[Comparison], metrics: dict[str, Rouge], rows: dict[str, _Rows]
) -> dict[str, int]:
    """Rows for all comparisons; comes back with what the metrics have to say of their texts."""
    batch = Batch(comparisons, sources=False, sentences=True)
    for comparison in comparisons:
        author = comparison.candidate.author
        rows[author].ids.append(f"{comparison.material.topic}.{author}")
    for tag, metric in metrics.items():
        for comparison, row in zip(comparisons, metric.count(batch), strict=True):
            rows[comparison.candidate.author].counts[tag].append(row)
    return {what: n for metric in metrics.values() for what, n in metric.notes(batch).items()}


def _results(
    system: str, rows: _Rows, metrics: dict[str, Rouge], options: Options
) -> Iterator[Result]:
    order = sorted(range(len(rows.ids)), key=rows.ids.__getitem__)
    ids = [rows.ids[i] for i in order]
    for tag, metric in metrics.items():
        counts = np.array([rows.counts[tag][i] for i in order]).reshape(-1, 3)
        average, numbers = None, counts
        totals: tuple[int, ...] = ()
        settings = (options.samples, float(options.confidence))
        if options.averaging == "totals":
            totals = tuple(int(total) for total in _sums(counts))
        elif options.averaging == "counts":
            average = average_counts(counts, *settings, options.alpha)
        else:
            scores = metric.score(counts)
            numbers = np.column_stack([scores[name] for name in VALUES])
            average = average_scores(numbers, *settings)
        evaluated = [Evaluated(i, tuple(row)) for i, row in zip(ids, numbers.tolist(), strict=True)]
        evaluated.sort(key=functools.cmp_to_key(_compare))
        yield Result(system, tag, average, totals, tuple(evaluated))


def _sums(counts: Floats) -> list[float]:
    """Column sums in the order of the rows, as the script adds."""
    total = np.zeros(counts.shape[1])
    for row in counts:
        total += row
    return list(map(float, total))


def _compare(a: Evaluated, b: Evaluated) -> int:
    """Lines of ``-d``: by the numbers that both begin with, otherwise as strings."""
    first, second = _LEADING_NUMBER.match(a.id), _LEADING_NUMBER.match(b.id)
    if first and second and int(first[0]) != int(second[0]):
        return -1 if int(first[0]) < int(second[0]) else 1
    return (a.id > b.id) - (a.id < b.id)


def _warn_of_missing(
    systems: Sequence[str], known: Sequence[str], evaluations: Sequence[Evaluation]
) -> None:
    present = {system: set[str]() for system in systems}
    for evaluation in evaluations:
        for peer in evaluation.peers:
            if peer.id in present:
                present[peer.id].add(evaluation.id)
    for system, there in present.items():
        absent = [evaluation.id for evaluation in evaluations if evaluation.id not in there]
        if not there:
            hint = next_sentence(did_you_mean(system, known))
            warn(f"no evaluation has a summary of system {system!r}, its values are 0{hint}")
        elif absent:
            warn(
                f"system {system!r} has no summary in {len(absent)} of {len(evaluations)} "
                f"evaluations (the first is {absent[0]!r}); they are left out of its averages"
            )
