"""N-gram graphs next to plain dictionaries, on one core, from strings to numbers.

The dictionaries are those of tests/graph_oracle.py, with every text and every group of models made
into a graph once; the original Java, warm, is about as fast. Each program runs in a fresh process.
Values are compared first.

    python benchmarks/graphs.py [--topics 20] [--peers 40] [--runs 3] [--no-write]
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
from sections import write_section
from texts import sentences, word_lists

HERE = Path(__file__).parent
MODELS = 4
SAME = 1e-12
METRICS = {"AutoSummENG": "autosummeng.vs", "MeMoG": "memog.vs"}

# A topic: the peers, and the models that each of them is compared with.
Topics = list[tuple[list[str], list[str]]]


@dataclass(frozen=True)
class Outcome:
    """The scores of one program, and the seconds of one core that they took."""

    seconds: float
    scores: list[float]


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
    scores: list[float] = found[METRICS[metric]]["vs"].tolist()
    return scores


PROGRAMS: dict[str, Callable[[Topics, str], list[float]]] = {
    "dictionaries": with_dictionaries,
    "Summetry": with_summetry,
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
    print(json.dumps({"seconds": time.process_time() - started, "scores": scores}))


def measure(title: str, topics: Topics, runs: int, data: Path) -> list[str]:
    """The lines of one table; the fastest of some runs, since noise only ever adds."""
    data.write_text(json.dumps(topics), encoding="utf-8")
    lines = ["", f"{title}:", "", "| metric | program | scores a second | times dictionaries |"]
    lines.append("|---|---|---|---|")
    gaps = []
    for metric in METRICS:
        found: dict[str, Outcome] = {}
        for _ in range(runs):
            for program in PROGRAMS:
                new = run(program, metric, data)
                print(f"{title}: {metric}, {program}, {new.seconds:.3f} s", flush=True)
                if program not in found or new.seconds < found[program].seconds:
                    found[program] = new
        base = found["dictionaries"]
        for program, outcome in found.items():
            pairs = zip(base.scores, outcome.scores, strict=True)
            gaps.append(max(abs(a - b) for a, b in pairs))
            each = len(outcome.scores) / outcome.seconds
            ratio = base.seconds / outcome.seconds
            lines.append(f"| {metric} | {program} | {each:,.0f} | {ratio:.1f} |")
    if max(gaps) > SAME:
        sys.exit(f"the programs should agree to {SAME:g}, but are {max(gaps):g} apart")
    return [*lines, "", f"Checked: all scores are equal (largest difference {max(gaps):.0e})."]


def ngram_graphs(given: argparse.Namespace, folder: Path) -> list[str]:
    """AutoSummENG and MeMoG on topics with common models, and on pairs of their own."""
    topics = list(generated(given.topics, given.peers, MODELS))
    shape = f"{given.topics} topics with {given.peers} peers and {MODELS} models each"
    lines = measure(shape, topics, given.runs, folder / "topics.json")
    count = given.topics * given.peers // 2
    pairs = list(generated(count, 1, 1))
    return lines + measure(f"{count:,} pairs", pairs, given.runs, folder / "pairs.json")


# Each part measures one family of graphs and gives its lines of the section; add others here.
PARTS = (ngram_graphs, hierarchical)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--topics", type=int, default=20)
    arguments.add_argument("--peers", type=int, default=40)
    arguments.add_argument("--runs", type=int, default=3)
    arguments.add_argument("--run", nargs=3, metavar=("PROGRAM", "METRIC", "DATA"))
    arguments.add_argument("--no-write", action="store_true")
    given = arguments.parse_args()
    if given.run:
        program, metric, data = given.run
        run_here(program, metric, Path(data))
        return
    lines = [
        f"Characters, (3,3,3), texts of 100 words, from strings to numbers on one core, each "
        f"program in a fresh process, best of {given.runs}."
    ]
    with tempfile.TemporaryDirectory() as folder:
        for part in PARTS:
            lines += part(given, Path(folder))
    print("\n".join(lines))
    if not given.no_write:
        write_section("N-gram graphs", "graphs.py", lines)


if __name__ == "__main__":
    main()
