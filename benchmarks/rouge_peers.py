"""One program on one file of pairs, in a process of its own; started by ``rouge.py``.

Prints the processor seconds of a first and of a second pass over the pairs (from strings to
numbers, without imports and reading), peak memory, and F of each value for each pair. The second
pass tells what a program gains by what it remembers of words. Needs nothing but the program that
is measured.

    python benchmarks/rouge_peers.py WORK PROGRAM PAIRS.jsonl
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

# Last, so that this folder's rouge.py does not hide the package of that name.
sys.path.append(str(Path(__file__).parent))
from peak import peak_memory

Fs = list[tuple[float, ...]]
# What is loaded on the first call is not measured: of so many pairs that none is scored singly.
WARM_UP = ["a warm day\nand a cold night", "a"] * 9, ["a day\nand two nights", "one night"] * 9


class Program(NamedTuple):
    """Candidates and references to results, which the clock sees; and F out of these."""

    score: Callable[[list[str], list[str]], Any]
    f: Callable[[Any], Fs]


def floor() -> Program:
    return Program(lambda texts, others: [text.split() for text in [*texts, *others]], lambda _: [])


def summetry(*metrics: str) -> Program:
    score = import_module("summetry").score
    return Program(
        lambda candidates, references: score(candidates, references, list(metrics)),
        lambda found: list(zip(*(found[name]["f"].tolist() for name in metrics), strict=True)),
    )


def like_rouge_score(
    package: str, names: Sequence[str], stem: bool, batch: bool = False
) -> Program:
    scorer = import_module(f"{package}.rouge_scorer").RougeScorer(list(names), use_stemmer=stem)

    def score(candidates: list[str], references: list[str]) -> Any:
        if batch:
            return scorer.score_batch(references, candidates)
        return list(map(scorer.score, references, candidates))

    return Program(score, lambda found: [tuple(s[k].fmeasure for k in names) for s in found])


def rouge_metric(*names: str, **settings: Any) -> Program:
    """It has no stemmer and cuts at blanks; the usual tokens are given to it."""
    rouge = import_module("rouge_metric").PyRouge(**settings)
    token = re.compile("[a-z0-9]+")

    def read(text: str) -> list[list[str]]:
        return [token.findall(line) for line in text.lower().split("\n")]

    def score(candidates: list[str], references: list[str]) -> Any:
        pairs = zip(candidates, references, strict=True)
        return [rouge.evaluate_tokenized([read(c)], [[read(r)]]) for c, r in pairs]

    return Program(score, lambda found: [tuple(s[k]["f"] for k in names) for s in found])


def py_rouge() -> Program:
    """Without NLTK's cutter of sentences, whose model would have to be downloaded.

    The texts that it would get are letters, digits and blanks, so it would cut nothing.
    """
    words = partial(import_module("nltk").word_tokenize, preserve_line=True)
    import_module("rouge").Rouge.tokenize_text = staticmethod(words)
    kept = {"limit_length": False, "apply_avg": False, "apply_best": False, "stemming": True}
    scorer = import_module("rouge").Rouge(metrics=["rouge-n", "rouge-l"], max_n=2, **kept)
    names = ("rouge-1", "rouge-2", "rouge-l")
    return Program(
        scorer.get_scores,
        lambda found: list(zip(*([s["f"][0] for s in found[k]] for k in names), strict=True)),
    )


def packages(names: Sequence[str], stem: bool) -> dict[str, Callable[[], Program]]:
    """The packages with the interface of rouge-score."""
    rust = "rouge_score_rs"
    return {
        "rouge-score-rs": lambda: like_rouge_score(rust, names, stem),
        "rouge-score-rs, `score_batch`": lambda: like_rouge_score(rust, names, stem, batch=True),
        "rouge-score": lambda: like_rouge_score("rouge_score", names, stem),
    }


def script(settings: str) -> Program:
    """Summetry's numbers of ROUGE-1.5.5."""
    text = f"text=rouge155({settings})"
    return summetry(f"rouge_n({text})", f"rouge_n(n=2,{text})", f"rouge_l({text})")


def drop_in(names: Sequence[str], stem: bool) -> dict[str, Callable[[], Program]]:
    """Ours with the interface of rouge-score."""
    package = "summetry.compat.rouge_score"
    name = "Summetry, `compat.rouge_score`, one pair per call"
    return {name: lambda: like_rouge_score(package, names, stem)}


TEXT_LEVEL = ("rouge1", "rouge2", "rougeL")
SUMMARY_LEVEL = ("rouge1", "rouge2", "rougeLsum")
PROGRAMS: dict[str, dict[str, Callable[[], Program]]] = {
    "unstemmed": {
        "floor: `str.split`": floor,
        "Summetry": lambda: summetry(*TEXT_LEVEL),
        "Summetry, Unicode words": lambda: summetry("rouge-1", "rouge-2", "rouge_l(level=text)"),
        "Summetry, default metrics": lambda: summetry("rouge-1", "rouge-2", "rouge-l"),
        **drop_in(TEXT_LEVEL, stem=False),
        **packages(TEXT_LEVEL, stem=False),
    },
    "ROUGE-1": {
        "floor: `str.split`": floor,
        "Summetry": lambda: summetry("rouge1"),
        **drop_in(["rouge1"], stem=False),
        **packages(["rouge1"], stem=False),
    },
    "stemmed": {
        "floor: `str.split`": floor,
        "Summetry": lambda: summetry(*(f"{name}(stem=true)" for name in SUMMARY_LEVEL)),
        "Summetry, `rouge155(stem=true)`": lambda: script("stem=true"),
        "Summetry, `rouge155`, unstemmed": lambda: script(""),
        **drop_in(SUMMARY_LEVEL, stem=True),
        **packages(SUMMARY_LEVEL, stem=True),
        "rouge-metric (no stemmer)": lambda: rouge_metric("rouge-1", "rouge-2", "rouge-l"),
        "py-rouge": py_rouge,
    },
    "W, S and SU": {
        "floor: `str.split`": floor,
        "Summetry": lambda: summetry("rouge-w", "rouge-s4", "rouge-su4"),
        "Summetry, `rouge155`": lambda: summetry("rouge155-w-1.2", "rouge155-s4", "rouge155-su4"),
        "rouge-metric": lambda: rouge_metric(
            "rouge-w-1.2", "rouge-s4", "rouge-su4",
            rouge_n=(), rouge_l=False, rouge_w=True, rouge_s=True, rouge_su=True, skip_gap=4,
        ),
    },
}  # fmt: skip


def main() -> None:
    work, name, path = sys.argv[1:]
    with Path(path).open(encoding="utf-8") as file:
        pairs = list(map(json.loads, file))
    candidates, references = ([pair[side] for pair in pairs] for side in (0, 1))
    program = PROGRAMS[work][name]()
    program.score(*WARM_UP)
    seconds, found = [], None
    for _ in range(2):
        # What the first pass found is freed before the clock runs.
        found = None
        # Seconds of the processor: what others do on the machine counts less.
        before = time.process_time()
        found = program.score(candidates, references)
        seconds.append(time.process_time() - before)
    print(json.dumps({"seconds": seconds, "peak": peak_memory(), "f": program.f(found)}))


if __name__ == "__main__":
    main()
