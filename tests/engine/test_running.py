"""Chunks, workers, resuming: the numbers stay the same, and finished work is not done again."""

import json
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar

import msgspec
import numpy as np
import pytest

import summetry
from summetry.cli.main import main
from summetry.engine.cache import ChunkStore, run_key, task_key
from summetry.engine.local import map_in_order
from summetry.engine.plan import CorpusPlan, ItemChunk
from summetry.engine.run import Run
from summetry.engine.tables import TablePlan
from summetry.errors import (
    FormatError,
    MissingPackageError,
    Place,
    PlugInError,
    SummetryError,
    SummetryWarning,
    UnknownNameError,
)
from summetry.metrics import METRICS
from summetry.metrics.unit_overlap import UnitOverlap

ALL = METRICS.names()
# The second has no value for summaries that are no extracts, and says so.
FEW = ["lcs", "coselection"]


@pytest.fixture(scope="module")
def whole(demo):
    return summetry.evaluate(demo, ALL, "all_peers")


@pytest.mark.parametrize("size", [1, 7, 80])
def test_the_size_of_chunks_changes_no_bit(demo, whole, size):
    scores = summetry.evaluate(demo, ALL, "all_peers", chunk_items=size)
    assert scores == whole
    assert scores.data.tobytes() == whole.data.tobytes()


def test_the_number_of_workers_changes_no_bit(demo, whole):
    scores = summetry.evaluate(demo, ALL, "all_peers", workers=2, chunk_items=10)
    assert scores.data.tobytes() == whole.data.tobytes()
    assert scores.columns == whole.columns and scores.rows == whole.rows


def test_progress_tells_how_many_of_how_many(demo):
    seen = []
    summetry.evaluate(
        demo, ["lcs"], chunk_items=20, progress=lambda done, total: seen.append((done, total))
    )
    assert seen == [(20, 54), (40, 54), (54, 54)]


def test_progress_may_hear_which_metric_is_at_work(demo):
    class Progress:
        def __init__(self):
            self.heard = []

        def __call__(self, done, total):
            self.heard.append(done)

        def working(self, name):
            self.heard.append(name)

    progress = Progress()
    summetry.evaluate(demo, ["ROUGE-2", "lcs", "lcs.f"], chunk_items=40, progress=progress)
    # Under the names that were typed; one that is asked for twice is computed once.
    assert progress.heard == ["ROUGE-2", "lcs", 40, "ROUGE-2", "lcs", 54]


def test_long_texts_make_smaller_chunks(demo, monkeypatch):
    monkeypatch.setattr("summetry.engine.plan.CHUNK_CHARACTERS", 10_000)
    sizes = [len(chunk) for chunk in CorpusPlan(demo).chunks(1000)]
    assert len(sizes) > 5 and sum(sizes) == 54


def test_finished_chunks_are_taken_over(demo, tmp_path):
    first = summetry.evaluate(demo, FEW, chunk_items=10, cache=tmp_path)
    assert first.notes
    chunks = tmp_path / "chunks"
    files = {path: path.stat().st_mtime_ns for path in chunks.iterdir()}
    assert len(files) == 6
    run = Run(CorpusPlan(demo), FEW, chunk_items=10, store=ChunkStore(tmp_path))
    assert run.table() == first
    assert run.chunks_found == run.chunks_done == 6
    assert run.notes == first.notes
    assert files == {path: path.stat().st_mtime_ns for path in chunks.iterdir()}


def test_a_broken_chunk_is_computed_again(demo, tmp_path):
    first = summetry.evaluate(demo, FEW, chunk_items=10, cache=tmp_path)
    files = sorted((tmp_path / "chunks").iterdir())
    for path, content in zip(files, (b"", b"rubbish", b"\x94"), strict=False):
        path.write_bytes(content)
    # One bit of a number: nothing but the checksum can tell.
    whole = bytearray(files[3].read_bytes())
    whole[len(whole) // 2] ^= 1
    files[3].write_bytes(whole)
    run = Run(CorpusPlan(demo), FEW, chunk_items=10, store=ChunkStore(tmp_path))
    assert run.table() == first
    assert run.chunks_found == 2


@pytest.mark.parametrize("change", [lambda data: data[:-1], lambda data: data[:, :-1]])
def test_a_kept_chunk_with_other_rows_or_columns_is_computed_again(demo, tmp_path, change):
    first = summetry.evaluate(demo, FEW, chunk_items=10, cache=tmp_path)
    store = ChunkStore(tmp_path)
    for path in sorted((tmp_path / "chunks").iterdir())[:2]:
        scores = store.get(path.stem)
        assert store.put(path.stem, msgspec.structs.replace(scores, data=change(scores.data))) == ""
    run = Run(CorpusPlan(demo), FEW, chunk_items=10, store=store)
    assert run.table() == first
    assert run.chunks_found == 4
    # And kept anew.
    run = Run(CorpusPlan(demo), FEW, chunk_items=10, store=store)
    assert run.table() == first and run.chunks_found == 6


def test_a_store_that_can_keep_nothing_costs_no_score(demo, tmp_path):
    store = ChunkStore(tmp_path / "store")
    store.folder.rmdir()
    store.folder.write_text("in the way")
    run = Run(CorpusPlan(demo), ["lcs"], chunk_items=10, store=store)
    assert run.table() == summetry.evaluate(demo, ["lcs"])
    beginning_of_note = f"finished work could not be kept, to be resumed: {store.folder}: "
    assert [note for note in run.notes if note.startswith(beginning_of_note)]


def test_two_runs_at_once_may_share_a_store(demo, tmp_path):
    with ThreadPoolExecutor(2) as pool:
        calls = [
            pool.submit(summetry.evaluate, demo, ["lcs"], chunk_items=3, cache=tmp_path)
            for _ in range(2)
        ]
        first, second = (call.result() for call in calls)
    assert first == second == summetry.evaluate(demo, ["lcs"])
    assert {path.suffix for path in (tmp_path / "chunks").iterdir()} == {".chunk"}


def test_the_key_follows_content_settings_and_code(demo, monkeypatch, tmp_path):
    from summetry.engine import cache

    def key(first=0, spelling="lcs"):
        items = list(CorpusPlan(demo).items())[first : first + 3]
        return run_key([METRICS.build(spelling)], "stop") + task_key(ItemChunk(items))

    before = key()
    assert before == key()
    assert before != key(first=1)
    assert before != key(spelling="lcs(references=best)")
    cache.code_key.cache_clear()
    with monkeypatch.context() as elsewhere:
        # The stems of another version may be others.
        other = tmp_path / "pystemmer-0.1.dist-info"
        other.mkdir()
        (other / "METADATA").write_text("Metadata-Version: 2.1\nName: pystemmer\nVersion: 0.1\n")
        elsewhere.syspath_prepend(tmp_path)
        assert before != key()
    cache.code_key.cache_clear()
    assert before == key()
    monkeypatch.setattr(cache, "code_key", lambda classes: "another program")
    assert before != key()


def test_old_chunks_are_thrown_away(tmp_path):
    store = ChunkStore(tmp_path)
    names = (f"{'0' * 40}.chunk", f"{'1' * 40}.chunk", f".{'2' * 40}.{'0' * 16}.part")
    old, new, part = (store.folder / name for name in names)
    for path in (old, new, part):
        path.write_bytes(b"")
    os.utime(old, (0, 0))
    os.utime(part, (0, 0))
    ChunkStore(tmp_path).prune()
    assert list(store.folder.iterdir()) == [new]


def test_what_is_not_a_chunk_is_never_removed(tmp_path):
    """A file that comes to lie among the chunks while the store is open."""
    store = ChunkStore(tmp_path)
    names = ("topics.jsonl", "old.chunk", "s.csv.part", ".hidden.part", f"{'0' * 40}.chunk.bak")
    for name in names:
        (store.folder / name).write_text("somebody's work")
        os.utime(store.folder / name, (0, 0))
    store.prune()
    assert sorted(path.name for path in store.folder.iterdir()) == sorted(names)


@pytest.mark.parametrize("place", ["topics.jsonl", "chunks/topics.jsonl"])
def test_a_folder_that_holds_something_else_is_refused(tmp_path, place):
    stranger = tmp_path / place
    stranger.parent.mkdir(exist_ok=True)
    stranger.write_text("{}")
    os.utime(stranger, (0, 0))
    with pytest.raises(
        SummetryError, match=f"holds nothing else, found {re.escape(str(stranger))}"
    ):
        ChunkStore(tmp_path)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [stranger]


def test_an_old_corpus_survives_being_named_as_the_cache(demo_folder, capsys, tmp_path):
    corpus = shutil.copytree(demo_folder, tmp_path / "corpus")
    before = {path: path.read_bytes() for path in corpus.iterdir()}
    for path in before:
        os.utime(path, (0, 0))
    with pytest.raises(SystemExit, match="2"):
        main(["score", str(corpus), "-m", "lcs", "--cache", str(corpus)])
    assert "cannot keep finished work here: expected a new folder" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in corpus.iterdir()} == before


def test_a_cache_that_cannot_be_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SummetryError, match="cannot keep finished work here"):
        ChunkStore(tmp_path / "file" / "below")


@dataclass(frozen=True)
class Brittle(UnitOverlap):
    """A metric that fails on one author, as a faulty plug-in might."""

    name: ClassVar[str] = "brittle"

    def count(self, batch):
        if any(comparison.candidate.author == "echo" for comparison in batch.comparisons):
            raise ZeroDivisionError("division by zero")
        return super().count(batch)


@pytest.fixture
def brittle(monkeypatch):
    METRICS.names()
    monkeypatch.setitem(METRICS._classes, "brittle", Brittle)


def test_a_metric_that_fails_stops_the_run(demo, brittle):
    with pytest.raises(PlugInError, match=r"'brittle' of .* failed: ZeroDivisionError: ") as caught:
        summetry.evaluate(demo, ["brittle"])
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize("member", ["count", "notes"])
def test_a_metric_that_ends_the_program_is_named(demo, brittle, monkeypatch, member):
    monkeypatch.setattr(Brittle, member, lambda self, batch: sys.exit(3))
    with pytest.raises(PlugInError, match=r"'brittle' of the plug-in .* failed: SystemExit: 3; "):
        summetry.evaluate(demo, ["brittle"])
    scores = summetry.evaluate(demo, ["lcs", "brittle"], on_error="skip")
    assert [note for note in scores.notes if note.endswith("author lead: SystemExit: 3")]


def test_with_skip_only_the_failing_items_are_lost_and_listed(demo, brittle):
    scores = summetry.evaluate(demo, ["brittle", "unit_overlap"], on_error="skip")
    lost = [row.author == "echo" for row in scores.rows]
    assert np.array_equal(np.isnan(scores.column("brittle")), lost)
    kept = ~np.array(lost)
    expected = summetry.evaluate(demo, ["unit_overlap"]).data[kept, 0]
    assert np.array_equal(scores.column("brittle")[kept], expected)
    assert len(scores.notes) == 9
    assert scores.notes[0] == (
        "skipped: topic t01, author echo: ZeroDivisionError: division by zero"
    )


def _die_once(task):
    """Kill this very process at the first task that finds no mark on disk."""
    number, mark = task
    if number == 3 and not mark.exists():
        mark.write_text("")
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def _die_always(task):
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_is_killed_is_replaced_and_results_come_in_the_order_of_the_tasks(tmp_path):
    tasks = [(number, tmp_path / "mark") for number in range(12)]
    with pytest.warns(SummetryWarning, match="^a worker process died, perhaps"):
        assert list(map_in_order(_die_once, tasks, 2)) == list(range(12))
    assert (tmp_path / "mark").exists()


def test_an_error_of_a_worker_is_the_error_of_one_process(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,candidate,reference\n" + "1,a,b\n" * 3 + "1,a\n")
    errors = []
    for workers in (1, 2):
        with pytest.raises(FormatError) as caught:
            Run(TablePlan(path), ["rouge1"], workers=workers).table()
        errors.append((str(caught.value), caught.value.place, caught.value.found))
    assert errors[0] == errors[1] and errors[0][0].startswith(f"{path}:5: expected 3 cells")


@pytest.mark.parametrize(
    "error",
    [FormatError(Place("f", 3), "a", "b", "c"), UnknownNameError("metric", "x", ["y"]),
     MissingPackageError("this", "that"), SummetryError("words")],
)  # fmt: skip
def test_errors_can_be_pickled(error):
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.__dict__) == (type(error), str(error), error.__dict__)


class TwoWordsError(Exception):
    """An error that is pickled, but not made again from its one argument."""

    def __init__(self, first, second):
        super().__init__(f"{first} {second}")


def _fail_from_3_on(task):
    if task >= 3:
        raise TwoWordsError("number", task)
    return task


def test_an_error_that_cannot_be_sent_is_told_in_its_turn_and_in_its_words():
    done = map_in_order(_fail_from_3_on, range(9), 2)
    assert [next(done) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(SummetryError, match=r"^TwoWordsError: number 3$") as caught:
        next(done)
    assert "in _fail_from_3_on" in str(caught.value.__cause__)


def _die_while_handing_over(task):
    """Much is handed over, and the process dies in the middle of it, most of the time."""
    number, mark = task
    if number == 3 and not mark.exists():
        mark.write_text("")
        threading.Timer(0.05, os.kill, [os.getpid(), signal.SIGKILL]).start()
    return number, bytes(50_000_000 if number == 3 else 10)


def test_a_worker_that_is_killed_while_it_hands_over_is_replaced(tmp_path):
    tasks = [(number, tmp_path / "mark") for number in range(8)]
    with pytest.warns(SummetryWarning, match="^a worker process died"):
        done = list(map_in_order(_die_while_handing_over, tasks, 2))
    assert [number for number, _ in done] == list(range(8))


@pytest.mark.parametrize(
    "engine",
    [
        lambda work, tasks: [work(task) for task in list(tasks)[:-1]],
        lambda work, tasks: [work(task) for task in tasks for _ in range(2)],
        lambda work, tasks: (None for _ in tasks),
        lambda work, tasks: [],
    ],
)
def test_an_engine_that_gives_other_results_is_refused(demo, engine):
    with pytest.raises(SummetryError, match="the engine must yield what the work gives for each"):
        summetry.evaluate(demo, ["lcs"], chunk_items=10, engine=engine)


def test_workers_that_keep_dying_end_with_advice(monkeypatch):
    monkeypatch.setattr("summetry.engine.workers._TRIES", 2)
    with pytest.raises(SummetryError, match=r"died 2 times on the same work.*fewer --workers"):
        list(map_in_order(_die_always, [1, 2], 2))


def test_a_script_without_a_guard_is_told_of_it(tmp_path, demo_folder):
    script = tmp_path / "script.py"
    call = f"summetry.evaluate({str(demo_folder)!r}, ['lcs'], workers=2)"
    script.write_text(f"import summetry\n{call}\n", encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], text=True, capture_output=True)
    assert done.returncode == 1
    assert (
        'None ever finished: a script has to call Summetry below `if __name__ == "__main__":`'
        in done.stderr.splitlines()[-1]
    )


def write_table(path, rows):
    with path.open("w", encoding="utf-8") as file:
        for i in range(rows):
            words = " ".join(f"word{(i * 7 + j) % 97}" for j in range(40))
            record = {"id": str(i), "system": f"s{i % 3}", "candidate": words}
            record["references"] = [f"{words} more {i}", f"other words {i % 11}"]
            file.write(json.dumps(record) + "\n")


def run_score(table, cache, *options):
    command = [sys.executable, "-m", "summetry", "score", str(table), "-m", "lcs"]
    command += ["-m", "unit_overlap", "--chunk", "100", "--cache", str(cache), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """A table of 80 chunks, and the bytes that a run without any interruption writes."""
    folder = tmp_path_factory.mktemp("uninterrupted")
    table, output = folder / "pairs.jsonl", folder / "scores.csv"
    write_table(table, 8_000)
    once = run_score(table, folder / "cache", "-o", str(output))
    assert once.communicate(timeout=300) and once.returncode == 0
    return table, output.read_bytes()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_killed_run_goes_on_where_it_stopped(tmp_path, uninterrupted, workers):
    """A real process, a real SIGKILL; what it finished is not computed again."""
    (table, expected), cache = uninterrupted, tmp_path / "cache"
    output = tmp_path / "scores.csv"
    victim = run_score(table, cache, "--workers", workers, "-o", str(output))
    deadline = time.monotonic() + 300
    # More than workers are ever ahead of the first chunk, so that this one is finished as well.
    while len(list(cache.rglob("*.chunk")) if cache.exists() else []) < 20:
        assert victim.poll() is None, victim.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.005)
    victim.send_signal(signal.SIGKILL)
    # Ends only when the workers, who share the pipe, are gone as well.
    victim.communicate(timeout=300)
    assert victim.returncode == -signal.SIGKILL
    assert not output.exists()
    time.sleep(0.5)  # Workers end with the process that started them.
    finished = {path: path.stat().st_mtime_ns for path in cache.rglob("*.chunk")}
    assert 20 <= len(finished) < 80

    again = run_score(table, cache, "--workers", workers, "-o", str(output))
    _, printed_errors = again.communicate(timeout=120)
    assert again.returncode == 0, printed_errors
    notes = [line for line in printed_errors.splitlines() if not line.startswith("scored ")]
    assert notes == ["note: going on from what an earlier run finished"]
    # What was finished is as it was, and the rest was added to it.
    assert len(list(cache.rglob("*.chunk"))) == 80
    assert {path: path.stat().st_mtime_ns for path in finished} == finished
    assert output.read_bytes() == expected
