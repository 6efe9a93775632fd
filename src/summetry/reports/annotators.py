"""Tables of how far annotators agree on content units."""

from __future__ import annotations

from rich.table import Table

from summetry.metaeval.annotators import AnnotatorsAgreement
from summetry.reports.agreement import percent
from summetry.reports.tables import empty_table, number, plain_table


def marks_table(agreed: AnnotatorsAgreement) -> Table:
    """How much several annotators marked, and how often two of them say the same."""
    coefficients = agreed.coefficients
    rows = {
        "annotators": f"{agreed.annotators:,}",
        "summaries": f"{agreed.summaries:,}",
        "marks": f"{agreed.marks:,}",
        "marks that say yes": percent(100 * agreed.yes),
        "pairs agree": percent(100 * coefficients.agreement),
        "by chance": percent(100 * coefficients.chance),
    }
    return plain_table(["what", "value"], [list(row) for row in rows.items()])


def coefficients_table(agreed: AnnotatorsAgreement) -> Table:
    """The coefficients with their intervals."""
    table = empty_table(["coefficient"], ["value", "low", "high"])
    names = {"fleiss": "Fleiss' kappa", "weighted": "Cohen's kappa", "alpha": "alpha"}
    for name, shown in names.items():
        table.add_row(shown, *(number(v, 3) for v in getattr(agreed.coefficients, name)))
    return table


def pairs_table(agreed: AnnotatorsAgreement) -> Table:
    """Each pair of annotators: their marks, and how far their scores go together."""
    correlations = ["system r", "tau-b", "summary r", "tau-b"]
    headings = ["marks", "equal", "kappa", "summaries", *correlations]
    table = empty_table(["annotator", "and"], headings)
    for pair in agreed.pairs:
        numbers = (pair.system_pearson, pair.system_tau_b, pair.summary_pearson, pair.summary_tau_b)
        table.add_row(
            pair.first,
            pair.second,
            f"{pair.marks:,}",
            percent(100 * pair.equal),
            number(pair.kappa, 3),
            f"{pair.summaries:,}",
            *(number(value, 3) for value in numbers),
        )
    return table


def scores_table(agreed: AnnotatorsAgreement) -> Table:
    """The mean score of each system by the marks of each annotator, and by each rule."""
    names = list(next(iter(agreed.scores.values()), ()))
    table = empty_table(["system"], names)
    for system, scores in agreed.scores.items():
        table.add_row(system, *(number(value, 4) for value in scores.values()))
    return table
