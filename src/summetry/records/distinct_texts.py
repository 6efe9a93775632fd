"""The distinct texts of a batch, each with a row of its own in every table of tokens."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from summetry.arrays.types import Ints

# The sentences of a source: it counts as one.
WHOLE = ("",)


class DistinctTexts:
    """Texts as columns; the same text in another language or cut otherwise is another."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        self.languages: list[str] = []
        # Only of texts whose sentences are known.
        self.sentences: dict[int, tuple[str, ...]] = {}
        # Two ways in, because most texts have no known sentences and there may be many.
        self._plain: dict[str, dict[str, int]] = {}
        self._cut: dict[tuple[str, str, tuple[str, ...]], int] = {}

    def add_plain(self, texts: Sequence[str], language: str) -> Ints:
        """The rows of the first texts that come in, all without known sentences."""
        known = self._plain.setdefault(language, {})
        rows = [known.setdefault(text, len(known)) for text in texts]
        self.strings += known
        self.languages += [language] * len(known)
        return np.array(rows, dtype=np.int64)

    def add(self, text: str, language: str, sentences: tuple[str, ...] | None) -> int:
        """The row of a text in all tables."""
        row = len(self.strings)
        if sentences is None:
            found = self._plain.setdefault(language, {}).setdefault(text, row)
        else:
            found = self._cut.setdefault((text, language, sentences), row)
        if found == row:
            self.strings.append(text)
            self.languages.append(language)
            if sentences is not None:
                self.sentences[row] = (text,) if sentences is WHOLE else sentences
        return found
