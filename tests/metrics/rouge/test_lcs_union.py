"""Marks of longest common subsequences, and their union: against the textbook table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lcs_oracle import mark_longest

from summetry.arrays.sequences import lcs_length
from summetry.arrays.token_tables import TokenTable, build_table
from summetry.arrays.vectors import shared_tokens
from summetry.metrics.rouge import lcs_union
from summetry.metrics.rouge.lcs_union import Sides, count_marked, mark_pair


@given(st.text("abcd", max_size=90), st.text("abcd", max_size=90))
def test_long_numbers_mark_what_the_textbook_table_marks(x, y):
    expected = mark_longest(x, y)
    assert mark_pair(x, y) == expected
    with pytest.MonkeyPatch.context() as patch:
        # As if not all rows fitted into memory.
        patch.setattr(lcs_union, "_MOST_BITS", 0)
        assert mark_pair(x, y) == expected


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_as_many_tokens_are_marked_as_the_subsequence_has(x, y):
    marks = mark_longest(x, y)
    assert sum(marks) == lcs_length(x, y)
    kept = "".join(letter for letter, mark in zip(x, marks, strict=True) if mark)
    rest = iter(y)
    assert all(letter in rest for letter in kept)


def test_the_token_of_the_marked_text_is_dropped_first():
    # Both "ab" and "ba" are longest; from the end, b of "ba" goes with b of "ab".
    assert mark_longest("ba", "ab") == [True, False]


def tables_of(texts):
    """Tokens by sentence, by text, and the first sentence of each text; sentences are strings."""
    sentences = [" ".join(sentence) for text in texts for sentence in text]
    table = build_table(sentences, lambda pieces: [[piece] for piece in pieces])
    first = np.cumsum([0, *map(len, texts)])
    whole = TokenTable(table.ids, table.offsets[first], table.words)
    return table, whole, first


def counted(texts, pairs):
    """For each pair: the words that are marked, and how many tokens of each."""
    table, whole, first = tables_of(texts)
    left, right = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    shared = shared_tokens(whole.bags, left, right)
    marked = count_marked(Sides(table, whole, first, left, right), shared)
    counts = [{} for _ in pairs]
    words = [whole.words[i] for i in whole.bags.ids[shared.right].tolist()]
    for pair, word, count in zip(shared.pair.tolist(), words, marked.tolist(), strict=True):
        if count:
            counts[pair][word] = count
    return counts


def counted_plainly(texts, pairs):
    """Sentence by sentence, each with the textbook table."""
    by_pair = []
    for left, right in pairs:
        counts = {}
        for sentence in texts[right]:
            marks = [mark_longest(sentence, other) for other in texts[left]]
            for place, token in enumerate(sentence):
                if any(mark[place] for mark in marks):
                    counts[token] = counts.get(token, 0) + 1
        by_pair.append(counts)
    return by_pair


SENTENCES = st.lists(st.text("abcde", max_size=9), max_size=4)


@given(st.lists(SENTENCES, min_size=2, max_size=5), st.data())
def test_the_union_is_that_of_the_textbook_tables(texts, data):
    places = st.integers(0, len(texts) - 1)
    pairs = data.draw(st.lists(st.tuples(places, places), min_size=1, max_size=6))
    assert counted(texts, pairs) == counted_plainly(texts, pairs)


@pytest.mark.parametrize("longest", [16, 17, 32, 33, 64, 65])
@pytest.mark.parametrize("letters", ["ab", "abcdefghij"])
def test_the_union_of_sentences_of_any_length(longest, letters):
    """Rows of 16, 32 and 64 bits, and sentences that have more tokens than bits."""
    random = np.random.default_rng(longest)

    def sentence():
        return "".join(random.choice(list(letters), size=random.integers(0, longest + 1)))

    texts = [[sentence() for _ in range(random.integers(0, 4))] for _ in range(8)]
    texts.append(["".join(random.choice(list(letters), size=longest))] * 2)
    pairs = [(i, j) for i in range(len(texts)) for j in range(len(texts)) if (i + j) % 3]
    assert counted(texts, pairs) == counted_plainly(texts, pairs)


def test_a_long_sentence_without_equals_marks_nothing():
    """Its words are in no other text; the short sentence beside it is marked as ever."""
    texts = [["x" * 70, "ab"], ["ba"], ["z" * 70]]
    pairs = [(0, 1), (1, 0), (0, 2)]
    assert counted(texts, pairs) == counted_plainly(texts, pairs) == [{"b": 1}, {"a": 1}, {}]


@pytest.mark.parametrize(("limit", "number"), [("_BLOCK", 50), ("_MOST", 0), ("KEY_BITS", 9)])
def test_limits_of_memory_change_nothing(monkeypatch, limit, number):
    """As if few pairs of equal tokens were worked on at a time, few fitted into memory, or their
    numbers had few bits."""
    random = np.random.default_rng(5)
    texts = [
        ["".join(random.choice(list("abc"), size=size)) for size in sizes]
        for sizes in ([70], [3, 80, 0, 4], [], [9] * 7, [66, 66], [8, 1, 6])
    ]
    pairs = [(i, j) for i in range(len(texts)) for j in range(len(texts))]
    monkeypatch.setattr(lcs_union, limit, number)
    assert counted(texts, pairs) == counted_plainly(texts, pairs)


def test_very_many_sentences_and_words_are_not_mixed_up():
    """Number, slot and column of two equal tokens would need more than 63 bits."""
    letters = [*"xab", *"qba", *"abx"]
    lines = 1 << 18
    own = [[f"{side}{i}" for i in range(1 << 15)] for side in "lr"]
    words = sorted({*letters, *own[0], *own[1]})
    number = {word: i for i, word in enumerate(words)}
    texts = [[own[0], letters[:3], letters[3:6]], [own[1], letters[6:]]]
    sentences = [s for text in texts for s in [*[[]] * lines, *text]]
    ids = np.array([number[word] for sentence in sentences for word in sentence])
    offsets = np.cumsum([0, *map(len, sentences)])
    table = TokenTable(ids, offsets, tuple(words))
    first = np.array([0, lines + 3, 2 * lines + 5])
    whole = TokenTable(ids, offsets[first], tuple(words))
    pair = np.array([0]), np.array([1])
    shared = shared_tokens(whole.bags, *pair)
    marked = count_marked(Sides(table, whole, first, *pair), shared)
    # "xab" marks a and b of "abx"; "qba" marks b or a.
    names = [words[i] for i in whole.bags.ids[shared.right]]
    assert dict(zip(names, marked.tolist(), strict=True)) == {"a": 1, "b": 1, "x": 0}


def test_long_texts_have_the_subsequence_of_the_textbook():
    """Beyond 10,000 tokens places are held otherwise, those of rare words and of others."""
    random = np.random.default_rng(3)
    x = [*random.integers(0, 40, 10_050).tolist(), *range(1000, 1030)]
    y = [*range(1000, 1030), *random.integers(0, 40, 30).tolist(), 7, -1, *range(1005, 1040)]
    row = [0] * (len(x) + 1)
    for b in y:
        above, row = row, [0]
        for j, a in enumerate(x):
            row.append(above[j] + 1 if a == b else max(above[j + 1], row[j]))
    assert lcs_length(x, y) == lcs_length(y, x) == row[-1]
    assert sum(mark_pair(y, x)) == sum(mark_pair(x, y)) == row[-1]


def test_a_union_worked_out_by_hand():
    """Of "abcd", "ab" marks a and b, "db" marks d or b: at the end of both, d against b drops d,
    since b is in "abc" too. "xx" marks nothing."""
    assert counted([["ab", "db", "xx"], ["abcd"]], [(0, 1)]) == [{"a": 1, "b": 1}]
    # With d first the way back meets it last, and it stays.
    assert counted([["ab", "d"], ["abcd"]], [(0, 1)]) == [{"a": 1, "b": 1, "d": 1}]


@pytest.mark.parametrize("texts", [[[], []], [["a"], []], [[""], ["a"]], [["b"], ["a"]]])
def test_without_equal_tokens_nothing_is_marked(texts):
    assert counted(texts, [(0, 1), (1, 0)]) == [{}, {}]
