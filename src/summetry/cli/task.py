"""``summetry task``: how well summaries serve for a task.

``summetry task categorization``, ``summetry task retrieval`` and ``summetry task questions``.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Annotated, Any

from summetry.cli._options import (
    DrawsOption,
    SeedOption,
    TableOptions,
    TablesOption,
    TrainOption,
    shared,
)
from summetry.cli._output import check_tables, echo_notes, show_sheets
from summetry.cli._parameters import argument, choice, option
from summetry.cli._progress import progress_bar
from summetry.formats import load
from summetry.formats.search_files import read_qrels, read_queries
from summetry.records.corpus import Corpus
from summetry.reports.as_data import as_data
from summetry.reports.sheets import Sheet
from summetry.reports.tasks import (
    categorization_sheets,
    printed_categorization,
    printed_questions,
    printed_retrieval,
    question_sheets,
    retrieval_sheets,
)
from summetry.stats.significance import DRAWS
from summetry.tasks.categorization import EXTRACTS, FOLDS, categorize
from summetry.tasks.category_scores import Average
from summetry.tasks.questions import By, compare_answers
from summetry.tasks.retrieval import K1, B, retrieve

CorpusArgument = Annotated[Path, argument("CORPUS", "A corpus with summaries.")]
WordsOption = Annotated[
    str, option("PIPELINE", "How texts become words, such as 'en(stem=true,stop=true)'.")
]


@dataclass(frozen=True)
class TaskOptions(TableOptions):
    """The options of all tasks."""

    _: KW_ONLY
    draws: DrawsOption = None
    seed: SeedOption = 0
    output: TablesOption = None

    def read_corpus(self, path: Path, *inputs: Path | None) -> Corpus:
        """The corpus; what cannot be written is refused before it is read."""
        check_tables(self.output, [path, *inputs])
        return self.read(path)[0]

    def show(
        self,
        corpus: Corpus,
        sheets: list[Sheet],
        printed: list[Sheet],
        about: dict[str, Any],
        notes: tuple[str, ...],
        inputs: list[Path | None],
    ) -> None:
        echo_notes(notes)
        whole = as_data({"data": corpus.fingerprint, **about, "notes": notes})
        show_sheets(sheets, whole, self.as_json, self.output, printed=printed, inputs=inputs)


@shared(TaskOptions)
def categorization(
    corpus: Annotated[Path, argument("CORPUS", "A corpus whose topics have categories.")],
    options: TaskOptions,
    train: TrainOption = None,
    text: WordsOption = "auto",
    average: Annotated[
        Average, choice("The mean over texts, over categories, or all counts added.")
    ] = "documents",
    folds: Annotated[int, option("N", "Parts of the topics that are left out in turn.", min=2)] = (
        FOLDS
    ),
    extracts: Annotated[int, option("N", "Random extracts drawn for each summary.", min=1)] = (
        EXTRACTS
    ),
    lower: Annotated[
        str,
        option("SYSTEM", "A system of random extracts: the lower bound of people's choices."),
    ] = "",
) -> None:
    """See whether summaries say what a text is about.

    A classifier learns the categories of topics from full texts. It is given the summaries of each
    system, the full texts (the upper bound) and random extracts as long as the summaries (the lower
    bound), never of a topic that it has learnt from. Prints F and the share of the gap between both
    bounds that each system keeps. Where people chose categories, as on the page of `summetry
    serve`, their choices are counted in the same way; for the lower bound, let them categorize the
    summaries of a system of random extracts too, and name it with --lower.

    \b
    Examples:
        summetry task categorization my-corpus
        summetry task categorization my-corpus --text 'en(stem=true,stop=true)'
        summetry task categorization my-corpus --train labelled -o categories.csv
        summetry task categorization study:summetry.db --lower random
    """
    read = options.read_corpus(corpus, train)
    taught = load(train, language=options.language) if train else None
    with progress_bar("folds learnt, systems classified") as show:
        result = categorize(
            read,
            taught,
            text=text,
            folds=folds,
            extracts=extracts,
            average=average,
            lower=lower,
            draws=options.draws or DRAWS,
            seed=options.seed,
            progress=show,
        )
    about = {
        "settings": result.settings,
        "topics_by_category": result.categories,
        "learnt_from": result.learnt_from,
        "chance": result.chance,
    }
    options.show(
        read,
        categorization_sheets(result),
        printed_categorization(result),
        about,
        result.notes,
        [corpus, train],
    )


@shared(TaskOptions)
def retrieval(
    corpus: CorpusArgument,
    options: TaskOptions,
    queries: Annotated[
        Path | None,
        option("FILE", "A table with the columns id and text; else queries.jsonl, else titles."),
    ] = None,
    qrels: Annotated[
        Path | None,
        option("FILE", "Which topics are relevant, in TREC's format or as a table."),
    ] = None,
    text: WordsOption = "auto",
    k1: Annotated[float, option("X", "How soon more of a word adds little.", min=0)] = K1,
    b: Annotated[float, option("X", "How far long texts are marked down.", min=0, max=1)] = B,
) -> None:
    """See whether a search in summaries finds the same.

    Full texts and summaries are indexed by the same engine, BM25. For each query the scores of all
    texts are correlated with those of their summaries (relevance correlation), and so are the
    rankings. With qrels, also the loss in average precision. Without queries the titles of the
    topics are asked for.

    \b
    Examples:
        summetry task retrieval my-corpus
        summetry task retrieval my-corpus --queries queries.csv --qrels qrels.txt
    """
    read = options.read_corpus(corpus, queries, qrels)
    with progress_bar("queries run") as show:
        result = retrieve(
            read,
            read_queries(queries) if queries else None,
            read_qrels(qrels) if qrels else None,
            text=text,
            k1=k1,
            b=b,
            draws=options.draws or DRAWS,
            seed=options.seed,
            progress=show,
        )
    about = {
        "settings": result.settings,
        "queries_run": result.queries,
        "queries_from": queries or result.queries_from,
        "queries_judged": result.judged,
    }
    inputs = [corpus, queries, qrels]
    options.show(
        read, retrieval_sheets(result), printed_retrieval(result), about, result.notes, inputs
    )


@shared(TaskOptions)
def questions(
    corpus: Annotated[Path, argument("CORPUS", "A corpus with questions.jsonl and answers.jsonl.")],
    options: TaskOptions,
    by: Annotated[
        By, choice("Each system by itself, or all summaries as one condition.")
    ] = "system",
) -> None:
    """See what people can answer after reading.

    One row for each thing that was read before the answers: the source, a system's summaries, a
    person's abstracts, or nothing. It has the share of right answers, how much of the gap between
    nothing and the source is kept, and the seconds. Each pair of them is tested, question by
    question where the same ones were answered.

    \b
    Examples:
        summetry task questions my-corpus
        summetry task questions my-corpus --by condition -o answers.csv
    """
    read = options.read_corpus(corpus)
    result = compare_answers(read, by, draws=options.draws or DRAWS, seed=options.seed)
    about = {"settings": {"by": by, "draws": result.draws, "seed": result.seed}}
    sheets, printed = question_sheets(result), printed_questions(result)
    options.show(read, sheets, printed, about, result.notes, [corpus])
