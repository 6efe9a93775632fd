"""One candidate with its references as numbered tokens: for one, tables take longer."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sequence
from itertools import accumulate, pairwise
from operator import sub

from summetry import spec
from summetry.arrays import kernel
from summetry.arrays.token_tables import MOST_TOKENS
from summetry.text.pipeline import TextPipeline

# Texts of more characters than this, all together, are cut faster by the kernel than by Python.
_FEW_CHARACTERS = 900
# So many numbers stand before those of each text.
_HEAD = 5


class NumberedTexts:
    """Texts as numbers for their tokens, the candidate before its references, in rows: the
    sentences of a text, or the text itself.

    All is in one array, as the kernel reads it (see single.c).
    """

    def __init__(self, numbers: array[int]) -> None:
        self._numbers = numbers
        texts, self._room, _, self.longest, _ = numbers[:_HEAD]
        self._hits = slice(_HEAD + 1, _HEAD + texts)
        self._after_hits = _HEAD + texts
        self.whole: list[int] = numbers[self._after_hits : self._after_hits + texts + 1].tolist()
        self.lengths = list(map(sub, self.whole[1:], self.whole))

    @classmethod
    def of(cls, texts: Sequence[Sequence[Sequence[Hashable]]]) -> NumberedTexts:
        """Texts whose rows are cut into tokens of any kind.

        >>> texts = NumberedTexts.of([[["a", "b"], ["a"]], [["b"]]])
        >>> texts.tokens, texts.sentences, texts.lengths
        ([[0, 1, 0], [1]], [[[0, 1], [0]], [[1]]], [3, 1])
        """
        number: dict[Hashable, int] = {}
        rows = [row for text in texts for row in text]
        ids = [number.setdefault(token, len(number)) for row in rows for token in row]
        offsets, first = [0, *accumulate(map(len, rows))], [0, *accumulate(map(len, texts))]
        return cls.joined(array("q", ids), offsets, first, len(number))

    @classmethod
    def joined(
        cls, ids: array[int], rows: list[int], first: list[int], words: int
    ) -> NumberedTexts:
        """The tokens of row ``r`` are ``ids[rows[r]:rows[r+1]]``, ids below ``words``; the rows of
        text ``i`` are ``first[i]`` to ``first[i+1]``."""
        whole = [rows[row] for row in first]
        longest = max(map(sub, whole[1:], whole))
        widest = max(map(sub, rows[1:], rows), default=0)
        texts = len(first) - 1
        counts, hits = [texts, len(rows) - 1, words, longest, widest], [0] * texts
        return cls(array("q", [*counts, *hits, *whole, *first, *rows]) + ids)

    @classmethod
    def cut(cls, texts: Sequence[str], by_line: bool) -> NumberedTexts:
        """Texts of ASCII cut into runs of a-z and 0-9 in lower case, by the kernel."""
        content, count = "".join(texts).encode(), len(texts)
        rows = count + (content.count(b"\n") if by_line else 0)
        numbers = array("q", [count, rows, 0, 0, 0, *accumulate(map(len, texts))])
        # Room for where texts, their rows and rows begin, and for the tokens of single letters.
        numbers.frombytes(bytes(8 * (2 * (count + 1) + rows + 1 + len(content) // 2 + count)))
        kernel.call_at("single_cut", content, int(by_line), numbers.buffer_info()[0])
        return cls(numbers)

    @property
    def first(self) -> list[int]:
        """Which row each text begins with, and the number of all rows."""
        start = self._after_hits + len(self.whole)
        return self._numbers[start : start + len(self.whole)].tolist()

    @property
    def tokens(self) -> list[list[int]]:
        """The tokens of each text, for plain Python."""
        ids = self._rows_and_ids[1]
        return [ids[start:end] for start, end in pairwise(self.whole)]

    @property
    def sentences(self) -> list[list[list[int]]]:
        """The tokens of each row of each text, for plain Python."""
        offsets, ids = self._rows_and_ids
        first = self.first
        rows = [ids[start:end] for start, end in pairwise(offsets[: first[-1] + 1])]
        return [rows[start:end] for start, end in pairwise(first)]

    @property
    def _rows_and_ids(self) -> tuple[list[int], list[int]]:
        numbers = self._numbers[self._after_hits + 2 * len(self.whole) :].tolist()
        return numbers[: self._room + 1], numbers[self._room + 1 :]

    def shared(
        self, name: str, plainly: Callable[..., int], *options: int, by_row: bool = False
    ) -> list[int]:
        """What the candidate shares with each reference by a function of the kernel, or by the
        plain one beside it, which is given two texts, or the rows of two texts."""
        if not kernel.is_compiled():
            mine, *others = self.sentences if by_row else self.tokens
            return [plainly(mine, other, *options) for other in others]
        kernel.call_at(name, self._numbers.buffer_info()[0], *options)
        return self._numbers[self._hits].tolist()


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
            self._numbered[key] = self._number(pipeline, by_sentence)
        return self._numbered[key]

    def _number(self, pipeline: TextPipeline, by_sentence: bool) -> NumberedTexts:
        if not kernel.is_compiled():
            return self._read(pipeline, by_sentence)
        characters = sum(map(len, self.strings))
        # Whether C can cut more is said where many texts are cut.
        if self.is_ascii and pipeline.takes_plain_words and characters < MOST_TOKENS // 2:
            return NumberedTexts.cut(self.strings, by_sentence)
        cut = self._cut if characters > _FEW_CHARACTERS else self._read
        return cut(pipeline, by_sentence)

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
        return NumberedTexts.joined(array("q", ids.tobytes()), offsets.tolist(), first, words)
