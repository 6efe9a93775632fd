"""One program on one file of pairs, in a process of its own; started by ``rouge.py``.

Prints seconds (from strings to numbers, without imports and reading), peak memory, and F of
ROUGE-1, -2 and summary-level L for each pair. Needs nothing but the program that is measured.

    python benchmarks/rouge_peers.py NAME PAIRS.jsonl OUTPUT.json
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path

# Last, so that this folder's rouge.py does not hide the package of that name.
sys.path.append(str(Path(__file__).parent))
from peak import peak_memory

Fs = list[tuple[float, ...]]
Work = Callable[[list[str], list[str]], Fs]


def floor() -> Work:
    return lambda candidates, references: [
        (0.0, 0.0, 0.0) for text in [*candidates, *references] if text.split() is None
    ]


def summetry(text: str) -> Work:
    from summetry import score
    from summetry.metrics import METRICS

    # Made before the clock runs, as the scorers of the others are.
    names = [f"rouge_n(n={n},text={text})" for n in (1, 2)] + [f"rouge_l(text={text})"]
    metrics = [METRICS.build(name) for name in names]
    return lambda candidates, references: list(
        zip(
            *(
                found["f"].tolist()
                for found in score(candidates, [[r] for r in references], metrics=metrics).values()
            ),
            strict=True,
        )
    )


def like_rouge_score(package: str, batch: bool = False) -> Work:
    module = import_module(f"{package}.rouge_scorer")
    names = ("rouge1", "rouge2", "rougeLsum")
    scorer = module.RougeScorer(names, use_stemmer=True)

    def work(candidates: list[str], references: list[str]) -> Fs:
        if batch:
            found = scorer.score_batch(references, candidates)
        else:
            pairs = zip(references, candidates, strict=True)
            found = [scorer.score(reference, candidate) for reference, candidate in pairs]
        return [tuple(s[k].fmeasure for k in names) for s in found]

    return work


def rouge_metric() -> Work:
    """It has no stemmer and cuts at blanks; the usual tokens are given to it."""
    rouge = import_module("rouge_metric").PyRouge(rouge_n=(1, 2), rouge_l=True)
    token = re.compile("[a-z0-9]+")

    def read(text: str) -> list[list[str]]:
        return [token.findall(line) for line in text.lower().split("\n")]

    def work(candidates: list[str], references: list[str]) -> Fs:
        pairs = zip(candidates, references, strict=True)
        found = [rouge.evaluate_tokenized([read(c)], [[read(r)]]) for c, r in pairs]
        return [tuple(s[k]["f"] for k in ("rouge-1", "rouge-2", "rouge-l")) for s in found]

    return work


def py_rouge() -> Work:
    """Without NLTK's cutter of sentences, whose model would have to be downloaded.

    The texts that it would get are letters, digits and blanks, so it would cut nothing.
    """
    words = partial(import_module("nltk").word_tokenize, preserve_line=True)
    import_module("rouge").Rouge.tokenize_text = staticmethod(words)
    kept = {"limit_length": False, "apply_avg": False, "apply_best": False, "stemming": True}
    scorer = import_module("rouge").Rouge(metrics=["rouge-n", "rouge-l"], max_n=2, **kept)

    def work(candidates: list[str], references: list[str]) -> Fs:
        found = scorer.get_scores(candidates, references)
        columns = [[s["f"][0] for s in found[k]] for k in ("rouge-1", "rouge-2", "rouge-l")]
        return list(zip(*columns, strict=True))

    return work


PROGRAMS: dict[str, Callable[[], Work]] = {
    "floor": floor,
    "summetry": lambda: summetry("rouge155(stem=true)"),
    "summetry-unstemmed": lambda: summetry("rouge155"),
    "summetry-as-rouge-score": lambda: summetry("rouge_score(stem=true)"),
    "summetry-drop-in": lambda: like_rouge_score("summetry.compat.rouge_score"),
    "rouge-score": lambda: like_rouge_score("rouge_score"),
    "rouge-score-rs": lambda: like_rouge_score("rouge_score_rs"),
    "rouge-score-rs-batch": lambda: like_rouge_score("rouge_score_rs", batch=True),
    "rouge-metric": rouge_metric,
    "py-rouge": py_rouge,
}


def main() -> None:
    name, pairs, output = sys.argv[1:]
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    candidates, references = [], []
    with Path(pairs).open(encoding="utf-8") as file:
        for candidate, reference in map(json.loads, file):
            candidates.append(candidate)
            references.append(reference)
    work = PROGRAMS[name]()
    before = time.perf_counter()
    found = work(candidates, references)
    seconds = time.perf_counter() - before
    told = {"seconds": seconds, "peak": peak_memory(), "f": found}
    Path(output).write_text(json.dumps(told), encoding="utf-8")


if __name__ == "__main__":
    main()
