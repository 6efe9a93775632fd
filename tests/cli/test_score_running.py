"""``summetry score`` as it runs: processes, finished work, Ctrl-C, closed pipes."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import types
from pathlib import Path
from types import SimpleNamespace

import pytest
from folded_lines import in_one_piece

from summetry.formats.scores import read_scores

SUMMETRY = [sys.executable, "-m", "summetry"]
GOING_ON = "note: going on from what an earlier run finished\n"
# So many that a run is far from its end when it is interrupted.
ROWS = 60_000
TAKEN = "note: taken from an earlier run on the same data\n"


def without_progress(text: str) -> str:
    """What was said apart from progress, which a slow machine shows and a fast one does not."""
    lines = in_one_piece(text).splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("scored "))


@pytest.fixture
def table(here):
    """A table that takes some seconds."""
    with (here / "long.jsonl").open("w") as file:
        for i in range(ROWS):
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
    assert second.err == TAKEN
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
    assert len(list((here / "kept" / "chunks").glob("*.chunk"))) == 1
    assert not list(cache_home.iterdir())
    assert scored(*call).err == TAKEN


@pytest.mark.parametrize("command", ["score", "compare"])
def test_a_home_that_cannot_be_written_stops_nobody(
    scored, demo_folder, here, monkeypatch, command
):
    (here / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "file"))
    done = scored(command, demo_folder, "-m", "lcs")
    kept = here / "file" / "summetry"
    message = f"note: {kept}: cannot keep finished work here: not a directory"
    assert done.err.splitlines()[0] == f"{message}; an interrupted run will begin anew"


# A shell shows 130 for both: Python ends itself by the signal where Ctrl-C came in the middle of an
# `eval`, although it was caught.
INTERRUPTED = (130, -signal.SIGINT)


@pytest.mark.parametrize(
    ("workers", "send", "number"),
    [
        ("1", os.killpg, signal.SIGINT),
        ("2", os.kill, signal.SIGINT),
        # In a terminal the signal reaches the workers as well.
        ("2", os.killpg, signal.SIGINT),
        # As batch systems and containers send it.
        ("2", os.kill, signal.SIGTERM),
    ],
)
def test_ctrl_c_ends_in_one_line_and_the_next_run_goes_on(table, here, workers, send, number):
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
    deadline = time.monotonic() + 300
    # More than workers are ever ahead of the first chunk, so that this one is finished as well.
    while len(list(cache.rglob("*.chunk")) if cache.exists() else []) < 20:
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.005)
    send(running.pid, number)
    out, err = running.communicate(timeout=300)
    assert running.returncode in INTERRUPTED
    assert out == ""
    message = re.fullmatch(
        r"interrupted; ([\d,]+) of about [56]\d,\d\d\d summaries are scored and kept; give the "
        r"same command again to go on\n",
        without_progress(err),
    )
    assert message and 0 < int(message[1].replace(",", "")) < ROWS
    assert sorted(path.name for path in here.iterdir()) == ["kept", "long.jsonl"]
    finished = {path: path.stat().st_mtime_ns for path in cache.rglob("*.chunk")}
    assert 20 <= len(finished) < ROWS / 100

    again = subprocess.run(command, text=True, capture_output=True, timeout=300)
    assert again.returncode == 0, again.stderr
    assert without_progress(again.stderr) == GOING_ON
    assert {path: path.stat().st_mtime_ns for path in finished} == finished
    # Of about 100 each: the ends of chunks are found by bytes.
    assert 0.9 < len(list(cache.rglob("*.chunk"))) / (ROWS / 100) < 1.1
    assert len(read_scores(here / "s.csv")) == ROWS


def interrupted(command, is_ready):
    """What a command says that is sent Ctrl-C once it is ready."""
    running = subprocess.Popen(
        command,
        text=True,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.monotonic() + 300
    while not is_ready():
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.005)
    os.killpg(running.pid, signal.SIGINT)
    out, err = running.communicate(timeout=300)
    return running.returncode, out, err


def test_ctrl_c_promises_only_what_is_kept(table, here):
    def written() -> list[Path]:
        return list(here.glob(".s.csv.*.part"))

    command = [*SUMMETRY, "score", str(table), "-m", "lcs", "--chunk", "100", "--no-cache"]
    code, out, err = interrupted([*command, "-o", "s.csv"], lambda: bool(written()))
    assert code in INTERRUPTED
    assert (out, without_progress(err)) == ("", "interrupted\n")
    assert not written()


def test_ctrl_c_before_anything_has_begun(here):
    """While modules are still imported; one of ours waits, so that there is time."""
    slow = """if True:
        import sys, time
        from pathlib import Path

        class Waiting:
            def find_spec(self, name, path=None, target=None):
                if name == "summetry.cli.main":
                    Path("started").touch()
                    time.sleep(60)

        sys.meta_path.insert(0, Waiting())
        sys.argv = ["summetry", "metrics"]
        from summetry.__main__ import main
        main()
    """
    message = interrupted([sys.executable, "-c", slow], (here / "started").exists)
    assert message == (130, "", "interrupted\n")


def test_ctrl_c_does_not_wait_for_what_workers_are_at(here):
    """Each of them would be at it for ten minutes."""
    (here / "work.py").write_text(
        "import sys, time\n"
        "from pathlib import Path\n"
        "from summetry.engine.local import map_in_order\n"
        "def sleep(task):\n"
        "    Path('started').touch()\n"
        "    time.sleep(600)\n"
        "if __name__ == '__main__':\n"
        "    try:\n"
        "        list(map_in_order(sleep, [1, 2, 3], 2))\n"
        "    except KeyboardInterrupt:\n"
        "        sys.exit('stopped')\n"
    )
    message = interrupted([sys.executable, "work.py"], (here / "started").exists)
    assert message == (1, "", "stopped\n")


def test_every_worker_is_deaf_to_ctrl_c_from_its_first_moment(here):
    (here / "work.py").write_text(
        "import os, signal, time\n"
        "from summetry.engine.local import map_in_order\n"
        "def is_deaf(task):\n"
        "    time.sleep(1)\n"
        "    return os.getpid(), signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])\n"
        "if __name__ == '__main__':\n"
        "    found = dict(map_in_order(is_deaf, range(4), 2))\n"
        "    print(len(found), set(found.values()))\n"
    )
    done = subprocess.run([sys.executable, "work.py"], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("2 {True}\n", "")


def lines_of_a_log(capsys, monkeypatch, steps):
    """The lines for steps, each a time with what is done of 100 and what was kept of it."""
    from summetry.cli import _progress

    clock = iter([0.0, *(now for now, _, _ in steps)])
    monkeypatch.setattr(_progress.time, "monotonic", lambda: next(clock))
    with _progress.progress_bar("scored") as show:
        for _, done, kept in steps:
            plan = SimpleNamespace(is_read=True)
            show.run = SimpleNamespace(items_found=kept, plan=plan)
            show(done, 100)
    return capsys.readouterr().err.splitlines()


def test_a_log_gets_no_line_when_all_is_done(capsys, monkeypatch):
    steps = [(11.0, 10, 0), (22.0, 20, 0), (33.0, 100, 0)]
    assert lines_of_a_log(capsys, monkeypatch, steps) == [
        "scored 10 of 100",
        "scored 20 of 100, about 88 s left",
    ]


def test_the_time_left_counts_neither_the_start_nor_what_was_kept(capsys, monkeypatch):
    """40 were kept; the start takes 30 seconds, and after the first step ten take ten seconds."""
    steps = [(1.0, 40, 40), (31.0, 50, 40), (41.5, 60, 40), (52.0, 70, 40)]
    assert lines_of_a_log(capsys, monkeypatch, steps) == [
        "scored 50 of 100",
        "scored 60 of 100, about 42 s left",
        "scored 70 of 100, about 32 s left",
    ]


def test_a_log_says_which_metric_is_at_work_when_that_takes_long(capsys, monkeypatch):
    from summetry.cli import _progress

    monkeypatch.setattr(_progress, "_BETWEEN_LINES", 0.2)
    message = ""
    with _progress.progress_bar("scored") as show:
        show.working("quick")
        show.working("slow")
        until = time.monotonic() + 300
        while not message and time.monotonic() < until:
            time.sleep(0.01)
            message += capsys.readouterr().err
        show.working("quick")
    time.sleep(0.3)
    assert message + capsys.readouterr().err == "slow is at work\n"


def test_a_bar_says_which_metric_is_at_work(capsys, monkeypatch):
    from summetry.cli import _progress

    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(_progress, "_PATIENCE", 0.0)
    message = ""
    with _progress.progress_bar("scored") as show:
        show.working("rouge-2")
        until = time.monotonic() + 300
        while "rouge-2 at work" not in message and time.monotonic() < until:
            time.sleep(0.01)
            message += capsys.readouterr().err
    assert "scored (rouge-2 at work)" in message


def test_whoever_ends_the_program_is_named(call, monkeypatch):
    """A summarizer of a plug-in, say: any module that is neither ours nor one of our libraries."""
    odd = types.ModuleType("odd_plug_in")
    exec("import sys\ndef leave(*_, **__):\n    sys.exit(4)", odd.__dict__)
    monkeypatch.setattr("summetry.registry.Registry.names", odd.leave)
    done = call("metrics")
    assert done.code == 2
    assert done.err == "error: the module 'odd_plug_in' ended the program, by sys.exit(4)\n"


def test_a_bar_is_shown_before_the_first_step_is_done(capsys, monkeypatch):
    from summetry.cli import _progress

    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(_progress, "_PATIENCE", 0.0)
    message = ""
    with _progress.progress_bar("reading"):
        until = time.monotonic() + 300
        while "reading" not in message and time.monotonic() < until:
            time.sleep(0.01)
            message += capsys.readouterr().err
    assert "reading" in message


def test_one_text_is_scored_anew_without_a_word(scored, texts, cache_home):
    call = ("score", "--candidate", "a.txt", "--reference", "r1.txt", "-m", "lcs")
    first, second = scored(*call), scored(*call)
    assert first == second and first.err == ""
    assert not list(cache_home.rglob("*.chunk"))


@pytest.mark.parametrize(
    "command",
    [["metrics"], ["formats", "--json"], ["score", "--help"], ["score", "CORPUS", "-m", "lcs"]],
    ids=" ".join,
)
def test_a_reader_that_goes_away_makes_no_noise(demo_folder, here, command):
    command = [str(demo_folder) if word == "CORPUS" else word for word in command]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*SUMMETRY, *command], stdout=writing, stderr=subprocess.PIPE, text=True, timeout=300
    )
    os.close(writing)
    assert [line for line in done.stderr.splitlines() if not line.startswith("note: ")] == []
    # Not 1, by which `compare --fail-if-worse` says that a system is worse.
    assert done.returncode == 141


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
    metrics = [word for name in ("lcs", "rouge-1", "npower", "cosine") for word in ("-m", name)]
    for command in (["score", demo_folder, *metrics], ["metrics"]):
        done = process(*command, **environment)
        assert done.code == 0, done.err
        assert "\\u" not in done.out and "Traceback" not in done.err


def test_a_terminal_without_the_letter_gets_an_escape(process, here):
    (here / "t.csv").write_text("system,candidate,reference\nbjörn,a,a\n", "utf-8")
    done = process("score", here / "t.csv", "-m", "lcs", PYTHONIOENCODING="ascii")
    assert done.code == 0, done.err
    assert "bj\\xf6rn" in done.out
