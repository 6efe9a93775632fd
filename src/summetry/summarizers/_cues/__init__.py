"""Words by which a sentence says that it matters, or that it does not: one TOML file a language.

``bonus``    words and phrases of sentences that matter ("important", "as a result")
``stigma``   words and phrases of sentences that can be left out ("for example", "hardly")
``phrases``  fixed phrases with which a text sums itself up ("in conclusion")

Entries are looked up as whole words, without stems ("imports" are not important), so the files
list the forms. To add a language, copy a file, name it by the language's code and edit it.
The lists are our own.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from summetry.errors import SummetryError
from summetry.text.languages import language

_LISTS = ("bonus", "stigma", "phrases")


@dataclass(frozen=True)
class Cues:
    """The lists of one language, each sorted."""

    bonus: tuple[str, ...]
    stigma: tuple[str, ...]
    phrases: tuple[str, ...]


@cache
def cues(code: str) -> Cues:
    """The cue words of a language; "en-GB" is "en".

    >>> "important" in cues("en-GB").bonus
    True
    """
    known = _files()
    spoken = language(code).code
    if spoken not in known:
        raise SummetryError(
            f"there are no cue words for the language {code!r}; "
            f"languages with a list: {', '.join(known_cues())}"
        )
    return read_cues(known[spoken])


def known_cues() -> list[str]:
    """Codes of the languages that have a file, sorted."""
    return sorted(_files())


def read_cues(file: Traversable) -> Cues:
    """The lists of one TOML file."""
    try:
        fields = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SummetryError(f"{file.name}: expected TOML in UTF-8, found: {error}") from error
    if set(fields) != set(_LISTS):
        raise SummetryError(
            f"{file.name}: expected the fields {', '.join(_LISTS)}, "
            f"found {', '.join(fields) or 'none'}"
        )
    return Cues(**{name: _entries(fields[name], name, file.name) for name in _LISTS})


def _entries(values: object, name: str, where: str) -> tuple[str, ...]:
    if not isinstance(values, list):
        raise SummetryError(f"{where}: expected a list in the field {name!r}, found {values!r}")
    for entry in values:
        if not isinstance(entry, str) or not entry or " ".join(entry.split()) != entry:
            raise SummetryError(
                f"{where}: expected words with one blank between them in the field {name!r}, "
                f"found {entry!r}"
            )
    return tuple(sorted(set(values)))


@cache
def _files() -> dict[str, Traversable]:
    """Each language's file by its code."""
    return {
        file.name.removesuffix(".toml"): file
        for file in files(__name__).iterdir()
        if file.name.endswith(".toml")
    }
