"""Alignment of a text to its source: all alignments of small texts, and the edges."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.arrays.sequences import lcs_length
from summetry.errors import SummetryError
from summetry.metrics.networks import alignment
from summetry.metrics.networks.alignment import leftmost_alignment

words = st.text("abcd", max_size=7)


def leftmost_plainly(source, text):
    """Every choice of places in the source and in the text, longest first, then by places."""
    for size in range(min(len(source), len(text)), -1, -1):
        for places in combinations(range(len(source)), size):
            for chosen in combinations(range(len(text)), size):
                if all(source[i] == text[j] for i, j in zip(places, chosen, strict=True)):
                    aligned = dict(zip(chosen, places, strict=True))
                    return [aligned.get(j) for j in range(len(text))]
    raise AssertionError("no words at all are an alignment")


@given(words, words)
def test_the_first_of_all_alignments_that_keep_the_most_words(source, text):
    assert leftmost_alignment(source, text) == leftmost_plainly(source, text)


@given(st.text("abcdefgh", max_size=120), st.text("abcdefghxyz", max_size=90))
def test_as_many_words_as_the_longest_common_subsequence_in_order(source, text):
    aligned = leftmost_alignment(source, text)
    places = [place for place in aligned if place is not None]
    assert len(places) == lcs_length(source, text)
    assert places == sorted(set(places))
    kept = [(source[p], letter) for p, letter in zip(aligned, text, strict=True) if p is not None]
    assert all(a == b for a, b in kept)


@given(st.text("abcde", max_size=40), st.data())
def test_a_part_of_the_source_is_found_whole(source, data):
    kept = data.draw(st.lists(st.booleans(), min_size=len(source), max_size=len(source)))
    text = [letter for letter, keep in zip(source, kept, strict=True) if keep]
    assert None not in leftmost_alignment(source, text)


@pytest.mark.parametrize(
    ("source", "text", "places"),
    [
        # The first "in" is the leftmost, unless "bloom" must come before it.
        ("cherry in japan bloom in spring", "cherry in spring", [0, 1, 5]),
        ("cherry in japan bloom in spring", "bloom in spring", [3, 4, 5]),
        ("a b c", "c b a", [None, None, 0]),
        ("a b", "a big b", [0, None, 1]),
        ("a a a", "a a", [0, 1]),
        ("a", "a a", [0, None]),
        ("北京 欢迎 你", "你 北京", [None, 0]),
        ("", "a b", [None, None]),
        ("a b", "", []),
        ("", "", []),
    ],
)
def test_alignments_by_hand(source, text, places):
    assert leftmost_alignment(source.split(), text.split()) == places


def test_a_text_that_is_too_long_to_be_aligned_is_refused(monkeypatch):
    monkeypatch.setattr(alignment, "_MOST_BITS", 6)
    assert leftmost_alignment("abcd", "bd") == [1, 3]
    message = r"a text of 3 words is aligned to up to 2 words of a source, found 3 that it has too"
    with pytest.raises(SummetryError, match=message):
        leftmost_alignment("abcd", "bcd")
