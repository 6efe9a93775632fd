"""The log: keyed, only added to, and never silently short of an answer."""

import json
import os
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


def test_the_key_is_a_hash_of_model_parameters_messages_and_trial():
    import hashlib

    text = json.dumps(["m", {"a": 1, "b": 2.5}, list(MESSAGES), 3], sort_keys=True)
    assert key_of("m", {"b": 2.5, "a": 1}, MESSAGES, 3) == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(
    "other",
    [
        ("n", {"a": 1}, MESSAGES, 1),
        ("m", {"a": 2}, MESSAGES, 1),
        ("m", {"a": 1, "b": 1}, MESSAGES, 1),
        ("m", {"a": 1}, ({"role": "user", "content": "Judge"},), 1),
        ("m", {"a": 1}, MESSAGES, 2),
    ],
)
def test_whatever_differs_has_another_key(other):
    assert key_of("m", {"a": 1}, MESSAGES, 1) != key_of(*other)


def test_each_trial_is_a_request_of_its_own():
    keys = {ask.key for ask in asks(trials=3)}
    assert len(keys) == 3 * 4


def test_what_is_added_is_read_back_by_its_key(tmp_path):
    log = JudgeLog(tmp_path / "deep" / "log.jsonl")
    one, two, *_ = asks()
    with log.opened():
        log.add(entry(one, answer("4")))
        log.add(entry(two, problem="no answer", attempts=5))
    again = JudgeLog(log.path)
    assert again.entries == log.entries and list(again.entries) == [one.key, two.key]
    assert again.entries[two.key].problem == "no answer"
    assert again.notes == []


def test_the_file_holds_the_whole_request(tmp_path):
    log, ask = JudgeLog(tmp_path / "log.jsonl"), asks()[0]
    with log.opened():
        log.add(entry(ask, answer("4")))
    (line,) = log_lines(log.path)
    assert line["messages"] == [dict(message) for message in ask.messages]
    assert line["response"] == answer("4") and line["parameters"] == {"temperature": 0.0}


def test_of_two_lines_with_one_key_the_later_counts(tmp_path):
    ask = asks()[0]
    path = write_log(tmp_path / "log.jsonl", [(ask, answer("1")), (ask, answer("2"))])
    assert JudgeLog(path).entries[ask.key].response == answer("2")


@pytest.mark.parametrize("cut", [1, 5, 100])
def test_half_a_last_line_is_named_and_set_aside(tmp_path, cut):
    one, two, *_ = asks()
    path = write_log(tmp_path / "log.jsonl", [(one, answer("1")), (two, answer("2"))])
    whole = path.read_bytes()
    half = whole[:-cut] if cut > 1 else whole[:-2]
    path.write_bytes(half)
    log = JudgeLog(path)
    assert list(log.entries) == [one.key]
    assert f"{path}:2: the last line is cut off" in log.notes[0]
    # To read it changes nothing.
    assert path.read_bytes() == half
    with log.opened():
        log.add(entry(two, answer("3")))
    rest = half.partition(b"\n")[2]
    assert (tmp_path / "log.jsonl.cut").read_bytes() == rest + b"\n"
    assert "was moved to" in log.notes[1]
    assert path.read_bytes().startswith(whole.partition(b"\n")[0])
    assert JudgeLog(path).entries[two.key].response == answer("3")


def test_wherever_the_last_line_is_cut_only_its_answer_is_missing(tmp_path):
    one, two, *_ = asks()
    path = write_log(tmp_path / "log.jsonl", [(one, answer("1")), (two, answer("2"))])
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for end in range(first, len(whole) - 1, 7):
        path.write_bytes(whole[:end])
        log = JudgeLog(path)
        assert list(log.entries) == [one.key]
        assert bool(log.notes) == (end > first)


def test_a_whole_last_line_without_its_end_counts_and_is_ended(tmp_path):
    one, two, *_ = asks()
    path = write_log(tmp_path / "log.jsonl", [(one, answer("1"))])
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    log = JudgeLog(path)
    assert list(log.entries) == [one.key] and not log.notes
    with log.opened():
        log.add(entry(two, answer("2")))
    assert [line["key"] for line in log_lines(path)] == [one.key, two.key]
    assert not (tmp_path / "log.jsonl.cut").exists()


def test_a_broken_line_in_the_middle_is_an_error_with_its_place(tmp_path):
    one, two, *_ = asks()
    path = write_log(tmp_path / "log.jsonl", [(one, answer("1")), (two, answer("2"))])
    path.write_bytes(b'{"key": \n' + path.read_bytes())
    with pytest.raises(FormatError, match=r"log\.jsonl:1: expected"):
        JudgeLog(path)


def test_a_line_whose_request_was_edited_is_an_error(tmp_path):
    path = write_log(tmp_path / "log.jsonl", [(asks()[0], answer("1"))])
    path.write_bytes(path.read_bytes().replace(b'"temperature":0.0', b'"temperature":1.0'))
    with pytest.raises(FormatError, match=r"log\.jsonl:1: expected the key of its request"):
        JudgeLog(path)


def test_two_processes_do_not_add_to_one_log(tmp_path):
    log = JudgeLog(tmp_path / "log.jsonl")
    code = (
        "import sys; from pathlib import Path; from summetry.judges.log import JudgeLog\n"
        "with JudgeLog(Path(sys.argv[1])).opened(): print('open')"
    )
    with log.opened():
        other = subprocess.run(
            [sys.executable, "-c", code, log.path], capture_output=True, text=True, timeout=60
        )
    assert "another run is adding to this log" in other.stderr
    assert not other.stdout


def test_a_log_that_grew_meanwhile_is_not_cut(tmp_path):
    one, two, *_ = asks()
    path = write_log(tmp_path / "log.jsonl", [(one, answer("1"))])
    log = JudgeLog(path)
    write_log(path, [(one, answer("1")), (two, answer("2"))])
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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_an_error_that_names_the_log(tmp_path):
    (tmp_path / "log.jsonl").symlink_to("/dev/full")
    log = JudgeLog(tmp_path / "other.jsonl")
    log.path = tmp_path / "log.jsonl"
    with pytest.raises(OSError, match=r"log\.jsonl") as error, log.opened():
        log.add(entry(asks()[0], answer("1")))
    assert error.value.errno == 28
