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


@pytest.mark.parametrize("content", [
    '{"mark": 4, "reason": "good"}', '{"reason": "a {curly} one", "mark": 4}',
    'Here it is:\n```json\n{"mark": 4}\n```\nI hope this helps.',
    '{"mark": "4"}', '{"mark": 4.0}', "4", "  4\n", "The summary is fine.\n4\n",
    "4\nAs I said:\n4",
    '<think>perhaps {"mark": 1}</think>\n{"mark": 4}',
    '{as asked} {"mark": 4}', '{"mark": 4} or {"mark": 5}',
])  # fmt: skip
def test_a_mark_is_read_from_the_first_object_or_a_line_of_its_own(content):
    assert parse_answer(content, POINTS) == (4, "")


NO_OBJECT = "what begins as a JSON object is none"
SEVERAL = "several marks in lines of their own"
NOTHING = "no JSON object, no line that is a mark"


@pytest.mark.parametrize(("content", "why"), [
    *[(f'{{"mark": {value}}}', f"mark is {value}")
      for value in ("6", "0", "3.5", "true", "null", '"four"', "NaN")],
    ('{"mark": [4]}', "mark is"),
    ('{"score": 4}', "the JSON object has no 'mark'"),
    ('{"mark": 4, "mark": 5}', "the JSON object has 'mark' twice"),
    *[(content, NO_OBJECT) for content in ('{"mark": 4, "reason": "cut', "{mark: 4}",
      '{"marks": {"mark": 4}, "reason": "cut', '{"all": [\n4\n')],
    ("4\n5", SEVERAL), ("4\n17", SEVERAL),
    *[(content, NOTHING) for content in ("17", "4/5", "I would say 4.", "<think>4", "")],
])  # fmt: skip
def test_nothing_is_guessed_rounded_or_clipped(content, why):
    value, reason = parse_answer(content, POINTS)
    assert value is None and why in reason


@pytest.mark.parametrize(("asked", "content", "value"), [
    (PAIRS, '{"better": "A"}', 1), (PAIRS, '{"better": "b"}', 0),
    (PAIRS, '{"better": "equal"}', 0.5), (PAIRS, '{"better": "tie"}', 0.5), (PAIRS, "**B**", 0),
    (PAIRS, '{"better": "both"}', None), (PAIRS, '{"better": 1}', None), (PAIRS, "A\nB", None),
    (UNITS, '{"answer": "yes"}', 1), (UNITS, '{"answer": "No"}', 0),
    (UNITS, '{"answer": true}', 1), (UNITS, "No.", 0), (UNITS, '{"answer": 1}', None),
    (UNITS, '{"answer": "perhaps"}', None),
])  # fmt: skip
def test_a_verdict_names_a_summary_or_neither_and_a_unit_is_there_or_not(asked, content, value):
    assert parse_answer(content, asked)[0] == value


def kind_of(response=None, **rest):
    return outcome_of(entry(ASK, response, **rest), POINTS)


def test_every_request_has_one_of_five_outcomes_and_parts_are_put_together():
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
    cut = kind_of(answer('{"mark": 4, "rea', finish="length"))
    assert cut.kind == "parse_failure" and cut.why.endswith("cut off at max_tokens")
    # A mark in an answer that is sorry is a mark.
    assert kind_of(answer('I\'m sorry to say: {"mark": 1}')).value == 1
    # An answer in parts.
    pieces = [{"type": "text", "text": piece} for piece in ('{"ma', 'rk": 3}')]
    assert kind_of(answer([pieces[0], {"type": "image"}, pieces[1]])).value == 3


def test_tokens_are_those_of_the_server_or_none():
    assert usage_of(entry(ASK, answer("4", usage=(7, 2)))) == Usage(7, 2)
    assert usage_of(entry(ASK, answer("4", usage=()))) == Usage(None, None)
    strange = {"prompt_tokens": "7", "completion_tokens": -1}
    assert usage_of(entry(ASK, {"usage": strange})) == (None, None)


@given(st.text(alphabet='{}[]":,.0123456789markbetn A\n', max_size=60))
def test_whatever_is_said_is_a_mark_of_the_scale_or_none(content):
    for asked, values in ((POINTS, {1, 2, 3, 4, 5}), (PAIRS, {0, 0.5, 1}), (UNITS, {0, 1})):
        value, why = parse_answer(content, asked)
        assert value in values if value is not None else why
