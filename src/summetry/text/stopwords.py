"""Function words of a language: the list in its language file."""

from __future__ import annotations

from summetry.errors import SummetryError
from summetry.text.languages import known_languages, language


def stop_words(code: str) -> frozenset[str]:
    """The case-folded stop words of a language.

    >>> "the" in stop_words("en")
    True
    """
    words = language(code).stopwords
    if not words:
        able = [known for known in known_languages() if language(known).stopwords]
        raise SummetryError(
            f"there are no stop words for the language {code!r}; "
            f"languages with a list: {', '.join(able)}"
        )
    return words
