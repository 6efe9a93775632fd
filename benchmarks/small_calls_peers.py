"""One program on one pair per call, in a process of its own; started by ``small_calls.py``.

Prints the processor seconds of the first call (with what it imports), and for each list of pairs
the seconds per call, best of some rounds, and F of ROUGE-1, -2, L and summary-level L; and peak
memory. Needs nothing but the program that is measured.

    python benchmarks/small_calls_peers.py PROGRAM PAIRS.json
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

# Last, so that this folder hides no package.
sys.path.append(str(Path(__file__).parent))
from peak import peak_memory

NAMES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
# Each list of pairs is gone through for about this many seconds, and so often at least.
SECONDS, ROUNDS = 0.5, 3
# Values are told for the first few of each list.
CHECKED = 2

Score = Callable[[str, str], Any]


def summetry() -> Score:
    score = import_module("summetry").score
    return lambda candidate, reference: score(candidate, reference, NAMES)


def scorer(package: str) -> Score:
    """The scorer is made once, as its users do."""
    made = import_module(f"{package}.rouge_scorer").RougeScorer(NAMES, use_stemmer=False)
    return lambda candidate, reference: made.score(reference, candidate)


FLOOR = "floor: `str.split`"
PROGRAMS: dict[str, Callable[[], Score]] = {
    FLOOR: lambda: lambda candidate, reference: (candidate.split(), reference.split()),
    "`summetry.score`": summetry,
    "`summetry.compat.rouge_score`": lambda: scorer("summetry.compat.rouge_score"),
    "rouge-score": lambda: scorer("rouge_score"),
    "rouge-score-rs": lambda: scorer("rouge_score_rs"),
}


def f_of(found: Any) -> list[float]:
    values = [found[name] for name in NAMES]
    return [float(v.fmeasure if hasattr(v, "fmeasure") else v["f"]) for v in values]


def seconds_per_call(score: Score, pairs: list[list[str]]) -> float:
    """Of the fastest round: noise only ever adds. A slow program has fewer pairs in a round."""
    once = _seconds(score, pairs[:1])
    few = pairs[: max(1, int(SECONDS / ROUNDS / once))]
    rounds = [once] if len(few) == 1 else []
    while sum(rounds) * len(few) < SECONDS:
        rounds.append(_seconds(score, few))
    return min(rounds)


def _seconds(score: Score, pairs: list[list[str]]) -> float:
    before = time.process_time()
    for candidate, reference in pairs:
        score(candidate, reference)
    return (time.process_time() - before) / len(pairs)


def main() -> None:
    name, path = sys.argv[1:]
    lists = json.loads(Path(path).read_text(encoding="utf-8"))
    before = time.process_time()
    score = PROGRAMS[name]()
    score(*lists[0][0])
    first = time.process_time() - before
    told = {
        "first": first,
        "seconds": [seconds_per_call(score, pairs) for pairs in lists],
        "f": [f_of(score(*pair)) for pairs in lists for pair in pairs[:CHECKED] if name != FLOOR],
        "peak": peak_memory(),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
