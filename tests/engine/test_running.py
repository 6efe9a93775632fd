"""Chunks, workers, resuming: the numbers stay the same, and finished work is not done again."""

import json
import os
import pickle
import platform
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

import msgspec
import numpy as np
import pytest
from command_line import succeed
from dying_work import die_always, die_once, die_while_handing_over, fail_from_3_on
from threadpoolctl import threadpool_info
from tiny_encoders import WORDS, tiny_vectors, write_static

import summetry
from summetry.engine import cache, chunks
from summetry.engine.cache import ChunkStore, run_key, task_key
from summetry.engine.local import map_in_order
from summetry.engine.plan import CorpusPlan, ItemChunk
from summetry.engine.run import Run, as_plan
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
from summetry.records.scores import Row, Whose
from summetry.signature import Signature

ALL = METRICS.names()
# The second has no value for summaries that are no extracts, and says so.
FEW = ["lcs", "coselection"]


@pytest.fixture(scope="module")
def small(demo):
    """Two topics of the demo corpus: 18 summaries, 6 of them references."""
    names = {topic.id for topic in demo.topics[:2]}
    records = {}
    for kind in ["summaries", "extracts", "utilities", "pyramids", "judgments"]:
        records[kind] = tuple(r for r in getattr(demo, kind) if r.topic in names)
    return replace(demo, topics=demo.topics[:2], **records)


@pytest.fixture(scope="module")
def small_table(small):
    return summetry.evaluate(small, ALL, "all_peers")


def assert_same(scores, expected):
    assert scores == expected
    assert scores.data.tobytes() == expected.data.tobytes()


def test_the_size_of_chunks_changes_no_bit(small, small_table):
    assert_same(summetry.evaluate(small, ALL, "all_peers", chunk_items=9), small_table)


def letters(candidate, references):
    return {"all": len(candidate), "references": len(references)}


letters.values = ("all", "references")


def test_the_number_of_workers_changes_no_bit(small):
    metrics = ["rouge_l", "greedy_match", "accy", "relative_utility", "pyramid", letters]
    alone, together = (
        summetry.evaluate(small, metrics, "all_peers", workers=n, chunk_items=5) for n in (1, 2)
    )
    assert_same(together, alone)
    assert together.columns == alone.columns and together.rows == alone.rows


def test_progress_tells_how_many_of_how_many_and_which_metric_is_at_work(demo, monkeypatch):
    steps, heard = [], []
    summetry.evaluate(demo, ["lcs"], chunk_items=20, progress=lambda *step: steps.append(step))
    assert steps == [(20, 54), (40, 54), (54, 54)]

    class Progress:
        def __call__(self, done, total):
            heard.append(done)

        def working(self, name):
            heard.append(name)

    summetry.evaluate(demo, ["ROUGE-2", "lcs", "lcs.f"], chunk_items=40, progress=Progress())
    # Under the names that were typed; one that is asked for twice is computed once.
    assert heard == ["ROUGE-2", "lcs", 40, "ROUGE-2", "lcs", 54]
    # Long texts make smaller chunks.
    monkeypatch.setattr("summetry.engine.plan.CHUNK_CHARACTERS", 10_000)
    sizes = [len(chunk) for chunk in CorpusPlan(demo).chunks(1000)]
    assert len(sizes) > 5 and sum(sizes) == 54


# --- finished work --------------------------------------------------------------------------------


def stored_run(corpus, store, metrics=FEW):
    return Run(CorpusPlan(corpus), metrics, chunk_items=10, store=store)


@pytest.fixture
def finished(demo, tmp_path):
    """Scores in six chunks, which are kept, and the store where they are."""
    scores = summetry.evaluate(demo, FEW, chunk_items=10, cache=tmp_path)
    return scores, ChunkStore(tmp_path)


def test_finished_chunks_are_taken_over(demo, finished):
    first, store = finished
    assert first.notes
    times = {path: path.stat().st_mtime_ns for path in store.folder.iterdir()}
    assert len(times) == 6
    run = stored_run(demo, store)
    assert run.table() == first
    assert run.chunks_found == run.chunks_done == 6
    assert run.notes == first.notes
    assert times == {path: path.stat().st_mtime_ns for path in store.folder.iterdir()}


def test_a_broken_chunk_is_computed_again(demo, finished):
    first, store = finished
    files = sorted(store.folder.iterdir())
    for path, content in zip(files, (b"", b"rubbish", b"\x94"), strict=False):
        path.write_bytes(content)
    # One bit of a number: nothing but the checksum can tell.
    content = bytearray(files[3].read_bytes())
    content[len(content) // 2] ^= 1
    files[3].write_bytes(content)
    run = stored_run(demo, store)
    assert run.table() == first
    assert run.chunks_found == 2


@pytest.mark.parametrize("change", [lambda data: data[:-1], lambda data: data[:, :-1]])
def test_a_kept_chunk_with_other_rows_or_columns_is_computed_again(demo, finished, change):
    first, store = finished
    for path in sorted(store.folder.iterdir())[:2]:
        scores = store.get(path.stem)
        assert store.put(path.stem, msgspec.structs.replace(scores, data=change(scores.data))) == ""
    # And kept anew.
    for chunks_found in (4, 6):
        run = stored_run(demo, store)
        assert run.table() == first
        assert run.chunks_found == chunks_found


def test_a_store_may_be_shared_by_two_runs_or_keep_nothing(demo, tmp_path):
    call = partial(summetry.evaluate, demo, ["lcs"], chunk_items=3, cache=tmp_path)
    with ThreadPoolExecutor(2) as pool:
        first, second = (call.result() for call in [pool.submit(call), pool.submit(call)])
    assert first == second == summetry.evaluate(demo, ["lcs"])
    assert {path.suffix for path in (tmp_path / "chunks").iterdir()} == {".chunk"}
    # One that can keep nothing costs no score.
    store = ChunkStore(tmp_path / "store")
    store.folder.rmdir()
    store.folder.write_text("in the way")
    run = stored_run(demo, store, ["lcs"])
    assert run.table() == summetry.evaluate(demo, ["lcs"])
    beginning = f"finished work could not be kept, to be resumed: {store.folder}: "
    assert [note for note in run.notes if note.startswith(beginning)]


def test_another_process_keeps_work_in_the_folder_of_the_run_and_in_no_other(tmp_path):
    store, key, whose = ChunkStore(tmp_path), "0" * 40, Whose.of([Row("no_models", "t", "s", "")])
    # Dask's scheduler passes on what it was sent.
    elsewhere = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(store))))
    scores = chunks.ChunkScores(np.ones((1, 1)), whose=whose)
    assert elsewhere.put(key, scores) == "" and store.get(key).data == 1
    assert len(list(store.folder.iterdir())) == 2
    folder = store.folder
    del store
    assert [path.stem for path in folder.iterdir()] == [key]
    assert "not the folder of this run" in elsewhere.put(key, scores)


def test_the_key_follows_content_settings_and_code(demo, monkeypatch, tmp_path):
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


def test_a_table_with_other_texts_of_the_same_length_is_scored_anew(tmp_path):
    table, store, values = tmp_path / "t.jsonl", ChunkStore(tmp_path / "kept"), []
    for word in "ab":
        table.write_text(f'{{"candidate": "{word}", "reference": "a"}}\n')
        values += Run(TablePlan(table), ["rouge1.f"], store=store).table().data.tolist()
    assert values == [[1], [0]]


def test_old_chunks_are_thrown_away_and_nothing_else(tmp_path):
    """Also where a file comes to lie among the chunks while the store is open."""
    store, number = ChunkStore(tmp_path), "0" * 40
    # Chunks are kept for 30 days, and parts for one.
    days = {f"{number}.chunk": 30, f".{number}.{'0' * 16}.part": 1}
    others = ["topics.jsonl", "old.chunk", "s.csv.part", ".hidden.part", f"{number}.chunk.bak"]
    for name in (*days, *others):
        (store.folder / name).write_text("somebody's work")
        os.utime(store.folder / name, (0, 0))
    new = [name.replace("0" * 40, "1" * 40) for name in days]
    for names, minutes in ((days, 1), (new, -1)):
        for name, age in zip(names, days.values(), strict=True):
            (store.folder / name).write_bytes(b"")
            os.utime(store.folder / name, (0, time.time() - age * 86_400 - minutes * 60))
    store.prune()
    assert sorted(path.name for path in store.folder.iterdir()) == sorted([*others, *new])


@pytest.mark.parametrize("place", ["topics.jsonl", "chunks/topics.jsonl"])
def test_a_folder_that_holds_something_else_is_refused(tmp_path, place):
    stranger = tmp_path / place
    stranger.parent.mkdir(exist_ok=True)
    stranger.write_text("{}")
    os.utime(stranger, (0, 0))
    message = f"holds nothing else, found {re.escape(str(stranger))}"
    with pytest.raises(SummetryError, match=message):
        ChunkStore(tmp_path)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [stranger]


# --- metrics and workers that fail ----------------------------------------------------------------


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


def test_a_metric_that_fails_stops_the_run_or_loses_the_failing_items_alone(demo, brittle):
    with pytest.raises(PlugInError, match=r"'brittle' of .* failed: ZeroDivisionError: ") as caught:
        summetry.evaluate(demo, ["brittle"])
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    scores = summetry.evaluate(demo, ["brittle", "unit_overlap"], on_error="skip")
    lost = [row.author == "echo" for row in scores.rows]
    assert np.array_equal(np.isnan(scores.column("brittle")), lost)
    kept = ~np.array(lost)
    expected = summetry.evaluate(demo, ["unit_overlap"]).data[kept, 0]
    assert np.array_equal(scores.column("brittle")[kept], expected)
    note = "skipped: topic t01, author echo: ZeroDivisionError: division by zero"
    assert len(scores.notes) == 9 and scores.notes[0] == note


@pytest.mark.parametrize("member", ["count", "notes"])
def test_a_metric_that_ends_the_program_is_named(demo, brittle, monkeypatch, member):
    monkeypatch.setattr(Brittle, member, lambda self, batch: sys.exit(3))
    with pytest.raises(PlugInError, match=r"'brittle' of the plug-in .* failed: SystemExit: 3; "):
        summetry.evaluate(demo, ["brittle"])
    scores = summetry.evaluate(demo, ["lcs", "brittle"], on_error="skip")
    assert [note for note in scores.notes if note.endswith("author lead: SystemExit: 3")]


def test_an_error_of_a_worker_is_the_error_of_one_process(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,candidate,reference\n" + "1,a,b\n" * 3 + "1,a\n")
    errors = []
    for workers in (1, 2):
        with pytest.raises(FormatError) as caught:
            Run(TablePlan(path), ["rouge1"], workers=workers).table()
        errors.append((str(caught.value), caught.value.place, caught.value.found))
    assert errors[0] == errors[1] and errors[0][0].startswith(f"{path}:5: expected 3 cells")


@pytest.mark.parametrize("engine", [
    lambda work, tasks: [work(task) for task in list(tasks)[:-1]],
    lambda work, tasks: [work(task) for task in tasks for _ in range(2)],
    lambda work, tasks: (None for _ in tasks),
    lambda work, tasks: [],
])  # fmt: skip
def test_an_engine_that_gives_other_results_is_refused(demo, engine):
    with pytest.raises(SummetryError, match="the engine must yield what the work gives for each"):
        summetry.evaluate(demo, ["lcs"], chunk_items=10, engine=engine)


# --- a run that is killed -------------------------------------------------------------------------


def write_table(path, rows):
    with path.open("w", encoding="utf-8") as file:
        for i in range(rows):
            words = " ".join(f"word{(i * 7 + j) % 97}" for j in range(40))
            references = [f"{words} more {i}", f"other words {i % 11}"]
            record = {"id": str(i), "system": f"s{i % 3}", "candidate": words}
            file.write(json.dumps(record | {"references": references}) + "\n")


def command_for(table, cache, *options):
    command = ["score", table, "-m", "lcs", "-m", "unit_overlap", "--chunk", "50"]
    return [*map(str, command), "--cache", str(cache), *options]


def run_score(*arguments):
    command = [sys.executable, "-m", "summetry", *command_for(*arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    """A table of 50 chunks, and the bytes that a run without any interruption writes."""
    folder = tmp_path_factory.mktemp("uninterrupted")
    table, output = folder / "pairs.jsonl", folder / "scores.csv"
    write_table(table, 2_500)
    succeed(*command_for(table, folder / "cache", "-o", output))
    return table, output.read_bytes()


@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.slow), "2"])
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
    assert 20 <= len(finished) < 50

    again = run_score(table, cache, "--workers", workers, "-o", str(output))
    _, printed_errors = again.communicate(timeout=120)
    assert again.returncode == 0, printed_errors
    notes = [line for line in printed_errors.splitlines() if not line.startswith("scored ")]
    assert notes == ["note: going on from what an earlier run finished"]
    # What was finished is as it was, and the rest was added to it.
    assert len(list(cache.rglob("*.chunk"))) == 50
    assert {path: path.stat().st_mtime_ns for path in finished} == finished
    assert output.read_bytes() == expected


# --- memory, and threads of matrix products -------------------------------------------------------

FAULTS = """import numpy, resource
from summetry.engine.chunks import keep_freed_memory
keep_freed_memory()
numpy.ones(2**17)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(40):
    numpy.ones(2**17)
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="memory is glibc's business")
@pytest.mark.parametrize("environment", [{}, {"MALLOC_TRIM_THRESHOLD_": "65536"}])
def test_arrays_reuse_the_memory_of_earlier_ones(environment):
    """Also in a worker of Dask, which is started with this variable."""
    command = [sys.executable, "-c", FAULTS]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment)
    # A megabyte has 256 pages.
    assert int(done.stdout) < 5 * 256, done.stderr


def test_only_metrics_without_products_have_more_than_one_thread(monkeypatch):
    with chunks.one_thread():
        assert {pool["num_threads"] for pool in threadpool_info()} <= {1}
    entered = []
    monkeypatch.setattr(chunks, "one_thread", lambda: entered.append(1) or nullcontext())
    for metrics, limited in (("rouge_n, rouge_l", 0), ("cosine", 1), ("rouge_n, cosine", 2)):
        summetry.score("a b c", ["b c d"], metrics)
        assert len(entered) == limited, metrics


@pytest.fixture
def word_rows(tmp_path):
    random = np.random.default_rng(5)
    path = tmp_path / "rows.jsonl"
    texts = [[" ".join(random.choice(WORDS[1:], 9)) for _ in range(2)] for _ in range(30)]
    rows = [{"id": n, "candidate": a, "reference": b} for n, (a, b) in enumerate(texts)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


SPELLINGS = ['greedy_match(path="{}")', 'combination(of=[rouge_n,greedy_match(path="{}")])']


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_finished_work_is_found_again_with_the_same_weights_only(word_rows, tmp_path, spelling):
    folder, store = write_static(tmp_path / "vectors"), ChunkStore(tmp_path / "kept")
    spelling = spelling.format(folder)

    def run():
        run = Run(as_plan(word_rows, "no_models"), [spelling], chunk_items=10, store=store)
        scores = run.table()
        return run.chunks_found, scores

    assert METRICS.build(spelling).files == (str(folder),)
    (before, first), (after, again) = run(), run()
    assert (before, after) == (0, 3) and again.data.tobytes() == first.data.tobytes()
    write_static(folder, vectors=tiny_vectors() ** 2)
    found, other = run()
    assert found == 0 and other.data.tobytes() != first.data.tobytes()
    before, after = (Signature.parse(table.columns[0].signature) for table in (first, other))
    assert before.metric == after.metric and before.data == after.data
    assert before.text != after.text


@pytest.mark.parametrize("on_error", ["stop", "skip"])
def test_an_encoder_that_is_not_there_is_named_before_the_work(word_rows, on_error):
    metrics = ["rouge-1", "greedy_match(path=nowhere)"]
    with pytest.raises(SummetryError, match="there is no folder 'nowhere'"):
        summetry.evaluate(word_rows, metrics, on_error=on_error)


@pytest.mark.parametrize("work", [die_once, die_while_handing_over])
def test_a_worker_that_is_killed_is_replaced_and_results_come_in_the_order_of_the_tasks(
    tmp_path, work
):
    tasks = [(number, tmp_path / "mark") for number in range(8)]
    with pytest.warns(SummetryWarning, match="^a worker process died, perhaps"):
        done = list(map_in_order(work, tasks, 2))
    assert [number for number, _ in done] == list(range(8))
    assert (tmp_path / "mark").exists()


def test_workers_that_keep_dying_end_with_advice(monkeypatch):
    monkeypatch.setattr("summetry.engine.workers._TRIES", 2)
    with pytest.raises(SummetryError, match=r"died 2 times on the same work.*--workers.*below `if"):
        list(map_in_order(die_always, [1], 2))


@pytest.mark.parametrize(
    "error",
    [FormatError(Place("f", 3), "a", "b", "c"), UnknownNameError("metric", "x", ["y"]),
     MissingPackageError("this", "that"), SummetryError("words")],
)  # fmt: skip
def test_errors_can_be_pickled(error):
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.__dict__) == (type(error), str(error), error.__dict__)


def test_an_error_that_cannot_be_sent_is_told_in_its_turn_and_in_its_words():
    done = map_in_order(fail_from_3_on, range(9), 2)
    assert [next(done) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(SummetryError, match=r"^TwoWordsError: number 3$") as caught:
        next(done)
    assert "in fail_from_3_on" in str(caught.value.__cause__)


@pytest.mark.slow
def test_a_script_without_a_guard_is_told_of_it(tmp_path):
    table = tmp_path / "t.jsonl"
    table.write_text('{"candidate": "a", "reference": "b"}\n' * 4)
    script = tmp_path / "script.py"
    call = f"summetry.evaluate({str(table)!r}, ['lcs'], chunk_items=1, workers=2)"
    script.write_text(f"import summetry\n{call}\n", encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], text=True, capture_output=True)
    advice = 'it has to call Summetry below `if __name__ == "__main__":`'
    assert done.returncode == 1 and advice in done.stderr.splitlines()[-1]
    assert done.stderr.count("Traceback") == 1
