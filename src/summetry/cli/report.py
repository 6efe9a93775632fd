"""``summetry report``: what was found, as one page that a person wants to look at."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Annotated, ClassVar

import typer

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
from summetry.engine.reported import explained_topics, metrics_of, reported_metrics
from summetry.errors import SummetryError
from summetry.files import refuse_inputs
from summetry.metaeval.comparisons import CompareSettings, Correction
from summetry.metaeval.joined import only_protocol
from summetry.reports.page.findings import Asked, Findings, find
from summetry.reports.page.report import About, Report
from summetry.reports.page.texts import TopicTexts, pack_topic
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
    texts, notes = _texts(read, findings, named or "no_models", is_wanted=not no_texts)
    titles = {topic.id: topic.title for topic in (read.corpus.topics if read.corpus else ())}
    about = About(_name(scores, read), title, _command(context), titles)
    page = Report(findings, about, texts, notes)
    written = page.save(options.output, force)
    if options.as_json:
        print_json({"verdicts": page.verdicts, "wrote": written})
        return
    for sentence in page.verdicts:
        echo(sentence)
    echo("")
    echo(f"wrote {written[0]}; open it in a browser")


def _texts(
    read: _scored.Scored, findings: Findings, protocol: ProtocolName, is_wanted: bool
) -> tuple[tuple[TopicTexts, ...], tuple[str, ...]]:
    """What is lit up in the texts, topic by topic, and why there are none."""
    if not is_wanted:
        return (), ("without the texts, as --no-texts asks",)
    if read.corpus is None or not read.corpus.summaries:
        return (), ("made of scores alone, so there are no texts; --corpus names them",)
    plan = CorpusPlan(read.corpus, protocol)
    metrics = metrics_of(findings.columns)
    packed: list[TopicTexts] = []
    with _progress.progress_bar("topics explained") as show:
        for topic, explained in explained_topics(plan, metrics):
            packed.append(pack_topic(topic, explained))
            show(len(packed), len(read.corpus.topics))
    return tuple(packed), ()


def _check_output(output: Path) -> None:
    if output.suffix.lower() not in (".html", ".htm"):
        raise SummetryError(f"{output}: a report is written to a file ending in .html")
    if output.is_dir():
        raise SummetryError(f"{output}: expected a file to write to, found a folder")


def _name(scores: Sequence[str], read: _scored.Scored) -> str:
    if read.corpus is not None and read.corpus.name:
        return read.corpus.name
    return Path(scores[0]).name or str(scores[0])


def _command(context: typer.Context) -> str:
    """What was typed, without where on this machine the files are."""
    words = [
        Path(word).name if Path(word).is_absolute() else word for word in context.meta["typed"]
    ]
    return shlex.join(["summetry", "report", *words])
