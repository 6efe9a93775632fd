"""ROUGE next to other programs, from strings to numbers, on one core.

Four works: ROUGE-1, -2 and L without stems on texts of one line, ROUGE-1 alone, ROUGE-1, -2 and
summary-level L with stems on texts of several lines, and W, S and SU. The others are installed into
an environment of their own. Programs take turns, each in a fresh process, on the same pairs;
results are compared where they should agree. A program that cannot be installed or fails is named.

    python benchmarks/rouge.py [--pairs 20000] [--runs 4] [--no-write]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from peers import NotMeasuredError, environment, furthest, run, use_one_core
from rouge_peers import PROGRAMS
from sections import Headline, write_section
from texts import REALSUMM, realsumm, sentences, word_lists

PEERS = ("rouge-score==0.1.2", "rouge-score-rs==0.2.1", "rouge-metric==1.0.1", "py-rouge==1.1")
RUST, PYTHON, METRIC = "rouge-score-rs", "rouge-score", "rouge-metric"
FLOOR = "floor: `str.split`"
OURS, UNICODE = "Summetry", "Summetry, Unicode words"
SCRIPT, UNSTEMMED = "Summetry, `rouge155(stem=true)`", "Summetry, `rouge155`, unstemmed"
DROP_IN = "Summetry, `compat.rouge_score`, one pair per call"
# These take seconds for a few hundred pairs: they have one turn, on this many of the pairs.
SLOW = (PYTHON, METRIC, f"{METRIC} (no stemmer)", "py-rouge")
SLOW_PAIRS = 500
# Equal to the last bits; and as ROUGE-1.5.5 rounds, recall and precision to five decimals before
# it makes F of them.
EXACT, ROUNDED = 1e-12, 2e-5


@dataclass(frozen=True)
class Work:
    """What is computed, and which programs should agree, how closely."""

    name: str
    shown: str
    one_line: bool
    # What is compared with, in the column of ratios; and what each of ours is to reach.
    base: str
    to_reach: dict[str, float]
    agree: tuple[tuple[str, str, float], ...]
    # Programs that mean the numbers of the first of ours here, but do not have them on every pair.
    alike: tuple[tuple[str, str, str], ...] = ()


BATCH = f"{RUST}, `score_batch`"
WORKS = (
    Work(
        "unstemmed",
        "ROUGE-1, -2 and L without stems, texts of one line",
        one_line=True,
        base=RUST,
        to_reach={OURS: 1, UNICODE: 1, DROP_IN: 1},
        agree=(
            (OURS, RUST, EXACT),
            (OURS, BATCH, EXACT),
            (OURS, PYTHON, EXACT),
            (DROP_IN, PYTHON, 0),
        ),
        alike=((UNICODE, OURS, "whose words are those of ASCII"),),
    ),
    Work(
        "ROUGE-1",
        "ROUGE-1 alone without stems, texts of one line",
        one_line=True,
        base=RUST,
        to_reach={OURS: 1, DROP_IN: 1},
        agree=((OURS, RUST, EXACT), (DROP_IN, PYTHON, 0)),
    ),
    Work(
        "stemmed",
        "ROUGE-1, -2 and summary-level L with stems, a line for each sentence",
        one_line=False,
        base=RUST,
        to_reach={OURS: 3, DROP_IN: 1},
        agree=(
            (OURS, RUST, EXACT),
            (OURS, BATCH, EXACT),
            (OURS, PYTHON, EXACT),
            (DROP_IN, PYTHON, 0),
            (UNSTEMMED, f"{METRIC} (no stemmer)", ROUNDED),
        ),
        alike=(
            (SCRIPT, PYTHON, "whose stemmer has no irregular forms"),
            (SCRIPT, "py-rouge", "which has them"),
        ),
    ),
    Work(
        "W, S and SU",
        "ROUGE-W-1.2, S4 and SU4 without stems, a line for each sentence",
        one_line=False,
        base=METRIC,
        to_reach={},
        agree=(("Summetry, `rouge155`", METRIC, ROUNDED),),
    ),
)


@dataclass(frozen=True)
class Outcome:
    """Pairs a second in a first and a second pass, or why there are none."""

    speeds: tuple[float, float] = (0.0, 0.0)
    peak: float = 0.0
    f: Sequence[Sequence[float]] = ()
    failure: str = ""

    def and_again(self, other: Outcome) -> Outcome:
        """The faster of two runs, for each pass: noise only ever adds."""
        if self.failure or other.failure:
            return other if self.failure else self
        first, second = map(max, zip(self.speeds, other.speeds, strict=True))
        return Outcome((first, second), other.peak, other.f)


@dataclass(frozen=True)
class Pairs:
    """A file of pairs, and the first few of it for slow programs."""

    path: Path
    count: int

    @property
    def few(self) -> Path:
        return self.path.with_suffix(".few")


def generated(count: int) -> Iterator[tuple[list[str], list[str]]]:
    """Pairs of 60 words in four sentences, of which 30 words are shared."""
    for words in word_lists(count, 90):
        yield sentences(words[:60]), sentences(words[30:])


def write_pairs(path: Path, pairs: Iterable[tuple[list[str], list[str]]], one_line: bool) -> Pairs:
    join = (" " if one_line else "\n").join
    lines = [json.dumps([join(one), join(other)]) + "\n" for one, other in pairs]
    written = Pairs(path, len(lines))
    path.write_text("".join(lines), encoding="utf-8")
    written.few.write_text("".join(lines[:SLOW_PAIRS]), encoding="utf-8")
    return written


def score(work: str, name: str, python: Path, missing: dict[str, str], pairs: Pairs) -> Outcome:
    """One program in a fresh process."""
    for package, reason in missing.items():
        if name == package or name.startswith((f"{package},", f"{package} (")):
            return Outcome(failure=reason)
    ours = name.startswith(("floor", OURS))
    path, count = (pairs.few, SLOW_PAIRS) if name in SLOW else (pairs.path, pairs.count)
    try:
        told = run(sys.executable if ours else python, "rouge_peers.py", [work, name, str(path)])
    except NotMeasuredError as failure:
        return Outcome(failure=str(failure))
    first, second = (min(count, pairs.count) / seconds for seconds in told["seconds"])
    print(f"{work}: {name:50} {first:9,.0f} {second:9,.0f} pairs a second", flush=True)
    return Outcome((first, second), told["peak"], told["f"])


def measure(
    work: Work, python: Path, missing: dict[str, str], pairs: Pairs, runs: int
) -> dict[str, Outcome]:
    """Every program in turn, then all again."""
    found: dict[str, Outcome] = {}
    for turn in range(runs):
        for name in PROGRAMS[work.name]:
            if turn == 0 or name not in SLOW:
                new = score(work.name, name, python, missing, pairs)
                found[name] = found[name].and_again(new) if name in found else new
    return found


def check(work: Work, found: dict[str, Outcome]) -> list[str]:
    """Which results agree; an end to the run if some that should do not."""
    told = []
    for name, other, most in work.agree:
        if found[name].failure or found[other].failure:
            continue
        gap = furthest(found[name].f, found[other].f)
        if gap > most:
            sys.exit(f"{name} and {other} should agree to {most:g}, but are {gap:g} apart")
        told.append(f"{name} = {other} (largest difference {gap:.0e})")
    for name, other, reason in work.alike:
        if not (found[name].failure or found[other].failure):
            shares = equal_shares(found[name].f, found[other].f)
            told.append(f"pairs with the same F in {name} and in {other}, {reason}: {shares}")
    return told


def equal_shares(some: Sequence[Sequence[float]], others: Sequence[Sequence[float]]) -> str:
    """How many pairs have the same F, for each value."""
    rows = zip(some, others, strict=False)
    same = [[abs(a - b) < ROUNDED for a, b in zip(x, y, strict=True)] for x, y in rows]
    return ", ".join(f"{sum(column) / len(column):.1%}" for column in zip(*same, strict=True))


def table(work: Work, found: dict[str, Outcome]) -> list[str]:
    base = found[work.base]
    times = f"times {work.base}"
    lines = [
        f"| program | pairs a second, first pass | second pass | {times}, first pass | second |",
        "|---|---|---|---|---|",
    ]
    for name, outcome in found.items():
        if outcome.failure:
            lines.append(f"| {name} | {outcome.failure} | | | |")
            continue
        cells = [f"{speed:,.0f}" for speed in outcome.speeds]
        if not base.failure:
            ratios = zip(outcome.speeds, base.speeds, strict=True)
            cells += [f"{mine / theirs:,.2f}" for mine, theirs in ratios]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def verdict(work: Work, found: dict[str, Outcome]) -> list[str]:
    """Whether what was to be reached is reached."""
    base = found[work.base]
    if base.failure or not work.to_reach:
        return []
    told = []
    for name, wanted in work.to_reach.items():
        ratios = [a / b for a, b in zip(found[name].speeds, base.speeds, strict=True)]
        word = "reached" if min(ratios) >= wanted else "missed"
        told.append(f"{name} {wanted:g} times {work.base}: {word}")
    return ["", f"To reach in both passes: {'; '.join(told)}."]


def headline(work: Work, found: dict[str, Outcome], title: str) -> list[Headline]:
    """The slower of both passes next to the fastest of the others."""
    known = {name: one for name, one in found.items() if not one.failure}
    others = {k: v for k, v in known.items() if not k.startswith(("floor", OURS))}
    if not others:
        return []
    best = max(others, key=lambda name: min(others[name].speeds))
    what = f"{work.shown.rpartition(', ')[0]}; {title}"
    shown = []
    for ours, how in ((OURS, ""), (DROP_IN, "; one pair per call")):
        if ours not in known:
            continue
        floor, mine = known[FLOOR], known[ours]
        times, above = (
            [a / b for a, b in zip(one.speeds, other.speeds, strict=True)]
            for one, other in ((mine, others[best]), (floor, mine))
        )
        shown.append(Headline(what + how, min(times), best, max(above), mine.peak))
    return shown


def memory(python: Path, missing: dict[str, str], folder: Path, counts: Sequence[int]) -> list[str]:
    """Peak memory of the whole process, with the texts in it."""
    names = [FLOOR, OURS, *([RUST] if RUST not in missing else [])]
    head = " | ".join(f"{count:,} pairs" for count in counts)
    peaks: dict[str, list[str]] = {name: [] for name in names}
    for count in counts:
        pairs = write_pairs(folder / "memory.jsonl", generated(count), one_line=False)
        for name in names:
            outcome = score("stemmed", name, python, missing, pairs)
            peaks[name].append(outcome.failure or f"{outcome.peak:.0f} MB")
    rows = [f"| {name} | {' | '.join(peaks[name])} |" for name in names]
    return [f"| peak memory, with stems | {head} |", "|---|" + "---|" * len(counts), *rows]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--pairs", type=int, default=20_000)
    arguments.add_argument("--runs", type=int, default=4)
    arguments.add_argument("--memory", type=int, nargs="*", default=[20_000, 100_000])
    arguments.add_argument("--no-write", action="store_true")
    given = arguments.parse_args()
    use_one_core()
    python, missing = environment("rouge", PEERS)
    lines = [
        f"From strings to numbers in one call, on one core, each program in a fresh process; "
        f"seconds of the processor, best of {given.runs} turns. A second pass over the same pairs "
        f"finds what a program remembers of words. rouge-score, rouge-metric and py-rouge have "
        f"one turn on {SLOW_PAIRS} pairs. Peers: {', '.join(PEERS)}."
    ]
    headlines = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for work in WORKS:
            data = {"generated pairs of 60 words": generated(given.pairs)}
            if REALSUMM.exists():
                data["pairs of REALSumm (CNN/DailyMail, 25 systems)"] = realsumm()
            for title, texts in data.items():
                pairs = write_pairs(folder / "pairs.jsonl", texts, work.one_line)
                found = measure(work, python, missing, pairs, given.runs)
                told = check(work, found)
                lines += ["", f"{work.shown}; {pairs.count:,} {title}:", "", *table(work, found)]
                lines += verdict(work, found)
                headlines += headline(work, found, title.partition(" (")[0])
                lines += ["", f"Checked: {'; '.join(told)}."] if told else []
        if given.memory:
            lines += ["", *memory(python, missing, folder, given.memory)]
    print("\n".join(lines))
    if not given.no_write:
        write_section("ROUGE next to other programs", "rouge.py", lines, headlines)


if __name__ == "__main__":
    main()
