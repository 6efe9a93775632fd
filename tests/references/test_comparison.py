"""Comparison of texts with a reference: a slow oracle, what must hold, and edges."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.references.comparison import (
    best_extract,
    compare_extracts,
    compare_units,
    compare_words,
)

words = st.lists(st.sampled_from(["a", "b", "c", "Ω", "北"]), max_size=8)
units = st.sets(st.integers(0, 4))


def slow_frequency(left, right):
    """Strike out a word of the reference for each word of the text that has it."""
    rest, hits = list(right), 0
    for word in left:
        if word in rest:
            rest.remove(word)
            hits += 1
    return hits


def same(a, b):
    return a == pytest.approx(b, abs=1e-12, nan_ok=True)


def over(hits, size):
    return hits / size if size else math.nan


@given(words, words)
def test_word_levels_are_what_a_person_would_count(left, right):
    found = compare_words(left, right)
    covered = sum(word in left for word in right), sum(word in right for word in left)
    clipped = slow_frequency(left, right)
    sizes = len(right), len(left)
    both = sum(sizes)
    assert same(found.word, (over(covered[0], sizes[0]), over(covered[1], sizes[1]),
                             over(sum(covered), both)))  # fmt: skip
    assert same(found.frequency, (over(clipped, sizes[0]), over(clipped, sizes[1]),
                                  over(2 * clipped, both)))  # fmt: skip
    types = len(set(left) & set(right))
    assert same(found.word_types.recall, over(types, len(set(right))))
    assert all(map(math.isnan, found.sentence))


@given(words, words)
def test_by_frequency_is_never_above_the_word_level(left, right):
    """As in all fifty rows of the paper's tables."""
    found = compare_words(left, right)
    for frequency, word in zip(found.frequency, found.word, strict=True):
        assert math.isnan(word) or frequency <= word


@given(words, words)
def test_turned_round_recall_is_precision(left, right):
    there, back = compare_words(left, right), compare_words(right, left)
    for a, b in zip(there, back, strict=True):
        assert same((a.recall, a.precision, a.f), (b.precision, b.recall, b.f))


@given(units, units, st.lists(words, min_size=5, max_size=5))
def test_an_extract_has_all_of_itself_and_some_of_another(left, right, sentences):
    found = compare_extracts(left, right, sentences)
    assert same(found.sentence.recall, over(len(left & right), len(right)))
    itself = compare_extracts(left, left, sentences)
    for shares in itself:
        assert all(share == 1 or math.isnan(share) for share in shares)


@given(st.lists(units, max_size=5), units)
def test_the_best_extract_is_the_first_of_the_nearest(extracts, reference):
    found = best_extract(extracts, reference)
    if not extracts or not reference:
        assert found is None
        return
    dice = [2 * len(e & reference) / (len(e) + len(reference)) for e in extracts]
    assert found == dice.index(max(dice))


def test_a_sentence_that_is_there_twice_is_two_units():
    twice = [["a"], ["a"]]
    assert compare_extracts([0], [1], twice).sentence.recall == 0
    assert compare_extracts([0], [1], twice).word.recall == 1
    assert compare_units([0, 0], [0]).precision == 1


def test_units_that_are_not_there_are_told():
    with pytest.raises(SummetryError, match="the extract: expected units from 0 to 0, found 2"):
        compare_extracts([2], [0], [["a"]])
    with pytest.raises(SummetryError, match="the reference: expected units from 0 to 0, found -1"):
        compare_extracts([0], [-1], [["a"]])
