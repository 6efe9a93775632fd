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


def many(rights):
    """A question for each column; a condition for each name, its answers 1 where they are right.

    Each cell is one more answer, by a person of its own, as long as nothing else is said.
    """
    count = max(map(len, rights.values()))
    questions = tuple(Question("t", str(n), "?", ("no", "yes"), 1) for n in range(count))
    answers = [
        Answer("t", str(n), f"{condition}{author}{n}", condition, author, right)
        for (condition, author), row in rights.items()
        for n, right in enumerate(row)
        if right is not None
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
    result = compare_answers(
        many({
            ("source", ""): [1, 1, 1, 1],
            ("summary", "lead"): [1, 1, 1, 0],
            ("nothing", ""): [1, 0, 1, 0],
        }),
        draws=200,
    )  # fmt: skip
    source, lead, nothing = result.rows
    assert lead.kept.value == pytest.approx((3 / 4 - 2 / 4) / (1 - 2 / 4))
    assert lead.kept.low <= lead.kept.value <= lead.kept.high
    assert math.isnan(source.kept.value) and math.isnan(nothing.kept.value)


def test_bounds_are_those_of_the_questions_that_were_asked_after_the_summary():
    result = compare_answers(
        many({
            ("source", ""): [1, 1, 0, 0],
            ("summary", "lead"): [1, 0, None, None],
            ("nothing", ""): [0, 0, 1, 1],
        }),
        draws=100,
    )  # fmt: skip
    assert result.rows[1].kept.value == pytest.approx(0.5)


def test_conditions_are_paired_by_the_questions_that_they_share():
    first, second = [1, 1, 1, 1, 1, 1, 0, 1], [0, 0, 0, 0, 0, 0, 0, 1]
    result = compare_answers(many({("source", ""): first, ("nothing", ""): second}), draws=500)
    (pair,) = result.differences
    assert (pair.first, pair.second, pair.paired, pair.number) == (
        "source", "nothing", "questions", 8,
    )  # fmt: skip
    assert pair.difference == pytest.approx(6 / 8)
    assert pair.low <= pair.difference <= pair.high
    # All six that differ do so in one direction: 2 of 64 signs are as far from 0.
    assert pair.p == pytest.approx(2 / 64) == pair.corrected_p


def test_people_are_paired_where_questions_are_not():
    rights = {"source": {"ann": 1, "bob": 1, "eve": 1}, "nothing": {"ann": 0, "bob": 0, "eve": 0}}
    questions, answers = [], []
    for condition, people in rights.items():
        for person, right in people.items():
            name = f"{condition}{person}"
            questions.append(Question("t", name, "?", ("no", "yes"), 1))
            answers.append(Answer("t", name, person, condition, "", right))
    result = compare_answers(answered(*answers, questions=tuple(questions)), draws=100)
    (pair,) = result.differences
    assert (pair.paired, pair.number, pair.difference, pair.p) == ("people", 3, 1.0, 0.25)


def test_without_common_questions_and_people_all_answers_are_tested_by_fisher():
    result = compare_answers(
        many({
            ("source", ""): [1, 1, 1, 1, 1, 0] + [None] * 6,
            ("nothing", ""): [None] * 6 + [0, 0, 0, 0, 1, 0],
        }),
        draws=100,
    )  # fmt: skip
    (pair,) = result.differences
    assert (pair.paired, pair.number) == ("", 12)
    assert pair.difference == pytest.approx(4 / 6) and math.isnan(pair.low)
    assert pair.p == pytest.approx(stats.fisher_exact([[5, 1], [1, 5]]).pvalue)


def test_p_is_corrected_for_all_pairs():
    first, second, third = [1] * 8, [0] * 8, [0, 1] * 4
    result = compare_answers(
        many({("source", ""): first, ("abstract", "m"): third, ("nothing", ""): second}), draws=100
    )
    raw = sorted(pair.p for pair in result.differences)
    corrected = sorted(pair.corrected_p for pair in result.differences)
    # Holm: the smallest times 3, the next times 2 but not below.
    assert raw == pytest.approx([2 / 256, 2 / 16, 2 / 16])
    assert corrected == pytest.approx([6 / 256, 4 / 16, 4 / 16])


def test_all_summaries_may_be_one_condition():
    corpus = many(
        {("summary", "lead"): [1, 1], ("summary", "echo"): [0, 0], ("source", ""): [1, 1]}
    )
    result = compare_answers(corpus, "condition", draws=100)
    assert [(row.condition, row.author, row.answers, row.right.value) for row in result.rows] == [
        ("source", "", 2, 1.0),
        ("summary", "", 4, 0.5),
    ]


def test_the_difference_in_seconds_is_first_minus_second():
    result = compare_answers(
        answered(Answer("t", "1", "ann", "source", "", 1, 60),
                 Answer("t", "1", "bob", "nothing", "", 1, 20),
                 Answer("t", "2", "bob", "nothing", "", 1, 40)),
        draws=50,
    )  # fmt: skip
    assert result.differences[0].seconds == 30


def test_the_same_seed_gives_the_same_interval():
    corpus = many({("source", ""): [1, 0, 1, 1, 0, 1, 1]})
    one, same, other = (
        compare_answers(corpus, draws=37, seed=seed).rows[0].right for seed in (1, 1, 2)
    )
    assert one == same and one.value == other.value == pytest.approx(5 / 7)


def test_the_result_prints_and_has_records():
    result = compare_answers(many({("source", ""): [1, 0]}), draws=50)
    assert repr(result).splitlines()[1].split()[:3] == ["source", "2", "0.500"]
    (record,) = result.records()
    assert (record["condition"], record["people"], record["questions"]) == ("source", 2, 2)


def test_without_answers_there_is_nothing_to_compare():
    with pytest.raises(SummetryError, match="no answers to questions whose right choice is known"):
        compare_answers(answered())


def test_a_way_to_group_that_there_is_not():
    with pytest.raises(SummetryError, match="by must be one of system, condition, got 'topic'"):
        compare_answers(answered(), "topic")
