"""Whether the intervals of ``estimate`` keep their promise, on topics drawn from public data.

Topics are drawn with replacement from the 100 of REALSumm or SummEval; 1,000 of them are scored, 20
to 160 are judged. The mean over the 100 is the truth. Every cell is compared with an earlier
simulation by another program. Then the judgments that several metrics save, and the same numbers
as those of ppi-python and truescore where their simple cases apply; these are installed by name and
version into an environment of their own (in the cache folder).

    python benchmarks/estimate.py [--draws 600] [--data ../shared/data] [--no-write]
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import peers
from scipy.special import ndtri, stdtrit
from sections import write_section

import summetry
from summetry.arrays.types import Floats
from summetry.formats.frames import as_frame
from summetry.formats.judgments import read_judgments
from summetry.stats.estimate import Estimate, estimate
from summetry.stats.multiple import holm
from summetry.text.tokens import find_words

PEERS = ("ppi-python==0.2.3", "truescore==0.7.4")
SCORED, JUDGED, NEAR = 1000, (20, 40, 80, 160), 0.012
METRICS = ("rouge-1.recall", "rouge-1.f", "rouge-2.recall", "memog", "length", "random", "constant")
DIMENSIONS = ("relevance", "coherence", "fluency", "consistency")
# Coverage in an earlier simulation of 600 draws, at 20, 40, 80 and 160 judged topics.
MEANS = {
    "REALSumm": (0.958, 0.950, 0.954, 0.947),
    "relevance": (0.959, 0.952, 0.952, 0.953),
    "coherence": (0.964, 0.960, 0.952, 0.956),
    "fluency": (0.961, 0.945, 0.940, 0.943),
    "consistency": (0.973, 0.968, 0.944, 0.932),
}
DIFFERENCES = {
    "REALSumm": (0.958, 0.948, 0.952, 0.947),
    "relevance": (0.957, 0.954, 0.951, 0.950),
    "coherence": (0.959, 0.955, 0.951, 0.953),
    "fluency": (0.967, 0.954, 0.950, 0.949),
    "consistency": (0.964, 0.962, 0.952, 0.942),
}
# Per cent of the judgments that each of METRICS saved there at 40, for means and for differences.
SAVED = {
    "REALSumm": ((32, 18), (27, 12), (28, 13), (25, 9), (6, 4), (-2, -2), (0, 0)),
    "relevance": ((14, 10), (10, 8), (8, 8), (16, 9), (9, 2), (-2, -2), (0, 0)),
    "coherence": ((5, 2), (3, 1), (2, 1), (9, 4), (6, 2), (-2, -2), (0, 0)),
    "fluency": ((1, 0), (-1, -1), (-2, -3), (-1, -2), (10, 7), (-2, -2), (0, 0)),
    "consistency": ((2, 0), (0, -2), (-2, -2), (0, -2), (7, 1), (-1, -1), (0, 0)),
}


@dataclass(frozen=True)
class Judged:
    """Judgments by dimension and metrics by name, all systems x topics."""

    people: dict[str, Floats]
    metrics: dict[str, Floats]


@dataclass
class Cell:
    """Shares of intervals that hold, and widths against judgments alone, draw by draw."""

    held: list[float]
    width: list[float]
    alone: list[float]


def records(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def read_realsumm(folder: Path) -> Judged:
    rows, marks = [], []
    for row in records(folder / "summaries.jsonl"):
        key = {"id": str(row["doc_id"]), "system": row["system"]}
        own = ["\n".join(row["reference_sents"])]
        rows.append({**key, "candidate": "\n".join(row["summary_sents"]), "reference": own})
        marks.append({**key, "litepyramid": row["litepyramid_recall_from_votes"]})
    return judged(rows, marks)


def read_summeval(folder: Path, references: int) -> Judged:
    texts = {row["doc_id"]: row["references"] for row in records(folder / "docs.jsonl")}
    rows, marks = [], []
    for row in records(folder / "summaries.jsonl"):
        key = {"id": str(row["doc_id"]), "system": row["system"]}
        own = texts[row["doc_id"]][:references]
        rows.append({**key, "candidate": row["summary"], "reference": own})
        marks.append({**key, **row["expert_mean"]})
    return judged(rows, marks)


def judged(rows: list[Any], marks: list[Any]) -> Judged:
    """Scores by our metrics and judgments by our reader, as tables of the same order."""
    candidates, references = ([row[name] for row in rows] for name in ("candidate", "reference"))
    with warnings.catch_warnings():
        # That the language is guessed.
        warnings.simplefilter("ignore")
        scores = summetry.score(candidates, references, metrics=["rouge-1", "rouge-2", "memog"])
    metrics = {name: values_of(rows, scores, name) for name in METRICS[:3]}
    metrics["memog"] = values_of(rows, scores, "memog.vs")
    lengths = [float(len(find_words(text))) for text in candidates]
    metrics["length"] = table_of(rows, lengths)
    people: dict[str, list[tuple[str, str, float]]] = {}
    corpus = read_judgments(as_frame(marks, "the judgments"))
    for one in corpus.judgments:
        cell = one.author, one.topic, corpus.mark(one)
        people.setdefault(one.dimension, []).append(cell)
    return Judged({name: matrix_of(own) for name, own in people.items()}, metrics)


def values_of(rows: list[Any], scores: Any, name: str) -> Floats:
    metric, _, value = name.rpartition(".")
    return table_of(rows, scores[metric][value])


def table_of(rows: list[Any], values: Any) -> Floats:
    cells = ((row["system"], row["id"], float(v)) for row, v in zip(rows, values, strict=True))
    return matrix_of(cells)


def matrix_of(cells: Iterable[tuple[str, str, float]]) -> Floats:
    """Systems by topics, both in the order of their names; what is not there is NaN."""
    scores = {(system, topic): value for system, topic, value in cells}
    systems, topics = (sorted({cell[side] for cell in scores}) for side in (0, 1))
    return np.array([[scores.get((s, t), np.nan) for t in topics] for s in systems], np.float64)


def drawn(data: Judged, draws: int, seed: int) -> Iterator[Floats]:
    """Topics, a draw of so many at a time; the first ones are those that are judged."""
    rng = np.random.default_rng(seed)
    topics = next(iter(data.people.values())).shape[1]
    for _ in range(draws):
        yield rng.integers(0, topics, SCORED)


def one(y: Floats, f: Floats, topics: Any, count: int) -> Estimate:
    judgments = y[:, topics]
    judgments[:, count:] = np.nan
    return estimate(judgments, f[None])


def coverage(data: Judged, dimension: str, draws: int, seed: int) -> dict[int, tuple[Cell, Cell]]:
    """For each number of judged topics the cells of means and of differences."""
    y, f = data.people[dimension], data.metrics["rouge-1.recall"]
    truth = y.mean(axis=1)
    cells = {n: (Cell([], [], []), Cell([], [], [])) for n in JUDGED}
    for topics in drawn(data, draws, seed):
        values = f[:, topics]
        for n, (means, differences) in cells.items():
            found = one(y, values, topics, n)
            add(means, found.means, truth)
            pairs = found.differences
            add(differences, pairs, np.array([truth[p.a] - truth[p.b] for p in pairs]))
    return cells


def add(cell: Cell, rows: Sequence[Any], truth: Floats) -> None:
    low, high, alone_low, alone_high = np.array(
        [(row.low, row.high, row.alone.low, row.alone.high) for row in rows]
    ).T
    cell.held.append(float(((low <= truth) & (truth <= high)).mean()))
    cell.width.append(float((high - low).mean()))
    cell.alone.append(float((alone_high - alone_low).mean()))


def saved(data: Judged, dimension: str, draws: int, seed: int) -> dict[str, tuple[float, float]]:
    """What each metric saves at 40 judged topics: means and differences, in per cent."""
    rng = np.random.default_rng(seed)
    y = data.people[dimension]
    each: dict[str, list[tuple[float, float]]] = {name: [] for name in METRICS}
    for topics in drawn(data, draws, seed):
        for name in METRICS:
            if name == "random":
                f = rng.standard_normal((len(y), SCORED))
            elif name == "constant":
                f = np.ones((len(y), SCORED))
            else:
                f = data.metrics[name][:, topics]
            found = one(y, f, topics, 40)
            each[name].append((found.saved_means, found.saved_differences))
    means = {name: 100 * np.mean(rows, axis=0) for name, rows in each.items()}
    return {name: (float(both[0]), float(both[1])) for name, both in means.items()}


def coverage_lines(
    found: dict[str, dict[int, tuple[Cell, Cell]]], place: int, earlier: dict[str, Any]
) -> list[str]:
    lines = []
    for name, cells in found.items():
        ours = [float(np.mean(cells[n][place].held)) for n in JUDGED]
        widths = [np.mean(cells[n][place].width) / np.mean(cells[n][place].alone) for n in JUDGED]
        apart = [abs(a - b) for a, b in zip(ours, earlier[name], strict=True)]
        near = sum(gap <= NEAR for gap in apart)
        lines.append(
            f"| {name}, {('means', 'differences')[place]} | {' '.join(f'{v:.3f}' for v in ours)} | "
            f"{' '.join(f'{v:.3f}' for v in earlier[name])} | {near} of {len(JUDGED)}, largest "
            f"{max(apart):.3f} | {' '.join(f'{v:.2f}' for v in widths)} |"
        )
    return lines


def made_case(judged_topics: int, topics: int, seed: int, systems: int = 1) -> dict[str, Any]:
    """A case for the peers: one system, or the difference of two."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(systems, topics))
    y = quality + 3
    f = 0.6 * quality + rng.normal(0, 0.5, (systems, topics))
    if systems == 2:
        y, f = y[:1] - y[1:], f[:1] - f[1:]
    return {"y": y[0, :judged_topics].tolist(), "f": f[0].tolist()}


def ours_of(case: dict[str, Any]) -> Estimate:
    f = np.array([case["f"]])
    y = np.full(f.shape, np.nan)
    y[0, : len(case["y"])] = case["y"]
    return estimate(y, f[None])


def peer_lines() -> list[str]:
    """The same numbers as the peers', or an end to the run."""
    environment, missing = peers.environment("estimate", PEERS)
    if missing:
        return [f"Not compared: {package} {why}." for package, why in missing.items()]
    cases = [made_case(200, 2000, 1), made_case(200, 2000, 2, 2), made_case(2000, 6000, 3)]
    cases.append(made_case(2000, 6000, 4, 2))
    p = np.random.default_rng(5).uniform(size=50) ** 3
    ours = []
    for case in cases:
        (mean,) = (own := ours_of(case)).means
        share = (mean.topics - mean.judged) / mean.topics
        case |= {"weight": mean.weights[0] * share, "p": p.tolist()}
        ours.append(own.means[0])
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.json"
        path.write_text(json.dumps(cases), encoding="utf-8")
        for peer in PEERS:
            name = peer.partition("==")[0]
            theirs = peers.run(str(environment), "estimate_peers.py", [name, str(path)])
            lines.append(f"| {peer.replace('==', ' ')} | {peer_cells(name, theirs, ours, p)} |")
    return lines


def peer_cells(name: str, theirs: list[Any], ours: list[Any], p: Floats) -> str:
    given = max(abs(t["given"] - o.estimate) for t, o in zip(theirs, ours, strict=True))
    alone = 0.0
    for their, own in zip(theirs, ours, strict=True):
        n, half = own.judged, (own.alone.high - own.alone.low) / 2
        if name == "ppi-python":
            # Normal quantiles, and squares divided by n.
            half *= -float(ndtri(0.025)) / -float(stdtrit(n - 1, 0.025)) * math.sqrt((n - 1) / n)
        ends = own.alone.estimate - half, own.alone.estimate + half
        alone = max(alone, *(abs(a - b) for a, b in zip(their["alone"], ends, strict=True)))
    if max(given, alone) > 1e-12:
        sys.exit(f"{name} should agree to 1e-12, but is {given:g} and {alone:g} apart")
    texts = [f"{given:.0e}", f"{alone:.0e}"]
    for start in (0, 2):
        pairs = list(zip(theirs, ours, strict=True))[start : start + 2]
        width = max(abs(t["width"] / (o.high - o.low) - 1) for t, o in pairs)
        moved = max(abs(t["estimate"] - o.estimate) / o.se for t, o in pairs)
        texts.append(f"{100 * width:.1f} %, {moved:.2f} se")
    if name == "truescore":
        apart = float(np.abs(np.array(theirs[0]["holm"]) - holm(p)).max())
        if apart > 1e-12:
            sys.exit(f"Holm's correction should agree to 1e-12, but is {apart:g} apart")
        texts.append(f"{apart:.0e}")
    else:
        texts.append("-")
    return " | ".join(texts)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--draws", type=int, default=600)
    arguments.add_argument("--saved-draws", type=int, default=200)
    arguments.add_argument("--references", type=int, default=11)
    shared = Path(__file__).parents[2] / "shared" / "data"
    arguments.add_argument("--data", type=Path, default=shared)
    arguments.add_argument("--no-write", action="store_true")
    given = arguments.parse_args()
    if not given.data.is_dir():
        sys.exit(f"{given.data}: expected the folders realsumm and summeval; --data names it")
    peers.use_one_core()
    start = time.process_time()
    summeval = read_summeval(given.data / "summeval", given.references)
    sets = {"REALSumm": (read_realsumm(given.data / "realsumm"), "litepyramid")}
    sets |= {name: (summeval, name) for name in DIMENSIONS}
    print(f"read and scored: {time.process_time() - start:.0f} s", flush=True)
    covered, kept = {}, {}
    before = time.process_time()
    for seed, (name, (data, dimension)) in enumerate(sets.items()):
        covered[name] = coverage(data, dimension, given.draws, seed)
        print(*coverage_lines({name: covered[name]}, 0, MEANS), sep="\n", flush=True)
        print(*coverage_lines({name: covered[name]}, 1, DIFFERENCES), sep="\n", flush=True)
    seconds = time.process_time() - before
    for seed, (name, (data, dimension)) in enumerate(sets.items()):
        kept[name] = saved(data, dimension, given.saved_draws, 100 + seed)
        print(name, {m: f"{a:.1f} / {b:.1f}" for m, (a, b) in kept[name].items()}, flush=True)
    lines = [
        f"How often 95 % intervals of [estimate](commands/estimate.md) hold the true value: topics "
        f"drawn with replacement from the 100 of REALSumm (LitePyramid) and SummEval (four "
        f"dimensions), {SCORED:,} scored by `rouge-1.recall`, 20, 40, 80 and 160 of them judged, "
        f"{given.draws:,} draws per cell, {seconds:.0f} seconds of one core. Beside it an earlier "
        f"simulation of 600 draws by another program, and how many cells are within {NEAR}. Width: "
        "against the judgments alone by the same procedure.",
        "",
        "| data | coverage at 20 40 80 160 | earlier | near | width |",
        "|---|---|---|---|---|",
        *coverage_lines(covered, 0, MEANS),
        *coverage_lines(covered, 1, DIFFERENCES),
        "",
        f"Judgments saved at 40 judged topics, means / differences, in per cent "
        f"({given.saved_draws} draws; in brackets the earlier simulation):",
        "",
        f"| data | {' | '.join(METRICS)} |",
        "|---|" + "---|" * len(METRICS),
    ]
    for name, each in kept.items():
        cells = [
            f"{a:.0f} / {b:.0f} ({c} / {d})".replace("-0 ", "0 ")
            for (a, b), (c, d) in zip(each.values(), SAVED[name], strict=True)
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += [
        "",
        "Next to programs for one mean: the largest difference of the estimate with their weight "
        "given, and of the interval from judgments alone (that of ppi-python times t / z and the "
        "root of n / (n - 1)); then, with their own weight, how far widths and estimates are apart "
        "with 200 of 2,000 and with 2,000 of 6,000 topics judged; Holm's correction.",
        "",
        "| program | weight given | alone | 200 of 2,000 | 2,000 of 6,000 | Holm |",
        "|---|---|---|---|---|---|",
        *peer_lines(),
    ]
    print("\n".join(lines))
    if not given.no_write:
        write_section("Estimates from few judgments", "estimate.py", lines)


if __name__ == "__main__":
    main()
