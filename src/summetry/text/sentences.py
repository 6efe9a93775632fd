"""Where the sentences of a text are, as character spans into the untouched text.

``rules``       our own rules with each language's data file (the default, see below).
``lines``       each line that is not empty.
``paragraphs``  blocks between blank lines.
``icu``         ICU's sentence breaks.

Spans are in order, do not overlap, neither begin nor end with white space and together hold
every other character. The rules:

- A blank line ends a sentence; a single line break does so before a list item.
- Ideographic terminators end one at once, unless Japanese goes on after a closing quote.
- Other terminators, with the closing quotes, brackets and note numbers behind them, end one before
  white space and a capital, a digit, a symbol or a letter without case. Quotes are never paired,
  so an unbalanced one can swallow nothing.
- A single full stop does not end one after an abbreviation, an initial, a list number or an
  ordinal. In doubt ("U.S.", "vitamin C.") it does if the next word is a stop word.
- A full stop between blanks ends one before small letters too: such text is tokenised.
- A lost line break ("season.The former") ends one where it is safe: after a word, before a stop
  word with a capital. Twice in a text, and it ends one before any other capital too, so that names
  in a text of sound sentences ("threading.Thread", "J.Smith", "example.Com") stay whole.
- Where a language has no terminators (Thai), each line is a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, reduce
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from summetry.arrays import kernel
from summetry.arrays.token_tables import Coded
from summetry.arrays.types import Ints
from summetry.errors import must_be_known, optional_module
from summetry.text.languages import Language, known_languages
from summetry.text.languages import language as language_of
from summetry.text.patterns import late_pattern, late_plain_pattern
from summetry.text.tokens import Span

if TYPE_CHECKING:
    import regex

_STOPS = ".!?…‼⁇⁈⁉‽\u037e।॥؟۔։።፧។៕။"
_WIDE_STOPS = "。｡！？"
_INVISIBLE = "\u200b\u200e\u200f\u2060\ufeff"
_CLOSERS = r"\"')\]}’”»›」』）】〉》" + _INVISIBLE
_OPENERS = r"\"'(\[{“”„‟‘’‚«»‹›「『（【〈《¿¡–—―\-*_`" + _INVISIBLE
_BLANKS = r"[^\S\n]*+(?:\n[^\S\n]*+)?+"  # at most one line break: never into the next paragraph

# Marks that may end a sentence, and what follows: a small letter, another word, or what leaves
# doubt.
_PLAIN_MARK = late_plain_pattern(
    r"(?P<run>[.!?](?<![.!?]{2})[.!?]*+)(?! ?\Z)"
    r"(?: (?:(?P<small>[a-z](?![A-Z]))|(?P<word>[A-Za-z0-9]))(?![^ -~])"
    r"""|(?P<doubt>[ "')\]}\[(A-Z]|[^ -~]))"""
)
# Marks and blanks outside ASCII.
_OTHER_STOPS = "".join(c for c in _STOPS if not c.isascii())
_OTHER_MARK = late_plain_pattern(rf"[^\S\x00-\x7f]|[{_OTHER_STOPS}{_WIDE_STOPS}．]")
# How far back the word before a mark is looked for.
_LONGEST_WORD = 30
_BLANK_LINE = late_pattern(r"\n\s*\n")
_LINE = late_pattern(r"[^\n]+")
_ITEM = late_pattern(r"[-*•‣▪◦●](?=[ \t])|\d{1,2}(?P<mark>[.)])(?=[ \t])")
_ITEM_NUMBER = late_pattern(r"[-*•#_(\[ ]*+(?:\d{1,3}(?:\.\d{1,3})*+|[IVXLC]{1,5}|\p{L})")
_AHEAD = late_pattern(
    rf"{_BLANKS}(?:[{_OPENERS}]{_BLANKS}){{0,4}}+"
    r"(?:(?P<word>[\p{L}\p{N}][\p{L}\p{M}\p{N}]{0,29}+)(?P<dot>\.?)|[@#§•\p{Sc}\p{So}])"
)
_QUOTED_ON = late_pattern(r"[、，,]|と(?!ても|ころ)|って|など|の(?!ち)|を")
_ORDINAL = late_pattern(r"\d{1,2}|[IVXLC]+")
_ROMAN = late_pattern(r"[IVXLC]{2,}|[VX]")
_INITIALS = late_pattern(r"(?:\p{LC}\.-?)*+\p{LC}")
_LAST_PART = late_pattern(r"[^-/–—'’]+\Z")

# Sentences without a blank between them.
_CASELESS_STOPS = "।॥؟۔։።፧។៕။"
_DOUBLE_QUOTES = '"“”„‟«»‹›'
_SINGLE_QUOTES = "'‘’‚"
_SINGLE_QUOTE = late_pattern(r"(?<!\w)['‘’‚]|['‘’‚](?!\w)")
_GLUED_OPENERS = r"(\[“„«‹‘¿¡–—"
_GLUED_WORD = late_pattern(
    rf"[{_GLUED_OPENERS}]{{0,2}}+(?P<word>\p{{Lu}}(?:['’-]?+[\p{{L}}\p{{M}}\p{{N}}])*+)"
    rf"(?:(?P<prose>)(?=[,;:]?+\s++[\p{{L}}\p{{N}}\p{{Sc}}\"'“‘„«(]))?+"
    rf"[{_STOPS},;:]*+[{_CLOSERS}]*+(?:\s|\Z)"
)
_CAPITAL = late_pattern(rf"[{_OPENERS}]{{0,3}}+\p{{Lu}}")
# What may stand before a lost line break: a word, a number that is none of a list, an acronym.
_GLUED_AFTER = late_pattern(
    r".*(?:\p{Ll}\p{M}*+){2}|[\p{Sc}(]*+\d[\d.,:/–-]*+(?:(?<=\d{3}|\d\D\d{1,2})|\p{Ll}{1,4}|%)"
)
_ACRONYM = late_pattern(r".*\p{Lu}{2}")
# The ends of names of places and files, which are no beginnings of sentences.
_NONE, _DOUBTFUL, _CERTAIN = range(3)
# So many that are certain show that the doubtful ones are lost line breaks as well.
_LOST_BREAKS = 2
_NAME_ENDS = frozenset(
    {"biz", "com", "edu", "exe", "gov", "htm", "html", "info", "io", "js", "net", "org", "pdf",
     "php", "txt", "xml"}
)  # fmt: skip


def split_sentences(text: str, language: str = "") -> list[Span]:
    """Spans of the sentences of ``text``.

    >>> text = "Dr. Ek came at 5 p.m. She left."
    >>> [text[a:b] for a, b in split_sentences(text, "en")]
    ['Dr. Ek came at 5 p.m.', 'She left.']
    """
    known = language_of(language)
    if known.newline_ends:
        return split_lines(text)
    plain = _plain_sentences(text, known)
    if plain is not None:
        return plain
    spans, certain, doubtful = _cut(text, known, _CERTAIN)
    if doubtful and certain >= max(_LOST_BREAKS, len(spans) / 10):
        spans, _, _ = _cut(text, known, _DOUBTFUL)
    return spans


def _plain_sentences(text: str, known: Language) -> list[Span] | None:
    """The sentences of a text of which every mark leaves no doubt, several times as fast; None of
    another one. The kernel has the same rules for many texts.

    No doubt is left in a single line by marks before a small letter or inside a number, by others
    than full stops, by a full stop between blanks, as in tokenised text, and by one after a word of
    small letters that no list of the language has, before a blank and a capital or a digit.
    """
    if known.terminators or not text.isprintable() or _has_other_marks(text):
        return None
    spans: list[Span] = []
    start = len(text) - len(text.lstrip())
    for mark in _PLAIN_MARK.finditer(text, start):
        at, follows = mark.start(), mark.lastgroup
        if follows == "doubt" or (last := text[at - 1] if at > start else "") > "~":
            return None
        if follows == "small" and (last != " " or mark["run"] != "."):
            continue
        if mark["run"] == "." and not _is_plain_end(text, start, at, last, known):
            return None
        spans.append((start, mark.end("run")))
        start = mark.end("run") + 1
    end = len(text.rstrip())
    return [*spans, (start, end)] if start < end else spans


def _is_plain_end(text: str, start: int, at: int, last: str, known: Language) -> bool:
    """Whether a full stop after ``last`` and before a blank and a word ends a sentence for sure."""
    if last == " ":
        return at - 2 >= start and text[at - 2] <= "~" and text[at - 2] not in " .!?"
    before, _, word = text[max(start, at - _LONGEST_WORD) : at].rpartition(" ")
    # With a full stop behind the word before, both may be one abbreviation.
    return (
        word.isascii()
        and len(word) < _LONGEST_WORD
        and word.isalpha()
        and word[1:].islower()
        and before[-1:] not in (".", " ")
        and word.lower() not in known.words_with_stops
    )


def _has_other_marks(text: str) -> bool:
    """Whether a text holds marks or blanks outside ASCII."""
    return not text.isascii() and _OTHER_MARK.search(text) is not None


def find_sentences(texts: Sequence[str], coded: Coded, language: str) -> tuple[Ints, Ints]:
    """The lengths in bytes of the sentences of texts, with the blanks around them, and how many
    each text has; -1 for one that :func:`split_sentences` must look at. The kernel finds them.

    It knows the marks that leave no doubt (see :func:`_plain_sentences`).
    """
    known, count = language_of(language), len(texts)
    lengths = np.empty(len(coded.content) // 2 + count, np.int64)
    counts = np.zeros(count, np.int64)
    if known.newline_ends or known.terminators:
        counts[:] = -1
    elif not coded.content.isascii():
        counts[list(map(_has_other_marks, texts))] = -1
    content = np.frombuffer(coded.content, np.uint8)
    given = content, np.cumsum(coded.lengths), count, _bits_of_words(known.words_with_stops)
    found = kernel.call("find_sentences", *given, lengths, counts)
    return lengths[:found], counts


@cache
def _bits_of_words(words: frozenset[str]) -> NDArray[np.uint8]:
    """65,536 bits, of which each word has one (see sentences.c)."""
    bits = np.zeros(1 << 16, np.uint8)
    for word in words:
        if word.isascii():
            bits[reduce(lambda hash, byte: hash * 31 + byte & 0xFFFF, word.encode(), 0)] = 1
    return np.packbits(bits, bitorder="little")


def _cut(text: str, known: Language, least: int) -> tuple[list[Span], int, int]:
    """The sentences, and how many lost line breaks are certain and how many doubtful.

    A lost line break ends a sentence if it is at least as sure as ``least``.
    """
    spans: list[Span] = []
    sure = [0, 0, 0]
    start = since = _skip_white(text, 0)
    for end_mark in _candidates(known.terminators).finditer(text):
        if end_mark.end() <= start:
            continue
        end = next_start = end_mark.end()
        if end_mark["glued"] is not None:
            certainty = _lost_break(text, start, end_mark, known)
            sure[certainty] += 1
            if certainty < least:
                continue
            end = next_start = since = _before_opening_quote(text, since, end_mark)
        elif not _ends(text, start, end_mark, known):
            continue
        elif end_mark.lastgroup == "line":
            end, since = end_mark.start(), next_start
        spans.append((start, start + len(text[start:end].rstrip())))
        start = _skip_white(text, next_start)
    if start < len(text):
        spans.append((start, start + len(text[start:].rstrip())))
    return spans, sure[_CERTAIN], sure[_DOUBTFUL]


def lost_breaks(text: str, sentences: Iterable[str]) -> list[int]:
    """Where sentences of ``text`` begin right behind another one, though words have blanks.

    >>> lost_breaks("He won.She lost. Both left.", ["He won.", "She lost.", "Both left."])
    [7]
    """
    places, end = [], 0
    for sentence in sentences:
        start = text.index(sentence, end)
        if start == end > 0 and (_CAPITAL.match(sentence) or text[end - 1] in _CASELESS_STOPS):
            places.append(start)
        end = start + len(sentence)
    return places


def split_paragraphs(text: str) -> list[Span]:
    """Spans of the blocks between blank lines."""
    cuts = [0, *(cut for line in _BLANK_LINE.finditer(text) for cut in line.span()), len(text)]
    return list(_trimmed(text, zip(cuts[::2], cuts[1::2], strict=True)))


def split_lines(text: str) -> list[Span]:
    """Spans of the lines that are not empty."""
    return list(_trimmed(text, (line.span() for line in _LINE.finditer(text))))


def split_by_icu(text: str, language: str = "") -> list[Span]:
    """Spans of ICU's sentences."""
    breakers = optional_module("icu4py.breakers", "the splitter 'icu'")
    spans, end = [], 0
    # Its segments() count in UTF-16 units; the pieces themselves add up to the text.
    for piece in breakers.SentenceBreaker(text, language.replace("-", "_") or "und"):
        spans.append((end, end := end + len(piece)))
    return list(_trimmed(text, spans))


# What cuts a text, in which language.
Splitter = Callable[[str, str], list[Span]]
SPLITTERS: dict[str, Splitter] = {
    "rules": split_sentences,
    "lines": lambda text, _: split_lines(text),
    "paragraphs": lambda text, _: split_paragraphs(text),
    "icu": split_by_icu,
}


def get_splitter(name: str) -> Splitter:
    """The splitter of that name."""
    must_be_known("splitter", name, SPLITTERS)
    return SPLITTERS[name]


@cache
def _candidates(more_stops: str) -> regex.Pattern[str]:
    """Every place where a sentence may end: group ``wide``, ``stop`` or ``line`` says why.

    The first look behind and the possessive runs keep the search linear.
    """
    stops = _STOPS + re.escape(more_stops)
    unspaced = r"[\p{Han}\p{Hiragana}\p{Katakana}]"
    return late_pattern(
        rf"(?P<wide>(?:[{_WIDE_STOPS}][{_WIDE_STOPS}{stops}]*+|．(?![\p{{N}}\p{{Latin}}])"
        rf"|(?<={unspaced})[!?]++(?=[{_CLOSERS}]*+{unspaced}))[{_CLOSERS}]*+)"
        rf"|(?P<stop>(?<![{stops}])(?P<run>[{stops}]++)(?:[{_CLOSERS}“‘«‹]|\[\d{{1,3}}\]|[⁰¹²³⁴-⁹])*+"
        rf"(?:[ \xa0\u202f]{{1,2}}+[»›”’')\]]++(?=\s|\Z))?+"
        rf"(?:(?=\s|\Z)|(?P<glued>)(?=[{_GLUED_OPENERS}]{{0,2}}+[\p{{Lu}}\p{{Lo}}])))"
        rf"|(?P<line>\n\s*+)"
    )


def _ends(text: str, start: int, end_mark: regex.Match[str], known: Language) -> bool:
    """Whether the sentence that began at ``start`` ends at the candidate ``end_mark``."""
    if end_mark.lastgroup == "line":
        return "\n" in end_mark.group()[1:] or _begins_item(text, end_mark.end(), known)
    if end_mark.lastgroup == "wide":
        closed = end_mark.group()[-1] not in _WIDE_STOPS
        return not (closed and _QUOTED_ON.match(text, end_mark.end()))
    ahead = _AHEAD.match(text, end_mark.end())
    if ahead is None:
        return False
    word = ahead["word"] or ""
    if end_mark["run"] != ".":
        return not _is_small(word)
    at = end_mark.start()
    behind = text[max(start, at - 30) : at].split()
    if behind and text[at - 1].isspace():
        return not _is_small(word) or behind[-1][-1] not in _STOPS
    return not _is_small(word) and not (
        (at - start < 16 and _ITEM_NUMBER.fullmatch(text, start, at))
        or (behind and _is_abbreviated(behind, word, bool(ahead["dot"]), known))
    )


def _is_small(word: str) -> bool:
    """Whether ``word`` begins with a small letter and is none of "iPhone" and its like."""
    return word[:1].islower() and not word[1:2].isupper()


def _is_abbreviated(behind: list[str], word: str, dotted: bool, known: Language) -> bool:
    """Whether the full stop after ``behind`` belongs to its last word, ``word`` coming next."""
    folded = word.casefold()
    stop_word_next = not dotted and folded in known.stopwords
    number_next = word[:1].isnumeric()
    token = behind[-1].lstrip(_OPENERS)
    part = _LAST_PART.search(token)
    last = part.group() if part else token
    for name in _spellings(behind, token, last):
        if name in known.abbreviations:
            return True
        if name in known.before_number and (number_next or _ROMAN.fullmatch(word)):
            return True
        if name in known.may_end:
            return number_next or (known.capital_nouns and not stop_word_next)
    if known.ordinal_dot and _ORDINAL.fullmatch(last):
        ordinal = number_next or folded in known.months
        return ordinal or (known.capital_nouns and not stop_word_next)
    if _INITIALS.fullmatch(token) or (
        len(last) == 1 and last.isalpha() and token[-2:-1] in ("-", "/")
    ):
        return not stop_word_next and last not in known.stopwords
    return False


def _spellings(behind: list[str], token: str, last: str) -> Iterator[str]:
    """How lists may spell the last word, the longest first: "z. B" is also "z.b"."""
    joined, whole = [], token
    for previous in behind[-2:-4:-1]:
        if not previous.endswith("."):
            break
        whole = previous.lstrip(_OPENERS) + whole
        joined.append(whole.casefold())
    yield from reversed(joined)
    yield token.casefold()
    if last != token:
        yield last.casefold()


def _lost_break(text: str, start: int, end_mark: regex.Match[str], known: Language) -> int:
    """How sure it is that ``end_mark`` ends a sentence and only the blank behind it is lost."""
    if end_mark["run"][-1] in _CASELESS_STOPS:
        return _CERTAIN
    ahead = _GLUED_WORD.match(text, end_mark.end())
    at = end_mark.start()
    behind = text[max(start, at - 30) : at].split()
    if ahead is None or not behind or ahead["word"].casefold() in _NAME_ENDS:
        return _NONE
    word = ahead["word"]
    stop_word = (
        ahead["prose"] is not None and word[1:] == word[1:].lower() and _is_stop_word(word, known)
    )
    if end_mark["run"] == "." and not _may_lose_break(
        text, start, at, behind, word, stop_word, known
    ):
        return _NONE
    return _CERTAIN if stop_word else _DOUBTFUL if len(word) > 1 else _NONE


def _may_lose_break(
    text: str, start: int, at: int, behind: list[str], word: str, stop_word: bool, known: Language
) -> bool:
    """Whether the full stop at ``at`` may end a sentence that ``word`` follows without a blank."""
    token = behind[-1].strip(_OPENERS + _CLOSERS)
    if text[at - 1].isspace() or len(token) < 2 or _ITEM_NUMBER.fullmatch(text, start, at):
        return False
    part = _LAST_PART.search(token)
    for name in _spellings(behind, token, part.group() if part else token):
        if name in known.abbreviations:
            return False
        if name in known.may_end or name in known.before_number:
            return stop_word
    if _INITIALS.fullmatch(token):
        return stop_word and token.islower()
    if _ACRONYM.fullmatch(token):
        return not word.isupper()
    return _GLUED_AFTER.fullmatch(token) is not None


def _is_stop_word(word: str, known: Language) -> bool:
    stopwords = known.stopwords or _all_stopwords()
    first = word.replace("’", "'").split("'")[0].split("-")[0].casefold()
    return word.casefold() in stopwords or first in stopwords


@cache
def _all_stopwords() -> frozenset[str]:
    """The stop words of all languages, for a text that does not say which is its own."""
    return frozenset().union(*(language_of(code).stopwords for code in known_languages()))


def _before_opening_quote(text: str, since: int, end_mark: regex.Match[str]) -> int:
    """Where a sentence with a lost line break ends: before a quote that opens the next one.

    A quote opens if the quotes from ``since`` on, the line break before, are all closed.
    """
    for at in range(end_mark.end("run"), end_mark.end()):
        if text[at] in _DOUBLE_QUOTES:
            opens = sum(text.count(quote, since, at) for quote in _DOUBLE_QUOTES) % 2 == 0
        elif text[at] in _SINGLE_QUOTES:
            opens = len(_SINGLE_QUOTE.findall(text, since, at)) % 2 == 0
        else:
            opens = False
        if opens:
            return at
    return end_mark.end()


def _begins_item(text: str, at: int, known: Language) -> bool:
    """Whether the line that begins at ``at`` is an item of a list."""
    item = _ITEM.match(text, at)
    if item is None or item["mark"] != "." or not known.ordinal_dot:
        return item is not None
    ahead = _AHEAD.match(text, item.end())
    word = (ahead["word"] or "") if ahead else ""
    return not _is_small(word) and word.casefold() not in known.months


def _skip_white(text: str, at: int) -> int:
    """The first position from ``at`` on that is not white space."""
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _trimmed(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """The spans without white space at their ends; those of nothing else are left out."""
    for start, end in spans:
        piece = text[start:end]
        if stripped := piece.strip():
            start += len(piece) - len(piece.lstrip())
            yield start, start + len(stripped)
