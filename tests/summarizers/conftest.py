"""Support vector machines of scikit-learn."""

import pytest


@pytest.fixture(scope="session")
def svm():
    """Loaded for all tests: it takes more than a second, for which no single test should pay."""
    return pytest.importorskip("sklearn.svm")
