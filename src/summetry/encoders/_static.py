"""Static vectors: a row of one matrix for each token, wherever it stands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

import numpy as np

from summetry.arrays.token_tables import bags_of
from summetry.arrays.types import Floats, Ints
from summetry.encoders.base import Span, TokenVectors, Vectors, with_length_one
from summetry.encoders.tokenizing import WordTokenizer
from summetry.errors import FormatError, Place, optional_module


class StaticVectors:
    """A matrix and the tokenizer that numbers its rows."""

    def __init__(self, matrix: Vectors, tokenizer: WordTokenizer) -> None:
        self.matrix = matrix
        self.tokenizer = tokenizer

    @cached_property
    def unit(self) -> Vectors:
        """All vectors with length 1."""
        return with_length_one(self.matrix)

    def encode(self, texts: Sequence[str]) -> list[TokenVectors]:
        found = self.tokenizer.ids(texts)
        owners = np.repeat(np.arange(len(texts)), found.lengths)
        bags = bags_of(owners, found.ids, len(texts), len(self.matrix))
        counts = bags.counts.astype(np.float64)
        return [
            StaticTokens(self, bags.ids[start:end], counts[start:end])
            for start, end in pairwise(bags.offsets.tolist())
        ]

    def locate(self, text: str) -> list[tuple[str, tuple[Span, ...]]]:
        places: dict[int, list[Span]] = {}
        names: dict[int, str] = {}
        for token, name, span in self.tokenizer.placed(text):
            names.setdefault(token, name)
            places.setdefault(token, []).extend([span] if span[0] < span[1] else [])
        return [(names[token], tuple(places[token])) for token in sorted(names)]


class StaticTokens(TokenVectors):
    """The distinct tokens of a text, in the order of their ids; vectors are looked up."""

    size: ClassVar[int] = 0

    def __init__(self, table: StaticVectors, ids: Ints, counts: Floats) -> None:
        self._table = table
        self._ids = ids
        self._counts = counts
        self._pooled = None

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def vectors(self) -> Vectors:
        return self._table.matrix.take(self._ids, axis=0)

    @property
    def tokens(self) -> list[str]:
        return [self._table.tokenizer.name(token) for token in self._ids.tolist()]

    @property
    def unit(self) -> Vectors:
        return self._table.unit.take(self._ids, axis=0)


@lru_cache(maxsize=4)
def load_vectors(weights: Path, tokenizer: Path, content: str) -> StaticVectors:
    """Vectors from a file; ``content`` is its hash, so that a changed file is read again."""
    words = WordTokenizer(tokenizer)
    matrix = _matrix(weights)
    if words.most_id >= len(matrix):
        expected = f"a row for each of the tokenizer's {words.most_id + 1:,} tokens"
        raise FormatError(Place(str(weights)), expected, f"{len(matrix):,} rows")
    return StaticVectors(matrix, words)


def _matrix(path: Path) -> Vectors:
    packages = "safetensors", "tokenizers", "onnxruntime"
    safetensors = optional_module("safetensors", "an encoder", *packages)
    load_file = optional_module("safetensors.numpy", "an encoder", *packages).load_file
    expected = "one matrix of numbers, tokens × dimensions"
    try:
        tensors = load_file(path)
    except (safetensors.SafetensorError, TypeError, KeyError, AttributeError, ValueError) as error:
        found = f"what cannot be read ({str(error).splitlines()[0]})"
        raise FormatError(Place(str(path)), expected, found) from error
    shapes = ", ".join(f"{name} {values.shape}" for name, values in tensors.items()) or "nothing"
    matrix = next(iter(tensors.values()), np.zeros(0))
    if len(tensors) != 1 or matrix.ndim != 2 or matrix.dtype.kind != "f":
        raise FormatError(Place(str(path)), expected, shapes)
    if not np.isfinite(matrix).all():
        raise FormatError(Place(str(path)), "finite numbers", "infinite ones or NaN")
    return matrix.astype(np.float32)
