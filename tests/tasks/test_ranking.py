"""Rankers on labelled sentences. The golden cases are in test_golden_papers.py."""

import dataclasses
import math
from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Label, LabelScu
from summetry.records.topics import Document, Topic
from summetry.stats.precision import average_precision
from summetry.summarizers import Ranking, rank_by
from summetry.tasks.ranking import RankingRun, added, compare_rankers, indirect_evaluation

NAN = math.nan


@dataclass(frozen=True)
class Given:
    """A ranker whose scores are given, the same for every topic."""

    values: tuple[float, ...] = ()
    order: tuple[int, ...] | None = None

    name: ClassVar[str] = "given"

    def rank(self, source, wanted):
        ranking = rank_by(self.values[: len(source)])
        return ranking if self.order is None else Ranking(self.order, ranking.scores)


def topic(name, *units, **more):
    return Topic(name, documents=(Document("d", units=units),), language="en", **more)


def label(topic_id, unit, **scus):
    return Label(topic_id, unit, ("1",), tuple(LabelScu(i, w) for i, w in scus.items()))


@pytest.fixture
def corpus():
    """Two topics: in the first, units 0 and 3 are positive, 1 negative, 2 not labelled."""
    first = topic("t1", "A ferry sank.", "Fog lay there.", "It rained.", "The old pier broke.")
    second = topic("t2", "A pier.", "Ice came.")
    labels = (label("t1", 0, a=4, b=3), label("t1", 1), label("t1", 3, a=4),
              label("t2", 0, a=1), label("t2", 1))  # fmt: skip
    return Corpus("c", topics=(first, second), labels=labels)


def evaluate(corpus, *rankers, **settings):
    return RankingRun(corpus, rankers or ["ordered"], **settings).evaluate()


def test_a_hand_worked_example(corpus):
    """Labelled in order: +, -, + and +, -: (1 + 2/3) / 2 and 1."""
    (evaluation,) = evaluate(corpus).rankers
    assert evaluation.stable == pytest.approx((5 / 6, 1))
    assert evaluation.macro("stable") == pytest.approx(11 / 12)
    whole = added(evaluation.summaries)
    # SCU a of t1 and SCU a of t2 are two.
    assert (whole.total_score, whole.unique_score) == (4 + 3 + 4 + 1, 4 + 3 + 1)
    assert (whole.total_scus, whole.unique_scus) == (4, 3)
    assert (whole.positive, whole.negative, whole.unlabelled) == (3, 2, 0)
    assert whole.unique_share == 3 / 4
    assert added(evaluation.lower_bound).unlabelled == 1


def test_the_lower_bound_keeps_unlabelled_sentences_and_counts_nothing_for_them(corpus):
    (evaluation,) = evaluate(corpus, Given((1, 2, 9, 0)), words=6).rankers
    # "It rained." (2 words) and "Fog lay there." (3) leave no room for more.
    bound = evaluation.lower_bound[0]
    assert bound.selected == (2, 1) and bound.total_scus == 0
    assert evaluation.summaries[0].selected == (1, 0)
    # Redundancy grows with length.
    (evaluation,) = evaluate(corpus, lengths=(4, 100)).rankers
    shares = {length: added(s).unique_share for length, s in evaluation.by_length.items()}
    assert shares == {4: 1.0, 100: 3 / 4}
    (evaluation,) = evaluate(corpus, lengths=(100,), length_pool=1).rankers
    assert added(evaluation.by_length[100]).positive == 2


def test_ties_stand_as_they_come_or_are_averaged(corpus):
    evaluation = evaluate(corpus, Given((1, 1, 1, 1)))
    (scores,) = evaluation.rankers
    assert scores.stable == pytest.approx((5 / 6, 1))
    # +-+, ++-, -++ of the first topic, and +-, -+ of the second.
    assert scores.expected == pytest.approx(((5 / 6 + 1 + 7 / 12) / 3, 3 / 4))
    assert evaluation.by_chance == pytest.approx(scores.expected)


def test_what_a_ranker_never_takes_or_scores_stands_behind_all_else(corpus):
    (evaluation,) = evaluate(corpus, Given((0, 0, 0, 0), order=(1,))).rankers
    # In t1: the negative one, then the two positive ones. In t2 too.
    assert evaluation.stable == pytest.approx(((1 / 2 + 2 / 3) / 2, 1 / 2))
    assert evaluation.summaries[0].selected == (1,)
    # Undefined scores are tied and last.
    (evaluation,) = evaluate(corpus, Given((NAN, 5, NAN, NAN))).rankers
    assert evaluation.stable[0] == pytest.approx((1 / 2 + 2 / 3) / 2)
    values = (0.25, 0.5, 9.0, 0.125)
    (evaluation,) = evaluate(corpus, Given(values)).rankers
    assert evaluation.stable[0] == average_precision(values, [True, False, None, True])


def test_identical_rankers_are_never_different(corpus):
    evaluation = evaluate(corpus, Given((3, 2, 1, 0)), "ordered", "length")
    first = compare_rankers(evaluation)[0]
    assert (first.first, first.second) == ("given(values=[3,2,1,0])", "ordered")
    assert first.permutation.p == 1 and math.isnan(first.t_test.p)
    assert len(compare_rankers(evaluation)) == 3


def test_topics_without_labels_or_positives_are_told(corpus):
    more = (topic("t3", "Nothing."), topic("t4", "A ferry."))
    labels = (*corpus.labels, label("t4", 0))
    corpus = dataclasses.replace(corpus, topics=(*corpus.topics, *more), labels=labels)
    evaluation = evaluate(corpus)
    assert evaluation.topics == ("t1", "t2", "t4") and evaluation.topics_with_positives == 2
    assert evaluation.notes == (
        "1 of 4 topics have no labels",
        "1 of 3 labelled topics have no positive sentence, so no average precision",
    )
    assert math.isnan(evaluation.rankers[0].stable[2])
    assert evaluation.rankers[0].macro("stable") == pytest.approx(11 / 12)
    assert compare_rankers(evaluation) == []


def test_learning_rankers_do_not_see_the_topic_that_they_rank(corpus):
    seen = []

    @dataclass(frozen=True)
    class Learner(Given):
        def learn(self, corpus, leave_out):
            seen.append((corpus.name, sorted(leave_out)))
            return Given((1, 2, 3, 4))

    evaluate(corpus, Learner())
    assert seen == [("c", ["t1"]), ("c", ["t2"])]
    seen.clear()
    evaluate(corpus, Learner(), train=dataclasses.replace(corpus, name="other"))
    # The first look is whether it learns at all.
    assert seen[1:] == [("other", ["t1"]), ("other", ["t2"])]
    # A training corpus is for those that learn.
    for name in ("trainable", "tf_idf(idf=corpus)"):
        assert RankingRun(corpus, [name, "lead"], train=corpus).train is corpus
    for name in ("lead", "mmr(ranker=tf_idf)"):
        with pytest.raises(SummetryError, match=r"--train.* would not look at it: .*trainable"):
            RankingRun(corpus, [name], train=corpus)


def test_one_thesaurus_for_all_that_name_none(corpus):
    def rankers(*names):
        return list(RankingRun(corpus, names, thesaurus="x.txt")._rankers.values())

    own, inside = 'semdist(thesaurus="y.txt")', "mmr(ranker=semdist)"
    assert rankers("semdist", "length")[0].thesaurus == "x.txt"
    assert [made.thesaurus for made in rankers(own, "semdist")] == ["y.txt", "x.txt"]
    # It reaches a ranker inside another.
    once, twice, _ = rankers(inside, f"mmr(ranker={inside})", "length")
    assert once.ranker.thesaurus == twice.ranker.ranker.thesaurus == "x.txt"
    assert rankers(f"mmr(ranker={own})", "semdist")[0].ranker.thesaurus == "y.txt"
    message = r"no ranker uses the thesaurus 'x.txt': semdist does where it names none itself"
    for name in ("length", own, "mmr"):
        with pytest.raises(SummetryError, match=message):
            rankers(name)


def test_topics_where_all_scores_are_alike_are_told(corpus):
    queries = zip(corpus.topics, ("the of and", "ice"), strict=True)
    topics = tuple(structs.replace(topic, query=query) for topic, query in queries)
    corpus = dataclasses.replace(corpus, topics=topics)
    assert evaluate(corpus, "tf_isf", "simple_match", "ordered").notes == (
        "tf_isf, simple_match: all scores are equal or undefined for 1 of 2 topics (t1), "
        "so units stay in their order",
    )
    assert evaluate(corpus, Given((0.5, NAN, NAN, NAN)), "random").notes == ()


def test_mistakes_are_named(corpus):
    with pytest.raises(SummetryError, match="tf_isf, topic 't1': there is neither a query"):
        evaluate(corpus, "tf_isf", "ordered")
    with pytest.raises(SummetryError, match=r"the corpus 'c' has no labels, .*labels.jsonl would"):
        evaluate(dataclasses.replace(corpus, labels=()))
    with pytest.raises(SummetryError, match="no ranker to work with"):
        RankingRun(corpus, [])
    with pytest.raises(SummetryError, match="expected each ranker once, found one twice"):
        RankingRun(corpus, ["lead", "lead"])
    for setting in ({"words": 0}, {"pool": -1}, {"lengths": [0]}):
        with pytest.raises(SummetryError, match="must be 1 or more, got"):
            RankingRun(corpus, **setting)
    twice = (*corpus.labels[:-1], label("t2", 1, a=2))
    with pytest.raises(SummetryError, match=r"expected one weight for SCU 'a' .* found 1 and 2"):
        evaluate(dataclasses.replace(corpus, labels=twice))


def test_rankers_that_cannot_work_are_left_out_where_nobody_asked_for_them(corpus):
    evaluation = evaluate(corpus, "tf_isf", "ordered", skip_unusable=True)
    assert [scores.ranker for scores in evaluation.rankers] == ["ordered"]
    assert evaluation.notes[0].startswith("tf_isf is left out: topic 't1': ")
    with pytest.raises(SummetryError, match="no ranker could do its work: tf_isf is left out"):
        evaluate(corpus, "tf_isf", skip_unusable=True)


def greedy_oracle(ranked, lengths, scus, labelled, pool, limit):
    kept = [u for u in ranked if labelled[u]]
    kept = kept if pool is None else kept[:pool]
    taken, words = [], 0
    for unit in kept:
        if words + lengths[unit] <= limit:
            taken.append(unit)
            words += lengths[unit]
    ids = [scu for unit in taken for scu in scus[unit]]
    return taken, words, sum(w for _, w in ids), sum(dict(ids).values()), len(ids), len(dict(ids))


@given(st.data())
def test_summaries_agree_with_a_slow_plain_way(data):
    count = data.draw(st.integers(0, 8))
    weights = {"a": 1, "b": 4, "c": 2}
    ranked = data.draw(st.permutations(range(count)))
    each = [st.integers(0, 9), st.booleans(), st.lists(st.sampled_from("abc"), max_size=3)]
    lengths, labelled, carried = (
        data.draw(st.lists(values, min_size=count, max_size=count)) for values in each
    )
    scus = [[(i, weights[i]) for i in ids] for ids in carried]
    limits = data.draw(st.sampled_from([None, 1, 3])), data.draw(st.integers(0, 20))
    evaluation = indirect_evaluation(ranked, lengths, scus, labelled, *limits)
    expected = greedy_oracle(ranked, lengths, scus, labelled, *limits)
    assert (list(evaluation.selected), *evaluation[1:6]) == expected
    assert evaluation.positive + evaluation.negative == len(evaluation.selected)
