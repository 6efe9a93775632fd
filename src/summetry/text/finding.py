"""Finding a piece of a text again where blanks and line breaks may differ."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from summetry.arrays.sequences import places_by_token
from summetry.text.sentences import split_sentences
from summetry.text.tokens import Span, find_words

# Pieces of texts are the same if they share so many of their words.
NEAR = 0.8


class LooseText:
    """A text without its blanks, that knows where each character of it stood."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._places = [place for place, character in enumerate(text) if not character.isspace()]
        self._dense = "".join(text[place] for place in self._places)
        # How many characters that are not blank come before each place.
        self._before = [0, *accumulate(int(not character.isspace()) for character in text)]

    def fits(self, piece: str, span: Span) -> bool:
        """Whether ``piece`` stands at ``span``, blanks aside."""
        start, end = span
        if not 0 <= start <= end <= len(self.text):
            return False
        return dense(piece) == self._dense[self._before[start] : self._before[end]]

    def find(self, piece: str, near: int = 0) -> Span | None:
        """Where ``piece`` stands, of several places the one that begins nearest to ``near``.

        >>> LooseText("It sank.\\nNobody was hurt. It sank.").find("sank.Nobody")
        (3, 15)
        >>> LooseText("It sank.\\nNobody was hurt. It sank.").find("It  sank", near=20)
        (26, 33)
        """
        letters = dense(piece)
        if not letters:
            return None
        # Of all places only the last before ``near`` and the first from there on can be nearest.
        here = self._before[min(max(near, 0), len(self.text))]
        before = self._dense.rfind(letters, 0, max(here - 1, 0) + len(letters)) if here else -1
        after = self._dense.find(letters, here)
        starts = [self._places[at] for at in (before, after) if at >= 0]
        if not starts:
            return None
        start = min(starts, key=lambda place: abs(place - near))
        return start, self._places[self._before[start] + len(letters) - 1] + 1


def dense(text: str) -> str:
    """A text without its blanks and line breaks."""
    return "".join(text.split())


def spans_in_order(text: str, pieces: Iterable[str]) -> Iterator[Span | None]:
    """Where each piece stands behind those before it; None for one that is not there.

    >>> list(spans_in_order("One. Two.", ["One.", "Three.", "Two."]))
    [(0, 4), None, (5, 9)]
    """
    end = 0
    for piece in pieces:
        start = text.find(piece, end)
        if start >= 0:
            end = start + len(piece)
        yield (start, end) if start >= 0 else None


class FoundUnits(NamedTuple):
    """The units of a source that a text is made of, and the pieces that are in none of them."""

    units: tuple[int, ...]
    missing: tuple[str, ...]


def units_in(text: str, units: Sequence[str], language: str = "") -> FoundUnits:
    """Which units an extract holds that is given as text.

    Words are compared without case, so spacing, line ends and punctuation may differ. A unit is in
    the text if all its words stand there side by side, each place of the text counting once. What
    is left of a sentence after that belongs to the unit with which it shares most words (twice the
    shared words divided by all words of both), if that is 0.8 or more, or of which it is a part of
    half the words or more. All else is missing.

    >>> source = ["The ferry sank.", "Nobody was hurt, they said.", "It was Monday."]
    >>> units_in("the ferry sank Nobody was hurt. A storm came.", source)
    FoundUnits(units=(0, 1), missing=('A storm came',))
    """
    spans = find_words(text)
    words = [_folded(text[start:end]) for start, end in spans]
    of_units = [[_folded(unit[a:b]) for a, b in find_words(unit)] for unit in units]
    taken = [False] * len(words)
    chosen = set()
    at = places_by_token(words)
    # The longest first: a short one may be a part of it.
    for unit in sorted(range(len(units)), key=lambda place: (-len(of_units[place]), place)):
        size = len(of_units[unit])
        for start in at.get(of_units[unit][0], ()) if size else ():
            is_free = not any(taken[start : start + size])
            if is_free and words[start : start + size] == of_units[unit]:
                taken[start : start + size] = [True] * size
                chosen.add(unit)
                break
    missing: list[str] = []
    for first, last in _left_pieces(spans, taken, text, language):
        nearest = _nearest(words[first:last], of_units, chosen)
        if nearest is None:
            missing.append(text[spans[first][0] : spans[last - 1][1]])
        else:
            chosen.add(nearest)
    return FoundUnits(tuple(sorted(chosen)), tuple(missing))


def _folded(word: str) -> str:
    """A word without case and without the signs above and below letters that may be left out."""
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(c for c in decomposed if not unicodedata.combining(c)) or word


def _left_pieces(
    spans: Sequence[Span], taken: Sequence[bool], text: str, language: str
) -> Iterator[tuple[int, int]]:
    """Runs of words that are in no unit, none longer than a sentence or a line."""
    ends = sorted(end for _, end in split_sentences(text, language))
    ends += [place for place, character in enumerate(text) if character == "\n"]
    ends.sort()
    start = None
    for place, (begin, _) in enumerate(spans):
        is_cut = place and bisect_right(ends, begin) > bisect_right(ends, spans[place - 1][0])
        if start is not None and (taken[place] or is_cut):
            yield start, place
            start = None
        if start is None and not taken[place]:
            start = place
    if start is not None:
        yield start, len(spans)


def _nearest(
    piece: Sequence[str], units: Sequence[Sequence[str]], chosen: Collection[int]
) -> int | None:
    """The unit that a piece is nearly, or half of or more; of equals the first."""
    own = Counter(piece)
    best, most = None, 0.0
    for place, unit in enumerate(units):
        if place in chosen or not unit:
            continue
        shared = (own & Counter(unit)).total()
        likeness = 2 * shared / (len(piece) + len(unit))
        is_part = shared == len(piece) and 2 * len(piece) >= len(unit)
        if (likeness >= NEAR or is_part) and likeness > most:
            best, most = place, likeness
    return best
