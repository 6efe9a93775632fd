"""Length of each row of A^T A for a large sparse A, terms by sentences, without that matrix.

    |row j|^2 = a_j^T (A A^T) a_j,  a_j column j of A

Of A A^T only what stands between two terms of one sentence is asked for. Sentences have few terms
however many sentences there are, so this takes time with the length of the text, where A^T A
itself takes time with its square.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from summetry.arrays.token_tables import gather_runs
from summetry.arrays.types import Floats, Ints

# Pairs of terms that are held at once.
_BLOCK = 1_000_000
# A pair of terms is sorted and a pair of sentences is not, which takes so many times longer.
_SORTING = 8


def is_shorter_by_terms(matrix: Any) -> bool:
    """Whether pairs of terms in one sentence are fewer than pairs of sentences with one term."""
    terms = np.bincount(matrix.indices, minlength=matrix.shape[1]).astype(np.float64)
    sentences = np.diff(matrix.indptr).astype(np.float64)
    return bool(_SORTING * (terms**2).sum() < (sentences**2).sum())


def gram_row_lengths(matrix: Any) -> Floats:
    """The length of each row of A^T A; ``matrix`` is a sparse array of scipy, by rows.

    >>> from scipy.sparse import csr_array
    >>> gram_row_lengths(csr_array([[3.0, 0.0, 2.0], [4.0, 0.0, 0.0]])).round(3).tolist()
    [25.71, 0.0, 7.211]
    """
    columns = matrix.tocsc()
    starts, sizes = columns.indptr.astype(np.int64), np.diff(columns.indptr).astype(np.int64)
    squares = np.zeros(matrix.shape[1])
    for entries in _blocks(sizes[matrix.indices], matrix.indptr):
        sentence, weight = matrix.indices[entries], matrix.data[entries]
        # Each entry with every entry of its sentence.
        times = sizes[sentence]
        other = gather_runs(starts[sentence], times)
        products = np.repeat(weight, times) * columns.data[other]
        term = np.searchsorted(matrix.indptr, np.arange(entries.start, entries.stop), "right")
        pair = np.repeat(term.astype(np.int64) * matrix.shape[0], times) + columns.indices[other]
        _, place = np.unique(pair, return_inverse=True)
        between = np.bincount(place, products)
        owner = np.repeat(sentence, times)
        squares += np.bincount(owner, products * between[place], minlength=len(squares))
    return np.sqrt(squares)


def _blocks(work: Ints, pointer: Ints) -> Iterator[slice]:
    """Runs of entries of whole terms, of about ``_BLOCK`` pairs; a larger term stands alone."""
    before = np.concatenate([[0], np.cumsum(work)])[pointer]
    start = 0
    while start < len(pointer) - 1:
        end = int(np.searchsorted(before, before[start] + _BLOCK, "right")) - 1
        end = max(end, start + 1)
        yield slice(int(pointer[start]), int(pointer[end]))
        start = end
