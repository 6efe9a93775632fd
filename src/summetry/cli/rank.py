"""``summetry rank``: sentence rankers judged by labelled sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from rich.console import Console

from summetry.cli._options import (
    DrawsOption,
    QueriesOption,
    SeedOption,
    TableOptions,
    TrainOption,
    shared,
    summarizer_option,
)
from summetry.cli._output import echo_notes, print_json
from summetry.cli._parameters import argument, choice, option
from summetry.cli._progress import progress_bar
from summetry.errors import SummetryError, counted
from summetry.formats import load
from summetry.records.lengths import Length
from summetry.reports.ranking import (
    comparison_table,
    precision_table,
    redundancy_table,
    summaries_table,
)
from summetry.reports.tables import console
from summetry.stats.agreement import mean_defined
from summetry.stats.significance import DRAWS
from summetry.tasks.ranking import (
    LENGTHS,
    POOL,
    RANKERS,
    WORDS,
    RankerComparison,
    RankerScores,
    RankingEvaluation,
    RankingRun,
    Selected,
    added,
    compare_rankers,
)


@shared(TableOptions)
def rank(
    corpus: Annotated[Path, argument("CORPUS", "A corpus with labels: labels.jsonl.")],
    options: TableOptions,
    ranker: Annotated[
        list[str] | None,
        summarizer_option("A summarizer as ranker, e.g. 'semdist(normalise=length)'"),
    ] = None,
    thesaurus: Annotated[
        str, option("PATH", "The thesaurus of semdist, instead of roget1911.")
    ] = "",
    queries: QueriesOption = None,
    ties: Annotated[
        Literal["stable", "expected"],
        choice("The average precision that the tests compare."),
    ] = "stable",
    length: Annotated[
        str, option("LENGTH", "How long the summaries are, in words.")
    ] = f"{WORDS} words",
    pool: Annotated[
        int, option("N", "How many of the ranked sentences are tried; 0 for all.", min=0)
    ] = POOL,
    lengths: Annotated[
        str, option("N,N", "Lengths, in words, for the table of redundancy.")
    ] = ",".join(map(str, LENGTHS)),
    draws: DrawsOption = None,
    seed: SeedOption = 0,
    train: TrainOption = None,
) -> None:
    """Judge sentence rankers by labelled sentences.

    The labels say which content units a sentence carries. Prints the average precision of each
    ranker, tests between rankers, which content units summaries made from their rankings carry,
    and how much these repeat themselves. Without -s, the rankers of Kennedy and Szpakowicz (2010)
    are used that can do their work.

    \b
    Examples:
        summetry rank my-corpus -s semdist -s tf_isf -s length
        summetry rank my-corpus -s semdist --thesaurus roget.txt --ties expected
        summetry rank labelled-xml -s tf_isf -s simple_match --queries queries.csv
    """
    read, notes = options.read(corpus, queries=queries)
    with progress_bar("topics ranked") as show:
        run = RankingRun(
            read,
            ranker or RANKERS,
            words=_words(length),
            pool=pool or None,
            lengths=_numbers(lengths),
            train=load(train, language=options.language) if train else None,
            thesaurus=thesaurus,
            skip_unusable=not ranker,
            progress=show,
            notes=notes,
        )
        evaluation = run.evaluate()
    pairs = compare_rankers(evaluation, ties, draws or DRAWS, seed)
    echo_notes(evaluation.notes)
    if options.as_json:
        about = {"thesaurus": thesaurus or None, "queries": queries, "ties": ties, "seed": seed}
        print_json({**about, **_as_json(evaluation, pairs)})
    else:
        _print(console(), evaluation, pairs, ties)


def _words(text: str) -> int:
    length = Length.parse(text)
    if length.kind != "words":
        raise SummetryError(f"--length: write a number of words as '100 words', got {text!r}")
    return int(length.amount)


def _numbers(text: str) -> list[int]:
    try:
        return [int(number) for number in text.split(",") if number.strip()]
    except ValueError:
        raise SummetryError(f"--lengths: write numbers as in 100,250, got {text!r}") from None


def _print(
    out: Console, evaluation: RankingEvaluation, pairs: list[RankerComparison], ties: str
) -> None:
    share = f"{evaluation.labelled:,} of {counted(evaluation.sentences, 'sentence')} labelled"
    out.print(
        f"{counted(len(evaluation.topics), 'topic')}, {share}, {evaluation.positive:,} positive\n"
    )
    over = f"mean over {counted(evaluation.topics_with_positives, 'topic')}"
    out.print(f"Average precision of labelled sentences, {over}, by ties:", style="bold")
    out.print(precision_table(evaluation))
    if pairs:
        out.print(f"\nDifferences in average precision (ties {ties}), over topics:", style="bold")
        out.print(comparison_table(pairs))
    pool = f"the first {evaluation.pool}" if evaluation.pool else "all"
    summaries = f"Summaries of {counted(evaluation.words, 'word')} from {pool}"
    out.print(f"\n{summaries} labelled sentences, all topics together:", style="bold")
    out.print(summaries_table(evaluation))
    out.print(f"\n{summaries} sentences, unlabelled ones too (a lower bound):", style="bold")
    out.print(summaries_table(evaluation, lower_bound=True))
    if evaluation.rankers[0].by_length:
        out.print("\nUnique SCUs of all, by length, from all labelled sentences:", style="bold")
        out.print(redundancy_table(evaluation))


def _as_json(evaluation: RankingEvaluation, pairs: list[RankerComparison]) -> dict[str, Any]:
    return {
        "topics": evaluation.topics,
        "sentences": evaluation.sentences,
        "labelled": evaluation.labelled,
        "positive": evaluation.positive,
        "words": evaluation.words,
        "pool": evaluation.pool,
        "average_precision_by_chance": mean_defined(evaluation.by_chance),
        "rankers": [_ranker_as_json(scores) for scores in evaluation.rankers],
        "comparisons": [
            {
                "first": pair.first,
                "second": pair.second,
                "t_test": pair.t_test,
                "permutation_test": pair.permutation,
            }
            for pair in pairs
        ],
        "notes": evaluation.notes,
    }


def _ranker_as_json(scores: RankerScores) -> dict[str, Any]:
    return {
        "ranker": scores.ranker,
        "average_precision": {
            "stable": scores.macro("stable"),
            "expected": scores.macro("expected"),
        },
        "by_topic": {"stable": scores.stable, "expected": scores.expected},
        "summaries": _selected_as_json(added(scores.summaries)),
        "lower_bound": _selected_as_json(added(scores.lower_bound)),
        "unique_share_by_length": {
            str(length): added(summaries).unique_share
            for length, summaries in scores.by_length.items()
        },
        "selected": [summary.selected for summary in scores.summaries],
    }


def _selected_as_json(whole: Selected) -> dict[str, Any]:
    counts = whole._asdict()
    del counts["selected"]
    return {**counts, "unique_share": whole.unique_share}
