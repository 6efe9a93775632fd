"""``summetry demo``: the whole tour on the built-in corpus."""

from __future__ import annotations

import csv
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from summetry.cli._inputs import JsonOption, wanted_metrics
from summetry.cli._json import print_json, systems_as_json
from summetry.cli._progress import progress_bar
from summetry.engine.plan import CorpusPlan
from summetry.engine.run import Run
from summetry.errors import SummetryError
from summetry.files import written_whole
from summetry.formats import load
from summetry.formats.folder import Folder
from summetry.formats.scores import write_scores
from summetry.metaeval.correlations import Following, follow_marks
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, SystemMeans
from summetry.reports.tables import console, following_table, print_systems, shown_columns


def demo_corpus() -> Corpus:
    """The corpus inside the package; its people were made for the demonstration."""
    with as_file(files("summetry") / "data" / "demo") as folder:
        return load(folder)


def demo(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="Where to write.")
    ] = Path("summetry-demo"),
    as_json: JsonOption = False,
) -> None:
    """Score the built-in corpus and compare with its marks.

    \b
    Example:
        summetry demo -o tour
    """
    _check_output(output)
    corpus = demo_corpus()
    plan = CorpusPlan(corpus)
    with progress_bar("scored") as show:
        run = Run(plan, wanted_metrics(None, plan), progress=show)
        table = run.table()
    means = SystemMeans(table.columns)
    means.add(table.rows, table.data)
    lines = follow_marks(table, corpus)
    Folder().write(corpus, output / "corpus")
    write_scores(table, output / "scores.csv")
    _write_following(lines, output / "correlations.csv")
    if as_json:
        found = systems_as_json(run, means)
        found["correlations"] = [dict(zip(_FIELDS, _cells(f), strict=True)) for f in lines]
        found["written"] = [str(output / name) for name in WRITTEN]
        print_json(found)
        return
    out = console()
    systems = len(means.systems())
    out.print(f"{len(corpus.topics)} topics, {len(table)} summaries by {systems} systems\n")
    print_systems(out, means)
    for note in table.notes:
        out.print(f"note: {note}", soft_wrap=True)
    _print_following(out, lines, table.columns)
    out.print("\nWritten:", style="bold")
    width = max(len(str(output / name)) for name in WRITTEN)
    for name, what in WRITTEN.items():
        out.print(f"  {output / name!s:{width}}  {what}", soft_wrap=True)
    out.print(f'Next: summetry score "{output / "corpus"}" -m unit_overlap', soft_wrap=True)


WRITTEN = {
    "corpus": "the corpus, to look at and to play with",
    "scores.csv": "every score with its signature",
    "correlations.csv": "every value against every dimension",
}


def _check_output(output: Path) -> None:
    """Refuse to write over somebody's own files; those of an earlier tour are no loss."""
    if output.exists() and not output.is_dir():
        raise SummetryError(f"{output}: expected a folder to write to, found a file")
    taken = [output / name for name in WRITTEN if (output / name).exists()]
    head = output / "corpus" / "corpus.json"
    if taken and not (head.is_file() and b'"name": "demo"' in head.read_bytes()):
        raise SummetryError(f"{taken[0]}: exists already, and not from a demo; name a folder by -o")


def _print_following(out: Console, lines: list[Following], columns: tuple[Column, ...]) -> None:
    shown = [columns[place] for place in shown_columns(columns)]
    out.print("\nHow well each value follows the judges' marks, system by system:", style="bold")
    # On a narrower terminal long lines are easier to read than folded cells.
    wide = max(out.width, 80)
    out.print(following_table([f for f in lines if f.column in shown]), width=wide, crop=False)
    out.print(
        "(made-up marks on a small corpus: an example of the table, no finding about the metrics)"
    )


_FIELDS = ("value", "dimension", "systems", "pearson", "spearman", "kendall", "signature")


def _write_following(lines: list[Following], path: Path) -> None:
    with written_whole(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(_FIELDS)
        out.writerows(["" if cell != cell else cell for cell in _cells(f)] for f in lines)


def _cells(f: Following) -> tuple[str | int | float, ...]:
    numbers = (f.systems, f.pearson, f.spearman, f.kendall)
    return f.column.name, f.dimension, *numbers, f.column.signature
