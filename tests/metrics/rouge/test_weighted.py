"""Heaviest common subsequences: many tables side by side against one, cell by cell."""

from itertools import pairwise

import lcs_oracle
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.arrays.token_tables import build_table
from summetry.metrics.rouge import weighted
from summetry.metrics.rouge.weighted import (
    heaviest,
    mark_heaviest,
    weighted_lcs,
    weighted_marks,
)

WEIGHTS = st.sampled_from([1.0, 1.2, 2.0, 0.5])


def tokens_of(texts):
    return build_table([" ".join(text) for text in texts], lambda pieces: [[p] for p in pieces])


def worth_of(texts, pairs, weight):
    """The worth of each pair, by the tokens of a table."""
    return heaviest(tokens_of(texts), *np.array(pairs).T, weight).tolist()


def marks_of(texts, pairs, weight):
    """The marks of each pair, by the tokens of a table."""
    table = tokens_of(texts)
    marked, other = np.array(pairs).T
    marks = mark_heaviest(table, marked, other, weight)
    return [part.tolist() for part in np.split(marks, np.cumsum(table.lengths[marked])[:-1])]


@pytest.mark.parametrize(
    ("longest", "weight"), [(3, 1.2), (16, 0.5), (64, 1.2), (70, 2.0), (70, 0.5), (300, 1.2)]
)
def test_a_batch_has_the_worth_and_the_marks_of_one_table(longest, weight):
    random = np.random.default_rng(longest)
    sizes = random.integers(0, longest + 1, 30)
    texts = ["".join(random.choice(list("abcd"), size=size)) for size in sizes]
    pairs = random.integers(0, 30, (60 if longest < 100 else 8, 2)).tolist()
    expected = [lcs_oracle.mark_heaviest(texts[m], texts[o], weight) for m, o in pairs]
    assert marks_of(texts, pairs, weight) == expected
    worth = [weighted_lcs(texts[m], texts[o], weight).worth for m, o in pairs]
    # The same additions in the same order.
    assert worth_of(texts, pairs, weight) == worth


@settings(max_examples=25)
@given(st.lists(st.text("abc", max_size=9), min_size=2, max_size=4), WEIGHTS)
def test_short_and_long_texts_do_not_disturb_each_other(texts, weight):
    texts.append("abcabx" * 11)
    pairs = [(m, o) for m in range(len(texts)) for o in range(len(texts))]
    expected = [lcs_oracle.mark_heaviest(texts[m], texts[o], weight) for m, o in pairs]
    worth = [weighted_lcs(texts[m], texts[o], weight).worth for m, o in pairs]
    assert (marks_of(texts, pairs, weight), worth_of(texts, pairs, weight)) == (expected, worth)
    with pytest.MonkeyPatch.context() as patch:
        # As if no two pairs fitted into a block.
        patch.setattr(weighted, "_BLOCK_CELLS", 1)
        assert (marks_of(texts, pairs, weight), worth_of(texts, pairs, weight)) == (expected, worth)


@given(st.text("abcd", max_size=40), st.text("abcd", max_size=40), WEIGHTS)
def test_one_pair_is_marked_as_in_a_batch(x, y, weight):
    assert weighted_marks(x, y, weight) == lcs_oracle.mark_heaviest(x, y, weight)


@given(st.text("abcd", max_size=40), st.text("abcd", max_size=40), WEIGHTS)
def test_runs_are_unbroken_in_both_sentences_and_worth_what_the_table_says(x, y, weight):
    worth, runs = weighted_lcs(x, y, weight)
    assert sum(len(run) ** weight for run in runs) == pytest.approx(worth)
    for run in runs:
        i, j = run[0]
        assert run == [(i + step, j + step) for step in range(len(run))]
        assert all(x[i] == y[j] for i, j in run)
    places = [place for run in runs for place in run]
    # In order, no place twice.
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(places))
    assert weighted_lcs(y, x, weight).worth == pytest.approx(worth)


def test_words_that_are_scattered_in_the_candidate_are_no_run():
    # Lin (2004), section 4: four in a run are worth 4^2, four apart 4 * 1.
    assert weighted_lcs("abcdefg", "abcdhik", 2.0) == (16.0, [[(0, 0), (1, 1), (2, 2), (3, 3)]])
    assert weighted_lcs("abcdefg", "ahbkcid", 2.0) == (
        4.0, [[(0, 0)], [(1, 2)], [(2, 4)], [(3, 6)]],
    )  # fmt: skip


def test_a_longer_run_weighs_more_than_a_scattered_match():
    # "ab" in one piece is worth 4 of weight 2; a and b apart are worth 1 each.
    assert weighted_marks("abxab", "ab", 2.0) == [False, False, False, True, True]
    assert weighted_marks("axb", "ab", 2.0) == [True, False, True]


def test_without_texts_nothing_is_marked():
    assert weighted_lcs("", "ab", 1.2) == weighted_lcs("ab", "", 1.2) == (0.0, [])
    assert weighted_marks("", "ab", 1.2) == []
    assert weighted_marks("ab", "", 1.2) == [False, False]
    table = build_table([], lambda pieces: [[piece] for piece in pieces])
    nothing = np.zeros(0, dtype=np.int64)
    assert mark_heaviest(table, nothing, nothing, 1.2).tolist() == []
    assert heaviest(table, nothing, nothing, 1.2).tolist() == []
    assert worth_of(["", "ab"], [(0, 1), (1, 0), (0, 0)], 1.2) == [0, 0, 0]
