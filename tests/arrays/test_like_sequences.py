"""The longest common subsequence of long sequences, against a plain table of lengths."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.arrays import like_sequences
from summetry.arrays.like_sequences import long_lcs_length, reduced, tokens_missing

sequences = st.lists(st.integers(0, 3), max_size=12)


def by_table(x, y):
    """Wagner and Fischer: the length for every two beginnings."""
    row = [0] * (len(y) + 1)
    for token in x:
        above = row
        row = [0]
        for place, other in enumerate(y):
            row.append(above[place] + 1 if token == other else max(row[place], above[place + 1]))
    return row[-1]


def ids(tokens):
    return np.array(tokens, np.int64)


@given(sequences, sequences)
def test_no_round_is_tried_for_short_sequences(x, y):
    assert long_lcs_length(ids(x), ids(y)) == by_table(x, y)


@given(sequences, sequences, st.integers(0, 60))
def test_what_the_rounds_find_is_the_length_however_soon_they_are_given_up(x, y, work):
    short, long = sorted((x, y), key=len)
    missing = tokens_missing(short, long, work)
    assert missing in (None, len(short) - by_table(x, y))
    assert tokens_missing(short, long, 10_000) == len(short) - by_table(x, y)


@given(sequences, sequences)
def test_what_is_left_out_changes_no_length(x, y):
    left = reduced(ids(x), ids(y))
    assert left.common + by_table(left.x.tolist(), left.y.tolist()) == by_table(x, y)


def test_equal_ends_and_tokens_of_one_sequence_only_are_left_out():
    # 1 and 9 are ends; 5 and 7 have no equal; then 2 is an end too.
    left = reduced(ids([1, 5, 2, 3, 4, 9]), ids([1, 2, 7, 4, 3, 9]))
    assert (left.common, left.x.tolist(), left.y.tolist()) == (3, [3, 4], [4, 3])


@given(sequences, sequences)
def test_with_rounds_the_length_is_the_same(x, y):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(like_sequences, "_TOKENS_A_ROUND", 1)
        assert long_lcs_length(ids(x), ids(y)) == by_table(x, y)


def lots(size, kinds):
    """Numbers without order, the same in every run."""
    return np.random.default_rng(7).integers(0, kinds, size)


def test_an_extract_of_a_long_sequence_needs_no_bits():
    whole = lots(60_000, 500)
    taken = (np.arange(len(whole)) // 20) % 2 == 1
    assert long_lcs_length(whole[taken], whole, never) == taken.sum()


def test_an_edited_copy_of_a_long_sequence_needs_no_bits():
    copy = lots(60_000, 500)
    whole = copy.copy()
    # Far apart, so that each of the three tokens costs one place, and no more.
    whole[[10_000, 30_000, 50_000]] = [0, 1, 2]
    copy[[10_000, 30_000, 50_000]] = [500, 501, 502]
    whole[59_000:59_003] = [500, 501, 502]
    copy[59_000:59_003] = whole[59_000:59_003]
    assert long_lcs_length(copy, whole, never) == 60_000 - 3


def test_the_long_way_is_announced_with_what_is_left():
    told = []
    x, y = [1, 2, 3, 4, 5, 9], [1, 5, 4, 3, 2, 8]
    assert long_lcs_length(ids(x), ids(y), lambda *sizes: told.append(sizes)) == by_table(x, y)
    assert told == [(4, 4)]


def never(x, y):
    raise AssertionError(f"the long way was taken for {x} and {y} tokens")
