"""Plans over one table: rows that repeat another, with both ways to treat them."""

import json

import pytest

import summetry
from summetry.engine.tables import TablePlan
from summetry.errors import FormatError

ROWS = [("a", "x"), ("b", "x"), ("a", "x"), ("a", "y"), ("a", "x")]


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "t.jsonl"
    rows = [
        {"id": i, "system": s, "candidate": f"text {n}", "reference": "text"}
        for n, (i, s) in enumerate(ROWS)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_second_row_of_one_summary_is_named_with_the_first(table):
    with pytest.raises(FormatError, match=r"t.jsonl:3: expected one row for id 'a' and system 'x'"):
        TablePlan(table).facts  # noqa: B018


def test_with_skip_the_first_row_stands_and_the_others_are_listed(table):
    plan = TablePlan(table, on_error="skip")
    scores = summetry.evaluate(plan, ["unit_overlap"], on_error="skip")
    assert [(row.topic, row.author) for row in scores.rows] == [("a", "x"), ("b", "x"), ("a", "y")]
    assert plan.facts.items == 3
    assert [problem.split(":")[1] for problem in plan.problems] == ["3", "5"]
    assert "the first is" in plan.problems[0] and "t.jsonl:1" in plan.problems[0]


def test_items_can_be_taken_before_the_facts(table):
    assert len(list(TablePlan(table, on_error="skip").items())) == 3
