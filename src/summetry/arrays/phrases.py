"""How often given words and phrases stand in each text of a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Ints


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
    for length, alike in by_length.items():
        first = np.isin(table.ids, [phrase[0] for phrase in alike])
        # Only where a first word stands, and where the text goes on for long enough.
        at = np.flatnonzero(first)
        at = at[at + length <= table.offsets[rows[at] + 1]]
        found = table.ids[at[:, None] + np.arange(length)]
        for ids in sorted(alike):
            begins[at[(found == ids).all(axis=1)]] += 1
    counted: Ints = np.bincount(rows, weights=begins, minlength=len(table)).astype(np.int64)
    return counted
