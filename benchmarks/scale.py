"""A million pairs: by 1, 2 and 4 workers and a Dask cluster; what each step costs; memory.

``workers``: ROUGE-1, -2, L and MeMoG by each road; the scores of every run are to be the same
bytes, those of a run that was killed in the middle and started again too. ``costs``: seconds of the
processor for each step and each family of metrics, on a tenth of the pairs, each family in a fresh
process. ``memory``: how much the process in front grows per row, and how many workers it can feed.
``cluster``: a Dask cluster with a worker for each core of this machine beside as many of our own
workers, once with a scheduler of its own, once started by the command. Each part writes its own
section.

    python benchmarks/scale.py [--pairs 1000000] [--only workers costs memory cluster]
        [--table pairs.jsonl] [--no-write]
"""

from __future__ import annotations

import argparse
import filecmp
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import psutil
from clock import best_of
from files_peers import floor
from peak import peak_memory, peak_of
from peers import SETTINGS, use_one_core
from sections import Headline, write_section
from texts import table_rows

METRICS = ("rouge1", "rouge2", "rougeL", "memog")
ROADS = {
    "1 process": (),
    "2 workers": ("--workers", "2"),
    "4 workers": ("--workers", "4"),
    "Dask, 4 processes": ("--engine", "dask", "--workers", "4"),
}
FAMILIES = {
    "rouge1, rouge2, rougeL": ("rouge1", "rouge2", "rougeL"),
    "rouge1, rouge2, rougeL with stems": tuple(f"rouge{n}(stem=true)" for n in "12L"),
    "default: rouge-1, rouge-2, rouge-l": ("rouge-1", "rouge-2", "rouge-l"),
    "memog": ("memog",),
    "cosine": ("cosine",),
    "js_divergence(against=references)": ("js_divergence(against=references)",),
    "lsa_main_topic(against=references)": ("lsa_main_topic(against=references)",),
}
STEPS = ("reading", "counting", "writing", "in front")
MOST_MEMORY, MOST_IN_FRONT, TWO_WORKERS, BYTES_PER_ROW = 1000.0, 0.05, 1.9, 16
DASK_BY_LOCAL, MEMORY_IN_FRONT = 1.5, 250.0
# To draw the texts of a million rows takes a minute: they repeat after so many, the ids do not.
DRAWN = 100_000
# With more of the machine in other hands than this, seconds by the clock say little.
MOST_BUSY = 20.0
MILLION = 1_000_000


@dataclass
class Outcome:
    """Seconds by the clock; megabytes of the process in front, of the largest and of all together;
    seconds of the processor of the process in front and of the others."""

    seconds: float
    front: float
    largest: float
    together: float
    in_front: float
    workers: float

    @property
    def share(self) -> str:
        return f"{self.in_front / self.workers:.1%}" if self.workers else ""


def write_table(path: Path, pairs: int) -> None:
    texts = [
        json.dumps({name: row[name] for name in ("candidate", "reference")})[1:]
        for row in table_rows(min(pairs, DRAWN))
    ]
    with path.open("w", encoding="utf-8") as file:
        file.writelines(
            f'{{"id": "{row // 4}", "system": "s{row % 4}", {texts[row % DRAWN]}\n'
            for row in range(pairs)
        )


def first_rows(table: Path, rows: int, folder: Path) -> Path:
    """A table of the first rows, in a folder."""
    few = folder / f"first-{rows}-of-{table.name}"
    with table.open("rb") as file, few.open("wb") as other:
        other.writelines(islice(file, rows))
    return few


@contextmanager
def scoring(
    table: Path, output: Path, cache: Path, metrics: Sequence[str], options: Sequence[str] = ()
) -> Iterator[subprocess.Popen[str]]:
    """The command at work; ended if the block ends before it."""
    asked = [part for name in metrics for part in ("-m", name)]
    command = [sys.executable, "-m", "summetry", "score", str(table), *asked, "-o", str(output)]
    command += ["--cache", str(cache), *options]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as told:
        # One thread each: several processes share the cores.
        env = os.environ | SETTINGS
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=told, text=True, env=env
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()
        if process.returncode > 0:
            told.seek(0)
            sys.exit(f"{' '.join(options) or '1 process'}: {told.read().strip()}")


def watched(process: subprocess.Popen[str]) -> Outcome:
    """Wait for a process, and look at it and at what it starts."""
    started = time.perf_counter()
    front = psutil.Process(process.pid)
    found = Outcome(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    workers: dict[int, float] = {}
    while process.poll() is None:
        try:
            found.in_front = max(found.in_front, seconds_of(front))
            found.front = max(found.front, peak_of(front.pid))
            sizes = [front.memory_info().rss]
            for child in front.children(recursive=True):
                workers[child.pid] = seconds_of(child)
                sizes.append(child.memory_info().rss)
                found.largest = max(found.largest, peak_of(child.pid))
            found.together = max(found.together, sum(sizes) / 2**20)
        except (psutil.Error, OSError):
            # Something ended while it was looked at.
            pass
        # To look takes from the cores that are measured.
        time.sleep(0.3)
    found.seconds, found.workers = time.perf_counter() - started, sum(workers.values())
    found.largest = max(found.largest, found.front)
    return found


def seconds_of(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def kept_in(cache: Path) -> int:
    return sum(1 for _ in cache.rglob("*.chunk"))


def killed_and_resumed(table: Path, folder: Path, chunks: int) -> Outcome:
    """A run of so many chunks that is killed when half of them are kept, and what the same command
    then takes."""
    output, cache = folder / "resumed.csv", folder / "resumed"
    with scoring(table, output, cache, METRICS, ROADS["2 workers"]) as victim:
        while kept_in(cache) < chunks / 2:
            if victim.poll() is not None:
                sys.exit("the run that was to be killed ended before")
            time.sleep(0.05)
    if output.exists():
        sys.exit("half a file of scores is there")
    with scoring(table, output, cache, METRICS, ROADS["2 workers"]) as process:
        return watched(process)


def measure_workers(table: Path, folder: Path, pairs: int) -> tuple[list[str], list[Headline]]:
    busy = psutil.cpu_percent(interval=2)
    found: dict[str, Outcome] = {}
    expected = b""
    for number, (road, options) in enumerate(ROADS.items()):
        output = folder / f"{number}.csv"
        with scoring(table, output, folder / str(number), METRICS, options) as process:
            found[road] = watched(process)
        print(road, found[road], flush=True)
        expected = expected or output.read_bytes()
        if output.read_bytes() != expected:
            sys.exit(f"{road}: other bytes")
    resumed = killed_and_resumed(table, folder, kept_in(folder / "0"))
    print("killed in the middle and resumed", resumed, flush=True)
    if (folder / "resumed.csv").read_bytes() != expected:
        sys.exit("resumed: other bytes")
    return in_words(found, resumed, pairs, busy), headlines_of(found)


def in_words(found: dict[str, Outcome], resumed: Outcome, pairs: int, busy: float) -> list[str]:
    one, two = found["1 process"], found["2 workers"]
    lines = [
        f"{pairs:,} pairs of 60 words in JSONL to CSV with {', '.join(METRICS)}, on a machine with "
        f"{os.cpu_count()} cores; every run keeps finished work. Seconds by the clock, then of the "
        "processor. The memory of all together counts twice what processes share.",
        "",
        "| by | seconds | pairs a second | times 1 process | processor seconds in front | of "
        "workers | in front by workers | in front, MB | largest process, MB | all, MB |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for road, o in found.items():
        cells = [road, f"{o.seconds:.0f}", f"{pairs / o.seconds:,.0f}"]
        cells += [f"{one.seconds / o.seconds:.2f}", f"{o.in_front:.1f}", f"{o.workers:.1f}"]
        cells += [o.share, *(f"{size:.0f}" for size in (o.front, o.largest, o.together))]
        lines.append(f"| {' | '.join(cells)} |")
    checks = {
        f"the process in front below {MOST_IN_FRONT:.0%} of the workers": two.in_front
        <= MOST_IN_FRONT * two.workers,
        "two workers within 1 GB": two.together <= MOST_MEMORY,
    }
    if busy < MOST_BUSY:
        checks[f"two workers {TWO_WORKERS} times one"] = one.seconds / two.seconds >= TWO_WORKERS
        note = []
    else:
        note = [f"Others used {busy:.0f}% of the machine: seconds by the clock say little."]
    verdict = "; ".join(f"{what}: {'reached' if ok else 'missed'}" for what, ok in checks.items())
    told = (
        *note,
        f"Killed when half of it was kept, two workers needed another {resumed.seconds:.0f} s "
        f"({resumed.in_front + resumed.workers:.0f} s of the processor, of "
        f"{two.in_front + two.workers:.0f} s for the whole).",
        f"To reach: {verdict}.",
        "Checked: all files of scores are the same bytes.",
    )
    return lines + [line for words in told for line in ("", words)]


def headlines_of(found: dict[str, Outcome]) -> list[Headline]:
    return [Headline(f"{', '.join(METRICS)}, {road}", peak=o.together) for road, o in found.items()]


def steps(table: Path, output: Path, metrics: Sequence[str]) -> dict[str, float]:
    """What a fresh process does: the steps of a run one by one, and the seconds of each."""
    from summetry.engine.chunks import score_chunk
    from summetry.engine.run import Run
    from summetry.engine.tables import TablePlan
    from summetry.formats.scores import ScoreWriter
    from summetry.records.scores import SystemMeans

    plan = TablePlan(table, language="en")
    run = Run(plan, metrics)
    built = [request.metric for request in run.requested]
    means, taken = SystemMeans(run.unsigned), Counter[str]()

    @contextmanager
    def step(name: str) -> Iterator[None]:
        before = time.process_time()
        yield
        taken[name] += time.process_time() - before

    with ScoreWriter(output, run.unsigned) as writer:
        tasks = plan.tasks()
        while True:
            with step("in front"):
                task = next(tasks, None)
            if task is None:
                break
            with step("reading"):
                chunk, reading = task.read()
            with step("counting"):
                data = score_chunk(chunk, built).data
            with step("writing"):
                whose = chunk.whose()
                written = writer.encode(whose, data)
            with step("in front"):
                plan.take(reading, task)
                means.add(whose, data)
                writer.append(written)
        with step("in front"):
            plan.end()
            writer.sign(run.columns)
    return dict(taken) | {"peak": peak_memory()}


def measure_costs(table: Path, folder: Path, pairs: int) -> tuple[list[str], list[Headline]]:
    rows = max(pairs // 10, 1)
    few = first_rows(table, rows, folder)
    least, _ = best_of(3, lambda: floor(str(few)))
    use_one_core()
    lines = [
        f"{rows:,} pairs of 60 words in JSONL to CSV in one process on one core, each family in a "
        "fresh process, finished work not kept; for a million pairs. Workers read, count and make "
        "the bytes of the file; the process in front finds where parts end, looks for rows that "
        "repeat others, adds up, and writes.",
        "",
        "| seconds of the processor for a million pairs | "
        + " | ".join(STEPS)
        + " | all | in front by the rest | hours for 1,000,000,000 pairs | peak memory, MB |",
        "|---|" + "---|" * (len(STEPS) + 4),
        f"| floor: the file's lines, words by `str.split` | {least * MILLION / rows:.1f} |"
        + " |" * (len(STEPS) + 3),
    ]
    headlines = []
    for name, metrics in FAMILIES.items():
        command = [sys.executable, __file__, "--steps", str(few), str(folder / "few.csv")]
        done = subprocess.run(
            [*command, *metrics], capture_output=True, text=True, env=os.environ | SETTINGS
        )
        if done.returncode:
            sys.exit(f"{name}: {done.stderr.strip()}")
        told = json.loads(done.stdout)
        each = [told[step] * MILLION / rows for step in STEPS]
        total, front = sum(each), each[-1]
        print(f"{name}: {total:.1f} s for a million pairs", flush=True)
        cells = [*(f"{seconds:.1f}" for seconds in (*each, total))]
        cells += [f"{front / (total - front):.1%}", f"{total * 1000 / 3600:,.1f}"]
        lines.append(f"| {name} | {' | '.join(cells)} | {told['peak']:.0f} |")
        times = total * rows / MILLION / least
        headlines.append(Headline(name, floor=times, peak=told["peak"]))
    return lines, headlines


def measure_memory(table: Path, folder: Path, pairs: int) -> tuple[list[str], list[Headline]]:
    sizes = [max(pairs // 10, 1), pairs]
    metrics = METRICS[:3]
    lines = [
        f"JSONL to CSV with {', '.join(metrics)}; peak megabytes, and seconds of the processor.",
        "",
        "| rows | 1 process, MB | 2 workers, process in front, MB | largest process, MB | "
        "all together, MB | processor seconds in front | of workers |",
        "|---|---|---|---|---|---|---|",
    ]
    fronts, seconds, headlines = [], [], []
    for rows in sizes:
        few = first_rows(table, rows, folder)
        found = []
        for road in ("1 process", "2 workers"):
            number = f"{rows}-{len(found)}"
            with scoring(few, folder / f"{number}.csv", folder / number, metrics, ROADS[road]) as p:
                found.append(watched(p))
            print(rows, road, found[-1], flush=True)
        few.unlink()
        one, two = found
        shown = one.front, two.front, two.largest, two.together, two.in_front, two.workers
        cells = [f"{value:.1f}" for value in shown]
        lines.append(f"| {rows:,} | {' | '.join(cells)} |")
        fronts.append((one.front, two.front))
        seconds.append((two.in_front, two.workers))
        headlines = [
            Headline(f"{rows:,} rows, 1 process", peak=one.front),
            Headline(f"{rows:,} rows, 2 workers together", peak=two.together),
        ]
        largest = max(one.front, two.together)
    more = sizes[1] - sizes[0]
    grown = [(new - old) * 2**20 / more for old, new in zip(*fronts, strict=True)]
    # Without what it takes to start.
    front, workers = ((new - old) * MILLION / more for old, new in zip(*seconds, strict=True))
    verdict = {
        f"{BYTES_PER_ROW} bytes per row": max(grown) <= BYTES_PER_ROW,
        "below 1 GB": largest < MOST_MEMORY,
    }
    words = "; ".join(f"{what}: {'reached' if ok else 'missed'}" for what, ok in verdict.items())
    lines += [
        "",
        f"From {sizes[0]:,} to {sizes[1]:,} rows one process grows by {grown[0]:.1f} bytes per "
        f"row, the process in front of 2 workers by {grown[1]:.1f}. At most, to reach: {words}.",
        "",
        f"Beyond their start, 2 workers take {workers:.1f} s of the processor for a million rows, "
        f"and the process in front takes {front:.1f} s: with these metrics it can feed "
        f"{workers / front:.0f} workers.",
    ]
    return lines, headlines


@contextmanager
def cluster(workers: int) -> Iterator[tuple[str, list[psutil.Process]]]:
    """A Dask cluster on this machine, as an administrator starts it: its address and processes."""
    from distributed import Client

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    address = f"tcp://127.0.0.1:{port}"
    started = [
        subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{name}", *options, "--no-dashboard"],
            stderr=subprocess.DEVNULL,
            env=os.environ | SETTINGS,
        )
        for name, options in (
            ("scheduler", ("--host", "127.0.0.1", "--port", port)),
            ("worker", (address, "--nworkers", str(workers), "--nthreads", "1")),
        )
    ]
    try:
        with Client(address, timeout=60) as client:
            client.wait_for_workers(workers, timeout=120)
        yield address, [psutil.Process(process.pid) for process in started]
    finally:
        for process in reversed(started):
            process.terminate()
            process.wait()


def measure_cluster(table: Path, folder: Path, pairs: int) -> tuple[list[str], list[Headline]]:
    cores, metrics = os.cpu_count() or 1, METRICS[:3]
    lines = [
        f"{pairs:,} pairs of 60 words in JSONL to CSV with {', '.join(metrics)} by {cores} worker "
        f"processes on {cores} cores; every run keeps finished work. Seconds by the clock, then of "
        "the processor.",
        "",
        "| by | seconds | times local workers | processor seconds in front | of the scheduler | "
        "of workers | in front, MB |",
        "|---|---|---|---|---|---|---|",
    ]
    found: dict[str, tuple[Outcome, float]] = {}
    scores = [folder / f"cluster-{number}.csv" for number in range(3)]

    def add(road: str, options: Sequence[str], around: Sequence[psutil.Process] = ()) -> None:
        def seconds() -> list[float]:
            """Of the scheduler and of all workers."""
            each = [[one, *one.children(recursive=True)] for one in around]
            return [sum(map(seconds_of, processes)) for processes in each]

        output, before = scores[len(found)], seconds()
        with scoring(table, output, output.with_suffix(""), metrics, options) as process:
            outcome = watched(process)
        scheduler = 0.0
        if around:
            scheduler, outcome.workers = (
                new - old for new, old in zip(seconds(), before, strict=True)
            )
        found[road] = outcome, scheduler
        print(road, outcome, f"scheduler={scheduler}", flush=True)
        if not filecmp.cmp(scores[0], output, shallow=False):
            sys.exit(f"{road}: other bytes")

    add("local workers", ("--workers", str(cores)))
    with cluster(cores) as (address, around):
        add("Dask", ("--engine", "dask", "--scheduler", address), around)
    add("Dask, scheduler in front", ("--engine", "dask", "--workers", str(cores)))
    local, dask = found["local workers"][0], found["Dask"][0]
    for road, (o, scheduler) in found.items():
        cells = [road, f"{o.seconds:.1f}", f"{o.seconds / local.seconds:.2f}", f"{o.in_front:.1f}"]
        cells += [f"{scheduler:.1f}" if scheduler else "", f"{o.workers:.1f}", f"{o.front:.0f}"]
        lines.append(f"| {' | '.join(cells)} |")
    verdict = {
        f"Dask within {DASK_BY_LOCAL} times local workers": dask.seconds
        <= DASK_BY_LOCAL * local.seconds,
        f"its process in front below {MEMORY_IN_FRONT:.0f} MB": dask.front <= MEMORY_IN_FRONT,
    }
    words = "; ".join(f"{what}: {'reached' if ok else 'missed'}" for what, ok in verdict.items())
    lines += ["", f"To reach: {words}.", "", "Checked: all files of scores are the same bytes."]
    return lines, [Headline(f"{', '.join(metrics)}, Dask, process in front", peak=dask.front)]


PARTS = {
    "workers": ("Many pairs: workers", measure_workers),
    "costs": ("Many pairs: costs", measure_costs),
    "memory": ("Many pairs: memory", measure_memory),
    "cluster": ("Many pairs: a cluster", measure_cluster),
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--pairs", type=int, default=MILLION)
    arguments.add_argument("--only", nargs="+", choices=PARTS, default=[*PARTS], metavar="PART")
    arguments.add_argument("--table", type=Path, help="the pairs; made and kept if it is not there")
    arguments.add_argument("--no-write", action="store_true")
    arguments.add_argument("--steps", nargs="+", metavar="TABLE OUTPUT METRIC")
    given = arguments.parse_args()
    if given.steps:
        table, output, *metrics = given.steps
        print(json.dumps(steps(Path(table), Path(output), metrics)))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made: Path = given.table or folder / "pairs.jsonl"
        if not made.exists():
            write_table(made, given.pairs)
        table = first_rows(made, given.pairs, folder) if given.table else made
        # One core for the costs only, so they come last.
        for part in sorted(given.only, key="costs".__eq__):
            title, measure = PARTS[part]
            lines, headlines = measure(table, folder, given.pairs)
            print("\n".join(lines), flush=True)
            if not given.no_write:
                write_section(title, "scale.py", lines, headlines)


if __name__ == "__main__":
    main()
