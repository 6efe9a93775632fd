"""``summetry report``: what was found, as one page that a person wants to look at."""

from __future__ import annotations

import shlex
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import typer

from summetry.api import NO_TEXTS, about_report, packed_texts
from summetry.cli import _progress, _scored
from summetry.cli._options import (
    AlphaOption,
    DimensionsOption,
    ForceOption,
    OneProtocolOption,
    ScoresArgument,
    flag,
    option,
    output_option,
    shared,
)
from summetry.cli._output import echo, print_json
from summetry.engine.chunks import Requested, build_metrics
from summetry.engine.plan import CorpusPlan, ProtocolName
from summetry.engine.reported import reported_metrics
from summetry.errors import SummetryError
from summetry.files import refuse_inputs
from summetry.metaeval.comparisons import CompareSettings, Correction
from summetry.metaeval.joined import only_protocol
from summetry.records.corpus import Corpus
from summetry.reports.page.findings import Asked, find
from summetry.reports.page.report import Report
from summetry.stats.contrasts import Test


@dataclass(frozen=True)
class ReportOptions(_scored.JudgedOptions):
    """The options of commands on scores; by default one metric of each kind is computed."""

    everything: ClassVar[bool] = False

    _: KW_ONLY
    output: Annotated[Path, output_option("FILE", "Where to write the page.")] = Path("report.html")

    def _metrics(self, plan: CorpusPlan) -> list[Requested]:
        if self.metric:
            return super()._metrics(plan)
        return self.with_words(build_metrics(reported_metrics(plan)))


@shared(ReportOptions)
def report(
    context: typer.Context,
    scores: ScoresArgument,
    options: ReportOptions,
    dimension: DimensionsOption = None,
    baseline: Annotated[
        str | None, option("SYSTEM", "Test all others against it; the best if not given.")
    ] = None,
    protocol: OneProtocolOption = None,
    test: Annotated[Test, typer.Option(help="The paired test.")] = "permutation",
    correction: Annotated[
        Correction, typer.Option(help="How p is corrected for several tests.")
    ] = "holm",
    alpha: AlphaOption = 0.05,
    title: Annotated[str, option("WORDS", "The heading of the page.")] = "",
    no_texts: Annotated[
        bool, flag("--no-texts", "Without the texts: a smaller page, written sooner.")
    ] = False,
    workers: Annotated[int, option("N", "How many processes explain the texts.", min=1)] = 1,
    force: ForceOption = False,
) -> None:
    """Write what was found as one page: the verdict, numbers, pictures, and the texts.

    The page is one HTML file that opens from disk, without a network. From a corpus it has all of
    it, down to what matched in each text; from scores alone it has no texts. Without --metric one
    metric of each kind that the corpus can feed is computed.

    \b
    Examples:
        summetry report my-corpus
        summetry report outputs.jsonl -m rouge-1,rouge-2 --baseline lead -o report.html
        summetry report scores.csv --judgments judgments.csv
    """
    settings = CompareSettings(test, correction, alpha, options.draws, options.seed)
    named = _scored.one_protocol(protocol)
    _check_output(options.output)
    refuse_inputs([options.output], [*scores, options.judgments])
    read = options.read_or_score(scores, [named or "no_models"], dimension or ())
    asked = Asked(
        options.metric or (),
        dimension or (),
        baseline or "",
        named or "",
        options.exclude or (),
        settings,
    )
    with _progress.progress_bar("pairs compared") as show:
        findings = find(only_protocol(read.tables, named or ""), read.corpus, asked, show)
    plan = _plan(read.corpus, named or "no_models")
    with _progress.progress_bar("topics explained") as show:
        texts = packed_texts(plan, findings, show, workers) if plan and not no_texts else ()
    notes = () if plan else (NO_TEXTS,)
    about = about_report(read.corpus, Path(scores[0]).name, title, _command(context))
    page = Report(findings, about, texts, notes)
    written = page.save(options.output, force)
    if options.as_json:
        print_json({"verdicts": page.verdicts, "wrote": written})
        return
    for sentence in page.verdicts:
        echo(sentence)
    echo("")
    echo(f"wrote {written[0]}; open it in a browser")


def _plan(corpus: Corpus | None, protocol: ProtocolName) -> CorpusPlan | None:
    """What was compared with what, where the texts are known."""
    has_texts = corpus is not None and bool(corpus.summaries)
    return CorpusPlan(corpus, protocol) if corpus is not None and has_texts else None


def _check_output(output: Path) -> None:
    if output.suffix.lower() not in (".html", ".htm"):
        raise SummetryError(f"{output}: a report is written to a file ending in .html")
    if output.is_dir():
        raise SummetryError(f"{output}: expected a file to write to, found a folder")


def _command(context: typer.Context) -> str:
    """What was typed, without where on this machine the files are."""
    words = [
        Path(word).name if Path(word).is_absolute() else word for word in context.meta["typed"]
    ]
    return shlex.join(["summetry", "report", *words])
