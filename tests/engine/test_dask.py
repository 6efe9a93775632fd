"""A real Dask cluster on this machine: the same bytes, also when a worker is killed."""

import itertools
import json
import logging
import os
import signal
import threading
import time
from contextlib import nullcontext
from unittest import mock

import pytest
from command_line import assert_refused, run_command, succeed

import summetry
from summetry.engine.cache import ChunkStore
from summetry.engine.dask import OnDask, check_workers, checked, versions
from summetry.engine.run import Run
from summetry.engine.tables import TablePlan
from summetry.errors import SummetryError

distributed = pytest.importorskip("distributed", reason="summetry[dask] is not installed")
METRICS = ["rouge1", "memog"]
# On this machine only, at ports that are free.
LOCAL = {"dashboard_address": "127.0.0.1:0", "host": "127.0.0.1"}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("dask") / "t.jsonl"
    with path.open("w") as file:
        for i in range(600):
            words = " ".join(f"word{(i * 7 + j) % 97}" for j in range(30))
            row = {"id": i // 3, "system": f"s{i % 3}", "candidate": words}
            file.write(json.dumps(row | {"reference": f"{words} more {i}"}) + "\n")
    return path


@pytest.fixture(scope="module")
def expected(table):
    """What one process gives."""
    return scored(table)


@pytest.fixture(scope="module")
def cluster(table):
    """Two workers, which are not started anew when they are killed, and which did some work."""
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, **LOCAL) as cluster:
        for nanny in cluster.workers.values():
            nanny.auto_restart = False
        with distributed.Client(cluster) as client:
            scored(table, engine=OnDask(client))
        yield cluster


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster) as client:
        yield client


def scored(path, **settings):
    return Run(TablePlan(path), METRICS, chunk_items=20, **settings).table()


def assert_same(scores, expected):
    assert scores.data.tobytes() == expected.data.tobytes()
    for part in ("rows", "columns", "notes"):
        assert getattr(scores, part) == getattr(expected, part)


def test_a_cluster_gives_the_numbers_of_one_process(table, expected, client, demo):
    assert_same(scored(table, engine=OnDask(client)), expected)
    # A client does for an engine.
    assert_same(summetry.evaluate(demo, METRICS, engine=client), summetry.evaluate(demo, METRICS))


def test_workers_who_do_not_see_the_file_are_sent_the_rows(table, expected, client, monkeypatch):
    """And many tasks together where each is little work."""
    monkeypatch.setattr("summetry.engine.dask._all_see", lambda client, path: False)
    monkeypatch.setattr("summetry.engine.dask._GROUP_SECONDS", 60)
    submit = mock.Mock(wraps=client.submit)
    monkeypatch.setattr(client, "submit", submit)
    assert_same(scored(table, engine=OnDask(client)), expected)
    groups = [call.args[2] for call in submit.call_args_list]
    assert all(task.part.content for group in groups for task in group)
    # Two for each worker before anything is known; then as many as may be.
    assert [len(group) for group in groups] == [1, 1, 1, 1, 8, 8, 8, 2]


@pytest.mark.parametrize("is_seen", [True, False])
def test_finished_work_is_kept_by_workers_who_see_the_folder(
    table, expected, client, tmp_path, monkeypatch, is_seen
):
    store, mark = ChunkStore(tmp_path), tmp_path / "mark"
    if is_seen:
        mark.touch()
    monkeypatch.setattr(ChunkStore, "_mark", mark)
    with mock.patch.object(ChunkStore, "put", autospec=True, side_effect=ChunkStore.put) as here:
        scored(table, engine=OnDask(client), store=store)
    assert here.call_count == (0 if is_seen else 30)
    run = Run(TablePlan(table), METRICS, chunk_items=20, store=store, engine=OnDask(client))
    assert_same(run.table(), expected)
    assert run.chunks_found == 30


def test_rows_of_parquet_are_sent_as_they_were_read(table, client, monkeypatch, tmp_path):
    parquet, rows = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow.json")
    path = tmp_path / "t.parquet"
    parquet.write_table(rows.read_json(table), path)
    monkeypatch.setattr("summetry.engine.dask._all_see", lambda client, path: False)
    assert_same(scored(path, engine=OnDask(client)), scored(path))


def test_a_worker_with_another_version_is_refused(table, client):
    other = versions() | {"numpy": "1.0"}
    with pytest.raises(SummetryError, match=r"the Dask worker tcp://.* has numpy .* where this"):
        check_workers(client, other)
    # One that comes later says so itself.
    with pytest.raises(SummetryError, match=r"a Dask worker has numpy .* where this"):
        client.submit(checked, len, ["task"], other).result()
    assert client.submit(checked, len, ["task"], versions()).result()[0] == [4]


def test_an_error_in_the_table_is_named_as_in_one_process(table, client, tmp_path):
    path = tmp_path / "t.jsonl"
    lines = table.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:300], '{"id": 1, "candidate": 3}\n', *lines[300:]]))
    messages = []
    for options in ({}, {"engine": OnDask(client)}):
        with pytest.raises(SummetryError, match=r"t.jsonl:301: ") as caught:
            scored(path, **options)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


# --- the command ----------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def loggers():
    """What the command silences for its own process sounds again."""
    names = ("distributed", "distributed.client")
    levels = [logging.getLogger(name).level for name in names]
    yield
    for name, level in zip(names, levels, strict=True):
        logging.getLogger(name).setLevel(level)


def test_the_command_on_a_cluster_writes_the_same_bytes(table, cluster, tmp_path):
    here, there = tmp_path / "here.csv", tmp_path / "there.csv"
    command = ["score", table, "-m", "rouge1", "-m", "memog", "--no-cache"]
    succeed(*command, "-o", here)
    address = ["--engine", "dask", "--scheduler", cluster.scheduler_address, "--chunk", "50"]
    succeed(*command, "-o", there, *address)
    assert there.read_bytes() == here.read_bytes()


def test_without_an_address_a_cluster_is_started_and_said(table, cluster, tmp_path, monkeypatch):
    """As far as to the start, which takes seconds."""
    settings = []
    start = lambda **given: settings.append(given) or nullcontext(cluster)  # noqa: E731
    monkeypatch.setattr(distributed, "LocalCluster", start)
    done = succeed("score", table, "-m", "rouge1", "--no-cache", "-o", tmp_path / "s.csv",
                   "--engine", "dask", "--workers", "1")  # fmt: skip
    assert "no --scheduler is named: a cluster of 1 process" in done.err
    assert (settings[0]["n_workers"], settings[0]["threads_per_worker"]) == (1, 1)
    assert len((tmp_path / "s.csv").read_text().splitlines()) == 601


def on_dask(table, address):
    return run_command("score", table, "--no-cache", "--engine", "dask", "--scheduler", address)


def test_an_address_where_nothing_answers_is_told(table):
    with distributed.LocalCluster(n_workers=0, **LOCAL) as gone:
        address = gone.scheduler_address
    config = pytest.importorskip("dask.config")
    with config.set({"distributed.comm.timeouts.connect": "1s"}):
        done = on_dask(table, address)
    assert_refused(done, 2, f"--scheduler {address}: expected the address of a Dask scheduler")
    done = run_command("score", table, "--engine", "dsk")
    assert done.code == 2 and "no engine is named 'dsk'" in done.err


def test_a_scheduler_without_workers_is_told_with_what_to_do(table, monkeypatch):
    monkeypatch.setattr("summetry.engine.dask._PATIENCE", 2)
    monkeypatch.setattr("summetry.engine.dask._SILENCE", 0.5)
    with distributed.LocalCluster(n_workers=0, **LOCAL) as empty:
        address = empty.scheduler_address
        done = on_dask(table, address)
    assert done.code == 2
    assert f"note: the Dask scheduler at {address} has no workers yet" in done.err
    assert f"has no workers; start some with `dask worker {address} --nthreads 1`" in done.err


# --- what dies ------------------------------------------------------------------------------------


def test_a_scheduler_that_does_not_answer_any_more_is_told_and_finished_work_is_kept(
    table, expected, client, tmp_path, monkeypatch
):
    store, submit, count = ChunkStore(tmp_path), client.submit, itertools.count()

    def submit_some(*arguments, **options):
        if next(count) > 4:
            raise OSError("the connection is closed\nby the other end")
        return submit(*arguments, **options)

    monkeypatch.setattr(client, "submit", submit_some)
    gone = rf"^the Dask scheduler at {client.scheduler.address} does not answer any more "
    gone += r"\(the connection is closed\); .*keeps finished work goes on with it"
    with pytest.raises(SummetryError, match=gone):
        scored(table, engine=OnDask(client), store=store)
    run = Run(TablePlan(table), METRICS, chunk_items=20, store=store)
    assert_same(run.table(), expected)
    assert 2 <= run.chunks_found < run.chunks_done


def test_a_worker_that_is_killed_costs_nothing(table, expected, client, tmp_path):
    """Nothing that needs two workers comes after it."""
    victim, *_ = client.run(os.getpid).values()
    store = ChunkStore(tmp_path)

    def kill():
        while len(list(tmp_path.rglob("*.chunk"))) < 3:
            time.sleep(0.03)
        os.kill(victim, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    scores = scored(table, engine=OnDask(client), store=store)
    killer.join()
    assert_same(scores, expected)
