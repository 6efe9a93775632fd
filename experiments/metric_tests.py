"""How often tests of two metrics find a difference where there is none.

Data sets are drawn in which both metrics are equally good for other systems and topics:

    people     quality of the system + difficulty of the topic + noise 0.5 of the summary
    a metric   the same quality and difficulty, + its error for the system (0.7) + its error for
               the topic (0.7) + noise 1 of the summary

All are normal, quality has a standard deviation of 1 and difficulty of 0.7. The kinds differ:

    independent   the errors of the two metrics have nothing in common
    shared        70 % of the variance of their errors is the same for both
    heavy         the second metric's errors have heavy tails (Student's t, 3 degrees of freedom)
    noisy         the second metric has more noise and smaller errors, of the same size in all
    people err    people have an error of 0.5 for each system, too
    none          neither metric errs by system or by topic
    worse         the second metric errs more (1.6): here a difference should be found

Counted is the share of data sets with p <= 0.05, by level, coefficient, test and size: 0.05 is what
it should be, and for "worse" the more the better. A share of 200 data sets has a standard deviation
of 0.015. The table has the kind "independent" by size, the range over all kinds but the last, and
what is found of the last.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track
from script_parts import Row, check_folder, natural, positive, print_all, write_table

from summetry.arrays.types import Floats
from summetry.metaeval.metric_tests import MetricTest, chosen_test, pair_tester
from summetry.stats.dependent import Blocks
from summetry.stats.levels import Level
from summetry.stats.weighted import Coefficient

ALPHA = 0.05
KINDS = ("independent", "shared", "heavy", "noisy", "people err", "none", "worse")
ERROR, NOISE, DIFFICULTY = 0.7, 1.0, 0.7
# Of the metric that is worse, and of the one that has more noise.
LARGE, SMALL = 1.6, 0.35
SHARED = 0.7
TESTED: dict[tuple[Level, Coefficient], tuple[MetricTest, ...]] = {
    ("system", "pearson"): ("cells", "topics", "systems", "williams", "jackknife"),
    ("system", "spearman"): ("cells", "systems", "williams", "jackknife"),
    ("system", "tau_b"): ("cells", "systems", "williams", "jackknife"),
    ("summary", "pearson"): ("cells", "topics", "systems", "jackknife"),
    ("summary", "tau_b"): ("cells", "systems"),
    ("global", "pearson"): ("cells", "systems", "jackknife"),
    ("global", "tau_b"): ("jackknife",),
    ("per_system", "pearson"): ("cells", "systems", "topics"),
}


class Size(NamedTuple):
    systems: int
    topics: int

    def __str__(self) -> str:
        return f"{self.systems}x{self.topics}"


def data_set(kind: str, level: Level, size: Size, random: np.random.Generator) -> list[Floats]:
    """Both metrics and people, systems x topics."""
    units = (size.systems, 1), (1, size.topics)
    quality, difficulty = random.normal(size=units[0]), random.normal(0, DIFFICULTY, units[1])
    signal = quality + difficulty
    people = signal + random.normal(0, 0.5, size)
    if kind == "people err":
        people = people + random.normal(0, 0.5, units[0])
    both = [[random.normal(size=shape) for shape in units] for _ in range(2)]
    if kind == "shared":
        common = [random.normal(size=shape) for shape in units]
        both = [
            [
                SHARED**0.5 * c + (1 - SHARED) ** 0.5 * own
                for c, own in zip(common, errors, strict=True)
            ]
            for errors in both
        ]
    if kind == "heavy":
        both[1] = [random.standard_t(3, shape) / 3**0.5 for shape in units]
    by_system, by_topic, noise = _sizes(kind, level, size)
    return [
        signal + s * errors[0] + t * errors[1] + random.normal(0, n, size)
        for errors, s, t, n in zip(both, by_system, by_topic, noise, strict=True)
    ] + [people]


def _sizes(
    kind: str, level: Level, size: Size
) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float]]:
    """Standard deviations of the errors by system, by topic, and of noise; of each metric."""
    if kind == "none":
        return (0.0, 0.0), (0.0, 0.0), (NOISE, NOISE)
    if kind == "worse":
        return (ERROR, LARGE), (ERROR, LARGE), (NOISE, NOISE)
    if kind == "noisy":
        # The second metric is as good if what disturbs its points has the same variance.
        saved = ERROR**2 - SMALL**2
        # Means of a system have less noise; at the global level both errors are smaller.
        times = {"system": size.topics, "global": 2}.get(level, 1)
        noise = (NOISE**2 + saved * times) ** 0.5
        by_topic = SMALL if level in ("global", "per_system") else ERROR
        by_system = ERROR if level == "per_system" else SMALL
        return (ERROR, by_system), (ERROR, by_topic), (NOISE, noise)
    return (ERROR, ERROR), (ERROR, ERROR), (NOISE, NOISE)


def shares(size: Size, options: argparse.Namespace, kept: dict[bytes, Blocks]) -> Iterator[Row]:
    """One row for each kind, level, coefficient and test."""
    bar = Console(stderr=True)
    for (level, coefficient), names in TESTED.items():
        words = f"{size}, {level}, {coefficient}"
        for kind in track(KINDS, words, console=bar, transient=True, disable=not bar.is_terminal):
            found = dict.fromkeys(names, 0)
            for number in range(options.sets):
                key = [options.seed, KINDS.index(kind), *size, number]
                *metrics, people = data_set(kind, level, size, np.random.default_rng(key))
                for name in names:
                    how = {"draws": options.draws, "seed": options.seed, "kept": kept}
                    tests = pair_tester(name, metrics, people, level, **how)
                    found[name] += int(tests.compare([(0, 1, 0)], coefficient).p[0] <= ALPHA)
            for name, count in found.items():
                yield {
                    "size": str(size), "level": level, "coefficient": coefficient, "test": name,
                    "kind": kind, "share": count / options.sets,
                }  # fmt: skip


def as_table(rows: Sequence[Row]) -> Iterator[str]:
    """The shares in Markdown: a row for each level, coefficient and test; the default is bold."""
    value = {(r["level"], r["coefficient"], r["test"], r["size"], r["kind"]): float(r["share"])
             for r in rows}  # fmt: skip
    sizes = list(dict.fromkeys(row["size"] for row in rows))
    yield f"| level | coefficient | test | {' | '.join(map(str, sizes))} | all kinds | worse |"
    yield f"|---|---|---|{'---|' * len(sizes)}---|---|"
    for (level, coefficient), names in TESTED.items():
        for name in names:
            at = level, coefficient, name
            own = [value[*at, size, "independent"] for size in sizes]
            each = [value[*at, size, kind] for size in sizes for kind in KINDS[:-1]]
            worse = [value[*at, size, "worse"] for size in sizes]
            cells = [*map(_share, own), f"{_share(min(each))} to {_share(max(each))}"]
            cells.append(" ".join(map(_share, worse)))
            shown = f"**{name}**" if name == chosen_test("auto", level, coefficient) else name
            yield f"| {level} | {coefficient} | {shown} | {' | '.join(cells)} |"


def _share(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


def sizes(text: str) -> list[Size]:
    """Sizes on the command line.

    >>> sizes("6x9,10x30")
    [Size(systems=6, topics=9), Size(systems=10, topics=30)]
    """
    try:
        return [Size(*(positive(part) for part in size.split("x"))) for size in text.split(",")]
    except (TypeError, ValueError) as error:
        message = f"expected systems x topics, such as 6x9,10x30, got {text}"
        raise argparse.ArgumentTypeError(message) from error


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Example:\n    python experiments/metric_tests.py --sizes 6x9,10x30 --sets 200",
    )
    parser.add_argument("--sizes", metavar="SIZES", type=sizes, default=[Size(6, 9)],
                        help="systems x topics, with commas; 6x9")  # fmt: skip
    parser.add_argument("--sets", metavar="N", type=positive, default=40,
                        help="data sets of each kind; 40")  # fmt: skip
    parser.add_argument("--draws", metavar="N", type=positive, default=199,
                        help="permutations, where not all are counted; 199")  # fmt: skip
    parser.add_argument("--seed", metavar="N", type=natural, default=0, help="of all draws; 0")
    parser.add_argument("--out", metavar="FOLDER", type=Path, default=Path("metric-tests"),
                        help="where to write; metric-tests unless named")  # fmt: skip
    return parser.parse_args(arguments)


def run(options: argparse.Namespace) -> Iterable[str]:
    """Everything; yields the lines to print."""
    check_folder(options.out)
    kept: dict[bytes, Blocks] = {}
    rows = [row for size in options.sizes for row in shares(size, options, kept)]
    options.out.mkdir(parents=True, exist_ok=True)
    write_table(rows, options.out / "shares.csv")
    yield from as_table(rows)
    yield f"written to {options.out}: shares.csv"


def main(arguments: Sequence[str] | None = None) -> int:
    return print_all(run, parse(arguments))


if __name__ == "__main__":
    sys.exit(main())
