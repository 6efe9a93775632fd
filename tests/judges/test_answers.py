"""What counts as an answer, and what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judged_corpora import answer, entry, small_corpus

from summetry.judges.answers import Usage, outcome_of, parse_answer, usage_of
from summetry.judges.prompts import Choice, plan_asks
from summetry.judges.rubrics import asked_rubrics

POINTS, PAIRS, UNITS = (
    asked_rubrics([name], mode)[0]
    for name, mode in (("fluency", "points"), ("fluency", "pairs"), ("coverage", "units"))
)
ASK = plan_asks(small_corpus(1), [POINTS], Choice(), "m", {}, 1)[0]


@pytest.mark.parametrize(
    ("content", "mark"),
    [
        ('{"mark": 4, "reason": "good"}', 4),
        ('{"reason": "a {curly} one", "mark": 4}', 4),
        ('Here it is:\n```json\n{"mark": 4}\n```\nI hope this helps.', 4),
        ('{"mark": "4"}', 4),
        ('{"mark": 4.0}', 4),
        ("4", 4),
        ("  4\n", 4),
        ("The summary is fine.\n4\n", 4),
        ("4\nAs I said:\n4", 4),
        ('<think>perhaps {"mark": 1}</think>\n{"mark": 4}', 4),
        ('{as asked} {"mark": 4}', 4),
        ('{"mark": 4} or {"mark": 5}', 4),
    ],
)
def test_a_mark_is_read_from_the_first_object_or_a_line_of_its_own(content, mark):
    assert parse_answer(content, POINTS) == (mark, "")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ('{"mark": 6}', "mark is 6"),
        ('{"mark": 0}', "mark is 0"),
        ('{"mark": 3.5}', "mark is 3.5"),
        ('{"mark": true}', "mark is true"),
        ('{"mark": null}', "mark is null"),
        ('{"mark": "four"}', 'mark is "four"'),
        ('{"mark": [4]}', "mark is"),
        ('{"mark": NaN}', "mark is NaN"),
        ('{"score": 4}', "the JSON object has no 'mark'"),
        ('{"mark": 4, "mark": 5}', "the JSON object has 'mark' twice"),
        ('{"mark": 4, "reason": "cut', "what begins as a JSON object is none"),
        ('{"marks": {"mark": 4}, "reason": "cut', "what begins as a JSON object is none"),
        ("{mark: 4}", "what begins as a JSON object is none"),
        ('{"all": [\n4\n', "what begins as a JSON object is none"),
        ("4\n5", "several marks in lines of their own"),
        ("4\n17", "several marks in lines of their own"),
        ("17", "no JSON object, no line that is a mark"),
        ("4/5", "no JSON object, no line that is a mark"),
        ("I would say 4.", "no JSON object, no line that is a mark"),
        ("<think>4", "no JSON object, no line that is a mark"),
        ("", "no JSON object, no line that is a mark"),
    ],
)
def test_nothing_is_guessed_rounded_or_clipped(content, why):
    value, reason = parse_answer(content, POINTS)
    assert value is None and why in reason


@pytest.mark.parametrize(
    ("content", "value"),
    [
        ('{"better": "A"}', 1),
        ('{"better": "b"}', 0),
        ('{"better": "equal"}', 0.5),
        ('{"better": "tie"}', 0.5),
        ("**B**", 0),
        ('{"better": "both"}', None),
        ('{"better": 1}', None),
        ("A\nB", None),
    ],
)
def test_a_verdict_names_the_first_the_second_or_neither(content, value):
    assert parse_answer(content, PAIRS)[0] == value


@pytest.mark.parametrize(
    ("content", "value"),
    [
        ('{"answer": "yes"}', 1),
        ('{"answer": "No"}', 0),
        ('{"answer": true}', 1),
        ("No.", 0),
        ('{"answer": 1}', None),
        ('{"answer": "perhaps"}', None),
    ],
)
def test_a_content_unit_is_there_or_not(content, value):
    assert parse_answer(content, UNITS)[0] == value


def kind_of(response=None, **rest):
    return outcome_of(entry(ASK, response, **rest), POINTS)


def test_every_request_has_one_of_five_outcomes():
    assert outcome_of(None, POINTS).kind == "not_asked"
    assert kind_of(problem="no answer within 1 s") == ("no_answer", None, "no answer within 1 s")
    assert kind_of(answer('{"mark": 2}')) == ("mark", 2.0, "")
    assert kind_of(answer("I'm sorry, but I cannot judge this.")).kind == "refusal"
    assert kind_of(answer("", refusal="It is against my rules.")).why == "It is against my rules."
    assert kind_of(answer('{"mark": 2}', finish="content_filter")).kind == "refusal"
    assert kind_of(answer("Fine!")).kind == "parse_failure"
    assert kind_of(body="<html>").why == "the server's answer holds no message"
    assert kind_of({"error": "no model"}).why == "the server's answer holds no message"
    assert kind_of({"choices": []}).kind == kind_of({"choices": [7]}).kind == "parse_failure"
    assert kind_of(answer(None)).kind == "parse_failure"


def test_an_answer_that_was_cut_off_says_so():
    cut = kind_of(answer('{"mark": 4, "rea', finish="length"))
    assert cut.kind == "parse_failure" and cut.why.endswith("cut off at max_tokens")


def test_a_mark_in_an_answer_that_is_sorry_is_a_mark():
    assert kind_of(answer('I\'m sorry to say: {"mark": 1}')).value == 1


def test_an_answer_in_parts_is_put_together():
    parts = [
        {"type": "text", "text": '{"ma'},
        {"type": "image"},
        {"type": "text", "text": 'rk": 3}'},
    ]
    assert kind_of(answer(parts)).value == 3


def test_tokens_are_those_of_the_server_or_none():
    assert usage_of(entry(ASK, answer("4", usage=(7, 2)))) == Usage(7, 2)
    assert usage_of(entry(ASK, answer("4", usage=()))) == Usage(None, None)
    assert usage_of(entry(ASK, {"usage": {"prompt_tokens": "7", "completion_tokens": -1}})) == (
        None,
        None,
    )


@given(st.text(alphabet='{}[]":,.0123456789markbetn A\n', max_size=60))
def test_whatever_is_said_is_a_mark_of_the_scale_or_none(content):
    for asked, values in ((POINTS, {1, 2, 3, 4, 5}), (PAIRS, {0, 0.5, 1}), (UNITS, {0, 1})):
        value, why = parse_answer(content, asked)
        assert value in values if value is not None else why
