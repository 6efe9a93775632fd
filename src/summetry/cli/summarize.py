"""``summetry summarize``: summaries of a text, or new candidates in a corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
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
    flag,
    option,
    output_option,
    shared,
    summarizer_option,
)
from summetry.cli._output import (
    check_free,
    echo,
    echo_notes,
    echo_skipped,
    echo_written,
    print_json,
)
from summetry.cli._progress import progress_bar
from summetry.errors import Place, SummetryError
from summetry.files import write_whole
from summetry.formats import FORMATS, ReadOptions, load, recognise
from summetry.formats.cells import TABLE_ENDINGS
from summetry.formats.folder import Folder
from summetry.formats.markdown import Markdown, Prose, note_of, read_prose
from summetry.formats.plain import Plain
from summetry.formats.table import Table
from summetry.formats.texts import read_text
from summetry.formats.topic_lengths import read_length
from summetry.formats.topic_queries import with_queries
from summetry.records.corpus import Corpus, join_units
from summetry.records.lengths import Fit
from summetry.records.topics import Document, Topic
from summetry.spec import split_list
from summetry.summarizers import SUMMARIZERS
from summetry.summarizers.run import LENGTH, NewSummary, SummarizerRun, text_corpus
from summetry.text.guessing import guess_language
from summetry.text.languages import language as language_of

# The summarizer where none is named.
DEFAULT = "lexrank"
# From how many topics the language of a corpus is guessed.
_GUESSED_FROM = 50


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
    everything: Annotated[
        bool, flag("--all", "All summarizers that can do their work, where none is named.")
    ] = False,
    output: Annotated[
        Path | None,
        output_option(
            "PATH", "Write CORPUS with the summaries: a folder, .jsonl or .csv; of a FILE, a text."
        ),
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
    new summaries by each summarizer; a folder of text files is a corpus, too. Without -s the
    summarizer is lexrank.

    \b
    Examples:
        summetry summarize article.txt -s lexrank --length 3
        summetry summarize article.md -s lsa -s textrank --length "100 words"
        summetry summarize my-corpus -s lead,lexrank --length 30% -o with-them
        summetry summarize outputs.jsonl -s lexrank -o with-lexrank.jsonl
        summetry summarize labelled-xml -s tf_isf --queries queries.csv -o new
    """
    asked = read_length(length)
    names = [one for spelling in summarizer or () for one in split_list(spelling)]
    for spelling in names:
        SUMMARIZERS.build(spelling)  # A wrong name is refused before a long text is read.
    are_texts = bool(_texts_in(source, options.format))
    text_format = None if are_texts else _text_format(source, options.format)
    notes: list[str] = []
    if text_format:
        if options.columns or name or queries:
            raise SummetryError("--columns, --name and --queries go with a CORPUS, not with a FILE")
        _check_text_output(output, force)
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
            corpus, notes = _corpus(source, options, queries)
    teacher = load(train, language=options.language) if train else None
    takes_all = everything and not names
    if takes_all:
        names = SUMMARIZERS.names()
    elif not names:
        names = [DEFAULT]
        others = "`summetry summarizers` lists others for -s, --all takes all"
        echo_notes([f"summarized by {DEFAULT}; {others}"])
    with progress_bar("summarized") as show:
        run = SummarizerRun(corpus, names, asked, fit, name, teacher, show, takes_all, notes)
        by_author = run.summaries()
    echo_notes(run.notes)
    if text_format:
        _show_summaries(
            {author: summary for author, (summary,) in by_author.items()}, output, options.as_json
        )
    else:
        assert output is not None
        _write(run.with_candidates(by_author), list(by_author), output, options.as_json)


def _texts_in(source: str, format: str | None) -> list[Path]:
    """The text files of a folder that holds nothing else that is known."""
    folder = Path(source)
    texts = sorted(folder.glob("*.txt")) if format is None and folder.is_dir() else []
    try:
        return [] if texts and recognise(folder) else texts
    except SummetryError:
        return texts


def _corpus(source: str, options: TableOptions, queries: Path | None) -> tuple[Corpus, list[str]]:
    """The corpus with its language, which is guessed where the data do not say it, and notes."""
    texts = _texts_in(source, options.format)

    def read(language: str) -> Corpus:
        how = replace(options, language=language).reading()
        if texts:
            return _corpus_of_texts(Path(source), texts, how)
        return load(
            source, options.format, on_error=how.on_error, language=language, columns=how.columns
        )

    corpus = read(options.language)
    if not any(map(corpus.language_of, corpus.topics)):
        beginnings = (unit for topic in corpus.topics[:_GUESSED_FROM] for unit in topic.units)
        if guess := guess_language("\n".join(beginnings)):
            corpus = read(guess)
            _echo_guess(language_of(guess).name)
    echo_skipped(corpus.problems)
    return with_queries(corpus, queries) if queries else (corpus, [])


def _corpus_of_texts(folder: Path, texts: Sequence[Path], how: ReadOptions) -> Corpus:
    builder = how.builder(folder.name)
    for file in texts:
        with builder.reporting():
            document = Document(id=file.stem, text=read_text(file))
            builder.add("topics", Topic(file.stem, documents=(document,)), Place(str(file)))
    return builder.build()


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
        _echo_guess(guess)
    return corpus


def _echo_guess(language: str) -> None:
    echo_notes([f"the language is guessed to be {language}; --language names another"])


def _checked(output: Path | None, force: bool) -> Path:
    """Where a corpus is written to; to refuse after the work would be too late."""
    if output is None:
        raise SummetryError(
            "the summaries of a CORPUS need --output to be written to: a folder, or a table, "
            "as in -o summaries.jsonl"
        )
    check_free(output, force)
    return output


def _check_text_output(output: Path | None, force: bool) -> None:
    if output is None:
        return
    if _is_table(output) or output.is_dir():
        raise SummetryError(f"{output}: the summary of a FILE is written as text, as in -o out.txt")
    check_free(output, force)


def _is_table(output: Path) -> bool:
    return output.suffix.lower().removeprefix(".") in TABLE_ENDINGS


def _write(corpus: Corpus, authors: list[str], output: Path, as_json: bool) -> None:
    (Table() if _is_table(output) else Folder()).write(corpus, output)
    if as_json:
        print_json({"wrote": str(output), "topics": len(corpus.topics), "authors": authors})
        return
    echo(f"wrote {output}: {len(corpus.topics)} topics, new: {', '.join(authors)}")


def _show_summaries(summaries: dict[str, NewSummary], output: Path | None, as_json: bool) -> None:
    """One sentence per line; several summaries each under the name of its summarizer."""
    lines: list[str] = []
    for author, summary in summaries.items():
        if len(summaries) > 1:
            lines += [*([""] if lines else []), f"{author}:"]
        for sentence in summary.sentences:
            # A sentence whose lines were broken in the source is put on one line.
            parts = sentence.split("\n")
            language = summary.source.language
            lines.append(join_units(parts, language) if len(parts) > 1 else sentence)
    if output:
        write_whole(output, "".join(f"{line}\n" for line in lines))
    if as_json:
        print_json([_as_json(author, summary) for author, summary in summaries.items()])
    elif output:
        echo_written(output)
    else:
        for line in lines:
            typer.echo(line)


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
