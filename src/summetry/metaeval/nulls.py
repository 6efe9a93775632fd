"""Null judges: values that know nothing of how good a summary is, for others to be compared with.

    length        the number of words of the summary
    lead overlap  how much of the summary is the beginning of its source
    random        random numbers
    constant      one value for all summaries: as a judge, the mark that was given most often

A metric or a judge that follows people no better than one of these has not been shown to see
quality: where longer summaries are liked better, or summaries of news that keep to the first
sentences, counting does as well.

*Lead overlap.* A summary of n words is compared with the first n words of the source, without case:

    sum over words of min(times in the summary, times among the first n of the source) / n

This is the ROUGE-1 precision against a lead summary of the same length, and, as both have n words,
its recall and F as well: 1 for a summary that is the beginning, whatever its length, with no
setting to choose. (Against a fixed number of words every longer summary would be below 1 and
every short one near it: that is length once more.) A source of fewer than n words is taken whole.
Of several documents the one whose beginning the summary is most like counts, so that their order
does not matter. There is no value where the source has no text, or the summary no words.

All values are tables, systems x topics, NaN where there is no value, as those of ``grids``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from summetry.arrays.types import Floats
from summetry.errors import SummetryError
from summetry.records.corpus import Corpus, join_units
from summetry.text.tokens import find_words

# The names by which they stand beside metrics.
A_LENGTH, A_LEAD, A_RANDOM = "(length alone)", "(lead overlap)", "(random)"
A_CONSTANT = "(constant)"
# What is counted.
WORDS = "number of words"
LEAD = "words shared with a lead summary of the same length"
# Numbers of summaries, by topic and author.
BySummary: TypeAlias = Mapping[tuple[str, str], float]


class NullValues(NamedTuple):
    """What a null judge says of all summaries, systems x topics, and what it counts."""

    what: str
    values: Floats


def word_counts(corpus: Corpus) -> dict[tuple[str, str], float]:
    """The number of words of each summary that has a text, by topic and author."""
    return {
        (summary.topic, summary.author): float(len(find_words(text)))
        for summary in corpus.summaries
        if (text := corpus.text_of(summary))
    }


def lead_overlaps(corpus: Corpus) -> dict[tuple[str, str], float]:
    """The lead overlap of each summary, by topic and author, where the source has a text."""
    sources: dict[str, list[list[str]]] = {}
    for topic in corpus.topics:
        code = corpus.language_of(topic)
        texts = (document.text or join_units(document.units, code) for document in topic.documents)
        sources[topic.id] = [words for text in texts if (words := _words(text))]
    return {
        (summary.topic, summary.author): max(lead_overlap(words, lead) for lead in leads)
        for summary in corpus.summaries
        if (leads := sources.get(summary.topic)) and (words := _words(corpus.text_of(summary)))
    }


def lead_overlap(summary: Sequence[str], source: Sequence[str]) -> float:
    """The share of a summary's words that as many words of the beginning of a source have, too.

    >>> lead_overlap("the cat sat".split(), "the cat ran when the dog sat".split())
    0.6666666666666666
    """
    shared = Counter(summary) & Counter(source[: len(summary)])
    return shared.total() / len(summary)


def most_frequent(marks: ArrayLike) -> float:
    """The mark that was given most often, of equally frequent ones the lowest; NaN is no mark.

    >>> most_frequent([[5, 3], [4, 5], [float("nan"), 4]])
    4.0
    """
    given = np.asarray(marks, np.float64)
    values, counts = np.unique(given[~np.isnan(given)], return_counts=True)
    if not len(values):
        raise SummetryError("the most frequent mark needs a mark, got none")
    return float(values[np.argmax(counts)])


def as_marks(values: ArrayLike, marks: ArrayLike) -> Floats:
    """Values as marks that are as frequent as the given ones: low values get low marks.

    Of n values one with k below it and c equal to it (itself among them) gets the mark at the share
    (k + c / 2) / n of the sorted marks. Equal values get equal marks, and NaN stays NaN. Of the
    marks only their frequencies are used, not who got them.

    >>> as_marks([10, 30, 20, 20], [5, 1, 3, 3]).tolist()
    [1.0, 5.0, 3.0, 3.0]
    """
    numbers, given = np.asarray(values, np.float64), np.sort(np.asarray(marks, np.float64))
    there = ~np.isnan(numbers)
    _, place, counts = np.unique(numbers[there], return_inverse=True, return_counts=True)
    # Doubled, so that all numbers are whole.
    middle = 2 * np.cumsum(counts) - counts
    made = np.full(numbers.shape, np.nan)
    made[there] = given[middle * len(given) // (2 * max(int(there.sum()), 1))][place]
    return made


def random_marks(marks: ArrayLike, size: int, seed: int = 0) -> Floats:
    """Marks that are drawn from the given ones, with replacement."""
    return np.random.default_rng(seed).choice(np.asarray(marks, np.float64), size)


def on_grid(values: BySummary, systems: Sequence[str], topics: Sequence[str]) -> Floats:
    """Numbers of summaries as a table of systems and topics; NaN where there is none."""
    rows = [[values.get((topic, system), np.nan) for topic in topics] for system in systems]
    return np.array(rows, np.float64).reshape(len(systems), len(topics))


@dataclass(frozen=True)
class TextNulls:
    """The null judges that read texts: what they say of every summary of a corpus."""

    words: BySummary
    overlaps: BySummary

    def on_grid(self, systems: Sequence[str], topics: Sequence[str]) -> dict[str, NullValues]:
        """Those with a value for one of these summaries at least, by name."""
        lengths, leads = (on_grid(each, systems, topics) for each in (self.words, self.overlaps))
        nulls = {A_LENGTH: NullValues(WORDS, lengths), A_LEAD: NullValues(LEAD, leads)}
        return {name: null for name, null in nulls.items() if not np.isnan(null.values).all()}


def text_nulls(corpus: Corpus) -> TextNulls:
    """Length needs the texts of the summaries, lead overlap those of the sources as well."""
    return TextNulls(word_counts(corpus), lead_overlaps(corpus))


def _words(text: str) -> list[str]:
    return [text[start:end].casefold() for start, end in find_words(text)]
