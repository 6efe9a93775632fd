"""A table of texts to a table of scores, as a whole process, next to a script, on one core.

The command is ``summetry score table.jsonl -m rouge1 -m rouge2 -m rougeL -o scores.csv``, the
script (``files_peers.py``) is what people write around rouge_score_rs. Both are measured from their
start to their end, with imports; they take turns. The scores are compared. Memory must not grow
with the table: our peaks are to agree within 5 %. The floor reads the lines and cuts them at
blanks.

    python benchmarks/files.py [--rows 30000 300000] [--runs 7] [--no-write]
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from peers import HERE, SETTINGS, environment, run, use_one_core
from sections import Headline, write_section
from texts import table_rows

PEERS = ("rouge-score-rs==0.2.1", "pyarrow==26.0.1", "numpy==2.4.6")
ROADS = (("jsonl", "csv"), ("csv", "csv"), ("jsonl", "parquet"), ("csv", "parquet"))
COLUMNS = ("id", "system", "candidate", "reference")
OURS, SCRIPT, FLOOR = "summetry score", "script", "floor"
SAME = 1e-12
TO_REACH, MOST_GROWTH = 1.0, 1.05


@dataclass(frozen=True)
class Outcome:
    """Processor seconds and peak megabytes of a process."""

    seconds: float
    peak: float

    def and_again(self, other: Outcome) -> Outcome:
        """The faster of two runs, since noise only ever adds, and the higher of the peaks."""
        return Outcome(min(self.seconds, other.seconds), max(self.peak, other.peak))


def write_tables(folder: Path, rows: int) -> None:
    """The same texts as JSONL and as CSV."""
    lines, table = (folder / f"{rows}.{kind}" for kind in ("jsonl", "csv"))
    with lines.open("w", encoding="utf-8") as file, table.open("w", encoding="utf-8") as other:
        writer = csv.DictWriter(other, COLUMNS)
        writer.writeheader()
        for row in table_rows(rows):
            file.write(json.dumps(row) + "\n")
            writer.writerow(row)


def measure(program: str, python: Path, table: Path, output: Path) -> Outcome:
    """One program as a process of its own; the time of the processor, which is all its time on a
    core that it has for itself."""
    with tempfile.TemporaryDirectory() as cache:
        # An empty cache: what was scored before is not to be found there.
        settings = os.environ | SETTINGS | {"XDG_CACHE_HOME": cache}
        command = [str(python), str(HERE / "files_peers.py"), "score", str(table), str(output)]
        if program == FLOOR:
            command[2:] = ["floor", str(table)]
        elif program == OURS:
            metrics = [part for name in ("rouge1", "rouge2", "rougeL") for part in ("-m", name)]
            command = [sys.executable, "-m", "summetry", "score", str(table), *metrics]
            command += ["-o", str(output), "--force"]
        done = subprocess.run(
            [sys.executable, str(HERE / "peak.py"), *command],
            env=settings, cwd=cache, capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode:
            sys.exit(f"{program}, {table.name}: {done.stderr}")
    return Outcome(*json.loads(done.stdout))


def measure_road(
    python: Path, folder: Path, rows: int, road: tuple[str, str], runs: int
) -> tuple[dict[str, Outcome], float]:
    """Both programs in turn, the faster of their runs and the higher of their peaks; and how far
    their scores are apart."""
    source, kind = road
    table = folder / f"{rows}.{source}"
    ours, theirs = folder / f"ours.{kind}", folder / f"theirs.{kind}"
    outputs = {OURS: ours, SCRIPT: theirs, FLOOR: folder / "none"}
    found: dict[str, Outcome] = {}
    for _ in range(runs):
        for program, output in outputs.items():
            new = measure(program, python, table, output)
            found[program] = found.get(program, new).and_again(new)
            each = f"{rows / new.seconds:9,.0f} rows a second, {new.peak:.0f} MB"
            print(f"{source} to {kind}, {rows:,} rows: {program:14} {each}", flush=True)
    return found, compared(python, ours, theirs, rows)


def compared(python: Path, ours: Path, theirs: Path, rows: int) -> float:
    """How far the scores are apart; an end to the run if they are, or if there are fewer."""
    there, gap = run(python, "files_peers.py", ["compare", str(ours), str(theirs)])
    if there != rows or gap > SAME:
        sys.exit(f"{ours.name}: {there:,} of {rows:,} rows, {gap:g} apart")
    return float(gap)


def speeds(found: dict[tuple[int, tuple[str, str]], dict[str, Outcome]]) -> list[str]:
    lines = [
        "| from, to | rows | summetry score, rows a second | script | floor | times the script | "
        "peak memory, MB | script | floor |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for (rows, road), outcomes in found.items():
        ours, theirs, least = outcomes[OURS], outcomes[SCRIPT], outcomes[FLOOR]
        cells = [
            in_words(road),
            f"{rows:,}",
            *(f"{rows / one.seconds:,.0f}" for one in (ours, theirs, least)),
            f"{theirs.seconds / ours.seconds:.2f}",
            *(f"{one.peak:.0f}" for one in (ours, theirs, least)),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def in_words(road: tuple[str, str]) -> str:
    return ", ".join(kind.capitalize() if kind == "parquet" else kind.upper() for kind in road)


def headlines_of(
    found: dict[tuple[int, tuple[str, str]], dict[str, Outcome]],
) -> list[Headline]:
    """The road that is slowest next to the script, and the quickest, for each size."""
    shown = []
    for rows in dict.fromkeys(rows for rows, _ in found):
        times = {
            road: one[SCRIPT].seconds / one[OURS].seconds
            for (size, road), one in found.items()
            if size == rows
        }
        for road in (min(times, key=times.__getitem__), max(times, key=times.__getitem__)):
            ours, least = found[rows, road][OURS], found[rows, road][FLOOR]
            what = f"{in_words(road)}, {rows:,} rows"
            peer = "script around rouge-score-rs"
            above = ours.seconds / least.seconds
            shown.append(Headline(what, times[road], peer, above, ours.peak))
    return shown


def verdict(
    found: dict[tuple[int, tuple[str, str]], dict[str, Outcome]], rows: Sequence[int]
) -> list[str]:
    """Whether what was to be reached is reached."""
    ratios = [one[SCRIPT].seconds / one[OURS].seconds for one in found.values()]
    word = "reached" if min(ratios) >= TO_REACH else "missed"
    told = [f"{TO_REACH:g} times the script on every road: {word}"]
    if len(rows) > 1:
        growth = 0.0
        for road in ROADS:
            peaks = [found[count, road][OURS].peak for count in rows]
            growth = max(growth, max(peaks) / min(peaks))
        word = "reached" if growth <= MOST_GROWTH else "missed"
        limit = f"{MOST_GROWTH - 1:.0%}"
        told.append(f"peaks within {limit}: {word} (largest by smallest {growth:.3f})")
    return ["", f"To reach: {'; '.join(told)}."]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--rows", type=int, nargs="+", default=[30_000, 300_000])
    arguments.add_argument("--runs", type=int, default=7, help="of the smallest table; 2 of others")
    arguments.add_argument("--no-write", action="store_true")
    given = arguments.parse_args()
    use_one_core()
    # The environment of rouge.py.
    python, missing = environment("rouge", PEERS)
    if missing:
        sys.exit("; ".join(f"{package} {reason}" for package, reason in missing.items()))
    found, gaps = {}, []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for rows in given.rows:
            write_tables(folder, rows)
            for road in ROADS:
                runs = given.runs if rows == min(given.rows) else 2
                found[rows, road], gap = measure_road(python, folder, rows, road, runs)
                gaps.append(gap)
    lines = [
        f"`summetry score table.jsonl -m rouge1 -m rouge2 -m rougeL -o scores.csv` next to a "
        f"script around rouge_score_rs (`benchmarks/files_peers.py`), each a whole process from "
        f"its start to its end on one core; texts of 60 words, one reference; seconds of the "
        f"processor, best of {given.runs} turns (2 turns above {min(given.rows):,} rows). "
        f"The floor reads the lines and cuts them at blanks. Peers: {', '.join(PEERS)}.",
        "",
        *speeds(found),
        *verdict(found, given.rows),
        "",
        f"Checked: all scores are equal (largest difference {max(gaps):.0e}).",
    ]
    print("\n".join(lines))
    if not given.no_write:
        write_section("File to file", "files.py", lines, headlines_of(found))


if __name__ == "__main__":
    main()
