"""The blocks of a page, and running its commands as a reader would."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple

import summetry

# A block whose fence is longer may hold blocks with shorter ones.
_BLOCK = re.compile(r"^(`{3,})(\w*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_FILE_NAME = re.compile(r"`([\w./-]+)`:?\s*\Z")


class Block(NamedTuple):
    """A code block: its language, its lines, and the file it is when the line above names one."""

    language: str
    text: str
    file: str


class Shown(NamedTuple):
    """A command of a page and the output that the page shows for it."""

    command: str
    output: list[str]


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _BLOCK.finditer(text):
        named = _FILE_NAME.search(text[: match.start()].rstrip().rpartition("\n")[2])
        found.append(Block(match[2], match[3], named[1] if named else ""))
    return found


def commands(page: Path) -> list[Shown]:
    """The commands of a page's console blocks, in order."""
    found: list[Shown] = []
    for block in blocks(page):
        if block.language != "console":
            continue
        lines = block.text.splitlines()
        assert lines and lines[0].startswith("$ "), f"{page}: a console block begins with '$ '"
        for line in lines:
            if line.startswith("$ "):
                found.append(Shown(line[2:], []))
            else:
                found[-1].output.append(line)
    return found


def surroundings(folder: Path) -> dict[str, str]:
    """The environment in which every command of every page gives the same output."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("SUMMETRY_", "PYTHON"))}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    settled = {"COLUMNS": "100", "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "PATH": path}
    # The package that is tested, which need not be the one that is installed.
    settled["PYTHONPATH"] = str(Path(summetry.__file__).parents[1])
    return kept | settled | {"XDG_CACHE_HOME": str(folder / ".cache")}


def run(command: str, folder: Path, environment: Mapping[str, str]) -> list[str]:
    """What a command prints, both streams as they come, without blanks at the ends of lines."""
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
    )
    return trimmed(done.stdout.decode("utf-8").splitlines())


def trimmed(lines: list[str]) -> list[str]:
    """Lines without blanks at their ends, and without empty lines before and after them."""
    lines = [line.rstrip() for line in lines]
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    return lines


def agrees(found: list[str], shown: list[str]) -> bool:
    """Whether an output is what a page shows; ``...`` stands for any number of lines."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + "\n"
        for line in trimmed(shown)
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in found)) is not None


def differences(
    page: Path, folder: Path, environment: Mapping[str, str] | None = None
) -> list[str]:
    """Run the commands of a page in order and say where the page shows something else."""
    environment = environment or surroundings(folder)
    found = []
    for command, shown in commands(page):
        output = run(command, folder, environment)
        if not agrees(output, shown):
            told = [f"$ {command}", "-- the page shows:", *shown, "-- the program prints:", *output]
            found.append("\n".join(told))
    return found


def folder_with_corpus(folder: Path) -> Path:
    """A folder that holds the demo corpus as ``corpus``."""
    with as_file(files("summetry") / "data" / "demo") as demo:
        shutil.copytree(demo, folder / "corpus")
    return folder
