"""Formulas on arrays give what Python gives for one number after another."""

import ast
import gc
import math
import sys
import threading

import numpy as np
import pytest

from summetry.metrics import METRICS
from summetry.metrics.formulas import FormulaMetric, _compile, evaluate
from summetry.reports.formulas import shown_formulas

FORMULAS = sorted(
    {
        formula
        for name in METRICS.names()
        if issubclass(METRICS.get(name), FormulaMetric)
        for formula in METRICS.get(name).formulas.values()
    }
)
NAMES = sorted(
    {node.id for f in FORMULAS for node in ast.walk(ast.parse(f)) if isinstance(node, ast.Name)}
)


def test_there_are_formulas_to_try():
    assert len(FORMULAS) > 12


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_formula_of_arrays_is_that_of_each_entry(formula):
    rows = np.random.default_rng(1).integers(1, 9, (50, len(NAMES)))
    rows[:, NAMES.index("candidate")] += 9  # More than is matched.
    facts = {**dict(zip(NAMES, rows.T, strict=True)), "beta": 0.3}
    evaluated = np.broadcast_to(evaluate(formula, facts), len(rows))
    for value, row in zip(evaluated.tolist(), rows.tolist(), strict=True):
        known = {**dict(zip(NAMES, row, strict=True)), "beta": 0.3}
        expected = eval(formula, {"__builtins__": {}}, known)
        # Python's power may round a root otherwise than a root is rounded.
        assert value == (expected if "0.5" not in formula else pytest.approx(expected, rel=1e-15))


def test_a_condition_is_decided_for_each_entry_and_a_division_by_zero_does_no_harm():
    facts = {"a": np.array([1, 2, 0]), "b": np.array([2, 0, 0])}
    assert evaluate("a / b if b else 7", facts).tolist() == [0.5, 7.0, 7.0]
    assert evaluate("-a / b", facts).tolist()[:2] == [-0.5, -math.inf]
    assert math.isnan(evaluate("a / b", facts)[2])


def test_a_root_is_rounded_as_a_root():
    squares = np.array([2, 3, 5, 1e308])
    assert evaluate("a ** 0.5", {"a": squares}).tolist() == [math.sqrt(x) for x in squares]


@pytest.mark.parametrize("formula", ["exit()", "a.real", "a[0]", "[a]", "lambda: a", "(b := a)"])
def test_a_formula_is_arithmetic_and_nothing_else(formula):
    with pytest.raises(AssertionError, match="no arithmetic in a formula"):
        evaluate(formula, {"a": 1.0})


class _Finalized:
    """Refers to itself, so that only the collector removes it, in the middle of other work."""

    def __init__(self):
        self.me = self

    def __del__(self):
        list(range(50))


def test_threads_read_formulas_at_the_same_time():
    formula, failed = "2 * p * r / (p + r) if p + r else 0", []

    def work():
        for _ in range(300):
            _Finalized()
            try:
                _compile.__wrapped__(formula)
                shown_formulas({"f": formula}, {"p": 1.0, "r": 2.0})
            except SystemError as error:
                failed.append(error)

    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    threads = [threading.Thread(target=work) for _ in range(8)]
    try:
        sys.setswitchinterval(1e-6)
        gc.set_threshold(20, 2, 2)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
        gc.set_threshold(*thresholds)
    assert failed == []
