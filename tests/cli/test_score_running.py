"""``summetry score`` as it runs: processes, finished work, Ctrl-C, closed pipes."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import types
from pathlib import Path
from types import SimpleNamespace

import pytest
from command_line import assert_refused, run_command, succeed
from folded_lines import in_one_piece

from summetry.cli import _progress
from summetry.formats.scores import read_scores

SUMMETRY = [sys.executable, "-m", "summetry"]
GOING_ON = "note: going on from what an earlier run finished\n"
TAKEN = "note: taken from an earlier run on the same data\n"
# A shell shows 130 for both: Python ends itself by the signal where Ctrl-C came in the middle of an
# `eval`, although it was caught.
INTERRUPTED = (130, -signal.SIGINT)


def without_progress(text: str) -> str:
    """What was said apart from progress, which a slow machine shows and a fast one does not."""
    lines = in_one_piece(text).splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("scored "))


def write_table(path, rows):
    block = []
    for i in range(1000):
        words = " ".join(f"word{(i * 7 + j) % 97}" for j in range(40))
        row = {"system": f"s{i % 3}", "candidate": words, "reference": f"{words} and {i}"}
        block.append(json.dumps(row) + "\n")
    text = "".join(block)
    path.write_text("".join(text.replace("word", f"w{i}") for i in range(rows // 1000)))


def test_workers_change_no_number(corpus, here):
    line = ("score", "corpus", "-m", "lcs", "--no-cache", "-o")
    succeed(*line, "one.csv")
    succeed(*line, "two.csv", "--workers", "2", "--chunk", "5")
    assert (here / "one.csv").read_bytes() == (here / "two.csv").read_bytes()


def test_the_same_command_again_takes_over_what_is_finished_unless_told_otherwise(
    corpus, here, cache_home
):
    line = ("score", "corpus", "-m", "unit_overlap", "--chunk", "7")
    first, second = succeed(*line), succeed(*line)
    assert (first.err, second.err) == ("", TAKEN)
    assert first.out == second.out
    chunks = list(cache_home.rglob("*"))
    assert len(list((cache_home / "summetry" / "chunks").iterdir())) == 3
    assert succeed(*line, "-m", "lcs", "--no-cache").err == ""
    assert succeed(*line, "--no-cache").err == ""
    elsewhere = (*line, "--cache", here / "kept")
    assert [succeed(*elsewhere).err, succeed(*elsewhere).err] == ["", TAKEN]
    assert len(list((here / "kept" / "chunks").glob("*.chunk"))) == 3
    assert list(cache_home.rglob("*")) == chunks


def test_one_text_is_scored_anew_without_a_word(texts, cache_home):
    line = ("score", "--candidate", "a.txt", "--reference", "r1.txt", "-m", "lcs")
    first, second = succeed(*line), succeed(*line)
    assert first == second and first.err == ""
    assert not list(cache_home.rglob("*.chunk"))


@pytest.mark.parametrize("command", ["score", "compare --draws 50"])
def test_a_home_that_cannot_be_written_stops_nobody(corpus, here, monkeypatch, command):
    (here / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "file"))
    done = succeed(*shlex.split(command), "corpus", "-m", "lcs")
    folder = here / "file" / "summetry"
    message = f"note: {folder}: cannot keep finished work here: not a directory"
    assert done.err.splitlines()[0] == f"{message}; an interrupted run will begin anew"


# --- Ctrl-C -----------------------------------------------------------------------------------


def interrupt(command, is_ready, send=os.killpg, number=signal.SIGINT, **environment):
    """Exit code and output of a command that is sent a signal once it is ready."""
    running = subprocess.Popen(
        command, text=True, start_new_session=True, env=os.environ | environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        # A shell that runs the tests in the background has Ctrl-C ignored for all its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    deadline = time.monotonic() + 300
    while not is_ready():
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)
    send(running.pid, number)
    out, err = running.communicate(timeout=300)
    return running.returncode, out, err


# A disk so slow that a run is far from its end when it is interrupted, in each of its processes.
SLOW_DISK = """import os, time
replace = os.replace
def slowly(source, target, **options):
    replace(source, target, **options)
    if str(target).endswith(".chunk"):
        time.sleep(0.05)
os.replace = slowly
"""
ROWS = 1_000
CHUNKS = ROWS / 20


@pytest.mark.parametrize(
    ("workers", "send", "number"),
    [
        ("1", os.killpg, signal.SIGINT),
        # In a terminal the signal reaches the workers as well, see the test of these alone below.
        pytest.param("2", os.killpg, signal.SIGINT, marks=pytest.mark.slow),
        pytest.param("2", os.kill, signal.SIGINT, marks=pytest.mark.slow),
        # As batch systems and containers send it.
        ("1", os.kill, signal.SIGTERM),
        pytest.param("2", os.kill, signal.SIGTERM, marks=pytest.mark.slow),
    ],
)
def test_ctrl_c_ends_in_one_line_and_the_next_run_goes_on(here, workers, send, number):
    (here / "slow").mkdir()
    (here / "slow" / "sitecustomize.py").write_text(SLOW_DISK)
    write_table(here / "long.jsonl", ROWS)
    cache = here / "kept"
    line = ["score", "long.jsonl", "-m", "lcs", "-o", "s.csv", "--chunk", "20", "--cache", "kept"]

    def is_ready():
        # More than workers are ever ahead of the first chunk, so that this one is finished as well.
        return len(list(cache.rglob("*.chunk")) if cache.exists() else []) >= 20

    code, out, err = interrupt(
        [*SUMMETRY, *line, "--workers", workers], is_ready, send, number, PYTHONPATH="slow"
    )
    assert code in INTERRUPTED and out == ""
    message = re.fullmatch(
        r"interrupted; ([\d,]+) of about (?:1,)?\d\d\d summaries are scored and kept; give the "
        r"same command again to go on\n",
        without_progress(err),
    )
    assert message and 0 < int(message[1].replace(",", "")) < ROWS
    assert sorted(path.name for path in here.iterdir()) == ["kept", "long.jsonl", "slow"]
    finished = {path: path.stat().st_mtime_ns for path in cache.rglob("*.chunk")}
    assert 20 <= len(finished) < CHUNKS

    again = succeed(*line)
    assert without_progress(again.err) == GOING_ON
    assert {path: path.stat().st_mtime_ns for path in finished} == finished
    # Of about 20 each: the ends of chunks are found by bytes.
    assert 0.9 < len(list(cache.rglob("*.chunk"))) / CHUNKS < 1.1
    assert len(read_scores(here / "s.csv")) == ROWS


def test_ctrl_c_promises_only_what_is_kept(here):
    write_table(here / "long.jsonl", 60_000)

    def parts() -> list[Path]:
        return list(here.glob(".s.csv.*.part"))

    line = ["score", "long.jsonl", "-m", "lcs", "--chunk", "100", "--no-cache", "-o", "s.csv"]
    code, out, err = interrupt([*SUMMETRY, *line], parts)
    assert code in INTERRUPTED
    assert (out, without_progress(err)) == ("", "interrupted\n")
    assert not parts()


# The command, of which one module waits while it is imported, so that there is time.
SLOW_IMPORT = """import sys, time
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


def test_ctrl_c_before_anything_has_begun(here):
    message = interrupt([sys.executable, "-c", SLOW_IMPORT], (here / "started").exists)
    assert message == (130, "", "interrupted\n")


# Two processes that work on tasks, by a function of their module; each says whether it is deaf.
WORK = """import os, signal, sys, time
from pathlib import Path
from summetry.engine.local import map_in_order
def sleep(task):
    is_deaf = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])
    Path(f"{os.getpid()}.{is_deaf}").touch()
    time.sleep(600)
if __name__ == '__main__':
    try:
        list(map_in_order(sleep, range(4), 2))
    except KeyboardInterrupt:
        sys.exit('stopped')
"""


def test_ctrl_c_is_for_the_command_alone_which_does_not_wait_for_its_workers(here):
    (here / "work.py").write_text(WORK)

    def is_ready():
        return len([*here.glob("*.True"), *here.glob("*.False")]) == 2

    # Each of them would be at it for ten minutes.
    assert interrupt([sys.executable, "work.py"], is_ready) == (1, "", "stopped\n")
    assert len(list(here.glob("*.True"))) == 2


# --- progress ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "lines"),
    [
        # No line when all is done.
        ([(11.0, 10, 0), (22.0, 20, 0), (33.0, 100, 0)],
         ["scored 10 of 100", "scored 20 of 100, about 88 s left"]),
        # 40 were kept; the start takes 30 seconds, and after the first step ten take ten seconds.
        ([(1.0, 40, 40), (31.0, 50, 40), (41.5, 60, 40), (52.0, 70, 40)],
         ["scored 50 of 100", "scored 60 of 100, about 42 s left",
          "scored 70 of 100, about 32 s left"]),
    ],
)  # fmt: skip
def test_the_time_left_counts_neither_the_start_nor_what_was_kept(
    capsys, monkeypatch, steps, lines
):
    """Each step is a time with what is done of 100 and what was kept of it."""
    clock = iter([0.0, *(now for now, _, _ in steps)])
    monkeypatch.setattr(_progress.time, "monotonic", lambda: next(clock))
    with _progress.progress_bar("scored") as show:
        for _, done, cached in steps:
            show.run = SimpleNamespace(items_found=cached, plan=SimpleNamespace(is_read=True))
            show(done, 100)
    assert capsys.readouterr().err.splitlines() == lines


def wait_for(words, capsys):
    """What is printed until the words are there."""
    message, until = "", time.monotonic() + 300
    while words not in message and time.monotonic() < until:
        time.sleep(0.01)
        message += capsys.readouterr().err
    return message


def test_a_log_says_which_metric_is_at_work_when_that_takes_long(capsys, monkeypatch):
    monkeypatch.setattr(_progress, "_BETWEEN_LINES", 0.2)
    with _progress.progress_bar("scored") as show:
        show.working("quick")
        show.working("slow")
        message = wait_for("\n", capsys)
        show.working("quick")
    time.sleep(0.3)
    assert message + capsys.readouterr().err == "slow is at work\n"


def test_a_bar_is_shown_before_the_first_step_and_says_which_metric_is_at_work(capsys, monkeypatch):
    for name, value in {"FORCE_COLOR": "1", "TERM": "xterm", "COLUMNS": "100"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(_progress, "_PATIENCE", 0.0)
    with _progress.progress_bar("reading"):
        time.sleep(0.05)
    # Who asks for colours in a log does not ask for a bar.
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with _progress.progress_bar("reading"):
        assert "reading" in wait_for("reading", capsys)
    with _progress.progress_bar("scored") as show:
        show.working("rouge-2")
        assert "scored (rouge-2 at work)" in wait_for("rouge-2 at work", capsys)


# --- what ends the program, and where it prints -----------------------------------------------


def test_whoever_ends_the_program_is_named(monkeypatch):
    """A summarizer of a plug-in, say: any module that is neither ours nor one of our libraries."""
    odd = types.ModuleType("odd_plug_in")
    exec("import sys\ndef leave(*_, **__):\n    sys.exit(4)", odd.__dict__)
    monkeypatch.setattr("summetry.registry.Registry.names", odd.leave)
    done = run_command("metrics")
    assert done.code == 2
    assert done.err == "error: the module 'odd_plug_in' ended the program, by sys.exit(4)\n"


# Tables are printed by Rich, all else by Click.
@pytest.mark.parametrize("command", [
    "metrics", "score --help",
    pytest.param("formats --json", marks=pytest.mark.slow),
    pytest.param("score corpus -m lcs", marks=pytest.mark.slow),
])  # fmt: skip
def test_a_reader_that_goes_away_makes_no_noise(corpus, command):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*SUMMETRY, *command.split()], stdout=writing, stderr=subprocess.PIPE, text=True
    )
    os.close(writing)
    assert [line for line in done.stderr.splitlines() if not line.startswith("note: ")] == []
    # Not 1, by which `compare --fail-if-worse` says that a system is worse.
    assert done.returncode == 141


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")  # noqa: PTH110
def test_a_full_disk_is_told():
    command = [*SUMMETRY, "formats", "--json"]
    # As on a user's machine, where output has a buffer.
    shell = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=shell)
    assert (done.returncode, done.stderr) == (2, "error: no space left on device\n")


METRICS = [word for name in ("lcs", "rouge-1", "npower", "cosine") for word in ("-m", name)]


def test_a_terminal_of_few_letters_gets_escapes_for_others_only(here):
    (here / "t.csv").write_text("system,candidate,reference\nbjörn,a,a\n", "utf-8")
    for command in (["score", "t.csv", *METRICS], ["metrics"]):
        done = succeed(*command, encoding="ascii")
        assert "\\u" not in done.out and "Traceback" not in done.err
        assert ("bj\\xf6rn" in done.out) == (command != ["metrics"])


# --- The worst summaries ----------------------------------------------------------------------

LONG = " ".join(["a b x y", *["word"] * 60])
WORST = f"""id,system,candidate,reference
1,t5,a b c d,a b c d
1,bart,a b x y,a b c d
2,t5,{LONG},a b c d
2,bart,a b x z,a b c d
3,t5,x y,
3,bart,a z,a b c d
"""
# Of 1/2 bart comes before; f of 2 words of 4, of 64, and of 2 with one shared: 2 * 1 / (2 + 4).
F = {("2", "t5"): 4 / 68, ("3", "bart"): 1 / 3, ("1", "bart"): 0.5, ("2", "bart"): 0.5}


def test_the_worst_summaries_are_listed_with_their_texts_also_when_a_run_goes_on(here):
    (here / "rows.csv").write_text(WORST)
    line = ("score", "rows.csv", "-m", "length,rouge-1", "--chunk", 2, "--worst", 4)
    first, second = succeed(*line, "--json"), succeed(*line, "--json")
    assert first.out == second.out and "taken from an earlier run" in second.err
    worst = first.json["worst"]
    assert {(row["id"], row["system"]): row["value"] for row in worst["rows"]} == pytest.approx(F)
    assert [(row["id"], row["system"]) for row in worst["rows"]] == list(F)
    assert [row["text"] for row in worst["rows"]] == [LONG, "a z", "a b x y", "a b x z"]
    shown = succeed(*line)
    assert "The worst summaries by rouge-1.f, the lowest value first" in shown.lines
    assert "1 summary has no value" in shown.words and "word ..." in shown.words
    # Standard input is read twice.
    worst = succeed("score", "-", *line[2:], "--json", stdin=WORST.encode()).json["worst"]
    assert [row["text"] for row in worst["rows"]] == [LONG, "a z", "a b x y", "a b x z"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("rows.csv -m length --worst 3", "--worst needs a metric that says which direction"),
        ("--candidate a.txt --reference r1.txt --worst 3", "and --candidate is one"),
    ],
)
def test_the_worst_of_one_text_or_without_a_direction_are_refused(texts, options, words):
    (texts / "rows.csv").write_text(WORST)
    assert_refused(run_command("score", *shlex.split(options)), 2, words)
