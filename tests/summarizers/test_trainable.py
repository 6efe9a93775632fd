"""Features of units, what is learned from extracts, and the ranking by it."""

import sys
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
from summetry.summarizers import SUMMARIZERS, Source
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
OPPOSITE = ([LONG, "x"], [[0]]), ([LONG, "x"], [[1]])


def build(spelling):
    return SUMMARIZERS.build(spelling)


def features(feature, *documents, short=5, text="auto(stop=true,stem=true)", **topic):
    """The values of one feature for the units of a topic, by name."""
    source = source_of(*documents, **topic)
    rows = feature_rows(source, (feature,), short, TextPipeline.from_spec(text))
    return [VALUES[feature][value] for value in rows[:, 0]]


def corpus_of(*topics, language="en"):
    """Topics given as (units, extracts)."""
    topics_read, extracts = [], []
    for i, (units, chosen) in enumerate(topics):
        topics_read.append(Topic(f"t{i}", documents=(Document("d", units=tuple(units)),)))
        extracts += [Extract(f"t{i}", f"p{j}", tuple(units)) for j, units in enumerate(chosen)]
    return Corpus(language=language, topics=tuple(topics_read), extracts=tuple(extracts))


def learned(options, corpus, leave_out=NOBODY):
    return build(f"trainable({options})").learn(corpus, leave_out)


def counts(options, corpus):
    """What was learned of each value of the first feature: how often chosen, and passed over."""
    model = learned(options, corpus).model
    return model.chosen, model.passed


def test_features_say_how_long_a_unit_is_and_where_it_stands():
    units = ["One two three four five", "One, two the of a six.", ""]
    assert features("length", units) == ["short", "long", "short"]
    assert features("length", units, short=4) == ["long", "long", "short"]
    # Fixed phrases are those of the language.
    units = ["In CONCLUSION, it sank.", "In the conclusion.", "This report says so."]
    assert features("phrase", units) == ["with", "without", "with"]
    assert features("phrase", ["Kort sagt, den sjönk."], language="sv") == ["with"]
    with pytest.raises(SummetryError, match="no cue words for the language 'th'"):
        features("phrase", ["x"], language="th", text="auto")
    # Places are thirds of the document, with the first unit apart.
    thirds = ["first", "early", "early", "middle", "middle", "late", "late"]
    expected = [*thirds, "first", "first", "middle"]
    assert features("place", ["x"] * 7, ["x"], ["x"] * 2) == expected
    # Paragraphs are known only where the text shows them.
    text = "A is. B is. C is.\n\nD is.\n\nE is. F is."
    (cut,) = with_units(Topic("t", language="en", text=text)).documents
    source = Source(Topic("t", documents=(Document("e", units=("A", "B")), cut)))
    rows = feature_rows(source, ("paragraph",), 5, TextPipeline.from_spec("auto"))
    named = [VALUES["paragraph"][value] for value in rows[:, 0]]
    assert named == ["inside"] * 2 + ["begins", "inside", "ends", "whole", "begins", "ends"]


def test_thematic_words_and_names_are_words_that_repeat():
    """Fog four times and pier twice are thematic: the units have 3, 1, 1, 1 of them."""
    units = ["Fog, fog and a pier.", "Fog.", "The fogs.", "A pier."]
    assert features("frequency", units) == ["high", "low", "low", "low"]
    assert features("frequency", ["Fog.", "Pier.", "Quay."]) == ["low"] * 3
    # Names have a capital inside a unit: Tarrow counts 2 and then 1 each; Skelder once only, Ferry
    # only at the beginning.
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
    examples = [[1, 3]], [[4, 2]]
    assert bayes_odds([1], *examples) == Fraction(32, 27)
    assert bayes_odds([0], *examples) == Fraction(4, 6) * Fraction(2, 6) / Fraction(5, 8)


FIVE = corpus_of(([LONG, LONG, "x", "y", "z"], [[0, 1], [0, 2]]))


def test_a_corpus_worked_by_hand():
    """Two informants: of two long units three of four votes, of three short ones one of six.

    n = 4 and 6. Long: 3 chosen, 1 not: 4/6 * (4/6) / (2/8) = 16/9, so 16/25.
    Short: 1 chosen, 5 not: 4/6 * (2/6) / (6/8) = 8/27, so 8/35.
    """
    ranking = learned("features=length", FIVE).rank(source_of(["short", LONG, "short too"]), 1)
    assert ranking.scores == pytest.approx((8 / 35, 16 / 25, 8 / 35))
    assert ranking.order == (1, 0, 2)


def test_a_majority_is_more_than_half():
    """Chosen: unit 0 (2 of 2). Units 1 and 2 have half of the votes, which is not more."""
    corpus = corpus_of(([LONG, LONG, "x", "y"], [[0, 1], [0, 2]]))
    assert counts("features=length,labels=majority", corpus) == (((0, 1),), ((2, 1),))
    assert counts("features=length", corpus) == (((1, 3),), ((3, 1),))
    # Votes count an informant once.
    once = corpus_of(([LONG, "x"], [[0, 0], [0]]))
    assert counts("features=length", once) == (((0, 2),), ((2, 0),))


def slow_probability(row, examples, sizes):
    """The formula with lists of examples, one for each time that a unit was seen."""
    passed = [r for r, _, times in examples for _ in range(times)]
    chosen = [r for r, times, _ in examples for _ in range(times)]
    likely = []
    for seen in (passed, chosen):
        likely.append(Fraction(len(seen), len(passed) + len(chosen)))
        for j, value in enumerate(row):
            same = sum(r[j] == value for r in seen)
            likely[-1] *= Fraction(same + 1, len(seen) + sizes[j])
    return likely[1] / sum(likely)


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


@pytest.mark.usefixtures("svm")
@given(cases=example_lists)
def test_the_plane_is_a_minimum_of_what_it_should_minimise(cases):
    """No small step away from it makes the squared hinge loss with its penalty smaller."""
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
            moved = [*model.weights, model.bias]
            moved[place] += step
            *weights, bias = moved
            assert loss(weights, bias) >= best - 1e-9


def test_what_is_left_out_teaches_nothing():
    """The topics say the opposite of each other; the second corpus has the names of the first."""
    summarizer, source = build("trainable(features=length)"), source_of(["x", LONG])
    corpus = corpus_of(*OPPOSITE)
    assert summarizer.learn(corpus, frozenset({"t1"})).rank(source, 1).order == (1, 0)
    assert summarizer.learn(corpus, frozenset({"t0"})).rank(source, 1).order == (0, 1)
    assert summarizer.learn(corpus, NOBODY).rank(source, 1).scores == (0.5, 0.5)
    for topic, order in zip(OPPOSITE, [(1, 0), (0, 1)], strict=True):
        assert summarizer.learn(corpus_of(topic), NOBODY).rank(source, 1).order == order


def test_topics_that_cannot_be_read_or_have_no_extracts(monkeypatch):
    corpus = corpus_of(([LONG, "x"], [[0]]), ([LONG, "x"], [[0]]), language="th")
    for _ in range(2):
        with pytest.raises(SummetryError, match="no cue words for the language 'th'"):
            learned("features=[length,phrase],text=auto", corpus)
    # Topics without units or extracts are passed over.
    corpus = corpus_of(([], [[]]), ([LONG, "x"], []), ([LONG, "x"], [[0]]))
    assert counts("features=length", corpus) == (((0, 1),), ((1, 0),))
    # What it needs to learn is told.
    with pytest.raises(SummetryError, match=r"learned nothing yet: .*extracts\.jsonl.*--train"):
        build("trainable").rank(source_of(["x"]), 1)
    monkeypatch.setitem(sys.modules, "sklearn.svm", None)
    with pytest.raises(MissingPackageError, match=r"scikit-learn.*pip install scikit-learn"):
        learned("model=svm", corpus_of(OPPOSITE[0]))


@pytest.mark.parametrize(("options", "topics", "leave_out", "error", "words"), [
    ("", [([LONG], [])], (), NeedsError,
     r"needs informants' extracts .*extracts\.jsonl.*--train"),
    ("", [([LONG, "x"], [[0]])], ("t0",), NeedsError,
     r"no topic has extracts but the one .*--train"),
    ("", [([LONG, "x"], [[0, 1]])], (), SummetryError,
     "labels=votes every unit of the 1 topics counts"),
    ("", [([LONG, "x"], [[]]), ([LONG], [[]])], (), SummetryError,
     "labels=votes no unit of the 2 topics counts"),
    ("labels=majority", [([LONG, "x"], [[0], [1]])], (), SummetryError,
     "labels=majority no unit"),
])  # fmt: skip
def test_a_corpus_that_teaches_nothing_is_refused(options, topics, leave_out, error, words):
    with pytest.raises(error, match=words):
        learned(options, corpus_of(*topics), frozenset(leave_out))
