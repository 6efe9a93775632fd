"""Data files in TOML, one per language: finding them, reading them, checking their fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from summetry.errors import SummetryError


class FieldError(Exception):
    """Raised by the reader of a field, with what it expects."""

    def __init__(self, expected: str, value: object) -> None:
        self.expected, self.value = expected, value


@cache
def language_files(module: str) -> dict[str, Path]:
    """Each file beside a module, which is named by its own file, by its language's code, sorted."""
    # Not by importlib.resources, which opens archives too and takes a hundredth of the start.
    return {file.stem: file for file in sorted(Path(module).parent.glob("*.toml"))}


def read_fields(
    file: Path, readers: Mapping[str, Callable[[Any], Any]], required: Iterable[str]
) -> dict[str, Any]:
    """The fields that a file has, each as its reader gives it."""
    # Where no language is named no file is read.
    import tomllib

    try:
        fields = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SummetryError(f"{file.name}: expected TOML in UTF-8, found: {error}") from error
    for name in fields:
        if name not in readers:
            raise SummetryError(
                f"{file.name}: expected one of the fields {', '.join(readers)}, found {name!r}"
            )
    for name in required:
        if name not in fields:
            raise SummetryError(f"{file.name}: expected the field {name!r}, found none")
    values = {}
    for name, value in fields.items():
        try:
            values[name] = readers[name](value)
        except FieldError as error:
            raise SummetryError(
                f"{file.name}: expected {error.expected} in the field {name!r}, "
                f"found {error.value!r}"
            ) from error
    return values


def read_list(values: Any, what: str, entries: str, is_entry: Callable[[str], bool]) -> list[str]:
    """A list of strings; ``what`` it is and what ``entries`` it has are words for the message."""
    if not isinstance(values, list):
        raise FieldError(what, values)
    for entry in values:
        if not isinstance(entry, str) or not entry or not is_entry(entry):
            raise FieldError(entries, entry)
    return values
