"""What the scripts of the experiments share; correlations with marks by a plain loop over draws."""

import argparse
import math
import statistics
from itertools import product

import marks
import numpy as np
import pytest
import script_parts
from hypothesis import assume, given
from hypothesis import strategies as st
from marked_tables import grid_marks, grid_scores, judged_corpus

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment

numbers = st.one_of(st.just(math.nan), st.integers(0, 4).map(float))
shapes = product(range(1, 5), range(1, 6))
tables = st.sampled_from(list(shapes)).flatmap(lambda shape: st.tuples(*[grid(*shape)] * 2))


def grid(height, width):
    row = st.lists(numbers, min_size=width, max_size=width)
    return st.lists(row, min_size=height, max_size=height)


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
    return np.corrcoef(x, y)[0, 1]


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
    expected = np.quantile(defined, [0.025, 0.975]) if defined else [math.nan] * 2
    assert [row["low"], row["high"]] == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_the_only_dimension_need_not_be_named(demo):
    corpus = Corpus(judgments=(Judgment("t", "a", "j", "coverage", 3),))
    for name in (None, "coverage"):
        assert marks.choose_dimension(corpus, name) == "coverage"
    for corpus, name, words in (
        (demo, None, "name one with --dimension; the corpus has: resp"),
        (demo, "responsivness", r"'responsivness'\. Did you mean 'responsiveness'"),
        (Corpus(), None, "the corpus has no judgments"),
    ):
        with pytest.raises(SummetryError, match=words):
            marks.choose_dimension(corpus, name)


def test_rows_may_have_different_columns_and_what_is_undefined_is_empty(tmp_path):
    rows = [{"a": 1, "b": math.nan}, {"a": "x, y", "c": 0.5}]
    script_parts.write_table(rows, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text(encoding="utf-8") == 'a,b,c\n1,,\n"x, y",,0.5\n'


@pytest.mark.parametrize("text", ["-1", "x", "1.5", "", "--1"])
def test_only_numbers_are_numbers(text):
    with pytest.raises(argparse.ArgumentTypeError, match=f"expected 0 or more, got {text}"):
        script_parts.natural(text)
    assert (script_parts.natural("0"), script_parts.positive("1")) == (0, 1)


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (OSError("no space left\non the disk"), 2, "error: no space left on the disk"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
)
def test_a_run_that_fails_or_is_interrupted_ends_in_one_line(capsys, error, code, line):
    def run(options):
        yield "begun"
        raise error

    assert script_parts.print_all(run, argparse.Namespace()) == code
    assert capsys.readouterr() == ("begun\n", f"{line}\n")
