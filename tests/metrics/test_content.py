"""Cosine, unit overlap and LCS: plain oracles against the batch code, and their settings."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from comparisons import may_be_empty, score_pairs
from hypothesis import given, settings
from hypothesis import strategies as st

import summetry
from summetry.errors import SummetryError
from summetry.metrics.cosine import cosine, cosine_of_tokens
from summetry.metrics.lcs import common_subsequence, edit_di
from summetry.metrics.unit_overlap import unit_overlap

tokens = st.lists(st.sampled_from("abcdefg"), max_size=12)
pairs = st.lists(st.tuples(tokens, tokens), min_size=1, max_size=6)


def edit_distance_without_substitution(x, y):
    """The whole table, cell by cell."""
    row = list(range(len(y) + 1))
    for i, a in enumerate(x, 1):
        above, row = row, [i]
        for j, b in enumerate(y, 1):
            row.append(above[j - 1] if a == b else 1 + min(above[j], row[-1]))
    return row[-1]


def slow_cosine(x, y):
    left, right = Counter(x), Counter(y)
    if not right:
        return math.nan
    dot = sum(left[term] * right[term] for term in left)
    squares = [sum(n * n for n in side.values()) for side in (left, right)]
    return dot / math.sqrt(squares[0]) / math.sqrt(squares[1]) if left else 0.0


def overlap(x, y):
    return unit_overlap(x, y) if y else math.nan


def overlap_of_neighbours(x, y):
    return overlap(set(pairwise(x)), set(pairwise(y)))


@may_be_empty
@pytest.mark.parametrize(
    ("spelling", "oracle", "tolerance"),
    [
        ("unit_overlap", overlap, 1e-15),
        ("unit_overlap(n=2)", overlap_of_neighbours, 1e-15),
        # The oracle takes two roots, the metric one root of their product.
        ("cosine", slow_cosine, 1e-12),
    ],
)
@settings(max_examples=70)
@given(pairs)
def test_a_batch_has_the_values_of_each_pair(spelling, oracle, tolerance, pairs):
    scores = score_pairs(pairs, spelling)["value"]
    expected = [oracle(x, y) for x, y in pairs]
    assert scores.tolist() == pytest.approx(expected, nan_ok=True, abs=tolerance)


@may_be_empty
@settings(max_examples=70)
@given(pairs)
def test_lcs_of_a_batch_follows_the_edit_distance(pairs):
    scores = score_pairs(pairs, "lcs")
    for i, (x, y) in enumerate(pairs):
        length = (len(x) + len(y) - edit_distance_without_substitution(x, y)) / 2
        if not y:
            assert math.isnan(scores["length"][i])
            continue
        assert scores["length"][i] == length
        assert scores["recall"][i] == length / len(y)
        assert scores["f"][i] == pytest.approx(2 * length / (len(x) + len(y)))


@given(tokens, tokens)
def test_edit_di_counts_deletions_and_insertions_only(x, y):
    assert edit_di(x, y) == edit_distance_without_substitution(x, y)
    assert common_subsequence(x, y).length * 2 == len(x) + len(y) - edit_di(x, y)


@given(tokens, tokens)
def test_all_three_are_symmetric_where_both_texts_have_words(x, y):
    if x and y:
        assert unit_overlap(x, y) == unit_overlap(y, x)
        assert cosine_of_tokens(x, y) == pytest.approx(cosine_of_tokens(y, x), abs=1e-15)
        assert common_subsequence(x, y).f == common_subsequence(y, x).f


@given(tokens)
def test_a_text_and_itself_have_a_cosine_of_exactly_one(x):
    if x:
        assert cosine_of_tokens(x, x) == 1.0
        assert score_pairs([(x, x)], "cosine")["value"][0] == 1.0


def test_the_full_text_can_be_what_a_summary_is_compared_with():
    # Counts 1 1 and 2 1 1: 3 / sqrt(2 * 6).
    scores = summetry.score(
        "rain fell", ["sun"], sources="Rain and rain fell", metrics=["cosine(against=source)"]
    )
    assert scores["cosine(against=source)"]["value"] == pytest.approx(3 / math.sqrt(12), rel=1e-15)
    with pytest.raises(SummetryError, match="the source"):
        summetry.score("rain", ["rain"], metrics=["cosine(against=source)"])


def test_vectors_of_two_lengths_have_no_cosine():
    with pytest.raises(SummetryError, match="two vectors of one length are needed, got 1 and 2"):
        cosine([1], [1, 2])


def test_tf_isf_weighs_a_word_of_few_sentences_above_one_of_all():
    source = "The dam broke. The town drowned. The mayor fled."
    scores = summetry.score(
        ["the dam", "the dam"],
        [["the town"], ["a dam"]],
        metrics=["cosine(weights=tf_isf)", "cosine"],
        sources=[source, source],
    )
    weighted, plain = scores["cosine(weights=tf_isf)"]["value"], scores["cosine"]["value"]
    assert plain[0] == plain[1]
    assert weighted[0] < weighted[1]
    # "the" is in 3 of 3 sentences, "dam" and "town" in 1 of them, "a" in none.
    the, dam, a = math.log(4 / 4) + 1, math.log(4 / 2) + 1, math.log(4 / 1) + 1
    assert weighted[0] == pytest.approx(the**2 / (the**2 + dam**2))
    assert weighted[1] == pytest.approx(dam**2 / math.sqrt((the**2 + dam**2) * (a**2 + dam**2)))


def test_binary_weights_forget_how_often_a_word_stands():
    scores = summetry.score("a a a b", ["a b b"], metrics=["cosine(weights=binary)"])
    assert scores["cosine(weights=binary)"]["value"] == pytest.approx(1.0)


def test_the_best_reference_is_taken_on_request():
    spellings = ["unit_overlap", "unit_overlap(references=best)"]
    scores = summetry.score("a b", ["a b", "c"], metrics=spellings)
    assert [scores[s]["value"] for s in spellings] == [0.5, 1.0]


def test_an_n_of_zero_is_refused():
    with pytest.raises(SummetryError, match="n must be 1 or more, got 0"):
        summetry.score("a", ["a"], metrics=["unit_overlap(n=0)"])


def test_texts_in_scripts_of_the_world_match_themselves():
    texts = [
        "नेपाली भाषा",
        "北京天气很好",
        "ภาษาไทย",
        "Ελληνικά",
        "مرحبا بالعالم",
        "日本語の文章",
    ]
    scores = summetry.score(texts, [[t] for t in texts], metrics=["unit_overlap", "cosine", "lcs"])
    for values in (scores["unit_overlap"]["value"], scores["cosine"]["value"], scores["lcs"]["f"]):
        assert np.array_equal(values, np.ones(len(texts)))
