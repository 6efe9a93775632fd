"""Centroid: the three features of MEAD and its cut-off."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ranked_sentences import idf_oracle, joined, sentence_lists, source_of

from summetry.records.corpus import Corpus
from summetry.records.topics import Document, Topic
from summetry.summarizers import SUMMARIZERS
from summetry.summarizers.centroid import centroid

document_lists = st.lists(sentence_lists, max_size=3)
weights = st.sampled_from([0, 1, 0.5, -1])


def rank(spelling, *documents):
    return SUMMARIZERS.build(spelling).rank(source_of(*documents), 1)


def centroid_oracle(documents, centroid=1, position=1, first=0, length=9, threshold=0):
    sentences = [words for document in documents for words in document]
    everything = [word for words in sentences for word in words]
    values = {
        word: everything.count(word) / len(documents) * idf
        for word, idf in idf_oracle(sentences).items()
    }
    values = {word: value if value >= threshold else 0.0 for word, value in values.items()}
    scores = []
    for document in documents:
        sums = [math.fsum(values[word] for word in words) for words in document]
        for place, words in enumerate(document):
            by_place = (len(document) - place) / len(document) * max(sums)
            shared = sum(document[0].count(w) * words.count(w) for w in set(words))
            score = centroid * sums[place] + position * by_place + first * shared
            scores.append(score if len(words) >= length else 0.0)
    return scores


def test_two_documents_worked_by_hand():
    """Fog: 3 times in 2 documents and in 2 of 4 sentences; the others once, in one sentence."""
    documents = [[["fog", "fog"], ["ferry"]], [["pier", "fog"], []]]
    fog, other = 3 / 2 * math.log(2), 1 / 2 * math.log(4)
    assert centroid(documents) == pytest.approx([2 * fog, other, other + fog, 0])
    expected = [2 * fog + 2 * fog, other + fog, 2 * (other + fog), (other + fog) / 2]
    ranking = rank("centroid(length=0,text=auto)", *map(joined, documents))
    assert ranking.scores == pytest.approx(tuple(expected))
    # With the first sentence: fog twice by itself is 4; pier and fog are 2.
    ranking = rank("centroid(length=0,first=1,text=auto)", *map(joined, documents))
    assert ranking.scores == pytest.approx(
        (expected[0] + 4, expected[1], expected[2] + 2, expected[3])
    )


@given(document_lists, weights, weights, weights, st.sampled_from([0, 2, 9]))
@settings(max_examples=70)
def test_scores_agree_with_a_slow_plain_way(documents, c, p, f, length):
    expected = centroid_oracle(documents, c, p, f, length, threshold=0.8)
    spelling = f"centroid(centroid={c},position={p},first={f},length={length},threshold=0.8"
    ranking = rank(f"{spelling},text=auto)", *map(joined, documents))
    assert ranking.scores == pytest.approx(tuple(expected), abs=1e-12)
    assert sorted(ranking.order) == list(range(len(expected)))


@given(document_lists)
@settings(max_examples=50)
def test_the_function_is_the_first_feature_alone(documents):
    expected = centroid_oracle(documents, position=0, length=0)
    assert centroid(documents) == pytest.approx(expected, abs=1e-12)


def test_short_sentences_have_nothing_and_words_are_running_words():
    nine = "On that very day the ferry hit the pier."
    ranking = rank("centroid", ["The ferry hit the pier in the fog.", nine, "Ice lay on the quay."])
    assert ranking.scores[0] == ranking.scores[2] == 0
    assert ranking.scores[1] > 0
    assert ranking.order == (1, 0, 2)


def test_documents_without_units_are_counted_and_do_not_shift_the_others():
    full = ["fog pier", "ice quay"]
    ranking = rank("centroid(length=0,first=1,text=auto)", [], full, [], ["fog fog"])
    expected = centroid_oracle(
        [[], [["fog", "pier"], ["ice", "quay"]], [], [["fog", "fog"]]], first=1, length=0
    )
    assert ranking.scores == pytest.approx(tuple(expected))


def test_idf_of_a_corpus():
    documents = (Document("a", units=("fog ferry",)), Document("b", units=("fog quay",)))
    corpus = Corpus(language="en", topics=(Topic("t", documents=documents),))
    asked = SUMMARIZERS.build("centroid(idf=corpus,position=0,length=0)")
    ranking = asked.learn(corpus, frozenset()).rank(source_of(["Fog.", "A ferry, a ferry!"]), 1)
    assert ranking.scores == pytest.approx((0.0, 2 * 2 * math.log(3 / 2)))
