"""What ``compare``, ``correlate``, ``discriminate`` and ``combine`` share.

Their options, what they read (scores in a file, or a corpus to score), and how they show their
tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar, get_args

from summetry.cli._inputs import metrics_to_run
from summetry.cli._options import (
    DrawsOption,
    ExcludeOption,
    JudgmentsOption,
    MetricOptions,
    SeedOption,
    TableOptions,
    TablesOption,
)
from summetry.cli._output import echo_notes, echo_skipped, echo_written, print_json
from summetry.cli._progress import progress_bar, user_store
from summetry.engine.cache import ChunkStore
from summetry.engine.plan import CorpusPlan, ProtocolName
from summetry.engine.run import Progress, Run
from summetry.errors import FormatError, SummetryError, UnknownNameError
from summetry.files import refuse_inputs
from summetry.formats import must_exist, recognise
from summetry.formats.judgments import read_judgments
from summetry.formats.scores import is_scores, read_scores
from summetry.metaeval.columns import pick_columns
from summetry.records.corpus import Corpus
from summetry.records.scores import ScoreTable
from summetry.reports.chart_files import check_chart
from summetry.reports.sheets import (
    Sheet,
    check_ending,
    print_sheets,
    sheets_as_json,
    write_sheets,
)
from summetry.reports.tables import console
from summetry.stats.significance import DRAWS

Name = TypeVar("Name", bound=str)

# Kinds of files for programs, which hold one number per row.
TIDY = ("json", "csv")


@dataclass(frozen=True)
class Scored:
    """Score tables, one for each protocol they were computed by, and the corpus if there is one."""

    tables: tuple[ScoreTable, ...]
    corpus: Corpus | None = None


@dataclass(frozen=True)
class ScoresOptions(MetricOptions, TableOptions):
    """The options of all commands on scores."""

    # What is computed of a corpus where no metric is named.
    everything: ClassVar[bool] = True

    _: KW_ONLY
    exclude: ExcludeOption = None
    draws: DrawsOption = DRAWS
    seed: SeedOption = 0
    output: TablesOption = None

    def check_output(self, *inputs: str | None, charts: Iterable[Path | None] = ()) -> None:
        """Refuse early to write what cannot be written, or over what is read."""
        if self.output:
            check_ending(self.output)
        drawn = [path for path in charts if path]
        for path in drawn:
            check_chart(path)
        refuse_inputs([*drawn, *([self.output] if self.output else ())], inputs)

    def read_or_score(
        self,
        scores: str,
        protocols: Sequence[ProtocolName] = ("no_models",),
    ) -> Scored:
        """The scores at a path, computed if a corpus is there, and the judgments.

        ``protocols`` say how a corpus is scored; if there are none, as its judgments allow.
        """
        self.reading()  # Columns that cannot be read are refused, whatever SCORES is.
        path = Path(scores)
        must_exist(path)
        corpus = None
        if self.format is None and is_scores(path):
            corpus = self._corpus_around(path)
            if corpus is None or not self.metric:
                if self.columns:
                    raise SummetryError(
                        f"--columns goes with a table of texts, and {path} holds scores"
                    )
                table = read_scores(path)
                if self.metric:
                    table = pick_columns(table, self.metric)
                return Scored((table,), self._with_judgments(corpus))
        if corpus is None:
            corpus = self._corpus(path)
        echo_skipped(corpus.problems)
        if path.is_file() and not corpus.summaries:
            raise SummetryError(_neither(path, "neither"))
        # Read before hours of scoring, since they may be wrong.
        judged = self._with_judgments(corpus)
        protocols = protocols or judged_protocols(judged or corpus)
        return Scored(self._computed(corpus, protocols), judged)

    def _with_judgments(self, corpus: Corpus | None) -> Corpus | None:
        return corpus

    def _corpus(self, path: Path) -> Corpus:
        try:
            return recognise(path, self.format).read(path, self.reading())
        except FormatError as error:
            if error.expected == "a column 'candidate'" and not (self.format or self.columns):
                raise SummetryError(_neither(path, error.found)) from error
            raise

    def _corpus_around(self, path: Path) -> Corpus | None:
        """The corpus of a folder that holds scores too, as those of TAC do."""
        if not path.is_dir():
            return None
        try:
            format = recognise(path)
        except SummetryError:
            return None
        if not self.metric:
            words = "holds scores and a corpus: these are the scores; with -m it is scored anew"
            echo_notes([f"{path} {words}"])
        return format.read(path, self.reading())

    def _computed(
        self, corpus: Corpus, protocols: Sequence[ProtocolName]
    ) -> tuple[ScoreTable, ...]:
        tables: list[ScoreTable] = []
        protocols_by_note: dict[str, list[str]] = {}
        store = user_store()
        for protocol in protocols:
            with progress_bar("scored", is_kept=store is not None) as show:
                table, notes = self._run(CorpusPlan(corpus, protocol), store, show)
            tables.append(table)
            for note in notes:
                protocols_by_note.setdefault(note, []).append(protocol)
        for note, where in protocols_by_note.items():
            which = "" if len(where) == len(protocols) else f" ({', '.join(where)})"
            echo_notes([f"{note}{which}"])
        return tuple(tables)

    def _run(
        self, plan: CorpusPlan, store: ChunkStore | None, show: Progress
    ) -> tuple[ScoreTable, Sequence[str]]:
        metrics = metrics_to_run(self, plan, self.everything)
        run = Run(plan, metrics, store=store, on_error=self.on_error, progress=show)
        return run.table(), run.notes

    def show(
        self,
        sheets: Sequence[Sheet],
        about: Mapping[str, Any],
        tidy: Sequence[Sheet] | None = None,
        printed: Sequence[Sheet] | None = None,
        inputs: Iterable[str | None] = (),
    ) -> None:
        """Write the sheets, if a file is named, and print them, for programs or for people.

        Nothing is written over ``inputs``, the files that were read.
        Programs get ``tidy``, and a terminal ``printed``, where these differ from the sheets.
        """
        tidy = sheets if tidy is None else tidy
        paths: list[Path] = []
        if self.output:
            is_tidy = check_ending(self.output) in TIDY
            paths = write_sheets(tidy if is_tidy else sheets, self.output, about, inputs)
        if self.as_json:
            print_json(sheets_as_json(tidy, about))
            return
        print_sheets(console(), sheets if printed is None else printed)
        echo_written(*paths)


@dataclass(frozen=True)
class JudgedOptions(ScoresOptions):
    """The options of the commands that compare scores with the judgments of people."""

    judgments: JudgmentsOption = None

    def _with_judgments(self, corpus: Corpus | None) -> Corpus | None:
        if self.judgments is None:
            return corpus
        must_exist(Path(self.judgments))
        judged = read_judgments(Path(self.judgments), self.reading(), corpus)
        echo_skipped(judged.problems)
        return judged


def _neither(path: Path, found: str) -> str:
    return (
        f"{path}: expected scores (the columns id, system and one per value), or summaries to "
        f"score (the column candidate), found {found}"
    )


def judged_protocols(corpus: Corpus) -> tuple[ProtocolName, ...]:
    """Both protocols where people judged references that have others to be compared with."""
    written = {(s.topic, s.author) for s in corpus.summaries if s.role == "reference"}
    references = Counter(topic for topic, _ in written)
    judged = {(j.topic, j.author) for j in corpus.judgments} & written
    both = any(references[topic] > 1 for topic, _ in judged)
    return ("no_models", "all_peers") if both else ("no_models",)


def known_names(kind: str, asked: Sequence[str], known: Sequence[Name]) -> tuple[Name, ...]:
    """What is asked for, each once, if all of it is known."""
    names = {str(name): name for name in known}
    for name in asked:
        if name not in names:
            raise UnknownNameError(kind, name, known)
    return tuple(names[name] for name in dict.fromkeys(asked))


def names_in(option: str, text: str) -> tuple[str, ...]:
    """The names that an option has with commas between them, each once."""
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names:
        raise SummetryError(f"{option}: expected names with commas between them, got {text!r}")
    return names


def known_protocols(asked: Sequence[str] | None) -> tuple[ProtocolName, ...]:
    """The protocols that are asked for; none, if it is not said."""
    return known_names("protocol", asked or (), get_args(ProtocolName))


def one_protocol(asked: Sequence[str] | None) -> ProtocolName | None:
    """The protocol that is asked for, where there can be one only."""
    return only_one("--protocol", known_protocols(asked))


def only_one(option: str, asked: Sequence[Name]) -> Name | None:
    """What an option names, or nothing; other commands take several of them."""
    names = list(dict.fromkeys(asked))
    if len(names) > 1:
        raise SummetryError(f"{option}: expected one here, got {' and '.join(names)}")
    return names[0] if names else None


def judged_corpus(scored: Scored, scores: str) -> Corpus:
    """The corpus with judgments, or what to do where there is none."""
    if scored.corpus is None or not scored.corpus.judgments:
        where = scores if scored.corpus else "a score table"
        raise SummetryError(
            f"{where} has no judgments; --judgments names a corpus or a table that has some"
        )
    return scored.corpus
