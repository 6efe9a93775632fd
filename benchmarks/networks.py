"""Networks of references and votes, at the sizes that must be quick.

Each measure from extracts to numbers, the network included, in this process. On small networks,
where every path can be tried, values are compared with tests/network_oracle.py first. The floor
makes a set of every extract, once for a source and its candidates.

    python benchmarks/networks.py [--runs 3] [--no-write]
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Sequence
from pathlib import Path

from clock import best_of
from peak import peak_memory
from sections import Headline, write_section

from summetry.metrics.networks.sum_accy import SumAccy, WSumAccy
from summetry.records.batches import Batch, Comparison, Material, Side
from summetry.records.lengths import Length
from summetry.records.summaries import Extract
from summetry.records.topics import Topic
from summetry.references.agreement import PERCENTS, curve_of
from summetry.references.majority import TopicVotes
from summetry.references.voting import count_votes

HERE = Path(__file__).parent
SEED = 20_261_115
SAME = 1e-9
# Small enough to try every path.
SMALL_UNITS, SMALL_PEOPLE, SMALL_TOPICS, SMALL_CANDIDATES = 16, 5, 20, 10
METRICS = (
    SumAccy(),
    WSumAccy(),
    SumAccy(criterion="accuracy"),
    WSumAccy(criterion="accuracy", boundaries=True),
)
NAMES = ("SumACCY", "WSumACCY", "SumACCY, by accuracy", "WSumACCY, by accuracy, with boundaries")

Units = tuple[int, ...]


def extract(draw: random.Random, units: int, share: float = 0.3) -> Units:
    """A share of the units, the first ones more often than the last: people agree a little."""
    wanted = max(2, round(share * units))
    chances = sorted(range(units), key=lambda unit: draw.random() ** (1 + 2 * unit / units))
    return tuple(sorted(chances[-wanted:]))


def make_batch(topics: int, units: int, people: int, candidates: int) -> Batch:
    draw = random.Random(SEED)
    comparisons = []
    for number in range(topics):
        name = f"t{number}"
        made = tuple(Extract(name, f"p{i}", extract(draw, units)) for i in range(people))
        material = Material(name, "en", units=("",) * units, extracts=made)
        for i in range(candidates):
            comparisons.append(Comparison(material, Side(f"c{i}", "", extract(draw, units))))
    return Batch(comparisons)


def floor(comparisons: Sequence[Comparison]) -> int:
    """Every extract as a set, those of a source once."""
    seen = {c.material.topic: [set(e.units) for e in c.material.extracts] for c in comparisons}
    return len(seen) + sum(len(set(c.candidate.units or ())) for c in comparisons)


def scores(metric: SumAccy | WSumAccy, comparisons: Sequence[Comparison]) -> list[float]:
    # In a new batch, since a batch keeps what it has found.
    found: list[float] = metric.score(metric.count(Batch(comparisons)))["value"].tolist()
    return found


def with_every_path(metric: SumAccy | WSumAccy, comparisons: Sequence[Comparison]) -> list[float]:
    """The same by trying all paths of each network, candidate by candidate."""
    import network_oracle as plain

    found = []
    for comparison in comparisons:
        references = [e.units for e in comparison.material.extracts]
        boundaries = getattr(metric, "boundaries", False)
        hypothesis = comparison.candidate.units or ()
        path = plain.closest_path(hypothesis, references, metric.criterion, boundaries)
        value = 100 * (len(path) - plain.edits(hypothesis, path)) / len(path)
        if isinstance(metric, WSumAccy):
            best = plain.best_path(references, boundaries)
            rely = [plain.reliability(p, references, boundaries) for p in (path, best)]
            value *= rely[0] / rely[1]
        found.append(value)
    return found


def measure_small(runs: int) -> tuple[list[str], list[Headline]]:
    sys.path.append(str(HERE.parent / "tests"))
    batch = make_batch(SMALL_TOPICS, SMALL_UNITS, SMALL_PEOPLE, SMALL_CANDIDATES)
    lines, headlines, gap = [], [], 0.0
    least, _ = best_of(10, lambda: floor(batch.comparisons))
    for name, metric in zip(NAMES, METRICS, strict=True):
        seconds, found = best_of(runs, lambda m=metric: scores(m, batch.comparisons))
        plain, expected = best_of(1, lambda m=metric: with_every_path(m, batch.comparisons))
        gap = max(gap, *(abs(a - b) for a, b in zip(found, expected, strict=True)))
        each = f"{len(batch) / seconds:,.0f} | {len(batch) / plain:,.0f} | {plain / seconds:,.0f}"
        print(f"small: {name}, {seconds:.4f} s, every path {plain:.2f} s", flush=True)
        lines.append(f"| {name} | {each} | {seconds / least:.0f} |")
        times = plain / seconds
        headlines.append(Headline(name, times, "trying every path", seconds / least, peak_memory()))
    if math.isnan(gap) or gap > SAME:
        sys.exit(f"values should be those of every path to {SAME:g}, but are {gap:g} apart")
    lines = [
        f"{SMALL_TOPICS} sources of {SMALL_UNITS} units, {SMALL_PEOPLE} references and "
        f"{SMALL_CANDIDATES} candidates each, next to trying every path:",
        "",
        "| measure | scores a second | by every path | times | times the floor |",
        "|---|---|---|---|---|",
        *lines,
        "",
        f"Checked: all values are those of every path (largest difference {gap:.0e}).",
    ]
    return lines, headlines


def measure_large(runs: int) -> list[str]:
    """The two sizes that must be quick."""
    lines = []
    sizes = [(1, 1_000, 25, 1, "0.1 s"), (100, 60, 10, 100, "seconds")]
    for topics, units, people, candidates, wanted in sizes:
        batch = make_batch(topics, units, people, candidates)
        least, _ = best_of(10, lambda b=batch: floor(b.comparisons))
        for name, metric in zip(NAMES, METRICS, strict=True):
            seconds, _ = best_of(runs, lambda m=metric, b=batch: scores(m, b.comparisons))
            print(f"{len(batch):,} candidates: {name}, {seconds:.3f} s", flush=True)
            shape = f"{topics:,} | {units:,} | {people} | {len(batch):,}"
            lines.append(f"| {shape} | {name} | {seconds:.3f} | {wanted} | {seconds / least:.0f} |")
    return [
        "By size; candidates of one source share its network:",
        "",
        "| sources | units | references | candidates | measure | seconds | to reach | "
        "times the floor |",
        "|---|---|---|---|---|---|---|---|",
        *lines,
    ]


def measure_votes(runs: int) -> list[str]:
    """Agreement at every length, in one pass over the votes and length by length."""
    draw = random.Random(SEED)
    units, people = 1_000, 25
    made = tuple(Extract("t", f"p{i}", extract(draw, units)) for i in range(people))
    words = tuple(draw.randint(5, 35) for _ in range(units))
    ballot = count_votes(units, [e.units for e in made])
    votes = TopicVotes(Topic("t"), "en", made, ballot, words)
    curve, found = best_of(runs, lambda: curve_of(votes))
    lengths = [Length("percent", percent) for percent in PERCENTS]
    each, expected = best_of(
        runs, lambda: [votes.reference(length, "overshoot").agreement for length in lengths]
    )
    gap = max(abs(a - b) for a, b in zip(found, expected, strict=True))
    if gap > SAME:
        sys.exit(f"agreement should be the same to {SAME:g}, but is {gap:g} apart")
    return [
        f"Votes of {people} informants for {units:,} units; agreement at {len(PERCENTS)} lengths "
        f"of the reference: {curve:.4f} s in one pass, {each:.3f} s reference by reference with "
        f"its report of ties, the same values (largest difference {gap:.0e}).",
    ]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--no-write", action="store_true")
    given = arguments.parse_args()
    large, (small, headlines) = measure_large(given.runs), measure_small(given.runs)
    votes = measure_votes(given.runs)
    lines = [
        "Generated extracts of 30% of the units, from units to numbers, the network included; "
        f"seconds of the processor in one process, best of {given.runs}. The floor makes a set of "
        f"every extract, those of a source once. Peak memory of the process: "
        f"{peak_memory():.0f} MB.",
        "",
        *large,
        "",
        *small,
        "",
        *votes,
    ]
    print("\n".join(lines))
    if not given.no_write:
        write_section("Networks of extracts, and votes", "networks.py", lines, headlines)


if __name__ == "__main__":
    main()
