"""Tests once more on other roads: a library that checks every address and sum, and plain Python.

The compiler's sanitizers end the program at the first byte outside of an array, use of freed memory
or undefined arithmetic, where the library that ships might go on with a wrong number.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from built_kernels import KERNEL, ROOT, build_script, environment

from summetry.arrays.kernel.built_from import fingerprint

pytestmark = pytest.mark.slow
HATCH_BUILD = build_script()
TESTS = ROOT / "tests"
# Properties of what the kernel counts, on cases that are drawn. Tests that compare it with plain
# Python (tests/kernel_roads.py) are taken wherever they are.
PROPERTIES = ("arrays/test_token_tables.py", "arrays/test_sequences.py", "text/test_pipeline.py",
              "metrics/rouge/", "metrics/graphs/")  # fmt: skip
CHECKS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g"]
# Reads offsets behind the end of the array that it is given.
OUTSIDE = """
import numpy as np
from summetry.arrays import kernel
few = np.zeros(2, dtype=np.int64)
offsets = np.array([0, 100_000])
kernel.call("spell_tokens", few, offsets, 1, few, few, few, few)
"""


def chosen_tests():
    """The files of tests that call the kernel with cases that were drawn."""
    for path in sorted(TESTS.rglob("test_*.py")):
        place = path.relative_to(TESTS).as_posix()
        if "given(" in (text := path.read_text()) and (
            place.startswith(PROPERTIES) or "kernel_roads" in text
        ):
            yield place


@pytest.fixture(scope="module")
def sanitized(tmp_path_factory):
    """The variables under which Python calls a library with the checks in it."""
    folder = tmp_path_factory.mktemp("a library")
    compiler = [word for word in HATCH_BUILD.find_cc() if word != "-s"]
    if not compiler:
        pytest.skip("there is no C compiler here")
    ask = [*compiler, "-print-file-name=libasan.so"]
    runtime = subprocess.run(ask, capture_output=True, text=True).stdout.strip()
    if not Path(runtime).is_absolute():
        pytest.skip("the C compiler has no address sanitizer that Python can load")
    number = f"-DSUMMETRY_SOURCES={fingerprint(ROOT / KERNEL)}"
    sources = map(str, sorted((ROOT / KERNEL).glob("*.c")))
    arguments = [*HATCH_BUILD.FLAGS, *CHECKS, number, "-o", "library", *sources]
    HATCH_BUILD.run(compiler, arguments, folder)
    return {
        "SUMMETRY_KERNEL": str(folder / "library"),
        "LD_PRELOAD": runtime,
        "ASAN_OPTIONS": "detect_leaks=0",  # Python itself keeps memory until its end
        "PYTHONMALLOC": "malloc",  # each object has an edge of its own
        "PYTHONPATH": str(ROOT / "src"),
    }


def run(variables, *arguments):
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True,
                          env=environment(compiler=True, **variables))  # fmt: skip


def assert_passing(variables, chosen, *options):
    done = run(variables, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, *chosen)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    assert " passed" in done.stdout


def test_a_byte_outside_is_noticed(sanitized):
    done = run(sanitized, "-c", OUTSIDE)
    assert done.returncode and "AddressSanitizer" in done.stderr


def test_properties_hold_under_the_sanitizers(sanitized):
    chosen = [f"tests/{place}" for place in chosen_tests()]
    wanted = {"tests/metrics/rouge/test_subsequences.py", "tests/arrays/test_token_tables.py"}
    assert wanted <= {*chosen}
    assert_passing(sanitized, chosen, "-m", "hypothesis and not slow")


def test_golden_files_hold_in_plain_python():
    """Where no library is compiled there are the same values."""
    plain = {"SUMMETRY_KERNEL": "plain", "PYTHONPATH": str(ROOT / "src")}
    assert_passing(plain, [], "-m", "not slow", "-k", "golden and not compiled")
