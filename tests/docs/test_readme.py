"""The README: it fits a screen, and its commands and lines of Python give what it shows."""

import doctest
from pathlib import Path

from page_runner import commands, differences, folder_with_corpus

README = Path(__file__).parents[2] / "README.md"


def test_the_commands_print_what_is_shown(tmp_path: Path) -> None:
    tour = tmp_path / "summetry-demo"
    tour.mkdir()
    folder_with_corpus(tour)
    assert not differences(commands(README), tmp_path)


def test_the_python_gives_what_is_shown() -> None:
    failed, tried = doctest.testfile(str(README), module_relative=False)
    assert tried >= 3 and not failed


def test_what_it_is_and_how_it_is_installed_come_first_and_fit_a_screen() -> None:
    text = README.read_text(encoding="utf-8")
    first = text.partition("\n## ")[0].splitlines()
    assert len(first) <= 50
    assert "make demo" in "\n".join(first[:12])
    # It is on no package index.
    assert "pip install summetry" not in text
