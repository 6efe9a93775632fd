"""Memory that does not grow with the table: measured in fresh processes, so it takes a while."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parent.parent / "benchmarks" / "memory.py"


@pytest.mark.slow
def test_ten_times_the_pairs_take_the_same_memory():
    command = [sys.executable, str(BENCHMARK), "--pairs", "20000", "200000", "--no-write"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stdout + done.stderr
