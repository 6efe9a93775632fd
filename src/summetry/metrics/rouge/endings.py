"""The endings of words, found without trying each: what stemmers look for."""

from __future__ import annotations

from collections.abc import Mapping

Endings = Mapping[str, tuple[str, ...]]


def by_last_two(endings: Mapping[str, str]) -> Endings:
    """Endings (of two letters or more) by their last two letters, the longest first."""
    found: dict[str, tuple[str, ...]] = {}
    for ending in sorted(endings, key=len, reverse=True):
        found[ending[-2:]] = (*found.get(ending[-2:], ()), ending)
    return found


def longest_ending(word: str, endings: Endings) -> str:
    """The longest of the endings that the word has, or nothing.

    >>> longest_ending("relational", by_last_two({"al": "", "tional": "tion", "er": ""}))
    'tional'
    """
    for ending in endings.get(word[-2:], ()):
        if word.endswith(ending):
            return ending
    return ""
