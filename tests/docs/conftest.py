"""Makes ``page_runner`` importable, and a folder to run examples in."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def corpus_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder for one test: fresh, with the demo corpus as ``corpus``."""
    from page_runner import folder_with_corpus

    folder = folder_with_corpus(tmp_path)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / ".cache"))
    return folder
