"""How well one judge follows the others: by hand, against loops, and at the edges."""

import math
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.metaeval.ceiling import ceiling, in_places, one_against_others
from summetry.metaeval.grids import GridJudgments
from summetry.stats.levels import correlate

NAN = math.nan
LEVELS = ("system", "summary", "global", "per_system")
COEFFICIENTS = ("pearson", "spearman", "tau_a", "tau_b")


def marks(values):
    values = np.array(values, float)
    return GridJudgments("quality", tuple(f"j{i}" for i in range(len(values))), values)


def test_three_judges_by_hand():
    """One topic, three systems. j0 and j1 give 1 2 3, j2 gives 3 1 2.

    j0: the others' means are 2 1.5 2.5, of three pairs two agree: tau 1/3, and j1 the same.
    j2: the others give 1 2 3; only the pair of 1 and 2 agrees: tau -1/3.
    """
    given = marks([[[1], [2], [3]], [[1], [2], [3]], [[3], [1], [2]]])
    top = ceiling(given, "summary", "tau_a")
    assert top.value == pytest.approx((1 / 3 + 1 / 3 - 1 / 3) / 3)
    assert (top.judges, top.given, top.by_place, top.reason) == (3, 3, False, "")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_judges_who_agree_leave_no_doubt(level, coefficient):
    one = [[1, 5, 3], [2, 8, 9], [4, 7, 6]]
    assert ceiling(marks([one, one, one]), level, coefficient).value == pytest.approx(1.0)


cells = st.one_of(st.none(), st.integers(1, 5)).map(lambda mark: NAN if mark is None else mark)


@settings(max_examples=50)
@given(st.data(), st.sampled_from(LEVELS), st.sampled_from(COEFFICIENTS))
def test_leaving_out_is_what_loops_do(data, level, coefficient):
    judges, systems, topics = (data.draw(st.integers(1, most)) for most in (4, 4, 3))
    size = judges * systems * topics
    flat = data.draw(st.lists(cells, min_size=size, max_size=size))
    given = np.array(flat, float).reshape(judges, systems, topics)
    expected = []
    for judge in range(judges):
        others = np.full((systems, topics), NAN)
        for i in range(systems):
            for j in range(topics):
                rest = [given[k, i, j] for k in range(judges) if k != judge]
                kept = [mark for mark in rest if not math.isnan(mark)]
                if kept:
                    others[i, j] = fmean(kept)
        expected.append(correlate(given[judge], others, level, coefficient).value)
    top = one_against_others(given, level, coefficient)
    assert top.tolist() == pytest.approx(expected, nan_ok=True)


def test_a_judge_without_a_coefficient_is_left_out_of_the_mean():
    """j2 gave every summary the same mark."""
    given = marks([[[1], [2], [3]], [[1], [2], [3]], [[2], [2], [2]]])
    top = ceiling(given, "system", "tau_b")
    assert (top.value, top.judges, top.given) == (1.0, 2, 3)


def test_judges_who_marked_one_summary_each_are_taken_by_place():
    """Six judges, two a summary: first marks 1 2 3, second marks 2 3 1."""
    values = np.full((6, 3, 1), NAN)
    for system, (first, second) in enumerate([(1, 2), (2, 3), (3, 1)]):
        values[2 * system, system, 0], values[2 * system + 1, system, 0] = first, second
    top = ceiling(marks(values), "system", "tau_a")
    assert top.by_place
    assert (top.value, top.judges) == (pytest.approx(-1 / 3), 2)


def test_places_are_filled_from_the_first():
    values = np.array([[[NAN, 1.0]], [[4.0, NAN]], [[5.0, 2.0]]])
    assert in_places(values).tolist() == [[[4.0, 1.0]], [[5.0, 2.0]]]


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([[[1], [2]]], "there is only one judge"),
        (np.zeros((0, 2, 2)), "there is no judge"),
        ([[[1], [NAN]], [[NAN], [2]]], "no summary was judged by two judges"),
        ([[[1], [1]], [[2], [2]]], "no judge has a coefficient with the others"),
    ],
)
def test_without_a_second_mark_there_is_no_ceiling(values, reason):
    top = ceiling(marks(values), "system", "pearson")
    assert math.isnan(top.value) and top.reason == reason
