"""``summetry score``: score summaries with any metrics."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

from summetry.cli._inputs import Inputs, metrics_to_run
from summetry.cli._options import flag, option, output_option, shared
from summetry.cli._output import echo_notes, echo_written, print_json
from summetry.cli._progress import progress_bar, user_store
from summetry.engine.cache import ChunkStore
from summetry.engine.plan import CHUNK_ITEMS
from summetry.engine.run import Run
from summetry.errors import SummetryError
from summetry.formats.scores import ScoreWriter, is_scores
from summetry.records.scores import SystemMeans
from summetry.reports.tables import (
    console,
    number,
    plain_table,
    print_systems,
    shown_columns,
    systems_as_json,
)


@shared(Inputs)
def score(
    inputs: Inputs,
    output: Annotated[
        Path | None, output_option("FILE", "Write every score: .csv .jsonl .parquet .aesop")
    ] = None,
    workers: Annotated[int, option("N", "How many processes compute.", min=1)] = 1,
    chunk: Annotated[
        int, option("N", "How many summaries are computed at a time.", min=1)
    ] = CHUNK_ITEMS,
    everything: Annotated[
        bool, flag("--all", "All metrics that the data can feed, where none is named.")
    ] = False,
    cache: Annotated[
        Path | None, option("FOLDER", "Where finished work is kept, to be resumed.")
    ] = None,
    no_cache: Annotated[bool, flag("--no-cache", "Keep no finished work.")] = False,
) -> None:
    """Score the summaries of CORPUS, or outputs of systems by --references, or one --candidate.

    Without --metric all metrics are taken that the data can feed. A run that was interrupted
    goes on where it stopped when the same command is given again.

    \b
    Examples:
        summetry score my-corpus -m unit_overlap -m "cosine(text=en(stem=true))" -o scores.csv
        summetry score outputs.jsonl --columns candidate=bart+t5,reference=gold
        summetry score bart.txt t5.txt --references gold.txt
        summetry score --candidate a.txt --reference r1.txt --reference r2.txt -m unit_overlap
    """
    _check_output(output, inputs)
    if cache and no_cache:
        raise SummetryError("--cache and --no-cache: one of them")
    # A single text is scored anew in no time, and nobody wants to hear that it was kept.
    store = None
    if not no_cache and not inputs.is_one_text():
        store = ChunkStore(cache) if cache else user_store()
    if store:
        store.prune()
    with inputs.plan() as plan, progress_bar("scored", is_kept=store is not None) as show:
        metrics = metrics_to_run(inputs, plan, everything)
        run = Run(plan, metrics, workers, chunk, store, inputs.on_error, show)
        means = _score_all(run, output)
    _print_notes(run)
    if inputs.is_one_text():
        _print_pair(run, means, inputs.as_json)
    elif inputs.as_json:
        print_json(systems_as_json(means, run.notes))
    else:
        _print_systems(run, means)
    if not inputs.as_json:
        echo_written(output)


def _check_output(output: Path | None, inputs: Inputs) -> None:
    """Refuse early to write where something else is: after hours of work is too late."""
    if output is None:
        return
    if output.is_dir():
        raise SummetryError(f"{output}: expected a file to write to, found a folder")
    read = [Path(name) for name in (*(inputs.corpus or ()), *inputs.texts())]
    if output.exists() and any(path.exists() and path.samefile(output) for path in read):
        raise SummetryError(f"{output}: scores would be written over what is read; name another")
    # In a corpus that is a folder a file of its own may well lie, unless it was something else.
    inside = any(path.resolve() in output.resolve().parents for path in read if path.is_dir())
    if inside and output.is_file() and not is_scores(output):
        raise SummetryError(f"{output}: is no table of scores, and in what is read; name another")


def _score_all(run: Run, output: Path | None) -> SystemMeans:
    means = SystemMeans(run.columns)
    with ScoreWriter(output, run.columns) if output else nullcontext() as writer:
        for rows, data in run.chunks():
            means.add(rows, data)
            if writer:
                writer.add(rows, data)
    return means


def _print_notes(run: Run) -> None:
    """What the reader of the numbers should know, on standard error."""
    echo_notes(run.notes)
    if run.chunks_found:
        kept = f"{run.chunks_found} of {run.chunks_done} chunks"
        echo_notes([f"{kept} were finished by an earlier run and taken over"])


def _print_pair(run: Run, means: SystemMeans, as_json: bool) -> None:
    """One candidate: every value, each metric under the name that was asked for."""
    values = dict(zip((c.name for c in run.columns), means.means()[0].tolist(), strict=True))
    if as_json:
        by_metric: dict[str, dict[str, Any]] = {}
        for column in run.columns:
            of_metric = by_metric.setdefault(column.metric, {"signature": column.signature})
            of_metric[column.value] = values[column.name]
        print_json(by_metric)
        return
    rows = [[c.metric, c.value, number(values[c.name], 6)] for c in run.columns]
    console().print(plain_table(["metric", "value", "score"], rows))
    _print_signatures(run)


def _print_systems(run: Run, means: SystemMeans) -> None:
    out = console()
    print_systems(out, means)
    hidden = len(run.columns) - len(shown_columns(run.columns))
    if hidden:
        out.print(f"({hidden} more values in --json and in the file that --output names)")
    _print_undefined(run, means)
    _print_signatures(run)


def _print_undefined(run: Run, means: SystemMeans) -> None:
    left_out = means.undefined().sum(axis=0) if means.systems() else []
    names = [f"{c.name} {n}" for c, n in zip(run.columns, left_out, strict=False) if n]
    if names:
        console().print(f"undefined and left out of the means: {', '.join(names)}", soft_wrap=True)


def _print_signatures(run: Run) -> None:
    for signature in dict.fromkeys(column.signature for column in run.columns):
        console().print(signature, style="dim", soft_wrap=True)
