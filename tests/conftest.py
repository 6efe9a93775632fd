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
