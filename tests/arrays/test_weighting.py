"""Weighted matrices: a slow way to every scheme, and the points that the formulas leave open."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lsa_oracle import LOCALS, SCOPES, matrix_of, texts, weightings

from summetry.arrays.weighting import (
    Weighting,
    occurrences,
    scope_weights_from,
    tokens_as_table,
    weigh,
    weighting_matrix,
)

FOG = [["fog", "pier", "fog"], ["fog"], ["ice", "ice"], []]


def several(*many):
    """Occurrences of several texts."""
    table = tokens_as_table([sentence for text in many for sentence in text])
    return table, occurrences(table, np.cumsum([0, *map(len, many)], dtype=np.int64))


@settings(max_examples=100)
@given(texts, weightings)
def test_every_scheme_is_that_of_the_slow_way(text, chosen):
    terms, expected = matrix_of(text, **chosen)
    weighted = weighting_matrix(text, Weighting(**chosen))
    assert weighted.terms == terms
    assert weighted.matrix == pytest.approx(expected, rel=1e-13, abs=0)
    assert ((weighted.matrix == 0) == (expected == 0)).all()


@given(st.lists(texts, min_size=1, max_size=4), weightings)
def test_a_text_weighs_the_same_alone_and_among_others(many, chosen):
    _, terms = several(*many)
    together = weigh(terms, Weighting(**chosen))
    for i, text in enumerate(many):
        alone = weighting_matrix(text, Weighting(**chosen)).matrix
        entries, _ = together.occurrences.entries(np.array([i]))
        # A weight of 0 stays an entry.
        weights = [weight for weight in together.weights[entries].tolist() if weight]
        assert sorted(weights) == sorted(alone[alone > 0].tolist())


@pytest.mark.parametrize("sentences", [2, 3, 7, 10, 49])
@pytest.mark.parametrize("times", [1, 3])
def test_a_term_spread_evenly_weighs_exactly_nothing_by_entropy(sentences, times):
    text = [["fog"] * times for _ in range(sentences)]
    assert not weighting_matrix(text, Weighting("FQ", "EN")).matrix.any()
    printed = weighting_matrix(text, Weighting("BI", "EN", en="printed")).matrix
    assert (printed == 2.0).all()


def test_an_absent_term_weighs_half_only_if_asked_and_never_in_an_empty_sentence():
    literal = weighting_matrix(FOG, Weighting("AU", "NW", au_absent="half"))
    assert literal.matrix[1].tolist() == [0.75, 0.5, 0.5, 0.0]
    assert weighting_matrix(FOG, Weighting("AU", "NW")).matrix[1].tolist() == [0.75, 0, 0, 0]


def test_global_weights_of_another_text():
    """Unknown terms weigh as if they stood once in the other text."""
    _, entries = several([["fog", "hull"]], FOG)
    taken = entries.take(np.array([0, 0]))
    isf = [math.log(2) + 1, math.log(4) + 1]
    for scope, expected in (("ISF", isf), ("GF", [1.5, 1]), ("NW", [1, 1])):
        weights = scope_weights_from(taken, np.array([1, 1]), entries, Weighting(scope=scope))
        assert weights.tolist() == pytest.approx(expected * 2)
    _, entries = several([["fog"]], [])
    first = entries.take(np.array([0]))
    assert scope_weights_from(first, np.array([1]), entries, Weighting(scope="ISF")) == [1.0]


def test_texts_are_taken_more_than_once_and_in_any_order():
    table, entries = several([["a", "b"], ["b"]], [], [["b", "b", "c"]])
    taken = entries.take(np.array([2, 0, 2, 1]))
    words = [table.words[i] for i in taken.bags.ids]
    assert words == ["b", "c", "a", "b", "b", "c"]
    assert taken.bags.counts.tolist() == [2, 1, 1, 2, 2, 1]
    assert taken.first.tolist() == [0, 1, 3, 4, 4]
    assert taken.term.tolist() == [0, 1, 2, 3, 3, 4, 5]
    assert taken.sentence.tolist() == [0, 0, 1, 1, 2, 3, 3]


@pytest.mark.parametrize("text", [[], [[]], [[], []]])
def test_a_text_without_words_has_an_empty_matrix(text):
    for local in LOCALS:
        for scope in SCOPES:
            weighted = weighting_matrix(text, Weighting(local, scope, au_absent="half"))
            assert weighted.terms == []
            assert weighted.matrix.shape == (0, len(text))
