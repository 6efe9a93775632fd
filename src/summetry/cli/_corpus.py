"""What the commands share that read a whole corpus, or write one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Annotated

import typer

from summetry.cli._inputs import (
    FormatOption,
    JsonOption,
    LanguageOption,
    OnErrorOption,
    parse_columns,
)
from summetry.errors import SummetryError
from summetry.formats import load
from summetry.formats.topic_queries import with_queries
from summetry.records.corpus import Corpus

QueriesOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="What is asked of the topics: a table with the columns topic and query.",
    ),
]
TrainOption = Annotated[
    Path | None,
    typer.Option(metavar="CORPUS", help="What to learn from, instead of the other topics."),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Write over what is at -o.")]


@dataclass(frozen=True)
class CorpusOptions:
    """The options by which a corpus is read, and ``--json``."""

    _: KW_ONLY
    as_json: JsonOption = False
    format: FormatOption = None
    language: LanguageOption = ""
    on_error: OnErrorOption = "stop"

    def read(
        self, path: str | Path, columns: str = "", queries: Path | None = None
    ) -> tuple[Corpus, list[str]]:
        """The corpus with the queries of a table, if one is given, and notes on what does not fit.

        Records that were skipped are reported at once.
        """
        corpus = load(path, self.format, on_error=self.on_error, language=self.language,
                      columns=parse_columns(columns))  # fmt: skip
        for problem in corpus.problems:
            typer.echo(f"skipped: {problem}", err=True)
        return with_queries(corpus, queries) if queries else (corpus, [])


def check_folder(output: Path | None, force: bool) -> None:
    """Refuse to write over a folder before the work is done, not after it."""
    if output is None or not output.exists():
        return
    if not output.is_dir():
        raise SummetryError(f"{output}: expected a folder to write to, found a file")
    if any(output.iterdir()) and not force:
        raise SummetryError(f"{output}: exists already; --force writes over it")


def echo_notes(notes: Iterable[str]) -> None:
    for note in notes:
        typer.echo(f"note: {note}", err=True)
