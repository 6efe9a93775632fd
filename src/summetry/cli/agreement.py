"""``summetry agreement``: how far the informants agree."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from summetry.cli._options import (
    ExtractsArgument,
    FitOption,
    flag,
    option,
    shared,
    summarizer_option,
)
from summetry.cli._output import as_data, echo_notes, print_json
from summetry.cli._progress import progress_bar
from summetry.cli._voting import VotingOptions
from summetry.errors import SummetryError, UnknownNameError
from summetry.records.corpus import Corpus
from summetry.records.lengths import Fit
from summetry.references.agreement import RATES, CorpusAgreement, mean_of
from summetry.references.agreement import agreement as agreement_of
from summetry.references.comparison import (
    Compared,
    TopicComparison,
    compare_with_majority,
    mean_overlap,
    system_names,
)
from summetry.references.majority import voting_part
from summetry.references.voting import Ties
from summetry.reports.agreement import (
    Measure,
    coefficients_table,
    curve_table,
    extracts_table,
    majority_table,
    systems_table,
)
from summetry.reports.tables import console, number
from summetry.summarizers import summarize


@shared(VotingOptions)
def agreement(
    corpus: ExtractsArgument,
    voting: VotingOptions,
    table: Annotated[
        bool, flag("--table", "The best informant and the systems against the majority.")
    ] = False,
    system: Annotated[
        str | None, option("AUTHOR", "With --table: this system, topic by topic.")
    ] = None,
    summarizer: Annotated[
        list[str] | None, summarizer_option("With --table: let it summarize to the mean length")
    ] = None,
    measure: Annotated[
        Measure, typer.Option(help="With --table: by the reference, the summary, or both.")
    ] = "recall",
    curve: Annotated[bool, flag("--curve", "Agreement by the length of the reference.")] = False,
    fit: FitOption = "overshoot",
    chance: Annotated[int, option("N", "Random choices, for chance at mean length.", min=0)] = 100,
    seed: Annotated[int, option("N", "The seed of these choices.", min=0)] = 0,
) -> None:
    """Show how far the informants of a corpus agree.

    By topic, genre, group of informants and as a whole: lengths of the extracts, the agreement of
    votes, coefficients that take chance out. With --table: who is near to the majority.

    \b
    Examples:
        summetry agreement my-corpus
        summetry agreement my-corpus --table -s textrank -s lead
    """
    if not table and (system or summarizer):
        raise SummetryError("--system and --summarizer go with --table")
    if table and curve:
        raise SummetryError("--curve does not go with --table: they are two reports")
    if not table and measure != "recall":
        raise SummetryError("--measure goes with --table")
    rule = Ties.parse(voting.ties)
    whole, _ = voting.read(corpus)
    read = voting_part(whole, voting.voters())
    silent = len(whole.topics) - len(read.topics)
    if silent:
        echo_notes([f"left out: {silent} of {len(whole.topics)} topics have no extracts"])
    if table:
        judged = _with_summaries(read, summarizer, fit) if summarizer else read
        with progress_bar("compared") as show:
            lines = compare_with_majority(judged, fit, rule, show)
        if system is not None and system not in system_names(lines):
            raise UnknownNameError("system", system, system_names(lines))
        _show_table(lines, measure, system, voting.as_json)
        return
    with progress_bar("topics done") as show:
        agreed = agreement_of(read, None, fit, rule, chance, seed, show)
    if voting.as_json:
        print_json(_as_json(agreed))
    else:
        _print_agreement(agreed, curve)


def _with_summaries(corpus: Corpus, summarizers: list[str], fit: Fit) -> Corpus:
    """The corpus with summaries of the mean length of the extracts as its only candidates."""
    references = tuple(s for s in corpus.summaries if s.role == "reference")
    bare = dataclasses.replace(corpus, summaries=references, judgments=())
    return summarize(bare, summarizers, "mean", fit)


def _as_json(agreed: CorpusAgreement) -> dict[str, Any]:
    def curve(at_rates: Sequence[float]) -> dict[str, float]:
        return dict(zip(map(str, RATES), at_rates, strict=True))

    return {
        "topics": [
            {**as_data(topic.row), "genre": topic.genre, "curve": curve(topic.curve)}
            for topic in agreed.topics
        ],
        "genres": agreed.genres,
        "groups": agreed.groups,
        "all": agreed.whole,
        "pooled": {**agreed.pooled._asdict(), "alpha": agreed.pooled_alpha},
        "curve": curve(agreed.curve),
    }


def _print_agreement(agreed: CorpusAgreement, curve: bool) -> None:
    out = console()
    rows = [*(topic.row for topic in agreed.topics), agreed.whole]
    out.print("Lengths of the extracts, and agreement of votes:", style="bold")
    out.print(extracts_table(rows, "topic"))
    out.print("\nAgreement of the informants, unit by unit:", style="bold")
    out.print(coefficients_table(rows, "topic"))
    out.print(
        f"units of all topics in one table: Fleiss {number(agreed.pooled.kappa, 3)}, "
        f"alpha {number(agreed.pooled_alpha, 3)}"
    )
    for heading, lines in (("genre", agreed.genres), ("group of informants", agreed.groups)):
        if len(lines) > 1:
            out.print(f"\nBy {heading}, means over topics:", style="bold")
            out.print(extracts_table(lines, heading))
            out.print()
            out.print(coefficients_table(lines, heading))
    if curve:
        out.print("\nAgreement by the length of the reference, means over topics:", style="bold")
        out.print(curve_table(agreed.curve))
    alone = sum(topic.row.extracts < 2 for topic in agreed.topics)
    if alone:
        out.print(
            f"\n{alone} of {len(agreed.topics)} topics have one extract only: their agreement "
            f"of votes is 100% whatever was chosen, and the rest is undefined",
            soft_wrap=True,
        )


def _show_table(
    lines: list[TopicComparison], measure: Measure, system: str | None, as_json: bool
) -> None:
    names = system_names(lines)
    systems = [mean_overlap([line.systems.get(name) for line in lines], name) for name in names]
    whole = mean_of([line.agreement for line in lines], "all")
    best = mean_overlap([line.best for line in lines], "best extract")
    if as_json:
        topics = [_line_as_json(line) for line in lines]
        means = [_compared_as_json(compared) for compared in systems]
        print_json({"topics": topics, "best": _compared_as_json(best), "systems": means})
        return
    out = console()
    shown = system or (names[0] if len(names) == 1 else None)
    beside = f", then {shown}" if shown else ""
    out.print(
        f"Agreement, then the best extract{beside} against the majority at mean length "
        f"({measure} of sentences, words, word frequencies):",
        style="bold",
        soft_wrap=True,
    )
    out.print(majority_table(lines, whole, measure, shown))
    if len(names) > 1 and not system:
        out.print("\nSystems against the majority, means over topics:", style="bold")
        # As they came where they share equally many sentences; what has no units comes last.
        systems.sort(key=lambda compared: _distance(compared, measure))
        out.print(systems_table(systems, measure))
        out.print("(--system AUTHOR shows one of them topic by topic)")


def _distance(compared: Compared, measure: Measure) -> tuple[bool, float]:
    value = float(getattr(compared.overlap.sentence, measure))
    return value != value, -value


def _line_as_json(line: TopicComparison) -> dict[str, Any]:
    return {
        "topic": line.agreement.name,
        "extracts": line.agreement.extracts,
        "mean": line.agreement.mean,
        "all_votes": line.agreement.all_votes,
        "at_mean": line.agreement.at_mean,
        "reference": line.reference,
        "best": _compared_as_json(line.best) if line.best else None,
        "systems": [_compared_as_json(compared) for compared in line.systems.values()],
    }


def _compared_as_json(compared: Compared) -> dict[str, Any]:
    shares = compared.overlap._asdict()
    return {"author": compared.author, "length": compared.length, **shares}
