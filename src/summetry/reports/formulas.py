"""Formulas with their numbers filled in, as ``explain`` shows them.

What a formula says for other numbers is left out: of ``a / b if b else 0`` there is ``a / b`` where
``b`` is not 0. A piece that is itself a value goes by the name of that value.
"""

from __future__ import annotations

import ast
import math
import re
import textwrap
from collections.abc import Mapping
from typing import Any

from summetry.metrics.formulas import parsed

# What a formula may call, and what it may not do without.
_FUNCTIONS: dict[str, Any] = {"__builtins__": {}, "round": round}
_UNDEFINED = "undefined"
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def figure(value: float) -> str:
    """A number for people: a whole number as it is, any other with four decimals.

    >>> figure(17.0), figure(17 / 35), figure(0.00001234), figure(math.nan)
    ('17', '0.4857', '1.23e-05', 'undefined')
    """
    if math.isnan(value):
        return _UNDEFINED
    is_whole = not math.isinf(value) and math.isclose(value, round(value), rel_tol=1e-12)
    if math.isinf(value) or (is_whole and abs(value) < 1e15):
        return f"{value:.0f}"
    return f"{value:.4f}" if abs(value) >= 0.00005 else f"{value:.2e}"


def term(value: float) -> str:
    """A number in a formula: one below 0 stands in parentheses."""
    return f"({figure(value)})" if value < 0 else figure(value)


def values_of(formulas: Mapping[str, str], facts: Mapping[str, float]) -> dict[str, float]:
    """The values that formulas give; those that cannot be worked out are left out."""
    values = {}
    for name, formula in formulas.items():
        value = _value(formula, facts)
        if value is not None:
            values[name] = float(value)
    return values


def filled(formulas: Mapping[str, str], facts: Mapping[str, float], width: int) -> list[str]:
    """Each formula in names, then with its numbers, then its value, in lines of ``width``.

    >>> filled({"recall": "matched / reference"}, {"matched": 17, "reference": 35}, 80)
    ['recall = matched / reference = 17 / 35 = 0.4857']
    """
    longest = max(map(len, formulas), default=0)
    lines: list[str] = []
    for name, shown, value in shown_formulas(formulas, facts):
        distinct = steps(shown, value, values_of(formulas, facts) | dict(facts))
        line = " = ".join([name.ljust(longest), *distinct])
        if len(line) <= width:
            lines.append(line)
            continue
        indent = " " * (longest + 3)
        for step, begin in zip(distinct, [name.ljust(longest), *[" " * longest] * 2], strict=False):
            lines += textwrap.wrap(f"{begin} = {step}", width, subsequent_indent=indent)
    return lines


def shown_formulas(
    formulas: Mapping[str, str], facts: Mapping[str, float]
) -> list[tuple[str, str, float | None]]:
    """Each value's name, its formula as it is shown for these facts, and its number.

    There is no number where a formula cannot be worked out.
    """
    values = values_of(formulas, facts)
    decide = _Decide(facts)
    trees: dict[str, ast.expr] = {
        name: decide.visit(parsed(formulas[name])).body for name in values
    }
    shown: list[tuple[str, str, float | None]] = []
    for name, formula in formulas.items():
        if name not in values:
            shown.append((name, formula, None))
            continue
        pieces = {ast.dump(tree): other for other, tree in trees.items() if other != name}
        shown.append((name, _with_names(trees[name], pieces), values[name]))
    return shown


def steps(shown: str, value: float | None, known: Mapping[str, float]) -> list[str]:
    """A formula in names, then with its numbers, then its value; what repeats is left out.

    >>> steps("matched / reference", 17 / 35, {"matched": 17, "reference": 35})
    ['matched / reference', '17 / 35', '0.4857']
    """
    if value is None:
        return [shown]
    numbers = _NAME.sub(lambda name: term(known[name[0]]) if name[0] in known else name[0], shown)
    return list(dict.fromkeys([shown, numbers, figure(value)]))


def _value(formula: str, facts: Mapping[str, float]) -> float | None:
    try:
        # Formulas are written by the authors of metrics, never by users.
        return float(eval(formula, _FUNCTIONS, {**facts, _UNDEFINED: math.nan}))
    except (ArithmeticError, AttributeError, NameError, SyntaxError, TypeError, ValueError):
        return None


class _Decide(ast.NodeTransformer):
    """Leaves out of a formula the cases that these facts are not."""

    def __init__(self, facts: Mapping[str, float]) -> None:
        self.facts = facts

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        is_true = _value(ast.unparse(node.test), self.facts)
        branch: ast.AST = self.visit(node.body if is_true else node.orelse)
        return branch


def _with_names(tree: ast.expr, pieces: Mapping[str, str]) -> str:
    """A formula in which a piece that is another value goes by its name."""
    root = tree

    class Named(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            is_piece = node is not root and not isinstance(node, ast.Name | ast.Constant)
            if is_piece and ast.dump(node) in pieces:
                return ast.Name(pieces[ast.dump(node)], ast.Load())
            named: ast.AST = self.generic_visit(node)
            return named

    # A copy, since the pieces are compared with the tree as it is.
    root = parsed(ast.unparse(tree)).body
    return ast.unparse(Named().visit(root))
