"""The command in this process: what a call prints, and how it ends."""

import contextlib
import io
import json
import sys
from typing import NamedTuple
from unittest import mock

import pytest
from advice import wrong_advice
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


def run_command(*arguments, stdin=b"", folder=None, encoding="utf-8"):
    """Call the command, in ``folder`` if one is given; a fixture of any scope can do so."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding, write_through=True) for _ in range(2)]
    with (
        contextlib.chdir(folder or "."),
        mock.patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin))),
        contextlib.redirect_stdout(streams[0]),
        contextlib.redirect_stderr(streams[1]),
        pytest.raises(SystemExit) as stopped,
    ):
        main([str(argument) for argument in arguments])
    done = Done(stopped.value.code, *(s.buffer.getvalue().decode("utf-8") for s in streams))
    assert not [*wrong_advice(arguments, done.err)], done.err
    return done


def succeed(*arguments, **options):
    """As :func:`run_command`, for a call that must do what it is asked."""
    done = run_command(*arguments, **options)
    assert done.code == 0, done.err
    return done


def assert_refused(done, code, words):
    """Nothing on standard output, and one line on standard error that has the words."""
    assert (done.code, done.out) == (code, ""), done.err
    assert words in done.err
    assert done.err.startswith("error: ") and done.err.count("\n") == 1, done.err
