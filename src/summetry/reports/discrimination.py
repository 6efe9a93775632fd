"""Verdicts of metrics and of people as tables, and in the layout of NIST's results.

a  both find a significant difference, in the same direction
b  the metric finds one, people do not
c  people find one, the metric does not
d  neither does
e  both do, in opposite directions
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from summetry.errors import counted
from summetry.metaeval.discrimination import DiscriminateSettings, VerdictAgreement
from summetry.metaeval.notes import least_permutation_p, note_unreachable_alpha
from summetry.metaeval.selection import JudgedScores
from summetry.reports.sheets import Heading, Sheet, headings, without_columns
from summetry.reports.words import heading_of
from summetry.stats.contrasts import MOST_EXACT
from summetry.stats.significance import is_significant

TESTS = {
    "tukey": "analysis of variance and Tukey's test, one alpha for all pairs",
    "t": "paired t-tests, alpha for each pair",
    "permutation": "paired permutation tests, alpha for each pair",
}
LEGEND = (
    "a both significant, same direction; b the metric only; c people only; d neither; e both, "
    "opposite directions"
)


class VerdictTable(NamedTuple):
    """What stands in one table: all dimensions of a protocol and part, by one test."""

    title: str
    parts: Sequence[JudgedScores]
    settings: DiscriminateSettings
    results: Sequence[VerdictAgreement]


def discrimination_sheets(tables: Sequence[VerdictTable]) -> list[Sheet]:
    """A sheet per table, which says in its name and title what it is of where there are several."""
    several_tests = len({table.settings.test for table in tables}) > 1
    sheets = []
    for table in tables:
        first, test = table.parts[0], table.settings.test
        words = [first.protocol, first.part, test] if len(tables) > 1 else []
        name = "_".join(filter(None, ["discrimination", *words])).replace(" ", "_")
        which = heading_of(table.title, test if several_tests else "")
        question = "Do metrics find the differences between systems that people find?"
        title = f"{question} ({which})" if which else question
        notes = [note for part in table.parts for note in (*part.grid.notes, *part.notes)]
        sheets.append(discrimination_sheet(name, title, table.results, table.settings, notes))
    return sheets


def printed_discrimination(sheets: Sequence[Sheet]) -> list[Sheet]:
    """The sheets for a terminal: disagreements are what is left, and often no pair is left out."""
    return [without_columns(sheet, ["disagreements"], ["left_out"]) for sheet in sheets]


def discrimination_sheet(
    name: str,
    title: str,
    results: Sequence[VerdictAgreement],
    settings: DiscriminateSettings,
    notes: Sequence[str] = (),
) -> Sheet:
    """Agreements and disagreements, one row per value and dimension, the best first."""
    dimensions = list(dict.fromkeys(result.dimension for result in results))
    ordered = sorted(
        results, key=lambda one: (dimensions.index(one.dimension), one.rank is None, one.rank or 0)
    )
    ranked = [result for result in results if result.rank is not None]
    return Sheet(
        name,
        title,
        headings(
            "dimension",
            "metric",
            *"abcde",
            Heading("agreements", "agree"),
            "rank",
            Heading("disagreements", "disagree"),
            "found",
            Heading("false_discoveries", "false"),
            "left_out",
        ),
        tuple(
            (
                result.dimension,
                result.column.name,
                *counts[:5],
                counts.agreements,
                result.rank,
                counts.disagreements,
                counts.found,
                counts.false_discoveries,
                counts.left_out,
            )
            for result in ordered
            for counts in [result.counts]
        ),
        (LEGEND, *_notes(ranked, settings), *dict.fromkeys(notes)),
    )


def nist_layout(tables: Sequence[VerdictTable]) -> str:
    """The counts of each table as NIST printed them, under its title where there are several."""
    if len(tables) == 1:
        return nist_counts(tables[0].results)
    return "\n\n".join(
        f"{heading_of(table.title, table.settings.test)}\n\n{nist_counts(table.results)}"
        for table in tables
    )


def nist_counts(results: Sequence[VerdictAgreement]) -> str:
    """Each value's counts as NIST printed them: rows ``a b 0``, ``c d 0``, ``0 0 e``.

    Null judges are not among them.
    """
    return "\n\n".join(
        f"{result.column.name}\n{result.dimension}\n{a} {b} 0\n{c} {d} 0\n0 0 {e}"
        for result in results
        if result.rank is not None
        for a, b, c, d, e in [result.counts[:5]]
    )


def _notes(results: Sequence[VerdictAgreement], settings: DiscriminateSettings) -> list[str]:
    pairs = _span({sum(result.counts) for result in results}, "pair")
    whose = "a candidate and a reference" if settings.pairs != "all" else "systems"
    notes = [f"{TESTS[settings.test]}; alpha {settings.alpha:g}; {pairs} of {whose}"]
    if settings.test == "permutation":
        notes += dict.fromkeys(note for one in results for note in _signs(one, settings))
    if not any(sum(result.counts[:5]) for result in results):
        notes.append("no pair has a verdict: two systems with two topics in common are needed")
    alike = [
        result.column.name
        for result in results
        if not (math.isnan(result.anova) or is_significant(result.anova, settings.alpha))
    ]
    if alike:
        names = ", ".join(dict.fromkeys(alike))
        notes.append(f"no difference at all by the analysis of variance: {names}")
    missing = {result.missing for result in results}
    if missing != {0}:
        notes.append(f"without a score or a judgment: {_span(missing, 'summary')} per row")
    return notes


def _signs(result: VerdictAgreement, settings: DiscriminateSettings) -> list[str]:
    """How signs were reversed, and whether that could show anything."""
    topics, counts = result.topics, result.counts
    limit, remedy = f"{settings.draws:,} permutations", "more --draws"
    note = f"{limit}, seed {settings.seed}"
    if topics <= MOST_EXACT:
        limit, remedy = f"{topics} topics", "more topics"
        note = f"all permutations of the signs of {limit}"
    # Where few of many topics differ all signs are counted, and p is below what draws can give.
    if any((counts.both, counts.metric_only, counts.people_only, counts.opposite)):
        return [note]
    least = least_permutation_p(topics, settings.draws)
    return [note, *note_unreachable_alpha(least, 1, settings.alpha, limit, remedy)]


def _span(numbers: set[int], noun: str) -> str:
    low, high = min(numbers, default=0), max(numbers, default=0)
    return f"{low:,} to " * (low < high) + counted(high, noun)
