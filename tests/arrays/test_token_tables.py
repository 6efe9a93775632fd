"""Token tables, n-grams, bags and shared tokens: against plain Python on the same texts."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.arrays.ngrams import ngram_table
from summetry.arrays.token_tables import TokenTable, build_table, gather_runs, merge_tables
from summetry.arrays.vectors import shared_tokens

token_lists = st.lists(st.lists(st.sampled_from("abcdef"), max_size=9), max_size=6)


def table_of(texts):
    return build_table([" ".join(text) for text in texts], lambda pieces: [[p] for p in pieces])


@given(token_lists)
def test_a_table_gives_the_texts_back(texts):
    table = table_of(texts)
    assert [table.text(i) for i in range(len(texts))] == texts
    assert table.words == tuple(sorted({token for text in texts for token in text}))


def test_a_piece_may_hold_no_token_or_several():
    def read(pieces):
        return [[word for word in piece.split("-") if word != "!"] for piece in pieces]

    table = build_table(["one-two !", "!"], read)
    assert [table.text(0), table.text(1)] == [["one", "two"], []]
    # The mark between texts may stand in a text.
    table = build_table(["a \x00 b", "c"], lambda pieces: [[p] for p in pieces])
    assert [table.text(0), table.text(1)] == [["a", "\x00", "b"], ["c"]]


@given(token_lists)
def test_bags_are_counters(texts):
    table = table_of(texts)
    bags = table.bags
    for row, text in enumerate(texts):
        part = slice(bags.offsets[row], bags.offsets[row + 1])
        bag = {table.words[i]: n for i, n in zip(bags.ids[part], bags.counts[part], strict=True)}
        assert bag == Counter(text)
        assert np.all(np.diff(bags.ids[part]) > 0)


@given(token_lists, st.integers(1, 4))
def test_ngrams_are_windows(texts, n):
    table = ngram_table(table_of(texts), n)
    for row, text in enumerate(texts):
        assert table.text(row) == [" ".join(text[i : i + n]) for i in range(len(text) - n + 1)]


@given(token_lists.filter(bool), st.data())
def test_shared_tokens_are_those_of_both_sets(texts, data):
    rows = st.lists(st.integers(0, len(texts) - 1), min_size=1, max_size=5)
    left = np.array(data.draw(rows))
    right = np.array([data.draw(st.integers(0, len(texts) - 1)) for _ in left])
    table = table_of(texts)
    shared = shared_tokens(table.bags, left, right)
    dot = shared.total(table.bags.counts[shared.left] * table.bags.counts[shared.right])
    for pair, (i, j) in enumerate(zip(left, right, strict=True)):
        assert shared.types[pair] == len(set(texts[i]) & set(texts[j]))
        a, b = Counter(texts[i]), Counter(texts[j])
        assert dot[pair] == sum(a[token] * b[token] for token in a)


@given(token_lists, token_lists)
def test_merged_tables_are_the_table_of_all_texts(some, others):
    texts = [*some, *others]
    order = list(range(0, len(texts)))[::-1]
    merged = merge_tables([table_of(some), table_of(others)], order)
    assert [merged.text(i) for i in order] == texts


def test_runs_are_gathered_one_after_the_other():
    assert gather_runs(np.array([5, 9, 0]), np.array([2, 0, 3])).tolist() == [5, 6, 0, 1, 2]


@pytest.mark.parametrize(
    ("ids", "offsets"),
    [([0, -1], [0, 2]), *(([0, 1], wrong) for wrong in ([0, 3], [-1, 2], [0, 2, 1], []))],
)
def test_a_table_that_does_not_fit_is_not_given_to_c(ids, offsets):
    table = TokenTable(np.array(ids), np.array(offsets, dtype=np.int64), "ab")
    with pytest.raises(IndexError, match="table of tokens"):
        _ = table.checked


@pytest.mark.parametrize("rows", [([0], [2]), ([-1], [0]), ([0, 1], [0])])
def test_rows_that_a_table_does_not_have_are_not_given_to_c(rows):
    table = table_of([["a"], ["b"]])
    with pytest.raises(IndexError, match=r"rows? "):
        table.checked_rows(*map(np.array, rows))
