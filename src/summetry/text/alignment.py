"""Which units of a source an extract holds that is given as text.

People copy sentences by hand, or from another edition of the source, so letters, marks, blanks
and the ends of sentences may differ. Words are compared without case, width, diacritics and
tatweel; forms of hamza, alef, yeh and teh marbuta are one letter each, as are all apostrophes and
the digits of all scripts.

1. A unit of four words or more is found wherever all its words stand side by side.
2. What is left of a sentence or a line is found if it consists of whole units.
3. Else it is found by best match: 80 % of its words or more stand in the source within a stretch
   that is a quarter longer. A unit is chosen then if half of its words are matched, or four.
4. Else it may be several sentences without a mark between them: 80 % of the words of a unit, or
   eight, are found around the longest run of words that both have, and the rest is looked at alone.

Of units with the same words, and of equally good stretches, those come first that are not chosen
yet, and then the first of the source.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import accumulate, groupby
from typing import Literal, NamedTuple

from summetry.arrays.sequences import places_by_token
from summetry.text.finding import dense
from summetry.text.sentences import split_sentences
from summetry.text.tokens import Span, find_words

How = Literal["exact", "normalised", "near", "lost"]

# Fewer words ("In 2007.") may stand in another sentence by chance.
_FEWEST_WORDS = 4
# So many words side by side are a part of a unit, however long it is, and whatever is beside them.
_MANY_WORDS = 8
# Characters that nobody sees, which copying adds and loses: soft hyphens, joiners, marks of
# direction.
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u2066\u2067\u2068"
                               "\u2069\u202a\u202b\u202c\u202d\u202e\ufeff"))  # fmt: skip
# Letters that are written one for the other; tatweel and the hamza by itself are left out.
_LETTERS = str.maketrans(
    {"ى": "ي", "ی": "ي", "ٱ": "ا", "ة": "ه", "ک": "ك", "ـ": "", "ء": ""}
    | dict.fromkeys("’‘ʼ′", "'")
)


class Match(NamedTuple):
    """A sentence of an extract, the units that it is, and how they were found."""

    text: str
    units: tuple[int, ...]
    how: How


class Alignment(NamedTuple):
    """The sentences of a text in their order, with the units of the source that they are."""

    matches: tuple[Match, ...]

    @property
    def units(self) -> tuple[int, ...]:
        return tuple(sorted({unit for match in self.matches for unit in match.units}))

    def texts(self, how: How) -> tuple[str, ...]:
        """The sentences that were found in this way."""
        return tuple(match.text for match in self.matches if match.how == how)

    @property
    def missing(self) -> tuple[str, ...]:
        return self.texts("lost")


def align(text: str, units: Sequence[str], language: str = "") -> Alignment:
    """The units of a source that an extract holds, as the head of this module says.

    >>> source = ["The ferry sank.", "Nobody was hurt, they said.", "It was Monday."]
    >>> for match in align("the ferry sank. Nobody was hurt. A storm came.", source).matches:
    ...     print(match)
    Match(text='the ferry sank', units=(0,), how='normalised')
    Match(text='Nobody was hurt', units=(1,), how='near')
    Match(text='A storm came', units=(), how='lost')
    """
    text = text.translate(_INVISIBLE)
    spans = find_words(text)
    if not spans:
        return Alignment((Match(text.strip(), (), "lost"),) if text.strip() else ())
    source = _Source(units)
    words = [_folded(text[a:b]) for a, b in spans]
    verbatim = dense(text)
    matches: list[tuple[int, Match]] = []
    taken = [False] * len(words)

    def take(start: int, end: int, unit: int) -> None:
        taken[start:end] = [True] * (end - start)
        source.chosen.add(unit)
        how: How = "exact" if source.cores[unit] in verbatim else "normalised"
        matches.append((start, Match(text[spans[start][0] : spans[end - 1][1]], (unit,), how)))

    for start, end, unit in _whole_units(words, source):
        take(start, end, unit)
    for sentence in _left_sentences(text, spans, taken, language):
        for start, end, found in _parts(sentence, words, source):
            if isinstance(found, int):
                take(start, end, found)
            else:
                source.chosen.update(found)
                piece = text[spans[start][0] : spans[end - 1][1]]
                matches.append((start, Match(piece, found, "near" if found else "lost")))
    return Alignment(tuple(match for _, match in sorted(matches)))


class _Source:
    """The units of a source as words, and those that are chosen so far."""

    def __init__(self, units: Sequence[str]) -> None:
        units = [unit.translate(_INVISIBLE) for unit in units]
        spans = [find_words(unit) for unit in units]
        # A unit between its first and its last letter, without blanks.
        self.cores = [
            dense(unit[its[0][0] : its[-1][1]]) if its else ""
            for unit, its in zip(units, spans, strict=True)
        ]
        self.words = [
            tuple(_folded(unit[a:b]) for a, b in its)
            for unit, its in zip(units, spans, strict=True)
        ]
        self.by_words: dict[tuple[str, ...], list[int]] = {}
        for unit, words in enumerate(self.words):
            if words:
                self.by_words.setdefault(words, []).append(unit)
        self.sizes = sorted({len(words) for words in self.by_words}, reverse=True)
        self.stream = [word for words in self.words for word in words]
        self.unit_of = [unit for unit, words in enumerate(self.words) for _ in words]
        self.starts = [0, *accumulate(map(len, self.words))]
        self.vocabulary = frozenset(self.stream)
        self.runs = SequenceMatcher(None, (), self.stream, autojunk=False)
        self.chosen: set[int] = set()

    def next_of(self, words: tuple[str, ...]) -> int:
        """The first unit with these words that is not chosen yet, or else the first."""
        units = self.by_words[words]
        return next((unit for unit in units if unit not in self.chosen), units[0])


def _whole_units(words: Sequence[str], source: _Source) -> Iterator[tuple[int, int, int]]:
    """Where units stand in a text, each place of the text counting once."""
    free = [True] * len(words)
    at = places_by_token(words)
    # The longest first: a short one may be a part of it.
    order = sorted(range(len(source.words)), key=lambda unit: (-len(source.words[unit]), unit))
    for unit in order:
        own = source.words[unit]
        if len(own) < _FEWEST_WORDS:
            return
        for start in at.get(own[0], ()):
            end = start + len(own)
            if all(free[start:end]) and tuple(words[start:end]) == own:
                free[start:end] = [False] * len(own)
                yield start, end, unit
                break


def _parts(
    sentence: Sequence[Span], words: Sequence[str], source: _Source
) -> Iterator[tuple[int, int, int | tuple[int, ...]]]:
    """The lines of what is left of a sentence with their units: one that is equal, or near ones.

    A sentence may run on over lines, and lines may be sentences without a mark at their ends.
    """
    start, end = sentence[0][0], sentence[-1][1]
    if covered := _cover(words[start:end], source):
        yield from _numbered(covered, start, source)
        return
    lines = [
        (a, b, _cover(words[a:b], source) or _near_parts(words[a:b], source)) for a, b in sentence
    ]
    is_any_lost = any(parts == [_Near(0, b - a, ())] for a, b, parts in lines)
    if len(lines) > 1 and is_any_lost and (whole := _nearest(words[start:end], source)):
        yield start, end, whole.units
        return
    for a, _, parts in lines:
        for part in parts:
            if isinstance(part, _Near):
                yield a + part.start, a + part.end, part.units
            else:
                yield from _numbered([part], a, source)
                a += len(part)


def _cover(words: Sequence[str], source: _Source) -> list[tuple[str, ...]]:
    """The units that some words consist of, without a gap; of several ways the longest first."""
    ways: dict[int, list[tuple[str, ...]]] = {len(words): []}
    for start in reversed(range(len(words))):
        for size in source.sizes:
            rest = ways.get(start + size)
            if rest is not None and (unit := tuple(words[start : start + size])) in source.by_words:
                ways[start] = [unit, *rest]
                break
    return ways.get(0, [])


def _numbered(
    covered: Sequence[tuple[str, ...]], start: int, source: _Source
) -> Iterator[tuple[int, int, int]]:
    for words in covered:
        yield start, start + len(words), source.next_of(words)
        start += len(words)


class _Near(NamedTuple):
    """A stretch of a text, and the units that it nearly is, or none."""

    start: int
    end: int
    units: tuple[int, ...]


def _near_parts(piece: Sequence[str], source: _Source) -> list[_Near]:
    """A piece as stretches that are near to units, and others; it may be several sentences."""
    parts: list[_Near] = []
    todo = [(0, len(piece))]
    while todo:
        start, end = todo.pop()
        words = piece[start:end]
        found = _nearest(words, source) or _longest_run(words, source)
        if not found:
            parts.append(_Near(start, end, ()))
            continue
        first, last = start + found.start, start + found.end
        # A few words that are not in the unit are none of another sentence.
        if first - start < _FEWEST_WORDS and tuple(piece[start:first]) not in source.by_words:
            first = start
        if end - last < _FEWEST_WORDS and tuple(piece[last:end]) not in source.by_words:
            last = end
        parts.append(_Near(first, last, found.units))
        todo += [(a, b) for a, b in ((start, first), (last, end)) if a < b]
    return sorted(parts)


def _nearest(piece: Sequence[str], source: _Source) -> _Near | None:
    """The units in the stretch of the source with most words of a piece; none if too few."""
    size = len(piece)
    if 5 * sum(word in source.vocabulary for word in piece) < 4 * size:
        return None
    stretch = size + size // 4
    missing = Counter(piece)
    shared, most = 0, -(-4 * size // 5)
    best: list[int] = []
    for end, word in enumerate(source.stream, 1):
        if word in missing:
            missing[word] -= 1
            shared += missing[word] >= 0
        start = end - stretch
        if start > 0 and (left := source.stream[start - 1]) in missing:
            missing[left] += 1
            shared -= missing[left] > 0
        if shared >= most:
            best = [*best, max(start, 0)] if shared == most else [max(start, 0)]
            most = shared
    if not best:
        return None

    def unchosen(start: int) -> int:
        units = source.unit_of[start : start + stretch]
        return sum(unit not in source.chosen for unit in units)

    # ``max`` gives the first of equal ones.
    start = max(best, key=unchosen)
    return _matched(piece, source, (start, start + stretch), 0.5, _FEWEST_WORDS)


def _longest_run(piece: Sequence[str], source: _Source) -> _Near | None:
    """The unit that has most words of a piece side by side, with the words around them."""
    source.runs.set_seq1(piece)
    at, start, count = source.runs.find_longest_match()
    if count < _FEWEST_WORDS:
        return None
    unit = source.unit_of[start + count // 2]
    first, own = source.starts[unit], len(source.words[unit])
    begin = max(at - (start - first), 0)
    within = begin, begin + own
    return _matched(piece, source, (first, first + own), 0.8, _MANY_WORDS, within)


def _matched(
    piece: Sequence[str],
    source: _Source,
    stretch: Span,
    share: float,
    many: int,
    within: Span | None = None,
) -> _Near | None:
    """The units in a stretch of the source of which a share, or ``many`` words, are in a piece."""
    a, b = within or (0, len(piece))
    blocks = SequenceMatcher(None, piece[a:b], source.stream[slice(*stretch)], autojunk=False)
    places = [
        (a + i + k, source.unit_of[stretch[0] + j + k])
        for i, j, count in blocks.get_matching_blocks()
        for k in range(count)
    ]
    matched = Counter(unit for _, unit in places)
    sizes = {unit: len(source.words[unit]) for unit in matched}
    units = [unit for unit, n in matched.items() if n >= min(many, share * sizes[unit])]
    at = [place for place, unit in places if unit in units]
    return _Near(min(at), max(at) + 1, tuple(sorted(units))) if units else None


@lru_cache(maxsize=1 << 16)
def _folded(word: str) -> str:
    """A word without case, width, and the signs and forms of letters that may differ."""
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    plain = "".join(
        str(int(c)) if c.isdecimal() else c for c in decomposed if not unicodedata.combining(c)
    )
    return plain.translate(_LETTERS) or word


def _left_sentences(
    text: str, spans: Sequence[Span], taken: Sequence[bool], language: str
) -> list[list[Span]]:
    """Runs of words that are in no unit, by sentence, each as its lines."""
    ends = sorted(end for _, end in split_sentences(text, language))
    breaks = [i for i, character in enumerate(text) if character == "\n"]
    runs = 0
    keys: list[tuple[int, int, int] | None] = []
    for (begin, _), is_taken in zip(spans, taken, strict=True):
        runs += is_taken
        # Words with a unit between them belong to two runs.
        where = runs, bisect_right(ends, begin), bisect_right(breaks, begin)
        keys.append(None if is_taken else where)
    lines = []
    for key, group in groupby(range(len(keys)), keys.__getitem__):
        if key is not None:
            places = list(group)
            lines.append((key[:2], (places[0], places[-1] + 1)))
    return [[line for _, line in group] for _, group in groupby(lines, lambda line: line[0])]
