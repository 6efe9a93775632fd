"""Latent spaces of many texts at once: singular values, topics, and terms weighed by topics.

Matrices of one size are decomposed in one call. Of a long text only the leading vectors are
found, from sparse matrices, and no matrix is ever terms by terms. What a text has is the same to
the last bit alone and among others.

Source: Steinberger and Jezek (2009), sections 4 and 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from summetry.arrays.svd import (
    FEW_OF_MANY,
    Spectrum,
    decompose,
    decompose_leading,
    end_of_group,
    rank,
)
from summetry.arrays.token_tables import cut_into_runs, gather_runs
from summetry.arrays.types import Bools, Floats, Ints
from summetry.arrays.weighting import Weighted

# Texts with more sentences are decomposed one by one, and only as far as needed.
_FEW = 300
# The main topics of a long text, found first because most often they are enough.
_LEADING = 8
# Above this share of entries that are not 0 a sparse matrix only costs time.
_WELL_FILLED = 0.1
# As many products of weights as are held at once.
_BLOCK = 1_000_000


class Grams:
    """A^T A of some texts without any product of matrices: upper triangles, added up over the
    sentences that share a term.

    The sums go term by term in one order whatever other texts there are, so that a text has the
    same numbers to the last bit alone and among others.
    """

    def __init__(self, weighted: Weighted, texts: Ints) -> None:
        terms = weighted.occurrences
        entries, owner = terms.entries(texts)
        later = terms.starts[terms.term[entries] + 1] - entries
        self.sizes = terms.sentences[texts]
        areas = self.sizes**2
        self.starts = np.cumsum(areas) - areas
        one, two = np.repeat(entries, later), gather_runs(entries, later)
        owner = np.repeat(owner, later)
        base = terms.first[texts][owner]
        row, column = terms.sentence[one] - base, terms.sentence[two] - base
        self.cell = self.starts[owner] + row * self.sizes[owner] + column
        self.product = weighted.weights[one] * weighted.weights[two]
        self.twice = row != column
        total = int(areas.sum())
        self.flat: Floats = np.bincount(self.cell, self.product, total).astype(np.float64)
        lengths = terms.bags.lengths[texts]
        offsets = np.cumsum(lengths) - lengths
        self.term = terms.term[one] - (terms.bags.offsets[texts] - offsets)[owner]
        self.terms = int(lengths.sum())

    def of(self, place: int) -> Floats:
        start, size = int(self.starts[place]), int(self.sizes[place])
        return self.flat[start : start + size * size].reshape(size, size)

    def squares(self) -> Floats:
        """a_i A^T A a_i for the row a_i of every term."""
        parts = self.product * self.flat[self.cell] * np.where(self.twice, 2.0, 1.0)
        return np.bincount(self.term, weights=parts, minlength=self.terms).astype(np.float64)


class Cuts(NamedTuple):
    """How many dimensions are kept, and whether equal singular values made them more."""

    ends: Ints
    tied: Bools


class Spaces:
    """The latent spaces of many texts, each decomposed when it is first asked for, and once."""

    def __init__(self, weighted: Weighted) -> None:
        self.weighted = weighted
        self.bags = weighted.occurrences.bags
        self.sentences = weighted.occurrences.sentences
        # By text and number of dimensions.
        self._spectra: dict[tuple[int, int], Spectrum] = {}

    def gram(self, text: int) -> Any:
        """A^T A of one text: an array, or of a long text maybe a sparse matrix."""
        if self._is_long[text]:
            matrix = self._matrix(text)
            return matrix.T @ matrix
        upper = Grams(self.weighted, np.array([text])).of(0)
        return upper + np.triu(upper, 1).T

    def gram_lengths(self, text: int) -> Floats:
        """The length of each row of A^T A of one text, some rows at a time where it is long."""
        if not self._is_long[text]:
            lengths: Floats = np.sqrt((self.gram(text) ** 2).sum(axis=1))
            return lengths
        matrix = self._matrix(text)
        sentences = matrix.T if isinstance(matrix, np.ndarray) else matrix.T.tocsr()
        parts = []
        for start in range(0, sentences.shape[0], _FEW):
            rows = sentences[start : start + _FEW] @ matrix
            # Entry by entry, for sparse arrays too.
            parts.append(np.asarray((rows * rows).sum(axis=1), np.float64).ravel())
        return np.sqrt(_joined(parts))

    def spectrum(self, text: int) -> Spectrum:
        """All singular values of one text, squared, and their right vectors."""
        return self._leading(text, int(self.sentences[text]))

    def cut(self, texts: Ints, ranks: Ints) -> Cuts:
        """Dimensions that each text keeps: ``ranks``, or up to the end of a group that they cut."""
        ends: Ints = np.minimum(ranks, self.sentences[texts])
        tied = np.zeros(len(texts), dtype=np.bool_)
        inner = np.flatnonzero(ranks < self.sentences[texts])
        self._decompose(texts[inner])
        # Most texts are in many pairs, and their cuts are few.
        known: dict[tuple[int, int], tuple[int, bool]] = {}
        for i, asked in zip(inner.tolist(), _both(texts[inner], ranks[inner]), strict=True):
            if asked not in known:
                known[asked] = self._cut(*asked)
            ends[i], tied[i] = known[asked]
        return Cuts(ends, tied)

    def significances(self, texts: Ints, cuts: Ints) -> Floats:
        """|b_i| = sqrt(sum over k <= cut of u_ik^2 sigma_k^4) of every term of every text given.

        The terms are those of the bags, text by text; ``cuts`` come from :meth:`cut`.
        """
        lengths = self.bags.lengths[texts]
        starts = np.cumsum(lengths) - lengths
        squares = np.zeros(int(lengths.sum()))
        is_long, is_whole = self._is_long[texts], cuts >= self.sentences[texts]
        for chosen, measure in (
            (is_whole & ~is_long, self._whole),
            (~is_whole & ~is_long, self._reduced),
            (is_long, self._one_by_one),
        ):
            rows = np.flatnonzero(chosen)
            places = gather_runs(starts[rows], lengths[rows])
            squares[places] = measure(texts[rows], cuts[rows])
        return np.sqrt(squares)

    def topics(self, text: int, count: int) -> Floats:
        """The left singular vectors of the ``count`` largest values, as columns."""
        known = self._known(text, count)
        if self._is_long[text]:
            scaled = self._matrix(text) @ known.vectors[:, :count]
        else:
            scaled = self._coordinates(np.array([text]), np.array([count])).reshape(-1, count)
        vectors: Floats = scaled / np.sqrt(known.values[:count])
        return vectors

    def _cut(self, text: int, r: int) -> tuple[int, bool]:
        values = self._known(text, r).values
        end = end_of_group(values, r)
        # Where nothing is left to cut, a group of zeros does not matter.
        return end, end > r and rank(values) > r

    def _known(self, text: int, r: int) -> Spectrum:
        """As much of a spectrum as holds ``r`` dimensions and the end of the group there.

        How much that is depends on the text and ``r`` alone: with more of it, its numbers might
        differ in the last bit.
        """
        size = int(self.sentences[text])
        if self._is_long[text]:
            for count in (_LEADING, size // FEW_OF_MANY):
                if r < count <= size // FEW_OF_MANY:
                    leading = self._leading(text, count)
                    if end_of_group(leading.values, r) < count:
                        return leading
        return self._leading(text, size)

    def _leading(self, text: int, count: int) -> Spectrum:
        key = text, count
        if key not in self._spectra:
            is_all = count == self.sentences[text]
            gram = self.gram(text)
            self._spectra[key] = decompose(gram) if is_all else decompose_leading(gram, count)
        return self._spectra[key]

    def _decompose(self, texts: Ints) -> None:
        """Decompose all of these texts that are not long, many at a time."""
        few = np.unique(texts[~self._is_long[texts]])
        sizes = self.sentences[few]
        new = np.array([key not in self._spectra for key in _both(few, sizes)], dtype=np.bool_)
        for block in cut_into_runs(self._work[few[new]], _BLOCK):
            self._decompose_few(few[new][block])

    def _decompose_few(self, texts: Ints) -> None:
        grams, sizes = Grams(self.weighted, texts), self.sentences[texts]
        for size in np.unique(sizes).tolist():
            same = np.flatnonzero(sizes == size).tolist()
            spectra = decompose(np.stack([grams.of(i) for i in same]))
            for i, values, vectors in zip(same, *spectra, strict=True):
                self._spectra[int(texts[i]), size] = Spectrum(values, vectors)

    def _whole(self, texts: Ints, cuts: Ints) -> Floats:
        """Squares of |b_i| over all dimensions: a_i A^T A a_i for row a_i, without any SVD."""
        blocks = cut_into_runs(self._work[texts], _BLOCK)
        return _joined([Grams(self.weighted, texts[block]).squares() for block in blocks])

    def _reduced(self, texts: Ints, cuts: Ints) -> Floats:
        """Squares of |b_i| over the leading dimensions: the coordinates of a_i, squared."""
        parts = []
        cells_of_texts = np.diff(self.weighted.occurrences.borders)[texts] * cuts
        for block in cut_into_runs(cells_of_texts, _BLOCK):
            rows, widths = texts[block], cuts[block]
            terms = self.bags.lengths[rows]
            cells = np.repeat(widths, terms)
            values = _joined([self._known(t, w).values[:w] for t, w in _both(rows, widths)])
            starts = np.repeat(np.cumsum(widths) - widths, terms)
            squares = self._coordinates(rows, widths) ** 2 * values[gather_runs(starts, cells)]
            term = np.repeat(np.arange(len(cells)), cells)
            sums = np.bincount(term, weights=squares, minlength=len(cells))
            parts.append(sums.astype(np.float64))
        return _joined(parts)

    def _one_by_one(self, texts: Ints, cuts: Ints) -> Floats:
        """Squares of |b_i| of long texts, from sparse matrices, some rows at a time."""
        parts = []
        for text, cut in _both(texts, cuts):
            matrix = self._matrix(text)
            is_whole = cut >= self.sentences[text]
            gram = matrix.T @ matrix if is_whole else None
            for start in range(0, matrix.shape[0], _FEW):
                rows = matrix[start : start + _FEW]
                if is_whole:
                    # Entry by entry, for sparse arrays too.
                    squares = ((rows @ gram) * rows).sum(axis=1)
                else:
                    known = self._known(text, cut)
                    squares = (rows @ known.vectors[:, :cut]) ** 2 @ known.values[:cut]
                parts.append(np.asarray(squares, np.float64).ravel())
        return _joined(parts)

    def _coordinates(self, texts: Ints, widths: Ints) -> Floats:
        """A V of each text, as wide as said, row after row and text after text."""
        terms, weights = self.weighted.occurrences, self.weighted.weights
        entries, owner = terms.entries(texts)
        width = widths[owner]
        term = terms.term[entries] - self.bags.offsets[texts][owner]
        sentence = terms.sentence[entries] - terms.first[texts][owner]
        vectors = _joined(
            [self._known(t, w).vectors[:, :w].ravel() for t, w in _both(texts, widths)]
        )
        sizes = self.sentences[texts] * widths
        at = gather_runs((np.cumsum(sizes) - sizes)[owner] + sentence * width, width)
        cells = self.bags.lengths[texts] * widths
        into = gather_runs((np.cumsum(cells) - cells)[owner] + term * width, width)
        products = np.repeat(weights[entries], width) * vectors[at]
        total = int(cells.sum())
        return np.bincount(into, weights=products, minlength=total).astype(np.float64)

    @cached_property
    def _pairs(self) -> Ints:
        """How many pairs of sentences share a term, for each text, added up over its terms."""
        holding = self.weighted.occurrences.holding
        pairs = np.concatenate([[0], np.cumsum(holding * (holding + 1) // 2)])
        return np.diff(pairs[self.bags.offsets]).astype(np.int64)

    @cached_property
    def _work(self) -> Ints:
        """About how many numbers are held to make A^T A of each text."""
        return self._pairs + self.sentences**2

    @cached_property
    def _is_long(self) -> Bools:
        """Texts that are decomposed one by one, so that what is held at once stays small."""
        return (self.sentences > _FEW) | (self._pairs > _BLOCK)

    def _matrix(self, text: int) -> Any:
        """The matrix of one text, terms by sentences; an array where it is well filled."""
        from scipy.sparse import csr_array

        terms = self.weighted.occurrences
        start, end = terms.borders[text : text + 2]
        top, bottom = self.bags.offsets[text : text + 2]
        columns = terms.sentence[start:end] - terms.first[text]
        pointer = terms.starts[top : bottom + 1] - start
        shape = int(bottom - top), int(self.sentences[text])
        matrix = csr_array((self.weighted.weights[start:end], columns, pointer), shape=shape)
        return matrix.toarray() if matrix.nnz > _WELL_FILLED * shape[0] * shape[1] else matrix


def _both(texts: Ints, numbers: Ints) -> Iterator[tuple[int, int]]:
    return zip(texts.tolist(), numbers.tolist(), strict=True)


def _joined(parts: list[Floats]) -> Floats:
    return np.concatenate(parts) if parts else np.zeros(0)
