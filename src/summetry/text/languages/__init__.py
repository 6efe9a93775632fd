"""What the program knows of each language: one TOML file a language, read on first use.

To add a language, copy a file, name it by the language's code and edit it; nothing else is to
be done. Words are written in lower case and casefolded when read, so a word of a text is looked
up with ``word.casefold()``, which also folds the Greek final sigma and the German sharp s.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from summetry.errors import SummetryError


@dataclass(frozen=True)
class Language:
    """One language's data; the defaults are those of a language that nobody described."""

    code: str = ""
    name: str = ""
    stemmer: str = ""  # Snowball algorithm as PyStemmer spells it
    terminators: str = ""  # further characters that end a sentence, as ";" in Greek
    spaced: bool = True  # blanks between words
    newline_ends: bool = False  # no sentence terminators: each line is a sentence
    capital_nouns: bool = False  # a capital alone does not announce a new sentence
    ordinal_dot: bool = False  # "3." may be an ordinal
    months: frozenset[str] = frozenset()
    abbreviations: frozenset[str] = frozenset()  # never end a sentence
    may_end: frozenset[str] = frozenset()  # end one before a capital
    before_number: frozenset[str] = frozenset()  # abbreviations before a number, else words
    stopwords: frozenset[str] = frozenset()


_TEXTS = ("name", "stemmer", "terminators")
_FLAGS = ("spaced", "newline_ends", "capital_nouns", "ordinal_dot")
_LISTS = ("months", "abbreviations", "may_end", "before_number", "stopwords")
_REQUIRED = ("name", "stemmer", "spaced")


@cache
def language(code: str) -> Language:
    """The language of ``code``; "en-GB" and "en_GB" are "en" unless a file has that name.

    A code without a file gives a neutral language: no lists, no stemmer, blanks between words.

    >>> language("pt-BR").name, language("xx").abbreviations
    ('Portuguese', frozenset())
    """
    wanted = code.strip().lower().replace("_", "-")
    known = _files()
    for name in (wanted, wanted.partition("-")[0]):
        if name in known:
            return _read_known(name)
    return Language(code=code)


def known_languages() -> list[str]:
    """Codes of the languages that have a file, sorted."""
    return sorted(_files())


def read_language(file: Traversable) -> Language:
    """The language that one TOML file describes; the file's name is its code."""
    try:
        fields = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SummetryError(f"{file.name}: expected TOML in UTF-8, found: {error}") from error
    _check_names(fields, file.name)
    values: dict[str, Any] = {
        name: check(fields, name, file.name)
        for names, check in ((_TEXTS, _text), (_FLAGS, _flag), (_LISTS, _words))
        for name in names
        if name in fields
    }
    found = Language(code=file.name.removesuffix(".toml"), **values)
    if found.months and not found.ordinal_dot:
        raise SummetryError(
            f"{file.name}: expected an empty field 'months' where ordinal_dot is false, found "
            f"{len(found.months)} words; empty it or set ordinal_dot = true"
        )
    return found


@cache
def _files() -> dict[str, Traversable]:
    """Each language's file by its code."""
    return {
        file.name.removesuffix(".toml"): file
        for file in files(__name__).iterdir()
        if file.name.endswith(".toml")
    }


@cache
def _read_known(code: str) -> Language:
    return read_language(_files()[code])


def _check_names(fields: Mapping[str, object], where: str) -> None:
    known = (*_TEXTS, *_FLAGS, *_LISTS)
    for name in fields:
        if name not in known:
            raise SummetryError(
                f"{where}: expected one of the fields {', '.join(known)}, found {name!r}"
            )
    for name in _REQUIRED:
        if name not in fields:
            raise SummetryError(f"{where}: expected the field {name!r}, found none")


def _text(fields: Mapping[str, object], name: str, where: str) -> str:
    value = fields[name]
    if not isinstance(value, str):
        raise SummetryError(f"{where}: expected text in the field {name!r}, found {value!r}")
    return value


def _flag(fields: Mapping[str, object], name: str, where: str) -> bool:
    value = fields[name]
    if not isinstance(value, bool):
        raise SummetryError(
            f"{where}: expected true or false in the field {name!r}, found {value!r}"
        )
    return value


def _words(fields: Mapping[str, object], name: str, where: str) -> frozenset[str]:
    values = fields[name]
    if not isinstance(values, list):
        raise SummetryError(
            f"{where}: expected a list of words in the field {name!r}, found {values!r}"
        )
    for word in values:
        if not isinstance(word, str) or not word or word.endswith(".") or word.split() != [word]:
            raise SummetryError(
                f"{where}: expected words without blanks and without the last full stop in the "
                f"field {name!r}, found {word!r}"
            )
    return frozenset(word.casefold() for word in values)
