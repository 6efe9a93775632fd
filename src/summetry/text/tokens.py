"""Where the tokens of a text are.

A token is a piece of the text as it stands; case, stems and stop words come later, once
per distinct token (``pipeline``). No token holds white space, so a whole batch of texts is
cut at white space in one go and only its distinct pieces are looked at one by one.

``words``       runs of letters, marks and digits; an apostrophe between letters and a point
                or comma between digits stay inside (``don't``, ``2,400``). Scripts that
                write no blanks between words (Han, kana, Thai, Lao, Khmer, Myanmar) give one
                token a character with its marks.
``characters``  every visible character (extended grapheme cluster).
``blanks``      whatever stands between blanks, for text that is already tokenised.
``icu``         ICU's word breaks, with its dictionaries for Chinese, Japanese, Thai, ...
``jieba``       Chinese words by jieba's dictionary; other text as in ``words``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache

from summetry.errors import must_be_known, optional_module
from summetry.text.patterns import late_pattern

Span = tuple[int, int]
Finder = Callable[[str], list[Span]]

# The long mark is used with both kana and belongs to neither script.
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}ー"
_LETTERS = rf"[[\p{{L}}\p{{M}}\p{{N}}]--[{_UNSPACED}]]"
_WORD = late_pattern(
    rf"[{_UNSPACED}--\p{{P}}]\p{{M}}*"
    rf"|{_LETTERS}+(?:(?:(?<=[\p{{L}}\p{{M}}])['’](?=\p{{L}})|(?<=\p{{Nd}})[.,](?=\p{{Nd}})){_LETTERS}+)*",
    "VERSION1",
)
# Marks that are in no word when they stand at an end of it.
_MARKS = "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~“”‘’«»…–—"
_HAN_RUN = late_pattern(r"\p{Han}+")
_GRAPHEME = late_pattern(r"\X")
_BETWEEN_BLANKS = re.compile(r"\S+")


def find_words(text: str) -> list[Span]:
    """Spans of the words of ``text``.

    >>> [text[a:b] for text in ["Don't pay 2,400."] for a, b in find_words(text)]
    ["Don't", 'pay', '2,400']
    """
    inner = text.lstrip(_MARKS)
    word = inner.rstrip(_MARKS)
    if word.isascii() and word.isalnum():
        # Most pieces of a text are one plain word with marks around it.
        start = len(text) - len(inner)
        return [(start, start + len(word))]
    return [word.span() for word in _WORD.finditer(text)]


def find_characters(text: str) -> list[Span]:
    """Spans of the visible characters of ``text``."""
    spans = []
    for grapheme in _GRAPHEME.finditer(text):
        # A mark may follow a blank; then the blank is not part of what is seen.
        mark = grapheme.group().lstrip()
        if mark:
            spans.append((grapheme.end() - len(mark), grapheme.end()))
    return spans


def find_between_blanks(text: str) -> list[Span]:
    """Spans of what stands between blanks."""
    return [grapheme.span() for grapheme in _BETWEEN_BLANKS.finditer(text)]


def find_icu_words(text: str) -> list[Span]:
    """Spans of ICU's words that hold a letter or a digit."""
    pieces = _icu_pieces()
    spans, start = [], 0
    for piece in pieces(text):
        if any(character.isalnum() for character in piece):
            spans.append((start, start + len(piece)))
        start += len(piece)
    return spans


def find_jieba_words(text: str) -> list[Span]:
    """As :func:`find_words`, with runs of Han characters cut by jieba's dictionary."""
    cut = _jieba()
    spans, behind = [], 0
    for run in _HAN_RUN.finditer(text):
        spans += [(a + behind, b + behind) for a, b in find_words(text[behind : run.start()])]
        start = run.start()
        for word in cut(run.group()):
            spans.append((start, start + len(word)))
            start += len(word)
        behind = run.end()
    return spans + [(a + behind, b + behind) for a, b in find_words(text[behind:])]


TOKENIZERS: dict[str, Finder] = {
    "words": find_words,
    "characters": find_characters,
    "blanks": find_between_blanks,
    "icu": find_icu_words,
    "jieba": find_jieba_words,
}


def get_tokenizer(name: str) -> Finder:
    must_be_known("tokenizer", name, TOKENIZERS)
    return TOKENIZERS[name]


@cache
def _icu_pieces() -> Callable[[str], Iterable[str]]:
    breakers = optional_module("icu4py.breakers", "tokens=icu")
    # Its segments() count in UTF-16 units; the pieces themselves add up to the text.
    return lambda text: breakers.WordBreaker(text, "und")


@cache
def _jieba() -> Callable[[str], list[str]]:
    cut: Callable[[str], list[str]] = optional_module("rjieba", "tokens=jieba").cut
    return cut
