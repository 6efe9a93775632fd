"""Marks of longest common subsequences: the batch against the textbook table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.text.lcs import lcs_length
from summetry.text.lcs_marks import mark_pair, mark_pairs, trace_back, unite
from summetry.text.vocabulary import build_table


def mark_plainly(marked, other):
    """The textbook table, cell by cell."""
    table = [[0] * (len(other) + 1)]
    for a in marked:
        above, row = table[-1], [0]
        for j, b in enumerate(other):
            row.append(above[j] + 1 if a == b else max(above[j + 1], row[j]))
        table.append(row)
    return trace_back(marked, other, table)


@given(st.text("abcd", max_size=90), st.text("abcd", max_size=90))
def test_long_numbers_mark_what_the_textbook_table_marks(x, y):
    assert mark_pair(x, y) == mark_plainly(x, y)


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_as_many_tokens_are_marked_as_the_subsequence_has(x, y):
    marks = mark_plainly(x, y)
    assert sum(marks) == lcs_length(x, y)
    kept = "".join(letter for letter, mark in zip(x, marks, strict=True) if mark)
    rest = iter(y)
    assert all(letter in rest for letter in kept)


def test_the_token_of_the_marked_text_is_dropped_first():
    # Both "ab" and "ba" are longest; from the end, b of "ba" goes with b of "ab".
    assert mark_plainly("ba", "ab") == [True, False]


@pytest.mark.parametrize("longest", [5, 64, 65, 100])
def test_a_batch_marks_what_the_textbook_table_marks(longest):
    random = np.random.default_rng(longest)
    texts = [
        " ".join(random.choice(list("abcd"), size=random.integers(0, longest + 1)))
        for _ in range(40)
    ]
    table = build_table(texts, lambda pieces: [[piece] for piece in pieces])
    marked, other = random.integers(0, 40, 150), random.integers(0, 40, 150)
    found = mark_pairs(table, marked, other)
    start = 0
    for m, o in zip(marked, other, strict=True):
        expected = mark_plainly(table.row(m).tolist(), table.row(o).tolist())
        assert found[start : start + len(expected)].tolist() == expected
        start += len(expected)


def test_marks_are_united_where_they_are_of_one_token():
    marks = np.array([True, False, False, True])
    assert unite(marks, np.array([0, 1, 0, 1]), 3).tolist() == [True, True, False]
