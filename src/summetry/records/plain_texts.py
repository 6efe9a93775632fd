"""One candidate with its references as numbered tokens: for one, tables take longer."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate, pairwise
from operator import sub

import numpy as np

from summetry import spec
from summetry.arrays import kernel
from summetry.arrays.types import Ints
from summetry.text.pipeline import TextPipeline

# Texts of more characters than this, all together, are cut faster by the kernel than by Python.
_FEW_CHARACTERS = 900


class NumberedTexts:
    """Texts as numbers for their tokens, the candidate before its references.

    The tokens of row ``r`` are ``ids[rows[r]:rows[r+1]]``, ids below ``words``; the rows of text
    ``i`` are ``first[i]`` to ``first[i+1]``: its sentences, or the text itself.
    """

    def __init__(self, ids: Ints, rows: list[int], first: list[int], words: int) -> None:
        self.ids, self.rows, self.first, self.words = ids, rows, first, words
        self.whole = [rows[row] for row in first]
        self.lengths = list(map(sub, self.whole[1:], self.whole))
        self.longest = max(self.lengths)
        # For the kernel all in one: the text to the left and to the right of each pair, room for
        # what is found, and where texts, rows and the rows of each text begin.
        others = len(first) - 2
        pairs = [0] * others + list(range(1, others + 1)) + [0] * others
        self._memory = np.array(pairs + self.whole + rows + first, np.int64)
        self._addresses = kernel.address(ids), kernel.address(self._memory)

    @classmethod
    def of(cls, texts: Sequence[Sequence[Sequence[Hashable]]]) -> NumberedTexts:
        """Texts whose rows are cut into tokens of any kind.

        >>> texts = NumberedTexts.of([[["a", "b"], ["a"]], [["b"]]])
        >>> texts.ids.tolist(), texts.rows, texts.whole
        ([0, 1, 0, 1], [0, 2, 3, 4], [0, 3, 4])
        """
        number: dict[Hashable, int] = {}
        rows = [row for text in texts for row in text]
        ids = [number.setdefault(token, len(number)) for row in rows for token in row]
        offsets, first = [0, *accumulate(map(len, rows))], [0, *accumulate(map(len, texts))]
        return cls(np.array(ids, np.int64), offsets, first, len(number))

    @property
    def tokens(self) -> list[list[int]]:
        """The tokens of each text, for plain Python."""
        return [self.ids[start:end].tolist() for start, end in pairwise(self.whole)]

    @property
    def sentences(self) -> list[list[list[int]]]:
        """The tokens of each row of each text, for plain Python."""
        rows = [self.ids[start:end].tolist() for start, end in pairwise(self.rows)]
        return [rows[start:end] for start, end in pairwise(self.first)]

    def shared(
        self, name: str, plainly: Callable[..., int], *options: int, by_row: bool = False
    ) -> list[int]:
        """What the candidate shares with each reference by a function of the kernel, or by the
        plain one beside it, which is given two texts, or the rows of two texts."""
        if not kernel.is_compiled():
            mine, *others = self.sentences if by_row else self.tokens
            return [plainly(mine, other, *options) for other in others]
        count, whole = len(self.lengths) - 1, len(self.whole)
        ids, left = self._addresses
        right, hits, texts = left + 8 * count, left + 16 * count, left + 24 * count
        sizes: tuple[int, ...] = self.words, self.longest
        by: tuple[int, ...] = ids, texts
        if by_row:
            rows = texts + 8 * whole
            by = ids, rows, rows + 8 * len(self.rows), ids, texts
            sizes = *sizes, max(map(sub, self.rows[1:], self.rows), default=0)
        kernel.call_at(name, *by, left, right, count, *options, *sizes, hits)
        found: list[int] = self._memory[2 * count : 3 * count].tolist()
        return found


class PlainTexts:
    """The texts of one comparison, the candidate before its references.

    Each is read once for each pipeline, whichever metrics ask for it. ``by_sentence`` says that
    some metric reads sentences: then a text is its sentences, as in a batch.
    """

    def __init__(
        self,
        candidate: str,
        references: Sequence[str],
        language: str = "",
        by_sentence: bool = False,
    ) -> None:
        self.strings = (candidate, *references)
        self.language = language
        self._by_sentence = by_sentence
        self.is_ascii = all(map(str.isascii, self.strings))
        self._numbered: dict[tuple[str, bool], NumberedTexts] = {}

    def numbered(self, pipeline: TextPipeline, by_sentence: bool = False) -> NumberedTexts:
        """The tokens of each text, in rows if they are asked for by sentence.

        >>> from summetry.text.pipeline import LanguagePipeline
        >>> PlainTexts("A cat.", ["A dog."]).numbered(LanguagePipeline()).tokens
        [[0, 1], [0, 2]]
        """
        by_sentence |= self._by_sentence and not pipeline.blanks_are_tokens
        key = spec.show(pipeline), by_sentence
        if key not in self._numbered:
            is_long = sum(map(len, self.strings)) > _FEW_CHARACTERS and kernel.is_compiled()
            self._numbered[key] = (self._cut if is_long else self._read)(pipeline, by_sentence)
        return self._numbered[key]

    def _read(self, pipeline: TextPipeline, by_sentence: bool) -> NumberedTexts:
        read, language = pipeline.read, self.language
        return NumberedTexts.of(
            [
                [read(row, language) for row in pipeline.sentences(text, language)]
                if by_sentence
                else [read(text, language)]
                for text in self.strings
            ]
        )

    def _cut(self, pipeline: TextPipeline, by_sentence: bool) -> NumberedTexts:
        languages = [self.language] * len(self.strings)
        if by_sentence:
            table, rows = pipeline.encode_by_sentence(self.strings, languages)
            first: list[int] = rows.tolist()
        else:
            table, first = pipeline.encode(self.strings, languages), [*range(len(languages) + 1)]
        ids, offsets, words, _ = table.checked
        return NumberedTexts(ids, offsets.tolist(), first, words)
