"""What summaries share with a reference, and the tables of the paper; mean coverage."""

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.records.lengths import Length
from summetry.records.summaries import Summary
from summetry.references import topic_votes
from summetry.references.comparison import (
    best_extract,
    best_informant,
    compare_extracts,
    compare_text,
    compare_units,
    compare_with_majority,
    compare_words,
    mean_overlap,
    system_names,
)
from summetry.references.coverage import mean_coverage

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
    overlap = compare_words(left, right)
    covered = sum(word in left for word in right), sum(word in right for word in left)
    clipped = slow_frequency(left, right)
    sizes = len(right), len(left)
    for shares, hits in ((overlap.word, covered), (overlap.frequency, (clipped, clipped))):
        assert same(shares, (*map(over, hits, sizes), over(sum(hits), sum(sizes))))
    types = len(set(left) & set(right))
    assert same(overlap.word_types.recall, over(types, len(set(right))))
    assert all(map(math.isnan, overlap.sentence))
    # By frequency is never above the word level, as in all fifty rows of the paper's tables.
    for frequency, word in zip(overlap.frequency, overlap.word, strict=True):
        assert math.isnan(word) or frequency <= word
    # Turned round, recall is precision.
    for a, b in zip(overlap, compare_words(right, left), strict=True):
        assert same((a.recall, a.precision, a.f), (b.precision, b.recall, b.f))


@given(st.lists(units, max_size=5), units)
def test_the_best_extract_is_the_first_of_the_nearest(extracts, reference):
    nearest = best_extract(extracts, [reference] * len(extracts))
    if not extracts or not reference:
        assert nearest is None
        return
    dice = [2 * len(e & reference) / (len(e) + len(reference)) for e in extracts]
    assert nearest == dice.index(max(dice))


def test_a_sentence_that_is_there_twice_is_two_units():
    twice = [["a"], ["a"]]
    assert compare_extracts([0], [1], twice).sentence.recall == 0
    assert compare_extracts([0], [1], twice).word.recall == 1
    assert compare_units([0, 0], [0]).precision == 1
    with pytest.raises(SummetryError, match="the extract: expected units from 0 to 0, found 2"):
        compare_extracts([2], [0], [["a"]])
    with pytest.raises(SummetryError, match="the reference: expected units from 0 to 0, found -1"):
        compare_extracts([0], [-1], [["a"]])
    # Every unit counts alike in coverage.
    assert mean_coverage([100, 0, 20]) == pytest.approx(0.4, abs=1e-15)
    assert math.isnan(mean_coverage([]))


def peer(author, **content):
    return Summary("ferry", author, "candidate", **content)


@pytest.fixture
def judged(ferry):
    """By overshoot the majority takes units 0, 1 and 2: seven words."""
    peers = peer("picker", units=(0, 3)), peer("writer", text="The ferry sank, sank in fog.")
    rest = peer("silent", text=""), Summary("ferry", "reference", "reference", units=(0,))
    return dataclasses.replace(ferry, summaries=(*peers, *rest))


def test_a_line_by_hand(judged):
    (line,) = compare_with_majority(judged, own_vote=True)
    assert line.reference == (0, 1, 2)
    assert line.best.author == "ben" and line.best.overlap.sentence == (1, 1, 1)
    assert line.best.length == pytest.approx(700 / 11)
    picker = line.systems["picker"]
    assert picker.overlap.sentence == pytest.approx((1 / 3, 1 / 2, 2 / 5))
    # The reference: the ferry sank nobody died fog came.
    assert picker.overlap.word.recall == pytest.approx(3 / 7)
    writer = line.systems["writer"]
    assert math.isnan(writer.overlap.sentence.recall)
    assert writer.overlap.word == pytest.approx((4 / 7, 5 / 6, 9 / 13))
    assert writer.overlap.frequency == pytest.approx((4 / 7, 4 / 6, 8 / 13))
    assert writer.length == pytest.approx(600 / 11)
    assert line.systems["silent"].overlap.word.recall == 0
    assert system_names([line]) == ["picker", "writer", "silent"]
    # Means leave out what is undefined or absent.
    means = mean_overlap([picker, None, writer], "both")
    assert means.overlap.sentence.recall == pytest.approx(1 / 3)
    assert means.overlap.word.recall == pytest.approx((3 / 7 + 4 / 7) / 2)
    assert math.isnan(mean_overlap([None], "nobody").length)


def f_of(corpus, system, own_vote):
    (line,) = compare_with_majority(corpus, own_vote=own_vote)
    return line.systems[system].overlap.sentence.f


def test_an_informant_meets_the_vote_of_the_others(judged):
    """Units have 3, 2, 2 and 4 words; ann chose 0 1, ben 0 1 2, cy 0 3.

    The others of ann have 7 words on the mean: units 0, 1 and 2 by votes and position. Those of ben
    have 6: 0, 1 and 3, which ben did not choose. Those of cy have 6: 0, 1 and 2. So F of ann is
    2 * 2 / (2 + 3), of ben 2 * 2 / (3 + 3), of cy 2 * 1 / (2 + 3).
    """
    (line,) = compare_with_majority(judged)
    assert line.reference == (0, 1, 2)
    assert (line.best.author, line.best.overlap.sentence.f) == ("ann", pytest.approx(0.8))
    # Systems meet the votes of all, unless they have the name of an informant.
    assert line.systems["picker"].overlap.sentence.f == pytest.approx(2 / 5)
    cy = dataclasses.replace(judged, summaries=(peer("cy", units=(0, 3)),))
    ben = dataclasses.replace(judged, summaries=(peer("ben", units=(0, 1, 2)),))
    own_and_others = [[f_of(c, name, own) for own in (True, False)]
                      for c, name in ((cy, "cy"), (ben, "ben"))]  # fmt: skip
    assert own_and_others == [pytest.approx([2 / 5, 2 / 5]), pytest.approx([1, 4 / 6])]


def test_who_worked_alone_has_nobody_to_be_compared_with(make_corpus):
    corpus = make_corpus({"t": ["One.", "Two."]}, {"t": {"a": [0]}})
    (line,) = compare_with_majority(corpus)
    assert line.best is None and line.reference == (0,)
    (line,) = compare_with_majority(corpus, own_vote=True)
    assert line.best.overlap.sentence.f == 1
    (votes,) = topic_votes(make_corpus({"t": ["One.", "Two."]}, {"t": {"ann": [0]}}))
    assert best_informant(votes, Length("mean")) is None
    # Empty extracts are not the best ones either.
    (line,) = compare_with_majority(make_corpus({"t": ["One."]}, {"t": {"a": []}}))
    assert line.best is None and line.reference == ()


def test_a_pasted_extract_is_compared_by_its_units(ferry):
    (votes,) = topic_votes(ferry)
    # Two sentences by the vote: 0 and 1, five words. The text has 0 and 3.
    found = compare_text(votes, "The ferry sank.\nThey  build a bridge", Length("units", 2))
    assert (found.found.units, found.found.missing) == ((0, 3), ())
    assert (found.reference, found.missed, found.beside) == ((0, 1), (1,), (3,))
    assert found.given.overlap.sentence == (1 / 2, 1 / 2, 1 / 2)
    # "the", "ferry" and "sank" of five words there and seven here.
    assert found.given.overlap.word == pytest.approx((3 / 5, 3 / 7, 6 / 12))
    assert found.given.overlap.frequency == pytest.approx((3 / 5, 3 / 7, 6 / 12))
    # ann chose 0 and 1; ben and cy give 2, 1, 1 and 1 votes, so 0 and 1 too.
    assert found.best.author == "ann" and found.best.overlap.sentence.f == 1
    assert best_informant(votes, Length("units", 2)) == found.best


def test_what_is_not_in_the_text_is_named_and_its_words_count(ferry):
    (votes,) = topic_votes(ferry)
    found = compare_text(votes, "The ferry sank. A storm came.", Length("units", 2))
    assert found.found.units == (0,) and found.found.missing == ("A storm came",)
    assert found.given.overlap.sentence == pytest.approx((1 / 2, 1, 2 / 3))
    # Three of the six words are in the reference.
    assert found.given.overlap.word == pytest.approx((3 / 5, 3 / 6, 6 / 11))
    nothing = compare_text(votes, "Quite another thing.", Length("units", 2))
    assert nothing.found.units == () and all(map(math.isnan, nothing.given.overlap.sentence))
    assert nothing.given.overlap.word.recall == 0
