"""A combination of measures as tables: the weights, and what it is worth."""

from __future__ import annotations

from collections.abc import Sequence

from summetry.metaeval.combination import Combined
from summetry.metaeval.cross_validation import CombineSettings
from summetry.records.scores import Column
from summetry.reports.sheets import Heading, Sheet, headings
from summetry.reports.words import COEFFICIENTS


def combination_sheets(
    columns: Sequence[Column],
    dimension: str,
    found: Combined,
    settings: CombineSettings,
    notes: Sequence[str] = (),
) -> list[Sheet]:
    """The measures with their weights, and the cross-validated coefficients."""
    what = f"{COEFFICIENTS[settings.coefficient]}, level {settings.level}"
    folds = found.system_folds * found.topic_folds
    measures = Sheet(
        "weights",
        f"Measures of {dimension}, and their weights in the best combination ({what})",
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
                found.singles,
                found.fit.standardised.tolist(),
                found.fit.raw.tolist(),
                found.used,
                found.chosen,
                strict=True,
            )
        ),
        (f"constant {found.fit.constant:g}", *notes, _size(found)),
    )
    rows = [
        (name, gain.single, gain.combination, gain.value, gain.p)
        for name, gain in (
            ("best single, chosen in the folds", found.gain),
            ("best single, in hindsight", found.hindsight),
        )
    ]
    worth = Sheet(
        "gain",
        f"Judged on systems and topics that no weight has seen, in {folds} folds ({what})",
        headings(
            "compared_with", "single", "combination", "gain", Heading("p", digits=4, is_p=True)
        ),
        tuple(rows),
        tuple(_worth(found, settings)),
    )
    return [measures, worth]


def _size(found: Combined) -> str:
    size = f"{found.systems} systems, {found.topics} topics, {found.cells} summaries"
    if found.missing:
        size += f"; {found.missing} without all values and a mark are left out"
    return size


def _worth(found: Combined, settings: CombineSettings) -> list[str]:
    systems = (
        "each system is a fold"
        if found.system_folds == found.systems
        else f"{found.system_folds} folds of systems"
    )
    folds = f"{systems}, {found.topic_folds} folds of topics"
    if found.reason:
        return [folds, f"no p: {found.reason}"]
    draws = (
        f"all {found.draws} ways" if found.exact else f"{found.draws} draws, seed {settings.seed}"
    )
    return [
        folds,
        f"p: how often chance gains as much, if no measure tells more than the best one ({draws})",
    ]
