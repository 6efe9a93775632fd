"""The alternative-annotator test: a judge beside null judges, and against each annotator."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

from summetry.formats.judge_tables import AltTestTables, AnnotatorRow, JudgeRow
from summetry.reports.pictures.drawing import Axis, element, shown
from summetry.reports.pictures.picture import Picture
from summetry.reports.pictures.rows import Group, Panel, Row, described, drawn_rows
from summetry.reports.sheets import Heading, Sheet, headings
from summetry.reports.verdicts import printed_p

Tested = TypeVar("Tested", JudgeRow, AnnotatorRow)
_ADVANTAGE = "Average advantage"


def null_judges_picture(tables: AltTestTables) -> Picture:
    """The average advantage of each judge, and that of the null judges below it."""
    grouped = _groups(tables.judges.rows)
    groups = tuple(
        Group(heading, tuple(_beside(row, tables.settings.alpha) for row in rows))
        for heading, rows in grouped
    )
    content, size = drawn_rows([Panel(groups, (0.0, 1.0), _ADVANTAGE, 5)], ("Judge", "Wins", ""))
    title = f"{_judges(tables.judges.rows)} beside null judges"
    sheet = Sheet(
        "alt-test",
        title,
        headings(
            "judge", "dimension", "tested", "winning_rate", "advantage", "behind",
            Heading("p", is_p=True), "beaten",
        ),
        tuple(
            (r.judge, _dimension(r), r.tested, r.winning_rate, r.advantage, r.behind, r.p, r.beaten)
            for r in tables.judges.rows
        ),
        tables.judges.notes,
    )  # fmt: skip
    return Picture(
        described(title, groups),
        "Advantage: how often a judge is as near to the other annotators as the one who is left "
        "out, or nearer. Wins: the share of annotators against whom it wins; from 0.5 on it "
        "passes. In colour: the judge. Grey: a null judge, which knows nothing of how good a "
        "summary is; hollow where the judge was not found to be better than it.",
        size,
        content,
        sheet,
    )


def annotators_picture(tables: AltTestTables) -> Picture:
    """How far each annotator is ahead of the judge, beside what is allowed."""
    epsilon, rows = tables.settings.epsilon, tables.annotators.rows
    groups = tuple(
        Group(heading, tuple(_ahead(row, tables.settings.alpha) for row in own), epsilon)
        for heading, own in _groups([row for row in rows if not math.isnan(_lead(row))])
    )
    numbers = (0.0, epsilon, *(_lead(row) for row in rows))
    panel = Panel(groups, numbers, "Annotator's advantage minus judge's")
    content, size = drawn_rows([panel], ("Annotator", "Ahead", ""))
    title = f"{_judges(rows)} against each annotator"
    sheet = Sheet(
        "alt-test-annotators",
        title,
        headings(
            "judge", "dimension", "annotator", "instances", "advantage", "annotator_advantage",
            "ahead", Heading("corrected_p", is_p=True), "wins",
        ),
        tuple(
            (
                r.judge, _dimension(r), r.annotator, r.instances, r.advantage,
                r.annotator_advantage, _lead(r), r.corrected_p, r.wins,
            )
            for r in rows
        ),
        tables.annotators.notes,
    )  # fmt: skip
    return Picture(
        described(title, groups),
        "By how much more often the annotator is as near to the others as the judge, or nearer; "
        f"left of 0 the judge is ahead. Dashed: epsilon = {epsilon:g}, what people may be ahead. "
        "Filled: the judge wins, as the annotator is ahead by significantly less than epsilon; "
        "hollow: it does not.",
        size,
        content,
        sheet,
    )


def _beside(row: JudgeRow, alpha: float) -> Row:
    kind = {None: "dot", "yes": "unclear", "no": "below"}[row.beaten]
    about = (
        f"{row.tested}: advantage {shown(row.advantage)}, winning rate {shown(row.winning_rate, 2)}"
    )
    if row.behind is not None:
        p = "" if row.p is None else f", p {printed_p(row.p, alpha)}"
        verdict = "beaten" if row.beaten == "yes" else "not beaten"
        about += f", {shown(row.behind)} behind the judge{p}, {verdict}"

    def marks(axis: Axis, y: float) -> str:
        radius = 5.5 if kind == "dot" else 5
        return element("circle", class_=kind, cx=axis.at(row.advantage), cy=y, r=radius)

    return Row(row.tested, shown(row.winning_rate, 2), about, marks)


def _ahead(row: AnnotatorRow, alpha: float) -> Row:
    lead, wins = _lead(row), row.wins == "yes"
    assert row.corrected_p is not None
    about = (
        f"{row.annotator}: ahead by {shown(lead)}, corrected p "
        f"{printed_p(row.corrected_p, alpha)}, the judge {'wins' if wins else 'does not win'}"
    )

    def marks(axis: Axis, y: float) -> str:
        kind = "dot" if wins else "below"
        return element("circle", class_=kind, cx=axis.at(lead), cy=y, r=5)

    return Row(row.annotator, shown(lead, 2), about, marks)


def _lead(row: AnnotatorRow) -> float:
    """By how much the annotator is ahead; NaN where the instances are too few."""
    if row.advantage is None or row.annotator_advantage is None or row.corrected_p is None:
        return math.nan
    return row.annotator_advantage - row.advantage


def _groups(rows: Sequence[Tested]) -> list[tuple[str, list[Tested]]]:
    """The rows of each judge and dimension, under headings that tell them apart."""
    grouped: dict[tuple[str, str], list[Tested]] = {}
    for row in rows:
        grouped.setdefault((row.judge, _dimension(row)), []).append(row)
    has_judges = len({judge for judge, _ in grouped}) > 1
    return [
        (f"{judge}, {dimension}" if has_judges else dimension, own)
        for (judge, dimension), own in grouped.items()
    ]


def _dimension(row: JudgeRow | AnnotatorRow) -> str:
    return row.dimension.replace("+", " + ")


def _judges(rows: Sequence[JudgeRow | AnnotatorRow]) -> str:
    judges = {row.judge for row in rows}
    return judges.pop() if len(judges) == 1 else "Judges"
