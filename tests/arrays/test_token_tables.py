"""Token tables, n-grams, bags, shared tokens and LCS: against plain Python on the same texts."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.arrays.lcs import lcs_alignment, lcs_length, lcs_lengths
from summetry.arrays.ngrams import ngram_table
from summetry.arrays.token_tables import build_table, gather_runs, merge_tables
from summetry.arrays.vectors import shared_tokens

token_lists = st.lists(st.lists(st.sampled_from("abcdef"), max_size=9), max_size=6)
quick = settings(max_examples=100)


def table_of(texts):
    return build_table([" ".join(text) for text in texts], lambda pieces: [[p] for p in pieces])


@quick
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


def test_the_mark_between_texts_may_stand_in_a_text():
    table = build_table(["a \x00 b", "c"], lambda pieces: [[p] for p in pieces])
    assert [table.text(0), table.text(1)] == [["a", "\x00", "b"], ["c"]]


@quick
@given(token_lists)
def test_bags_are_counters(texts):
    table = table_of(texts)
    bags = table.bags
    for row, text in enumerate(texts):
        part = slice(bags.offsets[row], bags.offsets[row + 1])
        found = {table.words[i]: n for i, n in zip(bags.ids[part], bags.counts[part], strict=True)}
        assert found == Counter(text)
        assert np.all(np.diff(bags.ids[part]) > 0)


@quick
@given(token_lists, st.integers(1, 4))
def test_ngrams_are_windows(texts, n):
    table = ngram_table(table_of(texts), n)
    for row, text in enumerate(texts):
        assert table.text(row) == [" ".join(text[i : i + n]) for i in range(len(text) - n + 1)]


@quick
@given(token_lists.filter(bool), st.data())
def test_shared_tokens_are_those_of_both_sets(texts, data):
    rows = st.lists(st.integers(0, len(texts) - 1), min_size=1, max_size=5)
    left = np.array(data.draw(rows))
    right = np.array([data.draw(st.integers(0, len(texts) - 1)) for _ in left])
    table = table_of(texts)
    shared = shared_tokens(table.bags, left, right)
    for pair, (i, j) in enumerate(zip(left, right, strict=True)):
        assert shared.types[pair] == len(set(texts[i]) & set(texts[j]))
        dot = shared.total(table.bags.counts[shared.left] * table.bags.counts[shared.right])
        a, b = Counter(texts[i]), Counter(texts[j])
        assert dot[pair] == sum(a[token] * b[token] for token in a)


@quick
@given(token_lists, token_lists)
def test_merged_tables_are_the_table_of_all_texts(some, others):
    texts = [*some, *others]
    order = list(range(0, len(texts)))[::-1]
    merged = merge_tables([table_of(some), table_of(others)], order)
    assert [merged.text(i) for i in order] == texts


def test_runs_are_gathered_one_after_the_other():
    assert gather_runs(np.array([5, 9, 0]), np.array([2, 0, 3])).tolist() == [5, 6, 0, 1, 2]


def slow_lcs(x, y):
    """The textbook table."""
    row = [0] * (len(y) + 1)
    for a in x:
        corner = 0
        for j, b in enumerate(y):
            corner, row[j + 1] = row[j + 1], corner + 1 if a == b else max(row[j], row[j + 1])
    return row[-1]


@quick
@given(st.text("abcd", max_size=12), st.text("abcd", max_size=12))
def test_lcs_is_the_textbook_table(x, y):
    assert lcs_length(x, y) == slow_lcs(x, y)
    aligned = lcs_alignment(x, y)
    assert len(aligned) == slow_lcs(x, y)
    assert all(x[i] == y[j] for i, j in aligned)
    assert aligned == sorted(aligned) and len({i for i, _ in aligned}) == len(aligned)
    assert [j for _, j in aligned] == sorted({j for _, j in aligned})


@pytest.mark.parametrize("longest", [3, 64, 65, 130, 256, 400])
def test_lcs_of_a_batch_is_that_of_each_pair_whatever_the_length(longest):
    # 64 positions a machine word; beyond 256 another way is taken.
    random = np.random.default_rng(longest)
    texts = [
        list(random.choice(list("abcde"), size=random.integers(0, longest + 1))) for _ in range(40)
    ] + [["a"] * longest, ["a"] * longest, []]
    table = table_of(texts)
    left, right = (random.integers(0, len(texts), 120) for _ in range(2))
    left[0], right[0] = len(texts) - 3, len(texts) - 2
    found = lcs_lengths(table, left, right)
    assert found[0] == longest
    # A few pairs are not worth a batch.
    assert lcs_lengths(table, left[:3], right[:3]).tolist() == found[:3].tolist()
    for pair in range(120):
        assert found[pair] == slow_lcs(texts[left[pair]], texts[right[pair]])
