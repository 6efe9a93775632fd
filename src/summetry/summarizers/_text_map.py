"""A map of the sentences of a text: which of them are near each other in few dimensions.

The matrix A of terms by sentences, A = U S V^T, keeps its r largest singular values, and the
cosines of its columns are the links between sentences; one below 0 is no link. The nodes are
ranked by the sum of their links, by their number above a threshold (bushiness), or by PageRank.

Source: Yeh et al. (2005), as in Steinberger and Jezek (2009), section 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from summetry.arrays.svd import Spectrum, decompose, end_of_group, rank
from summetry.arrays.types import Floats, Ints
from summetry.arrays.walks import pagerank

# Numbers nearer than this are equal but for rounding.
_EQUAL = 1e-9


class TextMap(NamedTuple):
    """Yeh's map: the matrix in ``r`` dimensions, cosines of its columns, and three rankings."""

    reduced: Floats
    similarity: Floats
    degree: Floats
    bushiness: Ints
    textrank: Floats
    r: int


def yeh(
    matrix: Sequence[Sequence[float]] | Floats,
    r: int,
    threshold: float | Fraction = 0.3,
    damping: float = 0.85,
) -> TextMap:
    """The map of the sentences of a matrix, of which ``r`` dimensions are kept.

    >>> yeh([[2, 2, 0], [0, 1, 1], [0, 1, 2]], 3).bushiness.tolist()
    [1, 2, 1]
    """
    dense = np.asarray(matrix, np.float64)
    spectrum = decompose(dense.T @ dense)
    kept = min(end_of_group(spectrum.values, r), min(dense.shape))
    vectors = spectrum.vectors[:, :kept]
    similarity = similarities(spectrum, kept)
    links = links_of(similarity)
    return TextMap(
        dense @ vectors @ vectors.T,
        similarity,
        links.sum(axis=1),
        bushiness(links, float(threshold)),
        pagerank(links, damping),
        kept,
    )


def similarities(spectrum: Spectrum, kept: int) -> Floats:
    """Cosines of the columns of A', which are those of the rows of V S; 0 for a zero column."""
    # Beyond the rank there is nothing but rounding, whose roots could pass for small numbers.
    kept = min(kept, rank(spectrum.values))
    sentences = spectrum.vectors[:, :kept] * np.sqrt(spectrum.values[:kept])
    lengths = np.sqrt((sentences**2).sum(axis=1))
    there = lengths > _EQUAL * lengths.max(initial=0.0)
    below = np.where(there, lengths, 1.0)[:, None]
    units = np.where(there[:, None], sentences / below, 0.0)
    found: Floats = units @ units.T
    # What is nothing but rounding must not become a link.
    found[np.abs(found) < _EQUAL] = 0.0
    return found


def links_of(similarity: Floats) -> Floats:
    """The links that similarities make; none of a sentence to itself."""
    links = np.maximum(similarity, 0.0)
    np.fill_diagonal(links, 0.0)
    return links


def bushiness(links: Floats, threshold: float) -> Ints:
    """How many links of each sentence are above the threshold."""
    found: Ints = (links > threshold + _EQUAL).sum(axis=1).astype(np.int64)
    return found
