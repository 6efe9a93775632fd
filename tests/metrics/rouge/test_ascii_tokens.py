"""ASCII tokens of whole batches against the plain way: a regular expression on each text."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.metrics.rouge import ascii_tokens
from summetry.metrics.rouge.ascii_tokens import distinct_numbers, encode_ascii, encode_ascii_lines

# Words around the lengths where a machine word ends, and runs that are no words any more.
LENGTHS = (1, 7, 8, 9, 15, 16, 17, 24, 25, 63, 64, 65, 200)
words = st.one_of(
    st.text("aB1", min_size=1, max_size=3),
    st.sampled_from(LENGTHS).flatmap(lambda n: st.text("xyZ", min_size=n, max_size=n)),
)
texts = st.lists(
    st.lists(st.one_of(words, st.sampled_from(["\n", "é", "—", "\x00", "don't", "\n\n"]))).map(
        " ".join
    )
)
half = settings(max_examples=50)


def plain(text):
    return [token.lower() for token in re.findall("[A-Za-z0-9]+", text)]


def plain_lines(text):
    return [plain(line) for line in text.split("\n") if line]


def same(tokens):
    return list(tokens)


def rows(table):
    return [table.text(row) for row in range(len(table))]


@half
@given(texts)
def test_tokens_are_those_of_the_expression(texts):
    expected = [plain(text) for text in texts]
    assert rows(encode_ascii(texts, same)) == expected
    with pytest.MonkeyPatch.context() as patch:
        # As if all tokens of more than one machine word happened to mix alike.
        patch.setattr(ascii_tokens, "_mix", lambda one, other: np.zeros_like(one))
        assert rows(encode_ascii(texts, same)) == expected


@half
@given(texts)
def test_lines_are_those_that_are_not_empty(texts):
    table, first = encode_ascii_lines(texts, same)
    lines = rows(table)
    by_text = [lines[a:b] for a, b in itertools.pairwise(first)]
    assert by_text == [plain_lines(text.replace("\x00", " ")) for text in texts]


@half
@given(texts)
def test_words_are_sorted_and_dropped_ones_are_gone(texts):
    table = encode_ascii(texts, lambda tokens: [t if t < "m" else None for t in tokens])
    assert list(table.words) == sorted(set(table.words))
    assert rows(table) == [[t for t in plain(text) if t < "m"] for text in texts]


@given(st.lists(st.integers(0, 2**64 - 1)))
def test_distinct_numbers_are_found_without_sorting(numbers):
    keys = np.array(numbers, dtype=np.uint64)
    distinct, places = distinct_numbers(keys)
    assert distinct[places].tolist() == numbers
    assert len(distinct) == len(set(numbers))


@pytest.mark.parametrize("letter", ["\ud83d", "\udce9", "\u00e9", "\u4e2d", "\U0001f600", "\x00"])
def test_what_is_no_ascii_letter_separates(letter):
    """Halves of surrogate pairs, letters of two to four bytes, and the byte that ends a text."""
    texts = [f"ab{letter}cd\n{letter}\n{letter}e", letter, "f"]
    assert rows(encode_ascii(texts, same)) == [["ab", "cd", "e"], [], ["f"]]
    table, first = encode_ascii_lines(texts, same)
    assert rows(table) == [["ab", "cd"], [], ["e"], [], ["f"]]
    assert first.tolist() == [0, 3, 4, 5]


@pytest.mark.parametrize("length", [8, 9, 16, 17, 63, 64, 65, 200])
def test_tokens_of_any_length(length):
    """They are told apart by their last letter, and from a token that is a part of them."""
    word = "abcdefgh" * 25
    texts = [f"{word[: length - 1]}x {word[: length - 1]}y", word[: length - 1], word]
    assert rows(encode_ascii(texts, same)) == [plain(text) for text in texts]


def test_nothing_and_empty_texts():
    assert rows(encode_ascii([], same)) == []
    assert rows(encode_ascii(["", "…"], same)) == [[], []]
    table, first = encode_ascii_lines(["", "\n\n", "a"], same)
    assert (rows(table), first.tolist()) == ([["a"]], [0, 0, 0, 1])
