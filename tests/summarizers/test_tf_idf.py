"""Sums of tf.idf weights."""

import math

import pytest
from hypothesis import given, settings
from ranked_sentences import idf_oracle, joined, rank, sentence_lists, source_of

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.topics import Document, Topic
from summetry.summarizers import SUMMARIZERS
from summetry.summarizers.tf_idf import tf_idf


def tf_idf_oracle(sentences, tf, normalise):
    idf = idf_oracle(sentences)
    everything = [word for words in sentences for word in words]
    scores = []
    for words in sentences:
        counted = words if tf == "sentence" else everything
        score = math.fsum(counted.count(word) * idf[word] for word in set(words))
        if normalise == "length":
            score = score / len(words) if words else math.nan
        scores.append(score)
    return scores


def test_four_sentences_worked_by_hand():
    """Fog is in two of four sentences, ferry and pier in one each."""
    sentences = [["fog", "fog"], ["fog", "ferry"], ["pier"], []]
    two, four = math.log(2), math.log(4)
    assert tf_idf(sentences) == pytest.approx([2 * two, two + four, four, 0])
    assert tf_idf(sentences, tf="topic") == pytest.approx([3 * two, 3 * two + four, four, 0])
    by_length = tf_idf(sentences, normalise="length")
    assert by_length == pytest.approx([two, (two + four) / 2, four, math.nan], nan_ok=True)


@given(sentence_lists)
@settings(max_examples=70)
def test_scores_agree_with_a_slow_plain_way(sentences):
    for tf in ("sentence", "topic"):
        for normalise in (None, "length"):
            scores = tf_idf(sentences, tf, normalise)
            expected = tf_idf_oracle(sentences, tf, normalise)
            assert scores == pytest.approx(expected, abs=1e-12, nan_ok=True)
            spelling = f"tf_idf(tf={tf},normalise={normalise or 'none'},text=auto)"
            ranked = rank(spelling, *joined(sentences))
            assert ranked.scores == pytest.approx(tuple(expected), abs=1e-12, nan_ok=True)
            assert sorted(ranked.order) == list(range(len(sentences)))


def test_a_rare_word_of_a_corpus_weighs_more():
    documents = (Document("a", units=("fog ferry",)), Document("b", units=("fog quay",)))
    corpus = Corpus(language="en", topics=(Topic("t", documents=documents),))
    learned = SUMMARIZERS.build("tf_idf(idf=corpus)").learn(corpus, frozenset())
    ranking = learned.rank(source_of(["Fog.", "A ferry.", "Ice."]), 1)
    assert ranking.scores == pytest.approx((0.0, math.log(3 / 2), math.log(3)))
    assert ranking.order == (2, 1, 0)
    with pytest.raises(SummetryError, match="summarize a corpus, or take idf=topic"):
        rank("tf_idf(idf=corpus)", "Fog.")
