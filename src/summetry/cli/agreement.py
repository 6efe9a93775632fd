"""``summetry agreement``: how far the informants agree."""

from __future__ import annotations

import contextlib
import dataclasses
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from summetry.cli._inputs import read_judged
from summetry.cli._options import (
    CorpusOptions,
    ExtractsArgument,
    FitOption,
    LengthOption,
    SeedOption,
    shared,
    summarizer_option,
)
from summetry.cli._output import echo_notes, print_json
from summetry.cli._parameters import choice, flag, option
from summetry.cli._progress import progress_bar
from summetry.cli._voting import VotingOptions
from summetry.errors import FormatError, SummetryError, counted, must_be_known
from summetry.formats.topic_lengths import read_length
from summetry.metaeval.grids import dimensions_of
from summetry.metaeval.judges import JudgesAgreement, judges_agreement
from summetry.records.corpus import Corpus
from summetry.records.lengths import Fit, Length, TopicLengths
from summetry.records.topics import By
from summetry.references.agreement import CorpusAgreement, mean_of
from summetry.references.agreement import agreement as agreement_of
from summetry.references.comparison import (
    Compared,
    TopicComparison,
    compare_with_majority,
    mean_overlap,
    system_names,
)
from summetry.references.majority import empty_extracts, voting_part
from summetry.references.voting import Ties
from summetry.reports.agreement import (
    Value,
    agreement_as_data,
    coefficients_table,
    curve_table,
    extracts_table,
    fraction,
    judged_table,
    judges_table,
    majority_table,
    pooled_table,
    system_table,
    systems_table,
)
from summetry.reports.as_data import as_data
from summetry.reports.tables import console, number
from summetry.stats.significance import DRAWS
from summetry.summarizers import summarize


@shared(VotingOptions)
def agreement(
    corpus: ExtractsArgument,
    voting: VotingOptions,
    table: Annotated[
        bool, flag("--table", "Compare the best informant and the systems with the majority.")
    ] = False,
    system: Annotated[
        str | None, option("NAME", "With --table: this system, topic by topic.")
    ] = None,
    summarizer: Annotated[
        list[str] | None, summarizer_option("With --table: let it make summaries of --length")
    ] = None,
    value: Annotated[
        Value | None,
        choice(
            "With --table: what is shared divided by both (f, the default), by the reference "
            "(recall) or by the summary (precision)."
        ),
    ] = None,
    own_vote: Annotated[
        bool,
        flag("--own-vote", "With --table: count the vote of who is compared, as in the paper."),
    ] = False,
    curve: Annotated[
        bool, flag("--curve", "Also show the agreement at lengths from 5% to 100%.")
    ] = False,
    dimension: Annotated[
        list[str] | None,
        option(
            "NAME",
            "Show how far the judges agree on this dimension of judgments, or on all; may be "
            "repeated.",
        ),
    ] = None,
    by: Annotated[
        By | None,
        choice("With --dimension: each genre, or group, of topics by itself."),
    ] = None,
    length: LengthOption = "mean",
    fit: FitOption = "overshoot",
    chance: Annotated[
        int, option("N", "Random choices that show what chance gives at --length.", min=0)
    ] = 100,
    draws: Annotated[
        int | None,
        option("N", "With --dimension: resamples of topics, for the intervals.", min=0),
    ] = None,
    seed: SeedOption = 0,
) -> None:
    """Show how far informants agree, or judges.

    By topic, genre, group of informants and over all topics: lengths of the extracts, the agreement
    of votes, and coefficients that take chance out. With --table: how close the best informant and
    the systems are to the majority vote of --length. With --dimension: how far the judges of
    summaries agree, with intervals; CORPUS may be a table of judgments then.

    \b
    Examples:
        summetry agreement my-corpus
        summetry agreement my-corpus --length 30%
        summetry agreement my-corpus --table -s textrank -s lead
        summetry agreement my-corpus --dimension grammaticality
        summetry agreement my-corpus --dimension all --by genre
    """
    if dimension:
        if table or curve or system or summarizer or value or own_vote or voting.selects():
            raise SummetryError(
                "--dimension is about judgments; --table, --curve, --without and --group are "
                "about extracts"
            )
        _judges(
            read_judged(Path(corpus), voting),
            dimension,
            DRAWS if draws is None else draws,
            seed,
            by,
            voting.as_json,
        )
        return
    if by:
        raise SummetryError(
            "--by goes with --dimension; leave it out: genres and groups are shown anyway"
        )
    if not table and (system or summarizer or value or own_vote):
        raise SummetryError("--system, --summarizer, --value and --own-vote go with --table")
    if table and curve:
        raise SummetryError("--curve does not go with --table: they are two reports")
    asked, rule = read_length(length), Ties.parse(voting.ties)
    try:
        whole, _ = voting.read(corpus)
    except FormatError as error:
        raise _of_judgments(corpus, voting) or error from error
    read = voting_part(whole, voting.voters())
    silent = len(whole.topics) - len(read.topics)
    if silent:
        echo_notes([f"left out: {silent} of {len(whole.topics)} topics have no extracts"])
    echo_notes(empty_extracts(read.extracts))
    if table:
        judged = _with_summaries(read, summarizer, asked, fit) if summarizer else read
        with progress_bar("compared") as show:
            lines = compare_with_majority(judged, asked, fit, rule, show, own_vote)
        if system is not None:
            must_be_known("system", system, system_names(lines))
        whose = "the" if own_vote else "the others'"
        _show_table(lines, asked, value or "f", system, whose, voting.as_json)
        return
    with progress_bar("topics done") as show:
        agreed = agreement_of(read, None, asked, fit, rule, chance, seed, show)
    if voting.as_json:
        print_json(agreement_as_data(agreed))
    else:
        _print_agreement(agreed, asked, curve)


def _of_judgments(path: Path, options: CorpusOptions) -> SummetryError | None:
    """What to type where the table has no extracts but judgments; None where it has none."""
    with contextlib.suppress(SummetryError):
        for name in dimensions_of(read_judged(path, options)):
            typed = shlex.join(["summetry", "agreement", str(path), "--dimension", name])
            return SummetryError(f"{path}: these are judgments: {typed}")
    return None


def _judges(
    corpus: Corpus, asked: Sequence[str], draws: int, seed: int, by: By | None, as_json: bool
) -> None:
    """How far the judges of each dimension agree."""
    every = "all" in asked and "all" not in dimensions_of(corpus)
    agreed = judges_agreement(corpus, () if every else asked, draws, seed, by)
    known = [one for one in agreed if one.summaries]
    alone = [one.name for one in agreed if not one.summaries]
    if not known:
        raise SummetryError(f"no summary has judgments of two judges on {', '.join(alone)}")
    if alone:
        echo_notes([f"left out, as no summary has two judges: {', '.join(alone)}"])
    echo_notes(filter(None, (one.note for one in known)))
    if as_json:
        settings = {"draws": draws, "seed": seed, "confidence": 0.95}
        dimensions = [_judges_as_json(one, by) for one in known]
        print_json({"dimensions": dimensions, "settings": settings})
        return
    out = console()
    out.print("Summaries that two judges or more have judged:", style="bold")
    out.print(judged_table(known, by or ""))
    out.print("\nAgreement of the judges:", style="bold")
    out.print(judges_table(known, by or ""))
    out.print(f"\nlow, high: 95 % of {draws:,} bootstrap resamples of topics, seed {seed}")
    out.print(
        "weighted kappa: quadratic weights, mean over all pairs of judges, each weighted by the "
        "summaries that both judged"
    )


def _judges_as_json(agreed: JudgesAgreement, by: By | None) -> dict[str, Any]:
    data: dict[str, Any] = as_data(agreed)
    coefficients: dict[str, Any] = data.pop("coefficients")
    part = data.pop("part")
    return data | ({by: part} if by else {}) | coefficients


def _with_summaries(
    corpus: Corpus, summarizers: list[str], length: Length | TopicLengths, fit: Fit
) -> Corpus:
    """The corpus with summaries of ``length`` as its only candidates."""
    references = tuple(s for s in corpus.summaries if s.role == "reference")
    bare = dataclasses.replace(corpus, summaries=references, judgments=())
    return summarize(bare, summarizers, length, fit)


# Why there is a dash.
_ALONE = "one informant alone has nobody to agree with"


def _print_agreement(agreed: CorpusAgreement, length: Length | TopicLengths, curve: bool) -> None:
    out = console()
    rows = [*(topic.row for topic in agreed.topics), agreed.whole]
    out.print("Lengths of the extracts, and agreement of votes:", style="bold")
    out.print(extracts_table(rows, "topic", length))
    out.print("\nAgreement of the informants, unit by unit:", style="bold")
    out.print(coefficients_table(rows, "topic"))
    out.print(
        f"\nunits of all topics in one table: Fleiss {number(agreed.pooled.kappa, 3)}, "
        f"alpha {number(agreed.pooled_alpha, 3)}"
    )
    for heading, lines, pooled in (
        ("genre", agreed.genres, agreed.genres_pooled),
        ("group of informants", agreed.groups, agreed.groups_pooled),
    ):
        if len(lines) > 1:
            out.print(f"\nBy {heading}, means over topics:", style="bold")
            out.print(extracts_table(lines, heading, length))
            out.print()
            out.print(coefficients_table(lines, heading))
            out.print(f"\nBy {heading}, units of all topics in one table:", style="bold")
            out.print(pooled_table(pooled, heading))
            if single := [row.name for row in lines if row.extracts == row.topics]:
                out.print(f"- in {', '.join(single)}: {_ALONE}")
    if curve:
        out.print("\nAgreement by the length of the reference, means over topics:", style="bold")
        out.print(curve_table(agreed.curve))
    alone = sum(topic.row.extracts < 2 for topic in agreed.topics)
    if alone:
        many = f"{alone} of {counted(len(agreed.topics), 'topic')}"
        out.print(f"\n- in {many}: {_ALONE}")


def _show_table(
    lines: list[TopicComparison],
    length: Length | TopicLengths,
    value: Value,
    system: str | None,
    whose: str,
    as_json: bool,
) -> None:
    names = system_names(lines)
    systems = [mean_overlap([line.systems.get(name) for line in lines], name) for name in names]
    whole = mean_of([line.agreement for line in lines], "all")
    best = mean_overlap([line.best for line in lines], "best extract")
    if as_json:
        topics = [_line_as_json(line) for line in lines]
        means = [_compared_as_json(compared) for compared in systems]
        print_json(
            {"topics": topics, "best": _compared_as_json(best, "informant"), "systems": means}
        )
        return
    out = console()
    shown = system or (names[0] if len(names) == 1 else None)
    of_length = "mean length" if str(length) == "mean" else length
    heading = f"The best extract against {whose} majority, {of_length} ({value}):"
    out.print(heading, style="bold")
    out.print(majority_table(lines, whole, length, value))
    if shown:
        out.print(f"\n{value.capitalize()} of {shown}:", style="bold")
        out.print(system_table(lines, shown, value))
    if len(names) > 1 and not system:
        out.print(f"\n{value.capitalize()} of the systems, means over topics:", style="bold")
        # As they came where they share equally many sentences; what has no units comes last.
        systems.sort(key=lambda compared: _distance(compared, value))
        out.print(systems_table(systems, value))
        out.print("(--system NAME shows one of them topic by topic)")


def _distance(compared: Compared, value: Value) -> tuple[bool, float]:
    shared = float(getattr(compared.overlap.sentence, value))
    return shared != shared, -shared


def _line_as_json(line: TopicComparison) -> dict[str, Any]:
    return {
        "topic": line.agreement.name,
        "extracts": line.agreement.extracts,
        "mean": fraction(line.agreement.mean),
        "all_votes": fraction(line.agreement.all_votes),
        "at_length": fraction(line.agreement.at_length),
        "reference": line.reference,
        "best": _compared_as_json(line.best, "informant") if line.best else None,
        "systems": [_compared_as_json(compared) for compared in line.systems.values()],
    }


def _compared_as_json(compared: Compared, who: str = "system") -> dict[str, Any]:
    shares = compared.overlap._asdict()
    return {who: compared.author, "length": fraction(compared.length), **shares}
