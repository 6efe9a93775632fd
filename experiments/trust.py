"""Which metric may be trusted, on REALSumm and SummEval: docs/trust.md.

For every metric: how well it follows people, from system to system and within topics; how many
judgments it saves; which null judges (length, lead overlap, random numbers) it beats; and which
changes for the worse it cannot see. ``--data`` is the folder of both corpora, as for ``audit.py``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from audit import READERS, TITLES, filled
from script_parts import natural, positive, print_all

import summetry
from summetry.arrays.types import Floats
from summetry.files import write_whole
from summetry.metaeval.audits import Audit
from summetry.metaeval.columns import short_name, sign_of
from summetry.metaeval.correlations import RARE
from summetry.metaeval.grids import Grid, grid_of, judgments_of
from summetry.metaeval.nulls import (
    A_CONSTANT,
    A_LEAD,
    A_LENGTH,
    A_RANDOM,
    most_frequent,
    text_nulls,
)
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.stats.estimate import estimate
from summetry.stats.levels import Level, correlate, reached_at_random

PAGE = Path(__file__).parents[1] / "docs" / "trust.md"
METRICS = (
    "rouge-1.f", "rouge-1.recall", "rouge-2.f", "rouge-2.recall", "rouge-l.f", "rouge-w.f",
    "rouge-su4.f", "autosummeng", "autosummeng.nvs", "memog", "memog.nvs", "npower", "cosine",
    "lcs", "unit_overlap", "js_divergence", "lsa_main_topic", "keywords", "retention",
)  # fmt: skip
# A metric that is named with its main value is shown by its name alone.
SHOWN = {name.removesuffix(".f") for name in METRICS}
LEVELS: tuple[Level, Level] = ("system", "summary")
NULLS = (A_LENGTH, A_LEAD, A_RANDOM, A_CONSTANT)
# Topics are drawn with replacement; so many are scored, and so many of these judged.
SCORED, JUDGED = 1000, 40
# What a reference or the beginning of the source is worth is no change for the worse.
NOT_WORSE = ("lead", "reference")


@dataclass(frozen=True)
class Trust:
    """What is known of one metric or null judge on one dimension."""

    name: str
    systems: float
    low: float
    high: float
    within: float
    # Per cent of the judgments that it saves.
    means: float
    differences: float
    # Null judges that it does not beat within topics.
    unbeaten: tuple[str, ...] = ()


def read(name: str, folder: Path) -> Corpus:
    """A corpus with the judgments of people: content units of REALSumm, experts of SummEval."""
    corpus = READERS[name](folder)
    judgments = []
    for line in (folder / "summaries.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        marks = row.get("expert_mean") or {"content units": row["litepyramid_recall_from_votes"]}
        judgments += [
            Judgment(str(row["doc_id"]), row["system"], "people", dimension, value)
            for dimension, value in marks.items()
        ]
    return replace(corpus, judgments=tuple(judgments))


def trusted(corpus: Corpus, grid: Grid, dimension: str, draws: int, seed: int) -> Iterator[Trust]:
    """Every metric and every null judge against the judgments on a dimension."""
    people = judgments_of(corpus, dimension, grid).means()
    values = {
        short_name(column): sign_of(column) * table
        for column, table in zip(grid.columns, grid.finite(), strict=True)
        if short_name(column) in SHOWN
    }
    texts = text_nulls(corpus).on_grid(grid.systems, grid.topics)
    values |= {name: texts[name].values for name in (A_LENGTH, A_LEAD)}
    values[A_RANDOM] = np.random.default_rng(seed).random(people.shape)
    values[A_CONSTANT] = np.full(people.shape, most_frequent(people))
    # Of random numbers that which one draw in 20 exceeds, as in `correlate`.
    by_chance = {level: reached_at_random(people, level, "tau_b", RARE) for level in LEVELS}
    counts = np.random.default_rng(seed).multinomial(
        people.shape[1], np.full(people.shape[1], 1 / people.shape[1]), size=draws
    )
    within = {name: _by_topic(table, people) for name, table in values.items()}
    of_systems = {name: _drawn_taus(table, people, counts) for name, table in values.items()}
    saved = {name: _saved(table, people, draws // 20, seed) for name, table in values.items()}
    for name, table in values.items():
        if name == A_RANDOM:
            yield Trust(
                name, by_chance["system"], np.nan, np.nan, by_chance["summary"], *saved[name]
            )
            continue
        low, high = np.quantile(of_systems[name], (0.025, 0.975))
        tau = correlate(table, people, "system", "tau_b").value
        own = float(np.nanmean(within[name])) if not np.isnan(within[name]).all() else np.nan
        unbeaten = [
            rival
            for rival in (A_LENGTH, A_LEAD)
            if name not in NULLS and not _is_above(within[name], within[rival], counts)
        ]
        unbeaten += [A_RANDOM] if name not in NULLS and own <= by_chance["summary"] else []
        yield Trust(name, tau, float(low), float(high), own, *saved[name], tuple(unbeaten))


def _by_topic(table: Floats, people: Floats) -> Floats:
    """Kendall tau-b of the systems on each topic."""
    topics = range(people.shape[1])
    found = [correlate(table[:, [k]], people[:, [k]], "summary", "tau_b").value for k in topics]
    return np.array(found)


def _drawn_taus(table: Floats, people: Floats, counts: Any) -> Floats:
    """Kendall tau-b of the means of systems over topics that are drawn."""
    signs = []
    for values in (table, people):
        there = ~np.isnan(values)
        with np.errstate(invalid="ignore"):
            means = counts @ np.where(there, values, 0.0).T / (counts @ there.T)
        first, second = np.triu_indices(len(values), 1)
        signs.append(np.sign(means[:, first] - means[:, second]))
    sizes = np.sqrt(np.prod([(sign != 0).sum(axis=1) for sign in signs], axis=0))
    with np.errstate(invalid="ignore"):
        taus: Floats = (signs[0] * signs[1]).sum(axis=1) / sizes
    return np.nan_to_num(taus)


def _is_above(some: Floats, others: Floats, counts: Any) -> bool:
    """Whether the mean difference over topics is above 0 in 97.5 % of the draws."""
    gaps = some - others
    there = ~np.isnan(gaps)
    drawn = counts @ np.where(there, gaps, 0.0) / np.maximum(counts @ there, 1)
    return bool(np.quantile(drawn, 0.025) > 0)


def _saved(table: Floats, people: Floats, draws: int, seed: int) -> tuple[float, float]:
    """The judgments that a metric saves, in per cent, for means and for differences."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(max(draws, 2)):
        topics = rng.integers(0, people.shape[1], SCORED)
        judgments = people[:, topics]
        judgments[:, JUDGED:] = np.nan
        one = estimate(judgments, table[None][:, :, topics])
        found.append((one.saved_means, one.saved_differences))
    means, differences = 100 * np.nanmean(found, axis=0)
    return float(means), float(differences)


def blind_spots(audit: Audit) -> dict[str, list[str]]:
    """For each metric the changes for the worse that it cannot see or prefers (these with !)."""
    spots: dict[str, list[str]] = {}
    for cell in audit.cells:
        if short_name(cell.column) not in SHOWN:
            continue
        own = spots.setdefault(short_name(cell.column), [])
        name = cell.perturbation.name.replace("_", " ")
        if cell.perturbation.name not in NOT_WORSE and cell.share.low <= 0.5:
            own.append(name + ("!" if cell.share.high < 0.5 else ""))
    return spots


def dimension_table(rows: Sequence[Trust]) -> str:
    lines = [
        "| metric | tau-b, systems | 95 % interval | tau-b, within topics | saved, means % | "
        "saved, differences % | does not beat |",
        "|---|---:|---|---:|---:|---:|---|",
    ]
    order = sorted(rows, key=lambda row: (row.name in NULLS, -np.nan_to_num(row.within)))
    for row in order:
        interval = "" if np.isnan(row.low + row.systems) else f"{row.low:.2f} to {row.high:.2f}"
        systems, within = ("" if np.isnan(t) else f"{t:.2f}" for t in (row.systems, row.within))
        numbers = [systems, interval, within]
        saved = [f"{round(value) + 0:d}" for value in (row.means, row.differences)]
        words = ", ".join(name.strip("()").removesuffix(" alone") for name in row.unbeaten)
        cells = [row.name.replace("_", "\\_"), *numbers, *saved, words]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def blind_table(spots: Mapping[str, Mapping[str, Sequence[str]]]) -> str:
    lines = [f"| metric |{''.join(f' {TITLES[name]} |' for name in spots)}"]
    lines.append("|---|" + "---|" * len(spots))
    for metric in next(iter(spots.values())):
        cells = [", ".join(of[metric]) or "sees all" for of in spots.values()]
        lines.append(f"| {metric.replace('_', chr(92) + '_')} | {' | '.join(cells)} |")
    return "\n".join(lines)


def run(options: argparse.Namespace) -> Iterable[str]:
    """Everything; yields the lines to print."""
    parts, spots = {}, {}
    for name in READERS:
        corpus = read(name, options.data / name)
        grid = grid_of(summetry.evaluate(corpus, list(METRICS)))
        for dimension in dict.fromkeys(one.dimension for one in corpus.judgments):
            rows = list(trusted(corpus, grid, dimension, options.draws, options.seed))
            parts[f"{name} {dimension}"] = dimension_table(rows)
            yield f"{TITLES[name]}, {dimension}\n{parts[f'{name} {dimension}']}\n"
        bare = replace(corpus, judgments=())
        audit = summetry.audit(bare, list(METRICS), limit=options.limit, seed=options.seed)
        spots[name] = blind_spots(audit)
    parts["blind"] = blind_table(spots)
    yield parts["blind"]
    if options.page:
        write_whole(PAGE, filled(PAGE.read_text(encoding="utf-8"), parts))
        yield f"wrote {PAGE.name}"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Example:\n    python experiments/trust.py --data data --page",
    )
    parser.add_argument("--data", metavar="FOLDER", type=Path, required=True,
                        help="the folder with realsumm and summeval")  # fmt: skip
    parser.add_argument("--limit", metavar="N", type=positive, default=600,
                        help="texts per perturbation; 600")  # fmt: skip
    parser.add_argument("--draws", metavar="N", type=positive, default=1000,
                        help="resamples of topics (a 20th for savings); 1000")  # fmt: skip
    parser.add_argument("--page", action="store_true", help="fill the tables of docs/trust.md")
    parser.add_argument("--seed", metavar="N", type=natural, default=0, help="of all draws; 0")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    return print_all(run, parse(arguments))


if __name__ == "__main__":
    sys.exit(main())
