"""``summetry score``: score summaries with any metrics."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated, Any

import typer

from summetry.cli._inputs import (
    CandidateOption,
    ColumnsOption,
    CorpusArgument,
    FormatOption,
    Inputs,
    JsonOption,
    LanguageOption,
    MetricOption,
    OnErrorOption,
    ProtocolOption,
    ReferenceOption,
    SourceOption,
    progress_bar,
    wanted_metrics,
)
from summetry.engine.cache import ChunkStore, default_folder
from summetry.engine.chunks import CHUNK_ITEMS
from summetry.engine.plan import Plan
from summetry.engine.run import Run
from summetry.engine.tables import TablePlan
from summetry.formats.scores import ScoreWriter
from summetry.model.scores import Column, SystemMeans
from summetry.reports.tables import console, plain_table, ranked_by, shown_columns, system_table


def score(
    corpus: CorpusArgument = None,
    metric: MetricOption = None,
    candidate: CandidateOption = None,
    reference: ReferenceOption = None,
    source: SourceOption = None,
    protocol: ProtocolOption = "no_models",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write every score: .csv .jsonl .parquet")
    ] = None,
    as_json: JsonOption = False,
    format: FormatOption = None,
    columns: ColumnsOption = "",
    language: LanguageOption = "",
    on_error: OnErrorOption = "stop",
    workers: Annotated[int, typer.Option(help="How many processes compute.")] = 1,
    chunk: Annotated[int, typer.Option(help="How many summaries are computed at a time.")] = (
        CHUNK_ITEMS
    ),
    cache: Annotated[
        Path | None, typer.Option(help="Where finished work is kept, to be resumed.")
    ] = None,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Keep no finished work.")] = False,
) -> None:
    """Score the summaries of CORPUS, or one summary given by --candidate.

    Without --metric all metrics are taken that the data can feed. A run that was interrupted
    goes on where it stopped when the same command is given again.

    \b
    Examples:
        summetry score my-corpus -m unit_overlap -m "cosine(text=en(stem=true))" -o scores.csv
        summetry score outputs.jsonl --columns candidate=summary,reference=gold
        summetry score --candidate a.txt --reference r1.txt --reference r2.txt -m unit_overlap
    """
    inputs = Inputs(
        corpus, candidate, reference or (), source, format, columns, language, protocol, on_error
    )
    store = None if no_cache else ChunkStore(cache or default_folder())
    if store:
        store.prune()
    with inputs.plan() as plan, progress_bar("scored") as show:
        metrics = wanted_metrics(metric, plan)
        run = Run(plan, metrics, workers, chunk, store, on_error, show)
        means = _score_all(run, output)
    _tell(run, plan)
    if inputs.is_one_text():
        _print_pair(run, means, metrics if metric else None, as_json)
    elif as_json:
        typer.echo(json.dumps(systems_as_json(run, means), ensure_ascii=False, indent=2))
    else:
        _print_systems(run, means, output)


def _score_all(run: Run, output: Path | None) -> SystemMeans:
    means = SystemMeans(run.columns)
    if output is None:
        for rows, data in run.chunks():
            means.add(rows, data)
        return means
    with ScoreWriter(output, run.columns) as writer:
        for rows, data in run.chunks():
            means.add(rows, data)
            writer.add(rows, data)
    return means


def _tell(run: Run, plan: Plan) -> None:
    """What the reader of the numbers should know, on standard error."""
    if isinstance(plan, TablePlan):
        for problem in plan.problems:
            typer.echo(f"skipped: {problem}", err=True)
    for note in run.notes:
        typer.echo(f"note: {note}", err=True)
    if run.chunks_found:
        kept = f"{run.chunks_found} of {run.chunks_done} chunks"
        typer.echo(f"note: {kept} were finished by an earlier run and taken over", err=True)


def systems_as_json(run: Run, means: SystemMeans) -> dict[str, Any]:
    """Means by system with everything a program may ask."""
    systems = []
    for line, (protocol, author, role) in enumerate(means.systems()):
        systems.append(
            {
                "protocol": protocol,
                "author": author,
                "role": role,
                "topics": int(means.topics()[line]),
                "means": _nested(run.columns, means.means()[line].tolist()),
                "undefined": _nested(run.columns, means.undefined()[line].tolist()),
            }
        )
    signatures = {column.metric: column.signature for column in run.columns}
    return {"systems": systems, "signatures": signatures, "notes": list(run.notes)}


def _nested(columns: tuple[Column, ...], numbers: list[float]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for column, value in zip(columns, numbers, strict=True):
        found.setdefault(column.metric, {})[column.value] = None if math.isnan(value) else value
    return found


def _print_pair(run: Run, means: SystemMeans, asked: list[str] | None, as_json: bool) -> None:
    """One candidate: every value, each metric under the spelling that was asked for."""
    values = dict(zip((c.name for c in run.columns), means.means()[0].tolist(), strict=True))
    if as_json:
        found: dict[str, dict[str, Any]] = {}
        for spelling, columns in run.columns_by_request(asked).items():
            numbers = {c.value: values[c.name] for c in columns}
            found[spelling] = {n: None if math.isnan(v) else v for n, v in numbers.items()}
            found[spelling]["signature"] = columns[0].signature
        typer.echo(json.dumps(found, ensure_ascii=False, indent=2))
        return
    rows = [
        [c.metric, c.value, "–" if math.isnan(values[c.name]) else f"{values[c.name]:.6f}"]
        for c in run.columns
    ]
    console().print(plain_table(["metric", "value", "score"], rows))
    _print_signatures(run)


def _print_systems(run: Run, means: SystemMeans, output: Path | None) -> None:
    out = console()
    out.print(f"{ranked_by(means)}:", style="bold")
    out.print(system_table(means))
    hidden = len(run.columns) - len(shown_columns(run.columns))
    if hidden:
        out.print(f"({hidden} more values in --json and in the file that --output names)")
    _print_undefined(run, means)
    _print_signatures(run)
    if output:
        out.print(f"wrote {output}", soft_wrap=True)


def _print_undefined(run: Run, means: SystemMeans) -> None:
    left_out = means.undefined().sum(axis=0) if means.systems() else []
    names = [f"{c.name} {n}" for c, n in zip(run.columns, left_out, strict=False) if n]
    if names:
        console().print(f"undefined and left out of the means: {', '.join(names)}", soft_wrap=True)


def _print_signatures(run: Run) -> None:
    for signature in dict.fromkeys(column.signature for column in run.columns):
        console().print(signature, style="dim", soft_wrap=True, markup=False)
