"""Maximal marginal relevance over another summarizer's scores."""

import dataclasses
import math
from itertools import pairwise
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ranked_sentences import joined, sentence_lists, source_of

from summetry import spec
from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.topics import Document, Topic
from summetry.summarizers import SUMMARIZERS, Ranking
from summetry.summarizers.mmr import Mmr, mmr
from summetry.text.pipeline import LanguagePipeline

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


def rank(ranker, units, weight=0.5):
    return Mmr(ranker, weight, LanguagePipeline()).rank(source_of(units), 1)


def cosine_oracle(one, other):
    def size(words):
        return math.sqrt(sum(words.count(w) ** 2 for w in set(words)))

    if not one or not other:
        return 0.0
    return sum(one.count(w) * other.count(w) for w in set(one)) / (size(one) * size(other))


def mmr_oracle(relevance, sentences, weight):
    taken, values = [], []
    while len(taken) < len(sentences):
        best, best_value = None, -math.inf
        for i, words in enumerate(sentences):
            if i in taken:
                continue
            said = max((cosine_oracle(words, sentences[j]) for j in taken), default=0.0)
            value = weight * relevance[i] - (1 - weight) * said
            if value > best_value + 1e-9:
                best, best_value = i, value
        taken.append(best)
        values.append(best_value)
    return taken, values


def test_three_sentences_worked_by_hand():
    """After 0, its twin 1 has .45 - .5 and 2 has .25: 2 comes first although it matters less."""
    sentences = [["fog"], ["fog"], ["ferry"]]
    assert mmr([1.0, 0.9, 0.5], sentences, 0.5) == [0, 2, 1]
    assert mmr([1.0, 0.9, 0.5], sentences, 1) == [0, 1, 2]
    assert mmr([0.0, 0.9, 0.5], sentences, 0) == [0, 2, 1]


@given(st.lists(st.tuples(eighths, st.lists(st.sampled_from("abc"), max_size=4)), max_size=7))
@settings(max_examples=90)
def test_the_order_agrees_with_a_slow_plain_way(rated):
    relevance, sentences = [r for r, _ in rated], [words for _, words in rated]
    for weight in (0, 0.5, 0.7, 1):
        assert mmr(relevance, sentences, weight) == mmr_oracle(relevance, sentences, weight)[0]


@given(sentence_lists)
@settings(max_examples=40)
def test_the_summarizer_moves_scores_to_between_0_and_1(sentences):
    ranking = SUMMARIZERS.build("tf_idf(text=auto)").rank(source_of(joined(sentences)), 1)
    low, high = min(ranking.scores, default=0), max(ranking.scores, default=0)
    spread = high - low if high - low > 1e-9 else math.nan
    relevance = [1.0 if math.isnan(spread) else (s - low) / spread for s in ranking.scores]
    ranked = SUMMARIZERS.build("mmr(ranker=tf_idf(text=auto),text=auto)").rank(
        source_of(joined(sentences)), 1
    )
    order, values = mmr_oracle(relevance, sentences, 0.7)
    assert list(ranked.order) == order
    assert [ranked.scores[unit] for unit in order] == pytest.approx(values, abs=1e-9)
    assert all(earlier >= later - 1e-8 for earlier, later in pairwise(values))


def test_with_weight_1_the_ranking_is_the_rankers():
    units = ["Fog lay on the quay.", "The ferry left.", "The ferry hit the quay in fog.", "Ice."]
    inner = SUMMARIZERS.build("textrank").rank(source_of(units), 1)
    assert SUMMARIZERS.build("mmr(weight=1)").rank(source_of(units), 1).order == inner.order


def test_a_repeated_sentence_comes_late():
    units = ["The ferry hit the pier.", "The ferry hit the pier.", "The pier was mended.", "Ice."]
    ranking = SUMMARIZERS.build("mmr(weight=0.4)").rank(source_of(units), 1)
    assert ranking.order == (0, 3, 2, 1)
    assert SUMMARIZERS.build("textrank").rank(source_of(units), 1).order == (0, 1, 2, 3)


def test_units_without_a_score_come_last_in_the_rankers_order():
    ranker = Given((1, 3, 2, 0), (math.nan, 5.0, math.nan, 1.0))
    ranking = rank(ranker, ["a", "b", "c", "d"])
    assert ranking.order == (1, 3, 2, 0)
    assert ranking.scores == pytest.approx((math.nan, 0.5, math.nan, 0.0), nan_ok=True)


def test_units_that_the_ranker_never_takes_are_not_taken():
    ranking = rank(Given((2, 0), (3.0, 9.0, 3.0)), ["a", "b", "c"])
    assert ranking.order == (0, 2)
    assert math.isnan(ranking.scores[1])


def test_a_ranker_without_scores_gives_equal_steps():
    """Relevance 1, 1/2 and 0 for units 2, 0 and 1; unit 0 repeats unit 2."""
    ranking = rank(Given((2, 0, 1)), ["a", "b", "a"], weight=0.5)
    assert ranking.order == (2, 1, 0)
    assert ranking.scores == pytest.approx((0.25 - 0.5, 0.0, 0.5))


@pytest.mark.parametrize("units", [[], ["The ferry."], ["It was.", "They are."], ["Ah!", "Ah!"]])
def test_small_texts_keep_their_order(units):
    ranking = SUMMARIZERS.build("mmr").rank(source_of(units), 1)
    assert ranking.order == tuple(range(len(units)))


def test_the_ranker_is_spelt_inside():
    built = SUMMARIZERS.build("mmr(ranker=lexrank(threshold=0.2),weight=0.5)")
    assert built.ranker == SUMMARIZERS.build("lexrank(threshold=0.2)")
    assert spec.show(built) == "mmr(ranker=lexrank(threshold=0.2),weight=0.5)"
    assert SUMMARIZERS.build(spec.show(built)) == built
    assert spec.show(SUMMARIZERS.build("mmr(ranker=textrank)")) == "mmr"
    with_query = SUMMARIZERS.build("mmr(ranker=tf_isf)")
    assert with_query.rank(source_of(["Fog.", "Ice."], query="ice"), 1).order == (1, 0)


def test_a_ranker_that_learns_does_so():
    topic = Topic("u", documents=(Document("a", units=("fog",)), Document("b", units=("ice",))))
    corpus = Corpus(language="en", topics=(topic,))
    asked = SUMMARIZERS.build("mmr(ranker=tf_idf(idf=corpus))")
    ranking = asked.learn(corpus, frozenset()).rank(source_of(["Fog.", "New words."]), 1)
    assert ranking.order == (1, 0)
    with pytest.raises(SummetryError, match="counts words in a corpus and was given none"):
        asked.rank(source_of(["Fog."]), 1)
    plain = SUMMARIZERS.build("mmr")
    assert plain.learn(corpus, frozenset()) is plain
