"""What ``compare``, ``correlate``, ``discriminate`` and ``combine`` share.

Their options, what they read (scores in a file, or a corpus to score), and how they show their
tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
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
from summetry.engine.chunks import build_metrics
from summetry.engine.plan import CorpusPlan, ProtocolName
from summetry.engine.run import Progress, Run
from summetry.errors import FormatError, SummetryError, UnknownNameError
from summetry.formats import must_exist, recognise
from summetry.formats.judgments import read_judgments
from summetry.formats.scores import is_scores, read_scores
from summetry.metaeval.columns import has_column, is_ours, split_names
from summetry.metaeval.grids import dimensions_of
from summetry.metaeval.selection import judged_rows, with_people
from summetry.records.corpus import Corpus
from summetry.records.scores import ScoreTable
from summetry.reports.sheets import (
    Sheet,
    check_ending,
    print_sheets,
    sheets_as_json,
    write_sheets,
)
from summetry.reports.tables import console

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
    draws: DrawsOption = None
    seed: SeedOption = 0
    output: TablesOption = None

    def check_output(self, *inputs: str | None) -> None:
        """Refuse early to write what cannot be written, or over what is read."""
        if self.output is None:
            return
        check_ending(self.output)
        files = [name for name in inputs if name and Path(name).is_file()]
        if self.output.is_file() and any(self.output.samefile(name) for name in files):
            raise SummetryError(
                f"{self.output}: tables would be written over what is read; name another"
            )

    def read_or_score(
        self,
        scores: str,
        protocols: Sequence[ProtocolName] = ("no_models",),
        dimensions: Sequence[str] = (),
    ) -> Scored:
        """The scores at a path, computed if a corpus is there, and the judgments.

        ``protocols`` say how a corpus is scored; if there are none, as its judgments allow.
        ``dimensions`` may name values of metrics that stand for people.
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
                judged = self._with_judgments(corpus)
                table = with_people(read_scores(path), judged, self.metric or (), dimensions)
                return Scored((table,), judged)
        if corpus is None:
            corpus = self._corpus(path)
        echo_skipped(corpus.problems)
        if path.is_file() and not corpus.summaries:
            raise SummetryError(_neither(path, "neither"))
        # Read before hours of scoring, since they may be wrong.
        judged = self._with_judgments(corpus)
        protocols = protocols or judged_protocols(judged or corpus)
        known = dimensions_of(judged or corpus)
        people = [name for name in dimensions if name not in known and is_ours(name)]
        named = split_names(self.metric or ())
        ours = [name for name in named if name not in known or is_ours(name)]
        if named and not (ours or people):
            # All that is named are judgments.
            tables: tuple[ScoreTable, ...] = (judged_rows(judged or corpus),)
        else:
            own = replace(self, metric=ours or people) if named else self
            tables = own._computed(corpus, protocols, people)
        if people or len(ours) < len(named):
            both = judged or corpus
            tables = tuple(with_people(table, both, named, dimensions) for table in tables)
        return Scored(tables, judged)

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
        self, corpus: Corpus, protocols: Sequence[ProtocolName], people: Sequence[str] = ()
    ) -> tuple[ScoreTable, ...]:
        tables: list[ScoreTable] = []
        protocols_by_note: dict[str, list[str]] = {}
        store = user_store()
        for protocol in protocols:
            with progress_bar("scored", is_kept=store is not None) as show:
                table, notes = self._run(CorpusPlan(corpus, protocol), store, show, people)
            tables.append(table)
            for note in notes:
                protocols_by_note.setdefault(note, []).append(protocol)
        for note, where in protocols_by_note.items():
            which = "" if len(where) == len(protocols) else f" ({', '.join(where)})"
            echo_notes([f"{note}{which}"])
        return tuple(tables)

    def _run(
        self, plan: CorpusPlan, store: ChunkStore | None, show: Progress, people: Sequence[str]
    ) -> tuple[ScoreTable, Sequence[str]]:
        metrics = metrics_to_run(self, plan, self.everything)
        there = {request.name for request in metrics}
        # Of a metric that stands for people only its headline is needed.
        for request in build_metrics(people) if people else ():
            if request.name not in there:
                whole = request.values == request.metric.values
                values = (request.metric.headline,) if whole else request.values
                metrics += self.with_words([request._replace(values=values)])
        run = Run(plan, metrics, store=store, on_error=self.on_error, progress=show)
        return run.table(), run.notes

    def show(
        self,
        sheets: Sequence[Sheet],
        about: Mapping[str, Any],
        tidy: Sequence[Sheet] | None = None,
        printed: Sequence[Sheet] | None = None,
    ) -> None:
        """Write the sheets, if a file is named, and print them, for programs or for people.

        Programs get ``tidy``, and a terminal ``printed``, where these differ from the sheets.
        """
        tidy = sheets if tidy is None else tidy
        paths: list[Path] = []
        if self.output:
            is_tidy = check_ending(self.output) in TIDY
            paths = write_sheets(tidy if is_tidy else sheets, self.output, about)
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


def judged_corpus(scored: Scored, scores: str, dimensions: Sequence[str] = ()) -> Corpus:
    """The corpus with judgments, or what to do where there is none.

    Where values of metrics stand for people, there need be no judgments.
    """
    columns = [column for table in scored.tables for column in table.columns]
    if dimensions and all(has_column(columns, name) for name in dimensions):
        return scored.corpus or Corpus()
    if scored.corpus is None or not scored.corpus.judgments:
        where = scores if scored.corpus else "a score table"
        raise SummetryError(
            f"{where} has no judgments; --judgments names a corpus or a table that has some"
        )
    return scored.corpus
