"""Many requests to a server that fails, and a judge that is killed: nothing is lost."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from command_line import succeed
from fault_server import fault_server
from judged_corpora import SHORT_RUBRIC, log_lines, small_corpus, wait_until, write_corpus

# Requests under way at a time, and so at most as many whose answers a kill can meet on their way.
CONCURRENCY = 16
SYSTEMS = tuple(f"system{n}" for n in range(10))
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


@pytest.fixture
def folder(tmp_path):
    marks = "\n".join(f'{mark} = "mark {mark}"' for mark in (3, 4, 5))
    (tmp_path / "clarity.toml").write_text(SHORT_RUBRIC.replace('3 = "good"', marks))
    return tmp_path


def command(address, *more):
    patient = ["--timeout", "2.5", "--wait", "0.02", "--attempts", "4"]
    return [
        "judge", "corpus", "-r", "clarity.toml", "--model", "m", "--url", address,
        "--concurrency", str(CONCURRENCY), "--draws", "50", *patient, *more,
    ]  # fmt: skip


def lines_in(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


@pytest.mark.parametrize(
    ("topics", "goals"), [(8, (30,)), pytest.param(100, (250, 600), marks=pytest.mark.slow)]
)
def test_no_answer_is_lost_or_paid_for_twice_whenever_the_run_is_killed(folder, topics, goals):
    requests = topics * len(SYSTEMS)
    write_corpus(folder / "corpus", small_corpus(topics, SYSTEMS))
    log, ledger = folder / "judge-log.jsonl", folder / "ledger"
    kills = []
    with fault_server(ledger, share=0.2, slow=3.5) as address:
        for goal in goals:
            words = [sys.executable, "-m", "summetry", *command(address)]
            running = subprocess.Popen(words, cwd=folder, **QUIET)
            assert wait_until(lambda goal=goal: lines_in(log) >= goal, 60)
            os.kill(running.pid, signal.SIGKILL)
            running.wait()
            kills.append((lines_in(log), time.time()))
        counts = succeed(*command(address, "--json"), folder=folder).json["requests"]
    lines = [number for number, _ in kills]
    assert lines == sorted(set(lines)) and goals[0] <= lines[0] and lines[-1] < requests
    entries = log_lines(log)
    keys = [entry["key"] for entry in entries]
    assert len(keys) == len(set(keys)) == requests

    assert sum(counts.values()) == requests and counts["not_asked"] == 0
    went_out = [json.loads(line) for line in ledger.read_text().splitlines()]
    by_name = {}
    for one in went_out:
        by_name.setdefault(one["name"], []).append(one)
    # Who was asked again after a whole answer: only what was on its way when a kill came.
    twice = [many for many in by_name.values() if len(many) > 1]
    paid = [one for many in twice for one in many[:-1]]
    assert len(paid) <= CONCURRENCY * len(kills)
    assert all(any(abs(one["at"] - at) < 1.5 for _, at in kills) for one in paid)

    by_key = {entry["key"]: entry for entry in entries}
    assert counts["no_answer"] == sum("problem" in entry for entry in by_key.values())
    assert counts["mark"] > 0.85 * requests
    assert counts["refusal"] + counts["parse_failure"] > 0


def test_what_was_asked_replays_byte_for_byte_with_the_server_gone(folder):
    write_corpus(folder / "corpus", small_corpus(3, SYSTEMS[:4]))
    with fault_server(folder / "ledger", share=0.4, slow=3.5) as address:
        words = command(address, "-o", "judged.csv")
        first = succeed(*words, folder=folder)
    written = {path.name: path.read_bytes() for path in folder.glob("judge*")}
    names = ("judged.csv", "judged-scores.csv")
    files = {*names, *(f"{name}.signatures.json" for name in names), "judge-log.jsonl"}
    assert set(written) == files
    # The same command, at an address where nobody is any more.
    second = succeed(*words, folder=folder)
    # But for how much of it was asked now, all is the same.
    sent = re.compile(r"^[\d,]+ requests sent.*?(?=^judge)", re.DOTALL | re.MULTILINE)
    assert sent.search(second.out)[0].startswith("0 requests sent, 12 answers from the log")
    assert not sent.search(first.out)[0].startswith("0 ")
    assert sent.sub("", second.out) == sent.sub("", first.out)
    assert {path.name: path.read_bytes() for path in folder.glob("judge*")} == written
