"""Words by which a sentence says that it matters, or that it does not: one TOML file per
language.

``bonus``    words and phrases of sentences that matter ("important", "as a result")
``stigma``   words and phrases of sentences that can be left out ("for example", "hardly")
``phrases``  fixed phrases with which a text sums itself up ("in conclusion")

Entries are looked up as whole words, without stems ("imports" are not important), so the files
list the forms. To add a language, copy a file, name it by the language's code and edit it.
The lists are our own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from summetry.errors import SummetryError
from summetry.text.languages import language
from summetry.text.languages.files import language_files, read_fields, read_list

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
    known = language_files(__file__)
    spoken = language(code).code
    if spoken not in known:
        raise SummetryError(
            f"there are no cue words for the language {code!r}; "
            f"languages with a list: {', '.join(known_cues())}"
        )
    return read_cues(known[spoken])


def known_cues() -> list[str]:
    """Codes of the languages that have a file, sorted."""
    return list(language_files(__file__))


def read_cues(file: Path) -> Cues:
    """The lists of one TOML file."""
    return Cues(**read_fields(file, dict.fromkeys(_LISTS, _read_entries), _LISTS))


def _read_entries(values: Any) -> tuple[str, ...]:
    entries = read_list(
        values,
        "a list",
        "words with one blank between them",
        lambda entry: " ".join(entry.split()) == entry,
    )
    return tuple(sorted(set(entries)))
