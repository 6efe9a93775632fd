"""Tables on sentence rankers and labelled sentences."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from summetry.errors import counted
from summetry.reports.agreement import percent
from summetry.reports.tables import empty_table, number
from summetry.stats.agreement import mean_defined
from summetry.tasks.ranking import RankerComparison, RankingEvaluation, Selected, added


def precision_table(evaluation: RankingEvaluation) -> Table:
    """Table 1 of Kennedy and Szpakowicz (2010): macro-average precision, best first."""
    table = empty_table(["ranker"], ["stable", "expected"])
    # Equal ones stay in the order given.
    for scores in sorted(evaluation.rankers, key=lambda scores: -scores.macro("stable")):
        table.add_row(scores.ranker, *(number(scores.macro(t)) for t in ("stable", "expected")))
    chance = number(mean_defined(evaluation.by_chance))
    table.add_row("(any order, on average)", chance, chance)
    return table


def comparison_table(pairs: Sequence[RankerComparison]) -> Table:
    """Each pair of rankers with both tests."""
    table = empty_table(
        ["ranker", "against"], ["difference", "t", "df", "p of t", "p by permutation"]
    )
    for pair in pairs:
        t, df, p = pair.t_test
        cells = [number(pair.permutation.difference), number(t, 2), number(df, 0)]
        table.add_row(pair.first, pair.second, *cells, _p(p), _p(pair.permutation.p))
    return table


def summaries_table(evaluation: RankingEvaluation, lower_bound: bool = False) -> Table:
    """Table 2 of the paper: what is in the summaries of all topics together."""
    scores, scus, kinds = ["total score", "unique score"], ["SCUs", "unique"], ["positive"]
    kinds += ["negative", "unlabelled"] if lower_bound else ["negative"]
    table = empty_table(["ranker"], [*scores, *scus, "unique share", *kinds])
    for ranker in evaluation.rankers:
        whole = added(ranker.lower_bound if lower_bound else ranker.summaries)
        table.add_row(ranker.ranker, *_counts(whole), *([str(whole.unlabelled)] * lower_bound))
    return table


def redundancy_table(evaluation: RankingEvaluation) -> Table:
    """The share of unique SCUs by the length of the summaries."""
    lengths = list(evaluation.rankers[0].by_length)
    table = empty_table(["ranker"], [counted(length, "word") for length in lengths])
    for ranker in evaluation.rankers:
        shares = (added(ranker.by_length[length]).unique_share for length in lengths)
        table.add_row(ranker.ranker, *(percent(100 * share) for share in shares))
    return table


def _counts(whole: Selected) -> list[str]:
    scores = [f"{score:,.10g}" for score in (whole.total_score, whole.unique_score)]
    counts = [f"{count:,}" for count in (whole.total_scus, whole.unique_scus)]
    kinds = [f"{count:,}" for count in (whole.positive, whole.negative)]
    return [*scores, *counts, percent(100 * whole.unique_share), *kinds]


def _p(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else number(p)
