"""One pair per call, from 10 to 2,000 words, next to other programs, on one core.

Each call gives ROUGE-1, -2, L and summary-level L of one candidate and one reference, without
stems. Programs take turns, each in a fresh process, on the same pairs; their values are compared
first. The first call of a process, with what it imports, is measured by itself.

    python benchmarks/small_calls.py [--words 10 20 50 ...] [--runs 3] [--no-write]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from peers import NotMeasuredError, environment, furthest, run, use_one_core
from sections import Headline, write_section
from small_calls_peers import FLOOR, PROGRAMS
from texts import sentences, word_lists

PEERS = ("rouge-score==0.1.2", "rouge-score-rs==0.2.1")
WORDS = (10, 20, 50, 100, 200, 500, 1_000, 2_000)
# So many pairs of each length; no program is to profit from texts that it has just seen.
PAIRS = 20
OURS, DROP_IN, BASE = "`summetry.score`", "`summetry.compat.rouge_score`", "rouge-score"
SAME = 1e-12
TO_REACH, SHORT = 100e-6, 20


@dataclass(frozen=True)
class Outcome:
    """Seconds of the first call, and of a call for each length; F for each pair; megabytes."""

    first: float
    seconds: Sequence[float]
    f: Sequence[Sequence[float]]
    peak: float

    def and_again(self, other: Outcome) -> Outcome:
        """The faster of two runs, for each number: noise only ever adds."""
        seconds = list(map(min, self.seconds, other.seconds))
        peak = max(self.peak, other.peak)
        return Outcome(min(self.first, other.first), seconds, self.f, peak)


def pairs_of(length: int) -> list[tuple[str, str]]:
    """Texts of ``length`` words, a sentence of 15 words per line, that share half of them."""
    shared = length // 2
    return [
        ("\n".join(sentences(words[:length])), "\n".join(sentences(words[length - shared :])))
        for words in word_lists(PAIRS, 2 * length - shared)
    ]


def measure(
    python: Path, missing: dict[str, str], path: Path, runs: int
) -> tuple[dict[str, Outcome], dict[str, str]]:
    """Every program in turn, then all again; and the reasons of those that were not measured."""
    found: dict[str, Outcome] = {}
    failures = dict(missing)
    for _ in range(runs):
        for name in PROGRAMS:
            if name in failures:
                continue
            try:
                where = sys.executable if is_ours(name) or name == FLOOR else python
                new = Outcome(**run(where, "small_calls_peers.py", [name, str(path)]))
            except NotMeasuredError as failure:
                failures[name] = str(failure)
                continue
            found[name] = found[name].and_again(new) if name in found else new
            told = " ".join(f"{seconds * 1e6:,.0f}" for seconds in new.seconds)
            print(f"{name:32} first {new.first * 1e3:,.0f} ms; {told} µs", flush=True)
    return found, failures


def is_ours(name: str) -> bool:
    return "summetry" in name


def check(found: dict[str, Outcome]) -> str:
    """The largest difference between the programs; an end to the run if there is one."""
    told = [one for name, one in found.items() if name != FLOOR]
    gaps = [furthest(one.f, other.f) for one, other in pairwise(told)]
    if max(gaps, default=0.0) > SAME:
        sys.exit(f"the programs should agree to {SAME:g}, but are {max(gaps):g} apart")
    return f"all values are equal (largest difference {max(gaps, default=0.0):.0e})"


def table(found: dict[str, Outcome], failures: dict[str, str], words: Sequence[int]) -> list[str]:
    head = " | ".join(f"{count:,}" for count in words)
    lines = [
        f"| µs per call, by words | {head} | first call, ms | peak memory, MB |",
        "|---|" + "---|" * (len(words) + 2),
    ]
    for name, outcome in found.items():
        cells = [f"{seconds * 1e6:,.0f}" for seconds in outcome.seconds]
        cells += [f"{outcome.first * 1e3:,.0f}", f"{outcome.peak:.0f}"]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    for name, reason in failures.items():
        lines.append(f"| {name} | {reason} |" + " |" * (len(words) + 1))
    for name, theirs in found.items():
        for ours in () if is_ours(name) or name == FLOOR else filter(is_ours, found):
            both = zip(found[ours].seconds, theirs.seconds, strict=True)
            cells = [f"{b / a:,.2f}" for a, b in both]
            lines.append(f"| {ours} times {name} | {' | '.join(cells)} | | |")
    return lines


def verdict(found: dict[str, Outcome], words: Sequence[int]) -> list[str]:
    """Whether what was to be reached is reached."""
    told = []
    mine = dict(zip(words, found[OURS].seconds, strict=True))
    short = [seconds for count, seconds in mine.items() if count <= SHORT]
    if short:
        word = "reached" if max(short) <= TO_REACH else "missed"
        told.append(f"up to {SHORT} words {TO_REACH * 1e6:.0f} µs at most: {word}")
    if BASE in found:
        pairs = zip(mine.items(), found[BASE].seconds, strict=True)
        behind = [f"{count:,}" for (count, ours), theirs in pairs if ours > theirs]
        word = f"missed at {', '.join(behind)} words" if behind else "reached"
        told.append(f"ahead of {BASE} at every length: {word}")
    return ["", f"To reach: {'; '.join(told)}."]


def headlines_of(found: dict[str, Outcome], words: Sequence[int]) -> list[Headline]:
    """The shortest and the longest texts."""
    others = [name for name in found if not is_ours(name) and name != FLOOR]
    shown = []
    for place in (0, len(words) - 1) if others and {OURS, DROP_IN} <= {*found} else ():
        seconds = {name: one.seconds[place] for name, one in found.items()}
        best = min(others, key=seconds.__getitem__)
        for ours in (OURS, DROP_IN):
            times, above = seconds[best] / seconds[ours], seconds[ours] / seconds[FLOOR]
            what = f"one pair of {words[place]:,} words, {ours}"
            shown.append(Headline(what, times, best, above, found[ours].peak))
    return shown


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--words", type=int, nargs="+", default=[*WORDS])
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--no-write", action="store_true")
    given = arguments.parse_args()
    use_one_core()
    # The environment of rouge.py.
    python, missing = environment("rouge", PEERS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.json"
        path.write_text(json.dumps([pairs_of(count) for count in given.words]), encoding="utf-8")
        found, failures = measure(python, missing, path, given.runs)
    lines = [
        f"ROUGE-1, -2, L and summary-level L without stems in one call for one pair, {PAIRS} pairs "
        f"of each length, on one core, each program in a fresh process; seconds of the processor, "
        f"best of {given.runs} turns. The first call of a process has the imports in it. "
        f"Peers: {', '.join(PEERS)}.",
        "",
        *table(found, failures, given.words),
        *verdict(found, given.words),
        "",
        f"Checked: {check(found)}.",
    ]
    print("\n".join(lines))
    if not given.no_write:
        write_section(
            "One pair per call", "small_calls.py", lines, headlines_of(found, given.words)
        )


if __name__ == "__main__":
    main()
