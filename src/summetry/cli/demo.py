"""``summetry demo``: the whole tour on the built-in corpus."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

from summetry.cli._inputs import metrics_to_run
from summetry.cli._options import JsonOption, MetricOptions, output_option
from summetry.cli._output import print_json
from summetry.cli._progress import progress_bar
from summetry.engine.plan import CorpusPlan
from summetry.engine.run import Run
from summetry.errors import SummetryError
from summetry.formats import load
from summetry.formats.folder import Folder
from summetry.formats.scores import write_scores
from summetry.metaeval.columns import headlines
from summetry.metaeval.correlations import correlate_with_marks
from summetry.records.scores import SystemMeans
from summetry.reports.correlations import mark_sheet, mark_tidy
from summetry.reports.sheets import print_sheets, sheet_records, write_sheets
from summetry.reports.tables import console, print_systems, systems_as_json

WRITTEN = {
    "corpus": "the corpus, to look at and to play with",
    "scores.csv": "every score with its signature",
    "correlations.csv": "every value against every dimension",
}


def demo(
    output: Annotated[Path, output_option("FOLDER", "Where to write.")] = Path("summetry-demo"),
    as_json: JsonOption = False,
) -> None:
    """Score the built-in corpus and compare with its marks.

    \b
    Example:
        summetry demo -o tour
    """
    _check_output(output)
    with as_file(files("summetry") / "data" / "demo") as folder:
        corpus = load(folder)
    plan = CorpusPlan(corpus)
    with progress_bar("scored") as show:
        run = Run(plan, metrics_to_run(MetricOptions(), plan, everything=True), progress=show)
        table = run.table()
    means = SystemMeans(table.columns)
    means.add(table.rows, table.data)
    correlations = correlate_with_marks(table, corpus)
    Folder().write(corpus, output / "corpus")
    write_scores(table, output / "scores.csv")
    tidy = mark_tidy(correlations)
    write_sheets([tidy], output / "correlations.csv", {})
    written = {str(output / name): words for name, words in WRITTEN.items()}
    if as_json:
        about = {"correlations": sheet_records(tidy), "written": list(written)}
        print_json(systems_as_json(means, run.notes) | about)
        return
    out = console()
    systems = len(means.systems())
    out.print(f"{len(corpus.topics)} topics, {len(table)} summaries by {systems} systems\n")
    shown_places = headlines(table.columns)
    print_systems(out, means, shown_places)
    for note in table.notes:
        out.print(f"note: {note}", soft_wrap=True)
    out.print()
    shown = {table.columns[place].name for place in shown_places}
    print_sheets(out, [mark_sheet(correlations, shown)])
    out.print(
        "(made-up marks on a small corpus: an example of the table, no finding about the metrics)"
    )
    out.print("\nWritten:", style="bold")
    for path, words in written.items():
        out.print(f"  {path:{max(map(len, written))}}  {words}", soft_wrap=True)
    out.print(f'Next: summetry score "{output / "corpus"}" -m unit_overlap', soft_wrap=True)


def _check_output(output: Path) -> None:
    """Refuse to write over the user's own files; those of an earlier tour are no loss."""
    if output.exists() and not output.is_dir():
        raise SummetryError(f"{output}: expected a folder to write to, found a file")
    taken = [output / name for name in WRITTEN if (output / name).exists()]
    head = output / "corpus" / "corpus.json"
    if taken and not (head.is_file() and b'"name": "demo"' in head.read_bytes()):
        raise SummetryError(f"{taken[0]}: exists already, and not from a demo; name a folder by -o")
