"""Heaviest common subsequences: a table, cell by cell, and whole batches on both roads."""

from itertools import pairwise

import lcs_oracle
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_roads import on_both_roads

from summetry.metrics import METRICS
from summetry.metrics.rouge.plain import (
    heaviest_hits,
    script_hits,
    script_runs,
    weighted_lcs,
    weighted_marks,
)
from summetry.metrics.rouge.views import limit_like_rouge155
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.records.lengths import Length

WEIGHTS = st.sampled_from([1.0, 1.2, 2.0, 0.5])
TEXTS = st.lists(st.text("abcd", max_size=9), max_size=4)


def side(author, sentences):
    """A text of these sentences, each letter a word; some may have none."""
    lines = tuple(" ".join(sentence) or "-" for sentence in sentences)
    return Side(author, "\n".join(lines), sentences=lines)


def hits_of(pairs, weight, text="rouge155", length=None):
    """What is paid for each pair of candidate and reference, counted as one batch; both roads."""
    sides = [(side("c", candidate), side("r", reference)) for candidate, reference in pairs]
    batch = Batch([Comparison(Material("t"), mine, (theirs,)) for mine, theirs in sides])
    cut = f",length={length}" if length else ""
    metric = METRICS.build(f"rouge_w(weight={weight},text={text}{cut})")
    return on_both_roads(lambda: metric.count_pairs(batch).hits.tolist())


def words_of(sentences):
    return [token for sentence in sentences for token in sentence]


@settings(max_examples=60)
@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=4), st.sampled_from([1.0, 1.2, 2.0]))
def test_a_batch_has_the_worth_of_each_pair_by_itself(pairs, weight):
    expected = [heaviest_hits(candidate, reference, weight) for candidate, reference in pairs]
    # The same additions in the same order.
    assert hits_of(pairs, weight, "rouge_score") == expected


@settings(max_examples=60)
@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=4), WEIGHTS)
def test_a_batch_is_paid_the_runs_of_each_pair_by_itself(pairs, weight):
    expected = [
        script_hits(mine, theirs, (words_of(mine), words_of(theirs)), weight)
        for mine, theirs in pairs
    ]
    assert hits_of(pairs, weight) == expected


@settings(max_examples=40)
@given(TEXTS, TEXTS, st.sampled_from(["3words", "7bytes", "20bytes"]))
def test_with_a_limit_a_run_is_paid_as_far_as_the_texts_that_are_left_have_its_words(
    candidate, reference, length
):
    limit = Length.parse(length)
    lines = [side("", sentences).sentences for sentences in (candidate, reference)]
    cut = [limit_like_rouge155(text, limit, by_sentence=True) for text in lines]
    sentences = [[line.replace("-", "").split() for line in text] for text in cut]
    have = [words_of(limit_like_rouge155(text, limit)) for text in lines]
    expected = script_hits(*sentences, have, 1.2)
    assert hits_of([(candidate, reference)], 1.2, length=length) == [expected]


@pytest.mark.parametrize(("longest", "weight"), [(64, 1.2), (70, 2.0), (70, 1.0), (300, 1.2)])
@pytest.mark.parametrize("letters", ["ab", "abcd", "abcdefghijklmnopqrstuvwxyz"])
def test_long_sentences_are_counted_and_marked_as_by_the_textbook(longest, weight, letters):
    """Sentences of more than a word of bits, with many equals and with few."""
    random = np.random.default_rng(longest)
    sizes = (longest, longest // 2), (longest - 3, 9)
    mine, theirs = (
        ["".join(random.choice(list(letters), size)) for size in of_text] for of_text in sizes
    )
    worth = [max(weighted_lcs(text, other, weight).worth for other in mine) for text in theirs]
    assert hits_of([(mine, theirs)], weight, "rouge_score") == [0.0 + worth[0] + worth[1]]
    for marked in (*theirs, *mine):
        # With all words of the candidate in reach, what is paid are the runs of marks.
        marks = lcs_oracle.mark_heaviest(marked, mine[0], weight)
        runs = "".join("x" if mark else " " for mark in marks).split()
        paid = 0.0
        for run in runs:
            paid += len(run) ** weight
        assert hits_of([(mine[:1], [marked])], weight) == [paid]


@given(st.text("abcd", max_size=40), st.text("abcd", max_size=40), WEIGHTS)
def test_the_marks_are_those_of_the_textbook(x, y, weight):
    assert weighted_marks(x, y, weight) == lcs_oracle.mark_heaviest(x, y, weight)


@given(st.text("abcd", max_size=40), st.text("abcd", max_size=40), WEIGHTS)
def test_runs_are_unbroken_in_both_sentences_and_worth_what_the_table_says(x, y, weight):
    worth, runs = weighted_lcs(x, y, weight)
    assert sum(len(run) ** weight for run in runs) == pytest.approx(worth)
    for run in runs:
        i, j = run[0]
        assert run == [(i + step, j + step) for step in range(len(run))]
        assert all(x[i] == y[j] for i, j in run)
    places = [place for run in runs for place in run]
    # In order, no place twice.
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(places))
    assert weighted_lcs(y, x, weight).worth == pytest.approx(worth)


def test_words_that_are_scattered_in_the_candidate_are_no_run():
    # Lin (2004), section 4: four in a run are worth 4^2, four apart 4 * 1.
    assert weighted_lcs("abcdefg", "abcdhik", 2.0) == (16.0, [[(0, 0), (1, 1), (2, 2), (3, 3)]])
    assert weighted_lcs("abcdefg", "ahbkcid", 2.0) == (
        4.0, [[(0, 0)], [(1, 2)], [(2, 4)], [(3, 6)]],
    )  # fmt: skip
    pairs = [(["abcdhik"], ["abcdefg"]), (["ahbkcid"], ["abcdefg"])]
    assert hits_of(pairs, 2, "rouge_score") == [16, 4]
    # The script pays runs of the reference.
    assert hits_of(pairs, 2) == [16, 16]


def test_no_sentence_is_worth_more_than_itself():
    sentences = ["abcdefghijklmnopqrstuvwxyz"[:size] for size in range(1, 27)]
    # Added up step by step, some are: by the last bit.
    assert any(weighted_lcs(s, s, 1.2).worth > len(s) ** 1.2 for s in sentences)
    hits = hits_of([([s], [s]) for s in sentences], 1.2, "rouge_score")
    assert all(paid <= len(s) ** 1.2 for paid, s in zip(hits, sentences, strict=True))


def test_a_longer_run_weighs_more_than_a_scattered_match():
    # "ab" in one piece is worth 4 of weight 2; a and b apart are worth 1 each.
    assert weighted_marks("abxab", "ab", 2.0) == [False, False, False, True, True]
    assert weighted_marks("axb", "ab", 2.0) == [True, False, True]


def test_a_marked_token_that_a_text_has_too_few_of_neither_ends_a_run_nor_pays_it():
    # "ab" marks both sentences, and the candidate has "a" and "b" once: the first sentence is paid.
    assert script_runs(["ab"], ["ab", "ab"], ("ab", "abab"), 2.0) == [([(0, 0), (0, 1)], 4.0)]
    # "aba" is marked whole by "aba"; with one "b" and one "a" in the text, the run ends on a token
    # that is not paid, so it is lost; with two "a" it is paid whole.
    assert script_hits(["aba"], ["aba"], ("ab", "aba"), 2.0) == 0
    assert script_hits(["aba"], ["aba"], ("aab", "aba"), 2.0) == 9
    # A token inside is bridged: "a" and "c" of "abc" are one run of 2.
    assert script_hits(["abc"], ["abc"], ("ac", "abc"), 2.0) == 4
    # Six bytes of "x x", "a b a" are "x x", "a b" to the script, and its sentences stay whole.
    texts = ["xx", "aba"]
    assert hits_of([(texts, texts)], 2) == [4 + 9]
    assert hits_of([(texts, texts)], 2, length="6bytes") == [4]


def test_without_texts_nothing_is_paid():
    assert weighted_lcs("", "ab", 1.2) == weighted_lcs("ab", "", 1.2) == (0.0, [])
    assert weighted_marks("", "ab", 1.2) == []
    assert weighted_marks("ab", "", 1.2) == [False, False]
    for text in ("rouge155", "rouge_score"):
        assert hits_of([], 1.2, text) == []
        assert hits_of([([], ["ab"]), (["ab"], []), ([""], ["", "ab"])], 1.2, text) == [0, 0, 0]
