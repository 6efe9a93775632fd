"""Weights of words: tf.idf sums, cosines with a query (tf.isf), and MEAD's centroid.

The golden cases of tf.isf are in test_golden_papers.py.
"""

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranked_sentences import WORDS, idf_oracle, joined, rank, sentence_lists, source_of

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.topics import Document, Topic
from summetry.summarizers import SUMMARIZERS
from summetry.summarizers.centroid import centroid
from summetry.summarizers.tf_idf import tf_idf
from summetry.summarizers.tf_isf import tf_isf

queries = st.lists(st.sampled_from([*WORDS, "new"]), min_size=1, max_size=4)
weights = st.sampled_from([0, 1, 0.5, -1])
TWO, FOUR = math.log(2), math.log(4)


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


def isf_oracle(word, sentences, query, isf):
    counted = sentences if isf == "without_query" else [*sentences, query]
    holding = sum(word in words for words in counted)
    if not holding:
        return 0.0
    return math.log(len(counted) / holding) + (isf == "plus_one")


def tf_isf_oracle(sentences, query, isf):
    words = sorted({word for text in [*sentences, query] for word in text})
    weights = {word: isf_oracle(word, sentences, query, isf) for word in words}
    vectors = [[text.count(w) * weights[w] for w in words] for text in [*sentences, query]]
    scores = []
    for vector in vectors[:-1]:
        product = math.fsum(map(float.__mul__, vector, vectors[-1]))
        sizes = [math.sqrt(math.fsum(x * x for x in v)) for v in (vector, vectors[-1])]
        scores.append(product / (sizes[0] * sizes[1]) if all(sizes) else math.nan)
    return scores


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
        for i, words in enumerate(document):
            by_place = (len(document) - i) / len(document) * max(sums)
            shared = sum(document[0].count(w) * words.count(w) for w in set(words))
            score = centroid * sums[i] + position * by_place + first * shared
            scores.append(score if len(words) >= length else 0.0)
    return scores


def ranked_documents(options, *documents):
    return SUMMARIZERS.build(f"centroid({options})").rank(source_of(*documents), 1)


def near(scores):
    return pytest.approx(tuple(scores), abs=1e-10, nan_ok=True)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [2 * TWO, TWO + FOUR, FOUR, 0]),
        ({"tf": "topic"}, [3 * TWO, 3 * TWO + FOUR, FOUR, 0]),
        ({"normalise": "length"}, [TWO, (TWO + FOUR) / 2, FOUR, math.nan]),
    ],
)
def test_tf_idf_of_four_sentences_worked_by_hand(options, expected):
    """Fog is in two of four sentences, ferry and pier in one each."""
    sentences = [["fog", "fog"], ["fog", "ferry"], ["pier"], []]
    assert tf_idf(sentences, **options) == pytest.approx(expected, nan_ok=True)


@given(sentence_lists)
def test_tf_idf_agrees_with_a_slow_plain_way(sentences):
    for tf, normalise in product(("sentence", "topic"), (None, "length")):
        expected = near(tf_idf_oracle(sentences, tf, normalise))
        assert tuple(tf_idf(sentences, tf, normalise)) == expected
        spelling = f"tf_idf(tf={tf},normalise={normalise or 'none'},text=auto)"
        ranking = rank(spelling, *joined(sentences))
        assert ranking.scores == expected
        assert sorted(ranking.order) == list(range(len(sentences)))


def test_a_rare_word_of_a_corpus_weighs_more():
    documents = (Document("a", units=("fog ferry",)), Document("b", units=("fog quay",)))
    corpus = Corpus(language="en", topics=(Topic("t", documents=documents),))

    def learned(spelling):
        return SUMMARIZERS.build(spelling).learn(corpus, frozenset())

    ranking = learned("tf_idf(idf=corpus)").rank(source_of(["Fog.", "A ferry.", "Ice."]), 1)
    assert ranking.scores == pytest.approx((0.0, math.log(3 / 2), math.log(3)))
    assert ranking.order == (2, 1, 0)
    ranking = learned("centroid(idf=corpus,position=0,length=0)").rank(
        source_of(["Fog.", "A ferry, a ferry!"]), 1
    )
    assert ranking.scores == pytest.approx((0.0, 2 * 2 * math.log(3 / 2)))
    with pytest.raises(SummetryError, match="summarize a corpus, or take idf=topic"):
        rank("tf_idf(idf=corpus)", "Fog.")


@given(sentence_lists, queries)
def test_tf_isf_agrees_with_a_slow_plain_way(sentences, query):
    for isf in ("with_query", "without_query", "plus_one"):
        expected = near(tf_isf_oracle(sentences, query, isf))
        assert tuple(tf_isf(sentences, query, isf)) == expected
        ranking = rank(f"tf_isf(isf={isf},text=auto)", *joined(sentences), query=" ".join(query))
        assert ranking.scores == expected
        assert sorted(ranking.order) == list(range(len(sentences)))


def test_tf_isf_takes_the_query_or_the_title_without_stop_words_and_endings():
    ranking = rank("tf_isf", "The ferries of it.", "It is the quay.", query="Where is the ferry?")
    assert ranking.scores == (1.0, 0.0)
    ranking = rank("tf_isf", "The ferry.", "The quay.", query="what is it")
    assert all(map(math.isnan, ranking.scores)) and ranking.order == (0, 1)
    units = ["Туман.", "Паром ушёл в туман.", "Паром."]
    assert rank("tf_isf(text=auto)", *units, query="паром").order == (2, 1, 0)
    # Words that only the query has change no ranking without_query.
    sentences = [["fog", "pier"], ["fog", "fog", "ice"], ["ferry"]]
    short = tf_isf(sentences, ["fog", "pier"], "without_query")
    long = tf_isf(sentences, ["fog", "pier", "new", "newer"], "without_query")
    assert long == pytest.approx(short)
    assert tf_isf(sentences, ["fog", "pier"]) != tf_isf(sentences, ["fog", "pier", "new", "newer"])
    # The query comes before the title, and the title before nothing.
    units = ["A ferry sank.", "Ice lay on the quay.", "Fog."]
    assert rank("tf_isf", *units, query="ice", title="fog").order[0] == 1
    assert rank("tf_isf", *units, title="fog").order[0] == 2
    with pytest.raises(SummetryError, match="there is neither a query nor a title, and tf_isf"):
        rank("tf_isf", *units)


def test_the_centroid_of_two_documents_worked_by_hand():
    """Fog: 3 times in 2 documents and in 2 of 4 sentences; the others once, in one sentence."""
    documents = [[["fog", "fog"], ["ferry"]], [["pier", "fog"], []]]
    fog, other = 3 / 2 * TWO, 1 / 2 * FOUR
    assert centroid(documents) == pytest.approx([2 * fog, other, other + fog, 0])
    units = [joined(document) for document in documents]
    a, b, c, d = 2 * fog + 2 * fog, other + fog, 2 * (other + fog), (other + fog) / 2
    assert ranked_documents("length=0,text=auto", *units).scores == near((a, b, c, d))
    # With the first sentence: fog twice by itself is 4; pier and fog are 2.
    ranking = ranked_documents("length=0,first=1,text=auto", *units)
    assert ranking.scores == near((a + 4, b, c + 2, d))


@given(st.lists(sentence_lists, max_size=3), weights, weights, weights, st.sampled_from([0, 2, 9]))
def test_the_centroid_agrees_with_a_slow_plain_way(documents, c, p, f, length):
    expected = centroid_oracle(documents, c, p, f, length, threshold=0.8)
    options = f"centroid={c},position={p},first={f},length={length},threshold=0.8,text=auto"
    ranking = ranked_documents(options, *map(joined, documents))
    assert ranking.scores == near(expected)
    assert sorted(ranking.order) == list(range(len(expected)))
    # The function is the first feature alone.
    first = centroid_oracle(documents, position=0, length=0)
    assert centroid(documents) == pytest.approx(first, abs=1e-12)


def test_short_sentences_have_nothing_and_words_are_running_words():
    nine = "On that very day the ferry hit the pier."
    units = ["The ferry hit the pier in the fog.", nine, "Ice lay on the quay."]
    ranking = ranked_documents("", units)
    assert ranking.scores[0] == ranking.scores[2] == 0 < ranking.scores[1]
    assert ranking.order == (1, 0, 2)
    # Documents without units are counted and do not shift the others.
    documents = [[], [["fog", "pier"], ["ice", "quay"]], [], [["fog", "fog"]]]
    ranking = ranked_documents("length=0,first=1,text=auto", *map(joined, documents))
    assert ranking.scores == near(centroid_oracle(documents, first=1, length=0))
