"""Texts for all benchmarks: generated ones (seeded, words drawn as in running text) and, where the
data are beside the repository, those of REALSumm."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

WORDS = 12_000
REALSUMM = Path(__file__).parents[2] / "shared" / "data" / "realsumm" / "summaries.jsonl"


def word_lists(count: int, length: int, seed: int = 20_261_115) -> Iterator[list[str]]:
    """``count`` lists of ``length`` words; the k-th word of the language is 1/k as frequent."""
    draw = random.Random(seed)
    letters = "etaoinshrdlu"
    vocabulary = ["".join(draw.choices(letters, k=draw.randint(2, 9))) for _ in range(WORDS)]
    weights = list(accumulate(1 / (rank + 1) for rank in range(WORDS)))
    for _ in range(count):
        yield draw.choices(vocabulary, cum_weights=weights, k=length)


def sentences(words: list[str], length: int = 15) -> list[str]:
    """The words as sentences of ``length`` words."""
    return [
        " ".join(words[i : i + length]).capitalize() + "." for i in range(0, len(words), length)
    ]


def realsumm() -> Iterator[tuple[list[str], list[str]]]:
    """The sentences of each summary and of its reference: CNN/DailyMail, 25 systems."""
    with REALSUMM.open(encoding="utf-8") as file:
        for record in map(json.loads, file):
            yield record["summary_sents"], record["reference_sents"]


def table_rows(count: int) -> Iterator[dict[str, str]]:
    """Rows of a table: 60 words on each side, 30 of them shared, four systems."""
    for number, words in enumerate(word_lists(count, 90)):
        candidate, reference = (" ".join(sentences(part)) for part in (words[:60], words[30:]))
        row = {"id": str(number // 4), "system": f"s{number % 4}"}
        yield row | {"candidate": candidate, "reference": reference}
