"""Skip-bigrams of many pairs of texts at once, against pairs counted one by one."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_roads import on_both_roads

from summetry.arrays.token_tables import table_of
from summetry.metrics.rouge.rouge_metrics import skip_bigrams
from summetry.metrics.rouge.skips import skip_hits, skip_totals

TEXTS = st.lists(st.text("abcd", max_size=12), min_size=2, max_size=5)
SINGLES = st.sampled_from(["none", "all", "not last"])


def units_plainly(text, gap, singles="none"):
    """Every pair of letters, the second at most ``gap`` letters behind the first; and letters."""
    reach = len(text) if gap < 0 else gap + 1
    pairs = [(a, b) for i, a in enumerate(text) for j, b in enumerate(text) if 0 < j - i <= reach]
    return Counter([*pairs, *{"none": "", "all": text, "not last": text[:-1]}[singles]])


def hits_of(texts, compared, gap, singles="none"):
    """The hits of pairs of texts by their rows; both roads."""
    table = table_of(texts)
    left, right = np.array(compared, dtype=np.int64).reshape(-1, 2).T
    return on_both_roads(lambda: skip_hits(table, left, right, gap, singles).tolist())


@given(TEXTS, st.integers(-1, 13), SINGLES, st.data())
def test_as_many_pairs_hit_as_both_texts_have(texts, gap, singles, data):
    places = st.integers(0, len(texts) - 1)
    compared = data.draw(st.lists(st.tuples(places, places), max_size=5))
    units = [units_plainly(text, gap, singles) for text in texts]
    expected = [(units[a] & units[b]).total() for a, b in compared]
    assert hits_of(texts, compared, gap, singles) == expected


@pytest.mark.parametrize("gap", [0, 4, 30, 400, -1, 10**30])
def test_longer_texts_with_many_words_and_with_few(gap):
    random = np.random.default_rng(7)
    texts = [random.integers(0, words, 500).tolist() for words in (3, 40, 400) for _ in range(2)]
    compared = [(0, 1), (2, 3), (4, 5), (0, 5), (5, 2)]
    units = [skip_bigrams(text, gap, unigrams=False) for text in texts]
    expected = [(units[a] & units[b]).total() for a, b in compared]
    assert hits_of(texts, compared, gap) == expected


@given(st.text("ab", max_size=12), st.integers(-1, 14))
def test_the_number_of_pairs_follows_from_the_length(text, gap):
    assert skip_totals(np.array([len(text)]), gap).tolist() == [units_plainly(text, gap).total()]


def test_hits_worked_out_by_hand():
    # "abc" has ab, ac, bc; "bac" has ba, bc, ac. With nothing between: ab, bc and ba, ac.
    assert hits_of(["abc", "bac"], [(0, 1)], -1) == [2]
    assert hits_of(["abc", "bac"], [(0, 1)], 0) == [0]
    # All three letters by themselves; without the last of each, a and b.
    assert hits_of(["abc", "bac"], [(0, 1)], 0, "all") == [3]
    assert hits_of(["abc", "bac"], [(0, 1)], 0, "not last") == [2]


def test_pairs_do_not_reach_into_the_next_text():
    assert hits_of(["ab", "a", "b"], [(0, 0), (1, 2), (0, 1)], 9) == [1, 0, 0]


def test_a_row_that_is_not_in_the_table_is_refused():
    table = table_of(["ab", "a"])
    with pytest.raises(IndexError, match="not in its table"):
        skip_hits(table, np.array([2]), np.array([0]), 4)
