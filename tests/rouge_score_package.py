"""The package rouge-score itself, where it is installed.

``ROUGE_SCORE_PYTHON`` may name an interpreter that has it; without one a test is skipped.
"""

import json
import os
import shutil
import subprocess
import sys

import pytest

_ABSENT = 77
_AROUND = f"""import json, sys
try:
    import rouge_score
except ImportError:
    sys.exit({_ABSENT})
given = json.load(sys.stdin)
{{code}}
print(json.dumps(given))"""


def run_with_rouge_score(code, given):
    """The dictionary ``given`` after ``code`` has put its results there."""
    python = os.environ.get("ROUGE_SCORE_PYTHON", sys.executable)
    if shutil.which(python) is None:
        pytest.skip(f"there is no {python}")
    command = [python, "-c", _AROUND.format(code=code)]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True)
    if done.returncode == _ABSENT:
        pytest.skip("rouge-score is not installed")
    assert not done.returncode, done.stderr
    return json.loads(done.stdout)
