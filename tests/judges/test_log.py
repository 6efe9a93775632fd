"""The log: keyed, only added to, and never silently short of an answer."""

import hashlib
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from judged_corpora import answer, entry, log_lines, small_corpus, write_log

from summetry.errors import FormatError, SummetryError
from summetry.judges.log import JudgeLog
from summetry.judges.prompts import Choice, key_of, plan_asks
from summetry.judges.rubrics import asked_rubrics

MESSAGES = ({"role": "user", "content": "Judge: naïve 文"},)


def asks(trials=1):
    rubrics = asked_rubrics(["fluency"])
    return plan_asks(small_corpus(), rubrics, Choice(), "m", {"temperature": 0.0}, trials)


@pytest.fixture
def two():
    """The first two requests of a small corpus."""
    return asks()[:2]


@pytest.fixture
def path(tmp_path, two):
    """A log of two answers."""
    return write_log(tmp_path / "log.jsonl", list(zip(two, map(answer, "12"), strict=True)))


def test_the_key_is_a_hash_of_model_parameters_messages_and_trial():
    text = json.dumps(["m", {"a": 1, "b": 2.5}, list(MESSAGES), 3], sort_keys=True)
    assert key_of("m", {"b": 2.5, "a": 1}, MESSAGES, 3) == hashlib.sha256(text.encode()).hexdigest()
    assert len({ask.key for ask in asks(trials=3)}) == 3 * 4
    # Whatever differs has another key.
    others = [
        ("n", {"a": 1}, MESSAGES, 1), ("m", {"a": 2}, MESSAGES, 1),
        ("m", {"a": 1, "b": 1}, MESSAGES, 1), ("m", {"a": 1}, MESSAGES, 2),
        ("m", {"a": 1}, ({"role": "user", "content": "Judge"},), 1),
    ]  # fmt: skip
    assert key_of("m", {"a": 1}, MESSAGES, 1) not in [key_of(*other) for other in others]


def test_what_is_added_is_read_back_by_its_key_and_of_two_lines_the_later_counts(tmp_path, two):
    log = JudgeLog(tmp_path / "deep" / "log.jsonl")
    with log.opened():
        log.add(entry(two[0], answer("4")))
        log.add(entry(two[1], problem="no answer", attempts=5))
    again = JudgeLog(log.path)
    assert again.entries == log.entries and list(again.entries) == [ask.key for ask in two]
    assert again.entries[two[1].key].problem == "no answer" and again.notes == []
    line, _ = log_lines(log.path)
    assert line["messages"] == [dict(message) for message in two[0].messages]
    assert line["response"] == answer("4") and line["parameters"] == {"temperature": 0.0}
    # Of two lines with one key.
    write_log(log.path, [(two[0], answer("1")), (two[0], answer("2"))])
    assert JudgeLog(log.path).entries[two[0].key].response == answer("2")


@pytest.mark.parametrize("cut", [2, 5, 100])
def test_half_a_last_line_is_named_and_set_aside(path, two, cut):
    whole = path.read_bytes()
    half = whole[:-cut]
    path.write_bytes(half)
    log = JudgeLog(path)
    assert list(log.entries) == [two[0].key]
    assert f"{path}:2: the last line is cut off" in log.notes[0]
    # To read it changes nothing.
    assert path.read_bytes() == half
    with log.opened():
        log.add(entry(two[1], answer("3")))
    rest = half.partition(b"\n")[2]
    assert path.with_name("log.jsonl.cut").read_bytes() == rest + b"\n"
    assert "was moved to" in log.notes[1]
    assert stat.S_IMODE(path.with_name("log.jsonl.cut").stat().st_mode) == 0o600
    assert path.read_bytes().startswith(whole.partition(b"\n")[0])
    assert JudgeLog(path).entries[two[1].key].response == answer("3")


def test_a_last_line_counts_without_its_end_and_is_missing_if_it_is_cut(path, two, tmp_path):
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for end in range(first, len(whole) - 1, 7):
        path.write_bytes(whole[:end])
        log = JudgeLog(path)
        assert list(log.entries) == [two[0].key]
        assert bool(log.notes) == (end > first)
    path = write_log(tmp_path / "log.jsonl", [(two[0], answer("1"))])
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    log = JudgeLog(path)
    assert list(log.entries) == [two[0].key] and not log.notes
    with log.opened():
        log.add(entry(two[1], answer("2")))
    assert [line["key"] for line in log_lines(path)] == [ask.key for ask in two]
    assert not (tmp_path / "log.jsonl.cut").exists()


@pytest.mark.parametrize(("old", "new", "words"), [
    # A broken line, and one whose request was edited.
    (b'{"key"', b'{"key": \n{"key"', r"log\.jsonl:1: expected"),
    (b'"temperature":0.0', b'"temperature":1.0', r"jsonl:1: expected the key of its request"),
])  # fmt: skip
def test_a_broken_line_in_the_middle_is_an_error_with_its_location(path, old, new, words):
    path.write_bytes(path.read_bytes().replace(old, new, 1))
    with pytest.raises(FormatError, match=words):
        JudgeLog(path)


def test_two_processes_do_not_add_to_one_log_and_one_that_grew_meanwhile_is_not_cut(tmp_path, two):
    log = JudgeLog(tmp_path / "log.jsonl")
    code = (
        "import sys; from pathlib import Path; from summetry.judges.log import JudgeLog\n"
        "with JudgeLog(Path(sys.argv[1])).opened(): print('open')"
    )
    command = [sys.executable, "-c", code, log.path]
    with log.opened():
        other = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert "another run is adding to this log" in other.stderr
    assert not other.stdout
    path = write_log(tmp_path / "log.jsonl", [(two[0], answer("1"))])
    log = JudgeLog(path)
    write_log(path, [(ask, answer("1")) for ask in two])
    with pytest.raises(SummetryError, match="another run has added to it meanwhile"), log.opened():
        pass
    assert len(log_lines(path)) == 2


def test_an_answer_is_on_the_disk_before_it_counts(tmp_path, monkeypatch):
    synced = []
    real = os.fsync
    monkeypatch.setattr(
        os, "fsync", lambda file: (synced.append(os.fstat(file).st_size), real(file))
    )
    log = JudgeLog(tmp_path / "log.jsonl")
    with log.opened():
        synced.clear()
        log.add(entry(asks()[0], answer("1")))
        assert synced == [log.path.stat().st_size] and synced[0] > 0
    assert stat.S_IMODE(log.path.stat().st_mode) == 0o600


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_an_error_that_names_the_log(tmp_path):
    (tmp_path / "log.jsonl").symlink_to("/dev/full")
    log = JudgeLog(tmp_path / "other.jsonl")
    log.path = tmp_path / "log.jsonl"
    with pytest.raises(OSError, match=r"log\.jsonl") as error, log.opened():
        log.add(entry(asks()[0], answer("1")))
    assert error.value.errno == 28
