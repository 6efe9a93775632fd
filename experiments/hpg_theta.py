"""How the fuzziness of HPG's index changes what it says, for summaries that people judged.

The paper calls its index fuzzy and does not say how fuzzy. This script scores every summary with
several values of theta and writes one row for each theta and dimension of the judgments:

level 2 ... level 5  in how many per cent of the comparisons something matches on that level
system               correlation of the systems' mean values with their mean judgments
summary              mean over the topics of the correlation of their summaries with the judgments

Both are Pearson's r with 95 % intervals over topics, and Kendall's tau-b. The rows are JSON Lines,
each with the references that its summary is compared with (those of REALSumm differ by system):

    {"id": "t1", "system": "bart", "summary": "...", "references": ["..."],
     "judgments": {"relevance": 4.3}}
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from script_parts import Row, natural, positive, print_all, to_matrix, write_table

from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError
from summetry.metrics.base import Scores
from summetry.metrics.graphs.hpg import Hpg, overall
from summetry.records.batches import Batch, compare_texts
from summetry.stats.levels import Level, correlate
from summetry.stats.resampling import bootstrap

Summary = dict[str, Any]

THETAS = (1.0, 0.9, 0.8, 0.5, 0.3, 0.2)
FIELDS = ("id", "system", "summary", "references", "judgments")
# Comparisons that are scored at once.
_TOGETHER = 200


@dataclass(frozen=True)
class HpgLevels(Hpg):
    """HPG with the value of each level."""

    values: ClassVar[tuple[str, ...]] = ("value", *(f"level {level}" for level in range(1, 6)))

    def pair_values(self, batch: Batch) -> tuple[Scores, Ints]:
        levels, owners = self.compare_levels(batch)
        return dict(zip(self.values, [overall(levels), *levels], strict=True)), owners


def read_summaries(path: Path, topics: int | None) -> list[Summary]:
    """The rows of a file, those of the first topics if a number is given."""
    with path.open(encoding="utf-8") as file:
        rows: list[Summary] = [json.loads(line) for line in file]
    for number, row in enumerate(rows, start=1):
        missing = [field for field in FIELDS if field not in row]
        if missing:
            raise SummetryError(f"{path}:{number}: expected the fields {', '.join(FIELDS)}; "
                                f"there is no {', '.join(missing)}")  # fmt: skip
    kept = set(list(dict.fromkeys(row["id"] for row in rows))[:topics])
    return [row for row in rows if row["id"] in kept]


def score_levels(rows: Sequence[Summary], theta: float) -> dict[str, Floats]:
    """The value and the levels of each summary, the mean over its references."""
    metric = HpgLevels(theta=theta)
    parts = []
    for start in range(0, len(rows), _TOGETHER):
        some = rows[start : start + _TOGETHER]
        compared = [compare_texts(row["summary"], row["references"], None, "") for row in some]
        parts.append(metric.score(metric.count(Batch(compared))))
    return {name: np.concatenate([part[name] for part in parts]) for name in metric.values}


def agreement(values: Floats, people: Floats, options: argparse.Namespace) -> Row:
    """The correlations of two tables of systems and topics, at both levels."""
    row: Row = {}
    levels: tuple[Level, ...] = ("system", "summary")
    for level in levels:
        drawn = bootstrap(values, people, level, "pearson", "topics",
                          draws=options.resamples, seed=options.seed)  # fmt: skip
        row[f"{level} r"] = correlate(values, people, level, "pearson").value
        row[f"{level} low"], row[f"{level} high"] = drawn.low, drawn.high
        row[f"{level} tau-b"] = correlate(values, people, level, "tau_b").value
    return row


def judged_tables(
    rows: Sequence[Summary], values: Sequence[float] | Floats, dimension: str
) -> Iterable[Floats]:
    """Values of summaries and people's judgments of them, as tables of systems and topics."""
    for numbers in (values, [row["judgments"][dimension] for row in rows]):
        pairs = zip(rows, numbers, strict=True)
        yield to_matrix((row["system"], str(row["id"]), number) for row, number in pairs)


def measure(rows: Sequence[Summary], options: argparse.Namespace) -> Iterable[Row]:
    """One row for each theta and dimension."""
    dimensions = list(rows[0]["judgments"])
    for theta in options.theta:
        scores = score_levels(rows, theta)
        matched = {name: 100 * float((scores[name] > 0).mean()) for name in scores}
        del matched["value"], matched["level 1"]
        for dimension in dimensions:
            tables = judged_tables(rows, scores["value"], dimension)
            yield {"theta": theta, **matched, "dimension": dimension, **agreement(*tables, options)}


def shown(row: Row) -> str:
    """A row in one line."""
    levels = " ".join(f"{float(row[f'level {level}']):5.1f}" for level in range(2, 6))
    numbers = "   ".join(
        f"{row[f'{level} r']:.3f} ({row[f'{level} low']:.3f} to {row[f'{level} high']:.3f}) "
        f"{row[f'{level} tau-b']:.3f}"
        for level in ("system", "summary")
    )
    return f"{row['theta']:<5g} {levels}   {numbers}   {row['dimension']}"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Example:\n    python experiments/hpg_theta.py realsumm.jsonl --out theta.csv",
    )
    parser.add_argument("summaries", metavar="FILE.jsonl", type=Path, help="summaries, judged")
    parser.add_argument("--out", metavar="FILE.csv", type=Path, default=Path("hpg-theta.csv"),
                        help="where to write; hpg-theta.csv by default")  # fmt: skip
    parser.add_argument("--theta", metavar="T", type=float, nargs="+", default=THETAS,
                        help="the values to try; 1, .9, .8, .5, .3 and .2 by default")  # fmt: skip
    parser.add_argument("--topics", metavar="N", type=positive,
                        help="only the first N topics; all by default")  # fmt: skip
    parser.add_argument("--resamples", metavar="N", type=positive, default=1000,
                        help="of topics, for the intervals; 1000 by default")  # fmt: skip
    parser.add_argument("--seed", metavar="N", type=natural, default=0, help="of the resamples; 0")
    return parser.parse_args(arguments)


def run(options: argparse.Namespace) -> Iterable[str]:
    """Everything; yields the lines to print."""
    rows = read_summaries(options.summaries, options.topics)
    if not rows:
        raise SummetryError(f"{options.summaries}: expected summaries, found none")
    yield "theta levels 2 to 5, %   system: r, interval, tau-b   summary: the same   dimension"
    measured = []
    for row in measure(rows, options):
        measured.append(row)
        yield shown(row)
    write_table(measured, options.out)
    yield f"written to {options.out}"


def main(arguments: Sequence[str] | None = None) -> int:
    return print_all(run, parse(arguments))


if __name__ == "__main__":
    sys.exit(main())
