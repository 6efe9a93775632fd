"""A reader who follows docs/add-a-metric.md word for word has a working metric."""

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from page_runner import blocks, commands, differences, folder_with_corpus, surroundings

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "add-a-metric.md"
FILES = {block.file: block.text for block in blocks(PAGE) if block.file}

# The reader's pip, but without the network, and into a folder that is thrown away.
PIP = """#!/bin/sh
exec "{python}" -m pip --disable-pip-version-check "$@" \
  --no-deps --no-build-isolation --no-index --no-compile --target "{target}"
"""


def write_files(folder: Path, names: list[str]) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FILES[name], encoding="utf-8")


@pytest.fixture
def reader(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """The reader's folder with the files of the page, and an environment to install into."""
    folder = folder_with_corpus(tmp_path)
    write_files(folder, list(FILES))
    target = folder / ".installed"
    pip = folder / ".bin" / "pip"
    pip.parent.mkdir()
    pip.write_text(PIP.format(python=sys.executable, target=target))
    pip.chmod(pip.stat().st_mode | stat.S_IXUSR)
    environment = surroundings(folder)
    environment["PATH"] = os.pathsep.join([str(pip.parent), environment["PATH"]])
    environment["PYTHONPATH"] = os.pathsep.join([str(target), environment["PYTHONPATH"]])
    return folder, environment


@pytest.mark.parametrize("is_whole", [False, pytest.param(True, marks=pytest.mark.install)])
def test_the_commands_of_the_page_print_what_it_shows(
    reader: tuple[Path, dict[str, str]], is_whole: bool
) -> None:
    shown = commands(PAGE)
    if not is_whole:
        # Down to the first package to install.
        shown = shown[: next(k for k, one in enumerate(shown) if "pip install" in one.command)]
    wrong = differences(shown, *reader)
    assert shown and not wrong, "\n\n".join(wrong)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the three files that the page names, and no other change."""
    copy = tmp_path_factory.mktemp("checkout")
    for part in ("src", "docs", "tests"):
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    plugged_in = FILES["summetry-novelty/summetry_novelty.py"]
    own = plugged_in.replace("import (\n    Better", "import (\n    METRICS,\n    Better")
    own = own.replace("@dataclass(frozen=True)\n", "@METRICS.register\n@dataclass(frozen=True)\n")
    assert own.count("METRICS") == 2
    (copy / "src/summetry/metrics/novelty.py").write_text(own, encoding="utf-8")
    write_files(copy, ["docs/metrics/novelty.md", "tests/metrics/test_novelty.py"])
    return copy


@pytest.mark.install
def test_a_metric_inside_the_package_needs_no_other_file(checkout: Path) -> None:
    """Every test that is about the new metric, or about all of them at once, run on the copy."""
    tests = ["tests/metrics/test_novelty.py", "tests/metrics/test_every_metric.py"]
    tests += ["tests/docs/test_pages.py", "tests/cli/test_listings.py"]
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", *tests]
    command += ["-k", "novelty or no_page_describes or index or every_metric_is_listed"]
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    done = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    passed = re.findall(r"::test_(\S+) PASSED", done.stdout)
    listed = "every_metric_is_listed_under_its_family_and_text_quality_first"
    assert {"describes_itself[novelty]", listed} <= set(passed)
    assert "the_commands_of_a_page_print_what_it_shows[metrics/novelty.md]" in passed


@pytest.mark.parametrize("check", [["check"], ["format", "--check"]])
def test_the_files_inside_the_package_are_in_shape(checkout: Path, check: list[str]) -> None:
    files = ["src/summetry/metrics/novelty.py", "tests/metrics/test_novelty.py"]
    command = [sys.executable, "-m", "ruff", *check, "--no-cache", *files]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
