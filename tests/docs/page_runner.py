"""The blocks of a page, and running its commands as a reader would."""

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from collections.abc import Mapping
from importlib.resources import as_file, files
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import pytest

import summetry
from summetry.cli.main import main

# A block whose fence is longer may hold blocks with shorter ones.
_BLOCK = re.compile(r"^(`{3,})(\w*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_FILE_NAME = re.compile(r"`([\w./-]+)`:?\s*\Z")
_QUOTED = re.compile(r"""'[^']*'|"[^"$`\\]*\"""")
_EXIT_CODE = '; echo "exit code $?"'
# Blocks of these kinds are files that a reader has, if the line above names one.
_DATA = ("csv", "tsv", "json", "jsonl", "xml", "text")
_FOR_A_SHELL = re.compile(r"[|&;<>(){}$`*?~#\\]")


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
    in_order = []
    for match in _BLOCK.finditer(text):
        named = _FILE_NAME.search(text[: match.start()].rstrip().rpartition("\n")[2])
        in_order.append(Block(match[2], match[3], named[1] if named else ""))
    return in_order


def commands(page: Path) -> list[Shown]:
    """The commands of a page's console blocks, in order."""
    in_order: list[Shown] = []
    for block in blocks(page):
        if block.language != "console":
            continue
        lines = block.text.splitlines()
        assert lines and lines[0].startswith("$ "), f"{page}: a console block begins with '$ '"
        for line in lines:
            if line.startswith("$ "):
                in_order.append(Shown(line[2:], []))
            else:
                in_order[-1].output.append(line)
    return in_order


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


def run_here(command: str, environment: Mapping[str, str]) -> list[str]:
    """As :func:`run` in the current folder, without the seconds that a new process takes."""
    plain, shows_code, _ = command.partition(_EXIT_CODE)
    both = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with (
        open(os.devnull) as nothing,  # noqa: PTH123
        mock.patch.dict(os.environ, environment, clear=True),
        mock.patch.object(sys, "stdin", nothing),
        # How far work is gets said on a slow machine only, and no page shows it.
        mock.patch("summetry.cli._progress._BETWEEN_LINES", 3600.0),
        warnings.catch_warnings(),
        contextlib.redirect_stdout(both),
        contextlib.redirect_stderr(both),
        pytest.raises(SystemExit) as end,
    ):
        main(shlex.split(plain)[1:])
    lines = both.buffer.getvalue().decode("utf-8").splitlines()  # type: ignore[attr-defined]
    return trimmed([*lines, f"exit code {end.value.code}"] if shows_code else lines)


def is_plain(command: str) -> bool:
    """Whether a command is one call of ours, and nothing in it is for a shell to do."""
    bare = _QUOTED.sub("", command.removesuffix(_EXIT_CODE))
    return bare.startswith("summetry ") and not _FOR_A_SHELL.search(bare)


def trimmed(lines: list[str]) -> list[str]:
    """Lines without blanks at their ends, and without empty lines before and after them."""
    lines = [line.rstrip() for line in lines]
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    return lines


def agrees(output: list[str], shown: list[str]) -> bool:
    """Whether an output is what a page shows; ``...`` stands for any number of lines."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line) + "\n"
        for line in trimmed(shown)
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in output)) is not None


def differences(
    page: Path, folder: Path, environment: Mapping[str, str] | None = None
) -> list[str]:
    """Run the commands of a page in order and say where the page shows something else.

    Commands that need no shell run in this process, whose current folder must be ``folder``,
    unless the page has an environment of its own.
    """
    settled = environment or surroundings(folder)
    if environment is None:
        write_data(page, folder)
    wrong = []
    for command, shown in commands(page):
        is_here = environment is None and is_plain(command)
        output = run_here(command, settled) if is_here else run(command, folder, settled)
        if not agrees(output, shown):
            lines = [f"$ {command}", "-- the page shows:", *shown]
            wrong.append("\n".join([*lines, "-- the program prints:", *output]))
    return wrong


def write_data(page: Path, folder: Path) -> None:
    """Write the files of data that the reader of a page has before its first example.

    Those that are too long for a page are in ``docs/examples``, and begin with the page's name.
    """
    for file in (page.parents[1] / "examples").glob(f"{page.stem}-*"):
        shutil.copy(file, folder)
    for block in blocks(page):
        if block.file and block.language in _DATA:
            (folder / block.file).write_text(block.text, encoding="utf-8")


def folder_with_corpus(folder: Path) -> Path:
    """A folder that holds the demo corpus as ``corpus``."""
    with as_file(files("summetry") / "data" / "demo") as demo:
        shutil.copytree(demo, folder / "corpus")
    return folder
