"""The package rouge-score itself, where it is installed.

``ROUGE_SCORE_PYTHON`` may name an interpreter that has it; without one a test is skipped.
"""

import json
import os
import shutil
import subprocess
import sys
from typing import Any

import pytest

_AROUND = "import json, sys\ngiven = json.load(sys.stdin)\n{code}\nprint(json.dumps(given))"


def run_with_rouge_score(code: str, given: dict[str, Any]) -> dict[str, Any]:
    """The dictionary ``given`` after ``code`` has put its results there."""
    python = os.environ.get("ROUGE_SCORE_PYTHON", sys.executable)
    if shutil.which(python) is None:
        pytest.skip(f"there is no {python}")
    if subprocess.run([python, "-c", "import rouge_score"], capture_output=True).returncode:
        pytest.skip("rouge-score is not installed")
    done = subprocess.run(
        [python, "-c", _AROUND.format(code=code)],
        input=json.dumps(given),
        capture_output=True,
        text=True,
    )
    assert not done.returncode, done.stderr
    results: dict[str, Any] = json.loads(done.stdout)
    return results
