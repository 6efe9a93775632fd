"""Correlations with marks: a plain loop over resamples against the array code."""

import math
import statistics

import marks
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import pearsonr

import summetry
from summetry.errors import SummetryError
from summetry.model.corpus import Corpus
from summetry.model.judgments import Judgment

numbers = st.one_of(st.just(math.nan), st.integers(0, 4).map(float))
tables = st.tuples(st.integers(1, 4), st.integers(1, 5)).flatmap(
    lambda shape: st.tuples(
        *(
            st.lists(
                st.lists(numbers, min_size=shape[1], max_size=shape[1]),
                min_size=shape[0],
                max_size=shape[0],
            )
            for _ in range(2)
        ),
        st.lists(
            st.lists(st.integers(0, 2), min_size=shape[1], max_size=shape[1]),
            min_size=1,
            max_size=8,
        ),
    )
)


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


@settings(max_examples=150, deadline=None)
@given(tables)
def test_the_interval_is_that_of_a_loop_over_the_draws(case):
    values, wanted, draws = case
    found = [slow_r(values, wanted, draw) for draw in draws]
    defined = [r for r in found if not math.isnan(r)]
    low, high = marks.interval(np.array(values), np.array(wanted), np.array(draws, float))
    if defined:
        assert low == pytest.approx(np.quantile(defined, 0.025), abs=1e-9)
        assert high == pytest.approx(np.quantile(defined, 0.975), abs=1e-9)
    else:
        assert math.isnan(low) and math.isnan(high)


def test_correlations_of_the_demo_corpus_are_those_of_means_worked_out_here(demo):
    table = summetry.evaluate(demo, ["cosine"])
    found = marks.correlations(table, demo, "responsiveness", resamples=200, seed=0)
    (row,) = found.values()
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
