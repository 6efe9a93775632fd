"""Finding a piece of a text again where blanks and line breaks may differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate

from summetry.text.tokens import Span


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
