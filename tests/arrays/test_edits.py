"""Edit distance: the batch against the textbook table, and what a distance must be."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from network_oracle import edits

from summetry.arrays.edits import edit_distance, edit_distances, sequence_table

sequences = st.lists(st.integers(-3, 6), max_size=9)


@given(st.text("abcd", max_size=20), st.text("abcd", max_size=20))
def test_the_distance_of_the_textbook_table(x, y):
    assert edit_distance(x, y) == edits(x, y)


@given(st.lists(sequences, min_size=1, max_size=6))
def test_all_pairs_of_a_batch_have_the_distance_they_have_alone(rows):
    left, right = (side.ravel() for side in np.indices((len(rows), len(rows))))
    found = edit_distances(sequence_table(rows), left, right).tolist()
    pairs = zip(left, right, strict=True)
    assert found == [edits(rows[a], rows[b]) for a, b in pairs]


@given(sequences, sequences, sequences)
def test_it_is_a_metric(x, y, z):
    assert edit_distance(x, y) == edit_distance(y, x)
    assert (edit_distance(x, y) == 0) == (x == y)
    assert edit_distance(x, z) <= edit_distance(x, y) + edit_distance(y, z)


def test_edits_by_hand():
    # Two substitutions and an insertion; then everything deleted, everything inserted, nothing.
    assert edit_distance("kitten", "sitting") == 3
    assert edit_distance("abc", "") == 3
    assert edit_distance("", "abc") == 3
    assert edit_distance("", "") == 0


def test_more_pairs_than_fit_into_a_block():
    random = np.random.default_rng(1)
    rows = [random.integers(0, 30, size).tolist() for size in random.integers(0, 40, 60)]
    left, right = (side.ravel() for side in np.indices((60, 60)))
    found = edit_distances(sequence_table(rows), np.tile(left, 3), np.tile(right, 3))
    assert found.reshape(3, 60, 60).tolist() == 3 * [[[edits(a, b) for b in rows] for a in rows]]


def test_a_batch_without_pairs():
    nothing = np.zeros(0, dtype=np.int64)
    assert edit_distances(sequence_table([]), nothing, nothing).tolist() == []
