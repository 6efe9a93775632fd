"""Which language a text is in, guessed from its stop words.

    share = letters of the text that stand in stop words of a language / all its letters

The language with the largest share is the guess, if that is a tenth or more and no other
language has as much. Running text in a known language has a fifth to a half; text in an
unknown language, a list of names or a table has next to nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from summetry.text.languages import known_languages, language
from summetry.text.patterns import late_pattern
from summetry.text.pipeline import fold
from summetry.text.tokens import find_words

if TYPE_CHECKING:
    import regex

_LEAST_SHARE = 0.1
# When one text among others is in a language of its own.
_FEWEST_WORDS, _CLEARLY = 8, 1.5
# A book says no more about its language than its first pages.
_READ = 50_000


def guess_language(text: str) -> str:
    """The code of the language of ``text``, or nothing where no language fits.

    >>> guess_language("Färjan slog i bryggan och ingen visste vad som hade hänt.")
    'sv'
    """
    shares = stop_word_shares(text)
    best, second = sorted(shares.values(), reverse=True)[:2]
    if best < _LEAST_SHARE or best == second:
        return ""
    return max(shares, key=lambda code: shares[code])


def guess_among(text: str, common: str) -> str:
    """The language of one of many texts, most of which are in the language ``common``.

    It is another one only where there are words enough to tell, and its share is half as large
    again as that of the common language: a name or a heading follows the others.

    >>> guess_among("Färjan slog i bryggan och ingen visste vad som hade hänt.", "en")
    'sv'
    >>> guess_among("Färjan Sigrid", "en")
    'en'
    """
    if len(find_words(text[:_READ])) < _FEWEST_WORDS:
        return common
    guess = guess_language(text)
    if guess in ("", common):
        return common
    shares = stop_word_shares(text)
    return guess if shares[guess] >= _CLEARLY * shares.get(common, 0.0) else common


def stop_word_shares(text: str) -> dict[str, float]:
    """For each known language the share of the letters of ``text`` in its stop words."""
    beginning = text[:_READ]
    folded = fold(beginning)
    words = Counter(folded[a:b] for a, b in find_words(folded))
    letters = sum(len(word) * count for word, count in words.items())
    return {code: _inside(code, folded, words) / max(letters, 1) for code in known_languages()}


def _inside(code: str, text: str, words: Counter[str]) -> int:
    """How many letters stand in stop words: whole words, or parts where words are not spaced."""
    known = language(code)
    if known.spaced:
        return sum(len(word) * words[word] for word in known.stopwords & words.keys())
    # The longest first, so that no letter is counted for a shorter word inside it.
    return sum(len(word) for word in _any_of(code).findall(text))


@cache
def _any_of(code: str) -> regex.Pattern[str]:
    longest_first = sorted(language(code).stopwords, key=lambda word: (-len(word), word))
    return late_pattern("|".join(map(re.escape, longest_first)) or r"(?!)")
