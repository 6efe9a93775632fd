"""Quantiles of Student's t beside those of scipy."""

import numpy as np
import pytest
from scipy.special import stdtrit

from summetry.arrays.t_quantiles import t_quantiles

DEGREES = np.array([*range(1, 60), 299, 999, 1000, 10**4, 10**5, 10**6, 10**8])


@pytest.mark.parametrize("probability", [0.55, 0.9, 0.95, 0.975, 0.995, 0.9995])
def test_quantiles_are_those_of_scipy(probability):
    found = t_quantiles(DEGREES, probability)
    assert np.allclose(found, stdtrit(DEGREES, probability), rtol=5e-12, atol=0)


def test_the_shape_is_kept_and_less_than_one_degree_counts_as_one():
    found = t_quantiles(np.array([[0, 1], [2, 2]]), 0.975)
    assert found.shape == (2, 2) and found[0, 0] == found[0, 1] and found[1, 0] == found[1, 1]
