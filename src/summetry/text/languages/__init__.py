"""What the program knows of each language: one TOML file per language, read on first use.

To add a language, copy a file, name it by the language's code and edit it; nothing else is
needed. Words are written in lower case and casefolded when read, so a word of a text is looked
up with ``word.casefold()``, which also folds the Greek final sigma and the German sharp s.
"""

from __future__ import annotations

import re
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any

import msgspec

from summetry.errors import SummetryError, did_you_mean
from summetry.text.languages.files import FieldError, language_files, read_fields, read_list


class Language(msgspec.Struct, frozen=True, dict=True):
    """One language's data; the defaults are those of a language without a file."""

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
    pronouns: frozenset[str] = frozenset()  # that point to what was named before
    stopwords: frozenset[str] = frozenset()

    @cached_property
    def words_with_stops(self) -> frozenset[str]:
        """The words after which a full stop need not end a sentence."""
        return self.abbreviations | self.may_end | self.before_number


def _read_text(value: Any) -> str:
    if not isinstance(value, str):
        raise FieldError("text", value)
    return value


def _read_flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise FieldError("true or false", value)
    return value


def _read_words(values: Any) -> frozenset[str]:
    words = read_list(
        values,
        "a list of words",
        "words without blanks and without the last full stop",
        lambda word: word.split() == [word] and not word.endswith("."),
    )
    return frozenset(word.casefold() for word in words)


# What a language has as its code: two or three letters, perhaps with a script or a country.
_CODE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*")
_REQUIRED = ("name", "stemmer", "spaced")
_BY_TYPE = {"str": _read_text, "bool": _read_flag, "frozenset[str]": _read_words}
_READERS = {
    name: _BY_TYPE[kind] for name, kind in Language.__annotations__.items() if name != "code"
}


@cache
def language(code: str) -> Language:
    """The language of ``code``; "en-GB" and "en_GB" are "en" unless a file has that name.

    A code without a file gives a neutral language: no lists, no stemmer, blanks between words.

    >>> language("pt-BR").name, language("xx").abbreviations
    ('Portuguese', frozenset())
    """
    asked = code.strip().lower().replace("_", "-")
    known = language_files(__file__)
    for name in (asked, asked.partition("-")[0]):
        if name in known:
            return read_language(known[name]) if name == code else language(name)
    return Language(code=code)


@lru_cache(maxsize=64)
def language_code(name: str) -> str:
    """The code of a language that is named by its code or in English; any code is taken.

    >>> language_code("Swedish"), language_code("pt-BR"), language_code("")
    ('sv', 'pt-BR', '')
    """
    asked = name.strip()
    # Most often nothing is named, or a known code: then no file is read.
    if not asked or asked in language_files(__file__):
        return asked
    codes = {language(code).name.lower(): code for code in known_languages()}
    if asked.lower() in codes:
        return codes[asked.lower()]
    if _CODE.fullmatch(asked):
        return asked
    raise SummetryError(
        f"no language is named {name!r}.{did_you_mean(name, codes)} Known: "
        f"{', '.join(sorted(codes))}; for another one give its code, as pl for Polish."
    )


def direction(code: str) -> str:
    """``rtl`` for a language that is written from right to left."""
    return "rtl" if code.partition("-")[0] in {"ar", "dv", "fa", "he", "ps", "ur", "yi"} else "ltr"


def known_languages() -> list[str]:
    """Codes of the languages that have a file, sorted."""
    return list(language_files(__file__))


def read_language(file: Path) -> Language:
    """The language that one TOML file describes; the file's name is its code."""
    values = read_fields(file, _READERS, _REQUIRED)
    known = Language(code=file.name.removesuffix(".toml"), **values)
    if known.months and not known.ordinal_dot:
        raise SummetryError(
            f"{file.name}: expected an empty field 'months' where ordinal_dot is false, found "
            f"{len(known.months)} words; empty it or set ordinal_dot = true"
        )
    return known
