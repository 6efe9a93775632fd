"""Marks of longest common subsequences, and their union: against the textbook table."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_roads import on_both_roads
from lcs_oracle import mark_longest

from summetry.arrays import kernel
from summetry.arrays.sequences import lcs_length, lcs_lengths
from summetry.arrays.token_tables import TokenTable, build_table
from summetry.metrics.rouge import plain
from summetry.metrics.rouge.counts import union_hits
from summetry.metrics.rouge.plain import mark_pair
from summetry.records.batches import SentenceTable


@given(st.text("abcd", max_size=90), st.text("abcd", max_size=90))
def test_long_numbers_mark_what_the_textbook_table_marks(x, y):
    expected = mark_longest(x, y)
    assert mark_pair(x, y) == expected
    with pytest.MonkeyPatch.context() as patch:
        # As if not all rows fitted into memory.
        patch.setattr(plain, "_MOST_BITS", 0)
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


def counted(texts, pairs, have=None):
    """The hits of each pair of texts, which are lists of sentences, which are strings of tokens;
    ``have`` are the tokens of each text, where these are not those of its sentences."""
    sentences = [" ".join(sentence) for text in texts for sentence in text]
    owned = [" ".join(words) for words in have or ["".join(text) for text in texts]]
    both = build_table([*sentences, *owned], lambda pieces: [[piece] for piece in pieces])
    border = len(sentences)
    table = TokenTable(both.ids, both.offsets[: border + 1], both.words)
    whole = TokenTable(both.ids, both.offsets[border:], both.words)
    first = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    left, right = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    by_sentence = SentenceTable(table, first)
    return on_both_roads(lambda: union_hits(by_sentence, whole, left, right).tolist())


def counted_plainly(texts, pairs, have=None):
    """Sentence by sentence, each with the textbook table."""
    have = have or ["".join(text) for text in texts]
    hits = []
    for left, right in pairs:
        marked = Counter()
        for sentence in texts[right]:
            marks = [mark_longest(sentence, other) for other in texts[left]]
            marked.update(
                token for place, token in enumerate(sentence) if any(m[place] for m in marks)
            )
        hits.append((marked & Counter(have[left]) & Counter(have[right])).total())
    return hits


SENTENCES = st.lists(st.text("abcde", max_size=9), max_size=4)


@given(st.lists(SENTENCES, min_size=2, max_size=5), st.data())
def test_of_a_word_no_more_hits_than_both_texts_have(texts, data):
    """A limit cuts words off a text that its sentences still have."""
    places = st.integers(0, len(texts) - 1)
    pairs = data.draw(st.lists(st.tuples(places, places), min_size=1, max_size=6))
    have = ["".join(text)[: data.draw(st.integers(0, 9))] for text in texts]
    assert counted(texts, pairs, have) == counted_plainly(texts, pairs, have)


@given(st.lists(SENTENCES, min_size=2, max_size=5), st.data())
def test_the_union_is_that_of_the_textbook_tables(texts, data):
    places = st.integers(0, len(texts) - 1)
    pairs = data.draw(st.lists(st.tuples(places, places), min_size=1, max_size=6))
    assert counted(texts, pairs) == counted_plainly(texts, pairs)


@pytest.mark.parametrize("longest", [63, 64, 65, 128, 129, 200])
@pytest.mark.parametrize("letters", ["ab", "abcdefghij"])
def test_the_union_of_sentences_of_any_length(longest, letters):
    """Rows of one machine word, of several, and at the borders between."""
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
    assert counted(texts, pairs) == counted_plainly(texts, pairs) == [1, 1, 0]


@pytest.mark.parametrize("words", [3, 400])
def test_of_very_long_sentences_few_rows_are_kept_and_the_marks_are_the_same(words):
    """The kernel keeps all rows of a table up to 2^20 machine words, this one has more."""
    random = np.random.default_rng(words)
    letters = [chr(0x4E00 + number) for number in range(words)]
    long, other = ("".join(random.choice(letters, size=size)) for size in (9_000, 8_500))
    # Plain Python keeps all rows of these, and was held against the textbook on short ones.
    marks = mark_pair(long, other)
    expected = Counter(t for t, mark in zip(long, marks, strict=True) if mark) & Counter(other)
    assert counted([[other], [long]], [(0, 1)]) == [expected.total()]


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
    assert counted([["ab", "db", "xx"], ["abcd"]], [(0, 1)]) == [2]
    # With d first the way back meets it last, and it stays.
    assert counted([["ab", "d"], ["abcd"]], [(0, 1)]) == [3]


@pytest.mark.parametrize("texts", [[[], []], [["a"], []], [[""], ["a"]], [["b"], ["a"]]])
def test_without_equal_tokens_nothing_is_marked(texts):
    assert counted(texts, [(0, 1), (1, 0)]) == [0, 0]


def test_several_calls_find_what_one_finds(monkeypatch):
    texts = [["abcab", "bca"], ["cab"], ["abc", "cba", "a"], []]
    pairs = [(i, j) for i in range(len(texts)) for j in range(len(texts))]
    monkeypatch.setattr(kernel, "_STEPS", 5)
    assert counted(texts, pairs) == counted_plainly(texts, pairs)
    table = build_table(["a b c a", "b c", "", "a c"], lambda pieces: [[p] for p in pieces])
    left, right = np.array([0, 1, 2, 3]), np.array([1, 3, 0, 0])
    assert lcs_lengths(table, left, right).tolist() == [2, 1, 0, 2]
