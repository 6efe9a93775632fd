"""How well values follow marks: plain means, and coefficients worked out by hand."""

import math
from statistics import fmean

import numpy as np
import pytest

import summetry
from summetry.errors import Place
from summetry.metaeval.correlations import follow_marks
from summetry.records import Column, CorpusBuilder, ScoreTable
from summetry.records.judgments import Judgment
from summetry.records.scores import Row
from summetry.records.summaries import Summary
from summetry.records.topics import Topic

VALUE = Column("unit_overlap", "value", "unit_overlap|v:0")


def corpus_of(marks, scales=None):
    """A corpus with these judgments: (topic, author, judge, dimension, value)."""
    builder = CorpusBuilder("made", scales=scales or {})
    here = Place("here")
    for topic in dict.fromkeys(mark[0] for mark in marks):
        builder.add("topics", Topic(topic, text="A ferry sank."), here)
    for topic, author in dict.fromkeys(mark[:2] for mark in marks):
        builder.add("summaries", Summary(topic, author, "candidate", text="x"), here)
    for mark in marks:
        builder.add("judgments", Judgment(*mark), here)
    return builder.build()


def table_of(scores):
    """A table of one column: {(topic, author): score}."""
    rows = tuple(Row("no_models", topic, author, "candidate") for topic, author in scores)
    return ScoreTable(rows, (VALUE,), np.array([[score] for score in scores.values()]))


def marks_of(numbers, dimension="quality"):
    """One mark a system on one topic, by one judge."""
    return [("t", author, "j", dimension, mark) for author, mark in numbers.items()]


def scores_of(numbers):
    return table_of({("t", author): score for author, score in numbers.items()})


def test_coefficients_worked_out_by_hand():
    """Scores 1 2 3 4, marks 1 3 2 5.

    Deviations -1.5 -.5 .5 1.5 and -1.75 .25 -.75 2.25: products 2.625 -.125 -.375 3.375, sum 5.5;
    squares 5 and 8.75. Ranks 1 2 3 4 and 1 3 2 4: 1 - 6 * 2 / 60. Five of six pairs agree.
    """
    scores = scores_of({"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0})
    (found,) = follow_marks(scores, corpus_of(marks_of({"a": 1, "b": 3, "c": 2, "d": 5})))
    assert (found.column, found.dimension, found.systems) == (VALUE, "quality", 4)
    # Sums of a few terms: an error of some units in the last place.
    assert found.pearson == pytest.approx(5.5 / math.sqrt(5 * 8.75), rel=1e-14)
    assert found.spearman == pytest.approx(0.8, rel=1e-14)
    assert found.kendall == pytest.approx(4 / 6, rel=1e-14)


def test_marks_are_the_mean_over_judges_and_values_the_mean_over_topics():
    marks = [
        ("t1", "a", "j1", "quality", 1), ("t1", "a", "j2", "quality", 3),
        ("t2", "a", "j1", "quality", 6),
        ("t1", "b", "j1", "quality", 1), ("t2", "b", "j1", "quality", 2),
        ("t1", "c", "j1", "quality", 3), ("t2", "c", "j1", "quality", 4),
    ]  # fmt: skip
    scores = {("t1", "a"): 0.2, ("t2", "a"): 0.8, ("t1", "b"): 0.1, ("t2", "b"): 0.1}
    scores |= {("t1", "c"): 0.5, ("t2", "c"): 0.7}
    (found,) = follow_marks(table_of(scores), corpus_of(marks))
    # a: .5 with (2 + 6) / 2 = 4 (and not (1 + 3 + 6) / 3), b: .1 with 1.5, c: .6 with 3.5.
    expected = np.corrcoef([0.5, 0.1, 0.6], [4, 1.5, 3.5])[0, 1]
    assert found.pearson == pytest.approx(expected, rel=1e-13)
    assert found.spearman == pytest.approx(0.5, rel=1e-14)
    assert found.kendall == pytest.approx(1 / 3, rel=1e-14)


def test_a_system_without_marks_is_left_out():
    scores = scores_of({"a": 1.0, "b": 2.0, "stranger": 100.0, "c": 3.0})
    (found,) = follow_marks(scores, corpus_of(marks_of({"a": 1, "b": 2, "c": 3})))
    assert found.systems == 3
    assert (found.pearson, found.spearman, found.kendall) == (1.0, 1.0, 1.0)


def test_marks_of_a_system_without_scores_do_not_count():
    scores = scores_of({"a": 1.0, "b": 2.0})
    (found,) = follow_marks(scores, corpus_of(marks_of({"a": 2, "b": 1, "c": 9})))
    assert found.systems == 2 and found.kendall == -1.0


def test_a_topic_without_a_value_takes_its_mark_along():
    """The value of t2 is missing for a, so a's mark on t2 is not in its mean either."""
    marks = [(t, s, "j", "quality", m) for t, s, m in [
        ("t1", "a", 1), ("t2", "a", 100), ("t1", "b", 2), ("t2", "b", 2), ("t1", "c", 3),
    ]]  # fmt: skip
    scores = {("t1", "a"): 0.1, ("t2", "a"): math.nan, ("t1", "b"): 0.2, ("t2", "b"): 0.2}
    scores |= {("t1", "c"): 0.3, ("t2", "c"): 0.9}
    (found,) = follow_marks(table_of(scores), corpus_of(marks))
    assert found.systems == 3
    assert found.pearson == pytest.approx(1.0, rel=1e-14)


def test_a_system_without_a_single_value_is_left_out():
    scores = scores_of({"a": 1.0, "b": math.nan, "c": 3.0})
    (found,) = follow_marks(scores, corpus_of(marks_of({"a": 1, "b": 2, "c": 3})))
    assert found.systems == 2


@pytest.mark.parametrize(
    ("scores", "systems"),
    [({}, 0), ({"a": 1.0}, 1), ({"a": 1.0, "b": 1.0}, 2), ({"a": math.nan, "b": math.nan}, 0)],
)
def test_where_there_is_no_order_there_is_no_coefficient(scores, systems):
    table = ScoreTable(
        tuple(Row("no_models", "t", author, "candidate") for author in scores),
        (VALUE,),
        np.array(list(scores.values())).reshape(-1, 1),
    )
    (found,) = follow_marks(table, corpus_of(marks_of({"a": 1, "b": 2})))
    assert found.systems == systems
    assert all(map(math.isnan, (found.pearson, found.spearman, found.kendall)))


def test_a_scale_of_letters_is_in_its_order():
    corpus = corpus_of(marks_of({"a": "E", "b": "C", "c": "A"}), {"quality": tuple("EDCBA")})
    (found,) = follow_marks(scores_of({"a": 1.0, "b": 2.0, "c": 3.0}), corpus)
    assert found.kendall == 1.0


def test_a_corpus_without_marks_gives_no_lines():
    assert follow_marks(scores_of({"a": 1.0}), corpus_of([])) == []


def test_a_line_for_every_value_and_dimension_as_plain_means_have_it(demo):
    table = summetry.evaluate(demo, ["unit_overlap", "lcs", "coselection"])
    found = follow_marks(table, demo)
    dimensions = list(dict.fromkeys(j.dimension for j in demo.judgments))
    assert [(f.column, f.dimension) for f in found] == [
        (column, dimension) for column in table.columns for dimension in dimensions
    ]
    for line in found:
        numbers = table.column(line.column.name)
        pairs = []
        for author in table.authors():
            values, marks = [], []
            for row, number in zip(table.rows, numbers, strict=True):
                given = [
                    demo.mark(j)
                    for j in demo.judgments
                    if (j.topic, j.author, j.dimension) == (row.topic, author, line.dimension)
                ]
                if row.author == author and not math.isnan(number) and given:
                    values.append(number)
                    marks.append(fmean(given))
            if values:
                pairs.append((fmean(values), fmean(marks)))
        assert line.systems == len(pairs)
        expected = np.corrcoef(*zip(*pairs, strict=True))[0, 1]
        # Two different ways of adding up nine numbers and six products.
        assert line.pearson == pytest.approx(expected, rel=1e-9)
