"""ROUGE on lists of tokens, as equation 7 of Steinberger and Jezek (2009) has it.

Hits and units are added up over all references; a unit hits as often as candidate and reference
both have it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple


class PooledRecall(NamedTuple):
    """Equation 7: hits and units of all references, and their ratio."""

    match: int
    total: int
    value: float


def ngrams(tokens: Sequence[Hashable], n: int) -> Counter[Hashable]:
    """The n-grams of a text with their counts."""
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def skip_bigrams(
    tokens: Sequence[Hashable], gap: int = 4, unigrams: bool = True
) -> Counter[Hashable]:
    """Ordered pairs with at most ``gap`` tokens between, and the tokens themselves."""
    reach = len(tokens) if gap < 0 else gap + 2
    units: Counter[Hashable] = Counter(
        (a, b) for i, a in enumerate(tokens) for b in tokens[i + 1 : i + reach]
    )
    if unigrams:
        units.update((a,) for a in tokens)
    return units


def pooled_recall(
    candidate: Counter[Hashable], references: Sequence[Counter[Hashable]]
) -> PooledRecall:
    """Clipped hits by units, both summed over the references (eq. 7); NaN without units."""
    match = sum((candidate & reference).total() for reference in references)
    total = sum(reference.total() for reference in references)
    return PooledRecall(match, total, match / total if total else math.nan)


def rouge_n(
    candidate: Sequence[Hashable], references: Sequence[Sequence[Hashable]], n: int = 1
) -> PooledRecall:
    """ROUGE-N of tokens as equation 7 has it.

    >>> rouge_n("a b c".split(), ["a b d".split(), "b c".split()], 2)
    PooledRecall(match=2, total=3, value=0.6666666666666666)
    """
    return pooled_recall(ngrams(candidate, n), [ngrams(text, n) for text in references])


def rouge_su(
    candidate: Sequence[Hashable], references: Sequence[Sequence[Hashable]], gap: int = 4
) -> PooledRecall:
    """ROUGE-SU of tokens: skip-bigrams and unigrams, pooled."""
    units = [skip_bigrams(text, gap) for text in references]
    return pooled_recall(skip_bigrams(candidate, gap), units)
