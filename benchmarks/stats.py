"""Bootstrap intervals and permutation tests next to nlpstats, on one core.

It is installed by name and version into an environment of its own (in the cache folder). Each
program runs in a fresh process on the same tables. That both give the same value for the same draw
is checked first. The floor draws the random numbers and does nothing else.

    python benchmarks/stats.py [--draws 1000] [--systems 25] [--topics 100] [--no-write]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import peers
from sections import Headline, write_section

PEERS = ("nlpstats==0.0.1", "numpy==2.4.6", "scipy==1.17.1")
MANY = 10_000
TO_REACH = 100
# Coefficients up to 1, means of a hundred of them added up in another order.
SAME = 1e-11
WORK = (
    ("bootstrap", "summary", "kendall"),
    ("bootstrap", "summary", "pearson"),
    ("permutation", "summary", "kendall"),
    ("bootstrap", "system", "kendall"),
)


@dataclass(frozen=True)
class Outcome:
    """Seconds of the processor, the value of each draw, and peak megabytes."""

    seconds: float
    values: list[float]
    peak: float


def made(systems: int, topics: int) -> list[list[list[float]]]:
    """Two metrics, and marks from 1 to 5 with their ties."""
    rng = np.random.default_rng(0)
    quality = rng.normal(size=(systems, 1)) + rng.normal(size=(systems, topics))
    metrics = [np.round(quality + rng.normal(size=quality.shape), 3) for _ in range(2)]
    marks = np.clip(np.round(quality + 3), 1, 5)
    return [table.tolist() for table in (*metrics, marks)]


def run(program: str, python: str, work: tuple[str, str, str], draws: int, tables: Path) -> Outcome:
    """One program in a fresh process; an end to the run if it fails."""
    try:
        told = peers.run(python, "stats_peers.py", [program, *work, str(draws), str(tables)])
    except peers.NotMeasuredError as failure:
        sys.exit(f"{program}, {work}: {failure}")
    found = Outcome(**told)
    print(f"{program:10} {' '.join(work):30} {draws:6} draws {found.seconds:9.3f} s", flush=True)
    return found


def gap(one: Outcome, other: Outcome) -> float:
    if len(one.values) != len(other.values):
        sys.exit(f"as many values are expected, got {len(one.values)} and {len(other.values)}")
    return float(np.abs(np.subtract(one.values, other.values)).max())


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--draws", type=int, default=1000)
    arguments.add_argument("--systems", type=int, default=25)
    arguments.add_argument("--topics", type=int, default=100)
    arguments.add_argument("--no-write", action="store_true")
    given = arguments.parse_args()
    peers.use_one_core()
    environment, missing = peers.environment("stats", PEERS)
    if missing:
        sys.exit("; ".join(f"{package} {reason}" for package, reason in missing.items()))
    python = str(environment)
    lines = [
        f"{given.systems} systems and {given.topics} topics, marks from 1 to 5; systems and topics "
        f"drawn (or swapped), one core, seconds of the processor. The floor "
        f"draws the random numbers. Peak memory is that of {MANY:,} draws, of nlpstats that of "
        f"{given.draws:,}. Peers: {', '.join(PEERS)}.",
        "",
        f"| what | nlpstats, {given.draws:,} draws | Summetry, {given.draws:,} draws | "
        f"times nlpstats | Summetry, {MANY:,} draws | floor, {MANY:,} draws | peak memory, MB | "
        "nlpstats |",
        "|---|---|---|---|---|---|---|---|",
    ]
    gaps, reached, headlines = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        tables = Path(folder) / "tables.json"
        tables.write_text(json.dumps(made(given.systems, given.topics)), encoding="utf-8")
        for work in WORK:
            theirs = run("nlpstats", python, work, given.draws, tables)
            ours = min(
                (run("Summetry", sys.executable, work, given.draws, tables) for _ in range(3)),
                key=lambda outcome: outcome.seconds,
            )
            many = run("Summetry", sys.executable, work, MANY, tables)
            least = run("floor", sys.executable, work, MANY, tables)
            gaps.append(gap(theirs, ours))
            ratio = theirs.seconds / ours.seconds
            reached += [ratio >= TO_REACH] if work[1] == "summary" else []
            what = f"{work[0]}, {work[1]} level, {work[2]}"
            lines.append(
                f"| {what} | {theirs.seconds:.1f} | {ours.seconds:.3f} | {ratio:,.0f} | "
                f"{many.seconds:.2f} | {least.seconds:.3f} | {many.peak:.0f} | {theirs.peak:.0f} |"
            )
            above = many.seconds / least.seconds
            headlines.append(Headline(what, ratio, "nlpstats", above, many.peak))
    if max(gaps) > SAME:
        sys.exit(f"the programs should agree to {SAME:g}, but are {max(gaps):g} apart")
    told = "reached" if all(reached) else "missed"
    lines += [
        "",
        f"To reach at the summary level: {TO_REACH} times, {told}. Checked: every draw has the "
        f"same value (largest difference {max(gaps):.0e}). nlpstats swaps rows and then columns "
        "where Summetry swaps each cell; the values are those of its swaps.",
    ]
    print("\n".join(lines))
    if not given.no_write:
        write_section("Statistics next to nlpstats", "stats.py", lines, headlines)


if __name__ == "__main__":
    main()
