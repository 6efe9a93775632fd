"""Correlations with marks: a plain loop over resamples against the array code."""

import math
import statistics

import marks
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from marked_tables import grid_marks, grid_scores, judged_corpus
from scipy.stats import pearsonr

import summetry
from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment

numbers = st.one_of(st.just(math.nan), st.integers(0, 4).map(float))
tables = st.tuples(st.integers(1, 4), st.integers(1, 5)).flatmap(
    lambda shape: st.tuples(
        *(
            st.lists(st.lists(numbers, min_size=shape[1], max_size=shape[1]), min_size=shape[0],
                     max_size=shape[0])
            for _ in range(2)
        ),
    )
)  # fmt: skip


def slow_r(values, wanted, draw):
    """Pearson's r of the systems' means over the topics of a draw, as a person would do it."""
    x, y = [], []
    for row, given_marks in zip(values, wanted, strict=True):
        pairs = [
            (value, mark)
            for value, mark, times in zip(row, given_marks, draw, strict=True)
            for _ in range(times)
            if not math.isnan(value) and not math.isnan(mark)
        ]
        if pairs:
            x.append(statistics.fmean(value for value, _ in pairs))
            y.append(statistics.fmean(mark for _, mark in pairs))
    if len(x) < 2 or max(x) - min(x) < 1e-9 or max(y) - min(y) < 1e-9:
        return math.nan
    return pearsonr(x, y).statistic


@given(tables, st.integers(0, 100))
def test_the_interval_is_that_of_a_loop_over_the_draws(case, seed):
    values, wanted = case
    assume(any(mark == mark for line in wanted for mark in line))
    topics = len(values[0])
    draws = np.random.default_rng(seed).integers(0, topics, (8, topics))
    counts = [np.bincount(draw, minlength=topics).tolist() for draw in draws]
    rs = [slow_r(values, wanted, count) for count in counts]
    defined = [r for r in rs if not math.isnan(r)]
    corpus = judged_corpus(grid_marks({"j": wanted}))
    (row,) = marks.correlations(grid_scores({"m": values}), corpus, "quality", 8, seed).values()
    if defined:
        assert row["low"] == pytest.approx(np.quantile(defined, 0.025), abs=1e-9)
        assert row["high"] == pytest.approx(np.quantile(defined, 0.975), abs=1e-9)
    else:
        assert math.isnan(row["low"]) and math.isnan(row["high"])


def test_correlations_of_the_demo_corpus_are_those_of_means_worked_out_here(demo):
    table = summetry.evaluate(demo, ["cosine"])
    result = marks.correlations(table, demo, "responsiveness", resamples=200, seed=0)
    (row,) = result.values()
    given_marks, values = {}, {}
    for judgment in demo.judgments:
        if judgment.dimension == "responsiveness":
            given_marks.setdefault(judgment.author, []).append(judgment.value)
    for place, value in zip(table.rows, table.data[:, 0], strict=True):
        values.setdefault(place.author, []).append(value)
    x = [statistics.fmean(values[author]) for author in values]
    y = [statistics.fmean(given_marks[author]) for author in values]
    assert row["pearson"] == pytest.approx(pearsonr(x, y).statistic)
    assert row["systems"] == 6
    assert row["low"] < row["pearson"] < row["high"]


def test_the_same_seed_draws_the_same_topics(demo):
    table = summetry.evaluate(demo, ["cosine"])
    first, again, other = (
        marks.correlations(table, demo, "responsiveness", resamples=50, seed=seed)
        for seed in (0, 0, 1)
    )
    assert first == again != other


def test_the_only_dimension_need_not_be_named():
    corpus = Corpus(judgments=(Judgment("t", "a", "j", "coverage", 3),))
    assert marks.choose_dimension(corpus, None) == "coverage"
    assert marks.choose_dimension(corpus, "coverage") == "coverage"


def test_a_dimension_that_is_not_clear_is_asked_for(demo):
    with pytest.raises(SummetryError, match="name one with --dimension; the corpus has: resp"):
        marks.choose_dimension(demo, None)
    with pytest.raises(SummetryError, match=r"'responsivness'\. Did you mean 'responsiveness'"):
        marks.choose_dimension(demo, "responsivness")
    with pytest.raises(SummetryError, match="the corpus has no judgments"):
        marks.choose_dimension(Corpus(), None)
