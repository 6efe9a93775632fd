"""Shared by all tests: the demo corpus, and a cache that is not the user's."""

from importlib.resources import files
from pathlib import Path

import pytest

import summetry

DEMO = Path(str(files("summetry") / "data" / "demo"))


@pytest.fixture(autouse=True)
def cache_home(tmp_path_factory, monkeypatch):
    """Nothing is kept in the user's own cache, nor found there."""
    folder = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


@pytest.fixture(scope="session")
def demo():
    return summetry.load(DEMO)


@pytest.fixture(scope="session")
def demo_folder():
    return DEMO


SHARED = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def real_data():
    """The folder of a set of real data beside the project; absent on a user's machine."""

    def find(name):
        if not SHARED.exists():
            pytest.skip("real data are not on this machine")
        assert (SHARED / name).is_dir(), f"{name} is missing from the real data"
        return SHARED / name

    return find
