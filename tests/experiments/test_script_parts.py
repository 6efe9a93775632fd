"""What the scripts of the experiments share."""

import argparse
import math
import subprocess
import sys
from pathlib import Path

import pytest
import script_parts


def test_rows_may_have_different_columns_and_what_is_undefined_is_empty(tmp_path):
    rows = [{"a": 1, "b": math.nan}, {"a": "x, y", "c": 0.5}]
    script_parts.write_table(rows, tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text(encoding="utf-8") == 'a,b,c\n1,,\n"x, y",,0.5\n'


@pytest.mark.parametrize(
    ("name", "expected"), [("figure3", "Figure 3"), ("bias", "Bias"), ("figure12", "Figure 12")]
)
def test_a_picture_has_a_heading_for_people(name, expected):
    assert script_parts.heading(name) == expected


@pytest.mark.parametrize("text", ["-1", "x", "1.5", "", "--1"])
def test_only_numbers_are_numbers(text):
    with pytest.raises(argparse.ArgumentTypeError, match=f"expected 0 or more, got {text}"):
        script_parts.natural(text)
    assert (script_parts.natural("0"), script_parts.positive("1")) == (0, 1)


def test_what_the_system_refuses_gets_one_line_and_code_2(capsys):
    def run(options):
        yield "begun"
        raise OSError("no space left\non the disk")

    assert script_parts.print_all(run, argparse.Namespace()) == 2
    told = capsys.readouterr()
    assert (told.out, told.err) == ("begun\n", "error: no space left on the disk\n")


def test_an_interrupted_run_ends_in_one_line(capsys):
    def run(options):
        yield "begun"
        raise KeyboardInterrupt

    assert script_parts.print_all(run, argparse.Namespace()) == 130
    assert capsys.readouterr() == ("begun\n", "interrupted\n")


def test_a_reader_that_goes_away_is_no_mistake():
    code = (
        "import sys, script_parts as s\n"
        "sys.exit(s.print_all(lambda o: map(str, range(10**6)), None))"
    )
    folder = Path(script_parts.__file__).parent
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as started:
        assert started.stdout.readline() == b"0\n"
        started.stdout.close()
        assert started.stderr.read() == b""
    assert started.returncode == 141
