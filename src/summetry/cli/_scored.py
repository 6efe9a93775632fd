"""What ``compare``, ``correlate`` and their like read: scores in a file, or a corpus to score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args

import typer

from summetry.cli._inputs import parse_columns, wanted_metrics
from summetry.cli._json import print_json
from summetry.cli._progress import progress_bar, user_store
from summetry.engine.cache import ChunkStore
from summetry.engine.plan import CorpusPlan, ProtocolName
from summetry.engine.run import Progress, Run
from summetry.errors import FormatError, SummetryError, UnknownNameError
from summetry.formats import ReadOptions, must_exist, recognise
from summetry.formats.judgments import read_judgments
from summetry.formats.scores import is_scores, read_scores
from summetry.metaeval.columns import pick_columns
from summetry.metaeval.judged import By
from summetry.records.builder import OnError
from summetry.records.corpus import Corpus
from summetry.records.scores import FIELDS, ScoreTable
from summetry.reports.sheets import (
    Sheet,
    check_ending,
    print_sheets,
    sheets_as_json,
    write_sheets,
)
from summetry.reports.tables import console

Name = TypeVar("Name", bound=str)

ScoresArgument = Annotated[
    str,
    typer.Argument(
        metavar="SCORES", help="A file that `summetry score -o` wrote, AESOP files, or a corpus."
    ),
]
JudgmentsOption = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Where the judgments are: a corpus, or a table topic,author,judge,dimension,value.",
    ),
]
DimensionsOption = Annotated[
    list[str] | None,
    typer.Option("--dimension", metavar="NAME", help="Only these marks; may be repeated."),
]
ProtocolsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--protocol",
        metavar="NAME",
        help="no_models (peers only), all_peers; may be repeated.",
    ),
]
OneProtocolOption = Annotated[
    list[str] | None,
    typer.Option("--protocol", metavar="NAME", help="no_models (peers only) or all_peers."),
]
ByOption = Annotated[By | None, typer.Option(help="Each genre, or group, of topics by itself.")]
AlphaOption = Annotated[
    float,
    typer.Option(metavar="P", help="Significant up to this p; an interval covers 1 - P."),
]
DrawsOption = Annotated[
    int, typer.Option(metavar="N", min=1, help="Draws of permutations and bootstraps.")
]
SeedOption = Annotated[int, typer.Option(metavar="N", min=0, help="The seed of the draws.")]
ExcludeOption = Annotated[
    list[str] | None,
    typer.Option(metavar="AUTHOR", help="Leave a system out; may be repeated."),
]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "-o", "--output", metavar="FILE", help="Write the tables: .json .csv .tex (LaTeX) .txt"
    ),
]


@dataclass(frozen=True)
class Scored:
    """Score tables, one for each way they were computed, and the corpus where there is one."""

    tables: tuple[ScoreTable, ...]
    corpus: Corpus | None = None


@dataclass(frozen=True)
class ScoresInput:
    """The options that say where scores and judgments come from."""

    scores: str
    metrics: Sequence[str] = ()
    judgments: str | None = None
    # For a corpus: how it is scored; if it is not said, as its judgments allow.
    protocols: Sequence[ProtocolName] = ("no_models",)
    format: str | None = None
    language: str = ""
    on_error: OnError = "stop"
    # The user's names for the columns of a corpus that is a table, as --columns writes them.
    columns: str = ""
    # Where no metric is named: they are computed one by one until the scores of one are enough.
    is_enough: Callable[[ScoreTable], bool] | None = None

    def read(self) -> Scored:
        """The scores, computed if a corpus is given, and the judgments."""
        parse_columns(self.columns)
        path = Path(self.scores)
        must_exist(path)
        corpus = None
        if self.format is None and is_scores(path):
            corpus = self._corpus_around(path)
            if corpus is None or not self.metrics:
                if self.columns:
                    told = f"--columns goes with a table of texts, and {path} holds scores"
                    raise SummetryError(told)
                table = read_scores(path)
                if self.metrics:
                    table = pick_columns(table, self.metrics)
                return Scored((table,), self._judged(corpus))
        if corpus is None:
            corpus = self._corpus(path)
        _tell_skipped(corpus)
        if path.is_file() and not corpus.summaries:
            raise SummetryError(_neither(path, "neither"))
        # Read before hours of scoring, since they may be wrong.
        judged = self._judged(corpus)
        ways = self.protocols or marked_protocols(judged or corpus)
        return Scored(self._computed(corpus, ways), judged)

    def _corpus(self, path: Path) -> Corpus:
        try:
            return recognise(path, self.format).read(path, self._reading())
        except FormatError as error:
            if error.expected == "a column 'candidate'" and not (self.format or self.columns):
                raise SummetryError(_neither(path, error.found)) from error
            raise

    def _corpus_around(self, path: Path) -> Corpus | None:
        """The corpus of a folder that holds scores too, as those of TAC do."""
        if not path.is_dir():
            return None
        try:
            found = recognise(path)
        except SummetryError:
            return None
        if not self.metrics:
            told = "holds scores and a corpus: these are the scores; with -m it is scored anew"
            typer.echo(f"note: {path} {told}", err=True)
        return found.read(path, self._reading())

    def _reading(self) -> ReadOptions:
        return ReadOptions(self.on_error, self.language, parse_columns(self.columns))

    def _judged(self, corpus: Corpus | None) -> Corpus | None:
        if self.judgments is None:
            return corpus
        must_exist(Path(self.judgments))
        judged = read_judgments(Path(self.judgments), self._reading(), corpus)
        _tell_skipped(judged)
        return judged

    def _computed(self, corpus: Corpus, ways: Sequence[ProtocolName]) -> tuple[ScoreTable, ...]:
        tables: list[ScoreTable] = []
        told: dict[str, list[str]] = {}
        store = user_store()
        for protocol in ways:
            with progress_bar("scored", is_kept=store is not None) as show:
                table, notes = self._run(CorpusPlan(corpus, protocol), store, show)
            tables.append(table)
            for note in notes:
                told.setdefault(note, []).append(protocol)
        for note, where in told.items():
            which = "" if len(where) == len(ways) else f" ({', '.join(where)})"
            typer.echo(f"note: {note}{which}", err=True)
        return tuple(tables)

    def _run(
        self, plan: CorpusPlan, store: ChunkStore | None, show: Progress
    ) -> tuple[ScoreTable, Sequence[str]]:
        metrics = wanted_metrics(self.metrics, plan)
        alone = [] if self.metrics or self.is_enough is None else metrics
        for names in (*([name] for name in alone), metrics):
            run = Run(plan, names, store=store, on_error=self.on_error, progress=show)
            table = run.table()
            if self.is_enough and self.is_enough(table):
                break
        return table, run.notes


def _neither(path: Path, found: str) -> str:
    return (
        f"{path}: expected scores, one a row (the columns {', '.join(FIELDS)}), or summaries to "
        f"score (the column candidate), found {found}"
    )


def marked_protocols(corpus: Corpus) -> tuple[ProtocolName, ...]:
    """Peers alone; and all, where people marked models that have others to be compared with."""
    models = Counter(s.topic for s in corpus.summaries if s.role == "reference")
    written = {(s.topic, s.author) for s in corpus.summaries if s.role == "reference"}
    marked = any(models[j.topic] > 1 and (j.topic, j.author) in written for j in corpus.judgments)
    return ("no_models", "all_peers") if marked else ("no_models",)


def known_names(kind: str, asked: Sequence[str], known: Sequence[Name]) -> tuple[Name, ...]:
    """What is asked for, each once, if all of it is known."""
    names = {str(name): name for name in known}
    for name in asked:
        if name not in names:
            raise UnknownNameError(kind, name, known)
    return tuple(names[name] for name in dict.fromkeys(asked))


def names_in(option: str, text: str) -> tuple[str, ...]:
    """The names that an option has with commas between them, each once."""
    found = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not found:
        raise SummetryError(f"{option}: expected names with commas between them, got {text!r}")
    return found


def known_protocols(asked: Sequence[str] | None) -> tuple[ProtocolName, ...]:
    """The protocols that are asked for; none, if it is not said."""
    return known_names("protocol", asked or (), get_args(ProtocolName))


def one_protocol(asked: Sequence[str] | None) -> ProtocolName | None:
    """The protocol that is asked for, where there can be one only."""
    return only_one("--protocol", known_protocols(asked))


def only_one(option: str, asked: Sequence[Name]) -> Name | None:
    """What an option names, or nothing; other commands take several of them."""
    given = list(dict.fromkeys(asked))
    if len(given) > 1:
        raise SummetryError(f"{option}: expected one here, got {' and '.join(given)}")
    return given[0] if given else None


def show_sheets(
    sheets: Sequence[Sheet], about: Mapping[str, Any], output: Path | None, as_json: bool
) -> None:
    """Write the sheets, if a file is named, and print them, for programs or for people."""
    written = write_sheets(sheets, output, about) if output else []
    if as_json:
        print_json(sheets_as_json(sheets, about))
        return
    print_sheets(console(), sheets)
    tell_written(written)


def tell_written(paths: Iterable[Path]) -> None:
    for path in paths:
        typer.echo(f"wrote {path}")


def check_output(output: Path, given: Iterable[str | None]) -> None:
    """Refuse early to write what cannot be written, or over what is read."""
    check_ending(output)
    same = [name for name in given if name and output.is_file() and Path(name).is_file()]
    if any(output.samefile(name) for name in same):
        raise SummetryError(f"{output}: tables would be written over what is read; name another")


def _tell_skipped(corpus: Corpus) -> None:
    for problem in corpus.problems:
        typer.echo(f"skipped: {problem}", err=True)


def judged_corpus(scored: Scored, scores: str) -> Corpus:
    """The corpus with judgments, or what to do where there is none."""
    if scored.corpus is None or not scored.corpus.judgments:
        where = scores if scored.corpus else "a score table"
        raise SummetryError(
            f"{where} has no judgments; --judgments names a corpus or a table that has some"
        )
    return scored.corpus
