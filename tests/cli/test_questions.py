"""``summetry questions``: the table, JSON, and mistakes."""

import json

import pytest


@pytest.fixture
def asked(tmp_path):
    """A corpus with one question and what two people answered."""
    records = {
        "topics": [{"id": "t", "text": "A ferry sank."}],
        "questions": [
            {"topic": "t", "id": "q", "question": "What sank?", "choices": ["a", "b"], "answer": 0}
        ],
        "answers": [
            {"topic": "t", "question": "q", "judge": "ann", "condition": "nothing", "choice": 1},
            {"topic": "t", "question": "q", "judge": "bob", "condition": "summary",
             "author": "lead", "choice": 0, "seconds": 12.5},
            {"topic": "t", "question": "q", "judge": "eve", "condition": "summary",
             "author": "lead", "choice": 1, "seconds": 7.5},
        ],
    }  # fmt: skip
    for kind, lines in records.items():
        (tmp_path / f"{kind}.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    return tmp_path


def test_each_thing_that_was_read_has_a_row(scored, asked):
    assert [line.split() for line in scored("questions", asked).lines] == [
        ["condition", "system", "answers", "right", "seconds"],
        ["nothing", "1", "0.0000", "-"],
        ["summary", "lead", "2", "0.5000", "10.0"],
    ]


def test_programs_read_the_same(scored, asked):
    assert scored("questions", asked, "--json").json == [
        {"condition": "nothing", "author": "", "answers": 1, "right": 0.0, "seconds": None},
        {"condition": "summary", "author": "lead", "answers": 2, "right": 0.5, "seconds": 10.0},
    ]


def test_a_corpus_without_answers_is_refused_in_one_line(call, asked):
    (asked / "answers.jsonl").unlink()
    done = call("questions", asked)
    assert done.code == 2 and done.err.count("\n") == 1
    assert "expected answers to questions whose right choice is known, found none" in done.err
