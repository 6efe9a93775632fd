"""Files that are written whole or not at all."""

import os
import re
import stat
import subprocess
import sys
import threading
from unittest import mock

import pytest

from summetry import files
from summetry.errors import SummetryError
from summetry.files import is_part, refuse_inputs, write_whole, written_whole


def test_nothing_is_there_before_the_end_and_an_error_leaves_the_earlier_file(tmp_path):
    path = tmp_path / "new" / "a.txt"
    with written_whole(path) as part:
        part.write_text("whole")
        assert not path.exists()
        assert is_part(part)
    with pytest.raises(SummetryError, match="half way"), written_whole(path) as part:
        part.write_text("lat")
        raise SummetryError("half way")
    assert path.read_text() == "whole"
    assert list(path.parent.iterdir()) == [path]


def test_two_at_once_do_not_share_a_part(tmp_path):
    path = tmp_path / "a.txt"
    with written_whole(path) as one, written_whole(path) as other:
        one.write_text("one")
        other.write_text("other")
    # The one that ends last has the name, and both were whole.
    assert path.read_text() == "one"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_are_those_of_any_new_file_or_of_the_earlier_one(tmp_path):
    path, usual = tmp_path / "a.txt", tmp_path / "usual.txt"
    usual.write_text("")
    write_whole(path, "")
    assert path.stat().st_mode == usual.stat().st_mode
    path.chmod(0o640)
    write_whole(path, "")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_stays_a_link_and_a_pipe_is_written_to(tmp_path):
    target, link, pipe = tmp_path / "target.txt", tmp_path / "link.txt", tmp_path / "pipe"
    link.symlink_to(target)
    write_whole(link, "through it")
    assert link.is_symlink()
    assert target.read_text() == "through it"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    write_whole(pipe, "through it")
    reader.join(timeout=300)
    assert read == ["through it"]
    assert sorted(tmp_path.iterdir()) == [link, pipe, target]


def test_the_longest_name_can_be_written(tmp_path):
    path = tmp_path / ("å" * 127)
    write_whole(path, "")
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_names_the_file_that_was_asked_for_or_the_other_one_that_it_is_of(tmp_path):
    file, missing = tmp_path / "file", tmp_path / "missing.txt"
    file.write_text("")
    with pytest.raises(OSError) as caught:
        write_whole(file / "below.txt", "")
    assert caught.value.filename in (str(file), str(file / "below.txt"))
    with pytest.raises(FileNotFoundError) as caught, written_whole(tmp_path / "a.txt"):
        missing.read_text()
    assert caught.value.filename == str(missing)


def test_what_is_read_is_not_written_over(tmp_path):
    corpus = tmp_path / "corpus"
    read = [corpus / "candidates" / "t1.lead.txt", corpus / "corpus.json", tmp_path / "a.csv"]
    free = [corpus / "table.txt", tmp_path / "b.csv", corpus / "candidates" / "new.txt"]
    for path in (*read, *free[:2]):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (tmp_path / "link.csv").symlink_to(tmp_path / "a.csv")
    inputs = [str(corpus), None, tmp_path / "a.csv", tmp_path / "missing.csv", "-"]
    refuse_inputs(free, inputs)
    for path in (*read, tmp_path / "link.csv"):
        expected = f"{path}: would be written over what is read; name another file"
        with pytest.raises(SummetryError, match=re.escape(expected)):
            refuse_inputs([free[0], path], inputs)


def test_what_is_kept_of_finished_work_depends_on_all_that_decides_numbers(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "__file__", str(tmp_path / "files.py"))
    for name in ("files.py", "arrays/kernel/tokens.c", "text/sv.toml", "cli/score.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    before = files.fingerprint_of_code()
    (tmp_path / "cli" / "score.py").write_text("shown otherwise")
    assert files.fingerprint_of_code() == before
    for name in ("files.py", "arrays/kernel/tokens.c", "text/sv.toml"):
        (tmp_path / name).write_text("computed otherwise")
        assert files.fingerprint_of_code() != before
        (tmp_path / name).write_text(name)
    assert files.fingerprint_of_code() == before
    assert files.fingerprint_of_code(settings=["numpy 3"]) != before


def test_ctrl_c_at_the_first_moment_of_a_file_leaves_none(tmp_path):
    def close(number, close=os.close):
        close(number)
        raise KeyboardInterrupt

    with (
        mock.patch.object(os, "close", close),
        pytest.raises(KeyboardInterrupt),
        written_whole(tmp_path / "scores.csv"),
    ):
        pass
    assert list(tmp_path.iterdir()) == []


def test_what_was_begun_is_gone_with_the_process(tmp_path):
    """Also where nobody came to the end of the `with` statement."""
    code = f"""
from pathlib import Path
from summetry.files import written_whole
begun = written_whole(Path({str(tmp_path / "scores.csv")!r}))
begun.__enter__()
import sys
sys.begun = begun
assert len(list(Path({str(tmp_path)!r}).iterdir())) == 1
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    assert list(tmp_path.iterdir()) == []
    gone = f"{code}\nPath({str(tmp_path)!r}).rename({str(tmp_path) + '-moved'!r})"
    gone += f"\nPath({str(tmp_path)!r}).touch()"
    done = subprocess.run([sys.executable, "-c", gone], check=True, capture_output=True, text=True)
    assert done.stderr == ""
