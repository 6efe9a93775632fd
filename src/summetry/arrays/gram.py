"""A^T A of texts that are given as weighted terms by sentences, without any matrix product."""

from __future__ import annotations

import numpy as np

from summetry.arrays.token_tables import gather_runs
from summetry.arrays.types import Floats, Ints
from summetry.arrays.weighting import Weighted


class Grams:
    """A^T A of some texts, upper triangles, added up over the sentences that share a term.

    The sums go term by term in one order whatever other texts there are, so that a text has the
    same numbers to the last bit alone and among others.
    """

    def __init__(self, weighted: Weighted, texts: Ints) -> None:
        found = weighted.occurrences
        entries, owner = found.entries(texts)
        later = found.starts[found.term[entries] + 1] - entries
        self.sizes = found.sentences[texts]
        areas = self.sizes**2
        self.starts = np.cumsum(areas) - areas
        one, two = np.repeat(entries, later), gather_runs(entries, later)
        owner = np.repeat(owner, later)
        base = found.first[texts][owner]
        row, column = found.sentence[one] - base, found.sentence[two] - base
        self.cell = self.starts[owner] + row * self.sizes[owner] + column
        self.product = weighted.weights[one] * weighted.weights[two]
        self.twice = row != column
        total = int(areas.sum())
        self.flat: Floats = np.bincount(self.cell, self.product, total).astype(np.float64)
        lengths = found.bags.lengths[texts]
        offsets = np.cumsum(lengths) - lengths
        self.term = found.term[one] - (found.bags.offsets[texts] - offsets)[owner]
        self.terms = int(lengths.sum())

    def of(self, place: int) -> Floats:
        start, size = int(self.starts[place]), int(self.sizes[place])
        found: Floats = self.flat[start : start + size * size].reshape(size, size)
        return found

    def squares(self) -> Floats:
        """a_i A^T A a_i for the row a_i of every term."""
        parts = self.product * self.flat[self.cell] * np.where(self.twice, 2.0, 1.0)
        return np.bincount(self.term, weights=parts, minlength=self.terms).astype(np.float64)
