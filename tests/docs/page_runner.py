"""The blocks of a page, and running its commands as a reader would."""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import pytest

import summetry
from summetry.cli.main import main

# A block whose fence is longer may hold blocks with shorter ones.
_BLOCK = re.compile(r"^(`{3,})(\w*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_FILE_NAME = re.compile(r"`([\w./-]+)`:?\s*\Z")
# Blocks of these kinds are files that a reader has, if the line above names one.
_DATA = ("csv", "tsv", "json", "jsonl", "xml", "text")
# In place of the command: hand over the call by one pipe, and take its exit code from the other.
_FUNCTION = """
summetry() {{
  local process=$BASHPID
  (printf '%s\n' $process "$PWD" $# "$@" >&{calls}); read -u {codes} code; return $code
}}
"""


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
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    shell = ["bash", "-c", command]
    done = subprocess.run(shell, cwd=folder, env=environment, timeout=300, **streams)
    return trimmed(done.stdout.decode("utf-8").splitlines())


def run_here(command: str, folder: Path, environment: Mapping[str, str]) -> list[str]:
    """As :func:`run`, with each ``summetry`` of the line called in this process."""
    if not Path("/proc/self/fd").exists():
        return run(command, folder, environment)
    calls, to_calls = os.pipe()
    codes, to_codes = os.pipe()
    script = _FUNCTION.format(calls=to_calls, codes=codes) + command
    with tempfile.NamedTemporaryFile() as file, Path(file.name).open("ab+") as screen:
        streams = {"stdin": subprocess.DEVNULL, "stdout": screen, "stderr": subprocess.STDOUT}
        streams |= {"pass_fds": (to_calls, codes)}
        shell = subprocess.Popen(["bash", "-c", script], cwd=folder, env=environment, **streams)
        os.close(to_calls)
        with open(calls, encoding="utf-8", newline="\n") as lines:  # noqa: PTH123
            while process := lines.readline().strip():
                here, number = lines.readline()[:-1], int(lines.readline())
                arguments = [lines.readline()[:-1] for _ in range(number)]
                with contextlib.chdir(here), mock.patch.dict(os.environ, environment, clear=True):
                    os.write(to_codes, b"%d\n" % _call(arguments, f"/proc/{process}/fd"))
        shell.wait()
        for end in (codes, to_codes):
            os.close(end)
        screen.seek(0)
        return trimmed(screen.read().decode("utf-8").splitlines())


def _opened(path: str, mode: str) -> Any:
    """A file that may be a pipe, without waiting for a process at its other end."""
    way = os.O_RDONLY if mode == "r" else os.O_WRONLY | os.O_APPEND
    number = os.open(path, way | os.O_NONBLOCK)
    os.set_blocking(number, True)
    return os.fdopen(number, mode)


def _call(arguments: list[str], streams: str) -> int:
    """The exit code of a call that reads and writes the streams of another process."""
    # Notes come before what another program makes of the rest.
    err, out = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    if Path(f"{streams}/1").samefile(f"{streams}/2"):
        err = out
    with (
        _opened(f"{streams}/0", "r") as typed,
        mock.patch.object(sys, "stdin", typed),
        # How far work is gets said on a slow machine only, and no page shows it.
        mock.patch("summetry.cli._progress._BETWEEN_LINES", 3600.0),
        warnings.catch_warnings(),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.raises(SystemExit) as end,
    ):
        main(arguments)
    for number, content in ((2, err), (1, out))[err is out :]:
        # `head` need not wait for the rest.
        with contextlib.suppress(OSError), _opened(f"{streams}/{number}", "ab") as stream:
            stream.write(content.buffer.getvalue())  # type: ignore[attr-defined]
    return end.value.code or 0


def trimmed(lines: list[str]) -> list[str]:
    """Lines without blanks at their ends, and without empty lines before and after them."""
    return "\n".join(line.rstrip() for line in lines).strip("\n").splitlines()


def agrees(output: list[str], shown: list[str]) -> bool:
    """Whether an output is what a page shows; ``...`` stands for any number of lines."""
    any_lines = r"(?:.*\n)*?"
    lines = trimmed(shown)
    pattern = "".join(any_lines if x.strip() == "..." else re.escape(x) + "\n" for x in lines)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in output)) is not None


def differences(
    shown: list[Shown], folder: Path, environment: Mapping[str, str] | None = None
) -> list[str]:
    """Run commands in order and say where the page shows something else.

    Those of a page with an environment of its own run in processes of their own.
    """
    runner, settled = (run, environment) if environment else (run_here, surroundings(folder))
    wrong = []
    for command, lines in shown:
        output = runner(command, folder, settled)
        if not agrees(output, lines):
            lines = [f"$ {command}", "-- the page shows:", *lines]
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
