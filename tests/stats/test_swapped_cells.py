"""Swaps over all cells: against sums over all pairs, and against each way counted by itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.stats import swapped_cells
from summetry.stats.dependent import swapped
from summetry.stats.swapped_cells import (
    count_below,
    deltas_of_cells,
    doubled_ranks,
    rank_sums,
    sign_sums,
)

COEFFICIENTS = ["pearson", "spearman", "tau_a", "tau_b"]


@st.composite
def orders(draw, lists=3):
    size = draw(st.integers(0, 9))
    small = st.lists(st.integers(0, 5), min_size=size, max_size=size)
    return [np.array(draw(small), np.int64) for _ in range(lists)]


@given(orders(1), st.integers(0, 9), st.integers(0, 7))
def test_what_is_below_is_counted_one_by_one(values, first, limit):
    (values,) = values
    first = min(first, len(values))
    found = count_below(values, np.array([first]), np.array([limit]))
    assert found.tolist() == [int((values[:first] < limit).sum())]


@given(orders())
def test_sums_of_signs_are_those_of_all_pairs(given_orders):
    own, others, people = given_orders
    pairs = np.sign(people[:, None] - people) * np.sign(own[:, None] - others)
    assert sign_sums(own, others, people).tolist() == pairs.sum(axis=1).tolist()


@given(orders())
def test_sums_of_ranks_are_those_of_all_pairs(given_orders):
    own, others, people = given_orders
    ranks = doubled_ranks(people)
    assert ranks.tolist() == np.sign(people[:, None] - people).sum(axis=1).tolist()
    pairs = (ranks[:, None] - ranks) * np.sign(own[:, None] - others)
    assert rank_sums(own, others, ranks).tolist() == pairs.sum(axis=1).tolist()


def sides(deltas, real):
    """On which side of the real delta, and of its negative, each one is; NaN is a side of its own.

    What is as near as rounding goes lies on neither.
    """
    apart = np.stack([deltas - real, deltas + real])
    found = np.where(np.abs(apart) < 1e-10, 0, np.sign(apart))
    return np.where(np.isnan(deltas), 9, found).tolist()


def check(x, y, z, seed, ways=60):
    swaps = np.random.default_rng(seed).integers(0, 2, (len(z), ways)).astype(np.int8)
    swaps[:, 0] = 0
    found = deltas_of_cells(x, y, z, COEFFICIENTS, swaps)
    for name in COEFFICIENTS:
        columns = (of[:, None] for of in (x, y, z))
        one_by_one = swapped(*columns, "input", name, swaps.T[:, :, None].astype(bool))
        assert found[name][0] == pytest.approx(one_by_one[0], abs=1e-12, nan_ok=True)
        if not np.isnan(one_by_one[0]):
            real = one_by_one[0]
            assert sides(found[name], real) == sides(one_by_one, real), name


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(0, 2))
def test_every_way_is_on_its_side(seed, size, digits):
    """With no digits there are many ties, with two there are few."""
    rng = np.random.default_rng(seed)
    z = np.round(rng.normal(size=size), digits)
    x, y = (np.round(z + rng.normal(size=size), digits) for _ in range(2))
    check(x, y, z, seed)


@pytest.mark.parametrize("exact", [1, 1 << 24])
def test_many_cells_and_few_rows_at_a_time(monkeypatch, exact):
    """In 64 bits where sums may be too large for 32."""
    monkeypatch.setattr(swapped_cells, "EXACT", exact)
    monkeypatch.setattr(swapped_cells, "ROWS", 7)
    monkeypatch.setattr(swapped_cells, "STEP", 1)
    rng = np.random.default_rng(5)
    z = rng.integers(1, 6, 50).astype(float)
    x, y = np.round(z + rng.normal(size=50)), np.round(z + rng.normal(size=50), 1)
    check(x, y, z, 5)


def test_where_the_linear_part_decides_no_pairs_are_added_up(monkeypatch):
    monkeypatch.setattr(swapped_cells, "_of_pairs", None)
    rng = np.random.default_rng(6)
    z = rng.integers(1, 6, 40).astype(float)
    check(z + rng.normal(size=40), z + rng.normal(size=40), z, 6)


def test_without_cells_there_is_no_delta():
    nothing = np.zeros(0)
    found = deltas_of_cells(nothing, nothing, nothing, COEFFICIENTS, np.zeros((0, 3), np.int8))
    assert all(np.isnan(of_ways).all() and len(of_ways) == 3 for of_ways in found.values())
