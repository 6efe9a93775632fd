"""From a ranking and a budget to a summary.

The units that are taken stand in the order of the source. A unit that is cut stands last,
where a text may break off, and no character is ever split.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

import regex

from summetry.records.corpus import join_units
from summetry.records.lengths import Budget, Counted, Fit, fill, gap_between, lengths_of
from summetry.records.summaries import Summary
from summetry.summarizers._base import Ranking, Source, Summarizer
from summetry.text.languages import language
from summetry.text.tokens import find_words

_GRAPHEME = regex.compile(r"\X")


@dataclass(frozen=True)
class Made:
    """A summary that was made: its whole units in the order of the source, then what was cut."""

    source: Source
    ranking: Ranking
    units: tuple[int, ...]
    # The beginning of one more unit, where the fit rule cuts.
    fragment: str = ""
    # All that was ranked is in, and the budget has room left.
    ran_out: bool = False

    @property
    def pieces(self) -> tuple[str, ...]:
        """The text unit by unit."""
        whole = tuple(self.source.units[unit] for unit in self.units)
        return (*whole, self.fragment) if self.fragment else whole

    @property
    def text(self) -> str:
        return join_units(self.pieces, self.source.language)

    def record(self, author: str, **meta: str) -> Summary:
        """The summary as a peer of a corpus; the text of an extract follows from its units."""
        topic = self.source.topic
        if not self.fragment:
            return Summary(topic.id, author, "candidate", units=self.units, meta=meta)
        if topic.unit == "sentence":
            return Summary(topic.id, author, "candidate", sentences=self.pieces, meta=meta)
        return Summary(topic.id, author, "candidate", text=self.text, meta=meta)


def make_summary(
    source: Source,
    summarizer: Summarizer,
    budget: Budget,
    fit: Fit = "stop",
    extracts: Sequence[Collection[int]] = (),
) -> Made:
    """The summary of ``source`` by ``summarizer`` within ``budget``.

    ``extracts`` are the units that each informant chose, for the budget ``mean``.
    """
    words = source.words.tolist()
    lengths = lengths_of(source.units, words, budget.counted)
    gap = gap_between(budget.counted, language(source.language).spaced)
    limit = budget.limit(lengths, extracts, gap)
    ranking = summarizer.rank(source, wanted_units(lengths, limit))
    found = fill(ranking.order, lengths, limit, fit, gap)
    fragment = ""
    if found.cut is not None:
        fragment = beginning(source.units[found.cut], found.kept, budget.counted)
    used = sum(lengths[unit] for unit in found.units) + gap * max(len(found.units) - 1, 0)
    ran_out = len(found.units) == len(ranking.order) and used < limit
    return Made(source, ranking, tuple(sorted(found.units)), fragment, ran_out)


def wanted_units(lengths: Sequence[int], limit: Fraction) -> int:
    """About how many units of mean length fill ``limit``; at least one where there are any.

    >>> wanted_units([10, 20, 30], Fraction(50))
    3
    """
    total = sum(lengths)
    if not total:
        return len(lengths)
    about = math.floor(limit * len(lengths) / total + Fraction(1, 2))
    return min(max(about, 1), len(lengths))


def beginning(text: str, most: int, counted: Counted) -> str:
    """As much of ``text`` as has at most ``most`` words, characters or bytes.

    >>> beginning("The ferry, they said, sank.", 3, "words"), beginning("Zoë", 3, "bytes")
    ('The ferry, they', 'Zo')
    """
    if counted == "words":
        spans = find_words(text)
        return text if most >= len(spans) else text[: spans[most - 1][1]]
    end = used = 0
    for character in _GRAPHEME.finditer(text):
        seen = character.group()
        used += len(seen) if counted == "characters" else len(seen.encode())
        if used > most:
            break
        end = character.end()
    return text[:end].rstrip()
