"""Agreement of informants, references, and who is close to them: tables, and data for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from rich.table import Table

from summetry.metaeval.judges import JudgesAgreement
from summetry.records.lengths import Length, TopicLengths
from summetry.references.agreement import PERCENTS, Agreement, CorpusAgreement, Pooled
from summetry.references.comparison import Compared, TopicComparison, mean_overlap
from summetry.references.majority import TopicReference, plain, tie_as_data
from summetry.references.validation import Predicted, Stability
from summetry.reports.as_data import as_data
from summetry.reports.tables import empty_table, number

Value = Literal["recall", "precision", "f"]
_LEVELS = ("sentence", "word", "frequency")


def percent(value: float) -> str:
    """A per cent for people; a dash where there is none."""
    return "-" if value != value else f"{value:.1f}%"


def extracts_table(rows: Iterable[Agreement], heading: str, length: Length | TopicLengths) -> Table:
    """Figure 2 of Hassel and Dalianis (2005), with what chance would give."""
    lengths = ["extracts", "shortest", "longest", "mean"]
    table = empty_table([heading], [*lengths, "all votes", "chance", _at(length), "chance"])
    for row in rows:
        numbers = (row.shortest, row.longest, row.mean, row.all_votes, row.all_votes_chance)
        cells = map(percent, (*numbers, row.at_length, row.at_length_chance))
        table.add_row(row.name, str(row.extracts), *cells)
    return table


def coefficients_table(rows: Iterable[Agreement], heading: str) -> Table:
    """Agreement of pairs of informants, and the coefficients that take chance out."""
    pairs = ["pairs agree", "chance"]
    table = empty_table([heading], [*pairs, "Fleiss", "Cohen", "alpha", "Jaccard", "chance"])
    for row in rows:
        kappas = (row.fleiss, row.cohen, row.alpha, row.jaccard, row.jaccard_chance)
        cells = [percent(row.percent), percent(row.percent_chance)]
        table.add_row(row.name, *cells, *(number(value, 3) for value in kappas))
    return table


def pooled_table(rows: Iterable[Pooled], heading: str) -> Table:
    """The coefficients over the units of all topics of each row in one table."""
    table = empty_table([heading], ["pairs agree", "chance", "Fleiss", "alpha"])
    for name, kappa, alpha in rows:
        shares = (percent(100 * share) for share in (kappa.agreement, kappa.chance))
        table.add_row(name, *shares, number(kappa.kappa, 3), number(alpha, 3))
    return table


def curve_table(curve: Sequence[float]) -> Table:
    """Agreement by the length of the reference."""
    table = empty_table([], ["length", "agreement"])
    for length, value in zip(PERCENTS, curve, strict=True):
        table.add_row(f"{length}%", percent(value))
    return table


def judged_table(agreed: Sequence[JudgesAgreement], by: str = "") -> Table:
    """How much was judged, and how often two judges say the same; ``by`` is what parts topics."""
    counts = ["judges", "summaries", "judgments"]
    table = empty_table(["dimension", *filter(None, [by])], [*counts, "pairs agree", "chance"])
    for one in agreed:
        cells = map(str, (one.judges, one.summaries, one.judgments))
        shares = (one.coefficients.agreement, one.coefficients.chance)
        names = [one.dimension, one.part] if by else [one.dimension]
        table.add_row(*names, *cells, *(percent(100 * share) for share in shares))
    return table


def judges_table(agreed: Sequence[JudgesAgreement], by: str = "") -> Table:
    """The coefficients of each dimension, with their intervals."""
    names = {"fleiss": "Fleiss' kappa", "weighted": "weighted kappa", "alpha": "ordinal alpha"}
    headings = ["dimension", *filter(None, [by]), "coefficient"]
    table = empty_table(headings, ["value", "low", "high"])
    for one in agreed:
        whose = [one.dimension, one.part] if by else [one.dimension]
        for place, (name, shown) in enumerate(names.items()):
            estimate = getattr(one.coefficients, name)
            cells = (number(value, 3) for value in estimate)
            table.add_row(*([""] * len(whose) if place else whose), shown, *cells)
    return table


def majority_table(
    lines: Sequence[TopicComparison], whole: Agreement, length: Length | TopicLengths, value: Value
) -> Table:
    """The first half of the tables of the paper: agreement, and the best extract."""
    headings = ["extracts", "length", "all votes", _at(length), *_LEVELS]
    table = empty_table(["topic"], headings)
    bests = [line.best for line in lines]
    rows = [*zip((line.agreement for line in lines), bests, strict=True)]
    for agreed, best in [*rows, (whole, mean_overlap(bests, ""))]:
        cells = [str(agreed.extracts)]
        cells += map(percent, (agreed.mean, agreed.all_votes, agreed.at_length))
        table.add_row(agreed.name, *cells, *_levels(best, value))
    return table


def system_table(lines: Sequence[TopicComparison], system: str, value: Value) -> Table:
    """The second half: one system, topic by topic."""
    table = empty_table(["topic"], ["length", *_LEVELS])
    compared = {line.agreement.name: line.systems.get(system) for line in lines}
    for topic, one in [*compared.items(), ("all", mean_overlap([*compared.values()], ""))]:
        table.add_row(topic, percent(one.length) if one else "-", *_levels(one, value))
    return table


def systems_table(systems: Sequence[Compared], value: Value) -> Table:
    """Systems by what they share with the majority, means over topics, closest first."""
    table = empty_table(["system"], ["length", *_LEVELS])
    for compared in systems:
        table.add_row(compared.author, percent(compared.length), *_levels(compared, value))
    return table


def references_table(references: Sequence[TopicReference]) -> Table:
    """One row per reference; units are numbered from 0."""
    table = empty_table(["topic"], ["informants", "limit", "length", "agreement"])
    table.add_column("units", overflow="fold")
    for votes, reference in references:
        numbers = [f"{float(reference.limit):g}", str(reference.length)]
        cells = [str(votes.ballot.informants), *numbers, percent(reference.agreement)]
        table.add_row(votes.topic.id, *cells, _listed(reference.units))
    return table


def ties_table(tied: Sequence[TopicReference]) -> Table:
    """The tied units, and for each tie rule the units that it takes and not all rules take."""
    ties = {votes.topic.id: reference.tie for votes, reference in tied if reference.tie}
    rules = next(iter(ties.values())).choices
    table = empty_table(["topic", "votes", "tied units", *rules])
    for topic, tie in ties.items():
        common = set.intersection(*map(set, tie.choices.values()))
        chosen = [[u for u in units if u not in common] for units in tie.choices.values()]
        cells = [_listed(units) or "-" for units in chosen]
        table.add_row(topic, f"{plain(tie.votes):g}", _listed(tie.units), *cells)
    return table


def predicted_table(lines: Sequence[Predicted]) -> Table:
    """Each informant compared with the vote of the others."""
    table = empty_table(["informant"], ["topics", "recall", "precision", "f", "chance"])
    for line in lines:
        shares = [percent(100 * share) for share in (*line.shares, line.chance)]
        table.add_row(line.informant, str(line.topics), *shares)
    return table


def stability_table(lines: Sequence[Stability]) -> Table:
    """What stays of the references when an informant is left out, by their length."""
    table = empty_table([], ["length", "stays", "chance", "above chance"])
    for line in lines:
        shares = [percent(100 * share) for share in (line.jaccard, line.chance)]
        table.add_row(f"{line.percent}%", *shares, number(line.corrected, 3))
    return table


def _at(length: Length | TopicLengths) -> str:
    return f"at {length}" if isinstance(length, Length) else "at length"


def _levels(compared: Compared | None, value: Value) -> list[str]:
    if compared is None:
        return ["-"] * 3
    overlap = compared.overlap
    levels = (overlap.sentence, overlap.word, overlap.frequency)
    return [percent(100 * float(getattr(shares, value))) for shares in levels]


def _listed(units: Iterable[int]) -> str:
    return " ".join(map(str, units))


def fraction(percent: float) -> float:
    """What JSON says of a number that tables show in per cent."""
    return percent / 100


def agreement_as_data(agreed: CorpusAgreement) -> dict[str, Any]:
    """Agreement by topic, genre and group, lengths and shares as fractions."""

    def curve(values: Sequence[float]) -> dict[str, float]:
        pairs = zip(PERCENTS, values, strict=True)
        return {f"{fraction(length):g}": fraction(agreement) for length, agreement in pairs}

    return {
        "topics": [
            {
                "topic": topic.row.name,
                **_agreement_row(topic.row),
                "genre": topic.genre,
                "curve": curve(topic.curve),
            }
            for topic in agreed.topics
        ],
        "genres": [
            {"genre": row.name, **_agreement_row(row), "pooled": _pooled_row(pooled)}
            for row, pooled in zip(agreed.genres, agreed.genres_pooled, strict=True)
        ],
        "groups": [
            {"group": row.name, **_agreement_row(row), "pooled": _pooled_row(pooled)}
            for row, pooled in zip(agreed.groups, agreed.groups_pooled, strict=True)
        ],
        "all": _agreement_row(agreed.whole),
        "pooled": {**agreed.pooled._asdict(), "alpha": agreed.pooled_alpha},
        "curve": curve(agreed.curve),
    }


# What the tables of agreement show in per cent, under the names that it has as a fraction.
_IN_PERCENT = {
    name: name
    for name in ("shortest", "longest", "mean", "all_votes", "all_votes_chance", "at_length")
} | {"at_length_chance": "at_length_chance", "percent": "observed", "percent_chance": "expected"}


def _pooled_row(pooled: Pooled) -> dict[str, Any]:
    return {**pooled.kappa._asdict(), "alpha": pooled.alpha}


def _agreement_row(row: Agreement) -> dict[str, Any]:
    data = {name: value for name, value in as_data(row).items() if name != "name"}
    return {
        _IN_PERCENT.get(name, name): (
            fraction(value) if name in _IN_PERCENT and value is not None else value
        )
        for name, value in data.items()
    }


def reference_as_data(topic: TopicReference) -> dict[str, Any]:
    """A reference by majority vote: its units, the votes, and the tie that was broken."""
    votes, reference = topic
    return {
        "topic": votes.topic.id,
        "informants": [extract.informant for extract in votes.extracts],
        "limit": plain(reference.limit),
        "length": reference.length,
        "units": reference.units,
        "agreement": fraction(reference.agreement),
        "votes": [plain(count) for count in reference.ballot.votes],
        "tie": tie_as_data(reference.tie) if reference.tie else None,
    }
