"""Which columns are meant: by spelling, alias, value, or a name that only the scores know."""

import numpy as np
import pytest

from summetry.errors import SummetryError
from summetry.metaeval.columns import (
    better_of,
    headlines,
    is_made_of_judgments,
    pick_columns,
    shown_places,
)
from summetry.records import Column, ScoreTable
from summetry.records.scores import Row

NAMES = [
    ("rouge_n(n=2)", "recall"),
    ("rouge_n(n=2)", "precision"),
    ("rouge_n(n=2)", "f"),
    ("js_divergence", "value"),
    ("ROUGE-BE v2", "value"),
]
COLUMNS = tuple(Column(*name) for name in NAMES)
TABLE = ScoreTable((Row("p", "t", "a", "candidate"),), COLUMNS, np.arange(5.0)[None, :])


@pytest.mark.parametrize(
    ("asked", "places"),
    [
        (["rouge-2"], [0, 1, 2]),
        (["rouge_n(n=2).f"], [2]),
        (["rouge-2.recall"], [0]),
        (["js_divergence", "rouge_n( n = 2 ).recall"], [3, 0]),
        (["ROUGE-BE v2"], [4]),
        (["rouge-be v2", "ROUGE-BE v2"], [4]),
        (["rouge-2.f,js_divergence"], [2, 3]),
    ],
)
def test_columns_are_found_by_any_of_their_names(asked, places):
    columns = pick_columns(TABLE, asked)
    assert columns.columns == tuple(COLUMNS[place] for place in places)
    assert columns.data.tolist() == [[float(place) for place in places]]


@pytest.mark.parametrize("name", ["rouge-2.value", "nothing", "rouge_n(", "ROUGE-BE"])
def test_a_name_that_is_not_there_is_told_with_those_that_are(name):
    with pytest.raises(SummetryError, match="metric among the scores") as told:
        pick_columns(TABLE, [name])
    assert "js_divergence" in str(told.value) or "rouge" in str(told.value).lower()


@pytest.mark.parametrize("name", ["rouge-1", "rouge-l.recall", "lcs(stem=true)"])
def test_a_metric_that_was_not_scored_can_be(name):
    with pytest.raises(SummetryError) as told:
        pick_columns(TABLE, [name])
    assert str(told.value) == (
        f"{name} was not scored; score again with -m {name}; there are ROUGE-BE v2, "
        "js_divergence, rouge_n(n=2)"
    )


def test_names_may_be_a_list_and_of_a_table_that_was_joined():
    assert pick_columns(TABLE, ["js_divergence,rouge-2.f"]).columns == (COLUMNS[3], COLUMNS[2])
    joined = (Column("mine (old)", "f"), Column("mine (new)", "f"), Column("mine (new)", "recall"))
    table = ScoreTable(TABLE.rows, joined, np.zeros((1, 3)))
    assert pick_columns(table, ["mine.f"]).columns == joined[:2]
    assert pick_columns(table, ["mine (new)"]).columns == joined[1:]


def test_which_numbers_are_better_and_what_stands_for_a_metric():
    assert [better_of(column) for column in COLUMNS] == [
        "higher", "higher", "higher", "lower", "higher",
    ]  # fmt: skip
    assert headlines(COLUMNS) == [2, 3, 4]
    # Without the headline the first value stands for the metric.
    assert headlines(COLUMNS[:2]) == [0]


@pytest.mark.parametrize(
    ("asked", "places"),
    [
        ([], [2, 3, 4]),
        (["rouge-2"], [2]),
        (["rouge-2.recall", "rouge-2"], [0, 2]),
        (["rouge-2", "js_divergence", "rouge-2.precision,rouge-2.recall"], [2, 1, 0, 3]),
        (["rouge-2.recall", "rouge-2.recall"], [0]),
    ],
)
def test_every_value_that_is_named_is_shown_beside_those_of_its_metric(asked, places):
    assert shown_places(COLUMNS, asked) == places


@pytest.mark.parametrize(
    ("metric", "dimension", "is_made"),
    [
        ("scu_recall", "pyramid", True),
        ("scu_precision", "modified_pyramid", True),
        ("pyramid", "scus", True),
        ("scu_recall", "responsiveness", False),
        ("rouge-2", "pyramid", False),
        ("of another program", "pyramid", False),
    ],
)
def test_what_the_judges_of_a_dimension_made_is_known(metric, dimension, is_made):
    assert is_made_of_judgments(Column(metric), dimension) is is_made
