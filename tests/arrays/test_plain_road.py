"""All golden files once more where no library is compiled: plain Python has the same values."""

import subprocess
import sys

import pytest
from built_kernels import ROOT, environment

pytestmark = pytest.mark.slow


def test_golden_files_hold_in_plain_python():
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow"]
    done = subprocess.run(
        [*command, "-k", "golden and not compiled"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env=environment(compiler=True, SUMMETRY_KERNEL="plain", PYTHONPATH=str(ROOT / "src")),
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert " passed" in done.stdout
