"""A million pairs with ROUGE-1, -2, -L and MeMoG: by 1, 2 and 4 workers and a Dask cluster.

The scores of every run are to be the same bytes. One run is killed in the middle and started
again. Peak memory is that of the largest process, and of all together. What the process in front
costs is its processor time by that of the workers.

    python benchmarks/scale.py [--pairs 1000000] [--no-write]
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil
from sections import write_section
from texts import sentences, word_lists

METRICS = ("rouge1", "rouge2", "rougeL", "memog")
MOST_MEMORY, MOST_IN_FRONT, TWO_WORKERS = 1000.0, 0.05, 1.9


@dataclass
class Outcome:
    """Seconds by the clock; megabytes of the largest process and of all; seconds of the processor
    of the process in front and of the others."""

    seconds: float
    largest: float
    together: float
    in_front: float
    workers: float


def write_table(path: Path, pairs: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        for number, words in enumerate(word_lists(pairs, 90)):
            candidate, reference = (" ".join(sentences(w)) for w in (words[:60], words[30:]))
            row = {"id": str(number // 4), "system": f"s{number % 4}", "candidate": candidate}
            file.write(json.dumps(row | {"reference": reference}) + "\n")


def start(table: Path, output: Path, cache: Path, *options: str) -> subprocess.Popen[bytes]:
    metrics = [part for name in METRICS for part in ("-m", name)]
    command = [sys.executable, "-m", "summetry", "score", str(table), *metrics, "-o", str(output)]
    command += ["--cache", str(cache), *options]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, stdout=quiet, stderr=quiet)


def watched(process: subprocess.Popen[bytes]) -> Outcome:
    """Wait for a process, and look at it and at what it starts."""
    started = time.perf_counter()
    front = psutil.Process(process.pid)
    largest = together = in_front = 0.0
    workers: dict[int, float] = {}
    while process.poll() is None:
        try:
            times = front.cpu_times()
            in_front = times.user + times.system
            sizes = [front.memory_info().rss]
            for child in front.children(recursive=True):
                times = child.cpu_times()
                workers[child.pid] = times.user + times.system
                sizes.append(child.memory_info().rss)
        except psutil.Error:
            continue
        largest, together = max(largest, *sizes), max(together, sum(sizes))
        time.sleep(0.05)
    if process.returncode:
        sys.exit(f"a run ended with {process.returncode}")
    seconds = time.perf_counter() - started
    return Outcome(seconds, largest / 2**20, together / 2**20, in_front, sum(workers.values()))


def killed_and_resumed(table: Path, folder: Path, seconds: float) -> Outcome:
    """A run that is killed after a while, and what the same command then takes."""
    output, cache = folder / "resumed.csv", folder / "resumed"
    victim = start(table, output, cache, "--workers", "2")
    time.sleep(seconds)
    os.kill(victim.pid, signal.SIGKILL)
    victim.wait()
    assert not output.exists(), "half a file of scores is there"
    assert list(cache.rglob("*.chunk")), "nothing was finished"
    return watched(start(table, output, cache, "--workers", "2"))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--pairs", type=int, default=1_000_000)
    arguments.add_argument("--no-write", action="store_true")
    given = arguments.parse_args()
    roads = {
        "1 process": (),
        "2 workers": ("--workers", "2"),
        "4 workers": ("--workers", "4"),
        "Dask, 4 processes": ("--engine", "dask", "--workers", "4"),
    }
    found: dict[str, Outcome] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table = folder / "pairs.jsonl"
        write_table(table, given.pairs)
        for number, (road, options) in enumerate(roads.items()):
            output = folder / f"{number}.csv"
            found[road] = watched(start(table, output, folder / str(number), *options))
            print(road, found[road], flush=True)
            if output.read_bytes() != (folder / "0.csv").read_bytes():
                sys.exit(f"{road}: other bytes")
        resumed = killed_and_resumed(table, folder, found["2 workers"].seconds / 2)
        print("killed in the middle and resumed", resumed, flush=True)
        if (folder / "resumed.csv").read_bytes() != (folder / "0.csv").read_bytes():
            sys.exit("resumed: other bytes")
    one, two = found["1 process"], found["2 workers"]
    lines = [
        "| by | seconds | pairs a second | times 1 process | process in front by workers | "
        "largest process, MB | all, MB |",
        "|---|---|---|---|---|---|---|",
    ]
    for road, o in found.items():
        share = f"{o.in_front / o.workers:.1%}" if o.workers else ""
        speed, times = f"{given.pairs / o.seconds:,.0f}", f"{one.seconds / o.seconds:.2f}"
        cells = [road, f"{o.seconds:.0f}", speed, times, share, f"{o.largest:.0f}"]
        lines.append(f"| {' | '.join([*cells, f'{o.together:.0f}'])} |")
    again = f"{resumed.seconds:.0f} s"
    checks = {
        f"two workers {TWO_WORKERS} times one": one.seconds / two.seconds >= TWO_WORKERS,
        f"the process in front below {MOST_IN_FRONT:.0%} of the workers": two.in_front
        <= MOST_IN_FRONT * two.workers,
        "two workers within 1 GB": two.together <= MOST_MEMORY,
    }
    verdict = "; ".join(f"{what}: {'reached' if ok else 'missed'}" for what, ok in checks.items())
    told = (
        f"Killed in the middle, two workers needed another {again}.",
        f"To reach: {verdict}.",
        "Checked: all files of scores are the same bytes.",
    )
    lines += [line for words in told for line in ("", words)]
    intro = (
        f"{given.pairs:,} pairs of 60 words in JSONL to CSV with {', '.join(METRICS)}, on a "
        f"machine with {os.cpu_count()} cores; every run keeps finished work."
    )
    print("\n".join([intro, "", *lines]))
    if not given.no_write:
        write_section("A million pairs", "scale.py", [intro, "", *lines])


if __name__ == "__main__":
    main()
