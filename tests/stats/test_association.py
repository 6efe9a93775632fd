"""The p of a coefficient itself: by all orders written out, by scipy, and at the edges."""

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.stats import association as module
from summetry.stats.association import association, orders_of
from summetry.stats.levels import correlate

LEVELS = ("system", "summary", "global", "per_system")
COEFFICIENTS = ("pearson", "spearman", "tau_a", "tau_b")


def written_out(x, z, level, name):
    """The share of all orders with a coefficient as far from 0, each counted by itself."""
    axis = 1 if level == "per_system" else 0
    seen = correlate(x, z, level, name).value
    if math.isnan(seen):
        return math.nan
    orders = permutations(range(x.shape[axis]))
    values = [correlate(x, np.take(z, order, axis=axis), level, name).value for order in orders]
    return float(np.mean(np.abs(values) >= abs(seen) - 1e-9))


@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(1, 4), st.sampled_from(LEVELS))
def test_few_systems_are_all_orders_written_out(seed, systems, topics, level):
    rng = np.random.default_rng(seed)
    x, z = (rng.integers(0, 4, (systems, topics)).astype(float) for _ in range(2))
    for name in COEFFICIENTS:
        test = association(x, z, level, name)
        assert test.exact
        assert test.p == pytest.approx(written_out(x, z, level, name), nan_ok=True), name


def test_one_list_has_the_exact_p_of_scipy():
    from scipy import stats

    x, z = [0.2, 1.4, 0.9, 2.5, 1.1, 3.0], [1.0, 3, 2, 4, 5, 6]
    columns = np.array(x)[:, None], np.array(z)[:, None]
    exact = stats.PermutationMethod(n_resamples=np.inf)
    for name, test in {
        "pearson": stats.pearsonr(x, z, method=exact),
        "tau_b": stats.kendalltau(x, z, method="exact"),
    }.items():
        assert association(*columns, "system", name).p == pytest.approx(test.pvalue)


@pytest.mark.parametrize("level", LEVELS)
def test_drawn_orders_come_near_to_all(level):
    rng = np.random.default_rng(4)
    z = rng.normal(size=(6, 6))
    x = z + 2 * rng.normal(size=z.shape)
    for name in COEFFICIENTS:
        all_of, drawn = (association(x, z, level, name, draws=n) for n in (720, 700))
        assert all_of.exact and not drawn.exact
        # Four standard deviations of a share of 700 draws.
        assert drawn.p == pytest.approx(all_of.p, abs=0.08)
        assert drawn == association(x, z, level, name, draws=700)


def test_a_missing_cell_adds_nothing():
    """Of the second topic only two systems are left: 1 3 against 2 1 is -1."""
    x = np.array([[1.0, 1], [2, np.nan], [3, 3]])
    z = np.array([[1.0, 2], [2, 5], [3, 1]])
    # By hand, G is [[.5, 0, -.5], [0, 0, 0], [-.5, 0, .5]] + [[-.5, 0, .5], [0] * 3, [.5, 0, -.5]].
    assert association(x, z, "summary", "pearson").p == 1.0
    x[2, 1] = np.nan
    assert association(x, z, "summary", "pearson").p == pytest.approx(2 / 6)


def test_what_has_no_coefficient_has_no_p():
    flat, z = np.ones((4, 3)), np.arange(12.0).reshape(4, 3)
    for level in LEVELS:
        for name in ("pearson", "spearman", "tau_b"):
            assert math.isnan(association(flat, z, level, name).p)
        assert association(flat, z, level, "tau_a").p == 1.0


def test_too_many_cells_have_no_global_tau(monkeypatch):
    monkeypatch.setattr(module, "MOST_CELLS", 5)
    z = np.arange(6.0).reshape(3, 2)
    assert math.isnan(association(z, z, "global", "tau_b").p)
    assert association(z, z, "global", "pearson").p == pytest.approx(1 / 6)


def test_all_orders_are_different_and_drawn_ones_are_orders():
    assert len({tuple(row) for row in orders_of(4, 24, 0).tolist()}) == 24
    drawn = orders_of(4, 23, 0)
    assert drawn.shape == (23, 4) and (np.sort(drawn, axis=1) == np.arange(4)).all()
    # p is never 0.
    z = np.arange(12.0)[:, None]
    assert association(z, z, "system", "spearman", draws=50).p == 1 / 51
