"""Judges: their scores and agreement by hand, null judges below a metric, the ceiling above it."""

import math
from dataclasses import replace
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

import summetry
from summetry.errors import SummetryError
from summetry.metaeval import nulls as by_text
from summetry.metaeval.ceiling import ceiling, in_places, one_against_others
from summetry.metaeval.grids import GridJudgments
from summetry.metaeval.judges import judges_agreement, judgment_scores
from summetry.metaeval.nulls import A_LEAD, A_LENGTH, lead_overlap, lead_overlaps, text_nulls
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic
from summetry.stats.levels import correlate

# Judge a and judge b on the summaries by x, y and the reference m, topics t1 and t2.
LETTERS = {
    ("t1", "x"): ("A", "B"), ("t1", "y"): ("C", "C"), ("t1", "m"): ("A", "A"),
    ("t2", "x"): ("B", "B"), ("t2", "y"): ("B", "C"),
}  # fmt: skip


def judged(*more):
    judgments = [Judgment(*cell, judge, "grammar", letter) for cell, letters in LETTERS.items()
                 for judge, letter in zip("ab", letters, strict=True)]  # fmt: skip
    summaries = Summary("t1", "m", "reference", text="m"), Summary("t1", "x", "candidate", text="x")
    topics, scales = (Topic("t1"), Topic("t2")), {"grammar": ("C", "B", "A")}
    marks = {"judgments": (*judgments, *more), "scales": scales}
    return Corpus("small", topics=topics, summaries=summaries, **marks)


LATE = Judgment("t2", "x", "c", "length", 4)


def test_scores_are_means_over_judges_and_letters_are_places_on_the_scale():
    table = judgment_scores(judged(), ["grammar"])
    assert {(r.author, r.topic): v for r, v in zip(table.rows, table.data[:, 0], strict=True)} == {
        ("x", "t1"): 2.5, ("y", "t1"): 1, ("x", "t2"): 2, ("y", "t2"): 1.5,
    }  # fmt: skip
    assert [column.name for column in table.columns] == ["grammar"]
    references = "references were judged too (1 summary); --protocol all_peers shows them"
    assert table.notes == ("grammar: the mean judgment of 2 judges, C to A as 1 to 3", references)
    # References stand beside systems on request.
    table = judgment_scores(judged(), protocol="all_peers")
    roles = {row.author: row.role for row in table.rows}
    assert roles == {"x": "candidate", "y": "candidate", "m": "reference"}
    assert len(table.notes) == 1
    # And systems are compared by judgments.
    ranking = summetry.compare(judgment_scores(judged()), "grammar", test="t")["grammar"]
    assert [(s.system, s.mean) for s in ranking.systems] == [("x", 2.25), ("y", 1.25)]
    assert ranking.pairs[0].difference == pytest.approx(1)
    # What only some judged is missing.
    table = judgment_scores(judged(LATE))
    assert [column.name for column in table.columns] == ["grammar", "length"]
    i = [(row.author, row.topic) for row in table.rows].index(("x", "t2"))
    assert table.data[i, 1] == 4
    assert np.isnan(np.delete(table.data[:, 1], i)).all()


def test_the_agreement_of_two_judges_by_hand():
    """3 of 5 pairs agree; of ten letters C 3, B 4, A 3: P(E) = .34.

    Numbers 3 1 3 2 2 and 2 1 3 2 1: sum of squares of differences 2. By chance, over all 25 pairs
    of a judge's five with the other's: 5 * (27 + 19) - 2 * 11 * 9 = 32, so kappa is
    1 - 5 * 2 / 32.
    """
    (result,) = judges_agreement(judged(), ["grammar"], draws=0)
    assert (result.judges, result.summaries, result.judgments, result.classes) == (2, 5, 10, 3)
    coefficients = result.coefficients
    assert (coefficients.agreement, coefficients.chance) == pytest.approx((0.6, 0.34))
    assert coefficients.fleiss.value == pytest.approx((0.6 - 0.34) / 0.66)
    assert coefficients.weighted.value == pytest.approx(1 - 10 / 32)
    assert result.note == ""
    # Beside two references every judgment counts, of the same summaries.
    once = judged().judgments
    twice = [structs.replace(one, reference=name) for one in once for name in "pq"]
    (result,) = judges_agreement(replace(judged(), judgments=tuple(twice)), ["grammar"], draws=0)
    assert (result.summaries, result.judgments) == (5, 20)
    assert result.coefficients.fleiss.value == pytest.approx((0.6 - 0.34) / 0.66)
    # One judge alone agrees with nobody.
    grammar, length = judges_agreement(judged(LATE))
    assert grammar.summaries == 5
    assert (length.summaries, length.judges) == (0, 0)
    assert math.isnan(length.coefficients.alpha.value)
    # Numbers that are no classes are noted.
    judges = [(i, *judge) for i in range(8) for judge in (("a", 0), ("b", 0.5))]
    numbers = [Judgment("t1", f"s{i}", judge, "slider", i + shift) for i, judge, shift in judges]
    (result,) = judges_agreement(judged(*numbers), ["slider"], draws=0)
    note = "Fleiss' kappa takes each for a class of its own, alpha and weighted kappa do not"
    assert result.note == f"slider has 16 different values: {note}"


def test_what_is_not_there_is_named():
    with pytest.raises(SummetryError, match="has no judgments"):
        judgment_scores(Corpus("small"))
    with pytest.raises(SummetryError, match="no dimension of judgments is named 'grammer'"):
        judges_agreement(judged(), ["grammer"])
    texts = {"topics": (Topic("t"),), "summaries": (Summary("t", "m", "reference", text="m"),)}
    only = Corpus(**texts, judgments=(Judgment("t", "m", "a", "grammar", 3),))
    with pytest.raises(SummetryError, match="no judgment is of a system; --protocol all_peers"):
        judgment_scores(only)


# --- Null judges: values of texts alone -----------------------------------------------------------


NAN = math.nan
WORDS = st.lists(st.sampled_from("abcde"), min_size=1, max_size=12)

SOURCE = "The river rose on Monday. The town council met, and the bridge was closed."


def corpus_of(texts, documents=(SOURCE,)):
    """One topic; ``texts`` are the summaries of the systems."""
    held = tuple(Document(f"d{k}", text=text) for k, text in enumerate(documents))
    summaries = tuple(Summary("t", who, "candidate", text=text) for who, text in texts.items())
    return Corpus(topics=(Topic("t", documents=held),), summaries=summaries)


def test_units_of_a_source_without_text_are_its_words():
    corpus = corpus_of({"s": "One two three"}, ())
    topic = Topic("t", documents=(Document("d", units=("One two.", "Four three.")),))
    assert lead_overlaps(replace(corpus, topics=(topic,))) == {("t", "s"): 2 / 3}


@pytest.mark.parametrize(("text", "documents", "value"), [
    # The first four words are the, river, rose, on: "the" is there once, and twice in the summary.
    ("THE RIVER, the on", [SOURCE], 0.75),
    # A source that is shorter than the summary is taken whole.
    ("rain fell on the town all day", ["Rain fell"], 2 / 7),
    # Of several documents the nearest beginning counts, in any order.
    ("Snow fell, hail", ["Wind and hail.", "Snow fell at night.", "Sun."], 2 / 3),
    ("Snow fell, hail", ["Sun.", "Snow fell at night.", "Wind and hail."], 2 / 3),
    # Without a text of the source, or words in the summary, there is none.
    ("a text", (), None),
    ("a text", [""], None),
    ("a text", ["..."], None),
    ("...", [SOURCE], None),
    ("", [SOURCE], None),
])  # fmt: skip
def test_lead_overlap_of_sources_and_summaries_at_the_edges(text, documents, value):
    expected = {} if value is None else {("t", "s"): value}
    assert lead_overlaps(corpus_of({"s": text}, documents)) == expected


@given(WORDS, WORDS)
def test_lead_overlap_is_what_crossing_out_words_gives(summary, source):
    """Slow and plain: each word of the summary crosses one out of the first n of the source."""
    remaining, crossed = source[: len(summary)], 0
    for word in summary:
        if word in remaining:
            remaining.remove(word)
            crossed += 1
    value = lead_overlap(summary, source)
    assert value == crossed / len(summary)
    # It is the precision of ROUGE-1 against a lead of the same length.
    text, lead = " ".join(summary), " ".join(source[: len(summary)])
    assert value == summetry.score([text], [lead], metrics=["rouge-1"])["rouge-1.precision"][0]


def test_nulls_are_lengths_the_most_frequent_mark_and_tables_of_texts():
    corpus = corpus_of({"a": "Don't pay 2,400.", "b": "one", "c": ""})
    assert by_text.word_counts(corpus) == {("t", "a"): 3, ("t", "b"): 1}
    # Of equals the lowest mark is taken.
    assert by_text.most_frequent([5, 4, 4, 1]) == 4
    assert by_text.most_frequent([5, 4, 5, 4, 1]) == 4
    assert by_text.most_frequent([[2.5, NAN], [NAN, NAN]]) == 2.5
    with pytest.raises(SummetryError, match="the most frequent mark needs a mark, got none"):
        by_text.most_frequent([NAN])
    # Values are tables of systems and topics.
    table = by_text.on_grid({("t1", "a"): 3.0, ("t2", "b"): 5.0}, ["b", "a"], ["t1", "t2"])
    np.testing.assert_array_equal(table, [[NAN, 5.0], [3.0, math.nan]])
    # Texts have those nulls that they allow.
    corpus = corpus_of({"a": "The river", "b": "A bridge was closed"})
    nulls = text_nulls(corpus).on_grid(["b", "a"], ["t"])
    assert list(nulls) == [A_LENGTH, A_LEAD]
    assert nulls[A_LENGTH].values.tolist() == [[4], [2]]
    assert nulls[A_LEAD].values.tolist() == [[0], [1]]
    bare = text_nulls(replace(corpus, topics=(Topic("t"),))).on_grid(["b", "a"], ["t"])
    assert list(bare) == [A_LENGTH]


# --- How well one judge follows the others --------------------------------------------------------

LEVELS = ("system", "summary", "global", "per_system")
COEFFICIENTS = ("pearson", "spearman", "tau_a", "tau_b")


def marks(values):
    values = np.array(values, float)
    return GridJudgments("quality", tuple(f"j{i}" for i in range(len(values))), values)


def test_three_judges_by_hand():
    """One topic, three systems. j0 and j1 give 1 2 3, j2 gives 3 1 2.

    j0: the others' means are 2 1.5 2.5, of three pairs two agree: tau 1/3, and j1 the same.
    j2: the others give 1 2 3; only the pair of 1 and 2 agrees: tau -1/3.
    """
    top = ceiling(marks([[[1], [2], [3]], [[1], [2], [3]], [[3], [1], [2]]]), "summary", "tau_a")
    assert top.value == pytest.approx((1 / 3 + 1 / 3 - 1 / 3) / 3)
    assert (top.judges, top.given, top.by_place, top.reason) == (3, 3, False, "")
    # A judge without a coefficient is left out of the mean: one who gave all the same mark.
    top = ceiling(marks([[[1], [2], [3]], [[1], [2], [3]], [[2], [2], [2]]]), "system", "tau_b")
    assert (top.value, top.judges, top.given) == (1.0, 2, 3)
    # Six judges, two a summary: first marks 1 2 3, second marks 2 3 1.
    values = np.full((6, 3, 1), NAN)
    for system, (first, second) in enumerate([(1, 2), (2, 3), (3, 1)]):
        values[2 * system, system, 0], values[2 * system + 1, system, 0] = first, second
    top = ceiling(marks(values), "system", "tau_a")
    assert top.by_place
    assert (top.value, top.judges) == (pytest.approx(-1 / 3), 2)
    # Places are filled from the first.
    values = np.array([[[NAN, 1.0]], [[4.0, NAN]], [[5.0, 2.0]]])
    assert in_places(values).tolist() == [[[4.0, 1.0]], [[5.0, 2.0]]]


cells = st.one_of(st.none(), st.integers(1, 5)).map(lambda mark: NAN if mark is None else mark)


@given(st.data(), st.sampled_from(LEVELS), st.sampled_from(COEFFICIENTS))
def test_leaving_out_is_what_loops_do(data, level, coefficient):
    judges, systems, topics = (data.draw(st.integers(1, most)) for most in (4, 4, 3))
    size = judges * systems * topics
    flat = data.draw(st.lists(cells, min_size=size, max_size=size))
    values = np.array(flat, float).reshape(judges, systems, topics)
    expected = []
    for judge in range(judges):
        rest = np.delete(values, judge, axis=0)
        means = np.full((systems, topics), NAN)
        for cell in np.ndindex(systems, topics):
            present = [mark for mark in rest[:, *cell].tolist() if not math.isnan(mark)]
            means[cell] = fmean(present) if present else NAN
        expected.append(correlate(values[judge], means, level, coefficient).value)
    top = one_against_others(values, level, coefficient)
    assert top.tolist() == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(("values", "reason"), [
    ([[[1], [2]]], "there is only one judge"),
    (np.zeros((0, 2, 2)), "there is no judge"),
    ([[[1], [NAN]], [[NAN], [2]]], "no summary was judged by two judges"),
    ([[[1], [1]], [[2], [2]]], "no judge has a coefficient with the others"),
])  # fmt: skip
def test_without_a_second_mark_there_is_no_ceiling(values, reason):
    top = ceiling(marks(values), "system", "pearson")
    assert math.isnan(top.value) and top.reason == reason
