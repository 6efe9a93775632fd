"""What the commands share that work on a whole corpus and may be given queries for its topics."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from summetry.cli._inputs import parse_columns
from summetry.formats import load
from summetry.formats.topic_queries import with_queries
from summetry.records.builder import OnError
from summetry.records.corpus import Corpus

QueriesOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="What is asked of the topics: a table with the columns topic and query.",
    ),
]


def read_corpus(
    path: str | Path,
    format: str | None,
    language: str,
    on_error: OnError,
    columns: str = "",
    queries: Path | None = None,
) -> tuple[Corpus, list[str]]:
    """The corpus with the queries of a table, if one is given, and notes on what does not fit.

    What was skipped in the corpus is told at once.
    """
    corpus = load(path, format, on_error=on_error, language=language,
                  columns=parse_columns(columns))  # fmt: skip
    for problem in corpus.problems:
        typer.echo(f"skipped: {problem}", err=True)
    return with_queries(corpus, queries) if queries else (corpus, [])
