"""Formulas: arithmetic on facts, written once, evaluated for the values and shown by ``explain``.

A formula is one line of Python on the names of facts: numbers, ``+ - * / **``, comparisons and
``a if b else c``. It is meant for one pair of texts and evaluated for many of them at once: a fact
is an array with one entry per pair, or one number for all pairs.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from threading import Lock
from types import CodeType
from typing import Any, ClassVar, TypeAlias

import numpy as np

from summetry.arrays.types import Floats
from summetry.metrics.base import Counts, Metric, Scores, explained
from summetry.metrics.explanations import Explanation, Match, Part, left_out
from summetry.records.batches import Batch, Comparison

# By name, an array with one entry per pair, or one number for all pairs.
Facts: TypeAlias = Mapping[str, Any]

_FUNCTIONS = {"__builtins__": {}, "where": np.where, "sqrt": np.sqrt}
_ARITHMETIC = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.IfExp, ast.Name, ast.Constant)
_ALLOWED = (*_ARITHMETIC, ast.Expression, ast.operator, ast.unaryop, ast.cmpop, ast.Load)
# CPython counts the depth of trees for all threads together: those that make trees at the same time
# get a SystemError (AST constructor recursion depth mismatch).
_TREES = Lock()


def evaluate(formula: str, facts: Facts) -> Floats:
    """The value of a formula for every pair; a division by 0 gives NaN or infinity.

    >>> evaluate("a / b if b else 0", {"a": np.array([1, 2]), "b": np.array([4, 0])}).tolist()
    [0.25, 0.0]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        # Formulas are written by the authors of metrics, never by users, and hold arithmetic only.
        return np.asarray(eval(_compile(formula), _FUNCTIONS, dict(facts)), np.float64)


def parsed(formula: str) -> ast.Expression:
    """The tree of a formula."""
    with _TREES:
        return ast.parse(formula, mode="eval")


def in_plain_python(
    formulas: Mapping[str, str], facts: Iterable[str], constants: Mapping[str, float]
) -> str:
    """The function from the facts of one pair to its values by name, as :func:`plain_function`
    takes it: a metric may keep it, and code cannot be sent to other processes.

    >>> written = in_plain_python({"value": "c * a / b if b else 0"}, ["a", "b"], {"c": 2})
    >>> plain_function(written)(1, 4)
    {'value': 0.5}
    """
    values = ", ".join(f"{name!r}: float({formula})" for name, formula in formulas.items())
    known = [f"{name}={value!r}" for name, value in constants.items()]
    return f"lambda {', '.join([*facts, *known])}: {{{values}}}"


@cache
def plain_function(written: str) -> Callable[..., dict[str, float]]:
    """What :func:`in_plain_python` wrote; its values are those of arrays to the last bit."""
    function: Callable[..., dict[str, float]] = eval(written)
    return function


@cache
def _compile(formula: str) -> CodeType:
    tree = parsed(formula)
    for node in ast.walk(tree):
        assert isinstance(node, _ALLOWED), f"no arithmetic in a formula: {ast.unparse(node)}"
    tree = ast.fix_missing_locations(_ForArrays().visit(tree))
    with _TREES:
        return compile(tree, formula, "eval")


class _ForArrays(ast.NodeTransformer):
    """What Python does with one number, done with each entry of an array."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        return _call("where", node.test, node.body, node.orelse)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Pow) and ast.unparse(node.right) == "0.5":
            # A root is rounded once; a power need not be.
            return _call("sqrt", node.left)
        return node


def _call(function: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(function, ast.Load()), list(arguments), [])


class FormulaMetric(Metric):
    """A metric whose values follow from facts by formulas, one formula for each value."""

    # None, where an explanation has formulas that depend on options.
    formulas: ClassVar[Mapping[str, str]] = {}
    # The fact that is 0 where there is nothing to compare with, and so no value; "" has always one.
    defined_by: ClassVar[str]

    def __init_subclass__(cls, **options: Any) -> None:
        if "formulas" in cls.__dict__:
            cls.values = tuple(cls.formulas)
        super().__init_subclass__(**options)

    def values_of(self, facts: Facts) -> Scores:
        """The values for arrays of facts."""
        defined = not self.defined_by or np.asarray(facts[self.defined_by]) != 0
        return {
            name: np.where(defined, evaluate(formula, facts), np.nan)
            for name, formula in self.formulas.items()
        }

    def part(
        self,
        against: str,
        facts: dict[str, float],
        matches: Iterable[Match],
        missed: Iterable[Match] = (),
    ) -> Part:
        """The explanation of one comparison with one reference, from its facts."""
        is_defined = not self.defined_by or facts[self.defined_by]
        formulas = dict(self.formulas) if is_defined else left_out(self.values)
        return Part(against, facts, formulas, tuple(matches), missed=tuple(missed))


class TotalsMetric(FormulaMetric):
    """A metric whose counts are facts that may be added up; ``totals`` names their columns."""

    totals: ClassVar[tuple[str, ...]]
    # What the candidate is compared with; nothing, where it stands alone.
    compared_with: ClassVar[str] = "source"

    def score(self, counts: Counts) -> Scores:
        return self.values_of(dict(zip(self.totals, counts.T, strict=True)))

    def explain(self, comparison: Comparison) -> Explanation:
        (row,) = self.count(Batch([comparison])).tolist()
        facts = dict(zip(self.totals, row, strict=True))
        matches = self.matches(comparison)
        return explained(self, comparison, [self.part(self.compared_with, facts, matches)])

    def matches(self, comparison: Comparison) -> Iterable[Match]:
        """What the first of the totals is made of."""
        return ()
