"""One program on candidates with several references, in a process of its own; started by
``growth.py``.

Prints the processor seconds from strings to numbers (without imports and reading), peak memory, and
F of each value for each candidate. Needs nothing but the program that is measured.

    python benchmarks/growth_peers.py PROGRAM TEXTS.json
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

# Last, so that this folder hides no package.
sys.path.append(str(Path(__file__).parent))
from clock import best_of
from peak import peak_memory

NAMES = ["rouge1", "rouge2", "rougeL"]
Texts = list[tuple[str, list[str]]]
Work = Callable[[Texts], Any]
ROUNDS = 3


def floor(texts: Texts) -> list[list[str]]:
    return [text.split() for candidate, others in texts for text in (candidate, *others)]


def summetry() -> Work:
    score = import_module("summetry").score

    def work(texts: Texts) -> Any:
        candidates, references = zip(*texts, strict=True)
        found = score(list(candidates), list(references), NAMES)
        return list(zip(*(found[name]["f"].tolist() for name in NAMES), strict=True))

    return work


def scorer(package: str) -> Work:
    """For each value the reference with the best F."""
    made = import_module(f"{package}.rouge_scorer").RougeScorer(NAMES, use_stemmer=False)

    def work(texts: Texts) -> Any:
        found = [made.score_multi(references, candidate) for candidate, references in texts]
        return [[one[name].fmeasure for name in NAMES] for one in found]

    return work


PROGRAMS: dict[str, Callable[[], Work]] = {
    "floor: str.split": lambda: floor,
    "Summetry": summetry,
    "rouge-score-rs": lambda: scorer("rouge_score_rs"),
    "rouge-score": lambda: scorer("rouge_score"),
}


def main() -> None:
    name, path = sys.argv[1:]
    texts = json.loads(Path(path).read_text(encoding="utf-8"))
    work = PROGRAMS[name]()
    work([("a warm day", ["a cold day", "one night"])])
    seconds, found = best_of(ROUNDS, lambda: work(texts))
    f = [] if name.startswith("floor") else found
    print(json.dumps({"seconds": seconds, "peak": peak_memory(), "f": f}))


if __name__ == "__main__":
    main()
