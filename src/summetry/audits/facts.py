"""Numbers and names in a sentence, found without a model.

A number is a run of digits, with points, commas or colons between digits, that no letter touches:
"2,400" and "19:30" are, "U2" and "1st" are not; numbers in words are not found.

A name is a run of words with a capital inside a sentence, behind a word or a comma: the first word
of a sentence has a capital anyway. Stop words are none ("The" after a quotation mark), and a
sentence in which more than three of four words have a capital (a headline) has none. Days, months
and adjectives of places are found as well ("Monday", "Swedish"). What is a name inside a sentence
of the topic is one at the beginning of a sentence too, and in a text without any capital. Where
nouns have capitals (German) there is no rule.
"""

from __future__ import annotations

from collections.abc import Iterable

import regex

from summetry.text.languages import language
from summetry.text.tokens import Span

_NUMBER = regex.compile(r"(?<![\p{L}\p{N}][.,:]?)\p{Nd}+(?:[.,:]\p{Nd}+)*(?![\p{L}\p{N}])")
_CAPITAL = r"\p{Lu}[\p{L}\p{M}\p{N}]+(?:[-'’]\p{Lu}[\p{L}\p{M}]+)*+"
_NAME = regex.compile(rf"(?<=[\p{{L}}\p{{M}}\p{{N}},;)] ){_CAPITAL}(?: {_CAPITAL})*+")
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*")
# A sentence of which so large a share of the words has a capital shows no names by them.
_MOST_CAPITALS = 0.75


def find_numbers(sentence: str) -> list[Span]:
    """Spans of the numbers of a sentence.

    >>> [s[a:b] for s in ["In 2014, 2,400 paid 3.5 for U2."] for a, b in find_numbers(s)]
    ['2014', '2,400', '3.5']
    """
    return [found.span() for found in _NUMBER.finditer(sentence)]


def numbers_in(sentences: Iterable[str]) -> list[str]:
    """The distinct numbers of sentences, sorted."""
    return sorted({one[a:b] for one in sentences for a, b in find_numbers(one)})


def is_other_number(one: str, other: str) -> bool:
    """Whether two numbers differ in more than how they are written: "2,400" is "2400"."""
    return regex.sub(r"[.,:]", "", one) != regex.sub(r"[.,:]", "", other)


def has_names(code: str) -> bool:
    """Whether names can be known by capitals in a language."""
    return not language(code).capital_nouns


def find_names(sentence: str, code: str) -> list[Span]:
    """Spans of the names of a sentence; the language says which words are stop words.

    >>> [s[a:b] for s in ["Then Anna Ek met Bo in Oslo."] for a, b in find_names(s, "en")]
    ['Anna Ek', 'Bo', 'Oslo']
    """
    words = _WORD.findall(sentence)
    capitals = sum(word[0].isupper() for word in words)
    if capitals > _MOST_CAPITALS * len(words):
        return []
    stops = language(code).stopwords
    return [
        found.span()
        for found in _NAME.finditer(sentence)
        if not any(word.casefold() in stops for word in found.group().split())
    ]


def find_known_names(sentence: str, known: Iterable[str], is_lower: bool) -> list[Span]:
    """Spans of known names at the beginning of a sentence, or, in small letters, anywhere.

    >>> find_known_names("Ek met bo in oslo.", ["Anna Ek", "Ek", "Oslo"], False)
    [(0, 2)]
    >>> find_known_names("anna ek met bo in oslo.", ["Anna Ek", "Ek", "Oslo"], True)
    [(0, 7), (18, 22)]
    """
    ordered = sorted(known, key=len, reverse=True)
    if not ordered:
        return []
    words = "|".join(regex.escape(name.lower() if is_lower else name) for name in ordered)
    begins = r"(?<![\p{L}\p{N}'’-])" if is_lower else r"\A[\"'“‘]*\K"
    pattern = regex.compile(rf"{begins}(?:{words})(?![\p{{L}}\p{{N}}-])")
    return [found.span() for found in pattern.finditer(sentence)]


def is_other_name(one: str, other: str) -> bool:
    """Whether two names share no word: "Ek" may be Anna Ek."""
    return not _parts(one) & _parts(other)


def _parts(name: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(name)}
