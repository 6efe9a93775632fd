"""A plain function as a metric.

    def shared_letters(candidate, references):
        return len(set(candidate) & set(references[0])) / len(set(candidate))

It is given one candidate, the list of its references (empty where there are none) and, if it takes
a third argument, the source (None where there is none), all as strings, and returns one number, or
a dict of numbers. NaN stands for an undefined value. Attributes of the function say what cannot be
learnt from it:

``values``
    the names of its values, for a function that returns a dict; without it there is one: "value".
``better``
    "higher" (the default), "lower" or "neither", or a dict with one of them for each value.

Where texts are compared word by word, a metric on token tables (see :class:`Metric`) is faster.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import takewhile
from numbers import Real
from typing import Any, ClassVar, TypeAlias

import numpy as np

from summetry.arguments import kind_of
from summetry.errors import PlugInError
from summetry.metrics.base import Better, Counts, MeanMetric, Metric, Needs, one_value
from summetry.records.batches import Batch, Comparison

Result: TypeAlias = float | Mapping[str, float]
# Of the candidate, its references and its source, or of the first of these.
Function: TypeAlias = Callable[..., Result]

_GIVEN = ("candidate", "references", "source")
# Names of a second parameter that is not the list of references.
_ONE_TEXT = ("reference", "ref", "gold", "target", "source")
_VARIABLE = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_NONE = inspect.Parameter.empty
DIRECTIONS = ("higher", "lower", "neither")


@dataclass(frozen=True, eq=False)
class FunctionMetric(MeanMetric):
    """A function of a candidate, its references and its source.

    Each function has a class of its own, made by :func:`as_metric`, so that it can be registered
    and spelt as every other metric: by its name, without options.
    """

    function: ClassVar[Function]
    # How many of candidate, references and source the function is given.
    takes: ClassVar[int] = 3
    family: ClassVar[str] = "functions"
    # Nobody knows how low and how high the values of a function can be.
    bounds: ClassVar[tuple[float, float]] = (-np.inf, np.inf)
    needs: ClassVar[Needs] = Needs.NOTHING

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FunctionMetric):
            return NotImplemented
        return self.name == other.name and type(self).function == type(other).function

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[Any, ...]:
        # A class that was made while running cannot be found again by its name; its function can.
        return as_metric, (type(self).function, self.name)

    def count(self, batch: Batch) -> Counts:
        rows = [self._call(comparison) for comparison in batch.comparisons]
        table = np.array(rows, dtype=np.float64).reshape(-1, len(self.values))
        return np.hstack([one_value(column) for column in table.T])

    def _call(self, comparison: Comparison) -> list[float]:
        references = [side.text for side in comparison.references]
        texts = (comparison.candidate.text, references, comparison.material.source)
        try:
            result = type(self).function(*texts[: self.takes])
        except (Exception, SystemExit) as error:
            reason = f"{type(error).__name__}: {error}"
            raise PlugInError(
                f"the function {self.name!r} failed: {reason}; SUMMETRY_TRACEBACK=1 shows where"
            ) from error
        return _numbers(self.name, result, self.values)


def as_metric(function: Function, name: str = "") -> Metric:
    """The metric that a function is, under its own name unless another is given.

    >>> def length(candidate):
    ...     return len(candidate)
    >>> as_metric(length).values
    ('value',)
    """
    own = getattr(function, "__name__", type(function).__name__)
    name = name or _spellable(own)
    values = _values(function, name)
    members: dict[str, Any] = {
        "__doc__": inspect.getdoc(function) or f"The function {own}.",
        "__module__": getattr(function, "__module__", __name__),
        "function": staticmethod(function),
        "takes": _takes(function, name),
        "name": name,
        "values": values,
        "headline": values[0],
        "better": _better(function, name, values),
    }
    metric: type[FunctionMetric] = type(own, (FunctionMetric,), members)
    return metric()


def _spellable(name: str) -> str:
    """A function's name as a spelling can have it.

    >>> _spellable("<lambda>"), _spellable("größe"), _spellable("überlänge")
    ('lambda', 'gr_e', 'berl_nge')
    """
    return re.sub(r"[^A-Za-z0-9_-]+", "_", name).lstrip("0123456789-").strip("_") or "function"


def _takes(function: Function, name: str) -> int:
    """How many of candidate, references and source a function takes, by its parameters.

    One with a default that is not named like what it would be given is the function's own.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # Functions that are not written in Python may have none.
        return len(_GIVEN)
    kinds = {p.kind for p in parameters}
    placed = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    pairs = zip(placed, _GIVEN, strict=False)
    fitting = takewhile(lambda pair: pair[0].default is _NONE or pair[0].name == pair[1], pairs)
    taken = len(_GIVEN) if inspect.Parameter.VAR_POSITIONAL in kinds else len(list(fitting))
    left = [p for p in parameters if p not in placed[:taken] and p.kind not in _VARIABLE]
    is_one_text = any(p.name in _ONE_TEXT for p in placed[1:2]) and taken > 1
    if not taken or is_one_text or any(p.default is _NONE for p in left):
        raise PlugInError(
            f"a metric function takes (candidate), (candidate, references) or (candidate, "
            f"references, source), where references is a list; {name} takes "
            f"({', '.join(p.name for p in parameters)})"
        )
    return taken


def _values(function: Function, name: str) -> tuple[str, ...]:
    named = getattr(function, "values", None)
    if named is not None:
        values = tuple(named) if isinstance(named, list | tuple) else ()
        if values and all(isinstance(v, str) and v.isidentifier() for v in values):
            return values
        raise PlugInError(
            f"the function {name!r} must have a tuple of names as its attribute 'values', such as "
            f"('recall', 'f'), got {named!r}"
        )
    if _is_said_to_return_a_dict(function):
        raise PlugInError(_unnamed(name))
    return ("value",)


def _is_said_to_return_a_dict(function: Function) -> bool:
    try:
        returns = inspect.signature(function).return_annotation
    except (TypeError, ValueError):  # Functions that are not written in Python may have none.
        return False
    written = returns if isinstance(returns, str) else getattr(returns, "__name__", "")
    return written.partition("[")[0].rpartition(".")[2] in ("dict", "Dict", "Mapping")


def _unnamed(name: str) -> str:
    return (
        f"the function {name!r} returns a dict, and must say its keys beforehand: give it the "
        f"attribute 'values', such as {name}.values = ('recall', 'f')"
    )


def _better(function: Function, name: str, values: tuple[str, ...]) -> Better:
    declared = getattr(function, "better", "higher")
    better: dict[str, Any] = dict.fromkeys(values, declared)
    if isinstance(declared, Mapping):
        better = dict(declared)
    if better.keys() != set(values) or not all(b in DIRECTIONS for b in better.values()):
        raise PlugInError(
            f"the function {name!r} must have one of {', '.join(DIRECTIONS)} as its attribute "
            f"'better', or a dict with one of them for each of {', '.join(values)}, "
            f"got {declared!r}"
        )
    return better


def _numbers(name: str, result: Any, values: tuple[str, ...]) -> list[float]:
    """The values that a function returned, in their order, if it returned what it should."""
    if isinstance(result, Real) and len(values) == 1:
        return [float(result)]
    if isinstance(result, Mapping):
        if values == ("value",) and result.keys() != {"value"}:
            raise PlugInError(_unnamed(name))
        if result.keys() == set(values) and all(isinstance(v, Real) for v in result.values()):
            return [float(result[value]) for value in values]
        returned = f"{dict(result)!r}"
    else:
        returned = kind_of(result)
    expected = f"a dict with numbers for {', '.join(values)}" if len(values) > 1 else "a number"
    raise PlugInError(f"the function {name!r} must return {expected}, got {returned}")
