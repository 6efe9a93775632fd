"""A combination of metrics as tables: the weights, and what it is worth."""

from __future__ import annotations

from collections.abc import Sequence

from summetry.errors import counted
from summetry.metaeval.combination import Combined
from summetry.metaeval.cross_validation import CombineSettings
from summetry.records.scores import Column
from summetry.reports.sheets import Heading, Sheet, headings
from summetry.reports.words import COEFFICIENTS, LEVELS


def combination_sheets(
    columns: Sequence[Column],
    dimension: str,
    combined: Combined,
    settings: CombineSettings,
    notes: Sequence[str] = (),
) -> list[Sheet]:
    """The metrics with their weights, and the cross-validated coefficients."""
    what = f"{COEFFICIENTS[settings.coefficient]}, {LEVELS[settings.level]}"
    folds = combined.system_folds * combined.topic_folds
    measures = Sheet(
        "weights",
        f"Metrics against {dimension}, and their weights in the best combination ({what})",
        headings(
            "metric",
            "alone",
            Heading("standardised", "weight, standardised"),
            Heading("weight", "weight", 6),
            Heading("used", "weighted in folds"),
            Heading("chosen", "best alone in folds"),
        ),
        tuple(
            zip(
                (column.name for column in columns),
                combined.singles,
                combined.fit.standardised.tolist(),
                combined.fit.raw.tolist(),
                combined.used,
                combined.chosen,
                strict=True,
            )
        ),
        (f"constant {combined.fit.constant:g}", *notes, _size(combined)),
    )
    gains = {
        "best single, chosen in the folds": combined.gain,
        "best single, in hindsight": combined.hindsight,
    }
    worth = Sheet(
        "gain",
        f"Judged on systems and topics that no weight has seen, in {folds} folds ({what})",
        headings(
            "compared_with", "single", "combination", "gain", Heading("p", digits=4, is_p=True)
        ),
        tuple((name, g.single, g.combination, g.value, g.p) for name, g in gains.items()),
        tuple(_worth(combined, settings)),
    )
    return [measures, worth]


def _size(combined: Combined) -> str:
    size = f"{combined.systems:,} systems, {combined.topics:,} topics, {combined.cells:,} summaries"
    if combined.missing:
        size += f"; {combined.missing:,} without all values and a judgment are left out"
    return size


def _worth(combined: Combined, settings: CombineSettings) -> list[str]:
    systems = (
        "each system is a fold"
        if combined.system_folds == combined.systems
        else f"{combined.system_folds} folds of systems"
    )
    folds = f"{systems}, {combined.topic_folds} folds of topics"
    if combined.reason:
        return [folds, f"no p: {combined.reason}"]
    draws = (
        f"all {combined.draws:,} ways"
        if combined.exact
        else f"{counted(combined.draws, 'permutation')}, seed {settings.seed}"
    )
    return [
        folds,
        f"p: how often chance gains as much, if no metric adds to the best one ({draws})",
    ]
