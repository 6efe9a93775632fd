"""tf.isf: cosine with the query. The golden cases are in test_golden_papers.py."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ranked_sentences import WORDS, joined, rank, sentence_lists

from summetry.errors import SummetryError
from summetry.summarizers.tf_isf import tf_isf

queries = st.lists(st.sampled_from([*WORDS, "new"]), min_size=1, max_size=4)


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


@given(sentence_lists, queries)
@settings(max_examples=70)
def test_scores_agree_with_a_slow_plain_way(sentences, query):
    for isf in ("with_query", "without_query", "plus_one"):
        expected = tf_isf_oracle(sentences, query, isf)
        assert tf_isf(sentences, query, isf) == pytest.approx(expected, abs=1e-10, nan_ok=True)
        spelling = f"tf_isf(isf={isf},text=auto)"
        ranking = rank(spelling, *joined(sentences), query=" ".join(query))
        assert ranking.scores == pytest.approx(tuple(expected), abs=1e-10, nan_ok=True)
        assert sorted(ranking.order) == list(range(len(sentences)))


def test_words_that_only_the_query_has_change_no_ranking_without_query():
    sentences = [["fog", "pier"], ["fog", "fog", "ice"], ["ferry"]]
    short = tf_isf(sentences, ["fog", "pier"], "without_query")
    long = tf_isf(sentences, ["fog", "pier", "new", "newer"], "without_query")
    assert long == pytest.approx(short)
    assert tf_isf(sentences, ["fog", "pier"]) != tf_isf(sentences, ["fog", "pier", "new", "newer"])


def test_the_query_comes_before_the_title_and_the_title_before_nothing():
    units = ["A ferry sank.", "Ice lay on the quay.", "Fog."]
    assert rank("tf_isf", *units, query="ice", title="fog").order[0] == 1
    assert rank("tf_isf", *units, title="fog").order[0] == 2
    with pytest.raises(SummetryError, match="there is neither a query nor a title, and tf_isf"):
        rank("tf_isf", *units)


def test_stop_words_and_endings_are_ignored():
    ranking = rank("tf_isf", "The ferries of it.", "It is the quay.", query="Where is the ferry?")
    assert ranking.scores == (1.0, 0.0)


def test_a_query_of_stop_words_leaves_every_score_undefined():
    ranking = rank("tf_isf", "The ferry.", "The quay.", query="what is it")
    assert all(math.isnan(score) for score in ranking.scores)
    assert ranking.order == (0, 1)


def test_an_unusual_script():
    ranking = rank("tf_isf(text=auto)", "Туман.", "Паром ушёл в туман.", "Паром.", query="паром")
    assert ranking.order == (2, 1, 0)
