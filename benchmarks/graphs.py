"""N-gram graphs next to plain dictionaries, on one core, from strings to numbers.

The dictionaries are those of tests/graph_oracle.py, with every text and every group of models made
into a graph once; the original Java, warm, is about as fast. Each program runs in a fresh process,
the dictionaries on the first few topics. Values are compared. The floor cuts every text into its
n-grams.

    python benchmarks/graphs.py [--topics 50] [--peers 40] [--runs 3] [--no-write]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from hierarchy import hierarchical
from peak import peak_memory
from peers import use_one_core
from sections import Headline, write_section
from texts import REALSUMM, realsumm, sentences, word_lists

HERE = Path(__file__).parent
MODELS = 4
SAME = 1e-12
METRICS = {"AutoSummENG": "autosummeng.vs", "MeMoG": "memog.vs"}
FLOOR, PLAIN, OURS = "floor: 3-grams in a list", "dictionaries", "Summetry"
# The dictionaries take their time: this many scores of them.
PLAIN_SCORES = 160
# AutoSummENG's scores a second on pairs of texts of 100 words.
TO_REACH = 25_000

# A topic: the peers, and the models that each of them is compared with.
Topics = list[tuple[list[str], list[str]]]


@dataclass(frozen=True)
class Outcome:
    """The scores of one program, the seconds of one core that they took, and peak megabytes."""

    seconds: float
    scores: list[float]
    peak: float

    @property
    def speed(self) -> float:
        return len(self.scores) / self.seconds


def with_dictionaries(topics: Topics, metric: str) -> list[float]:
    """Every graph once, then pair by pair."""
    sys.path.append(str(HERE.parent / "tests"))
    import graph_oracle as plain

    found = []
    for peers, models in topics:
        graphs = [plain.graph(text) for text in models]
        if metric == "MeMoG":
            graphs = [plain.merged(graphs)]
        for peer in map(plain.graph, peers):
            found.append(sum(plain.similarities(peer, g)["VS"] for g in graphs) / len(graphs))
    return found


def with_summetry(topics: Topics, metric: str) -> list[float]:
    import summetry

    candidates = [peer for peers, _ in topics for peer in peers]
    references = [models for peers, models in topics for _ in peers]
    found = summetry.score(candidates, references, [METRICS[metric]])
    scores: list[float] = found[METRICS[metric]].tolist()
    return scores


def floor(topics: Topics, metric: str) -> list[float]:
    """Every 3-gram of every text once; as many numbers as there are scores."""
    found = []
    for peers, models in topics:
        grams = [[t[i : i + 3] for i in range(len(t) - 2)] for t in (*peers, *models)]
        found += [float(len(grams))] * len(peers)
    return found


PROGRAMS: dict[str, Callable[[Topics, str], list[float]]] = {
    FLOOR: floor,
    PLAIN: with_dictionaries,
    OURS: with_summetry,
}


def generated(topics: int, peers: int, models: int) -> Iterator[tuple[list[str], list[str]]]:
    """Texts of 100 words, about 680 characters: the length of summaries at TAC."""
    texts = (" ".join(sentences(words)) for words in word_lists(topics * (peers + models), 100))
    for _ in range(topics):
        yield [next(texts) for _ in range(peers)], [next(texts) for _ in range(models)]


def run(program: str, metric: str, data: Path) -> Outcome:
    """One program in a fresh process."""
    one = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, str(Path(__file__)), "--run", program, metric, str(data)]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | one)
    if done.returncode:
        sys.exit(f"{program}, {metric}: {done.stderr.strip().splitlines()[-1]}")
    return Outcome(**json.loads(done.stdout))


def run_here(program: str, metric: str, data: Path) -> None:
    """What the fresh process does; a short run first, so that imports are not measured."""
    topics = [(peers, models) for peers, models in json.loads(data.read_text(encoding="utf-8"))]
    work = PROGRAMS[program]
    work([(["a short text"], ["another text"])], metric)
    # Seconds of the processor: what others do on the machine counts less.
    started = time.process_time()
    scores = work(topics, metric)
    seconds = time.process_time() - started
    print(json.dumps({"seconds": seconds, "scores": scores, "peak": peak_memory()}))


def few(topics: Topics) -> Topics:
    """The first topics, with about as many scores as dictionaries can make in a second."""
    return topics[: max(1, PLAIN_SCORES // len(topics[0][0]))]


def measure(
    title: str, topics: Topics, runs: int, folder: Path
) -> tuple[list[str], float, list[Headline]]:
    """The lines of one table, AutoSummENG's scores a second, and the rows for the table at the top;
    of some turns the fastest, since noise only ever adds."""
    head = "| metric | program | scores a second | times dictionaries | peak memory, MB |"
    lines = ["", f"{title}:", "", head, "|---|---|---|---|---|"]
    data = {PLAIN: folder / "few.json", OURS: folder / "all.json", FLOOR: folder / "all.json"}
    for program, given in ((PLAIN, few(topics)), (OURS, topics)):
        data[program].write_text(json.dumps(given), encoding="utf-8")
    gaps, speeds, headlines = [], [], []
    for metric in METRICS:
        found: dict[str, Outcome] = {}
        for _ in range(runs):
            for program in PROGRAMS:
                new = run(program, metric, data[program])
                print(f"{title}: {metric}, {program}, {new.speed:,.0f} a second", flush=True)
                if program not in found or new.seconds < found[program].seconds:
                    found[program] = new
        base, ours = found[PLAIN], found[OURS]
        gaps.append(max(abs(a - b) for a, b in zip(base.scores, ours.scores, strict=False)))
        speeds.append(ours.speed)
        for program, outcome in found.items():
            cells = f"{outcome.speed:,.0f} | {outcome.speed / base.speed:.1f} | {outcome.peak:.0f}"
            lines.append(f"| {metric} | {program} | {cells} |")
        times, above = ours.speed / base.speed, found[FLOOR].speed / ours.speed
        headlines.append(Headline(f"{metric}, {title}", times, PLAIN, above, ours.peak))
    if max(gaps) > SAME:
        sys.exit(f"the programs should agree to {SAME:g}, but are {max(gaps):g} apart")
    checked = f"Checked: scores are equal (largest difference {max(gaps):.0e})."
    return [*lines, "", checked], speeds[0], headlines


def ngram_graphs(given: argparse.Namespace, folder: Path) -> tuple[list[str], list[Headline]]:
    """AutoSummENG and MeMoG on topics with common models, and on pairs of their own."""
    topics = list(generated(given.topics, given.peers, MODELS))
    shape = f"{given.topics} topics with {given.peers} peers and {MODELS} models each"
    lines, _, headlines = measure(shape, topics, given.runs, folder)
    count = given.topics * given.peers
    pairs = list(generated(count, 1, 1))
    more, speed, shown = measure(f"{count:,} pairs", pairs, given.runs, folder)
    headlines += shown
    word = "reached" if speed >= TO_REACH else "missed"
    lines += [*more, "", f"To reach on pairs: AutoSummENG {TO_REACH:,} scores a second, {word}."]
    if REALSUMM.exists():
        real = [([" ".join(one)], [" ".join(other)]) for one, other in realsumm()]
        more, _, shown = measure(f"{len(real):,} pairs of REALSumm", real, given.runs, folder)
        lines += more
        headlines += shown
    return lines, headlines


# Each part measures one family of graphs and gives its lines of the section, and its rows for the
# table at the top; add others here.
PARTS = (ngram_graphs, hierarchical)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--topics", type=int, default=50)
    arguments.add_argument("--peers", type=int, default=40)
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--run", nargs=3, metavar=("PROGRAM", "METRIC", "DATA"))
    arguments.add_argument("--no-write", action="store_true")
    given = arguments.parse_args()
    if given.run:
        program, metric, data = given.run
        run_here(program, metric, Path(data))
        return
    use_one_core()
    lines = [
        f"Characters, (3,3,3), texts of 100 words, from strings to numbers on one core, each "
        f"program in a fresh process, best of {given.runs} turns; dictionaries on the first few."
    ]
    headlines = []
    with tempfile.TemporaryDirectory() as folder:
        for part in PARTS:
            more, shown = part(given, Path(folder))
            lines += more
            headlines += shown
    print("\n".join(lines))
    if not given.no_write:
        write_section("N-gram graphs", "graphs.py", lines, headlines)


if __name__ == "__main__":
    main()
