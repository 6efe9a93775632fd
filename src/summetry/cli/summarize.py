"""``summetry summarize``: summaries of a text, or new candidates in a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from summetry.cli._inputs import STDIN, read_input
from summetry.cli._options import (
    ForceOption,
    LengthOption,
    QueriesOption,
    TableOptions,
    TrainOption,
    argument,
    option,
    output_option,
    shared,
    summarizer_option,
)
from summetry.cli._output import check_free, echo_notes, print_json
from summetry.cli._progress import progress_bar
from summetry.errors import SummetryError
from summetry.formats import FORMATS, load, recognise
from summetry.formats.cells import TABLE_ENDINGS
from summetry.formats.folder import Folder
from summetry.formats.markdown import Markdown, Prose, note_of, read_prose
from summetry.formats.plain import Plain
from summetry.formats.topic_lengths import read_length
from summetry.records.corpus import Corpus, join_units
from summetry.records.lengths import Fit
from summetry.summarizers import SUMMARIZERS
from summetry.summarizers.run import LENGTH, NewSummary, SummarizerRun, text_corpus


@shared(TableOptions)
def summarize(
    source: Annotated[
        str, argument("CORPUS|FILE", "A corpus, or a text or Markdown file; - for a text on stdin.")
    ],
    options: TableOptions,
    summarizer: Annotated[
        list[str] | None, summarizer_option("A summarizer, e.g. 'lead(documents=turns)'")
    ] = None,
    length: LengthOption = str(LENGTH),
    fit: Annotated[
        Fit, typer.Option(help="What to do with a sentence that does not fit.")
    ] = "stop",
    query: Annotated[str, option("TEXT", "What the summary of FILE should be about.")] = "",
    queries: QueriesOption = None,
    output: Annotated[
        Path | None, output_option("FOLDER", "Write CORPUS with the summaries.")
    ] = None,
    name: Annotated[
        list[str] | None,
        option("NAME", "The author, once for each -s; * is the summarizer's spelling."),
    ] = None,
    train: TrainOption = None,
    force: ForceOption = False,
) -> None:
    """Summarize a text, or every topic of a corpus.

    The summary of a FILE is printed, one sentence per line. A CORPUS is written to --output with
    new summaries by each summarizer. Without -s, all summarizers are used that can do their work.

    \b
    Examples:
        summetry summarize article.txt -s lexrank --length 3
        summetry summarize article.md -s lsa -s textrank --length "100 words"
        summetry summarize my-corpus -s lead -s lexrank --length 30% -o with-candidates
        summetry summarize labelled-xml -s tf_isf --queries queries.csv -o with-candidates
    """
    asked = read_length(length)
    for spelling in summarizer or ():
        SUMMARIZERS.build(spelling)  # A wrong name is refused before a long text is read.
    text_format = _text_format(source, options.format)
    notes: list[str] = []
    if text_format:
        if output or options.columns or name or queries:
            raise SummetryError(
                "--output, --columns, --name and --queries go with a CORPUS, not with a FILE"
            )
        with progress_bar("reading"):
            corpus = _article(source, text_format, options.language, query)
    else:
        if query:
            raise SummetryError(
                "--query goes with a FILE; the topics of a CORPUS have their own, "
                "or get them from a table by --queries"
            )
        output = _checked(output, force)
        with progress_bar("reading"):
            corpus, notes = options.read(source, queries)
    teacher = load(train, language=options.language) if train else None
    names = summarizer or SUMMARIZERS.names()
    with progress_bar("summarized") as show:
        run = SummarizerRun(corpus, names, asked, fit, name, teacher, show, not summarizer, notes)
        by_author = run.summaries()
    echo_notes(run.notes)
    if output is None:
        _print_summaries(
            {author: summary for author, (summary,) in by_author.items()}, options.as_json
        )
    else:
        _write(run.with_candidates(by_author), list(by_author), output, options.as_json)


def _text_format(source: str, format: str | None) -> Plain | Markdown | None:
    """The format of a single text; None for a corpus."""
    if source == "-":
        read = FORMATS.build(format or "plain")
        if not isinstance(read, Plain | Markdown):
            expected = "--format plain or markdown"
            raise SummetryError(f"{STDIN} is read as a text: {expected}, not {format}")
        return read
    read = recognise(Path(source), format)
    is_text = isinstance(read, Plain | Markdown) and not Path(source).is_dir()
    return read if is_text else None  # type: ignore[return-value]


def _article(source: str, text_format: Plain | Markdown, language: str, query: str) -> Corpus:
    """A corpus of one topic: the text of a file, or of standard input."""
    place = STDIN if source == "-" else source
    prose = Prose("", read_input(source), {})
    if isinstance(text_format, Markdown):
        prose = read_prose(prose.text)
    if prose.left_out:
        echo_notes([f"left out of the text: {note_of(prose.left_out)}"])
    topic = "text" if source == "-" else Path(source).stem
    corpus, guess = text_corpus(
        prose.text, language, place, topic, prose.title, query, option="--language"
    )
    if guess:
        echo_notes([f"the language is guessed to be {guess}; --language names another"])
    return corpus


def _checked(output: Path | None, force: bool) -> Path:
    """Where a corpus is written to; to refuse after the work would be too late."""
    if output is None:
        raise SummetryError("the summaries of a CORPUS need --output FOLDER to be written to")
    if output.suffix.lower().removeprefix(".") in TABLE_ENDINGS:
        raise SummetryError(
            f"{output}: a folder is written, no table; `summetry convert` makes a table of it"
        )
    check_free(output, force)
    return output


def _write(corpus: Corpus, authors: list[str], output: Path, as_json: bool) -> None:
    Folder().write(corpus, output)
    if as_json:
        print_json({"wrote": str(output), "topics": len(corpus.topics), "authors": authors})
        return
    typer.echo(f"wrote {output}: {len(corpus.topics)} topics, new: {', '.join(authors)}")


def _print_summaries(summaries: dict[str, NewSummary], as_json: bool) -> None:
    """One sentence per line; several summaries each under the name of its summarizer."""
    if as_json:
        print_json([_as_json(author, summary) for author, summary in summaries.items()])
        return
    for number, (author, summary) in enumerate(summaries.items()):
        if len(summaries) > 1:
            typer.echo(f"{chr(10) if number else ''}{author}:")
        for sentence in summary.sentences:
            # A sentence whose lines were broken in the source is put on one line.
            lines = sentence.split("\n")
            language = summary.source.language
            typer.echo(join_units(lines, language) if len(lines) > 1 else sentence)


def _as_json(author: str, summary: NewSummary) -> dict[str, Any]:
    ranks = {unit: rank for rank, unit in enumerate(summary.ranking.order, 1)}
    scores = summary.ranking.scores
    units = [
        {
            "unit": unit,
            "text": summary.source.units[unit],
            "rank": ranks[unit],
            "score": scores[unit] if scores else None,
        }
        for unit in summary.units
    ]
    cut = {"cut": summary.fragment} if summary.fragment else {}
    language, text = summary.source.language, summary.text
    return {"summarizer": author, "language": language, "text": text, "units": units, **cut}
