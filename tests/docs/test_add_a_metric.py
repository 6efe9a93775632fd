"""A reader who follows docs/add-a-metric.md word for word has a working metric."""

import os
import stat
import sys
from pathlib import Path

import pytest
from page_runner import blocks, commands, differences, folder_with_corpus, surroundings

PAGE = Path(__file__).parents[2] / "docs" / "add-a-metric.md"

# The reader's pip, but without the network, and into a folder that is thrown away.
PIP = """#!/bin/sh
exec "{python}" -m pip --disable-pip-version-check "$@" \
  --no-deps --no-build-isolation --no-index --target "{target}"
"""


@pytest.fixture
def reader(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """The reader's folder with the files of the page, and an environment to install into."""
    folder = folder_with_corpus(tmp_path)
    for block in blocks(PAGE):
        if block.file:
            path = folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
    target = folder / ".installed"
    pip = folder / ".bin" / "pip"
    pip.parent.mkdir()
    pip.write_text(PIP.format(python=sys.executable, target=target))
    pip.chmod(pip.stat().st_mode | stat.S_IXUSR)
    environment = surroundings(folder)
    environment["PATH"] = os.pathsep.join([str(pip.parent), environment["PATH"]])
    environment["PYTHONPATH"] = str(target)
    return folder, environment


def test_the_page_holds_the_whole_package() -> None:
    files = [block.file for block in blocks(PAGE) if block.file]
    assert files == ["summetry-novelty/pyproject.toml", "summetry-novelty/summetry_novelty.py"]
    assert any(shown.command.startswith("pip install ") for shown in commands(PAGE))


def test_the_commands_of_the_page_print_what_it_shows(
    reader: tuple[Path, dict[str, str]],
) -> None:
    wrong = differences(PAGE, *reader)
    assert not wrong, "\n\n".join(wrong)
