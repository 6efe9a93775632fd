"""TextRank, LexRank and LSA next to sumy and summa, on one core, over the length of the text.

The others are installed by name and version into an environment of their own (in the cache
folder). Each program runs in a fresh process on the same generated texts. A program stops at the
length at which it would take more than a minute. One that cannot be installed or fails is named.

    python benchmarks/summarizers.py [--sentences 50 100 300 ...] [--runs 2] [--no-write]
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import peers
from growth_charts import draw_growth, picture
from sections import Headline, write_section
from summarizers_peers import FIRST, FLOOR, PROGRAMS
from texts import sentences, word_lists

PLOT = picture("summarizers")
# With what they count with, so that a later run measures the same programs.
PEERS = ("sumy==0.13.0", "summa==1.2.0", "numpy==2.4.6", "scipy==1.17.1")
SENTENCES = (10, 20, 50, 100, 200, 300, 500, 1_000, 2_000)
REACHED_AT = 300
TO_REACH = 20
MOST_SECONDS = 60
# Times grow with the square of the length, or faster.
POWER = 2
DIFFERENCES = (
    "How the methods differ; we and summa leave out stop words, sumy does if it is given some:",
    "",
    "- summa's TextRank is the same formula as ours, so its scores are compared too.",
    "- sumy's TextRank counts a shared word once for each pair of places that have it, links each "
    "sentence with itself, and stops at a change of 0.0001.",
    "- sumy's LexRank has the idf ln(N / (n + 1)), divides counts by the largest of the sentence, "
    "has no damping, and stops at a change of 0.1.",
    "- sumy's LSA gives each word that a sentence does not have the weight 0.4, and weighs by "
    "squares of singular values where we have fourth powers.",
)


@dataclass(frozen=True)
class Outcome:
    """What one process told, or why it told nothing."""

    seconds: float = math.nan
    peak: float = 0.0
    first: Sequence[int] = ()
    scores: Sequence[float] = ()
    # The words of each sentence as the program sees them, where it tells.
    words: Sequence[Sequence[str]] = ()
    failure: str = ""


Found = dict[tuple[str, int], Outcome]


def run(name: str, python: Path, text: Path) -> Outcome:
    """One program in a fresh process."""
    where = python if name in others() else sys.executable
    try:
        return Outcome(**peers.run(where, "summarizers_peers.py", [name, str(text)]))
    except peers.NotMeasuredError as failure:
        return Outcome(failure=str(failure))


def best_of(runs: int, name: str, python: Path, text: Path) -> Outcome:
    """The fastest of some runs: noise only ever adds."""
    found = [run(name, python, text) for _ in range(runs)]
    return min(found, key=lambda outcome: (outcome.failure != "", outcome.seconds))


def measure(python: Path, missing: str, folder: Path, given: argparse.Namespace) -> Found:
    found: Found = {}
    for count in given.sentences:
        text = folder / f"{count}.json"
        (words,) = word_lists(1, count * 15)
        text.write_text(json.dumps(sentences(words)), encoding="utf-8")
        for name in PROGRAMS:
            if missing and name in others():
                found[name, count] = Outcome(failure=missing)
            elif expected_seconds(found, name, count) > MOST_SECONDS:
                found[name, count] = Outcome(failure="more than a minute")
            else:
                found[name, count] = best_of(given.runs, name, python, text)
            outcome = found[name, count]
            print(f"{count:6,} {name:18} {outcome.seconds:9.4f} s  {outcome.failure}", flush=True)
    return found


def expected_seconds(found: Found, name: str, count: int) -> float:
    """From the longest text so far; without end where that one was too long already."""
    before = [(length, done) for (who, length), done in found.items() if who == name]
    if not before:
        return 0.0
    length, last = before[-1]
    return math.inf if last.failure else last.seconds * (count / length) ** POWER


def table(found: Found, counts: Sequence[int]) -> list[str]:
    """Seconds by program and length, and how many times faster ours is at each length."""
    head = " | ".join(f"{count:,}" for count in counts)
    lines = [
        f"| processor seconds for so many sentences | {head} |",
        "|---|" + "---|" * len(counts),
    ]
    for name in PROGRAMS:
        cells = [_seconds(found[name, count]) for count in counts]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    for name in others():
        pairs = [(found[ours(name), count], found[name, count]) for count in counts]
        cells = [f"{ratio(*pair):,.0f}" if ratio(*pair) else "" for pair in pairs]
        lines.append(f"| times {name} | {' | '.join(cells)} |")
    for name in PROGRAMS:
        known = [found[name, count] for count in counts]
        cells = ["" if one.failure else f"{one.peak:.0f}" for one in known]
        lines.append(f"| peak memory, MB: {name} | {' | '.join(cells)} |")
    return lines


def ratio(mine: Outcome, theirs: Outcome) -> float:
    return 0.0 if mine.failure or theirs.failure else theirs.seconds / mine.seconds


def others() -> list[str]:
    return [name for name in PROGRAMS if not name.startswith("summetry") and name != FLOOR]


def ours(name: str) -> str:
    """Our program of the same method."""
    return f"summetry {name.partition(' ')[2]}"


def verdict(found: Found) -> list[str]:
    """Whether what was to be reached at one length is reached."""
    told = []
    for name in others():
        times = ratio(found[ours(name), REACHED_AT], found[name, REACHED_AT])
        if times:
            word = "reached" if times >= TO_REACH else "missed"
            told.append(f"{name} {times:,.0f} times ({word})")
    if not told:
        return []
    return ["", f"To reach at {REACHED_AT} sentences: {TO_REACH} times. Found: {', '.join(told)}."]


def agreement(found: Found, counts: Sequence[int]) -> list[str]:
    """How many of the first ten sentences are the same at each length."""
    head = " | ".join(f"{count:,}" for count in counts)
    lines = [f"| of the first {FIRST}, the same | {head} |", "|---|" + "---|" * len(counts)]
    for name in others():
        cells = []
        for count in counts:
            mine, theirs = found[ours(name), count], found[name, count]
            known = not (mine.failure or theirs.failure)
            cells.append(str(len({*mine.first} & {*theirs.first})) if known else "")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def check(found: Found, counts: Sequence[int]) -> list[str]:
    """How far the scores of the two programs with one formula are apart, on the same words."""
    from summetry.summarizers.textrank import textrank

    theirs = [found["summa textrank", count] for count in counts]
    gaps = [
        abs(a - b)
        for outcome in theirs
        if outcome.words
        for a, b in zip(
            _of_length_one(textrank(outcome.words)), _of_length_one(outcome.scores), strict=True
        )
    ]
    if not gaps:
        return []
    told = f"largest difference {max(gaps):.0e}, as vectors of length 1"
    return ["", f"Checked: on summa's words, our TextRank gives summa's scores ({told})."]


def headlines_of(found: Found) -> list[Headline]:
    """Each of ours next to the fastest program of the same method."""
    shown = []
    for name in (name for name in PROGRAMS if name.startswith("summetry")):
        mine, least = found[name, REACHED_AT], found[FLOOR, REACHED_AT]
        times = {
            other: ratio(mine, found[other, REACHED_AT])
            for other in others()
            if ours(other) == name and ratio(mine, found[other, REACHED_AT])
        }
        best = min(times, key=times.__getitem__, default="")
        what = f"{name.removeprefix('summetry ')}, {REACHED_AT} sentences"
        above = mine.seconds / least.seconds
        shown.append(Headline(what, times.get(best), best, above, mine.peak))
    return shown


def draw(found: Found, counts: Sequence[int]) -> None:
    rows = [
        {"program": name, "sentences": count, "seconds": found[name, count].seconds}
        for name in PROGRAMS
        for count in counts
        if not found[name, count].failure
    ]
    x, y = ("sentences", "sentences of the text"), ("seconds", "processor time", "seconds")
    draw_growth(rows, PLOT, "Time to rank the sentences of a text", x, y)


def _of_length_one(values: Sequence[float]) -> list[float]:
    size = math.sqrt(math.fsum(value * value for value in values))
    return [value / size for value in values]


def _seconds(outcome: Outcome) -> str:
    return outcome.failure or f"{outcome.seconds:.3g}"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--sentences", type=int, nargs="+", default=[*SENTENCES])
    arguments.add_argument("--runs", type=int, default=2)
    arguments.add_argument("--no-write", action="store_true")
    given = arguments.parse_args()
    peers.use_one_core()
    python, without = peers.environment("summarizers", PEERS)
    missing = "; ".join(f"{package} {reason}" for package, reason in without.items())
    with tempfile.TemporaryDirectory() as temporary:
        found = measure(python, missing, Path(temporary), given)
    counts = given.sentences
    lines = [
        f"From a list of sentences of 15 words to the first {FIRST}, on one core, each program in "
        f"a fresh process, best of {given.runs}; a program stops where it would take more than "
        f"{MOST_SECONDS} seconds. "
        f"Peers: {', '.join(PEERS)}; ours with numpy=={version('numpy')}, "
        f"scipy=={version('scipy')}.",
        "",
        *table(found, counts),
        *(verdict(found) if REACHED_AT in counts else []),
        "",
        *agreement(found, counts),
        *check(found, counts),
        "",
        *DIFFERENCES,
        "",
        f"![Time over the length of the text, for each program]({PLOT.name})",
    ]
    print("\n".join(lines))
    if not given.no_write:
        draw(found, counts)
        shown = headlines_of(found) if REACHED_AT in counts else []
        write_section("Summarizers next to other programs", "summarizers.py", lines, shown)


if __name__ == "__main__":
    main()
