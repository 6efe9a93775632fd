"""Where two systems differ most; worked out by hand."""

import math

import pytest

from summetry.reports.lit.differences import differ_most

VALUES = {
    ("t1", "a"): 0.5, ("t1", "b"): 0.25, ("t1", "c"): 0.9,
    ("t2", "a"): 0.1, ("t2", "b"): 0.75,
    ("t3", "a"): 0.3, ("t3", "b"): math.nan,
    ("t4", "b"): 0.3,
    ("t5", "a"): 0.4, ("t5", "b"): 0.4,
}  # fmt: skip


def test_the_largest_difference_either_way_comes_first():
    found = differ_most(VALUES, "a", "b", "rouge1.f")
    assert [(row.topic, row.first, row.second) for row in found.rows] == [
        ("t2", 0.1, 0.75),
        ("t1", 0.5, 0.25),
        ("t5", 0.4, 0.4),
    ]
    assert [row.difference for row in found.rows] == [pytest.approx(-0.65), 0.25, 0.0]
    assert (found.first, found.second, found.of) == ("a", "b", "rouge1.f")


def test_topics_without_both_values_are_left_out_and_counted():
    several = "2 topics have no value of both and are left out"
    assert differ_most(VALUES, "a", "b").notes == (several,)
    assert differ_most({("t", "a"): 1.0}, "a", "b").notes == (
        "1 topic has no value of both and is left out",
    )
    assert differ_most({("t", "a"): 1.0, ("t", "b"): 1.0}, "a", "b").notes == ()


def test_of_equal_differences_the_earlier_topic_comes_first():
    values = {(f"t{i}", name): value for i in (3, 1, 2) for name, value in (("a", 1), ("b", 2))}
    assert [row.topic for row in differ_most(values, "a", "b").rows] == ["t3", "t1", "t2"]
