"""What callers give the functions of the package, checked: a message names the argument.

The command line has its own checks; these are for Python, where anything may be given.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from numbers import Integral, Real
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from summetry.errors import SummetryError, did_you_mean, shorten
from summetry.files import found_text, is_text

# Called while work goes on, with how much is done so far and how much there is.
Progress: TypeAlias = Callable[[int, int], None]
T = TypeVar("T")


def one_by_one(things: Sequence[T], progress: Progress | None) -> Iterator[T]:
    """The things; ``progress`` is called after each."""
    for done, thing in enumerate(things, 1):
        yield thing
        if progress:
            progress(done, len(things))


def counter(total: int, progress: Progress | None) -> Callable[..., None]:
    """A function to call after one of ``total`` steps, or several: it reports how many are done."""
    done = 0

    def tick(steps: int = 1) -> None:
        nonlocal done
        done += steps
        if progress:
            progress(min(done, total), total)

    return tick


def kind_of(value: Any) -> str:
    """What something is, for a message.

    >>> kind_of("a"), kind_of(None), kind_of(3), kind_of([])
    ('a string', 'None', 'an int', 'a list')
    """
    if value is None or isinstance(value, bytes):
        return "None" if value is None else "bytes"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    name = "string" if isinstance(value, str) else type(value).__name__
    return f"an {name}" if name[0].lower() in "aeiou" or name == "ndarray" else f"a {name}"


def as_list(name: str, value: Any, expected: str = "a list") -> list[Any]:
    """The items of a list, a tuple, an array, a generator; a string is none of these.

    ``expected`` says in words what may be given.

    >>> as_list("metrics", "lcs")
    Traceback (most recent call last):
        ...
    summetry.errors.SummetryError: metrics must be a list, got a string; write ['lcs']
    """
    advice = ""
    if isinstance(value, str):
        advice = f"; write [{shorten(value)}]"
    elif isinstance(value, Set):
        advice = ", whose order is left to chance"
    elif hasattr(value, "columns"):
        # A frame of pandas or polars: its items would be the names of its columns.
        advice = "; give one of its columns"
    elif hasattr(value, "to_pylist"):
        # Arrow's: its items would be scalars of its own.
        return list(value.to_pylist())
    elif isinstance(value, bytes):
        advice = "; .decode() makes a text of them"
    elif getattr(value, "ndim", 1) == 0:
        advice = " without dimensions; .item() takes out what it holds"
    elif isinstance(value, Iterable) and not isinstance(value, Mapping):
        return list(value)
    raise SummetryError(f"{name} must be {expected}, got {kind_of(value)}{advice}")


def is_missing(value: Any) -> bool:
    """Whether a cell stands for one that is not there: None, NaN, or what pandas has for them.

    >>> is_missing(None), is_missing(float("nan")), is_missing("")
    (True, True, False)
    """
    is_nan = isinstance(value, float) and value != value
    return value is None or is_nan or type(value).__name__ in ("NAType", "NaTType")


def as_names(name: str, value: Any) -> list[Any]:
    """As :func:`as_list`, for strings, of which one may be alone; a set is put in order."""
    if isinstance(value, str):
        return [value]
    names = list(value) if isinstance(value, Set) else as_list(name, value)
    for place, item in enumerate(names):
        if not isinstance(item, str):
            raise SummetryError(f"{name}[{place}] must be a string, got {kind_of(item)}")
    return sorted(names) if isinstance(value, Set) else names


def as_path(name: str, value: Any, expected: str) -> Path:
    """A path; ``expected`` says in words what may be given."""
    if isinstance(value, str):
        if not value:
            raise SummetryError(f"{name} must be {expected}, got an empty string")
        if is_text(value):
            raise found_text(f"{expected} as {name}", value)
        return Path(value)
    if isinstance(value, os.PathLike) and isinstance(os.fspath(value), str):
        return Path(value)
    raise SummetryError(f"{name} must be {expected}, got {kind_of(value)}")


def check_string(name: str, value: Any) -> None:
    if not isinstance(value, str):
        raise SummetryError(f"{name} must be a string, got {kind_of(value)}")


def check_strings(**values: Any) -> None:
    """Refuse the first of several arguments that is no string; None stands for none."""
    for name, value in values.items():
        if value is not None:
            check_string(name, value)


def check_function(name: str, value: Any) -> None:
    """Refuse what cannot be called; None stands for no function."""
    if value is not None and not callable(value):
        raise SummetryError(f"{name} must be a function or None, got {kind_of(value)}")


def check_choice(name: str, value: Any, known: Iterable[str]) -> None:
    names = list(known)
    if not isinstance(value, str) or value not in names:
        near = did_you_mean(value, names) if isinstance(value, str) else ""
        hint = f".{near}" if near else ""
        raise SummetryError(f"{name} must be one of {', '.join(names)}, got {_shown(value)}{hint}")


def check_whole(name: str, value: Any, least: int) -> None:
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise SummetryError(f"{name} must be a whole number, got {_shown(value)}")
    if value < least:
        raise SummetryError(f"{name} must be {least} or more, got {value}")


def check_share(name: str, value: Any) -> None:
    """Refuse what is no number between 0 and 1; both ends are no shares."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise SummetryError(f"{name} must be a number, got {_shown(value)}")
    if not 0 < float(value) < 1:
        raise SummetryError(f"{name} must be between 0 and 1, such as 0.05, got {value}")


def _shown(value: Any) -> str:
    return repr(value) if isinstance(value, str | float | int) else kind_of(value)


def check_confidence(confidence: float) -> None:
    """Refuse what no interval can have, such as 95 where 0.95 is meant."""
    if not 0 < confidence < 1:
        raise SummetryError(
            f"a confidence is between 0 and 1, such as 0.95 for 95 %, got {confidence}"
        )
