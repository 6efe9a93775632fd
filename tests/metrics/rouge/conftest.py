"""Lists of a few pairs are counted on arrays here, as long ones are."""

import pytest

from summetry.engine import pairs


@pytest.fixture(autouse=True)
def short_lists_on_arrays(monkeypatch):
    """Otherwise they take the road of single pairs, whose bits `engine/test_single.py` compares."""
    monkeypatch.setattr(pairs, "_FEW", 0)
