"""``summetry demo``: a short tour on the built-in corpus."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

from rich.console import Console
from rich.text import Text

from summetry.api import about_report, compare, packed_texts
from summetry.cli._options import JsonOption, output_option
from summetry.cli._output import print_json
from summetry.cli._progress import progress_bar
from summetry.engine.plan import CorpusPlan
from summetry.engine.run import Run
from summetry.errors import SummetryError
from summetry.formats import load
from summetry.formats.folder import Folder
from summetry.formats.scores import write_scores
from summetry.metaeval.columns import headlines
from summetry.metaeval.correlations import JudgmentCorrelation, correlate_with_judgments
from summetry.metaeval.rankings import CompareSettings, Ranking
from summetry.records.corpus import Corpus
from summetry.reports.correlations import judgment_tidy
from summetry.reports.page.findings import Asked, find
from summetry.reports.page.report import Report
from summetry.reports.sheets import sheet_records, write_sheets
from summetry.reports.tables import console, plain_table, print_systems, systems_as_json
from summetry.reports.verdicts import sentence_of
from summetry.reports.words import PAIRED_TESTS
from summetry.stats.contrasts import Test

METRICS = ("rouge-1", "rouge-2", "rouge-l", "memog", "cosine")
# The page has these, too: what they light up looks different.
ON_PAGE = (*METRICS, "pyramid", "coselection")
# Nine topics are too few for permutations of 15 pairs; the terminal and the page test alike.
TEST: Test = "t"
DIMENSION = "responsiveness"
WRITTEN = {
    "corpus": "the corpus, to look at and to play with",
    "scores.csv": "one row per summary, one column per value",
    "correlations.csv": "every value against every dimension",
    "report.html": "all of it as a page, with pictures and texts",
}


def demo(
    output: Annotated[Path, output_option("FOLDER", "Where to write.")] = Path("summetry-demo"),
    as_json: JsonOption = False,
) -> None:
    """Show a short tour on the built-in corpus.

    Six systems are scored by five metrics and compared, and the metrics are compared with what
    judges thought. A page with pictures shows all of it, down to the texts.

    \b
    Example:
        summetry demo -o tour
    """
    _check_output(output)
    with as_file(files("summetry") / "data" / "demo") as folder:
        corpus = load(folder)
    with progress_bar("scored") as show:
        table = Run(CorpusPlan(corpus), METRICS, progress=show).table()
    means, correlations = table.means(), correlate_with_judgments(table, corpus)
    Folder().write(corpus, output / "corpus")
    write_scores(table, output / "scores.csv")
    tidy = judgment_tidy(correlations)
    write_sheets([tidy], output / "correlations.csv", {})
    _page(corpus).save(output / "report.html")
    written = {str(output / name): words for name, words in WRITTEN.items()}
    if as_json:
        about = {"correlations": sheet_records(tidy), "written": list(written)}
        print_json(systems_as_json(means, table.notes) | about)
        return
    out = console()
    places = headlines(table.columns)
    out.print("1. Who is best?", style="bold")
    print_systems(out, means, places, intervals=False)
    out.print("\n2. Is that more than chance?", style="bold")
    ranking = compare(table, "rouge-2", test=TEST)["rouge-2"]
    for sentence in _one_of_each(ranking):
        out.print(f"{sentence}.")
    out.print(f"({PAIRED_TESTS[TEST]}, corrected for all {ranking.family()} pairs, as on the page)")
    out.print(f"\n3. Which metric follows the judges ({DIMENSION}, over systems)?", style="bold")
    _print_followers(out, correlations, {table.columns[place].name for place in places})
    out.print("(made-up marks on a small corpus: an example, no finding about the metrics)")
    out.print("\nWritten:", style="bold")
    for path, words in written.items():
        out.print(f"  {path:{max(map(len, written))}}  {words}")
    out.print("\nNext:", style="bold")
    out.print(Text(f"  open {output / 'report.html'} in a browser"), soft_wrap=True)
    # In one piece, so that it can be copied.
    following = f'summetry explain "{output / "corpus"}" -m rouge-2 --id t01 --system picker'
    out.print(Text(f"  {following}"), soft_wrap=True)


def _page(corpus: Corpus) -> Report:
    """What ``summetry report`` makes of the corpus."""
    plan, command = CorpusPlan(corpus), f"summetry report corpus -m {','.join(ON_PAGE)}"
    with progress_bar("topics explained") as show:
        asked = Asked(ON_PAGE, settings=CompareSettings(TEST))
        findings = find(Run(plan, ON_PAGE).table(), corpus, asked)
        texts = packed_texts(plan, findings, show)
    return Report(findings, about_report(corpus, "", command=f"{command} --test {TEST}"), texts)


def _one_of_each(ranking: Ranking) -> list[str]:
    """A difference to the best that is real, and one that may be chance."""
    by_verdict: dict[bool, tuple[str, str]] = {}
    for pair in ranking.against:
        by_verdict.setdefault(ranking.verdict(pair) == "unclear", (pair.first, pair.second))
    return [sentence_of(ranking, *by_verdict[is_unclear]) for is_unclear in sorted(by_verdict)]


def _print_followers(
    out: Console, correlations: list[JudgmentCorrelation], shown: set[str]
) -> None:
    rows = [one for one in correlations if one.dimension == DIMENSION and one.value in shown]
    rows.sort(key=lambda one: -one.pearson)
    cells = [[one.value, f"{one.pearson:.3f}", f"{one.kendall:.3f}"] for one in rows]
    out.print(plain_table(["value", "Pearson", "Kendall tau-b"], cells))


def _check_output(output: Path) -> None:
    """Refuse to write over the user's own files; those of an earlier tour are no loss."""
    if output.exists() and not output.is_dir():
        raise SummetryError(f"{output}: expected a folder to write to, found a file")
    taken = [output / name for name in WRITTEN if (output / name).exists()]
    head = output / "corpus" / "corpus.json"
    if taken and not (head.is_file() and b'"name": "demo"' in head.read_bytes()):
        raise SummetryError(f"{taken[0]}: exists already, and not from a demo; name a folder by -o")
