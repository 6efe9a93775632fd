"""Formulas with their numbers filled in."""

import math

import pytest

from summetry.reports.formulas import figure, filled, values_of


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (17.0, "17"),
        (17 / 35, "0.4857"),
        (111.99999999999999, "112"),
        (-0.5, "-0.5000"),
        (0.0, "0"),
        (0.00001234, "1.23e-05"),
        (1e20, "100000000000000000000.0000"),
        (math.inf, "inf"),
        (math.nan, "undefined"),
    ],
)
def test_a_number_is_short_and_honest(value, shown):
    assert figure(value) == shown


def test_a_formula_has_names_then_numbers_then_its_value():
    facts = {"matched": 17, "reference": 35}
    assert filled({"recall": "matched / reference"}, facts, 80) == [
        "recall = matched / reference = 17 / 35 = 0.4857"
    ]


@pytest.mark.parametrize(("b", "line"), [(4, "v = a / b = 2 / 4 = 0.5000"), (0, "v = 0")])
def test_only_the_case_that_applies_is_shown(b, line):
    assert filled({"v": "a / b if b else 0"}, {"a": 2, "b": b}, 80) == [line]


def test_a_piece_that_is_another_value_goes_by_its_name():
    formulas = {
        "recall": "m / r if r else 0",
        "precision": "m / c if c else 0",
        "f": "2 * (m / c if c else 0) * (m / r if r else 0)"
        " / ((m / c if c else 0) + (m / r if r else 0)) if m else 0",
    }
    assert filled(formulas, {"m": 2, "r": 4, "c": 2}, 100) == [
        "recall    = m / r = 2 / 4 = 0.5000",
        "precision = m / c = 2 / 2 = 1",
        "f         = 2 * precision * recall / (precision + recall)"
        " = 2 * 1 * 0.5000 / (1 + 0.5000) = 0.6667",
    ]


def test_equal_formulas_do_not_stand_for_one_another():
    assert filled({"a": "x / y", "b": "x / y"}, {"x": 1, "y": 2}, 80) == [
        "a = x / y = 1 / 2 = 0.5000",
        "b = x / y = 1 / 2 = 0.5000",
    ]


def test_a_formula_that_is_too_long_is_folded_at_its_equals_signs_and_then_at_blanks():
    assert filled({"v": "first + second"}, {"first": 0.5, "second": 0.25}, 30) == [
        "v = first + second",
        "  = 0.5000 + 0.2500",
        "  = 0.7500",
    ]
    assert filled({"v": "first + second"}, {"first": 0.5, "second": 0.25}, 15) == [
        "v = first +",
        "    second",
        "  = 0.5000 +",
        "    0.2500",
        "  = 0.7500",
    ]


def test_negative_numbers_stand_in_parentheses():
    assert filled({"v": "a - b"}, {"a": 1, "b": -2}, 80) == ["v = a - b = 1 - (-2) = 3"]


def test_undefined_and_constants_are_shown_once():
    assert filled({"v": "undefined", "w": "0"}, {}, 80) == ["v = undefined", "w = 0"]


def test_rounding_is_understood():
    assert filled({"v": "round(a / b, 2)"}, {"a": 1, "b": 3}, 80) == [
        "v = round(a / b, 2) = round(1 / 3, 2) = 0.3300"
    ]


@pytest.mark.parametrize("formula", ["log(a)", "a +", "the weight of a", "a.b", "b", "1 / (a - 1)"])
def test_a_formula_of_a_plug_in_that_cannot_be_worked_out_is_shown_as_it_is(formula):
    assert filled({"v": formula}, {"a": 1}, 80) == [f"v = {formula}"]
    assert values_of({"v": formula}, {"a": 1}) == {}
