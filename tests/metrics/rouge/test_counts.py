"""Skip-bigrams of many pairs of texts at once, against pairs counted one by one."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.arrays.token_tables import build_table
from summetry.arrays.vectors import shared_tokens
from summetry.metrics.rouge import counts
from summetry.metrics.rouge.counts import skip_hits, skip_totals

TEXTS = st.lists(st.text("abcd", max_size=12), min_size=2, max_size=5)


def pairs_plainly(text, gap):
    """Every pair of letters, the second at most ``gap`` letters behind the first."""
    reach = len(text) if gap < 0 else gap + 1
    return Counter(
        (a, b) for i, a in enumerate(text) for j, b in enumerate(text) if 0 < j - i <= reach
    )


def hits_of(texts, compared, gap):
    table = build_table([" ".join(text) for text in texts], lambda pieces: [[p] for p in pieces])
    left, right = np.array(compared, dtype=np.int64).reshape(-1, 2).T
    return skip_hits(table, shared_tokens(table.bags, left, right), gap).tolist()


@given(TEXTS, st.integers(-1, 5), st.data())
def test_as_many_pairs_hit_as_both_texts_have(texts, gap, data):
    places = st.integers(0, len(texts) - 1)
    compared = data.draw(st.lists(st.tuples(places, places), max_size=5))
    units = [pairs_plainly(text, gap) for text in texts]
    expected = [(units[a] & units[b]).total() for a, b in compared]
    assert hits_of(texts, compared, gap) == expected
    with pytest.MonkeyPatch.context() as patch:
        # As if few pairs could be held at a time.
        patch.setattr(counts, "_BLOCK", 3)
        assert hits_of(texts, compared, gap) == expected
        # As if words that begin more than some pairs began very many.
        patch.setattr(counts, "_MANY", data.draw(st.integers(0, 12)))
        assert hits_of(texts, compared, gap) == expected


@given(st.text("ab", max_size=12), st.integers(-1, 14))
def test_the_number_of_pairs_follows_from_the_length(text, gap):
    assert skip_totals(np.array([len(text)]), gap).tolist() == [pairs_plainly(text, gap).total()]


def test_hits_worked_out_by_hand():
    # "abc" has ab, ac, bc; "bac" has ba, bc, ac. With nothing between: ab, bc and ba, ac.
    assert hits_of(["abc", "bac"], [(0, 1)], -1) == [2]
    assert hits_of(["abc", "bac"], [(0, 1)], 0) == [0]


def test_pairs_do_not_reach_into_the_next_text():
    assert hits_of(["ab", "a", "b"], [(0, 0), (1, 2), (0, 1)], 9) == [1, 0, 0]
