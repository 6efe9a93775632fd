"""What callers give the functions of the package, checked: a message names the argument.

The command line has its own checks; these are for Python, where anything may be given.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from summetry.errors import SummetryError, did_you_mean


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


def as_list(name: str, found: Any) -> list[Any]:
    """The items of a list, a tuple, an array, a generator; a string is none of these.

    >>> as_list("metrics", "lcs")
    Traceback (most recent call last):
        ...
    summetry.errors.SummetryError: metrics must be a list, got a string; write ['lcs']
    """
    if isinstance(found, str | bytes | Mapping) or not isinstance(found, Iterable):
        advice = f"; write [{found!r}]" if isinstance(found, str) else ""
        raise SummetryError(f"{name} must be a list, got {kind_of(found)}{advice}")
    return list(found)


def as_names(name: str, found: Any) -> list[Any]:
    """As :func:`as_list`, for a list of strings."""
    names = as_list(name, found)
    for place, item in enumerate(names):
        if not isinstance(item, str):
            raise SummetryError(f"{name}[{place}] must be a string, got {kind_of(item)}")
    return names


def as_path(name: str, found: Any, wanted: str) -> Path:
    """A path; ``wanted`` says in words what may be given."""
    if isinstance(found, str):
        return Path(found)
    if isinstance(found, os.PathLike) and isinstance(os.fspath(found), str):
        return Path(found)
    raise SummetryError(f"{name} must be {wanted}, got {kind_of(found)}")


def check_string(name: str, found: Any) -> None:
    if not isinstance(found, str):
        raise SummetryError(f"{name} must be a string, got {kind_of(found)}")


def check_choice(name: str, found: Any, known: Iterable[str]) -> None:
    names = list(known)
    if found not in names:
        hint = f".{near}" if (near := did_you_mean(str(found), names)) else ""
        raise SummetryError(f"{name} must be one of {', '.join(names)}, got {found!r}{hint}")


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
