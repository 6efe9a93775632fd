"""One candidate with its references, counted in one call of the kernel.

For short texts calls and arrays take longer than counting: so all that several metrics count of
the same tokens is counted in one call, which cuts the texts too where it can.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterator, Sequence
from ctypes import addressof, c_int64
from itertools import accumulate, chain
from struct import Struct
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from summetry.arrays import kernel
from summetry.arrays.sequences import lcs_length
from summetry.arrays.token_tables import MOST_TOKENS
from summetry.metrics.rouge.plain import shared_ngrams, shared_skips, united_hits
from summetry.metrics.rouge.skips import SINGLES, unit_totals
from summetry.text.pipeline import TextPipeline

# The tokens of a text in rows: its sentences, or the text itself.
Rows: TypeAlias = Sequence[Sequence[Hashable]]
# The units of a reference, those of the candidate, and those that both have.
UnitCounts: TypeAlias = tuple[int, int, int]

_KINDS = "ngrams", "lcs", "union", "skips"
_each = Struct("3q").iter_unpack
# Of more characters, all together, arrays are as fast, and refuse what would take too long; and of
# fewer, Python is faster than arrays where the kernel does not cut.
_MOST_CHARACTERS, _FEW_CHARACTERS = 100_000, 900


class Unit(NamedTuple):
    """What texts share: n-grams, a common subsequence, the united ones of sentences, skip-bigrams.

    ``size`` is the n of n-grams or the gap of skip-bigrams; ``singles`` are the tokens that count
    beside these.
    """

    kind: Literal["ngrams", "lcs", "union", "skips"]
    size: int = 0
    singles: str = "none"

    def compare(self, candidate: Rows, reference: Rows) -> UnitCounts:
        """What the kernel counts, in plain Python."""
        theirs, mine = ([*chain.from_iterable(rows)] for rows in (reference, candidate))
        totals = np.array([len(theirs), len(mine)])
        if self.kind == "ngrams":
            totals = np.maximum(totals - self.size + 1, 0)
            shared = shared_ngrams(mine, theirs, self.size)
        elif self.kind == "skips":
            totals = unit_totals(totals, self.size, self.singles)
            shared = shared_skips(mine, theirs, self.size, self.singles)
        elif self.kind == "lcs":
            shared = lcs_length(mine, theirs)
        else:
            shared = united_hits(candidate, reference)
        return (*totals.tolist(), shared)


# The counts of each reference, for one unit after the other, and the most tokens of a text that is
# one line, where rows are lines.
SingleCounts: TypeAlias = tuple[Iterator[UnitCounts], int]


class SingleCounter:
    """Counts units of one candidate with its references, all read by one pipeline."""

    def __init__(self, text: TextPipeline, units: Sequence[Unit], by_sentence: bool) -> None:
        self._text, self._units, self._by_sentence = text, units, by_sentence
        self._how = text.cut_by_kernel
        self._cuts_sentences = by_sentence and not text.lines_are_sentences
        each = [
            (_KINDS.index(kind), min(size, MOST_TOKENS), SINGLES[singles])
            for kind, size, singles in units
        ]
        plan = [self._how or 0, by_sentence, len(units), *chain.from_iterable(each)]
        # What single.c reads, and what it writes to where there is one reference.
        self._plan = array("q", plan).tobytes()
        self._room = c_int64 * (3 * len(units))

    def __reduce__(self) -> tuple[Any, ...]:
        return SingleCounter, (self._text, self._units, self._by_sentence)

    def count(self, texts: Sequence[str], language: str = "") -> SingleCounts | None:
        """The counts of texts, the candidate before its references; None where they are long:
        then arrays are as fast, and their road refuses what would take too long.

        >>> from summetry.text.pipeline import LanguagePipeline
        >>> counter = SingleCounter(LanguagePipeline(), [Unit("ngrams", 1), Unit("lcs")], False)
        >>> counts, _ = counter.count(["A cat.", "The cat sat."])
        >>> list(counts)
        [(3, 2, 1), (3, 2, 1)]
        """
        library = kernel.library()
        if library is None or self._how is None:
            return self._count_read(texts, language)
        for text in texts:
            if not text.isascii():
                plain = self._text.in_ascii(texts)
                if plain is None:
                    return self._count_read(texts, language)
                texts = plain
                break
        if self._cuts_sentences and sum(map(len, texts)) <= _MOST_CHARACTERS:
            texts = ["\n".join(self._text.sentences(text, language)) for text in texts]
        # Bytes that no text of ASCII holds stand between two texts and behind the last.
        content = ("\xff".join(texts) + "\xfe").encode("latin-1")
        if len(content) > _MOST_CHARACTERS:
            return None
        found = self._room() if len(texts) == 2 else (self._room * (len(texts) - 1))()
        longest_row = library.count_words(content, self._plan, found)
        if longest_row < 0:
            raise MemoryError("no memory for count_words")
        return _each(found), longest_row

    def count_rows(self, texts: Sequence[Rows]) -> SingleCounts:
        """The counts of texts whose rows are cut into tokens of any kind."""
        if not kernel.is_compiled():
            candidate, *references = texts
            counts = [unit.compare(candidate, rows) for unit in self._units for rows in references]
            single_rows = [rows[0] for rows in texts if self._by_sentence and len(rows) == 1]
            longest = max(map(len, single_rows), default=0)
            return iter(counts), longest
        number: dict[Hashable, int] = {}
        rows = [row for text in texts for row in text]
        ids = [number.setdefault(token, len(number)) for row in rows for token in row]
        first, offsets = ([0, *accumulate(map(len, parts))] for parts in (texts, rows))
        return self._count_numbers(array("q", ids), offsets, first)

    def _count_read(self, texts: Sequence[str], language: str) -> SingleCounts | None:
        pipeline, by_sentence, characters = self._text, self._by_sentence, sum(map(len, texts))
        if characters > _MOST_CHARACTERS:
            return None
        if not kernel.is_compiled() or characters <= _FEW_CHARACTERS:
            rows = [pipeline.sentences(t, language) if by_sentence else [t] for t in texts]
            return self.count_rows([[pipeline.read(r, language) for r in text] for text in rows])
        languages = [language] * len(texts)
        if by_sentence:
            table, begins = pipeline.encode_by_sentence(texts, languages)
            first: list[int] = begins.tolist()
        else:
            table, first = pipeline.encode(texts, languages), [*range(len(texts) + 1)]
        ids, offsets, *_ = table.checked
        return self._count_numbers(array("q", ids.tobytes()), offsets.tolist(), first)

    def _count_numbers(self, ids: array[int], offsets: list[int], first: list[int]) -> SingleCounts:
        """Row ``r`` holds ``ids[offsets[r]:offsets[r+1]]``, and text ``i`` the rows from
        ``first[i]`` to ``first[i+1]``."""
        numbers = array("q", [len(first) - 1, len(offsets) - 1, *first, *offsets]) + ids
        found = (self._room * (len(first) - 2))()
        given = numbers.buffer_info()[0], self._plan, addressof(found)
        longest_row = kernel.call_at("count_tokens", *given)
        return _each(found), longest_row
