"""Main topics by LSA next to a script around scikit-learn and numpy, on one core.

The script (``lsa_peers.py``) makes a matrix of terms and sentences of each text and takes the first
singular vector. Each program runs in a fresh process on the same texts; values are compared. The
floor cuts all sentences at blanks.

    python benchmarks/lsa.py [--runs 2] [--no-write]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from lsa_peers import FLOOR, METRIC, OURS, PROGRAMS, SCRIPT
from peers import NotMeasuredError, environment, run, use_one_core
from sections import Headline, write_section
from texts import sentences, word_lists

PEERS = ("scikit-learn==1.9.1", "numpy==2.4.6", "scipy==1.17.1")
# Sentences of a source, and how many sources; a summary has four.
SIZES = {16: 500, 100: 60, 400: 10}
SUMMARY = 60
# Eigenvectors of other routines, cosines up to 1.
SAME = 1e-9


@dataclass(frozen=True)
class Outcome:
    """Processor seconds, peak megabytes, and the value of each summary."""

    seconds: float
    peak: float
    values: list[float | None]


def texts_of(length: int, count: int) -> list[tuple[list[str], ...]]:
    """A summary of 60 words, half of them from the source, and the source.

    Sentences end with a sign that no abbreviation has, so that all programs see the same ones.
    """
    return [
        tuple(
            [f"{text[:-1]}!" for text in sentences(part)]
            for part in (words[:SUMMARY], words[SUMMARY // 2 :])
        )
        for words in word_lists(count, 15 * length + SUMMARY // 2)
    ]


def measure(python: Path, path: Path, runs: int) -> dict[str, Outcome]:
    """Every program in turn, the fastest of its runs."""
    found: dict[str, Outcome] = {}
    for _ in range(runs):
        for name in PROGRAMS:
            where = python if name == SCRIPT else sys.executable
            new = Outcome(**run(where, "lsa_peers.py", [name, str(path)]))
            if name not in found or new.seconds < found[name].seconds:
                found[name] = new
    return found


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--runs", type=int, default=2)
    arguments.add_argument("--no-write", action="store_true")
    given = arguments.parse_args()
    use_one_core()
    python, missing = environment("lsa", PEERS)
    if missing:
        sys.exit("; ".join(f"{package} {reason}" for package, reason in missing.items()))
    lines = [
        f"`{METRIC}` of summaries of {SUMMARY} words, from strings to numbers on one core, each "
        f"program in a fresh process, best of {given.runs} turns of 3 rounds. "
        f"Peers: {', '.join(PEERS)}.",
        "",
        "| sentences of the source | program | summaries a second | times the script | "
        "times the floor | peak memory, MB |",
        "|---|---|---|---|---|---|",
    ]
    headlines, gaps = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "texts.json"
        for length, count in SIZES.items():
            path.write_text(json.dumps(texts_of(length, count)), encoding="utf-8")
            try:
                found = measure(python, path, given.runs)
            except NotMeasuredError as failure:
                sys.exit(str(failure))
            ours, theirs, least = found[OURS], found[SCRIPT], found[FLOOR]
            pairs = zip(ours.values, theirs.values, strict=True)
            gaps += [abs(a - b) for a, b in pairs if a is not None and b is not None]
            for name, one in found.items():
                cells = [f"{count / one.seconds:,.0f}", f"{theirs.seconds / one.seconds:,.2f}"]
                cells += [f"{one.seconds / least.seconds:.0f}", f"{one.peak:.0f}"]
                lines.append(f"| {length} | {name} | {' | '.join(cells)} |")
                print(lines[-1], flush=True)
            times, above = theirs.seconds / ours.seconds, ours.seconds / least.seconds
            what = f"main topic, source of {length} sentences"
            headlines.append(Headline(what, times, SCRIPT, above, ours.peak))
    if max(gaps) > SAME:
        sys.exit(f"the programs should agree to {SAME:g}, but are {max(gaps):g} apart")
    told = f"Checked: {len(gaps):,} of {sum(SIZES.values()):,} values are equal (largest "
    lines += [
        "",
        told + f"difference {max(gaps):.0e}); in the other texts two topics are as strong.",
    ]
    if not given.no_write:
        write_section("LSA", "lsa.py", lines, headlines)


if __name__ == "__main__":
    main()
