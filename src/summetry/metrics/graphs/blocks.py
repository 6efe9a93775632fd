"""A batch cut into blocks of comparisons whose graphs are made, compared and forgotten together."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from summetry.arrays.token_tables import TokenTable, take_rows
from summetry.arrays.types import Ints
from summetry.records.batches import Batch

# Graphs take some hundred bytes a token while they are made, and are made faster where that
# stays in a processor's own memory: about this many tokens at a time. A block goes on as long
# as references are shared, so that each is read and merged once, up to so many times as much.
BLOCK_TOKENS = 40_000
_AT_MOST = 4


class Groups(NamedTuple):
    """The distinct groups of references of a block, as rows, and which one each candidate meets."""

    rows: list[Ints]
    chosen: Ints


class Block:
    """Some comparisons in a row: the tokens of their texts, and which texts they compare.

    ``candidates`` and ``references`` are rows of ``table``; ``owners`` says which comparison of
    the block each reference belongs to.
    """

    def __init__(self, table: TokenTable, candidates: Ints, references: Ints, owners: Ints) -> None:
        self.table, self.owners = table, owners
        self.candidates, self.references = candidates, references

    @cached_property
    def counts(self) -> Ints:
        """How many references each comparison has."""
        return np.bincount(self.owners, minlength=len(self.candidates))

    @cached_property
    def groups(self) -> Groups:
        # Jackknifing and peers meet the same groups again and again.
        number: dict[tuple[int, ...], int] = {}
        chosen = [
            number.setdefault(tuple(rows.tolist()), len(number))
            for rows in np.split(self.references, np.cumsum(self.counts)[:-1])
        ]
        return Groups([np.array(rows, dtype=np.int64) for rows in number], np.array(chosen))


def text_blocks(batch: Batch, table: TokenTable) -> Iterator[Block]:
    """The comparisons of a batch in blocks; ``table`` has a row for each text of the batch."""
    first = np.searchsorted(batch.owners, np.arange(len(batch) + 1))
    place = np.zeros(len(table), dtype=np.int64)
    for start, end in _cut(batch, table.lengths, first):
        inside = slice(first[start], first[end])
        candidates, references = batch.candidates[start:end], batch.references[inside]
        # Candidates stand together, so that many are compared with a reference in one go.
        rows = np.concatenate([np.unique(candidates), np.setdiff1d(references, candidates)])
        place[rows] = np.arange(len(rows))
        owners = batch.owners[inside] - start
        yield Block(take_rows(table, rows), place[candidates], place[references], owners)


def _cut(batch: Batch, lengths: Ints, first: Ints) -> Iterator[tuple[int, int]]:
    """Comparisons from one to another whose texts fit into a block; one at least."""
    start, held = 0, 0
    seen: set[int] = set()
    references, tokens, first_of = batch.references.tolist(), lengths.tolist(), first.tolist()
    for place, candidate in enumerate(batch.candidates.tolist()):
        texts = {candidate, *references[first_of[place] : first_of[place + 1]]}
        more = sum(tokens[row] for row in texts - seen)
        room = BLOCK_TOKENS if texts.isdisjoint(seen) else _AT_MOST * BLOCK_TOKENS
        if held + more > room and place > start:
            yield start, place
            start, held, seen = place, 0, set()
            more = sum(tokens[row] for row in texts)
        held += more
        seen |= texts
    if len(batch):
        yield start, len(batch)
