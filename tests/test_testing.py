"""``summetry.testing`` and ``pytest_summetry``: the gate in a test, and the plug-in of pytest."""

import re
import tomllib
from collections import deque
from pathlib import Path
from random import Random

import pytest

from summetry import testing
from summetry.cli.main import main
from summetry.errors import SummetryError
from summetry.testing import assert_not_worse

pytest_plugins = ["pytester"]

TOPICS = 12
REFERENCES = [f"w{k} x{k} y{k} z{k} v{k}" for k in range(TOPICS)]
SAME = [f"w{k} x{k} y{k} z{k} v{k}" for k in range(TOPICS)]
# Without its last words, three of four bigrams are left, and fewer in every second text.
WORSE = [f"w{k} x{k} y{k} z{k}" if k % 2 else f"w{k} x{k} y{k}" for k in range(TOPICS)]
HEAD = f"""
import pytest
from summetry.testing import assert_not_worse
REFERENCES, SAME, WORSE = {REFERENCES!r}, {SAME!r}, {WORSE!r}
"""


@pytest.fixture(autouse=True)
def unlisted(monkeypatch):
    """What these tests compare is not listed at the end of the run that they are part of."""
    monkeypatch.setattr(testing, "comparisons", deque(maxlen=0))
    monkeypatch.setenv("PYTHONPATH", str(Path(testing.__file__).parents[1]))
    # Plug-ins of others are not tested here, and some take seconds to start.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


def run(pytester, body, *options):
    pytester.makepyfile(HEAD + body)
    return pytester.runpytest_subprocess("-p", "pytest_summetry", "--strict-markers", *options)


def test_summaries_that_are_worse_fail_and_the_comparison_of_others_comes_back():
    assert assert_not_worse(SAME, WORSE, REFERENCES)["rouge2"].against[0].difference > 0
    assert assert_not_worse(SAME, SAME, REFERENCES)["rouge2"].against[0].p == 1
    with pytest.raises(AssertionError, match=r"^new is worse than old on rouge2 by -?0\.\d+ \(.*p"):
        assert_not_worse(WORSE, SAME, REFERENCES)


def test_what_is_within_the_tolerance_passes_and_what_is_beyond_fails():
    # F of rouge2 is 6/7 and 2/3 against 1: half of both missing shares on average.
    lost = (1 / 7 + 1 / 3) / 2
    found = assert_not_worse(WORSE, SAME, REFERENCES, tolerance=lost + 0.001)
    assert found["rouge2"].against[0].difference == pytest.approx(-lost)
    with pytest.raises(AssertionError, match=r"more than 0\.2"):
        assert_not_worse(WORSE, SAME, REFERENCES, tolerance=0.2)


def test_the_decision_is_that_of_the_command(tmp_path, monkeypatch):
    """The same texts as files, for ``compare --fail-if-worse``, with random losses."""
    monkeypatch.chdir(tmp_path)
    random = Random(3)
    seen = set()
    for trial in range(6):
        new = [" ".join(t.split()[: random.randint(3, 5)]) for t in REFERENCES]
        old = [" ".join(t.split()[: random.randint(4, 5)]) for t in REFERENCES]
        for name, texts in (("new", new), ("old", old), ("references", REFERENCES)):
            (tmp_path / name).with_suffix(".txt").write_text("\n".join(texts) + "\n")
        command = ["compare", "old.txt", "new.txt", "--references", "references.txt"]
        with pytest.raises(SystemExit) as end:
            main([*command, "-m", "rouge2", "--fail-if-worse", "0.01"])
        is_failed = False
        try:
            assert_not_worse(new, old, REFERENCES, "rouge2", tolerance=0.01)
        except AssertionError:
            is_failed = True
        assert end.value.code == int(is_failed), trial
        seen.add(is_failed)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((SAME[:3], SAME, REFERENCES), r"^new: references must be .* got 12 for 3 candidates"),
        ((SAME, [*SAME[:11], None], REFERENCES), r"^old: candidates\[11\] must be a text.*missing"),
        ((SAME[:3], WORSE[:3], REFERENCES[:3]), r"^assert_not_worse: .*smallest p of 3 topics"),
        ((SAME, WORSE, REFERENCES, "length"), "does not say which direction is better"),
        (("one text", SAME, REFERENCES), "^new: candidates must be"),
        ((["a", "b"], ["a"], (), "redundancy"), "as many summaries, got 2 and 1"),
    ],
)
def test_what_cannot_be_tested_is_an_error_of_one_line(arguments, message):
    with pytest.raises(SummetryError, match=message) as error:
        assert_not_worse(*arguments)
    assert "\n" not in str(error.value) and "--" not in str(error.value)


def test_columns_and_several_references_are_taken():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"new": SAME, "old": WORSE}, index=range(5, 5 + TOPICS))
    several = [[text, "nothing of it"] for text in REFERENCES]
    assert_not_worse(frame["new"], frame["old"], several, "rouge1,rouge2")
    assert_not_worse(frame["new"], frame["old"], iter(REFERENCES))


COMPARISONS = """
def test_better():
    assert_not_worse(SAME, WORSE, REFERENCES)

def test_unclear():
    assert_not_worse([*SAME[:6], *WORSE[6:]], [*WORSE[:6], *SAME[6:]], REFERENCES)

@pytest.mark.summetry
def test_worse():
    assert_not_worse(WORSE, SAME, REFERENCES)

def test_of_something_else():
    pass
"""


def test_pytest_lists_every_comparison_with_interval_p_and_power(pytester):
    result = run(pytester, COMPARISONS)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=3, failed=1)
    start = result.outlines.index(next(x for x in result.outlines if "summaries compared" in x))
    better, unclear, worse = result.outlines[start + 1 : start + 4]
    number = r"0\.\d+ \(-?0\.\d+ to -?0\.\d+, p [=<] \S+\); 12 topics could show 0\.\d+$"
    assert re.search(r"::test_better passed: new is better than old on rouge2 by " + number, better)
    assert re.search(r"::test_unclear passed: .*the means differ by " + number, unclear)
    assert re.search(r"::test_worse failed: old is better than new on rouge2 by " + number, worse)
    assert "test_of_something_else" not in "\n".join(result.outlines[start:])


def test_a_run_without_comparisons_has_no_list_and_imports_no_engine(pytester):
    pytester.makepyfile(
        "import sys\ndef test_it():\n"
        "    assert 'pytest_summetry' in sys.modules\n"
        "    assert not {'numpy', 'scipy', 'summetry'} & set(sys.modules)\n"
    )
    result = pytester.runpytest_subprocess("-p", "pytest_summetry")
    result.assert_outcomes(passed=1)
    assert "summaries compared" not in result.stdout.str()


def test_the_marker_is_known_and_leaves_comparisons_out(pytester):
    result = run(pytester, COMPARISONS, "-m", "not summetry", "-k", "test_worse")
    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert "@pytest.mark.summetry: " in run(pytester, COMPARISONS, "--markers").stdout.str()


@pytest.mark.slow
def test_comparisons_of_other_processes_are_listed_too(pytester):
    pytest.importorskip("xdist")
    result = run(pytester, COMPARISONS, "-p", "xdist", "-n", "2", "-k", "better or unclear")
    result.assert_outcomes(passed=2)
    compared = result.stdout.str().partition("summaries compared")[2]
    assert "::test_better passed: new" in compared and "::test_unclear passed: " in compared


def test_pytest_finds_the_plug_in_of_the_installed_package():
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
    plugins = project["project"]["entry-points"]["pytest11"]
    assert plugins == {"pytest_summetry": "pytest_summetry"}


def test_pytest_does_not_rewrite_the_package_for_the_plug_in(pytester):
    """That would take a minute in a fresh clone, where the plug-in's module alone is marked."""
    pytester.makepyfile(
        "def test_it(pytestconfig):\n"
        "    hook = pytestconfig.pluginmanager.rewrite_hook\n"
        "    assert 'summetry' not in hook._must_rewrite\n"
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=1)
