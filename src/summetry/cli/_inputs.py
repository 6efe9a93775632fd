"""Where the summaries come from that ``score`` and ``explain`` measure, and by which metrics."""

from __future__ import annotations

import contextlib
import shlex
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from summetry.cli._options import (
    CandidateOption,
    CorpusArgument,
    CorpusOptions,
    MetricOptions,
    ProtocolOption,
    ReferenceOption,
    ReferencesOption,
    SourceOption,
    TableOptions,
)
from summetry.cli._output import echo_notes, echo_skipped
from summetry.engine.able import able_metrics
from summetry.engine.chunks import Requested, build_metrics
from summetry.engine.pairs import PairPlan
from summetry.engine.plan import CorpusPlan, Plan
from summetry.engine.tables import TablePlan
from summetry.errors import FormatError, SummetryError
from summetry.formats import ReadOptions, must_exist, recognise
from summetry.formats.table import Table
from summetry.formats.texts import checked_text, read_text
from summetry.metrics import DEFAULT_METRICS, METRICS, Needs
from summetry.records.batches import TextColumns
from summetry.records.corpus import Corpus

STDIN = "standard input"
# What gives a metric what it needs, beside --candidate.
_OPTIONS = {Needs.REFERENCES: "--reference", Needs.SOURCE: "--source"}


@dataclass(frozen=True)
class Inputs(MetricOptions, TableOptions):
    """The options that say what is scored, and by which metrics."""

    corpus: CorpusArgument = None
    candidate: CandidateOption = None
    reference: ReferenceOption = None
    source: SourceOption = None
    references: ReferencesOption = None
    protocol: ProtocolOption = "no_models"

    def is_one_text(self) -> bool:
        return self.candidate is not None and not Path(self.candidate).is_dir()

    @contextlib.contextmanager
    def plan(self, command: str = "score") -> Iterator[Plan]:
        """What the options ask for, as a plan; messages show how ``command`` is called."""
        paths = self.corpus or []
        refuse_metrics(paths, self.metric or ())
        if paths and self.candidate is not None:
            raise SummetryError(
                "a CORPUS and --candidate are two ways to say what is read: give one of them, "
                "--candidate with --reference or --source"
            )
        if not paths and self.candidate is None:
            raise SummetryError("give a CORPUS, or --candidate with --reference or --source")
        if not paths:
            yield self._texts(command)
        elif self.reference or self.source:
            raise SummetryError(self._not_with_corpus(command, paths))
        elif self.references or len(paths) > 1:
            yield self._outputs(paths)
        elif paths == ["-"]:
            with _spooled() as path, self._stored(path) as plan:
                yield plan
        else:
            with self._stored(Path(paths[0])) as plan:
                yield plan

    def named(self) -> list[str]:
        """All files and folders that are read."""
        return [*(self.corpus or ()), *self.texts()]

    def texts(self) -> list[str]:
        """The files and folders that --candidate, --reference, --source, --references name."""
        one = (self.candidate, self.source, self.references)
        return [*filter(None, one), *(self.reference or ())]

    @contextlib.contextmanager
    def _stored(self, path: Path) -> Iterator[Plan]:
        """The plan of what is at ``path``; what was skipped there is reported at the end."""
        how = self.reading()
        form = recognise(path, self.format, how.columns)
        plan: TablePlan | CorpusPlan
        if isinstance(form, Table) and self.protocol == "no_models":
            plan = TablePlan(path, how.columns, self.language, self.on_error)
            problems: Sequence[str] = plan.problems
        else:
            corpus = form.read(path, how)
            plan, problems = CorpusPlan(corpus, self.protocol), corpus.problems
        try:
            yield plan
        except FormatError as error:
            # Statistics, which scoring needs none of.
            from summetry.metaeval.judges import has_scores

            if error.expected == "a column 'candidate'" and has_scores(path):
                raise SummetryError(f"{path}: these are scores: summetry compare {path}") from error
            raise
        finally:
            name = STDIN if self.corpus == ["-"] else str(path)
            echo_skipped(problem.replace(str(path), name) for problem in problems)

    def _outputs(self, paths: Sequence[str]) -> Plan:
        if self.format or self.protocol != "no_models":
            raise SummetryError("--format and --protocol do not go with files of outputs")
        return outputs_plan(paths, self.references, self.reading())

    def _not_with_corpus(self, command: str, paths: Sequence[str]) -> str:
        """What to type where --reference or --source stands beside a CORPUS."""
        words = "--reference and --source go with --candidate"
        names = self.reference or [self.source or ""]
        if not Path(names[0]).exists():
            role = "reference" if self.reference else "source"
            return f"{words}; a column of a table is named by --columns {role}={names[0]}"
        if not self.reference or len(names) > 1 or self.source:
            return f"{words}; outputs of systems in a CORPUS go with --references FILE"
        files, reference = shlex.join(paths), shlex.join(names)
        return (
            f"{words}; if each line or row is a summary: summetry {command} {files} "
            f"--references {reference}; if the file is one summary: summetry {command} "
            f"--candidate {files} --reference {reference}"
        )

    def _texts(self, command: str) -> Plan:
        assert self.candidate is not None
        if self.references:
            raise SummetryError("--references goes with a CORPUS; with --candidate say --reference")
        texts = self.texts()
        if texts.count("-") > 1:
            raise SummetryError("standard input (-) can be only one of the texts")
        if self.format or self.columns:
            raise SummetryError("--format and --columns go with a CORPUS, not with --candidate")
        for name in texts:
            if name != "-":
                must_exist(Path(name))
        folders = [Path(name).is_dir() for name in texts]
        if all(folders):
            # As elsewhere below: most calls name one table, and start without the other formats.
            from summetry.formats.plain import read_directories

            source = Path(self.source) if self.source else None
            references = [Path(name) for name in (self.reference or ())]
            corpus = read_directories(Path(self.candidate), references, source, self.reading())
            return CorpusPlan(corpus, self.protocol)
        if any(folders):
            folder, file = texts[folders.index(True)], texts[folders.index(False)]
            raise SummetryError(
                f"--candidate, --reference and --source: expected all files or all folders, found "
                f"the folder {folder} and the file {file}"
            )
        if self.protocol != "no_models":
            raise SummetryError(f"--protocol {self.protocol} needs a corpus, not a single text")
        source_text = read_input(self.source) if self.source else None
        references_text = [read_input(name) for name in (self.reference or ())]
        candidate = read_input(self.candidate)
        lines = _lines_of_summaries(candidate)
        if lines and [_lines_of_summaries(text) for text in references_text] == [lines]:
            files = shlex.join([self.candidate, "--references", *(self.reference or ())])
            echo_notes(
                [f"both files have {lines} lines; if each line is a summary: "
                 f"summetry {command} {files}"]
            )  # fmt: skip
        columns = TextColumns([candidate], [references_text], [source_text], self.language)
        return PairPlan(columns, remedies=_OPTIONS)


def refuse_metrics(paths: Sequence[str], metrics: Sequence[str]) -> None:
    """Refuse names of metrics where files are expected: a second one needs a comma before it."""
    for name in paths:
        # To look for a metric of this name imports them all, and mostly there is such a file.
        if not Path(name).exists() and METRICS.has(name.partition("(")[0].partition(".")[0]):
            typed = ",".join([*metrics, *(path for path in paths if not Path(path).exists())])
            raise SummetryError(f"{name}: no such file or folder; a metric? -m {typed}")


def outputs_plan(outputs: Sequence[str], references: str | None, how: ReadOptions) -> PairPlan:
    """The outputs of systems, a file each, against the references and the source of their rows."""
    from summetry.formats.outputs import OutputReader

    files = [Path(name) for name in outputs]
    known = None if references is None else Path(references)
    for path in (*files, *([known] if known else ())):
        must_exist(path)
    reader = OutputReader(how.columns, how.on_error)
    read = reader.read(files, known)
    echo_notes(reader.notes)
    echo_skipped(reader.problems)
    columns = TextColumns(
        [output.text for output in read],
        [list(output.references) for output in read],
        [output.source for output in read],
        how.language,
    )
    name = f"the file {references}" if references else "these files"
    return PairPlan(columns, name, [(output.id, output.system) for output in read])


def read_judged(path: Path, options: CorpusOptions, how: ReadOptions | None = None) -> Corpus:
    """The corpus, or the table of judgments, at ``path``."""
    from summetry.formats.judgments import read_judgments

    must_exist(path)
    read = recognise(path, options.format).read if options.format else read_judgments
    judged = read(path, how or options.reading())
    echo_skipped(judged.problems)
    return judged


def read_judgments_beside(path: str, how: ReadOptions, corpus: Corpus | None) -> Corpus:
    """The corpus, if there is one, with the judgments at ``path`` instead of its own."""
    from summetry.formats.judgments import read_judgments

    must_exist(Path(path))
    judged = read_judgments(Path(path), how, corpus)
    echo_skipped(judged.problems)
    return judged


def metrics_to_run(options: MetricOptions, plan: Plan, everything: bool) -> list[Requested]:
    """The metrics that are asked for; without any ROUGE, or everything that the data can feed.

    Without references there is no ROUGE, so that everything is taken then.
    """
    if options.metric:
        return options.requested()
    if not everything and plan.offers(Needs.REFERENCES):
        return options.with_words(build_metrics(DEFAULT_METRICS))
    able, notes = able_metrics(plan)
    echo_notes(notes)
    return options.with_words(build_metrics(able))


def _lines_of_summaries(text: str) -> int:
    """How many lines a text has, if they are three or more and each may be a summary."""
    lines = [line.split() for line in text.splitlines()]
    are_sentences = all(len(words) > 2 or not "".join(words).isascii() for words in lines)
    return len(lines) if len(lines) > 2 and all(lines) and are_sentences else 0


def read_input(name: str) -> str:
    if name != "-":
        must_exist(Path(name))
        return read_text(Path(name))
    return checked_text(_standard_input().read(), STDIN)


def _standard_input() -> BinaryIO:
    # A program that is started without one, as some schedulers do, has None here.
    if sys.stdin is None:
        raise SummetryError(f"{STDIN} is closed: expected something to read; name a file")
    return sys.stdin.buffer


@contextlib.contextmanager
def _spooled() -> Iterator[Path]:
    """Standard input as a file, since its beginning is read twice; in errors it has its name."""
    stream = _standard_input()
    start = stream.read(65536)
    # JSONL and Parquet are known by their content, of the others the ending tells.
    ending = ".tsv" if b"\t" in start.partition(b"\n")[0] else ".csv"
    with tempfile.NamedTemporaryFile(prefix="summetry-", suffix=ending) as file:
        file.write(start)
        shutil.copyfileobj(stream, file)
        file.flush()
        shown = warnings.showwarning

        def show(message: Warning | str, *rest: Any, **named: Any) -> None:
            shown(str(message).replace(file.name, STDIN), *rest, **named)

        warnings.showwarning = show
        try:
            yield Path(file.name)
        except SummetryError as error:
            raise SummetryError(str(error).replace(file.name, STDIN)) from error
        finally:
            warnings.showwarning = shown
