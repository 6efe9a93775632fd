"""The log of the example of `judge` is what its script writes."""

import importlib.util
import shutil
from pathlib import Path

import pytest

from summetry.errors import SummetryWarning

DOCS = Path(__file__).parents[2] / "docs"


def test_the_log_of_the_example_can_be_written_again(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("judge_log", DOCS / "examples" / "judge_log.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    (tmp_path / "commands").mkdir()
    shutil.copy(DOCS / "commands" / "judge.md", tmp_path / "commands")
    monkeypatch.setattr(script, "HERE", tmp_path / "examples")
    (tmp_path / "examples").mkdir()
    with pytest.warns(SummetryWarning, match="'summary' is taken for the candidate"):
        script.main()
    written = (tmp_path / "examples" / "judge-log.jsonl").read_bytes()
    assert written == (DOCS / "examples" / "judge-log.jsonl").read_bytes()
