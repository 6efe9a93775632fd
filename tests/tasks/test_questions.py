"""What people answer after reading."""

import math

from summetry.records.corpus import Corpus
from summetry.records.judgments import Answer, Question
from summetry.tasks.questions import AnswersAfter, answers_after

QUESTIONS = (
    Question("t", "1", "What sank?", ("a boat", "a ferry"), 1),
    Question("t", "2", "Who died?", ("nobody", "two"), 0),
    Question("t", "open", "What do you think?"),
)


def test_right_answers_are_counted_for_each_thing_that_was_read():
    answers = (
        Answer("t", "1", "ann", "source", "", 1, 60),
        Answer("t", "2", "ann", "source", "", 0, 30),
        Answer("t", "1", "bob", "summary", "lead", 0, 10),
        Answer("t", "2", "bob", "summary", "lead", 0),
        Answer("t", "1", "eve", "summary", "echo", None),
        # Nobody knows what is right here.
        Answer("t", "open", "ann", "source", "", 0, 1000),
    )
    rows = answers_after(Corpus(questions=QUESTIONS, answers=answers))
    assert rows[:2] == [
        AnswersAfter("source", "", 2, 1.0, 45.0),
        AnswersAfter("summary", "lead", 2, 0.5, 10.0),
    ]
    (unanswered,) = rows[2:]
    assert (unanswered.author, unanswered.right) == ("echo", 0.0)
    assert math.isnan(unanswered.seconds)


def test_without_answers_there_are_no_rows():
    assert answers_after(Corpus(questions=QUESTIONS)) == []
