"""Rankers on similarities: TextRank, LexRank, and maximal marginal relevance (MMR)."""

import dataclasses
import math
import subprocess
import sys
from functools import partial
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
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
from summetry.arrays.walks import hits
from summetry.errors import NeedsError, SummetryError
from summetry.records.corpus import Corpus
from summetry.records.topics import Document, Topic
from summetry.summarizers import SUMMARIZERS, Learning, Ranking
from summetry.summarizers.lexrank import lexrank
from summetry.summarizers.mmr import Mmr, mmr
from summetry.summarizers.textrank import textrank
from summetry.text.pipeline import LanguagePipeline


def textrank_weight(one, other):
    if len(one) == len(other) == 1:
        return 0.0
    return len(set(one) & set(other)) / (math.log(len(one)) + math.log(len(other)))


def weights_of(full):
    return [
        [textrank_weight(a, b) if i != j else 0.0 for j, b in enumerate(full)]
        for i, a in enumerate(full)
    ]


def textrank_oracle(sentences, walk):
    weights = weights_of([words for words in sentences if words])
    return scores_of_all(walk(weights), map(bool, sentences))


def cosine_oracle(one, other, weight_by_word=None):
    def weight(words, word):
        return words.count(word) * (1 if weight_by_word is None else weight_by_word[word])

    def size(words):
        return math.sqrt(math.fsum(weight(words, word) ** 2 for word in set(words)))

    product = math.fsum(weight(one, word) * weight(other, word) for word in set(one) & set(other))
    return product / (size(one) * size(other)) if one and other else 0.0


def lexrank_oracle(sentences, threshold, damping, idf=None):
    idf = idf or idf_oracle(sentences)
    defined = [any(idf[word] for word in words) for words in sentences]
    kept = [words for words, is_defined in zip(sentences, defined, strict=True) if is_defined]
    cosines = [[cosine_oracle(a, b, idf) for b in kept] for a in kept]
    if threshold is not None:
        cosines = [[float(c > threshold + 1e-12) for c in row] for row in cosines]
    return scores_of_all(walk_oracle(cosines, damping), defined)


def mmr_oracle(relevance, sentences, weight):
    taken, values = [], []
    while len(taken) < len(sentences):
        best, best_value = None, -math.inf
        for i in sorted(set(range(len(sentences))) - set(taken)):
            said = max((cosine_oracle(sentences[i], sentences[j]) for j in taken), default=0.0)
            value = weight * relevance[i] - (1 - weight) * said
            if value > best_value + 1e-9:
                best, best_value = i, value
        taken.append(best)
        values.append(best_value)
    return taken, values


FOGS = [["fog", "pier"], ["fog", "ferry"], ["pier", "ice"]]


def scores_by(spelling, sentences):
    return rank(spelling, *joined(sentences)).scores


def near(scores):
    return pytest.approx(tuple(scores), nan_ok=True)


@given(sentence_lists)
def test_textrank_agrees_with_a_slow_plain_way(sentences):
    for damping in (0.85, 0.3):
        expected = textrank_oracle(sentences, partial(walk_oracle, damping=damping))
        scores = textrank(sentences, damping=damping)
        assert scores == pytest.approx(expected, abs=1e-11, nan_ok=True)
        assert scores_by(f"textrank(damping={damping},text=auto)", sentences) == near(scores)
    expected = textrank_oracle(sentences, lambda w: hits(np.array(w).reshape(len(w), len(w))))
    scores = textrank(sentences, "hits")
    assert scores == pytest.approx(expected, abs=1e-9, nan_ok=True)
    assert scores_by("textrank(method=hits,text=auto)", sentences) == near(scores)


def test_stop_words_and_endings_are_not_compared_unless_asked():
    units = ["The ferries were in the fog.", "The ferry was in the ice.", "The dog was in the sun."]
    with_stems, plain = rank("textrank", *units), rank("textrank(text=auto)", *units)
    assert with_stems.scores[2] < with_stems.scores[0] == pytest.approx(with_stems.scores[1])
    assert plain.scores[2] == pytest.approx(plain.scores[1])


def test_scipy_is_loaded_by_ranking_and_not_before():
    names = ["textrank", "lexrank", "centroid", "tf_idf", "tf_isf", "mmr"]
    code = "import sys\n" + "\n".join(f"import summetry.summarizers.{name}" for name in names)
    code += "\nprint('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_lexrank_of_three_sentences_worked_by_hand():
    """Sentence 0 is linked with all three, the others with it and themselves.

    x1 = .05 + .85 (x0 / 3 + x1 / 2) and x0 = 1 - 2 x1.
    """
    last = (0.05 + 0.85 / 3) / (1 - 0.425 + 1.7 / 3)
    assert lexrank(FOGS, 0.1) == pytest.approx([1 - 2 * last, last, last], abs=1e-12)
    # Without a threshold the cosine c of sentence 0 with both others is its weight there, and 1
    # with itself: x1 = .05 + .85 (x0 c / (1 + 2 c) + x1 / (1 + c)) and x0 = 1 - 2 x1.
    in_two, in_one = math.log(3 / 2), math.log(3)
    c = in_two / math.sqrt(2 * (in_two**2 + in_one**2))
    last = (0.05 + 0.85 * c / (1 + 2 * c)) / (1 - 0.85 / (1 + c) + 1.7 * c / (1 + 2 * c))
    assert lexrank(FOGS) == pytest.approx([1 - 2 * last, last, last], abs=1e-10)


@given(sentence_lists)
def test_lexrank_agrees_with_a_slow_plain_way(sentences):
    for threshold, damping in ((0.1, 0.85), (0.4, 0.85), (0, 0.5), (None, 0.85)):
        expected = lexrank_oracle(sentences, threshold, damping)
        scores = lexrank(sentences, threshold, damping)
        assert scores == pytest.approx(expected, abs=1e-10, nan_ok=True)
        options = f"threshold={'none' if threshold is None else threshold},damping={damping}"
        assert scores_by(f"lexrank({options},text=auto)", sentences) == near(scores)


def test_a_cosine_that_is_the_threshold_is_no_link():
    """Every word is in two sentences, so the cosines of 1 with 0 and 2 are 1/2, others larger."""
    sentences = [["p", "a"], ["a", "b"], ["b", "q"], ["p"], ["q"]]
    assert lexrank(sentences, 0.5) == pytest.approx([1 / 5] * 5)
    chain = lexrank(sentences, 0.4999)
    assert chain[3] < chain[0] and chain[4] < chain[2]


def corpus_of(**documents):
    topics = [
        Topic(id=name, documents=tuple(Document(id=f"{name}{i}", units=u) for i, u in enumerate(d)))
        for name, d in documents.items()
    ]
    return Corpus(name="c", language="en", topics=tuple(topics))


CORPUS = corpus_of(
    one=[("fog ferry", "pier"), ("fog",)], two=[("fog ice",)], three=[("ferry fog",), ("quay",)]
)


def learned(spelling, corpus=None, leave_out=()):
    return SUMMARIZERS.build(spelling).learn(corpus or CORPUS, frozenset(leave_out))


def test_idf_of_a_corpus_counts_documents_but_those_left_out():
    summarizer = learned("lexrank(idf=corpus,threshold=none,text=auto)", leave_out=["three"])
    sentences = [["fog", "ferry"], ["ferry", "new"], ["ice", "new", "quay"], ["fog"]]
    # Three documents are left: all have fog, one has ferry, one ice, none the others.
    idf = {"fog": 0.0, "ferry": math.log(4 / 2), "ice": math.log(4 / 2)}
    idf |= {"new": math.log(4), "quay": math.log(4)}
    expected = lexrank_oracle(sentences, None, 0.85, idf)
    ranking = summarizer.rank(source_of(joined(sentences)), 1)
    assert ranking.scores == pytest.approx(tuple(expected), abs=1e-11, nan_ok=True)
    assert math.isnan(ranking.scores[3])
    # Every topic can be left out in turn.
    for leave_out, documents, idf in (([], 5, 6 / 3), (["one"], 3, 4 / 2), (["two"], 4, 5 / 3)):
        frequencies = learned("lexrank(idf=corpus,text=auto)", leave_out=leave_out).frequencies
        assert frequencies.documents == documents
        assert frequencies.idf(["ferry"])[0] == pytest.approx(math.log(idf))
    alone = corpus_of(one=[("fog ferry",), ("quay",)])
    for name in ("centroid", "lexrank", "tf_idf"):
        words = rf"{name}\(idf=corpus\) counts words in other topics .* --train, or take idf=topic"
        with pytest.raises(NeedsError, match=words):
            learned(f"{name}(idf=corpus)", alone, ["one"])


def test_idf_of_a_corpus_is_learned_anew_for_each_corpus():
    summarizer = SUMMARIZERS.build("lexrank(idf=corpus,text=auto)")
    other = corpus_of(one=[("ferry",)])
    for corpus, documents in ((CORPUS, 5), (other, 1), (CORPUS, 5)):
        assert summarizer.learn(corpus, frozenset()).frequencies.documents == documents
    # Only with idf=corpus is anything learned, and then it must be.
    summarizer = SUMMARIZERS.build("lexrank")
    assert isinstance(summarizer, Learning)
    assert summarizer.learn(CORPUS, frozenset()) is summarizer
    with pytest.raises(SummetryError, match=r"lexrank\(idf=corpus\) counts words in a corpus"):
        rank("lexrank(idf=corpus)", "The ferry.")


# In eighths and so many that ties are common.
eighths = st.integers(0, 8).map(lambda n: n / 8)


@dataclasses.dataclass(frozen=True)
class Given:
    """A ranker whose answer is known."""

    order: tuple[int, ...]
    scores: tuple[float, ...] | None = None

    name: ClassVar[str] = "given"

    def rank(self, source, count):
        return Ranking(self.order, self.scores)


def rank_by_mmr(ranker, units, weight=0.5):
    return Mmr(ranker, weight, LanguagePipeline()).rank(source_of(units), 1)


def test_mmr_of_three_sentences_worked_by_hand():
    """After 0, its twin 1 has .45 - .5 and 2 has .25: 2 comes first although it matters less."""
    sentences = [["fog"], ["fog"], ["ferry"]]
    assert mmr([1.0, 0.9, 0.5], sentences, 0.5) == [0, 2, 1]
    assert mmr([1.0, 0.9, 0.5], sentences, 1) == [0, 1, 2]
    assert mmr([0.0, 0.9, 0.5], sentences, 0) == [0, 2, 1]
    # With weight 1 the ranking is the ranker's, and with less a repeated sentence comes late.
    units = ["Fog lay on the quay.", "The ferry left.", "The ferry hit the quay in fog.", "Ice."]
    assert rank("mmr(weight=1)", *units).order == rank("textrank", *units).order
    units = ["The ferry hit the pier.", "The ferry hit the pier.", "The pier was mended.", "Ice."]
    assert rank("mmr(weight=0.4)", *units).order == (0, 3, 2, 1)
    assert rank("textrank", *units).order == (0, 1, 2, 3)


@given(st.lists(st.tuples(eighths, st.lists(st.sampled_from("abc"), max_size=4)), max_size=7))
def test_mmr_agrees_with_a_slow_plain_way(rated):
    relevance, sentences = [r for r, _ in rated], [words for _, words in rated]
    for weight in (0, 0.5, 0.7, 1):
        assert mmr(relevance, sentences, weight) == mmr_oracle(relevance, sentences, weight)[0]


@given(sentence_lists)
def test_mmr_moves_scores_to_between_0_and_1(sentences):
    units = joined(sentences)
    scores = rank("tf_idf(text=auto)", *units).scores
    low, high = min(scores, default=0), max(scores, default=0)
    spread = high - low if high - low > 1e-9 else math.nan
    relevance = [1.0 if math.isnan(spread) else (s - low) / spread for s in scores]
    ranking = rank("mmr(ranker=tf_idf(text=auto),text=auto)", *units)
    order, values = mmr_oracle(relevance, sentences, 0.7)
    assert list(ranking.order) == order
    assert [ranking.scores[unit] for unit in order] == pytest.approx(values, abs=1e-9)
    assert all(earlier >= later - 1e-8 for earlier, later in pairwise(values))


NAN = math.nan


@pytest.mark.parametrize(("ranker", "units", "order", "scores"), [
    # Units without a score come last, in the order of the ranker.
    (Given((1, 3, 2, 0), (NAN, 5.0, NAN, 1.0)), "abcd", (1, 3, 2, 0), (NAN, 0.5, NAN, 0.0)),
    # Units that the ranker never takes are not taken.
    (Given((2, 0), (3.0, 9.0, 3.0)), "abc", (0, 2), (0.5, NAN, 0.5)),
    # Without scores there are equal steps: 1, 1/2 and 0 for units 2, 0 and 1; 0 repeats 2.
    (Given((2, 0, 1)), "aba", (2, 1, 0), (0.25 - 0.5, 0.0, 0.5)),
])  # fmt: skip
def test_mmr_takes_what_a_ranker_gives(ranker, units, order, scores):
    ranking = rank_by_mmr(ranker, list(units))
    assert ranking.order == order
    assert ranking.scores == pytest.approx(scores, nan_ok=True)


def test_a_ranker_inside_another_is_spelt_and_learns():
    built = SUMMARIZERS.build("mmr(ranker=lexrank(threshold=0.2),weight=0.5)")
    assert built.ranker == SUMMARIZERS.build("lexrank(threshold=0.2)")
    assert spec.show(built) == "mmr(ranker=lexrank(threshold=0.2),weight=0.5)"
    assert SUMMARIZERS.build(spec.show(built)) == built
    assert spec.show(SUMMARIZERS.build("mmr(ranker=textrank)")) == "mmr"
    assert rank("mmr(ranker=tf_isf)", "Fog.", "Ice.", query="ice").order == (1, 0)
    # One that learns does so.
    corpus = corpus_of(u=[("fog",), ("ice",)])
    summarizer = learned("mmr(ranker=tf_idf(idf=corpus))", corpus)
    assert summarizer.rank(source_of(["Fog.", "New words."]), 1).order == (1, 0)
    with pytest.raises(SummetryError, match="counts words in a corpus and was given none"):
        rank("mmr(ranker=tf_idf(idf=corpus))", "Fog.")
    plain = SUMMARIZERS.build("mmr")
    assert plain.learn(corpus, frozenset()) is plain
