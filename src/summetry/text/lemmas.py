"""Dictionary forms by the tables of simplemma (the extra ``lemma``)."""

from __future__ import annotations

from functools import cache
from typing import Any

from summetry.errors import MissingPackageError, SummetryError


def lemmatize_words(words: list[str], code: str) -> list[str]:
    """The dictionary form of each word; a word that is not in the tables stays as it is."""
    lemmatize = _lemmatizer()
    try:
        return [lemmatize(word, lang=code.partition("-")[0]).casefold() for word in words]
    except ValueError as error:
        raise SummetryError(f"there are no lemmas for the language {code!r}: {error}") from error


@cache
def _lemmatizer() -> Any:
    try:
        import simplemma
    except ImportError as error:
        raise MissingPackageError("lemma=true", "simplemma", "lemma") from error
    return simplemma.lemmatize
