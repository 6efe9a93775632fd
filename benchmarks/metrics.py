"""Every metric of plain texts and every summarizer by itself, on one core.

Each metric scores the same generated pairs with their sources, each summarizer ranks the sentences
of the same texts. With ``--before`` another checkout of Summetry takes turns with this one: its
values must be the same, and a column tells how many times as fast this one is. The floor cuts all
texts at blanks.

    python benchmarks/metrics.py [--pairs 500] [--runs 3] [--before FOLDER] [--no-write]
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

# The fresh processes do not look into this folder by themselves.
sys.path.append(str(Path(__file__).parent))
from peak import peak_memory
from peers import SETTINGS, NotMeasuredError, run, use_one_core
from sections import Headline, write_section
from texts import sentences, word_lists

HERE = Path(__file__).parent
# Texts to be summarized, and how many sentences of 15 words each has.
DOCUMENTS, SENTENCES, FIRST = 10, 200, 10
# Each work is repeated for so many seconds, or done once if that takes long.
SECONDS, LONG = 0.3, 2.0
# Sums may be made in another order.
SAME = 1e-9

FLOOR = "floor: `str.split`"

# For each work the seconds of one text or pair, what it found as one number, and the megabytes of
# the process when it was done.
Told = dict[str, tuple[float, float, float]]


def texts_of(count: int) -> list[list[str]]:
    """Candidates and references of 60 words, and sources of 240."""
    lists = list(word_lists(count, 240))
    parts = slice(60), slice(30, 90), slice(240)
    return [[" ".join(sentences(words[part])) for words in lists] for part in parts]


def metric_works(count: int) -> Iterator[tuple[str, Callable[[], float]]]:
    from summetry import score
    from summetry.metrics import METRICS, Needs

    candidates, references, sources = texts_of(count)
    texts = [*candidates, *references, *sources]
    yield FLOOR, lambda: float(sum(len(text.split()) for text in texts))

    def work(name: str) -> float:
        found = score(candidates, references, [name], sources=sources, language="en")
        columns = [column for values in found.values() for column in values.values()]
        return total(value for column in columns for value in column.tolist())

    for name in METRICS.names():
        metric = METRICS.build(name)
        # Those that need an encoder have a script of their own.
        if not metric.needs & ~(Needs.REFERENCES | Needs.SOURCE) and not hasattr(metric, "encoder"):
            yield name, partial(work, name)


def summarizer_works(count: int) -> Iterator[tuple[str, Callable[[], float]]]:
    from summetry.records.topics import Document, Topic
    from summetry.summarizers import SUMMARIZERS, Source

    topics = [
        Topic(f"t{number}", title="a title", documents=(Document("d", units=tuple(units)),))
        for number, units in enumerate(map(sentences, word_lists(count, SENTENCES * 15)))
    ]
    units = [unit for topic in topics for unit in topic.units]
    yield FLOOR, lambda: float(sum(len(unit.split()) for unit in units))
    for name in SUMMARIZERS.names():
        yield (
            name,
            lambda name=name: total(  # type: ignore[misc]
                place
                for topic in topics
                for place in SUMMARIZERS.build(name).rank(Source(topic, "en"), FIRST).order[:FIRST]
            ),
        )


def total(values: Iterator[float]) -> float:
    """What was found as one number, in which the order counts."""
    numbers = [value for value in values if math.isfinite(value)]
    return math.fsum(value * (1 + place % 7) for place, value in enumerate(numbers))


def measure_here(kind: str, pairs: int) -> Told:
    """What a fresh process does: all works of a kind, one after another."""
    count = pairs if kind == "metrics" else DOCUMENTS
    works = metric_works(count) if kind == "metrics" else summarizer_works(count)
    told: Told = {}
    for name, work in works:
        before = time.process_time()
        try:
            found = work()
        except Exception as error:
            # A thesaurus, a learned model, or a package that is not here.
            print(f"{name}: {error}", file=sys.stderr)
            continue
        # The first time has what is loaded on first use, which counts little if it took long.
        first = time.process_time() - before
        spent = [first] if first > LONG else []
        while sum(spent) < SECONDS:
            before = time.process_time()
            work()
            spent.append(time.process_time() - before)
        told[name] = min(spent) / count, found, peak_memory()
    return told


def measure(kind: str, pairs: int, checkouts: dict[str, Path], runs: int) -> dict[str, Told]:
    """The checkouts in turn, then all again; the fastest run of each work."""
    found: dict[str, Told] = {name: {} for name in checkouts}
    for _ in range(runs):
        for name, folder in checkouts.items():
            where = SETTINGS | {"PYTHONPATH": str(folder / "src")}
            arguments = ["--run", kind, "--pairs", str(pairs)]
            told: dict[str, Any] = run(sys.executable, "metrics.py", arguments, where)
            for work, (seconds, value, peak) in told.items():
                best = found[name].get(work, (seconds,))[0]
                found[name][work] = min(best, seconds), value, peak
            print(f"{kind}, {name}: {len(told)} measured", flush=True)
    return found


def check(now: Told, before: Told) -> float:
    """The largest difference of what was found, relative to it; an end to the run if there is."""
    gaps = {
        work: abs(now[work][1] - before[work][1]) / max(abs(before[work][1]), 1)
        for work in now
        if work in before
    }
    worst = max(gaps, key=gaps.__getitem__, default="")
    if worst and gaps[worst] > SAME:
        sys.exit(f"{worst}: the checkouts should agree to {SAME:g}, but are {gaps[worst]:g} apart")
    return max(gaps.values(), default=0.0)


def table(head: str, each: int, found: dict[str, Told]) -> list[str]:
    now, before = found["now"], found.get("before")
    times = " times before |" if before else ""
    lines = [f"| {head} a second | times the floor |{times}"]
    lines.append("|---|---|---|" + ("---|" if before else ""))
    for work, (seconds, *_) in now.items():
        cells = [work, f"{each / seconds:,.0f}", f"{seconds / now[FLOOR][0]:.1f}"]
        if before:
            cells.append(f"{before[work][0] / seconds:.1f}" if work in before else "")
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def headlines_of(found: dict[str, dict[str, Told]]) -> list[Headline]:
    """The quickest, the median and the slowest metric and summarizer."""
    shown = []
    for kind, both in found.items():
        works = sorted(
            (seconds, work) for work, (seconds, *_) in both["now"].items() if work != FLOOR
        )
        least = both["now"][FLOOR][0]
        peak = max(told[2] for told in both["now"].values())
        ordered = {"quickest": 0, "median": len(works) // 2, "slowest": -1}
        for word, place in ordered.items():
            seconds, work = works[place]
            what = f"{work}, the {word} of {len(works)} {kind}"
            shown.append(Headline(what, floor=seconds / least, peak=peak))
    return shown


def sections_of(found: dict[str, dict[str, Told]]) -> list[str]:
    lines = table("metric | pairs", 1, found["metrics"])
    peaks = [max(told[2] for told in both["now"].values()) for both in found.values()]
    return [
        *lines,
        "",
        *table("summarizer | sentences", SENTENCES, found["summarizers"]),
        "",
        f"Peak memory of the process with all metrics {peaks[0]:.0f} MB, of that with all "
        f"summarizers {peaks[1]:.0f} MB.",
    ]


def checked(found: Sequence[dict[str, Told]]) -> list[str]:
    if "before" not in found[0]:
        return []
    gap = max(check(one["now"], one["before"]) for one in found)
    return ["", f"Checked: values are those of before (largest relative difference {gap:.0e})."]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--pairs", type=int, default=500)
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--before", type=Path, metavar="FOLDER")
    arguments.add_argument("--name", default="before", help="what the other checkout is")
    arguments.add_argument("--run", choices=["metrics", "summarizers"])
    arguments.add_argument("--no-write", action="store_true")
    given = arguments.parse_args()
    if given.run:
        print(json.dumps(measure_here(given.run, given.pairs)))
        return
    use_one_core()
    checkouts = {"now": HERE.parent} | ({"before": given.before} if given.before else {})
    try:
        found = {
            kind: measure(kind, given.pairs, checkouts, given.runs)
            for kind in ("metrics", "summarizers")
        }
    except NotMeasuredError as failure:
        sys.exit(str(failure))
    told = f" Before is {given.name}; both took turns." if given.before else ""
    lines = [
        f"Each metric on {given.pairs:,} pairs of 60 words with sources of 240, from strings to "
        f"numbers in one call, and each summarizer on {DOCUMENTS} texts of {SENTENCES} sentences; "
        f"one core, seconds of the processor, best of {given.runs} turns.{told}",
        "",
        *sections_of(found),
        *checked(list(found.values())),
    ]
    print("\n".join(lines))
    if not given.no_write:
        write_section("Every metric and summarizer", "metrics.py", lines, headlines_of(found))


if __name__ == "__main__":
    main()
