"""PageRank and HITS on weighted graphs."""

import math

import goldens
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranked_sentences import walk_oracle
from scipy.sparse import csr_array

from summetry.arrays import walks
from summetry.arrays.walks import hits, pagerank, pagerank_without_matrix
from summetry.errors import SummetryError

PAPERS = goldens.golden("papers.json")
sizes = st.integers(1, 8)
# 0 is a missing link, and there are many of them.
link_weights = st.sampled_from([0, 0, 0, 0.25, 1, 1, 3])


@st.composite
def graphs(draw, symmetric=False):
    size = draw(sizes)
    cells = draw(st.lists(link_weights, min_size=size * size, max_size=size * size))
    weights = np.array(cells, float).reshape(size, size)
    return np.triu(weights) + np.triu(weights, 1).T if symmetric else weights


@pytest.mark.skipif(not PAPERS, reason="no papers.json")
def test_golden_graphs_of_the_papers():
    cases = PAPERS["measures"]["summarizer_yeh"]["cases"]
    for case in cases:
        weights = np.array(case["expected"]["similarity"])
        np.fill_diagonal(weights, 0)
        weights[weights < 1e-9] = 0
        values = pagerank(weights, case["input"]["d"])
        assert values == pytest.approx(case["expected"]["textrank"], abs=1e-10), case["id"]
    assert cases


CHAIN = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
HIGHEST = 0.9 / 1.85
LAST = 0.075 / (1 - 0.425)


@pytest.mark.parametrize(("weights", "values"), [
    # The middle: x = 0.05 + 0.85 (1 - x), so x = 0.9 / 1.85.
    (CHAIN, [(1 - HIGHEST) / 2, HIGHEST, (1 - HIGHEST) / 2]),
    # Links have a direction, and weights are shares: 0 sends 3/4 to 1 and 1/4 to 2, which
    # send all back: x0 = .05 + .85 (x1 + x2).
    ([[0, 3, 1], [1, 0, 0], [5, 0, 0]],
     [HIGHEST, 0.05 + 0.85 * 0.75 * HIGHEST, 0.05 + 0.85 * 0.25 * HIGHEST]),
    # From a node without links the walker jumps anywhere, so that a jump from 1 may end at 1:
    # x1 = .075 + .85 (x1 / 2) and x0 = .075 + .85 (x1 / 2 + x0).
    ([[1, 0], [0, 0]], [1 - LAST, LAST]),
])  # fmt: skip
def test_pagerank_worked_by_hand(weights, values):
    assert pagerank(np.array(weights)).tolist() == pytest.approx(values)


@given(graphs(), st.sampled_from([0, 0.3, 0.85, 0.99]))
def test_pagerank_is_the_solution_of_its_equations(weights, damping):
    values = pagerank(weights, damping)
    assert values.sum() == pytest.approx(1)
    assert values.tolist() == pytest.approx(walk_oracle(weights.tolist(), damping), abs=1e-11)
    assert pagerank(csr_array(weights), damping).tolist() == pytest.approx(values.tolist())


def test_authorities_of_a_chain_worked_by_hand():
    """The eigenvector of the largest eigenvalue, root of 2, is (1, root of 2, 1)."""
    total = 2 + math.sqrt(2)
    values = hits(np.array(CHAIN)).tolist()
    assert values == pytest.approx([1 / total, math.sqrt(2) / total, 1 / total])


def hits_oracle(weights):
    """Hubs and authorities step by step from equal values.

    Steps with W + I instead of W have the same eigenvectors and do not swing between two.
    """
    values = [1.0] * len(weights)
    for _ in range(2_000):
        values = [
            v + math.fsum(map(float.__mul__, row, values))
            for v, row in zip(values, weights, strict=True)
        ]
        total = math.fsum(values)
        values = [value / total for value in values]
    return values


# Of some random graphs the two strongest parts are so alike that steps take forever; of these,
# written down, they do not.
@pytest.mark.parametrize("weights", [
    [[1, 0], [0, 2]],
    [[0, 1, 0, 2], [1, 0, 3, 0], [0, 3, 0, 1], [2, 0, 1, 0]],
    [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 0], [0, 0, 0, 0]],
    [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 3], [0, 0, 3, 0]],
    [[0, 2, 0, 0], [2, 0, 0, 0], [0, 0, 0, 2], [0, 0, 2, 0]],
    [[0, 1, 1, 1], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]],
    [[0, 2, 0, 0, 0], [2, 0, 0, 0, 0], [0, 0, 0, 1, 1], [0, 0, 1, 0, 1], [0, 0, 1, 1, 0]],
    [[0.0, 0.0], [0.0, 0.0]],
])  # fmt: skip
def test_hits_agrees_with_plain_steps(weights):
    exact = [[float(weight) for weight in row] for row in weights]
    assert hits(np.array(exact)).tolist() == pytest.approx(hits_oracle(exact), abs=1e-9)
    assert hits(csr_array(exact)).tolist() == pytest.approx(hits_oracle(exact), abs=1e-9)


@given(graphs(symmetric=True))
def test_authorities_are_an_eigenvector_of_the_largest_eigenvalue(weights):
    values = hits(weights)
    assert values.sum() == pytest.approx(1) and (values >= 0).all()
    largest = np.linalg.eigvalsh(weights).max()
    assert (weights @ values).tolist() == pytest.approx((largest * values).tolist(), abs=1e-7)


def test_large_graphs_take_another_way_to_the_same_values(monkeypatch):
    rng = np.random.default_rng(5)
    weights = np.triu(rng.random((60, 60)) * (rng.random((60, 60)) < 0.2), 1)
    weights += weights.T
    few = hits(weights)
    monkeypatch.setattr(walks, "_FEW", 10)
    assert hits(weights).tolist() == pytest.approx(few.tolist(), abs=1e-12)


def test_equal_nodes_of_a_large_graph_are_equal_to_nine_digits():
    """The first two hundred have the same links as the last two hundred."""
    rng = np.random.default_rng(6)
    block = np.triu((rng.random((200, 200)) < 0.1).astype(float), 1)
    block += block.T
    weights = np.block([[block, block], [block, block]])
    for values in (pagerank(csr_array(weights)), hits(weights)):
        assert np.abs(values[:200] - values[200:]).max() < 1e-9 * values.max() / 10


def test_graphs_without_nodes_and_of_one_node():
    empty, single = np.zeros((0, 0)), np.zeros((1, 1))
    assert pagerank(empty).tolist() == hits(empty).tolist() == []
    assert pagerank_without_matrix(np.zeros(0), lambda x: x).tolist() == []
    assert pagerank(single).tolist() == hits(single).tolist() == [1.0]


def test_a_walk_that_does_not_settle_says_so():
    with pytest.raises(SummetryError, match=r"damping=0\.9999999 has not settled after 50 steps"):
        pagerank(np.array(CHAIN), 0.9999999, most_steps=50)


@pytest.mark.parametrize("damping", [1, -0.1, math.nan, 2.5])
def test_damping_is_at_least_0_and_below_1(damping):
    message = f"damping must be at least 0 and below 1, got {damping}"
    with pytest.raises(SummetryError, match=message):
        pagerank(np.zeros((2, 2)), damping)
    with pytest.raises(SummetryError, match=message):
        pagerank_without_matrix(np.zeros(1), lambda x: x, damping)


@pytest.mark.parametrize("walk", [pagerank, hits])
def test_a_matrix_that_is_no_graph_is_refused(walk):
    with pytest.raises(SummetryError, match=r"square matrix of weights, got one of shape \(1, 2\)"):
        walk(np.zeros((1, 2)))
    for wrong in (-1.0, math.nan, math.inf):
        with pytest.raises(SummetryError, match="must be 0 or larger, and finite"):
            walk(np.array([[0, wrong], [wrong, 0]]))


@given(graphs(), st.sampled_from([0, 0.3, 0.85]))
def test_a_graph_known_by_what_it_does_has_the_same_ranks(weights, damping):
    leaving = weights.sum(axis=1)
    values = pagerank_without_matrix(leaving, lambda x: weights.T @ x, damping)
    assert values.tolist() == pagerank(weights, damping).tolist()
    assert values == pytest.approx(walk_oracle(weights, damping), abs=1e-10)
