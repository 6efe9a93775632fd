"""Singular values and vectors of a matrix A of terms by sentences, from its A^T A.

A = U S V^T is never computed as such. The sentences are few, so V are the eigenvectors of A^T A
and the squares of the singular values its eigenvalues; U is A V / S where it is needed at all.
Squares lose what is below a millionth of the largest singular value, which counts as 0 here.

Vectors that belong to equal singular values are any basis of their space, another one on another
machine. Values nearer than a billionth of the largest count as equal, and whatever is made of
vectors here takes all of such a group or none, so that neither the basis nor the sign matters.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from summetry.arrays.threads import scipy_on_one_thread
from summetry.arrays.types import Floats
from summetry.errors import SummetryError

# Singular values whose difference, relative to the largest, is not above this are equal.
EQUAL = 1e-9
# Eigenvalues of A^T A below this share of the largest cannot be distinguished from 0.
_NOTHING = 1e-12
# Where at most one value in this many is asked for, ARPACK is faster than all of them at once.
FEW_OF_MANY = 40
# All dimensions of more sentences would take gigabytes and minutes.
MOST_SENTENCES = 8_000


class Spectrum(NamedTuple):
    """Squares of singular values, largest first, and their right vectors as columns."""

    values: Floats
    vectors: Floats


def decompose(gram: Any) -> Spectrum:
    """All of A^T A, given as an array or a sparse matrix."""
    values, vectors = np.linalg.eigh(_dense(gram), UPLO="U")
    return _largest_first(values, vectors)


def decompose_leading(gram: Any, count: int) -> Spectrum:
    """The ``count`` largest values of a large A^T A with their vectors."""
    with scipy_on_one_thread():
        return _largest_first(*_leading(gram, count))


def _leading(gram: Any, count: int) -> tuple[Floats, Floats]:
    """Values and vectors as scipy finds them, smallest first."""
    from scipy.linalg import eigh
    from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

    size = gram.shape[0]
    if count * FEW_OF_MANY <= size:
        start = np.random.default_rng(0).random(size)
        try:
            values, vectors = eigsh(gram, count, which="LA", v0=start)
            # The method can overlook that a value is there twice. Then it is the largest one of
            # what is left when all that was found is taken away.
            rest = LinearOperator(
                (size, size), lambda x: gram @ x - vectors @ (values * (vectors.T @ x)), dtype=float
            )
            left = eigsh(rest, 1, which="LA", v0=start, tol=1e-6, return_eigenvectors=False)
            if left[0] <= values.min() * (1 + EQUAL):
                order = np.argsort(values, kind="stable")
                return values[order], vectors[:, order]
        except ArpackError:
            pass  # Too many values too near to each other: the way that always works follows.
    first = max(size - count, 0)
    pairs: tuple[Floats, Floats] = eigh(
        _dense(gram), lower=False, subset_by_index=[first, size - 1]
    )
    return pairs


def rank(values: Floats) -> int:
    """How many of the squares of singular values are more than rounding."""
    return int(np.count_nonzero(values > _NOTHING * values[0])) if len(values) else 0


def end_of_group(values: Floats, r: int) -> int:
    """``r``, or more where the values before and after the cut are equal.

    >>> end_of_group(np.array([9.0, 4.0, 4.0, 1.0]), 2)
    3
    """
    if not 0 < r < len(values):
        return r
    singular = np.sqrt(values)
    apart = singular[r - 1 : -1] - singular[r:] > EQUAL * singular[0]
    return r + int(np.argmax(apart)) if apart.any() else len(values)


def groups(values: Floats) -> list[slice]:
    """The dimensions that are not null, in runs of equal singular values.

    >>> groups(np.array([9.0, 4.0, 4.0, 0.0]))
    [slice(0, 1, None), slice(1, 3, None)]
    """
    runs, start, last = [], 0, rank(values)
    while start < last:
        end = min(end_of_group(values, start + 1), last)
        runs.append(slice(start, end))
        start = end
    return runs


def _dense(gram: Any) -> Floats:
    size = gram.shape[-1]
    if size > MOST_SENTENCES:
        raise SummetryError(
            f"the dimensions of a text are found all together for up to {MOST_SENTENCES:,} "
            f"sentences, and this one has {size:,}; ask for few of them, or cut the text into parts"
        )
    return gram if isinstance(gram, np.ndarray) else gram.toarray()


def _largest_first(values: Floats, vectors: Floats) -> Spectrum:
    # A^T A has no negative eigenvalue; what looks like one is rounding.
    return Spectrum(np.maximum(values[..., ::-1], 0.0), vectors[..., ::-1])
