"""Marks of heaviest common subsequences: many tables side by side against one, cell by cell."""

import lcs_oracle
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.arrays.token_tables import build_table
from summetry.metrics.rouge import weighted
from summetry.metrics.rouge.weighted import mark_heaviest, weighted_marks

WEIGHTS = st.sampled_from([1.0, 1.2, 2.0, 0.5])


def marks_of(texts, pairs, weight):
    """The marks of each pair, by the tokens of a table."""
    table = build_table([" ".join(text) for text in texts], lambda pieces: [[p] for p in pieces])
    marked, other = np.array(pairs).T
    marks = mark_heaviest(table, marked, other, weight)
    return [part.tolist() for part in np.split(marks, np.cumsum(table.lengths[marked])[:-1])]


@pytest.mark.parametrize(
    ("longest", "weight"), [(3, 1.2), (16, 0.5), (64, 1.2), (70, 2.0), (70, 0.5), (300, 1.2)]
)
def test_a_batch_marks_what_one_table_marks(longest, weight):
    random = np.random.default_rng(longest)
    sizes = random.integers(0, longest + 1, 30)
    texts = ["".join(random.choice(list("abcd"), size=size)) for size in sizes]
    pairs = random.integers(0, 30, (60 if longest < 100 else 8, 2)).tolist()
    expected = [lcs_oracle.mark_heaviest(texts[m], texts[o], weight) for m, o in pairs]
    assert marks_of(texts, pairs, weight) == expected


@settings(max_examples=25)
@given(st.lists(st.text("abc", max_size=9), min_size=2, max_size=4), WEIGHTS)
def test_short_and_long_texts_do_not_disturb_each_other(texts, weight):
    texts.append("abcabx" * 11)
    pairs = [(m, o) for m in range(len(texts)) for o in range(len(texts))]
    expected = [lcs_oracle.mark_heaviest(texts[m], texts[o], weight) for m, o in pairs]
    assert marks_of(texts, pairs, weight) == expected
    with pytest.MonkeyPatch.context() as patch:
        # As if no two pairs fitted into a block.
        patch.setattr(weighted, "_BLOCK_CELLS", 1)
        assert marks_of(texts, pairs, weight) == expected


@given(st.text("abcd", max_size=40), st.text("abcd", max_size=40), WEIGHTS)
def test_one_pair_is_marked_as_in_a_batch(x, y, weight):
    assert weighted_marks(x, y, weight) == lcs_oracle.mark_heaviest(x, y, weight)


def test_a_longer_run_weighs_more_than_a_scattered_match():
    # "ab" in one piece is worth 4 of weight 2; a and b apart are worth 1 each.
    assert weighted_marks("abxab", "ab", 2.0) == [False, False, False, True, True]
    assert weighted_marks("axb", "ab", 2.0) == [True, False, True]


def test_without_texts_nothing_is_marked():
    assert weighted_marks("", "ab", 1.2) == []
    assert weighted_marks("ab", "", 1.2) == [False, False]
    table = build_table([], lambda pieces: [[piece] for piece in pieces])
    nothing = np.zeros(0, dtype=np.int64)
    assert mark_heaviest(table, nothing, nothing, 1.2).tolist() == []
