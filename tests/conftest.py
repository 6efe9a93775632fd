"""Shared by all tests: the demo corpus, a cache that is not the user's, a real browser."""

import os
from collections import Counter
from importlib.resources import files
from itertools import count
from pathlib import Path

# As the command does, before anything loads numpy: threads that wait for each other cost CPU time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from browsers import browser, open_page  # noqa: F401
from format_checks import refusal
from hypothesis import settings
from hypothesis.internal import charmap
from hypothesis.internal.conjecture import providers
from tiny_encoders import write_static

import summetry

pytest_plugins = ["cpu_time"]

# The cases that properties are tried on are the same in every run, so a change is never blamed
# for a case that came up by chance; `make test-random` looks for such cases, and tries five times
# as many. No test is timed.
settings.register_profile("steady", derandomize=True, deadline=None, max_examples=20)
settings.register_profile("random", deadline=None, print_blob=True, max_examples=100)
settings.load_profile("steady")


def pytest_configure(config):
    """Cases have no constants from the modules that happen to be loaded: no two runs load the same.

    To look for them takes seconds in a fresh clone, too.
    """
    if config.getoption("hypothesis_profile", None) != "random":
        providers._get_local_constants = lambda: providers._local_constants


def pytest_terminal_summary(terminalreporter):
    """Say what was skipped and why, once for each reason; reasons say how to get the rest."""
    reports = terminalreporter.stats.get("skipped", [])
    counts = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in reports)
    if counts:
        terminalreporter.section("skipped")
        for reason, count in counts.most_common():
            terminalreporter.write_line(f"{count:6}  {reason}")


DEMO = Path(str(files("summetry") / "data" / "demo"))


@pytest.fixture(scope="session")
def cache_homes(tmp_path_factory):
    """Folders still to be made: a temporary one for each test costs a millisecond."""
    base = tmp_path_factory.mktemp("caches")
    return (base / str(number) for number in count())


@pytest.fixture(autouse=True)
def cache_home(cache_homes, monkeypatch):
    """Nothing is kept in the user's own cache, nor found there."""
    folder = next(cache_homes)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    return folder


@pytest.fixture(scope="session", autouse=True)
def characters():
    """Hypothesis makes a table of all characters once in a clone, which takes two seconds."""
    charmap.intervals_from_codec("utf-8")


@pytest.fixture(scope="session", autouse=True)
def static_vectors(tmp_path_factory):
    """A folder of tiny static vectors: the encoder of metrics that need one and are given none."""
    folder = write_static(tmp_path_factory.mktemp("encoders") / "static")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SUMMETRY_ENCODER", str(folder))
        yield folder


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
            pytest.skip(
                "no public data sets in ../shared/data: nothing on other machines needs them"
            )
        assert (SHARED / name).is_dir(), f"{name} is missing from the real data"
        return SHARED / name

    return find


@pytest.fixture
def refused(snapshot, tmp_path):
    """Compare with the snapshot what each case is refused with, below its name or its arguments."""

    def compare(call, cases):
        lines = []
        for case in cases:
            given = cases[case] if isinstance(cases, dict) else case
            message = refusal(call, *(given if isinstance(given, tuple) else (given,)))
            shown = " | ".join(map(str, case if isinstance(case, tuple) else (case,)))
            lines += [shown.replace("\n", r"\n"), f"  {message.replace(f'{tmp_path}/', '')}"]
        assert "\n".join(lines) == snapshot

    return compare
