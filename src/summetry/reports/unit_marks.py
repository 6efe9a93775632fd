"""Tables of how far others, or rules, agree with people on content units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from rich.table import Table

from summetry import spec
from summetry.metaeval.unit_marks import CANDIDATES, Fitted, MarksAgreement
from summetry.metrics.pyramid.units import THRESHOLDS, By
from summetry.reports.tables import empty_table, number, plain_table


def agreement_table(agreed: MarksAgreement) -> Table:
    """One row for each number."""
    rows = {
        "marks": f"{agreed.marks:,} on {agreed.units:,} units in {agreed.summaries:,} summaries",
        "people say yes": _percent(agreed.people),
        "the others say yes": _percent(agreed.other),
        "both say the same": _percent(agreed.equal),
        "kappa": number(agreed.kappa, 3) + _interval(agreed),
        "kappa by unit": f"{number(agreed.by_unit, 3)} (mean of {agreed.units_defined:,})",
        "scores of systems": _both(agreed.system_pearson, agreed.system_tau_b),
        "scores of summaries": _both(agreed.summary_pearson, agreed.summary_tau_b),
    }
    return plain_table(["what", "value"], [list(row) for row in rows.items()])


def fitted_table(fitted: Sequence[Fitted]) -> Table:
    """One row per rule, judged on topics that its threshold was not chosen by."""
    headings = ("kappa", "low", "high", "by unit", "system r", "summary r")
    table = empty_table(["metric", "threshold", "in folds"], headings)
    for one in fitted:
        unseen, least, most = one.unseen, min(one.folds), max(one.folds)
        numbers = (unseen.kappa, unseen.low, unseen.high, unseen.by_unit,
                   unseen.system_pearson, unseen.summary_pearson)  # fmt: skip
        folds = f"{least:g}" if least == most else f"{least:g} to {most:g}"
        table.add_row(
            one.metric, f"{one.threshold:g}", folds, *(number(value, 3) for value in numbers)
        )
    return table


def candidates_table(fitted: Sequence[Fitted]) -> Table:
    """Kappa on all topics by threshold."""
    table = empty_table(["threshold"], [one.metric for one in fitted])
    for threshold in CANDIDATES:
        kappas = [number(one.kappas[threshold], 3) for one in fitted]
        table.add_row(f"{threshold:g}", *kappas)
    return table


class Recommended(NamedTuple):
    """The rule to use, and why it is not the one with the highest kappa, if it is not."""

    fitted: Fitted
    reason: str = ""


def recommended(fitted: Sequence[Fitted]) -> Recommended:
    """The rule with the highest kappa; or the best one by overlap, if its kappa is within the
    interval of the highest: vectors favour short summaries, so they must be clearly better."""
    best = max(fitted, key=lambda one: one.unseen.kappa)
    plain = [one for one in fitted if _by(one) == "overlap"]
    if _by(best) == "overlap" or not plain:
        return Recommended(best)
    other = max(plain, key=lambda one: one.unseen.kappa)
    why = "vectors favour short summaries"
    if math.isnan(best.unseen.low):
        return Recommended(
            other, f"without --draws nothing says that vectors are clearly better, and {why}"
        )
    if other.unseen.kappa < best.unseen.low or other.unseen.kappa > best.unseen.high:
        return Recommended(best)
    kappas = f"{number(other.unseen.kappa, 3)} is within {_interval(best.unseen).strip(' ()')}"
    return Recommended(
        other, f"overlap and vectors do not differ clearly (kappa {kappas}), and {why}"
    )


def _by(fitted: Fitted) -> By:
    return "vectors" if spec.parse(fitted.metric).options.get("by") == "vectors" else "overlap"


def to_use(fitted: Fitted) -> str:
    """The spelling of a metric with its fitted threshold, where that is not the default."""
    asked = spec.parse(fitted.metric)
    options = {key: value for key, value in asked.options.items() if key != "threshold"}
    if fitted.threshold != THRESHOLDS[_by(fitted)]:
        options["threshold"] = fitted.threshold
    return str(spec.Spec(asked.name, options))


def _percent(share: float) -> str:
    return f"{number(100 * share, 1)} %"


def _interval(agreed: MarksAgreement) -> str:
    if agreed.low != agreed.low:
        return ""
    return f" ({number(agreed.low, 3)} to {number(agreed.high, 3)})"


def _both(pearson: float, tau_b: float) -> str:
    return f"Pearson {number(pearson, 3)}, Kendall tau-b {number(tau_b, 3)}"
