"""``summetry score`` as it runs: processes, finished work, Ctrl-C, closed pipes."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from summetry.formats.scores import read_scores

SUMMETRY = [sys.executable, "-m", "summetry"]


@pytest.fixture
def table(here):
    """A table that takes some seconds."""
    with (here / "long.jsonl").open("w") as file:
        for i in range(12_000):
            words = " ".join(f"word{(i * 7 + j) % 97}" for j in range(40))
            row = {"system": f"s{i % 3}", "candidate": words, "reference": f"{words} and {i}"}
            file.write(json.dumps(row) + "\n")
    return here / "long.jsonl"


def test_workers_change_no_number(scored, demo_folder, here):
    scored("score", demo_folder, "-o", "one.csv", "--no-cache")
    scored("score", demo_folder, "-o", "two.csv", "--no-cache", "--workers", "2", "--chunk", "5")
    assert (here / "one.csv").read_bytes() == (here / "two.csv").read_bytes()


def test_the_same_command_again_says_what_it_took_over(scored, demo_folder, cache_home):
    call = ("score", demo_folder, "-m", "unit_overlap", "--chunk", "20")
    first, second = scored(*call), scored(*call)
    assert first.err == ""
    told = "note: 3 of 3 chunks were finished by an earlier run and taken over\n"
    assert second.err == told
    assert first.out == second.out
    assert len(list((cache_home / "summetry" / "chunks").iterdir())) == 3


def test_no_cache_keeps_nothing_and_takes_nothing(scored, demo_folder, cache_home):
    call = ("score", demo_folder, "-m", "unit_overlap")
    scored(*call)
    kept = list(cache_home.rglob("*.chunk"))
    assert scored(*call, "-m", "lcs", "--no-cache").err == ""
    assert scored(*call, "--no-cache").err == ""
    assert list(cache_home.rglob("*.chunk")) == kept


def test_the_cache_can_be_elsewhere(scored, demo_folder, here, cache_home):
    call = ("score", demo_folder, "-m", "unit_overlap", "--cache", here / "kept")
    scored(*call)
    assert len(list((here / "kept").glob("*.chunk"))) == 1
    assert not list(cache_home.iterdir())
    assert "1 of 1 chunks" in scored(*call).err


@pytest.mark.parametrize(
    ("workers", "send"),
    [
        ("1", os.killpg),
        ("2", os.kill),
        # In a terminal the signal reaches the workers as well.
        ("2", os.killpg),
    ],
)
def test_ctrl_c_ends_in_one_line_and_the_next_run_goes_on(table, here, workers, send):
    cache = here / "kept"
    command = [*SUMMETRY, "score", str(table), "-m", "lcs", "-o", "s.csv", "--chunk", "100"]
    command += ["--cache", str(cache), "--workers", workers]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    running = subprocess.Popen(
        command,
        text=True,
        start_new_session=True,
        # A shell that runs the tests in the background has Ctrl-C ignored for all its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **pipes,
    )
    deadline = time.monotonic() + 60
    while len(list(cache.glob("*.chunk")) if cache.exists() else []) < 5:
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.005)
    send(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert out == ""
    assert err == "interrupted; finished work is kept, the same command goes on from it\n"
    assert sorted(path.name for path in here.iterdir()) == ["kept", "long.jsonl"]
    finished = len(list(cache.glob("*.chunk")))
    assert 5 <= finished < 120

    again = subprocess.run(command, text=True, capture_output=True, timeout=60)
    assert again.returncode == 0, again.stderr
    told = f"note: {finished} of 120 chunks were finished by an earlier run and taken over"
    assert told in again.stderr.splitlines()
    assert len(read_scores(here / "s.csv")) == 12_000


@pytest.mark.parametrize(
    "command",
    [["metrics"], ["metrics", "--json"], ["score", "--help"], ["score", "CORPUS", "--json"]],
    ids=" ".join,
)
def test_a_reader_that_goes_away_makes_no_noise(demo_folder, here, command):
    command = [str(demo_folder) if word == "CORPUS" else word for word in command]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*SUMMETRY, *command], stdout=writing, stderr=subprocess.PIPE, text=True, timeout=60
    )
    os.close(writing)
    assert [line for line in done.stderr.splitlines() if not line.startswith("note: ")] == []
    assert done.returncode != 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110
def test_a_full_disk_is_told():
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(
            [*SUMMETRY, "formats", "--json"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 2
    assert done.stderr == "error: no space left on device\n"


@pytest.mark.parametrize(
    "environment",
    [
        {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"},
        {"TERM": "dumb"},
        {"COLUMNS": "40"},
        {"NO_COLOR": "1", "FORCE_COLOR": "1"},
    ],
    ids=str,
)
def test_any_terminal_will_do(process, demo_folder, environment):
    for command in (["score", demo_folder], ["metrics"]):
        done = process(*command, **environment)
        assert done.code == 0, done.err
        assert "\\u" not in done.out and "Traceback" not in done.err


def test_a_terminal_without_the_letter_gets_an_escape(process, here):
    (here / "t.csv").write_text("system,candidate,reference\nbjörn,a,a\n", "utf-8")
    done = process("score", here / "t.csv", "-m", "lcs", PYTHONIOENCODING="ascii")
    assert done.code == 0, done.err
    assert "bj\\xf6rn" in done.out
