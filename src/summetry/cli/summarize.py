"""``summetry summarize``: summaries of a text, or new candidates in a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import click

from summetry.cli._inputs import STDIN, read_input
from summetry.cli._options import (
    ForceOption,
    LengthOption,
    QueriesOption,
    TableOptions,
    TrainOption,
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
from summetry.cli._parameters import argument, choice, flag, option
from summetry.cli._progress import progress_bar
from summetry.errors import Place, SummetryError, counted
from summetry.files import write_whole
from summetry.formats import FORMATS, ReadOptions, load, recognise
from summetry.formats.article_tables import ArticleTable, read_articles
from summetry.formats.cells import TABLE_ENDINGS
from summetry.formats.folder import Folder
from summetry.formats.markdown import Markdown, Prose, note_of, read_prose
from summetry.formats.plain import Plain
from summetry.formats.table import Table
from summetry.formats.texts import read_text
from summetry.formats.topic_lengths import read_length
from summetry.formats.topic_queries import with_queries
from summetry.records.corpus import Corpus, join_units
from summetry.records.guessed_languages import other_languages, with_languages
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
        str,
        argument(
            "CORPUS|FILE",
            "A text or Markdown file (- for standard input), a table of texts, or a corpus.",
        ),
    ],
    options: TableOptions,
    summarizer: Annotated[
        list[str] | None, summarizer_option("A summarizer, e.g. 'lead(documents=turns)'")
    ] = None,
    length: LengthOption = str(LENGTH),
    fit: Annotated[Fit, choice("What to do with a sentence that does not fit.")] = "stop",
    query: Annotated[str, option("TEXT", "What the summary of FILE should be about.")] = "",
    queries: QueriesOption = None,
    everything: Annotated[
        bool, flag("--all", "All summarizers that can do their work, where none is named.")
    ] = False,
    output: Annotated[
        Path | None,
        output_option(
            "PATH",
            "Write the summary of a text there, or the table or corpus with its new summaries: "
            ".csv, .jsonl, .json, .parquet or a folder.",
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        option("NAME", "The author, once for each -s; * is the summarizer's spelling."),
    ] = None,
    train: TrainOption = None,
    force: ForceOption = False,
) -> None:
    """Summarize a text, a table of texts, or a corpus.

    The summaries are printed, one sentence per line. With --output a table or a corpus is written
    with the new summaries by each summarizer in it; a folder of text files is a corpus, too.
    Without -s the summarizer is lexrank.

    \b
    Examples:
        summetry summarize article.txt -s lexrank --length 3
        summetry summarize article.md -s lsa -s textrank --length "100 words"
        summetry summarize articles.csv -s lexrank --length 3 -o new.csv
        summetry summarize my-corpus -s lead,lexrank --length 30% -o with-them
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
            raise SummetryError(
                f"--columns, --name and --queries go with a table or a corpus; {source} is a text"
            )
        _check_text_output(output, force)
        with progress_bar("reading"):
            read = _article(source, text_format, options.language, query)
    else:
        if query:
            raise SummetryError(
                f"--query goes with one text; the topics of {source} have their own, "
                "or get them from a table by --queries"
            )
        if output is not None:
            check_free(output, force)
        with progress_bar("reading"):
            read = _corpus(source, options)
        if queries:
            corpus, notes = with_queries(read.corpus, queries)
            read = read._replace(corpus=corpus)
    teacher = load(train, language=options.language) if train else None
    takes_all = everything and not names
    is_default = not names and not everything
    names = names or (SUMMARIZERS.names() if takes_all else [DEFAULT])
    _echo_choices(read, is_default)
    with progress_bar("summarized") as show:
        run = SummarizerRun(read.corpus, names, asked, fit, name, teacher, show, takes_all, notes)
        by_author = run.summaries()
    echo_notes(run.notes)
    if text_format or output is None:
        _show_summaries(by_author, output, options.as_json, has_topics=not text_format)
        return
    if read.articles and _is_table(output):
        read.articles.write(_texts_by_topic(by_author), output)
    else:
        (Table() if _is_table(output) else Folder()).write(run.with_candidates(by_author), output)
    _echo_written(output, len(read.corpus.topics), list(by_author), options.as_json)


class _Read(NamedTuple):
    """What is summarized, and what was chosen for the user on the way."""

    corpus: Corpus
    # The name of the language, where it is guessed.
    guess: str = ""
    articles: ArticleTable | None = None


def _echo_choices(read: _Read, is_default: bool) -> None:
    """One note on all that the user could have said and did not."""
    said = {}
    if read.articles and read.articles.taken:
        said["--columns"] = read.articles.taken
    if read.guess:
        said["--language"] = f"the language is guessed to be {read.guess}"
    if is_default:
        said["-s"] = f"the summarizer is {DEFAULT}"
    if said:
        *options, last = said
        named = (
            f"{', '.join(options)} and {last} name others" if options else f"{last} names another"
        )
        echo_notes([f"{', '.join(said.values())}; {named}"])


def _texts_in(source: str, format: str | None) -> list[Path]:
    """The text files of a folder that holds nothing else that is known."""
    folder = Path(source)
    texts = sorted(folder.glob("*.txt")) if format is None and folder.is_dir() else []
    try:
        return [] if texts and recognise(folder) else texts
    except SummetryError:
        return texts


def _corpus(source: str, options: TableOptions) -> _Read:
    """The corpus with its language, which is guessed where the data do not say it."""
    texts = _texts_in(source, options.format)
    is_table = not texts and isinstance(recognise(Path(source), options.format), Table)

    def read(language: str) -> tuple[Corpus, ArticleTable | None]:
        how = replace(options, language=language).reading()
        if is_table:
            articles = read_articles(Path(source), how)
            return articles.corpus, articles
        if texts:
            return _corpus_of_texts(Path(source), texts, how), None
        corpus = load(
            source, options.format, on_error=how.on_error, language=language, columns=how.columns
        )
        return corpus, None

    corpus, articles = read(options.language)
    guess = ""
    if not any(map(corpus.language_of, corpus.topics)):
        beginnings = (unit for topic in corpus.topics[:_GUESSED_FROM] for unit in topic.units)
        if code := guess_language("\n".join(beginnings)):
            corpus, articles = read(code)
            guess = language_of(code).name
            others = other_languages(corpus)
            corpus = with_languages(corpus, others)
            for other, count in sorted(Counter(others.values()).items()):
                guess += f" ({counted(count, 'text')}: {language_of(other).name})"
    echo_skipped(corpus.problems)
    return _Read(corpus, guess, articles)


def _corpus_of_texts(folder: Path, texts: Sequence[Path], how: ReadOptions) -> Corpus:
    builder = how.builder(folder.resolve().name)
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


def _article(source: str, text_format: Plain | Markdown, language: str, query: str) -> _Read:
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
    return _Read(corpus, guess)


def _check_text_output(output: Path | None, force: bool) -> None:
    if output is None:
        return
    if _is_table(output) or output.is_dir():
        raise SummetryError(f"{output}: the summary of a text is written as text, as in -o out.txt")
    check_free(output, force)


def _is_table(output: Path) -> bool:
    return output.suffix.lower().removeprefix(".") in (*TABLE_ENDINGS, "json")


def _texts_by_topic(by_author: dict[str, list[NewSummary]]) -> dict[str, dict[str, str]]:
    return {
        author: {summary.source.topic.id: summary.text for summary in summaries}
        for author, summaries in by_author.items()
    }


def _echo_written(output: Path, topics: int, authors: list[str], as_json: bool) -> None:
    if as_json:
        print_json({"wrote": str(output), "topics": topics, "authors": authors})
        return
    echo(f"wrote {output}: {counted(topics, 'topic')}, new: {', '.join(authors)}")


def _show_summaries(
    by_author: dict[str, list[NewSummary]], output: Path | None, as_json: bool, has_topics: bool
) -> None:
    """One sentence per line; several summaries each under its topic and its summarizer."""
    lines: list[str] = []
    new = [
        (author, summary)
        for of_topic in zip(*by_author.values(), strict=True)
        for author, summary in zip(by_author, of_topic, strict=True)
    ]
    for author, summary in new:
        heading = [summary.source.topic.id] * has_topics + [author] * (len(by_author) > 1)
        if heading:
            lines += [*([""] if lines else []), f"{', '.join(heading)}:"]
        for sentence in summary.sentences:
            # A sentence whose lines were broken in the source is put on one line.
            parts = sentence.split("\n")
            language = summary.source.language
            lines.append(join_units(parts, language) if len(parts) > 1 else sentence)
    if output:
        write_whole(output, "".join(f"{line}\n" for line in lines))
    if as_json:
        print_json([_as_json(author, summary, has_topics) for author, summary in new])
    elif output:
        echo_written(output)
    else:
        for line in lines:
            click.echo(line)


def _as_json(author: str, summary: NewSummary, has_topic: bool) -> dict[str, Any]:
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
    head = {"id": summary.source.topic.id} if has_topic else {}
    return {
        **head,
        "summarizer": author,
        "language": language,
        "text": text,
        "units": units,
        **cut,
    }
