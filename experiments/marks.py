"""How well values follow the marks of people, system by system, and how sure that is."""

from __future__ import annotations

from script_parts import Row

from summetry.errors import SummetryError, did_you_mean
from summetry.metaeval.correlation_tables import COEFFICIENTS
from summetry.metaeval.grids import dimensions_of, grid_of, judgments_of
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, ScoreTable
from summetry.stats.levels import correlate
from summetry.stats.resampling import bootstrap


def choose_dimension(corpus: Corpus, wanted: str | None) -> str:
    """The dimension of the marks that is asked for, or the only one that there is."""
    known = dimensions_of(corpus)
    if not known:
        raise SummetryError("the corpus has no judgments; judgments.jsonl would give some")
    if wanted is None and len(known) > 1:
        raise SummetryError(f"name one with --dimension; the corpus has: {', '.join(known)}")
    if wanted is not None and wanted not in known:
        hint = did_you_mean(wanted, known)
        raise SummetryError(
            f"no mark is on the dimension {wanted!r}.{hint} The corpus has: {', '.join(known)}"
        )
    return wanted or known[0]


def correlations(
    table: ScoreTable, corpus: Corpus, dimension: str, resamples: int, seed: int
) -> dict[Column, Row]:
    """Correlations of every column with the marks on one dimension, over the systems' means.

    ``low`` and ``high`` are the ends of the 95 % interval of Pearson's r when the topics are drawn
    anew, with repeats, as often as ``resamples`` says; all columns meet the same draws.
    """
    grid = grid_of(table)
    people = judgments_of(corpus, dimension, grid).means()
    rows: dict[Column, Row] = {}
    for column, values in zip(grid.columns, grid.values, strict=True):
        pearson, spearman, kendall = (
            correlate(values, people, "system", name) for name in COEFFICIENTS
        )
        drawn = bootstrap(values, people, "system", "pearson", "topics", draws=resamples, seed=seed)
        rows[column] = {
            "systems": pearson.size,
            "pearson": pearson.value,
            "low": drawn.low,
            "high": drawn.high,
            "spearman": spearman.value,
            "kendall": kendall.value,
        }
    return rows
