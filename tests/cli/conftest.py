"""Calling the command: in this process where speed matters, as a real one where that does."""

import importlib
import inspect
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest
from command_line import Done, succeed


@pytest.fixture(scope="session", autouse=True)
def shared_cache(tmp_path_factory):
    """What fixtures of a wider scope keep does not land in the user's own cache either."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def late_imports():
    """What commands import when they need it is not charged to the first test that needs it."""
    importlib.import_module("scipy.special")


@pytest.fixture
def no_chart_script(monkeypatch):
    """To bundle the script of pages with charts takes seconds; the tests of charts look at it."""
    pytest.importorskip("vl_convert")
    monkeypatch.setattr("summetry.reports.chart_files._script", lambda: "")


@pytest.fixture(scope="session")
def part_of_demo(tmp_path_factory, demo_folder):
    """Write a corpus of some topics of the demo, with all that belongs to them: its folder."""

    def write(*topics):
        folder = tmp_path_factory.mktemp("part") / "demo"
        shutil.copytree(demo_folder, folder)
        of_others = re.compile(rf'\{{"(?:topic|id)": "(?!{"|".join(topics)})t')
        for path in folder.glob("*.jsonl"):
            lines = path.read_text("utf-8").splitlines(keepends=True)
            path.write_text("".join(line for line in lines if not of_others.match(line)), "utf-8")
        return folder

    return write


@pytest.fixture
def shows():
    """Check what calls print: each stands at the margin, and its lines below it, indented by 4.

    Notes come last. Three dots stand for any words, and a line of them for any lines.
    """

    def compare(block):
        for call in re.split(r"\n(?=\S)", inspect.cleandoc(block)):
            typed, *lines = call.rstrip().splitlines()
            lines = [line.removeprefix("    ") for line in lines]
            done = succeed(*shlex.split(typed))
            printed = [*done.lines, *done.err.splitlines()]
            pattern = "".join(map(_lines_like, lines))
            if not re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)):
                assert printed == lines, typed

    return compare


def _lines_like(line):
    words = map(re.escape, line.split("..."))
    return "(?:.*\n)*" if line == "..." else f"{'.*'.join(words)}\n"


@pytest.fixture
def process():
    """The command as a process of its own, with standard input and an environment."""

    def run(*arguments, stdin=b"", folder=None, **environment):
        command = [sys.executable, "-m", "summetry", *map(str, arguments)]
        done = subprocess.run(
            command,
            input=stdin,
            capture_output=True,
            cwd=folder,
            env=os.environ | environment,
            timeout=300,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder as the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def texts(here):
    """A candidate, two references and a source; the references share 2 of 4 and 1 of 4 words."""
    (here / "a.txt").write_text("a b c")
    (here / "r1.txt").write_text("b c d")
    (here / "r2.txt").write_text("c e")
    (here / "s.txt").write_text("a b c d e f")
    return here


@pytest.fixture
def judged(here):
    """judgments.csv: 12 topics and 3 systems; ``llm`` is the annotators' middle mark, ``lazy`` a 3.

    The mark of a summary is 1, 3 or 5, and each annotator in turn is off by one.
    """
    people, rows = ("ann", "bob", "eve"), ["id,system,judge,quality"]
    for topic in range(12):
        for system in range(3):
            mark = 1 + 2 * ((topic + system) % 3)
            given = dict.fromkeys(people, mark)
            off = people[(topic * 3 + system) % 3]
            given[off] = mark + 1 if mark < 5 else 4
            given |= {"llm": mark, "lazy": 3}
            rows += [f"t{topic},s{system},{judge},{value}" for judge, value in given.items()]
    (here / "judgments.csv").write_text("\n".join(rows))
    return here
