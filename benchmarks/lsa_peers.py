"""One program on summaries and sources, in a process of its own; started by ``lsa.py``.

Prints the processor seconds from strings to numbers (without imports and reading), peak memory, and
the value of each summary: the cosine of the first left singular vectors of the term-by-sentence
matrices of both texts. Texts are lists of sentences. Needs nothing but the program that is
measured.

    python benchmarks/lsa_peers.py PROGRAM TEXTS.json
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

Texts = list[tuple[list[str], list[str]]]
Work = Callable[[Texts], list[float | None]]
METRIC = "lsa_main_topic(text=auto(stop=false))"
ROUNDS = 3


def summetry() -> Work:
    score = import_module("summetry").score

    def work(texts: Texts) -> list[float | None]:
        summaries, sources = ([" ".join(one) for one in side] for side in zip(*texts, strict=True))
        found = score(summaries, metrics=[METRIC], sources=sources, language="en")
        values: list[float | None] = found[METRIC]["value"].tolist()
        return values

    return work


def matrix(sentences: list[str]) -> tuple[list[str], Any]:
    """Terms, and whether each sentence has each of them, as scikit-learn makes it."""
    vectorizer = import_module("sklearn.feature_extraction.text").CountVectorizer(
        binary=True, token_pattern=r"(?u)\b\w+\b"
    )
    counts = vectorizer.fit_transform(sentences)
    return list(vectorizer.get_feature_names_out()), counts.T.toarray().astype(float)


def script(texts: Texts) -> list[float | None]:
    """What people write: scikit-learn's matrix, numpy's SVD.

    None where two topics of a text are as strong, of which any may come first.
    """
    numpy = import_module("numpy")
    values: list[float | None] = []
    for pair in texts:
        topics, is_tied = [], False
        for sentences in pair:
            terms, counts = matrix(sentences)
            left, strengths, _ = numpy.linalg.svd(counts, full_matrices=False)
            is_tied |= strengths[0] - strengths[1] < 1e-6 * strengths[0]
            topics.append(dict(zip(terms, left[:, 0].tolist(), strict=True)))
        one, other = topics
        value = abs(sum(one[term] * other[term] for term in one.keys() & other.keys()))
        values.append(None if is_tied else value)
    return values


def floor(texts: Texts) -> list[float | None]:
    return [float(sum(len(text.split()) for side in pair for text in side)) for pair in texts]


FLOOR, SCRIPT, OURS = "floor: `str.split`", "script: scikit-learn and numpy", "Summetry"
PROGRAMS: dict[str, Callable[[], Work]] = {
    FLOOR: lambda: floor,
    OURS: summetry,
    SCRIPT: lambda: script,
}


def main() -> None:
    name, path = sys.argv[1:]
    texts = json.loads(Path(path).read_text(encoding="utf-8"))
    work = PROGRAMS[name]()
    work(texts[:2])
    seconds, values = best_of(ROUNDS, lambda: work(texts))
    print(json.dumps({"seconds": seconds, "peak": peak_memory(), "values": values}))


if __name__ == "__main__":
    main()
