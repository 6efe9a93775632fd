"""``summetry demo``: the whole tour on the built-in corpus."""

from __future__ import annotations

import csv
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer

from summetry.cli._inputs import progress_bar, wanted_metrics
from summetry.engine.plan import CorpusPlan
from summetry.engine.run import Run
from summetry.errors import SummetryError
from summetry.formats import load
from summetry.formats.folder import Folder
from summetry.formats.scores import write_scores
from summetry.metaeval.correlations import Following, follow_marks
from summetry.model.corpus import Corpus
from summetry.model.scores import SystemMeans
from summetry.reports.tables import console, following_table, shown_columns, system_table


def demo_corpus() -> Corpus:
    """The corpus inside the package; its people were made for the demonstration."""
    with as_file(files("summetry") / "data" / "demo") as folder:
        return load(folder)


def demo(
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write.")] = Path(
        "summetry-demo"
    ),
) -> None:
    """Score the built-in corpus and say how well each metric follows its marks.

    \b
    Example:
        summetry demo -o tour
    """
    if output.exists() and not output.is_dir():
        raise SummetryError(f"{output}: expected a folder to write to, found a file")
    corpus = demo_corpus()
    plan = CorpusPlan(corpus)
    with progress_bar("scored") as show:
        run = Run(plan, wanted_metrics(None, plan), progress=show)
        table = run.table()
    means = SystemMeans(table.columns)
    means.add(table.rows, table.data)
    lines = follow_marks(table, corpus)
    shown = [table.columns[place] for place in shown_columns(table.columns)]
    out = console()
    out.print(
        f"{len(corpus.topics)} topics, {len(table)} summaries by {len(means.systems())} systems"
    )
    out.print("\nSystems, best first:", style="bold")
    out.print(system_table(means))
    for note in table.notes:
        out.print(f"note: {note}", soft_wrap=True)
    out.print("\nHow well each value follows the judges' marks, system by system:", style="bold")
    out.print(following_table([line for line in lines if line.column in shown]))
    out.print(
        "(made-up marks on a small corpus: an example of the table, no finding about the metrics)"
    )
    Folder().write(corpus, output / "corpus")
    write_scores(table, output / "scores.csv")
    _write_following(lines, output / "correlations.csv")
    out.print("\nWritten:", style="bold")
    out.print(f"  {output / 'corpus'}  the corpus, to look at and to play with")
    out.print(f"  {output / 'scores.csv'}  every score with its signature")
    out.print(f"  {output / 'correlations.csv'}  every value against every dimension")
    out.print(f'Next: summetry score "{output / "corpus"}" -m unit_overlap', soft_wrap=True)


_FIELDS = ("value", "dimension", "systems", "pearson", "spearman", "kendall", "signature")


def _write_following(lines: list[Following], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(_FIELDS)
        for f in lines:
            numbers = (f.systems, f.pearson, f.spearman, f.kendall)
            out.writerow([f.column.name, f.dimension, *numbers, f.column.signature])
