"""What callers give the functions of the package, checked: a message names the argument.

The command line has its own checks; these are for Python, where anything may be given.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Set
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from summetry.errors import SummetryError, did_you_mean, shorten


def kind_of(found: Any) -> str:
    """What something is, for a message.

    >>> kind_of("a"), kind_of(None), kind_of(3), kind_of([])
    ('a string', 'None', 'an int', 'a list')
    """
    if found is None or isinstance(found, bytes):
        return "None" if found is None else "bytes"
    if isinstance(found, type):
        return f"the class {found.__name__}"
    name = "string" if isinstance(found, str) else type(found).__name__
    return f"an {name}" if name[0].lower() in "aeiou" else f"a {name}"


def as_list(name: str, found: Any, wanted: str = "a list") -> list[Any]:
    """The items of a list, a tuple, an array, a generator; a string is none of these.

    ``wanted`` says in words what may be given.

    >>> as_list("metrics", "lcs")
    Traceback (most recent call last):
        ...
    summetry.errors.SummetryError: metrics must be a list, got a string; write ['lcs']
    """
    advice = ""
    if isinstance(found, str):
        advice = f"; write [{shorten(found)}]"
    elif isinstance(found, Set):
        advice = ", whose order is left to chance"
    elif hasattr(found, "columns"):
        # A frame of pandas or polars: its items would be the names of its columns.
        advice = "; give one of its columns"
    elif isinstance(found, Iterable) and not isinstance(found, bytes | Mapping):
        return list(found)
    raise SummetryError(f"{name} must be {wanted}, got {kind_of(found)}{advice}")


def as_names(name: str, found: Any) -> list[Any]:
    """As :func:`as_list`, for a list of strings; a set of names is put in order."""
    names = list(found) if isinstance(found, Set) else as_list(name, found)
    for place, item in enumerate(names):
        if not isinstance(item, str):
            raise SummetryError(f"{name}[{place}] must be a string, got {kind_of(item)}")
    return sorted(names) if isinstance(found, Set) else names


def as_path(name: str, found: Any, wanted: str) -> Path:
    """A path; ``wanted`` says in words what may be given."""
    if isinstance(found, str):
        if not found:
            raise SummetryError(f"{name} must be {wanted}, got an empty string")
        return Path(found)
    if isinstance(found, os.PathLike) and isinstance(os.fspath(found), str):
        return Path(found)
    raise SummetryError(f"{name} must be {wanted}, got {kind_of(found)}")


def check_string(name: str, found: Any) -> None:
    if not isinstance(found, str):
        raise SummetryError(f"{name} must be a string, got {kind_of(found)}")


def check_strings(**given: Any) -> None:
    """Refuse the first of several arguments that is no string; None stands for none."""
    for name, found in given.items():
        if found is not None:
            check_string(name, found)


def check_function(name: str, found: Any) -> None:
    """Refuse what cannot be called; None stands for no function."""
    if found is not None and not callable(found):
        raise SummetryError(f"{name} must be a function or None, got {kind_of(found)}")


def check_choice(name: str, found: Any, known: Iterable[str]) -> None:
    names = list(known)
    if not isinstance(found, str) or found not in names:
        near = did_you_mean(found, names) if isinstance(found, str) else ""
        hint = f".{near}" if near else ""
        raise SummetryError(f"{name} must be one of {', '.join(names)}, got {_shown(found)}{hint}")


def check_whole(name: str, found: Any, least: int) -> None:
    if not isinstance(found, Integral) or isinstance(found, bool):
        raise SummetryError(f"{name} must be a whole number, got {_shown(found)}")
    if found < least:
        raise SummetryError(f"{name} must be {least} or more, got {found}")


def check_share(name: str, found: Any) -> None:
    """Refuse what is no number between 0 and 1; both ends are no shares."""
    if not isinstance(found, Real) or isinstance(found, bool):
        raise SummetryError(f"{name} must be a number, got {_shown(found)}")
    if not 0 < float(found) < 1:
        raise SummetryError(f"{name} must be between 0 and 1, such as 0.05, got {found}")


def _shown(found: Any) -> str:
    return repr(found) if isinstance(found, str | float | int) else kind_of(found)
