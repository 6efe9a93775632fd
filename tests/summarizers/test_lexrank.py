"""LexRank: PageRank on idf-modified cosines."""

import math

import pytest
from hypothesis import given, settings
from ranked_sentences import (
    idf_oracle,
    joined,
    rank,
    scores_of_all,
    sentence_lists,
    source_of,
    walk_oracle,
)

from summetry import spec
from summetry.errors import NeedsError, SummetryError
from summetry.records.corpus import Corpus
from summetry.records.topics import Document, Topic
from summetry.summarizers import SUMMARIZERS, Learning
from summetry.summarizers.lexrank import lexrank


def cosine_oracle(one, other, idf):
    def size(words):
        return math.sqrt(math.fsum((words.count(w) * idf[w]) ** 2 for w in set(words)))

    shared = set(one) & set(other)
    above = math.fsum(one.count(w) * other.count(w) * idf[w] ** 2 for w in shared)
    return above / (size(one) * size(other))


def lexrank_oracle(sentences, threshold, damping, idf=None):
    idf = idf or idf_oracle(sentences)
    defined = [any(idf[word] for word in words) for words in sentences]
    kept = [words for words, is_defined in zip(sentences, defined, strict=True) if is_defined]
    cosines = [[cosine_oracle(a, b, idf) for b in kept] for a in kept]
    if threshold is not None:
        cosines = [[float(c > threshold + 1e-12) for c in row] for row in cosines]
    return scores_of_all(walk_oracle(cosines, damping), defined)


def test_three_sentences_worked_by_hand():
    """Sentence 0 is linked with all three, the others with it and themselves."""
    sentences = [["fog", "pier"], ["fog", "ferry"], ["pier", "ice"]]
    # x1 = .05 + .85 (x0 / 3 + x1 / 2) and x0 = 1 - 2 x1.
    last = (0.05 + 0.85 / 3) / (1 - 0.425 + 1.7 / 3)
    assert lexrank(sentences, 0.1) == pytest.approx([1 - 2 * last, last, last], abs=1e-12)


def test_the_default_is_continuous_worked_by_hand():
    """The cosine c of sentence 0 with both others is its weight there, and 1 with itself."""
    sentences = [["fog", "pier"], ["fog", "ferry"], ["pier", "ice"]]
    in_two, in_one = math.log(3 / 2), math.log(3)
    c = in_two / math.sqrt(2 * (in_two**2 + in_one**2))
    # x1 = .05 + .85 (x0 c / (1 + 2 c) + x1 / (1 + c)) and x0 = 1 - 2 x1.
    last = (0.05 + 0.85 * c / (1 + 2 * c)) / (1 - 0.85 / (1 + c) + 1.7 * c / (1 + 2 * c))
    assert lexrank(sentences) == pytest.approx([1 - 2 * last, last, last], abs=1e-10)
    ranking = rank("lexrank(text=auto)", *joined(sentences))
    assert ranking.scores == pytest.approx(tuple(lexrank(sentences)), abs=1e-12)
    assert spec.show(SUMMARIZERS.build("lexrank(threshold=none)")) == "lexrank"


def test_continuous_scores_of_two_sentences_worked_by_hand():
    """Of the three, the third has no word of the others: its cosines are 0, 0 and 1."""
    sentences = [["fog", "fog", "pier"], ["fog", "ferry"], ["ice"]]
    scores = lexrank(sentences, threshold=None)
    assert scores == pytest.approx([1 / 3] * 3)


@given(sentence_lists)
@settings(max_examples=70)
def test_scores_agree_with_a_slow_plain_way(sentences):
    for threshold, damping in ((0.1, 0.85), (0.4, 0.85), (0, 0.5), (None, 0.85)):
        expected = lexrank_oracle(sentences, threshold, damping)
        scores = lexrank(sentences, threshold, damping)
        assert scores == pytest.approx(expected, abs=1e-10, nan_ok=True)


@given(sentence_lists)
@settings(max_examples=50)
def test_the_summarizer_ranks_by_the_scores_of_the_function(sentences):
    for threshold in (0.3, None):
        spelt = "none" if threshold is None else threshold
        ranking = rank(f"lexrank(threshold={spelt},text=auto)", *joined(sentences))
        expected = tuple(lexrank(sentences, threshold))
        assert ranking.scores == pytest.approx(expected, nan_ok=True)
        assert sorted(ranking.order) == list(range(len(sentences)))


def test_a_cosine_that_is_the_threshold_is_no_link():
    """Every word is in two sentences, so the cosines of 1 with 0 and 2 are 1/2, others larger."""
    sentences = [["p", "a"], ["a", "b"], ["b", "q"], ["p"], ["q"]]
    assert lexrank(sentences, 0.5) == pytest.approx([1 / 5] * 5)
    chain = lexrank(sentences, 0.4999)
    assert chain[3] < chain[0] and chain[4] < chain[2]


def test_an_unusual_script():
    units = ["渡轮撞上码头", "码头有雾", "太阳很大"]
    ranking = rank("lexrank(text=auto(tokens=characters))", *units)
    assert ranking.order == (0, 1, 2)
    assert ranking.scores[0] == pytest.approx(ranking.scores[1]) == pytest.approx(ranking.scores[2])


def corpus_of(**documents):
    topics = [
        Topic(id=name, documents=tuple(Document(id=f"{name}{i}", units=u) for i, u in enumerate(d)))
        for name, d in documents.items()
    ]
    return Corpus(name="c", language="en", topics=tuple(topics))


CORPUS = corpus_of(
    one=[("fog ferry", "pier"), ("fog",)], two=[("fog ice",)], three=[("ferry fog",), ("quay",)]
)


def test_idf_of_a_corpus_counts_documents_but_those_left_out():
    learned = SUMMARIZERS.build("lexrank(idf=corpus,threshold=none,text=auto)").learn(
        CORPUS, frozenset({"three"})
    )
    sentences = [["fog", "ferry"], ["ferry", "new"], ["ice", "new", "quay"], ["fog"]]
    # Three documents are left: all have fog, one has ferry, one ice, none the others.
    idf = {"fog": 0.0, "ferry": math.log(4 / 2), "ice": math.log(4 / 2)}
    idf |= {"new": math.log(4), "quay": math.log(4)}
    expected = lexrank_oracle(sentences, None, 0.85, idf)
    ranking = learned.rank(source_of(joined(sentences)), 1)
    assert ranking.scores == pytest.approx(tuple(expected), abs=1e-11, nan_ok=True)
    assert math.isnan(ranking.scores[3])


def test_every_topic_can_be_left_out_in_turn():
    summarizer = SUMMARIZERS.build("lexrank(idf=corpus,text=auto)")
    assert isinstance(summarizer, Learning)
    counted = [
        summarizer.learn(CORPUS, frozenset(names)).frequencies for names in ([], ["one"], ["two"])
    ]
    assert [frequencies.documents for frequencies in counted] == [5, 3, 4]
    assert [frequencies.idf(["ferry"])[0] for frequencies in counted] == pytest.approx(
        [math.log(6 / 3), math.log(4 / 2), math.log(5 / 3)]
    )


@pytest.mark.parametrize("name", ["centroid", "lexrank", "tf_idf"])
def test_a_corpus_without_another_topic_has_nothing_to_count(name):
    alone = corpus_of(one=[("fog ferry",), ("quay",)])
    message = rf"{name}\(idf=corpus\) counts words in other topics .* --train, or take idf=topic"
    with pytest.raises(NeedsError, match=message):
        SUMMARIZERS.build(f"{name}(idf=corpus)").learn(alone, frozenset({"one"}))


def test_a_corpus_is_read_again_when_another_was_in_between():
    summarizer = SUMMARIZERS.build("lexrank(idf=corpus,text=auto)")
    other = corpus_of(one=[("ferry",)])
    for corpus, documents in ((CORPUS, 5), (other, 1), (CORPUS, 5)):
        assert summarizer.learn(corpus, frozenset()).frequencies.documents == documents


def test_with_idf_of_the_topic_nothing_is_learned():
    summarizer = SUMMARIZERS.build("lexrank")
    assert summarizer.learn(CORPUS, frozenset()) is summarizer


def test_idf_of_a_corpus_without_a_corpus_is_an_error():
    with pytest.raises(SummetryError, match=r"lexrank\(idf=corpus\) counts words in a corpus"):
        rank("lexrank(idf=corpus)", "The ferry.")
