"""Picking the sentences that stand for the topics of a text, best topic first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from summetry.arrays.svd import Spectrum, groups
from summetry.arrays.types import Floats

# Sizes of a sentence in a topic nearer than this are equal; topics are of length 1.
_EQUAL = 1e-9
# A size so small is only rounding, even added up over all topics.
_NOTHING = 1e-14


def pick_by_topic(spectrum: Spectrum, quota: Sequence[int]) -> list[int]:
    """So many sentences for each topic, those with the largest entries of its right vector.

    A sentence that another topic has taken is passed over. Topics of equal singular values have
    no vectors of their own and are taken together: see :func:`_pick`.
    """
    free = np.ones(len(spectrum.vectors), dtype=np.bool_)
    found: list[int] = []
    for group in groups(spectrum.values):
        wanted = min(sum(quota[group]), int(free.sum()))
        found += _pick(spectrum.vectors[:, group], wanted, free)
    return found


def _pick(
    vectors: Floats, wanted: int, free: np.ndarray[tuple[int], np.dtype[np.bool_]]
) -> list[int]:
    """``wanted`` sentences of a space, which are then no longer free.

    The first is the one with the largest projection on the space. Its direction is taken out of
    the space before the next is picked, so that all of the space is covered; when nothing is
    left of it, it starts again. With one dimension that is just the order of the entries.
    """
    found: list[int] = []
    left, sizes = vectors.copy(), _sizes(vectors)
    for _ in range(wanted):
        if not (sizes[free] > 0).any():
            left, sizes = vectors.copy(), _sizes(vectors)
        best = int(np.argmax(np.where(free, sizes, -1.0)))
        free[best] = False
        found.append(best)
        length = np.linalg.norm(left[best])
        if length > _EQUAL:
            direction = left[best] / length
            along = left @ direction
            # In a large space most sentences have nothing in this direction: they stay as they are.
            moved = np.flatnonzero(np.abs(along) > _NOTHING)
            left[moved] -= np.outer(along[moved], direction)
            sizes[moved] = _sizes(left[moved])
    return found


def _sizes(vectors: Floats) -> Floats:
    """The length of each row, those that differ only by rounding made equal."""
    found: Floats = np.round(np.sqrt((vectors**2).sum(axis=1)) / _EQUAL)
    return found
