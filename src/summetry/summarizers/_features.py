"""What can be seen of a unit without understanding it: the features of ``trainable``.

Each has a few values, written as small numbers. Where a value depends on a comparison with the
other units of the topic, "high" are the units whose number is not 0 and among the highest
quarter, all units with equal numbers alike.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from summetry.arrays.types import Bools, Ints
from summetry.summarizers._cues import cues
from summetry.summarizers._places import borders, paragraphs
from summetry.summarizers._words import frequent, language_of, phrase_counts, running_words
from summetry.summarizers.base import Source
from summetry.text.pipeline import LanguagePipeline, TextPipeline

Feature = Literal["length", "phrase", "place", "paragraph", "frequency", "upper"]

# The values of each feature, in the order of their numbers.
VALUES: dict[Feature, tuple[str, ...]] = {
    "length": ("short", "long"),
    "phrase": ("without", "with"),
    "place": ("first", "early", "middle", "late"),
    "paragraph": ("inside", "begins", "ends", "whole"),
    "frequency": ("low", "high"),
    "upper": ("low", "high"),
}

# The number of most frequent content words that are thematic; those as frequent as the last too.
_THEMATIC = 10


def feature_rows(
    source: Source, features: tuple[Feature, ...], short: int, pipeline: TextPipeline
) -> Ints:
    """One row per unit, one column per feature; ``VALUES`` says what the numbers stand for."""
    columns_of: dict[Feature, Callable[[], Ints]] = {
        "length": lambda: lengths(source, short),
        "phrase": lambda: fixed_phrases(source, pipeline),
        "place": lambda: places(source),
        "paragraph": lambda: places_in_paragraphs(source),
        "frequency": lambda: thematic_words(source, pipeline),
        "upper": lambda: upper_case(source, pipeline),
    }
    columns = [columns_of[feature]() for feature in features]
    return np.column_stack([np.zeros((len(source), 0), np.int64), *columns])


def lengths(source: Source, short: int) -> Ints:
    """1 for units of more than ``short`` words."""
    return (source.words > short).astype(np.int64)


def fixed_phrases(source: Source, pipeline: TextPipeline) -> Ints:
    """1 for units with a fixed phrase of the language ("in conclusion")."""
    known = cues(language_of(source, pipeline)).phrases
    return (phrase_counts(source, pipeline, known) > 0).astype(np.int64)


def places(source: Source) -> Ints:
    """0 for the first unit of a document, else 1 to 3 for the third of the document it is in."""
    sizes = np.bincount(source.documents, minlength=1)[source.documents]
    thirds = 3 * source.places // np.maximum(sizes, 1) + 1
    return np.where(source.places == 0, 0, thirds)


def places_in_paragraphs(source: Source) -> Ints:
    """1 for the first unit of a paragraph, 2 for the last, 3 for the only one, else 0.

    In a document that shows no paragraphs every unit has 0.
    """
    begins, ends = borders(paragraphs(source))
    value = begins + 2 * ends
    inner = (begins & ~borders(source.documents).begins).astype(np.int64)
    parted = np.bincount(source.documents, weights=inner, minlength=1)[source.documents] > 0
    return np.where(parted, value, 0)


def thematic_words(source: Source, pipeline: TextPipeline) -> Ints:
    """1 for units with many thematic words, the most frequent content words of the topic."""
    words = running_words(source, pipeline)
    is_thematic = frequent(words.frequencies, _THEMATIC, least=2)
    return high(words.total(is_thematic.astype(np.int64)))


def upper_case(source: Source, pipeline: TextPipeline) -> Ints:
    """1 for units with many names.

    A name is a content word with a capital that is not the first word of its unit and that the
    topic has so twice or more. Its first occurrence counts double.
    """
    plain = LanguagePipeline(case="keep")
    is_content: Bools | bool = True
    if isinstance(pipeline, LanguagePipeline):
        plain = LanguagePipeline(tokens=pipeline.tokens, case="keep")
        # Both tables hold the same tokens in the same places.
        is_content = running_words(source, pipeline).is_content
    table = source.tokens(plain)
    has_capital = np.array([word[0].isupper() for word in table.words], np.bool_)[table.ids]
    begins = np.zeros(len(table.ids), np.bool_)
    begins[table.offsets[:-1][table.lengths > 0]] = True
    at = np.flatnonzero(has_capital & ~begins & is_content)
    name, first, number = np.unique(table.ids[at], return_index=True, return_inverse=True)
    repeated = np.bincount(number, minlength=len(name)) > 1
    worth = repeated[number].astype(np.int64)
    worth[first] *= 2
    rows = np.searchsorted(table.offsets, at, side="right") - 1
    return high(np.bincount(rows, weights=worth, minlength=len(table)).astype(np.int64))


def high(numbers: Ints) -> Ints:
    """1 for the numbers that are not 0 and among the highest quarter, ties in.

    >>> high(np.array([3, 0, 3, 1, 0])).tolist()
    [1, 0, 1, 0, 0]
    """
    quarter = -(-len(numbers) // 4)
    lowest = np.sort(numbers)[::-1][:quarter].min(initial=numbers.max(initial=0))
    return (numbers >= max(int(lowest), 1)).astype(np.int64)
