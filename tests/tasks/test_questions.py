"""What people answer after reading, against counting by hand and scipy."""

import math

import pytest
from scipy import stats

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.judgments import Answer, Question
from summetry.tasks import compare_answers

QUESTIONS = (Question("t", "1", "What sank?", ("a boat", "a ferry"), 1),
             Question("t", "2", "Who died?", ("nobody", "two"), 0),
             Question("t", "open", "What do you think?"))  # fmt: skip


def answered(*answers, questions=QUESTIONS):
    return Corpus("asked", questions=questions, answers=answers)


def many(*rows):
    """A row for each thing that was read, with a question for each character: "source 1-0".

    1 is a right answer, 0 a wrong one, - none. Each is by a person of its own.
    """
    split = [row.split() for row in rows]
    count = max(len(cells) for _, cells in split)
    questions = tuple(Question("t", str(n), "?", ("no", "yes"), 1) for n in range(count))
    answers = [
        Answer("t", str(n), f"{name}{n}", *name.partition("/")[::2], int(right))
        for name, cells in split
        for n, right in enumerate(cells)
        if right != "-"
    ]
    return answered(*answers, questions=questions)


def test_right_answers_and_seconds_are_counted_for_each_thing_that_was_read():
    result = compare_answers(
        answered(
            Answer("t", "1", "eve", "summary", "echo", None),
            Answer("t", "1", "bob", "summary", "lead", 0, 10),
            Answer("t", "2", "bob", "summary", "lead", 0),
            Answer("t", "1", "ann", "source", "", 1, 60),
            Answer("t", "2", "ann", "source", "", 0, 30),
            # Nobody knows what is right here.
            Answer("t", "open", "ann", "source", "", 0, 1000),
        ),
        draws=200,
    )
    counts = [(row[:5], row.right.value, row.seconds.value) for row in result.rows]
    assert counts[0] == (("source", "", 2, 2, 1), 1.0, 45.0)
    echo, lead = result.rows[1:]
    assert (echo.author, echo.right.value) == ("echo", 0.0) and math.isnan(echo.seconds.value)
    assert (lead.author, lead.right.value, lead.seconds.value) == ("lead", 0.5, 10.0)


def test_the_share_that_is_kept_lies_between_nothing_and_the_source():
    result = compare_answers(many("source 1111", "summary/lead 1110", "nothing 1010"), draws=200)
    source, lead, nothing = result.rows
    assert lead.kept.value == pytest.approx((3 / 4 - 2 / 4) / (1 - 2 / 4))
    assert lead.kept.low <= lead.kept.value <= lead.kept.high
    assert math.isnan(source.kept.value) and math.isnan(nothing.kept.value)
    # Bounds are those of the questions that were asked after the summary.
    result = compare_answers(many("source 1100", "summary/lead 10--", "nothing 0011"), draws=100)
    assert result.rows[1].kept.value == pytest.approx(0.5)


def test_conditions_are_paired_by_the_questions_that_they_share():
    (pair,) = compare_answers(many("source 11111101", "nothing 00000001"), draws=500).differences
    assert (pair.first, pair.second) == ("source", "nothing")
    assert (pair.paired, pair.number) == ("questions", 8)
    assert pair.difference == pytest.approx(6 / 8)
    assert pair.low <= pair.difference <= pair.high
    # All six that differ do so in one direction: 2 of 64 signs are as far from 0.
    assert pair.p == pytest.approx(2 / 64) == pair.corrected_p


def test_people_are_paired_where_questions_are_not():
    questions, answers = [], []
    for condition, right in ("source", 1), ("nothing", 0):
        for person in ("ann", "bob", "eve"):
            name = f"{condition}{person}"
            questions.append(Question("t", name, "?", ("no", "yes"), 1))
            answers.append(Answer("t", name, person, condition, "", right))
    (pair,) = compare_answers(answered(*answers, questions=questions), draws=100).differences
    assert (pair.paired, pair.number, pair.difference, pair.p) == ("people", 3, 1.0, 0.25)


def test_without_common_questions_and_people_all_answers_are_tested_by_fisher():
    corpus = many("source 111110------", "nothing ------000010")
    (pair,) = compare_answers(corpus, draws=100).differences
    assert (pair.paired, pair.number) == ("", 12)
    assert pair.difference == pytest.approx(4 / 6) and math.isnan(pair.low)
    assert pair.p == pytest.approx(stats.fisher_exact([[5, 1], [1, 5]]).pvalue)


def test_p_is_corrected_for_all_pairs():
    corpus = many("source 11111111", "abstract/m 01010101", "nothing 00000000")
    pairs = compare_answers(corpus, draws=100).differences
    # Holm: the smallest times 3, the next times 2 but not below.
    assert sorted(pair.p for pair in pairs) == pytest.approx([2 / 256, 2 / 16, 2 / 16])
    corrected = sorted(pair.corrected_p for pair in pairs)
    assert corrected == pytest.approx([6 / 256, 4 / 16, 4 / 16])
    # The difference in seconds is first minus second.
    seconds = ("1", "ann", "source", 60), ("1", "bob", "nothing", 20), ("2", "bob", "nothing", 40)
    answers = [Answer("t", n, person, read, "", 1, s) for n, person, read, s in seconds]
    assert compare_answers(answered(*answers), draws=50).differences[0].seconds == 30


def test_all_summaries_may_be_one_condition():
    corpus = many("summary/lead 11", "summary/echo 00", "source 11")
    rows = compare_answers(corpus, "condition", draws=100).rows
    shown = [(row.condition, row.author, row.answers, row.right.value) for row in rows]
    assert shown == [("source", "", 2, 1.0), ("summary", "", 4, 0.5)]


def test_the_result_prints_and_has_records():
    result = compare_answers(many("source 10"), draws=50)
    assert repr(result).splitlines()[1].split()[:3] == ["source", "2", "0.500"]
    (record,) = result.records()
    assert (record["condition"], record["people"], record["questions"]) == ("source", 2, 2)
    # The same seed gives the same interval.
    results = [compare_answers(many("source 1011011"), draws=37, seed=seed) for seed in (1, 1, 2)]
    one, same, other = (result.rows[0].right for result in results)
    assert one == same and one.value == other.value == pytest.approx(5 / 7)


@pytest.mark.parametrize(
    ("by", "message"),
    [("system", "no answers to questions whose right choice is known"),
     ("topic", "by must be one of system, condition, got 'topic'")],
)  # fmt: skip
def test_what_cannot_be_compared_is_said(by, message):
    with pytest.raises(SummetryError, match=message):
        compare_answers(answered(), by)
