"""Hierarchical proximity graphs by the length of the texts, next to plain dictionaries.

The dictionaries are those of tests/hpg_oracle.py. Each program runs in a fresh process; values are
compared first. This is a part of graphs.py, which writes it down; by itself it only prints:

    python benchmarks/hierarchy.py
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from clock import best_of
from peak import peak_memory
from sections import Headline
from texts import sentences, word_lists

HERE = Path(__file__).parent
SAME = 1e-9
# Characters of a text, and how many pairs of such texts.
SIZES = {100: 400, 250: 400, 1_000: 100, 10_000: 10}
# The dictionaries take their time: this many pairs of them, up to this length.
PLAIN_PAIRS = 2
PLAIN_LENGTH = {1.0: 10_000, 0.8: 250}
# The length that the table at the top of the page shows.
ORDINARY = 250

Pairs = list[tuple[str, str]]


def pairs_of(length: int, count: int) -> Iterator[tuple[str, str]]:
    """A text, and the same sentences with the first two at the end, cut to one length."""
    for words in word_lists(count, length // 3 + 30):
        parts = sentences(words, 8)
        yield " ".join(parts)[:length], " ".join(parts[2:] + parts[:2])[:length]


def with_dictionaries(pairs: Pairs, theta: float) -> list[float]:
    sys.path.append(str(HERE.parent / "tests"))
    import hpg_oracle as plain

    return [float(plain.overall(plain.level_similarities(*pair, theta=theta))) for pair in pairs]


def with_summetry(pairs: Pairs, theta: float) -> list[float]:
    import summetry

    candidates, references = zip(*pairs, strict=True)
    spelling = f"hpg(theta={theta})"
    found = summetry.score(list(candidates), [[text] for text in references], [spelling])
    scores: list[float] = found[spelling]["value"].tolist()
    return scores


PROGRAMS = {"dictionaries": with_dictionaries, "Summetry": with_summetry}


def run(program: str, theta: float, pairs: Pairs, folder: Path) -> tuple[float, list[float], float]:
    """Seconds, scores and peak megabytes of one program in a fresh process."""
    data = folder / "pairs.json"
    data.write_text(json.dumps(pairs), encoding="utf-8")
    one = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, str(Path(__file__)), "--run", program, str(theta), str(data)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | one)
    if done.returncode:
        sys.exit(f"{program}, hpg(theta={theta}): {done.stderr.strip().splitlines()[-1]}")
    seconds, scores, peak = json.loads(done.stdout)
    return seconds, scores, peak


def run_here(program: str, theta: float, data: Path) -> None:
    """What the fresh process does; a short run first, so that imports are not measured."""
    pairs = [(one, other) for one, other in json.loads(data.read_text(encoding="utf-8"))]
    work = PROGRAMS[program]
    work([("a short text", "another text")], theta)
    started = time.process_time()
    scores = work(pairs, theta)
    print(json.dumps([time.process_time() - started, scores, peak_memory()]))


def floor(pairs: Pairs) -> list[list[str]]:
    """The 2-grams of every text in a list."""
    return [[t[i : i + 2] for i in range(len(t) - 1)] for pair in pairs for t in pair]


def hierarchical(given: argparse.Namespace, folder: Path) -> tuple[list[str], list[Headline]]:
    """Milliseconds a pair by length, and how many times the dictionaries that is."""
    headlines = []
    lines = [
        "",
        "HPG, n = 2, D = 3, L = 5, by the length of the texts. Both texts have the same sentences, "
        "in another order: the upper levels, which most pairs never reach, are counted too.",
        "",
        "| theta | characters | pairs | ms a pair | µs a character | times dictionaries | "
        "times the floor (2-grams in a list) | peak memory, MB |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for theta, longest in PLAIN_LENGTH.items():
        for length, count in SIZES.items():
            pairs = list(pairs_of(length, count))
            runs = [run("Summetry", theta, pairs, folder) for _ in range(given.runs)]
            seconds, scores, peak = min(runs)
            each, ratio = seconds / count, 0.0
            above = seconds / best_of(3, lambda pairs=pairs: floor(pairs))[0]  # type: ignore[misc]
            print(f"hpg(theta={theta}), {length} characters, {each * 1e3:.3f} ms", flush=True)
            if length <= longest:
                some = pairs[:PLAIN_PAIRS]
                plain, expected, _ = run("dictionaries", theta, some, folder)
                gap = max(abs(a - b) for a, b in zip(expected, scores, strict=False))
                if gap > SAME:
                    sys.exit(f"the programs should agree to {SAME:g}, but are {gap:g} apart")
                ratio = plain / len(some) / each
            shown = f"{ratio:,.0f}" if ratio else ""
            times = f"{each * 1e3:.2f} | {each / length * 1e6:.1f} | {shown}"
            lines.append(
                f"| {theta:g} | {length:,} | {count} | {times} | {above:.0f} | {peak:.0f} |"
            )
            if length == ORDINARY:
                what = f"HPG, theta {theta:g}, {length:,} characters"
                peer = "dictionaries" if ratio else ""
                headlines.append(Headline(what, ratio or None, peer, above, peak))
    checked = f"Checked: scores are equal where there is a ratio (within {SAME:g})."
    return [*lines, "", checked], headlines


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--run", nargs=3, metavar=("PROGRAM", "THETA", "DATA"))
    given = arguments.parse_args()
    if given.run:
        program, theta, data = given.run
        run_here(program, float(theta), Path(data))
        return
    with tempfile.TemporaryDirectory() as folder:
        print("\n".join(hierarchical(given, Path(folder))[0]))


if __name__ == "__main__":
    main()
