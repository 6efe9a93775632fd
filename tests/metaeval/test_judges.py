"""Judgments as scores of systems, and how far judges agree: worked out by hand."""

import math

import numpy as np
import pytest

import summetry
from summetry.errors import SummetryError
from summetry.metaeval.judges import judges_agreement, judgment_scores
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.summaries import Summary
from summetry.records.topics import Topic

# Judge a and judge b on the summaries by x, y and the reference m, topics t1 and t2.
LETTERS = {
    ("t1", "x"): ("A", "B"), ("t1", "y"): ("C", "C"), ("t1", "m"): ("A", "A"),
    ("t2", "x"): ("B", "B"), ("t2", "y"): ("B", "C"),
}  # fmt: skip


def judged(*more):
    judgments = [
        Judgment(topic, author, judge, "grammar", letter)
        for (topic, author), letters in LETTERS.items()
        for judge, letter in zip("ab", letters, strict=True)
    ]
    summaries = Summary("t1", "m", "reference", text="m"), Summary("t1", "x", "candidate", text="x")
    topics, scales = (Topic("t1"), Topic("t2")), {"grammar": ("C", "B", "A")}
    return Corpus(
        "small", scales=scales, topics=topics, summaries=summaries, judgments=(*judgments, *more)
    )


LATE = Judgment("t2", "x", "c", "length", 4)


def test_scores_are_means_over_judges_and_letters_are_places_on_the_scale():
    table = judgment_scores(judged(), ["grammar"])
    assert {(r.author, r.topic): v for r, v in zip(table.rows, table.data[:, 0], strict=True)} == {
        ("x", "t1"): 2.5, ("y", "t1"): 1, ("x", "t2"): 2, ("y", "t2"): 1.5,
    }  # fmt: skip
    assert [column.name for column in table.columns] == ["grammar"]
    assert table.notes == (
        "grammar: the mean judgment of 2 judges, C to A as 1 to 3",
        "references were judged too (1 summary); --protocol all_peers shows them",
    )


def test_references_stand_beside_systems_on_request():
    table = judgment_scores(judged(), protocol="all_peers")
    roles = {row.author: row.role for row in table.rows}
    assert roles == {"x": "candidate", "y": "candidate", "m": "reference"}
    assert len(table.notes) == 1
    # And systems are compared by judgments.
    ranking = summetry.compare(judgment_scores(judged()), "grammar", test="t")["grammar"]
    assert [(s.system, s.mean) for s in ranking.systems] == [("x", 2.25), ("y", 1.25)]
    assert ranking.pairs[0].difference == pytest.approx(1)


def test_what_only_some_judged_is_missing():
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


def test_one_judge_alone_agrees_with_nobody():
    grammar, length = judges_agreement(judged(LATE))
    assert grammar.summaries == 5
    assert (length.summaries, length.judges) == (0, 0)
    assert math.isnan(length.coefficients.alpha.value)


def test_numbers_that_are_no_classes_are_noted():
    numbers = [
        Judgment("t1", f"s{i}", judge, "slider", i + shift)
        for i in range(8)
        for judge, shift in (("a", 0), ("b", 0.5))
    ]
    (result,) = judges_agreement(judged(*numbers), ["slider"], draws=0)
    assert result.note == (
        "slider has 16 different values: Fleiss' kappa takes each for a class of its own, alpha "
        "and weighted kappa do not"
    )


def test_what_is_not_there_is_named():
    with pytest.raises(SummetryError, match="has no judgments"):
        judgment_scores(Corpus("small"))
    with pytest.raises(SummetryError, match="no dimension of judgments is named 'grammer'"):
        judges_agreement(judged(), ["grammer"])
    only = Corpus(
        topics=(Topic("t"),),
        summaries=(Summary("t", "m", "reference", text="m"),),
        judgments=(Judgment("t", "m", "a", "grammar", 3),),
    )
    with pytest.raises(SummetryError, match="no judgment is of a system; --protocol all_peers"):
        judgment_scores(only)
