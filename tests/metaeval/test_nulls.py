"""Null judges: values by hand, a slow plain lead overlap, and properties."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import summetry
from summetry.errors import SummetryError
from summetry.metaeval.nulls import (
    A_LEAD,
    A_LENGTH,
    lead_overlap,
    lead_overlaps,
    most_frequent,
    on_grid,
    text_nulls,
    word_counts,
)
from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic

WORDS = st.lists(st.sampled_from("abcde"), min_size=1, max_size=12)

SOURCE = "The river rose on Monday. The town council met, and the bridge was closed."


def corpus_of(texts, documents=(SOURCE,)):
    """One topic; ``texts`` are the summaries of the systems."""
    held = tuple(Document(f"d{k}", text=text) for k, text in enumerate(documents))
    summaries = tuple(Summary("t", who, "candidate", text=text) for who, text in texts.items())
    return Corpus(topics=(Topic("t", documents=held),), summaries=summaries)


def test_lead_overlap_by_hand():
    """The first four words of the source are the, river, rose, on; the first eight add monday,
    the, town, council."""
    corpus = corpus_of(
        {
            "lead": "The river rose on",
            # "the" twice, and once among the first four: 3 of 4.
            "case": "THE RIVER, the on",
            # council, met, bridge, closed are none of the first four words.
            "end": "council met bridge closed",
            # the (2 of 2), council, town; bridge, was, closed, met are later: 4 of 8.
            "middle": "The town council met the bridge was closed",
        }
    )
    values = lead_overlaps(corpus)
    expected = {"lead": 1.0, "case": 0.75, "end": 0.0, "middle": 0.5}
    assert values == {("t", name): value for name, value in expected.items()}


def test_a_source_that_is_shorter_than_the_summary_is_taken_whole():
    corpus = corpus_of({"long": "rain fell on the town all day"}, ["Rain fell"])
    assert lead_overlaps(corpus) == {("t", "long"): 2 / 7}


def test_of_several_documents_the_nearest_beginning_counts_in_any_order():
    documents = ["Wind and hail.", "Snow fell at night.", "Sun."]
    for order in (documents, documents[::-1]):
        assert lead_overlaps(corpus_of({"s": "Snow fell, hail"}, order)) == {("t", "s"): 2 / 3}


def test_units_of_a_source_without_text_are_its_words():
    corpus = corpus_of({"s": "One two three"}, ())
    topic = Topic("t", documents=(Document("d", units=("One two.", "Four three.")),))
    assert lead_overlaps(replace(corpus, topics=(topic,))) == {("t", "s"): 2 / 3}


@pytest.mark.parametrize("documents", [(), ("",), ("...",)])
def test_without_a_text_of_the_source_there_is_no_lead_overlap(documents):
    assert lead_overlaps(corpus_of({"s": "a text"}, documents)) == {}


def test_a_summary_without_words_has_no_lead_overlap():
    assert lead_overlaps(corpus_of({"s": "...", "e": ""})) == {}


@given(WORDS, WORDS)
def test_lead_overlap_is_what_crossing_out_words_gives(summary, source):
    """Slow and plain: each word of the summary crosses one out of the first n of the source."""
    left = source[: len(summary)]
    crossed = 0
    for word in summary:
        if word in left:
            left.remove(word)
            crossed += 1
    assert lead_overlap(summary, source) == crossed / len(summary)


@given(WORDS, WORDS, st.randoms())
def test_lead_overlap_is_a_share_that_the_order_of_a_summary_does_not_change(
    summary, source, random
):
    value = lead_overlap(summary, source)
    assert 0 <= value <= 1
    shuffled = list(summary)
    random.shuffle(shuffled)
    assert lead_overlap(shuffled, source) == value
    assert lead_overlap(source, source) == 1
    # What follows the first n words of the source does not matter.
    if len(source) >= len(summary):
        assert lead_overlap(summary, [*source, *summary]) == value


@given(WORDS, WORDS)
def test_lead_overlap_is_rouge_1_precision_against_a_lead_of_the_same_length(summary, source):
    text, lead = " ".join(summary), " ".join(source[: len(summary)])
    scores = summetry.score([text], [lead], metrics=["rouge-1"])
    assert lead_overlap(summary, source) == scores["rouge-1.precision"][0]


def test_lengths_are_numbers_of_words():
    corpus = corpus_of({"a": "Don't pay 2,400.", "b": "one", "c": ""})
    assert word_counts(corpus) == {("t", "a"): 3, ("t", "b"): 1}


def test_the_most_frequent_mark_and_the_lowest_of_equals():
    assert most_frequent([5, 4, 4, 1]) == 4
    assert most_frequent([5, 4, 5, 4, 1]) == 4
    assert most_frequent([[2.5, math.nan], [math.nan, math.nan]]) == 2.5


def test_no_mark_is_refused():
    with pytest.raises(SummetryError, match="the most frequent mark needs a mark, got none"):
        most_frequent([math.nan])


def test_values_are_tables_of_systems_and_topics():
    table = on_grid({("t1", "a"): 3.0, ("t2", "b"): 5.0}, ["b", "a"], ["t1", "t2"])
    np.testing.assert_array_equal(table, [[math.nan, 5.0], [3.0, math.nan]])


def test_texts_have_those_nulls_that_they_allow():
    corpus = corpus_of({"a": "The river", "b": "A bridge was closed"})
    nulls = text_nulls(corpus).on_grid(["b", "a"], ["t"])
    assert list(nulls) == [A_LENGTH, A_LEAD]
    assert nulls[A_LENGTH].values.tolist() == [[4], [2]]
    assert nulls[A_LEAD].values.tolist() == [[0], [1]]
    bare = text_nulls(replace(corpus, topics=(Topic("t"),))).on_grid(["b", "a"], ["t"])
    assert list(bare) == [A_LENGTH]
