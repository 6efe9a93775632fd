"""Plain words of whole batches against the plain way: a regular expression on each text."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel_roads import on_both_roads

from summetry.arrays.token_tables import cut_plain_words

# Among them runs that are no words any more.
lengths = st.sampled_from([1, 7, 8, 9, 64, 65, 200])
long_words = lengths.flatmap(lambda n: st.text("xyZ", min_size=n, max_size=n))
short_words = st.text("aB1", min_size=1, max_size=3)
pieces = st.one_of(
    short_words, long_words, st.sampled_from(["\n", "é", "—", "\x00", "don't", "\n\n"])
)
texts = st.lists(st.lists(pieces).map(" ".join))


def plain(text):
    return [token.lower() for token in re.findall("[A-Za-z0-9]+", text)]


def plain_lines(text):
    return [plain(line) for line in text.split("\n") if line]


def rows(texts):
    """The words of each text, the same on both roads."""
    return on_both_roads(lambda: _spelt(cut_plain_words(texts))[0])


def lines(texts):
    """The words of each line that is not empty, and where the lines of each text begin."""
    return on_both_roads(lambda: _spelt(cut_plain_words(texts, lines=True)))


def _spelt(pieces):
    spans = itertools.pairwise(pieces.offsets.tolist())
    found = [[pieces.distinct[i] for i in pieces.ids[a:b].tolist()] for a, b in spans]
    return found, pieces.first.tolist()


@given(texts)
def test_tokens_are_those_of_the_expression_and_lines_those_that_are_not_empty(texts):
    assert rows(texts) == [plain(text) for text in texts]
    found, first = lines(texts)
    by_text = [found[a:b] for a, b in itertools.pairwise(first)]
    assert by_text == [plain_lines(text) for text in texts]


@given(texts)
def test_words_are_sorted_and_dropped_ones_are_gone(texts):
    def table():
        pieces = cut_plain_words(texts)
        kept = np.array([word < "m" for word in pieces.distinct], dtype=np.int64)
        table = pieces.spelt([word for word in pieces.distinct if word < "m"], kept)
        return list(table.words), [table.text(row) for row in range(len(table))]

    words, found = on_both_roads(table)
    assert words == sorted(set(words))
    assert found == [[t for t in plain(text) if t < "m"] for text in texts]


@pytest.mark.parametrize("letter", ["\ud83d", "\udce9", "\u00e9", "\u4e2d", "\U0001f600", "\x00"])
def test_what_is_no_ascii_letter_separates(letter):
    """Halves of surrogate pairs, letters of two to four bytes, and the byte 0."""
    texts = [f"ab{letter}cd\n{letter}\n{letter}e", letter, "f"]
    assert rows(texts) == [["ab", "cd", "e"], [], ["f"]]
    assert lines(texts) == ([["ab", "cd"], [], ["e"], [], ["f"]], [0, 3, 4, 5])


@pytest.mark.parametrize("length", [8, 9, 65, 200])
def test_tokens_of_any_length(length):
    """They are told apart by their last letter, and from a token that is a part of them."""
    word = "abcdefgh" * 25
    texts = [f"{word[: length - 1]}x {word[: length - 1]}y", word[: length - 1], word]
    assert rows(texts) == [plain(text) for text in texts]


def test_very_many_words_are_told_apart():
    """The table of the kernel grows several times on the way."""
    words = [f"w{number}" for number in range(40_000)]
    assert rows([" ".join(words), " ".join(reversed(words))]) == [words, words[::-1]]


def test_nothing_and_empty_texts():
    assert rows([]) == []
    assert rows(["", "…"]) == [[], []]
    assert lines(["", "\n\n", "a"]) == ([["a"]], [0, 0, 0, 1])
