"""Features of units, what is learned from extracts, and the ranking by it."""

import math
import pickle
import sys
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranked_sentences import source_of

from summetry.errors import MissingPackageError, NeedsError, SummetryError
from summetry.records.corpus import Corpus
from summetry.records.summaries import Extract
from summetry.records.topics import Document, Topic, with_units
from summetry.summarizers import SUMMARIZERS, Learning, Source
from summetry.summarizers.trainable import (
    VALUES,
    Examples,
    bayes_odds,
    feature_rows,
    fit_bayes,
    fit_svm,
    high,
)
from summetry.text.pipeline import TextPipeline

NOBODY = frozenset()
LONG = "This sentence has more than five words in it"


def build(spelling):
    return SUMMARIZERS.build(spelling)


def features(feature, *documents, short=5, text="auto(stop=true,stem=true)", **topic):
    """The values of one feature for the units of a topic, by name."""
    source = source_of(*documents, **topic)
    rows = feature_rows(source, (feature,), short, TextPipeline.from_spec(text))
    return [VALUES[feature][value] for value in rows[:, 0]]


def corpus_of(*topics, language="en"):
    """Topics given as (units, extracts)."""
    topics_read = [
        Topic(f"t{i}", documents=(Document("d", units=tuple(u)),))
        for i, (u, _) in enumerate(topics)
    ]
    extracts = [
        Extract(f"t{i}", f"p{j}", tuple(units))
        for i, (_, chosen) in enumerate(topics)
        for j, units in enumerate(chosen)
    ]
    return Corpus(language=language, topics=tuple(topics_read), extracts=tuple(extracts))


def test_units_of_more_words_than_the_cut_are_long():
    units = ["One two three four five", "One, two the of a six.", ""]
    assert features("length", units) == ["short", "long", "short"]
    assert features("length", units, short=4) == ["long", "long", "short"]


def test_fixed_phrases_are_those_of_the_language():
    units = ["In CONCLUSION, it sank.", "In the conclusion.", "This report says so."]
    assert features("phrase", units) == ["with", "without", "with"]
    assert features("phrase", ["Kort sagt, den sjönk."], language="sv") == ["with"]
    with pytest.raises(SummetryError, match="no cue words for the language 'th'"):
        features("phrase", ["x"], language="th", text="auto")


def test_places_are_thirds_of_the_document_with_the_first_unit_apart():
    assert features("place", ["x"] * 7, ["x"], ["x"] * 2) == [
        *["first", "early", "early", "middle", "middle", "late", "late"],
        "first",
        *["first", "middle"],
    ]


def test_paragraphs_are_known_only_where_the_text_shows_them():
    cut = with_units(
        Topic("t", language="en", text="A is. B is. C is.\n\nD is.\n\nE is. F is.")
    ).documents[0]
    source = Source(Topic("t", documents=(Document("e", units=("A", "B")), cut)))
    rows = feature_rows(source, ("paragraph",), 5, TextPipeline.from_spec("auto"))
    named = [VALUES["paragraph"][value] for value in rows[:, 0]]
    assert named == ["inside"] * 2 + ["begins", "inside", "ends", "whole", "begins", "ends"]


def test_thematic_words_are_the_ten_most_frequent_that_repeat():
    """Fog four times and pier twice are thematic: the units have 3, 1, 1, 1 of them."""
    units = ["Fog, fog and a pier.", "Fog.", "The fogs.", "A pier."]
    assert features("frequency", units) == ["high", "low", "low", "low"]
    assert features("frequency", ["Fog.", "Pier.", "Quay."]) == ["low"] * 3


def test_names_are_words_with_a_capital_inside_a_unit_that_repeat():
    """Tarrow counts 2 and then 1 each; Skelder once only, Ferry only at the beginning."""
    units = ["Ferry at Tarrow.", "Port of Tarrow and Tarrow.", "Ferry to Skelder.", "Tarrow sank."]
    assert features("upper", units) == ["high", "high", "low", "low"]
    assert features("upper", ["北京 东京", "北京"], language="zh", text="auto") == ["low", "low"]
    stop = ["Now The boat.", "Then The boat.", "x", "y"]
    assert features("upper", stop) == ["low"] * 4
    assert features("upper", stop, text="auto") == ["high", "low", "low", "low"]


def test_the_high_quarter_has_all_that_are_equal_and_no_zero():
    assert high(np.array([5, 4, 3, 2, 1, 0, 0, 0])).tolist() == [1, 1, 0, 0, 0, 0, 0, 0]
    assert high(np.array([5, 4, 4, 4])).tolist() == [1, 0, 0, 0]
    assert high(np.array([4, 4, 4, 1, 0])).tolist() == [1, 1, 1, 0, 0]
    assert high(np.array([3, 2, 1, 1, 0])).tolist() == [1, 1, 0, 0, 0]
    assert high(np.array([0, 0])).tolist() == [0, 0]
    assert high(np.array([], np.int64)).tolist() == []


def test_bayes_worked_by_hand():
    """4 chosen and 6 passed over; of the long units 3 and 2: 4/6 * (4/6) / (3/8) = 32/27."""
    assert bayes_odds([1], [[1, 3]], [[4, 2]]) == Fraction(32, 27)
    assert bayes_odds([0], [[1, 3]], [[4, 2]]) == Fraction(4, 6) * Fraction(2, 6) / Fraction(5, 8)


def test_a_corpus_worked_by_hand():
    """Two informants: of two long units three of four votes, of three short ones one of six.

    n = 4 and 6. Long: 3 chosen, 1 not: 4/6 * (4/6) / (2/8) = 16/9, so 16/25.
    Short: 1 chosen, 5 not: 4/6 * (2/6) / (6/8) = 8/27, so 8/35.
    """
    corpus = corpus_of(([LONG, LONG, "x", "y", "z"], [[0, 1], [0, 2]]))
    learned = build("trainable(features=length)").learn(corpus, NOBODY)
    ranking = learned.rank(source_of(["short", LONG, "short too"]), 1)
    assert ranking.scores == pytest.approx((8 / 35, 16 / 25, 8 / 35))
    assert ranking.order == (1, 0, 2)


def test_a_majority_is_more_than_half():
    """Chosen: unit 0 (2 of 2). Units 1 and 2 have half of the votes, which is not more."""
    corpus = corpus_of(([LONG, LONG, "x", "y"], [[0, 1], [0, 2]]))
    learned = build("trainable(features=length,labels=majority)").learn(corpus, NOBODY)
    assert (learned.model.chosen, learned.model.passed) == (((0, 1),), ((2, 1),))
    votes = build("trainable(features=length)").learn(corpus, NOBODY)
    assert (votes.model.chosen, votes.model.passed) == (((1, 3),), ((3, 1),))


def test_votes_count_an_informant_once():
    corpus = corpus_of(([LONG, "x"], [[0, 0], [0]]))
    learned = build("trainable(features=length)").learn(corpus, NOBODY)
    assert (learned.model.chosen, learned.model.passed) == (((0, 2),), ((2, 0),))


def slow_probability(row, examples, sizes):
    """The formula with a list of examples, one for each time that a unit was seen."""
    seen = [(r, 1) for r, c, _ in examples for _ in range(c)]
    seen += [(r, 0) for r, _, p in examples for _ in range(p)]
    likely = {}
    for label in (0, 1):
        mine = [r for r, choice in seen if choice == label]
        likely[label] = Fraction(len(mine), len(seen))
        for j, value in enumerate(row):
            same = sum(r[j] == value for r in mine)
            likely[label] *= Fraction(same + 1, len(mine) + sizes[j])
    return likely[1] / (likely[0] + likely[1])


SIZES = (2, 4, 3)
feature_row = st.tuples(*[st.integers(0, size - 1) for size in SIZES])
example_lists = st.lists(
    st.tuples(feature_row, st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=8
).filter(lambda cases: any(c for _, c, _ in cases) and any(p for _, _, p in cases))


def examples_from(cases):
    columns = zip(*cases, strict=True)
    return Examples(*(np.array(column, np.int64) for column in columns))


@given(example_lists, st.lists(feature_row, min_size=1, max_size=5))
def test_bayes_agrees_with_a_slow_plain_way(cases, rows):
    model = fit_bayes(examples_from(cases), SIZES)
    scores = model.score(np.array(rows, np.int64))
    assert scores.tolist() == [float(slow_probability(row, cases, SIZES)) for row in rows]


@given(example_lists)
def test_the_plane_is_a_minimum_of_what_it_should_minimise(cases):
    """No small step away from it makes the squared hinge loss with its penalty smaller."""
    pytest.importorskip("sklearn")
    examples = examples_from(cases)
    model = fit_svm(examples, SIZES)
    ones, zeros = examples.chosen.sum(), examples.passed.sum()
    half = (ones + zeros) / 2

    def loss(weights, bias):
        total = (sum(w * w for w in weights) + bias * bias) / 2
        for row, chosen, passed in cases:
            at, start = bias, 0
            for value, size in zip(row, SIZES, strict=True):
                at += weights[start + value]
                start += size
            total += chosen * half / ones * max(0, 1 - at) ** 2
            total += passed * half / zeros * max(0, 1 + at) ** 2
        return total

    best = loss(model.weights, model.bias)
    for place in range(len(model.weights) + 1):
        for step in (-1e-3, 1e-3):
            weights, bias = list(model.weights), model.bias
            if place < len(weights):
                weights[place] += step
            else:
                bias += step
            assert loss(weights, bias) >= best - 1e-9


def test_svm_prefers_what_people_chose():
    pytest.importorskip("sklearn")
    corpus = corpus_of(([LONG, LONG, "x", "y", "z"], [[0, 1], [0, 2]]))
    learned = build("trainable(model=svm,features=[length,place])").learn(corpus, NOBODY)
    again = build("trainable(model=svm,features=[length,place])").learn(corpus, NOBODY)
    assert learned == again
    ranking = learned.rank(source_of(["short", LONG, "short too", LONG]), 1)
    assert ranking.order.index(1) < ranking.order.index(2)


@pytest.mark.parametrize("model", ["naive_bayes", "svm"])
def test_the_demo_corpus_teaches_something_each_time_the_same(demo, model):
    pytest.importorskip("sklearn")
    summarizer = build(f"trainable(model={model})")
    assert isinstance(summarizer, Learning)
    hits, chance = 0, 0
    for topic in demo.topics:
        learned = summarizer.learn(demo, frozenset({topic.id}))
        ranking = learned.rank(Source(topic, demo.language), 5)
        assert pickle.loads(pickle.dumps(learned)).rank(Source(topic, demo.language), 5) == ranking
        votes = Counter(u for e in demo.of_topic("extracts", topic.id) for u in e.units)
        hits += sum(votes[unit] for unit in ranking.order[:5])
        chance += 5 * votes.total() / len(topic.units)
    assert hits > chance  # what units drawn by lot would get on average


def test_what_is_left_out_teaches_nothing():
    """The topics say the opposite of each other."""
    corpus = corpus_of(([LONG, "x"], [[0]]), ([LONG, "x"], [[1]]))
    summarizer = build("trainable(features=length)")
    source = source_of(["x", LONG])
    assert summarizer.learn(corpus, frozenset({"t1"})).rank(source, 1).order == (1, 0)
    assert summarizer.learn(corpus, frozenset({"t0"})).rank(source, 1).order == (0, 1)
    assert summarizer.learn(corpus, NOBODY).rank(source, 1).scores == (0.5, 0.5)


def test_another_corpus_of_the_same_topics_is_learned_anew():
    summarizer = build("trainable(features=length)")
    source = source_of(["x", LONG])
    for chosen, order in ([0], (1, 0)), ([1], (0, 1)):
        corpus = corpus_of(([LONG, "x"], [chosen]))
        assert summarizer.learn(corpus, NOBODY).rank(source, 1).order == order


def test_an_error_while_reading_the_topics_is_told_each_time():
    corpus = corpus_of(([LONG, "x"], [[0]]), ([LONG, "x"], [[0]]), language="th")
    for _ in range(2):
        with pytest.raises(SummetryError, match="no cue words for the language 'th'"):
            build("trainable(features=[length,phrase],text=auto)").learn(corpus, NOBODY)


def test_topics_without_units_or_extracts_are_passed_over():
    corpus = corpus_of(([], [[]]), ([LONG, "x"], []), ([LONG, "x"], [[0]]))
    learned = build("trainable(features=length)").learn(corpus, NOBODY)
    assert (learned.model.chosen, learned.model.passed) == (((0, 1),), ((1, 0),))


def test_before_it_has_learned_it_says_how_it_learns():
    with pytest.raises(SummetryError, match=r"learned nothing yet: .*extracts\.jsonl.*--train"):
        build("trainable").rank(source_of(["x"]), 1)


def test_a_corpus_that_teaches_nothing_is_refused():
    summarizer = build("trainable")
    with pytest.raises(NeedsError, match=r"needs informants' extracts .*extracts\.jsonl.*--train"):
        summarizer.learn(corpus_of(([LONG], [])), NOBODY)
    with pytest.raises(NeedsError, match=r"no topic has extracts but the one .*--train"):
        summarizer.learn(corpus_of(([LONG, "x"], [[0]])), frozenset({"t0"}))
    with pytest.raises(SummetryError, match="labels=votes every unit of the 1 topics counts"):
        summarizer.learn(corpus_of(([LONG, "x"], [[0, 1]])), NOBODY)
    with pytest.raises(SummetryError, match="labels=votes no unit of the 2 topics counts"):
        summarizer.learn(corpus_of(([LONG, "x"], [[]]), ([LONG], [[]])), NOBODY)
    with pytest.raises(SummetryError, match="labels=majority no unit"):
        build("trainable(labels=majority)").learn(corpus_of(([LONG, "x"], [[0], [1]])), NOBODY)


def test_svm_without_its_package_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.svm", None)
    corpus = corpus_of(([LONG, "x"], [[0]]))
    with pytest.raises(MissingPackageError, match=r"scikit-learn.*pip install scikit-learn"):
        build("trainable(model=svm)").learn(corpus, NOBODY)


def test_repeated_and_empty_units(demo):
    learned = build("trainable").learn(demo, NOBODY)
    assert learned.rank(source_of(), 1).order == ()
    ranking = learned.rank(source_of([LONG] * 9), 1)
    assert ranking.scores[3] == ranking.scores[4] and not any(map(math.isnan, ranking.scores))
    assert sorted(learned.rank(source_of(["", "...", "The of."]), 1).order) == [0, 1, 2]
