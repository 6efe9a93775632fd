"""A disk that is full in the middle of writing, for every command that writes."""

import contextlib
import resource
import shlex
import shutil

import pytest
from command_line import run_command, succeed

from summetry.files import write_together

# What is written by each command, in a folder with the demo corpus; `out` is a file or a folder.
COMMANDS = [
    "score CORPUS -m rouge-1 -o out.csv --force",
    "score CORPUS -m rouge-1 -o out.parquet --force",
    "score CORPUS -m rouge-1 --plot out.svg",
    "compare scores.csv -m rouge-1 --draws 20 --all-pairs -o out.csv",
    "compare scores.csv -m rouge-1 --draws 20 -o out.txt",
    "correlate scores.csv --judgments CORPUS --draws 2 --accuracies -o out.csv",
    "correlate scores.csv --judgments CORPUS -m rouge-1 --no-tests --matrix -o out.csv",
    "estimate scores.csv --judgments CORPUS -m rouge-1 -o out.json --plot out.svg",
    "convert CORPUS out --force",
    "convert CORPUS out.csv --force",
    "convert CORPUS out.parquet --force",
    "convert CORPUS out --to rouge_xml --force",
    "convert CORPUS out --to ducview --force",
    "convert CORPUS out --to mead --force",
    "summarize CORPUS -s lexrank --length 2 -o out --force",
    "reference CORPUS --length 30% -o out --force",
    "network CORPUS --id t01 -o out.svg",
    "graph text.txt -o out.svg",
]


@contextlib.contextmanager
def files_up_to(size):
    """No file can grow beyond ``size``; the system says so as it says that a disk is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def written_in(folder):
    return sorted(p for p in folder.rglob("*") if p.is_file() and "out" in str(p))


@pytest.fixture(scope="module")
def inputs(tmp_path_factory, three_topics, drawn_once):
    folder = tmp_path_factory.mktemp("inputs")
    shutil.copytree(three_topics, folder / "CORPUS")
    (folder / "text.txt").write_text("The ferry sank in the harbour on Monday.")
    line = "score CORPUS -m rouge-1 -m lcs --no-cache -o scores.csv"
    succeed(*shlex.split(line), folder=folder)
    return folder


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_leaves_every_earlier_file_and_is_named(inputs, here, command):
    for path in inputs.iterdir():
        (here / path.name).symlink_to(path)
    succeed(*shlex.split(command))
    files = written_in(here)
    # The largest does not fit, whichever place it has among them.
    limit = max(file.stat().st_size for file in files) - 1
    earlier = b'{"signatures": {}}'
    for file in files:
        file.write_bytes(earlier)
    with files_up_to(limit):
        done = run_command(*shlex.split(command))
    assert done.code == 2
    error = done.err.splitlines()[-1]
    assert error.startswith("error: ") and error.lower().endswith("file too large")
    assert any(f"{file.relative_to(here)}:" in error for file in files)
    assert written_in(here) == files
    assert all(file.read_bytes() == earlier for file in files)


def test_files_that_belong_together_are_written_all_or_none(tmp_path):
    small, large = tmp_path / "small.txt", tmp_path / "large.txt"
    write_together({small: "earlier", large: b"earlier"})
    with files_up_to(100), pytest.raises(OSError, match="too large") as caught:
        write_together({small: "new", large: "new" * 100})
    assert caught.value.filename == str(large)
    assert [path.read_text() for path in (small, large)] == ["earlier", "earlier"]
    assert sorted(tmp_path.iterdir()) == [large, small]
