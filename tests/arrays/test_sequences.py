"""Common subsequences and edit distances, of two sequences and of many, against textbook tables."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from network_oracle import edits

from summetry.arrays.sequences import (
    edit_distance,
    edit_distances,
    lcs_alignment,
    lcs_length,
    lcs_lengths,
    lcs_states,
)
from summetry.arrays.token_tables import table_of

# Numbers whose hashes are equal (-1 and -2) or the same as those of huge ones.
sequences = st.lists(st.sampled_from([-2, -1, 0, 1, 2, 3, 2**61, 2**61 - 1]), max_size=9)
letters = st.text("abcd", max_size=20)


def common(x, y):
    """Wagner and Fischer: the length for every two beginnings, row by row."""
    row = [0] * (len(y) + 1)
    for a in x:
        corner = 0
        for j, b in enumerate(y):
            corner, row[j + 1] = row[j + 1], corner + 1 if a == b else max(row[j], row[j + 1])
    return row[-1]


@pytest.mark.parametrize("kind", [letters, sequences], ids=["letters", "tokens of equal hashes"])
@given(data=st.data())
def test_two_sequences_are_measured_as_in_the_textbook_tables(kind, data):
    x, y = data.draw(st.tuples(kind, kind))
    assert edit_distance(x, y) == edits(x, y)
    assert lcs_length(x, y) == common(x, y)


@given(letters, letters)
def test_an_alignment_is_a_longest_common_subsequence_in_order(x, y):
    aligned = lcs_alignment(x, y)
    assert len(aligned) == common(x, y)
    assert all(x[i] == y[j] for i, j in aligned)
    for places in zip(*aligned, strict=True):
        assert list(places) == sorted(set(places))


@given(letters, letters)
def test_the_zeros_of_a_state_are_the_length_for_every_two_beginnings(x, y):
    for j, state in enumerate(lcs_states(x, y), start=1):
        for i in range(len(x) + 1):
            zeros = i - (state & ((1 << i) - 1)).bit_count()
            assert zeros == common(x[:i], y[:j])


@given(st.lists(sequences, min_size=1, max_size=6))
def test_all_pairs_of_a_batch_have_what_they_have_alone(rows):
    left, right = (side.ravel() for side in np.indices((len(rows), len(rows))))
    pairs = [(rows[a], rows[b]) for a, b in zip(left, right, strict=True)]
    table = table_of(rows)
    assert edit_distances(table, left, right).tolist() == [edits(*pair) for pair in pairs]
    assert lcs_lengths(table, left, right).tolist() == [common(*pair) for pair in pairs]


@pytest.mark.parametrize("longest", [3, 64, 65, 200])
def test_sequences_of_any_length(longest):
    """Around 64 tokens, the bits of a machine word, and far beyond."""
    random = np.random.default_rng(longest)
    rows = [random.integers(0, 5, size).tolist() for size in random.integers(0, longest + 1, 30)]
    rows += [[1] * longest, [1] * longest, []]
    left, right = random.integers(0, len(rows), (2, 30))
    pairs = [(rows[a], rows[b]) for a, b in zip(left, right, strict=True)]
    table = table_of(rows)
    assert lcs_lengths(table, left, right).tolist() == [common(*pair) for pair in pairs]
    assert edit_distances(table, left, right).tolist() == [edits(*pair) for pair in pairs]


def test_a_batch_without_pairs():
    nothing = np.zeros(0, dtype=np.int64)
    assert edit_distances(table_of([]), nothing, nothing).tolist() == []
    assert lcs_lengths(table_of([[1]]), nothing, nothing).tolist() == []
