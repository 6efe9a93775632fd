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
    words: frozenset[str] = _known(code, "stopwords", "are no stop words", "a list")
    return words


def pronouns(code: str) -> frozenset[str]:
    """The case-folded pronouns of a language that point to what was named before.

    >>> "they" in pronouns("en"), "we" in pronouns("en")
    (True, False)
    """
    words: frozenset[str] = _known(code, "pronouns", "is no list of pronouns", "a list")
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

    return Stemmer.Stemmer(_known(code, "stemmer", "is no stemmer", "one"))


def _known(code: str, field: str, missing: str, what: str) -> Any:
    """What the file of a language says; where that is nothing, which languages have it."""
    found = getattr(language(code), field)
    if not found:
        others = ", ".join(c for c in known_languages() if getattr(language(c), field))
        raise SummetryError(
            f"there {missing} for the language {code!r}; languages with {what}: {others}"
        )
    return found
