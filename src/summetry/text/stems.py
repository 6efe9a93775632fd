"""Stems by the Snowball algorithms of the language (PyStemmer)."""

from __future__ import annotations

from functools import cache
from typing import Any

from summetry.errors import SummetryError
from summetry.text.languages import known_languages, language


def stem_words(words: list[str], code: str) -> list[str]:
    """The stem of each word; ``code`` is the language, words are in lower case.

    >>> stem_words(["summaries", "measured"], "en")
    ['summari', 'measur']
    """
    stemmed: list[str] = _stemmer(code).stemWords(words)
    return stemmed


@cache
def _stemmer(code: str) -> Any:
    import Stemmer

    algorithm = language(code).stemmer
    if not algorithm:
        able = [known for known in known_languages() if language(known).stemmer]
        raise SummetryError(
            f"there is no stemmer for the language {code!r}; languages with one: {', '.join(able)}"
        )
    return Stemmer.Stemmer(algorithm)
