"""Formulas with their numbers filled in."""

import math

import pytest

from summetry.reports.formulas import figure, filled, values_of


@pytest.mark.parametrize(("value", "shown"), [
    (17.0, "17"), (17 / 35, "0.4857"), (111.99999999999999, "112"), (-0.5, "-0.5000"), (0.0, "0"),
    (0.00001234, "1.23e-05"), (1e20, "100000000000000000000.0000"), (math.inf, "inf"),
    (math.nan, "undefined"),
])  # fmt: skip
def test_a_number_is_short_and_honest(value, shown):
    assert figure(value) == shown


RECALL, PRECISION = "m / r if r else 0", "m / c if c else 0"
SUM = ({"v": "first + second"}, {"first": 0.5, "second": 0.25})


@pytest.mark.parametrize(("formulas", "facts", "width", "lines"), [
    # Names, then numbers, then the value.
    ({"recall": "matched / reference"}, {"matched": 17, "reference": 35}, 80,
     ["recall = matched / reference = 17 / 35 = 0.4857"]),
    # Only the case that applies.
    ({"v": "a / b if b else 0"}, {"a": 2, "b": 4}, 80, ["v = a / b = 2 / 4 = 0.5000"]),
    ({"v": "a / b if b else 0"}, {"a": 2, "b": 0}, 80, ["v = 0"]),
    # A piece that is another value goes by its name, but equal formulas do not.
    ({"recall": RECALL, "precision": PRECISION,
      "f": f"2 * ({PRECISION}) * ({RECALL}) / (({PRECISION}) + ({RECALL})) if m else 0"},
     {"m": 2, "r": 4, "c": 2}, 100,
     ["recall    = m / r = 2 / 4 = 0.5000", "precision = m / c = 2 / 2 = 1",
      "f         = 2 * precision * recall / (precision + recall)"
      " = 2 * 1 * 0.5000 / (1 + 0.5000) = 0.6667"]),
    ({"a": "x / y", "b": "x / y"}, {"x": 1, "y": 2}, 80,
     ["a = x / y = 1 / 2 = 0.5000", "b = x / y = 1 / 2 = 0.5000"]),
    # One that is too long is folded at its equals signs, and then at blanks.
    (*SUM, 30, ["v = first + second", "  = 0.5000 + 0.2500", "  = 0.7500"]),
    (*SUM, 15, ["v = first +", "    second", "  = 0.5000 +", "    0.2500", "  = 0.7500"]),
    ({"v": "a - b"}, {"a": 1, "b": -2}, 80, ["v = a - b = 1 - (-2) = 3"]),
    ({"v": "undefined", "w": "0"}, {}, 80, ["v = undefined", "w = 0"]),
    ({"v": "round(a / b, 2)"}, {"a": 1, "b": 3}, 80,
     ["v = round(a / b, 2) = round(1 / 3, 2) = 0.3300"]),
])  # fmt: skip
def test_a_formula_is_worked_out(formulas, facts, width, lines):
    assert filled(formulas, facts, width) == lines


@pytest.mark.parametrize("formula", ["log(a)", "a +", "the weight of a", "a.b", "b", "1 / (a - 1)"])
def test_a_formula_of_a_plug_in_that_cannot_be_worked_out_is_shown_as_it_is(formula):
    assert filled({"v": formula}, {"a": 1}, 80) == [f"v = {formula}"]
    assert values_of({"v": formula}, {"a": 1}) == {}
