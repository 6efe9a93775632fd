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

from summetry.metaeval.discrimination import Deciding, Discriminating
from summetry.reports.sheets import Heading, Sheet, headings
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


def discrimination_sheet(
    name: str, title: str, lines: Sequence[Discriminating], deciding: Deciding
) -> Sheet:
    """Agreements and disagreements, one line a value and dimension, the best first."""
    dimensions = list(dict.fromkeys(line.dimension for line in lines))
    ordered = sorted(lines, key=lambda line: (dimensions.index(line.dimension), line.rank))
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
        tuple(_row(line) for line in ordered),
        (LEGEND, *_notes(lines, deciding)),
    )


def nist_layout(lines: Sequence[Discriminating]) -> str:
    """Each value's counts as NIST printed them: rows ``a b 0``, ``c d 0``, ``0 0 e``."""
    return "\n\n".join(
        f"{line.column.name}\n{line.dimension}\n{a} {b} 0\n{c} {d} 0\n0 0 {e}"
        for line in lines
        for a, b, c, d, e in [line.counts[:5]]
    )


def _row(line: Discriminating) -> tuple[str | int | float | None, ...]:
    found = line.counts
    return (
        line.dimension,
        line.column.name,
        *found[:5],
        found.agreements,
        line.rank,
        found.disagreements,
        found.found,
        found.false_discoveries,
        found.left_out,
    )


def _notes(lines: Sequence[Discriminating], deciding: Deciding) -> list[str]:
    pairs = {sum(line.counts) for line in lines}
    whose = "a peer and a model" if deciding.pairs == "peers_models" else "systems"
    told = [f"{TESTS[deciding.test]}; alpha {deciding.alpha:g}; {_span(pairs)} pairs of {whose}"]
    if deciding.test == "permutation":
        told += dict.fromkeys(
            _signs(line.topics, deciding, _has_difference(line)) for line in lines
        )
    if not any(sum(line.counts[:5]) for line in lines):
        told.append("no pair has a verdict: two systems with two topics in common are needed")
    tested = [line for line in lines if not math.isnan(line.anova)]
    alike = [line.column.name for line in tested if not is_significant(line.anova, deciding.alpha)]
    if alike:
        names = ", ".join(dict.fromkeys(alike))
        told.append(f"no difference at all by the analysis of variance: {names}")
    missing = {line.missing for line in lines}
    if missing != {0}:
        told.append(f"without a score or a mark: {_span(missing)} summaries a line")
    return told


def _has_difference(line: Discriminating) -> bool:
    """Whether the metric or people found a pair that differs."""
    found = line.counts
    return any((found.both, found.metric_only, found.people_only, found.opposite))


def _signs(topics: int, deciding: Deciding, has_difference: bool) -> str:
    """How signs were turned, and whether that could show anything."""
    told = f"{deciding.draws} draws, seed {deciding.seed}"
    if topics <= MOST_EXACT:
        told = f"all ways to turn the signs of {topics} topics"
    least = deciding.least_p(topics)
    # Where few of many topics differ all signs are counted, and p is below what draws can give.
    if is_significant(least, deciding.alpha) or has_difference:
        return told
    return f"{told}: no p is below {least:g}, so nothing can be significant"


def _span(numbers: set[int]) -> str:
    low, high = min(numbers, default=0), max(numbers, default=0)
    return str(low) if low == high else f"{low} to {high}"
