"""How well values follow the marks of people, system by system, and how sure that is."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np
from numpy.typing import NDArray
from script_parts import Row

from summetry.errors import SummetryError, did_you_mean
from summetry.metaeval.correlations import follow_marks
from summetry.model.corpus import Corpus
from summetry.model.scores import Column, ScoreTable

Floats = NDArray[np.float64]

# The interval holds this share of the correlations of all resamples.
CONFIDENCE = 0.95


def choose_dimension(corpus: Corpus, wanted: str | None) -> str:
    """The dimension of the marks that is asked for, or the only one that there is."""
    known = list(dict.fromkeys(judgment.dimension for judgment in corpus.judgments))
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

    ``low`` and ``high`` are the ends of the interval of Pearson's r when the topics are drawn
    anew, with repeats, as often as ``resamples`` says; all columns meet the same draws.
    """
    marks = _marks(table, corpus, dimension)
    draws = _draws(marks.shape[1], resamples, seed)
    found = {}
    for line in follow_marks(table, corpus):
        if line.dimension != dimension:
            continue
        values = _by_system(table, table.column(line.column.name))
        low, high = interval(values, marks, draws)
        numbers = {"pearson": line.pearson, "low": low, "high": high}
        found[line.column] = {
            "systems": line.systems,
            **numbers,
            "spearman": line.spearman,
            "kendall": line.kendall,
        }
    return found


def interval(values: Floats, marks: Floats, draws: Floats) -> tuple[float, float]:
    """The middle of Pearson's r over the draws; ``values`` and ``marks`` are systems by topics.

    A draw says how often each topic is taken. Topics without a value or a mark are left out; a
    draw in which r is undefined too.
    """
    there = ~np.isnan(values) & ~np.isnan(marks)
    count = draws @ there.T
    x, y = (draws @ np.where(there, numbers, 0.0).T for numbers in (values, marks))
    found = _pearson_of_rows(x, y, count)
    found = np.sort(found[~np.isnan(found)])
    if not len(found):
        return math.nan, math.nan
    low, high = np.quantile(found, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)


def _pearson_of_rows(x: Floats, y: Floats, count: Floats) -> Floats:
    """Pearson's r of x / count and y / count, row by row, over the places with a count."""
    held = count > 0
    systems = np.maximum(held.sum(axis=1, keepdims=True), 1)
    centred = []
    for sums in (x, y):
        means = np.divide(sums, count, out=np.zeros(sums.shape), where=held)
        off = np.where(held, means - means.sum(axis=1, keepdims=True) / systems, 0.0)
        # What differs by rounding only is constant, as in summetry.stats.correlation.
        size = np.abs(means).max(axis=1, keepdims=True)
        centred.append(np.where(np.abs(off).max(axis=1, keepdims=True) <= 1e-12 * size, 0.0, off))
    a, b = centred
    below = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    found = np.full(len(a), np.nan)
    np.divide((a * b).sum(axis=1), below, out=found, where=below > 0)
    return np.clip(found, -1.0, 1.0)


def _draws(topics: int, resamples: int, seed: int) -> Floats:
    """How often each topic is taken in each resample."""
    picked = np.random.default_rng(seed).integers(0, max(topics, 1), (resamples, topics))
    rows = np.repeat(np.arange(resamples), topics)
    size = resamples * topics
    counts = np.bincount(rows * topics + picked.reshape(-1), minlength=size)
    return counts.reshape(resamples, topics).astype(np.float64)


def _marks(table: ScoreTable, corpus: Corpus, dimension: str) -> Floats:
    given: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for judgment in corpus.judgments:
        if judgment.dimension == dimension:
            given[judgment.topic, judgment.author].append(corpus.mark(judgment))
    means = {key: math.fsum(marks) / len(marks) for key, marks in given.items()}
    column = np.array([means.get((row.topic, row.author), math.nan) for row in table.rows])
    return _by_system(table, column)


def _by_system(table: ScoreTable, column: Floats) -> Floats:
    """A column as systems by topics, NaN where a system has no summary of a topic."""
    systems = {author: i for i, author in enumerate(table.authors())}
    topics = {topic: i for i, topic in enumerate(dict.fromkeys(row.topic for row in table.rows))}
    found = np.full((len(systems), len(topics)), np.nan)
    rows = [systems[row.author] for row in table.rows]
    found[rows, [topics[row.topic] for row in table.rows]] = column
    return found
