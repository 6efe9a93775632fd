"""``summetry report``: what was found, as one page that a person wants to look at."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import Annotated, ClassVar, NamedTuple

import click

from summetry.api import (
    NO_TEXTS,
    about_report,
    added_sections,
    notes_on_missing,
    notes_on_texts,
    packed_texts,
    reasons_of,
    tables_of_judges,
)
from summetry.cli import _names, _progress, _scored
from summetry.cli._options import (
    AlphaOption,
    DimensionsOption,
    OneProtocolOption,
    ReferencesOption,
    output_option,
    shared,
)
from summetry.cli._output import check_folder, echo, echo_notes, print_json
from summetry.cli._parameters import argument, choice, flag, option
from summetry.engine.chunks import Requested, build_metrics
from summetry.engine.plan import CorpusPlan, Plan, ProtocolName
from summetry.engine.reported import reported_metrics
from summetry.errors import SummetryError
from summetry.files import refuse_inputs
from summetry.formats import must_exist
from summetry.formats.shared_columns import FileColumns
from summetry.metaeval.joined import UNNAMED, only_protocol
from summetry.metaeval.rankings import CompareSettings, Correction
from summetry.records.corpus import Corpus
from summetry.records.scores import ScoreTable
from summetry.reports.chart_files import check_chart
from summetry.reports.page.findings import Asked, find
from summetry.reports.page.report import Report, check_page, check_topics, topics_folder
from summetry.stats.contrasts import Test


@dataclass(frozen=True)
class ReportOptions(_scored.JudgedOptions):
    """The options of commands on scores; by default one metric of each kind is computed."""

    everything: ClassVar[bool] = False

    _: KW_ONLY
    output: Annotated[Path, output_option("FILE", "Where to write the page.")] = Path("report.html")
    corpus: Annotated[
        str | None, option("CORPUS", "The texts of SCORES that are files of scores.")
    ] = None

    def metrics_for(self, plan: Plan) -> list[Requested]:
        """The metrics that are named, or one of each kind that the data can feed."""
        if self.metric:
            return self.requested()
        return self.with_words(build_metrics(reported_metrics(plan)))

    def are_outputs(self, names: Sequence[str]) -> bool:
        """Whether these are several files of texts, which go together as ``score`` takes them."""
        files = [Path(name) for name in names]
        return len(files) > 1 and not any(path.is_dir() or self.is_scores(path) for path in files)

    def _columns_beside(self) -> list[FileColumns]:
        texts = [self._columns_of(Path(self.corpus))] if self.corpus else []
        return [*super()._columns_beside(), *texts]

    def with_judgments(self, corpus: Corpus | None) -> Corpus | None:
        if self.corpus is not None:
            if corpus is not None:
                raise SummetryError("--corpus names the texts of scores; SCORES has texts already")
            must_exist(Path(self.corpus))
            corpus = self._corpus(Path(self.corpus))
        return super().with_judgments(corpus)


@shared(ReportOptions)
def report(
    scores: Annotated[
        list[str],
        argument(
            "SCORES",
            "A corpus; outputs of systems, a file each; or files of scores or judgments that "
            "`summetry score -o`, `summetry judge -o` or others wrote.",
        ),
    ],
    options: ReportOptions,
    references: ReferencesOption = None,
    dimension: DimensionsOption = None,
    baseline: Annotated[
        str | None, option("SYSTEM", "Test all others against it; the best if not given.")
    ] = None,
    protocol: OneProtocolOption = None,
    test: Annotated[Test, choice("The paired test.")] = "permutation",
    correction: Annotated[Correction, choice("How p is corrected for several tests.")] = "holm",
    alpha: AlphaOption = 0.05,
    audit: Annotated[
        Path | None, option("FILE", "What `summetry audit -o` wrote, .csv or .json: shown as well.")
    ] = None,
    alt_test: Annotated[
        Path | None, option("FILE", "What `summetry alt-test -o` wrote, .json: shown as well.")
    ] = None,
    judge: Annotated[
        list[Path] | None,
        option(
            "FILE",
            "What `summetry judge --tables` wrote, .json: shown as well; may be repeated.",
        ),
    ] = None,
    title: Annotated[str, option("WORDS", "The heading of the page.")] = "",
    no_texts: Annotated[
        bool, flag("--no-texts", "Without the texts: a smaller page, written sooner.")
    ] = False,
    pictures: Annotated[
        Path | None, option("FOLDER", "Write every picture here, too, as SVG and PNG.")
    ] = None,
    tables: Annotated[
        Path | None,
        option("FOLDER", "Write all tables here, too, as LaTeX, Markdown and JSON."),
    ] = None,
    workers: Annotated[int, option("N", "How many processes explain the texts.", min=1)] = 1,
    force: Annotated[bool, flag("--force", "Write over folders that are there.")] = False,
) -> None:
    """Write all that was found as one page, with pictures.

    The page is one HTML file that opens from disk, without a network. Of a corpus, or of outputs
    with their references, it has all of it, down to what matched in each text; of scores alone it
    has no texts unless --corpus names them. Without --metric one metric of each kind is computed.

    \b
    Examples:
        summetry report my-corpus
        summetry report bart.txt t5.txt --references gold.txt -m rouge-1,rouge-2
        summetry report scores.csv --corpus my-corpus --baseline lead
        summetry report my-corpus --pictures pictures --tables tables
        summetry report my-corpus --alt-test alt-test.json --judge judge.json
    """
    settings = CompareSettings(test, correction, alpha, options.draws, options.seed)
    named = _names.one_protocol(protocol)
    check_page(options.output)
    if not no_texts:
        # Whether the texts need that folder is known after long work only.
        check_topics(topics_folder(options.output), force)
    files = (audit, alt_test, *(judge or ()))
    refuse_inputs(
        [options.output], [*scores, references, options.judgments, options.corpus, *files]
    )
    judges = tables_of_judges(judge)
    added = added_sections(audit, alt_test, judges)
    for folder in (pictures, tables):
        check_folder(folder, force)
    if pictures:
        check_chart(pictures / "picture.png")
    read = _read(scores, references, named or "no_models", dimension or (), options)
    asked = Asked(
        options.metric or (),
        dimension or (),
        baseline or "",
        named or "",
        options.exclude or (),
        settings,
    )
    with _progress.progress_bar("pairs compared") as show:
        findings = find(read.table, read.corpus, asked, show)
    notes = notes_on_texts(read.plan, findings) if read.plan else (NO_TEXTS,)
    with _progress.progress_bar("topics explained") as show:
        explained = read.plan if not no_texts else None
        texts = packed_texts(explained, findings, show, workers) if explained else ()
    notes += notes_on_missing(findings, texts)
    about = about_report(read.corpus, read.name, title, _command())
    page = Report(findings, about, texts, notes, added, reasons_of(judges))
    written = page.save(options.output, force)
    if pictures:
        page.save_pictures(pictures)
    if tables:
        page.save_tables(tables)
    folders = [folder for folder in (pictures, tables) if folder]
    if options.as_json:
        print_json({"verdicts": page.verdicts, "notes": notes, "wrote": [*written, *folders]})
        return
    echo_notes(notes)
    for sentence in page.verdicts:
        echo(sentence)
    echo("")
    for path in folders:
        echo(f"wrote {path}")
    if page.is_paged:
        echo(f"wrote {written[1]}: a page for each topic, since the texts are large")
    echo(f"wrote {written[0]}: open it in a browser")


class _Read(NamedTuple):
    """Scores, what was compared with what where the texts are known, and the judgments."""

    table: ScoreTable
    plan: Plan | None
    corpus: Corpus | None
    # What the page calls the data, unless the corpus has a name.
    name: str


def _read(
    scores: Sequence[str],
    references: str | None,
    protocol: ProtocolName,
    dimensions: Sequence[str],
    options: ReportOptions,
) -> _Read:
    """Scores that are read, or computed of texts."""
    if references is not None or options.are_outputs(scores):
        if options.format or options.corpus or protocol != "no_models":
            raise SummetryError("--format, --corpus and --protocol do not go with files of outputs")
        outputs, table = options.score_outputs(scores, references)
        return _Read(table, outputs, options.with_judgments(None), Path(scores[0]).name)
    read = options.read_or_score(scores, [protocol], dimensions)
    corpus = read.corpus
    plan = CorpusPlan(corpus, protocol) if corpus and corpus.summaries else None
    table, is_text = only_protocol(read.tables, protocol), not options.is_scores(Path(scores[0]))
    if plan and is_text and len(scores) == 1:
        table = _named_as(table, plan)
    is_named = is_text and corpus is not None and corpus.name
    return _Read(table, plan, corpus, "" if is_named else Path(scores[0]).name)


def _named_as(table: ScoreTable, plan: CorpusPlan) -> ScoreTable:
    """The table, its only system named as in the texts: so do ``explain`` and Python name it."""
    if {item.row.author for item in plan.items()} != {UNNAMED}:
        return table
    return replace(table, rows=tuple(row._replace(author=UNNAMED) for row in table.rows))


def _command() -> str:
    """What was typed, without where on this machine the files are."""
    typed: list[str] = click.get_current_context().meta["typed"]
    words = [Path(word).name if Path(word).is_absolute() else word for word in typed]
    return shlex.join(["summetry", "report", *words])
