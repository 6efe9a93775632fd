"""Peak memory and speed of scoring one table, for 20,000 and 200,000 pairs.

Each run is a fresh process that scores a generated table (seeded, about 60 words a text) with
every metric that texts alone can feed, and writes the scores. Memory must not grow with the
table: the two peaks are to agree within 10 %. The floor reads the lines and cuts them at blanks.

    python benchmarks/memory.py [--pairs 20000 200000] [--no-write]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from clock import seconds_of
from files_peers import floor
from peak import peak_memory
from sections import Headline, write_section
from texts import sentences, word_lists

METRICS = ("cosine", "unit_overlap", "lcs", "compression", "retention")


def write_table(path: Path, pairs: int) -> None:
    """Summaries of four systems, each with one reference and a source."""
    with path.open("w", encoding="utf-8") as file:
        for number, words in enumerate(word_lists(pairs, 240)):
            row = {
                "id": str(number // 4),
                "system": f"s{number % 4}",
                "candidate": " ".join(sentences(words[:60])),
                "reference": " ".join(sentences(words[30:90])),
                "source": " ".join(sentences(words)),
            }
            file.write(json.dumps(row) + "\n")


def measure(table: Path, output: Path) -> tuple[float, float]:
    """Processor seconds and peak megabytes of one fresh process."""
    command = [sys.executable, str(Path(__file__)), "--score", str(table), str(output)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    seconds, peak = json.loads(done.stdout)
    return seconds, peak


def score(table: Path, output: Path) -> None:
    """What the process does: the command, then its own seconds and its peak memory."""
    from summetry.engine.run import Run
    from summetry.engine.tables import TablePlan
    from summetry.formats.scores import ScoreWriter
    from summetry.records.scores import SystemMeans

    run = Run(TablePlan(table), METRICS)
    means = SystemMeans(run.unsigned)
    with ScoreWriter(output, run.unsigned) as writer:
        for rows, data in run.chunks():
            means.add(rows, data)
            writer.add(rows, data)
        writer.sign(run.columns)
    print(json.dumps([time.process_time(), peak_memory()]))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--pairs", type=int, nargs="+", default=[20_000, 200_000])
    arguments.add_argument("--no-write", action="store_true")
    arguments.add_argument("--score", nargs=2, metavar=("TABLE", "OUTPUT"))
    given = arguments.parse_args()
    if given.score:
        score(Path(given.score[0]), Path(given.score[1]))
        return
    head = "| pairs | processor seconds | pairs a second | times the floor | peak memory, MB |"
    lines = [head, "|---|---|---|---|---|"]
    peaks, headlines = [], []
    with tempfile.TemporaryDirectory() as folder:
        for pairs in given.pairs:
            table = Path(folder) / f"{pairs}.jsonl"
            write_table(table, pairs)
            seconds, peak = measure(table, Path(folder) / "scores.parquet")
            peaks.append(peak)
            above = seconds / seconds_of(lambda table=table: floor(str(table)))
            speed = f"{pairs / seconds:,.0f} | {above:.1f}"
            lines.append(f"| {pairs:,} | {seconds:.1f} | {speed} | {peak:.0f} |")
            headlines.append(Headline(f"{pairs:,} pairs with sources", floor=above, peak=peak))
            print(lines[-1])
            table.unlink()
    ratio = max(peaks) / min(peaks)
    lines += ["", f"Largest by smallest peak: {ratio:.3f} (to stay below 1.10)."]
    print(lines[-1])
    if not given.no_write:
        names = ", ".join(f"`{name}`" for name in METRICS)
        intro = (
            f"One table scored in one process, from the file to a file of scores, with {names}; "
            f"texts of 60 words, one reference, a source of 240 words. The floor reads the lines "
            f"and cuts them at blanks."
        )
        write_section("Memory and speed on one table", "memory.py", [intro, "", *lines], headlines)
    if ratio > 1.10:
        sys.exit("memory grows with the table")


if __name__ == "__main__":
    main()
