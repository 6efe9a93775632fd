"""Random walks on weighted graphs: which nodes a walker visits most.

A graph is a square matrix of weights, none of them negative: entry (i, j) is the weight of the
link from node i to node j, 0 where there is none. Sparse matrices of scipy and plain arrays will
both do.

    PageRank:  x_j = (1 - d) / n + d * sum_i x_i w_ij / sum_k w_ik
    HITS:      x = W x / l, with the largest l for which there is such an x

Sources: Brin and Page (1998); Kleinberg (1999); for weights Mihalcea and Tarau (2004).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from summetry.arrays.threads import scipy_on_one_thread
from summetry.arrays.types import Floats
from summetry.errors import SummetryError

# The sum of what the values may be wrong by.
TOLERANCE = 1e-12
MOST_STEPS = 100_000
# Components that differ less, relative to the largest, count as equally strong.
_EQUAL = 1e-9
# Up to this many nodes, all eigenvectors are found faster than one of them step by step.
_FEW = 300


def pagerank(weights: Any, damping: float = 0.85, most_steps: int = MOST_STEPS) -> Floats:
    """The share of its time that a walker spends at each node; the shares add up to 1.

    With probability ``damping`` the walker follows a link, chosen by weight, else it jumps to
    any node. From a node without links it always jumps. For graphs without direction that is
    the formula of TextRank, ``(1 - d) + d * ...``, divided by its sum.

    >>> pagerank(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])).round(4).tolist()
    [0.2568, 0.4865, 0.2568]
    """
    _size(weights)
    leaving = np.asarray(weights.sum(axis=1), np.float64).ravel()
    incoming = weights.T
    return pagerank_without_matrix(leaving, lambda x: incoming @ x, damping, most_steps)


def pagerank_without_matrix(
    leaving: Floats,
    arriving: Callable[[Floats], Floats],
    damping: float = 0.85,
    most_steps: int = MOST_STEPS,
) -> Floats:
    """The same for a graph that is too large to be held, known by what it does.

    ``leaving`` is the sum of the weights of each node's links; ``arriving(x)`` gives, for each
    node j, the sum of x_i w_ij over all nodes i.

    >>> links = np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])
    >>> pagerank_without_matrix(links.sum(axis=1), lambda x: x @ links).round(4).tolist()
    [0.2568, 0.4865, 0.2568]
    """
    check_damping(damping)
    size = len(leaving)
    if not size:
        return np.zeros(0)
    stuck = leaving == 0
    shares = np.divide(1.0, leaving, out=np.zeros(size), where=~stuck)
    ranks: Floats = np.full(size, 1 / size)
    # After so many steps the values cannot be wrong by more than the tolerance.
    enough = math.ceil(math.log(TOLERANCE / 2) / math.log(damping)) if damping else 1
    for _ in range(min(enough, most_steps)):
        jumping = 1 - damping + damping * ranks[stuck].sum()
        moved = damping * arriving(ranks * shares) + jumping / size
        change = float(np.abs(moved - ranks).sum())
        ranks = moved / moved.sum()
        # Each step brings the values nearer by the factor d, so what is still to come is known.
        if change * damping <= TOLERANCE * (1 - damping):
            return ranks
    if enough > most_steps:
        raise SummetryError(
            f"the walk with damping={damping} has not settled after {most_steps:,} steps; "
            f"choose a damping that is further from 1, such as 0.85"
        )
    return ranks


def hits(weights: Any) -> Floats:
    """The authority of each node of a graph without direction; they add up to 1.

    ``weights`` is symmetric, so hubs and authorities are the same: the eigenvector of the
    largest eigenvalue. Where parts of the graph are not linked, only the strongest part has
    any authority; equally strong ones share it as the iteration from equal values does.

    >>> hits(np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])).round(4).tolist()
    [0.2929, 0.4142, 0.2929]
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    size = _size(weights)
    if not size:
        return np.zeros(0)
    links = csr_array(weights, dtype=np.float64)
    _, part_of = connected_components(links, directed=False)
    parts = np.split(np.argsort(part_of, kind="stable"), np.cumsum(np.bincount(part_of))[:-1])
    alone = links.diagonal()
    strongest = [
        _strongest(links[part][:, part]) if len(part) > 1 else (alone[part[0]], np.ones(1))
        for part in parts
    ]
    most = max(strength for strength, _ in strongest)
    authority: Floats = np.zeros(size)
    for part, (strength, vector) in zip(parts, strongest, strict=True):
        if strength >= most * (1 - _EQUAL):
            authority[part] = vector * vector.sum()
    authority /= authority.sum()
    return authority


def check_damping(damping: float) -> None:
    if not 0 <= damping < 1:
        raise SummetryError(f"damping must be at least 0 and below 1, got {damping}")


def _size(weights: Any) -> int:
    """The number of nodes, once it is sure that the matrix is one of weights."""
    shape = weights.shape
    if len(shape) != 2 or shape[0] != shape[1]:
        raise SummetryError(f"a graph needs a square matrix of weights, got one of shape {shape}")
    # The comparison is false for NaN too.
    if shape[0] and not (weights.min() >= 0 and weights.max() < math.inf):
        raise SummetryError("the weights of a graph must be 0 or larger, and finite")
    return int(shape[0])


def _strongest(links: Any) -> tuple[float, Floats]:
    """The largest eigenvalue of a connected graph and its vector, of length 1.

    All entries of that vector have one sign (Perron and Frobenius), so sizes are enough.
    """
    if links.shape[0] <= _FEW:
        values, vectors = np.linalg.eigh(links.toarray())
        place = int(np.argmax(values))
        return float(values[place]), np.abs(vectors[:, place])
    from scipy.sparse.linalg import ArpackNoConvergence, eigsh

    try:
        with scipy_on_one_thread():
            values, vectors = eigsh(links, k=1, which="LA", v0=np.ones(links.shape[0]))
    except ArpackNoConvergence:
        raise SummetryError(
            f"HITS did not settle on a graph of {links.shape[0]:,} nodes; use PageRank"
        ) from None
    return float(values[0]), np.abs(vectors[:, 0])
