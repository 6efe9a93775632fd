"""What the commands share: where summaries come from, and how progress is shown."""

from __future__ import annotations

import contextlib
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from summetry.engine.pairs import PairsPlan, compare_texts
from summetry.engine.plan import CorpusPlan, Plan, ProtocolName, check_items
from summetry.engine.run import Progress
from summetry.engine.tables import TablePlan
from summetry.errors import SummetryError
from summetry.formats import ReadOptions, recognise
from summetry.formats.plain import read_directories, read_text
from summetry.formats.table import Table
from summetry.metrics import FAMILIES, METRICS
from summetry.model.builder import OnError

CorpusArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="CORPUS", help="A corpus folder, a table, text files, or - for a table on stdin."
    ),
]
MetricOption = Annotated[
    list[str] | None,
    typer.Option("-m", "--metric", help="A metric, e.g. 'unit_overlap(n=2)'; may be repeated."),
]
CandidateOption = Annotated[
    str | None, typer.Option(help="One summary to be scored: a text file, a folder of them, or -.")
]
ReferenceOption = Annotated[
    list[str] | None, typer.Option(help="A reference for it; may be repeated.")
]
SourceOption = Annotated[str | None, typer.Option(help="The text that was summarized.")]
FormatOption = Annotated[
    str | None, typer.Option(help="The format, where it is not recognised; see `summetry formats`.")
]
ColumnsOption = Annotated[
    str, typer.Option(help="Names of a table's columns: candidate=summary,reference=gold+silver.")
]
LanguageOption = Annotated[
    str, typer.Option(help="The language (en, sv, ...) where the data do not say it.")
]
ProtocolOption = Annotated[
    ProtocolName, typer.Option(help="Peers only, or models too, with jackknifing.")
]
OnErrorOption = Annotated[OnError, typer.Option(help="What to do with a bad record.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


@dataclass(frozen=True)
class Inputs:
    """The options that say what is scored."""

    corpus: str | None = None
    candidate: str | None = None
    references: Sequence[str] = ()
    source: str | None = None
    format: str | None = None
    columns: str = ""
    language: str = ""
    protocol: ProtocolName = "no_models"
    on_error: OnError = "stop"

    def is_one_text(self) -> bool:
        return self.candidate is not None and not Path(self.candidate).is_dir()

    @contextlib.contextmanager
    def plan(self) -> Iterator[Plan]:
        """What the options ask for, as a plan."""
        if (self.corpus is None) == (self.candidate is None):
            raise SummetryError("give a CORPUS, or --candidate with --reference or --source")
        if self.corpus is None:
            yield self._texts()
        elif self.references or self.source:
            raise SummetryError("--reference and --source go with --candidate, not with a CORPUS")
        elif self.corpus == "-":
            with _spooled() as path:
                yield self._stored(path)
        else:
            yield self._stored(Path(self.corpus))

    def _stored(self, path: Path) -> Plan:
        found = recognise(path, self.format)
        columns = parse_columns(self.columns)
        if isinstance(found, Table) and self.protocol == "no_models":
            return TablePlan(path, columns, self.language, self.on_error)
        options = ReadOptions(self.on_error, self.language, columns)
        corpus = found.read(path, options)
        for problem in corpus.problems:
            typer.echo(f"skipped: {problem}", err=True)
        return CorpusPlan(corpus, self.protocol)

    def _texts(self) -> Plan:
        assert self.candidate is not None
        given = [self.candidate, *self.references, *([self.source] if self.source else [])]
        if given.count("-") > 1:
            raise SummetryError("standard input (-) can be only one of the texts")
        folders = [Path(name).is_dir() for name in given]
        if all(folders):
            source = Path(self.source) if self.source else None
            references = [Path(name) for name in self.references]
            options = ReadOptions(self.on_error, self.language)
            corpus = read_directories(Path(self.candidate), references, source, options)
            return CorpusPlan(corpus, self.protocol)
        if any(folders):
            raise SummetryError("--candidate, --reference and --source: all files or all folders")
        if self.protocol != "no_models":
            raise SummetryError(f"--protocol {self.protocol} needs a corpus, not a single text")
        source_text = _read(self.source) if self.source else None
        references_text = [_read(name) for name in self.references]
        pair = compare_texts(_read(self.candidate), references_text, source_text, self.language)
        return PairsPlan((pair,))


def wanted_metrics(asked: Sequence[str] | None, plan: Plan) -> list[str]:
    """The metrics asked for, or all that the data can feed, in the order of the taxonomy."""
    if asked:
        return list(asked)
    check_items(plan)
    offered = plan.facts.offered
    able = [name for name in METRICS.names() if not METRICS.build(name).needs & ~offered]
    # A plug-in may have a family of its own: it comes after ours.
    order = {family: place for place, family in enumerate(FAMILIES)}
    able.sort(key=lambda name: order.get(METRICS.get(name).family, len(order)))
    if not able:
        raise SummetryError(f"{plan.name} has nothing to compare with; `summetry metrics` tells")
    return able


def parse_columns(text: str) -> dict[str, str]:
    """``candidate=summary,reference=gold`` as a mapping."""
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    for name, sign, column in pairs:
        if not (name.strip() and sign and column.strip()):
            raise SummetryError(f"--columns: write role=NAME,role=NAME, got {text!r}")
    return {name.strip(): column.strip() for name, _, column in pairs}


@contextlib.contextmanager
def progress_bar(words: str) -> Iterator[Progress]:
    """A bar with the time left on standard error, for work of more than a second."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    started = time.monotonic()
    columns = (TextColumn(words), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Bar(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(words, total=None)
    last = started

    def show(done: int, total: int) -> None:
        nonlocal last
        bar.update(task, completed=done, total=total)
        now = time.monotonic()
        if not bar.live.is_started and now - started > 1 and bar.console.is_terminal:
            bar.start()
        elif not bar.console.is_terminal and now - last > 10:
            # In a log a line now and then says as much as a bar.
            last = now
            left = (now - started) / done * (total - done)
            typer.echo(f"{words} {done} of {total}, about {left:.0f} s left", err=True)

    try:
        yield show
    finally:
        if bar.live.is_started:
            bar.stop()


def _read(name: str) -> str:
    if name == "-":
        content = sys.stdin.buffer.read()
        try:
            return content.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            raise SummetryError(f"standard input: expected UTF-8, found {error.reason}") from error
    path = Path(name)
    if not path.is_file():
        raise SummetryError(f"{path}: no such file")
    return read_text(path)


@contextlib.contextmanager
def _spooled() -> Iterator[Path]:
    """Standard input as a file, since a table is read twice."""
    with tempfile.NamedTemporaryFile(prefix="summetry-", suffix=".table") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
        file.flush()
        yield Path(file.name)
