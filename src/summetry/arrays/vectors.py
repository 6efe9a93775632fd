"""Bags of tokens compared pair by pair, many pairs at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from summetry.arrays.token_tables import KEY_BITS, Bags, gather_runs, id_bits
from summetry.arrays.types import Floats, Ints


@dataclass(frozen=True)
class Shared:
    """The tokens that the two texts of each pair have in common.

    ``pair`` says which pair an entry belongs to, ``left`` and ``right`` where the entry is
    in the bags; entries are ordered by pair and then by token.
    """

    pair: Ints
    left: Ints
    right: Ints
    pairs: int

    def total(self, weights: NDArray[np.generic]) -> Floats:
        """The sum of ``weights``, one for each entry, for every pair."""
        return np.bincount(self.pair, weights=weights, minlength=self.pairs).astype(np.float64)

    @property
    def types(self) -> Ints:
        """How many distinct tokens each pair shares."""
        return np.bincount(self.pair, minlength=self.pairs).astype(np.int64)


def shared_tokens(bags: Bags, left: Ints, right: Ints) -> Shared:
    """Common tokens of the texts ``left[i]`` and ``right[i]`` for every pair ``i``."""
    left_at, left_pair = bag_entries(bags, left)
    right_at, right_pair = bag_entries(bags, right)
    ids, size = bags.ids, bags.size
    if id_bits(size) + id_bits(len(left)) > KEY_BITS:
        # Long n-grams in very many pairs: pair and token would not fit into one number.
        distinct, ids = np.unique(ids, return_inverse=True)
        size = len(distinct)
    left_keys = left_pair * size + ids[left_at]
    right_keys = right_pair * size + ids[right_at]
    # Both are ascending (pairs in order, ids ascending inside a bag), and a stable sort merges
    # two ascending runs in one go; a key that both have then stands twice in a row.
    keys = np.concatenate([left_keys, right_keys])
    order = np.argsort(keys, kind="stable")
    merged = keys[order]
    twice = np.flatnonzero(merged[1:] == merged[:-1])
    mine, theirs = order[twice], order[twice + 1] - len(left_keys)
    return Shared(left_pair[mine], left_at[mine], right_at[theirs], len(left))


def bag_entries(bags: Bags, rows: Ints) -> tuple[Ints, Ints]:
    """Where the entries of these texts are in the bags, and which of ``rows`` each is of."""
    lengths = bags.lengths[rows]
    pairs = np.repeat(np.arange(len(rows), dtype=np.int64), lengths)
    return gather_runs(bags.offsets[rows], lengths), pairs


def find_in_bags(bags: Bags, rows: Ints, ids: Ints) -> Ints:
    """Where the bag of text ``rows[i]`` has the token ``ids[i]``, -1 where it does not."""
    texts = np.repeat(np.arange(len(bags.lengths), dtype=np.int64), bags.lengths)
    keys = texts * bags.size + bags.ids
    sought = rows * bags.size + ids
    places = np.searchsorted(keys, sought)
    # Behind the last key there is one that no token has.
    return np.where(np.append(keys, -1)[places] == sought, places, -1)


class InverseFrequencies(NamedTuple):
    """How rare terms are among the texts of a group: the sentences of a source, say.

    How many texts each group has, and, as a bag of each group, in how many of them each term is.
    """

    texts: Ints
    holding: Bags

    def of(self, groups: Ints, terms: Ints) -> Floats:
        """ln((N+1)/(n+1)) + 1 for terms that n of the N texts of a group hold."""
        # The place of a term that a group does not have is -1, where a 0 is put.
        held = np.append(self.holding.counts, 0)[find_in_bags(self.holding, groups, terms)]
        weights: Floats = np.log((self.texts[groups] + 1) / (held + 1)) + 1
        return weights
