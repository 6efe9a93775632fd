"""Calling the command: in this process where speed matters, as a real one where that does."""

import io
import json
import os
import subprocess
import sys
from typing import NamedTuple

import pytest
from folded_lines import in_one_piece

from summetry.cli.main import main


class Done(NamedTuple):
    """What a call left behind."""

    code: int
    out: str
    folded_err: str

    @property
    def err(self):
        """Standard error with each note in one line."""
        return in_one_piece(self.folded_err)

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def words(self):
        """Standard output with one blank between words, wherever its lines end."""
        return " ".join(self.out.split())

    @property
    def lines(self):
        return [line.rstrip() for line in self.out.splitlines()]


@pytest.fixture
def call(capsys, monkeypatch):
    """The command in this process: ``call("score", corpus, "-m", "lcs")``."""

    def run(*arguments, stdin=b""):
        capsys.readouterr()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as stopped:
            main([str(argument) for argument in arguments])
        return Done(stopped.value.code, *capsys.readouterr())

    return run


@pytest.fixture
def scored(call):
    """As ``call``, for calls that must do what they are asked."""

    def run(*arguments, **stdin):
        done = call(*arguments, **stdin)
        assert done.code == 0, done.err
        return done

    return run


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
