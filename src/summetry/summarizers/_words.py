"""The running words of a topic, which of them carry content, and which are frequent."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np

from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Bools, Ints
from summetry.errors import SummetryError
from summetry.summarizers.base import Source
from summetry.text.pipeline import LanguagePipeline, TextPipeline
from summetry.text.word_forms import stop_words


@dataclass(frozen=True)
class Running:
    """All words of each unit, stop words in their places, and which of them are content."""

    table: TokenTable
    is_content: Bools

    @cached_property
    def frequencies(self) -> Ints:
        """How often the topic has each word of the vocabulary as content."""
        content = self.table.ids[self.is_content]
        return np.bincount(content, minlength=len(self.table.words)).astype(np.int64)

    def frequent_share(self, share: float, least: int) -> Bools:
        """Which words are the ``share`` most frequent of the distinct ones (see :func:`frequent`).

        The share is rounded up to whole words.
        """
        # As it is written: 0.07 of 100 words are 7, not 7.000000000000001.
        top = math.ceil(Fraction(repr(share)) * int((self.frequencies > 0).sum()))
        return frequent(self.frequencies, top, least)

    def total(self, weights: Ints) -> Ints:
        """For each unit the sum of ``weights``, one for each word of the vocabulary, of content."""
        held = np.where(self.is_content, weights[self.table.ids], 0)
        # Sums of whole numbers are exact as floats far beyond any text.
        sums = np.bincount(self.table.owners, weights=held, minlength=len(self.table))
        return sums.astype(np.int64)


def running_words(source: Source, pipeline: TextPipeline) -> Running:
    """The words of the units as ``pipeline`` writes them, with the stop words that it drops.

    Only a pipeline by language says what it drops; of the others all tokens are content.
    """
    if not isinstance(pipeline, LanguagePipeline) or not pipeline.stop:
        table = source.tokens(pipeline)
        return Running(table, np.ones(len(table.ids), np.bool_))
    code = language_of(source, pipeline)
    if not code:
        pipeline.encode([""], [code])  # Raises the pipeline's own error.
    table = source.tokens(replace(pipeline, stop=False))
    # The same tokens as they are looked up in a list of stop words: folded, without stems.
    folded = source.tokens(LanguagePipeline(tokens=pipeline.tokens))
    dropped = stop_words(code)
    is_common = np.array([word in dropped for word in folded.words], np.bool_)
    return Running(table, ~is_common[folded.ids])


def language_of(source: Source, pipeline: TextPipeline) -> str:
    """The language that a pipeline reads a topic in: its own, or that of the topic."""
    if isinstance(pipeline, LanguagePipeline) and pipeline.name != "auto":
        return pipeline.name
    return source.language


def frequent(frequencies: Ints, top: int, least: int) -> Bools:
    """Which words are among the ``top`` most frequent and occur ``least`` times or more.

    Words as frequent as the last of the top are in too, so no tie is broken.

    >>> frequent(np.array([5, 1, 3, 3, 0]), top=2, least=2).tolist()
    [True, False, True, True, False]
    """
    ordered = np.sort(frequencies)[::-1][:top]
    lowest = max(int(ordered.min(initial=frequencies.max(initial=0))), least, 1)
    return frequencies >= lowest


def check_cut(share: float, least: int, name: str) -> None:
    """Refuse a cut of frequent words that cannot be one."""
    if not 0 < share <= 1:
        raise SummetryError(f"{name}: share must be above 0 and at most 1, got {share}")
    if least < 1:
        raise SummetryError(f"{name}: least must be 1 or more, got {least}")


def phrase_counts(source: Source, pipeline: TextPipeline, phrases: Sequence[str]) -> Ints:
    """How often each unit holds one of ``phrases``, whole words without regard to case."""
    plain = LanguagePipeline()
    if isinstance(pipeline, LanguagePipeline):
        plain = LanguagePipeline(tokens=pipeline.tokens)
    spelt = plain.encode(phrases, [""] * len(phrases))
    return count_phrases(source.tokens(plain), [spelt.text(i) for i in range(len(spelt))])


def count_phrases(table: TokenTable, phrases: Iterable[Sequence[str]]) -> Ints:
    """For each text, how often a phrase begins in it; a phrase is one token or several in a row.

    Phrases that overlap count each; a phrase given twice counts once, an empty one never.

    >>> from summetry.arrays.token_tables import build_table
    >>> table = build_table(["a b a b", "b", "a"], lambda pieces: [[p] for p in pieces])
    >>> count_phrases(table, [["a", "b"], ["a"]]).tolist()
    [4, 0, 1]
    """
    number = {word: i for i, word in enumerate(table.words)}
    by_length: defaultdict[int, set[tuple[int, ...]]] = defaultdict(set)
    for phrase in phrases:
        if phrase and all(word in number for word in phrase):
            by_length[len(phrase)].add(tuple(number[word] for word in phrase))
    begins = np.zeros(len(table.ids), np.int64)
    rows = table.owners
    for length, same_length in by_length.items():
        # Only where a first word stands, and where the text goes on for long enough.
        at = np.flatnonzero(np.isin(table.ids, [phrase[0] for phrase in same_length]))
        at = at[at + length <= table.offsets[rows[at] + 1]]
        runs = table.ids[at[:, None] + np.arange(length)]
        for ids in sorted(same_length):
            begins[at[(runs == ids).all(axis=1)]] += 1
    return np.bincount(rows, weights=begins, minlength=len(table)).astype(np.int64)
