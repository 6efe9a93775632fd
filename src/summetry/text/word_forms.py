"""What a language knows of words: stop words, pronouns, Snowball stems, and dictionary forms."""

from __future__ import annotations

from functools import cache
from typing import Any

from summetry.errors import SummetryError, optional_module
from summetry.text.languages import known_languages, language


def stop_words(code: str) -> frozenset[str]:
    """The case-folded function words of a language, from its language file.

    >>> "the" in stop_words("en")
    True
    """
    words = language(code).stopwords
    if not words:
        raise SummetryError(
            f"there are no stop words for the language {code!r}; "
            f"languages with a list: {_codes_with('stopwords')}"
        )
    return words


def pronouns(code: str) -> frozenset[str]:
    """The case-folded pronouns of a language that point to what was named before.

    >>> "they" in pronouns("en"), "we" in pronouns("en")
    (True, False)
    """
    words = language(code).pronouns
    if not words:
        raise SummetryError(
            f"there is no list of pronouns for the language {code!r}; "
            f"languages with a list: {_codes_with('pronouns')}"
        )
    return words


def stem_words(words: list[str], code: str) -> list[str]:
    """The Snowball stem of each word (PyStemmer); words are in lower case.

    >>> stem_words(["summaries", "measured"], "en")
    ['summari', 'measur']
    """
    stemmed: list[str] = _stemmer(code).stemWords(words)
    return stemmed


def lemmatize_words(words: list[str], code: str) -> list[str]:
    """The dictionary form of each word by simplemma's tables; a word not in them stays as it is."""
    simplemma = optional_module("simplemma", "lemma=true")
    try:
        return [simplemma.lemmatize(word, code.partition("-")[0]).casefold() for word in words]
    except ValueError as error:
        raise SummetryError(f"there are no lemmas for the language {code!r}: {error}") from error


@cache
def _stemmer(code: str) -> Any:
    import Stemmer

    algorithm = language(code).stemmer
    if not algorithm:
        raise SummetryError(
            f"there is no stemmer for the language {code!r}; "
            f"languages with one: {_codes_with('stemmer')}"
        )
    return Stemmer.Stemmer(algorithm)


def _codes_with(field: str) -> str:
    return ", ".join(code for code in known_languages() if getattr(language(code), field))
