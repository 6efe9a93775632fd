"""Generated text for all benchmarks: seeded, words drawn as in running text."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import accumulate

WORDS = 12_000


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
