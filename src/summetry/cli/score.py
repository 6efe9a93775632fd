"""``summetry score``: score summaries with any metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

from summetry.cli._inputs import Inputs, metrics_to_run
from summetry.cli._options import output_option, shared
from summetry.cli._output import echo, echo_notes, echo_written, print_json
from summetry.cli._parameters import flag, option
from summetry.cli._progress import progress_bar, user_store, watch
from summetry.engine.cache import ChunkStore
from summetry.engine.engines import opened_engine
from summetry.engine.plan import CHUNK_ITEMS, Plan
from summetry.engine.reported import texts_of
from summetry.engine.run import Run
from summetry.errors import SummetryError, counted
from summetry.files import refuse_inputs
from summetry.formats.scores import ScoreWriter, is_scores, is_signed, signatures_beside
from summetry.metaeval.columns import repeated_columns
from summetry.metaeval.worst import Worst, WorstSummaries, directed_column
from summetry.metrics.rouge.base import Rouge
from summetry.records.scores import ROW_NAMES, Column, SystemMeans, undefined_in_words
from summetry.reports.sheets import Sheet, print_sheets, sheets_as_json
from summetry.reports.tables import (
    console,
    legend,
    number,
    plain_table,
    print_systems,
    systems_as_json,
)
from summetry.reports.worst import beginnings, worst_sheet

# A longer name does not move the words beside the others to the right.
LONGEST_NAME = 24


@shared(Inputs)
def score(
    inputs: Inputs,
    output: Annotated[
        Path | None, output_option("FILE", "Write every score: .csv .jsonl .parquet .aesop")
    ] = None,
    everything: Annotated[
        bool, flag("--all", "All metrics that the data can feed, where none is named.")
    ] = False,
    prf: Annotated[
        bool, flag("--prf", "Show all values of a metric: precision and recall beside F.")
    ] = False,
    long: Annotated[bool, flag("--long", "Write one row per number, not per summary.")] = False,
    plot: Annotated[
        Path | None, option("FILE", "Draw the systems with their intervals: .png .svg .html")
    ] = None,
    worst: Annotated[
        int | None,
        option("N", "List the N worst summaries by the first metric, with their texts.", min=1),
    ] = None,
    workers: Annotated[int, option("N", "How many processes compute.", min=1)] = 1,
    engine: Annotated[
        str, option("NAME", "Where: local, dask (a cluster), or an engine of a plug-in.")
    ] = "local",
    scheduler: Annotated[
        str, option("ADDRESS", "The scheduler of a Dask cluster: tcp://host:8786")
    ] = "",
    chunk: Annotated[
        int, option("N", "How many summaries are computed at a time.", min=1)
    ] = CHUNK_ITEMS,
    cache: Annotated[
        Path | None, option("FOLDER", "Where finished work is kept, to be resumed.")
    ] = None,
    no_cache: Annotated[bool, flag("--no-cache", "Keep no finished work.")] = False,
    force: Annotated[
        bool, flag("--force", "Overwrite -o even if it does not hold scores.")
    ] = False,
) -> None:
    """Score the summaries of a corpus or of systems, or one text.

    Give a CORPUS, outputs of systems with --references, or one --candidate. Without --metric the
    metrics are ROUGE-1, ROUGE-2 and ROUGE-L. Systems are ranked by the mean over topics, each with
    its 95 % interval. A run that was interrupted goes on where it stopped when the same command
    is given again.

    \b
    Examples:
        summetry score outputs.jsonl
        summetry score outputs.jsonl -m rouge1 -m rougeL --prf -o scores.csv
        summetry score outputs.jsonl --columns candidate=bart+t5,reference=gold
        summetry score bart.txt t5.txt --references gold.txt
        summetry score --candidate a.txt --reference r1.txt --reference r2.txt
        summetry score outputs.jsonl --worst 20
        summetry score big.parquet -o scores.parquet --workers 4
    """
    _check_output(output, inputs, force)
    if plot:
        from summetry.reports.chart_files import check_chart

        check_chart(plot)
        refuse_inputs([plot], inputs.named())
    if cache and no_cache:
        raise SummetryError("--cache keeps finished work and --no-cache keeps none: give one")
    if worst and inputs.is_one_text():
        raise SummetryError("--worst lists the worst of several summaries, and --candidate is one")
    if long and output is None:
        raise SummetryError("--long says how -o writes scores; name a file with -o")
    # A single text is scored anew in no time, and nobody wants to hear that it was kept.
    store = None
    if not no_cache and not inputs.is_one_text():
        store = ChunkStore(cache) if cache else user_store()
    if store:
        store.prune()
    with (
        inputs.plan() as plan,
        opened_engine(engine, scheduler, workers, lambda said: echo_notes([said])) as elsewhere,
        progress_bar("scored", is_kept=store is not None) as show,
    ):
        metrics = metrics_to_run(inputs, plan, everything)
        run = Run(plan, metrics, workers, chunk, store, inputs.on_error, engine=elsewhere)
        watch(run, show)
        kept = _worst_kept(run, worst, prf) if worst else None
        means = _score_all(run, output, long, kept)
        sheets = [_worst_sheet(kept.worst(), plan)] if kept else []
    if plot:
        from summetry.reports.system_chart import plot_systems

        # Before anything is printed, whose reader may leave.
        plot_systems(means, plot)
    echo_notes(run.notes)
    if inputs.is_one_text():
        _print_pair(run, means, inputs.as_json)
    elif inputs.as_json:
        print_json(systems_as_json(means, run.notes) | sheets_as_json(sheets, {}))
    else:
        _print_systems(run, means, prf, [beginnings(sheet) for sheet in sheets])
    if not inputs.as_json:
        if output:
            beside = signatures_beside(output)
            echo(f"wrote {output}" + (f" and {beside}" if beside.exists() else ""))
        echo_written(plot)


def _check_output(output: Path | None, inputs: Inputs, force: bool) -> None:
    """Refuse early to write where something else is: after hours of work is too late."""
    if output is None:
        return
    if output.is_dir():
        raise SummetryError(f"{output}: expected a file to write to, found a folder")
    read = [Path(name) for name in inputs.named()]
    refuse_inputs([output], read)
    # In a corpus that is a folder a file of its own may well lie, unless it was something else.
    inside = any(path.resolve() in output.resolve().parents for path in read if path.is_dir())
    if inside and output.is_file() and not is_scores(output):
        raise SummetryError(f"{output}: is no table of scores, and in what is read; name another")
    # Scores are written anew by the same command.
    if force or not output.is_file() or not output.stat().st_size:
        return
    if not is_scores(output):
        raise SummetryError(f"{output}: exists already and holds no scores; --force writes over it")
    if not is_signed(output):
        raise SummetryError(
            f"{output}: exists already and holds numbers that are not signed as Summetry's scores; "
            f"--force writes over it"
        )


def _worst_kept(run: Run, count: int, prf: bool) -> WorstSummaries:
    """What keeps the worst summaries by the first metric that is shown."""
    column = directed_column([run.unsigned[place] for place in _shown_places(run, prf)])
    if column is None:
        raise SummetryError(
            "--worst needs a metric that says which direction is better; -m names it"
        )
    return WorstSummaries(column, count)


def _worst_sheet(worst: Worst, plan: Plan) -> Sheet:
    return worst_sheet(worst, texts_of(plan, [row for row, _ in worst.rows]))


def _score_all(
    run: Run, output: Path | None, long: bool, worst: WorstSummaries | None
) -> SystemMeans:
    place = run.unsigned.index(worst.column) if worst else 0
    means = SystemMeans(run.unsigned)
    names = ROW_NAMES if run.plan.protocol == "all_peers" else ("id", "system")
    writer = ScoreWriter(output, run.unsigned, tuple(names), long) if output else nullcontext()
    is_said = False
    with writer as opened:
        for whose, data, written in run.written(opened.encode if opened else None):
            if run.chunks_done > run.chunks_found > 0 and not is_said:
                is_said = True
                echo_notes(["going on from what an earlier run finished"])
            means.add(whose, data)
            if worst:
                worst.add(whose, data[:, place])
            if opened:
                opened.append(written)
        means.columns = run.columns
        if opened:
            opened.sign(run.columns)
    if run.chunks_found == run.chunks_done > 0:
        echo_notes(["taken from an earlier run on the same data"])
    return means


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
    repeated = _repeated(run, range(len(run.columns)))
    rows = [
        [column.name, number(values[column.name], 6)]
        for place, column in enumerate(run.columns)
        if place not in repeated
    ]
    console().print(plain_table(["value", "score"], rows))
    console().print()
    _print_repeated(run, repeated)
    _print_legend(run)


def _shown_places(run: Run, prf: bool) -> list[int]:
    return [place for place, column in enumerate(run.unsigned) if prf or _is_shown(run, column)]


def _print_systems(run: Run, means: SystemMeans, prf: bool, sheets: Sequence[Sheet]) -> None:
    out = console()
    shown = _shown_places(run, prf)
    repeated = _repeated(run, shown)
    print_systems(out, means, [place for place in shown if place not in repeated])
    hidden = len(run.columns) - len(shown)
    if hidden and all(isinstance(request.metric, Rouge) for request in run.requested):
        out.print("(precision and recall: --prf)")
    elif hidden:
        out.print(f"({counted(hidden, 'more value')}: --prf shows all)")
    out.print()
    if sheets:
        print_sheets(out, sheets)
        out.print()
    _print_repeated(run, repeated)
    _print_undefined(run, means)
    _print_legend(run)


def _repeated(run: Run, shown: Sequence[int]) -> dict[int, int]:
    """Columns that equal another one because no summary has two references, and that one."""
    repeated = repeated_columns([run.columns[place] for place in shown])
    return {shown[place]: shown[first] for place, first in repeated.items()}


def _print_repeated(run: Run, repeated: Mapping[int, int]) -> None:
    for first in dict.fromkeys(repeated.values()):
        same = [run.columns[place].name for place in repeated if repeated[place] == first]
        words = f"with one reference the same as {run.columns[first].name}: {', '.join(same)}"
        console().print(words)


def _is_shown(run: Run, column: Column) -> bool:
    """Whether a value was named, or is the headline of a metric that was."""
    asked = [request for request in run.requested if request.name == column.metric]
    return any(
        column.value == r.metric.headline
        if r.values == r.metric.values
        else column.value in r.values
        for r in asked
    )


def _print_undefined(run: Run, means: SystemMeans) -> None:
    left_out = means.undefined().sum(axis=0).tolist() if means.systems() else []
    if said := undefined_in_words(run.columns[: len(left_out)], left_out):
        console().print(said)


def _print_legend(run: Run) -> None:
    out = console()
    legends = {request.name: request.metric.legend for request in run.requested}
    rows = legend(run.columns, legends)
    width = min(max(len(name) for name, _ in rows), LONGEST_NAME)
    for name, words in rows:
        out.print(f"{name:{width}}  {words}", style="dim", indent="    ")
