"""Static vectors: a row of one matrix for each token, wherever it stands."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from summetry.arrays.types import Floats, Ints
from summetry.encoders.base import Span, TokenVectors, Vectors, with_length_one
from summetry.encoders.tokenizing import WordTokenizer
from summetry.errors import FormatError, MissingPackageError, Place


class StaticVectors:
    """A matrix and the tokenizer that numbers its rows."""

    def __init__(self, matrix: NDArray[np.floating[Any]], tokenizer: WordTokenizer) -> None:
        self.matrix = matrix
        self.tokenizer = tokenizer

    @cached_property
    def unit(self) -> Vectors:
        """All vectors with length 1."""
        return with_length_one(self.matrix.astype(np.float32))

    def encode(self, texts: Sequence[str]) -> list[TokenVectors]:
        return [StaticTokens(self, *_types(ids)) for ids in self.tokenizer.ids(texts)]

    def locate(self, text: str) -> list[tuple[str, tuple[Span, ...]]]:
        places: dict[int, list[Span]] = {}
        names: dict[int, str] = {}
        for token, name, span in self.tokenizer.placed(text):
            names.setdefault(token, name)
            places.setdefault(token, []).extend([span] if span[0] < span[1] else [])
        return [(names[token], tuple(places[token])) for token in names]


class StaticTokens(TokenVectors):
    """The distinct tokens of a text, in the order of first occurrence; vectors are looked up."""

    def __init__(self, table: StaticVectors, ids: Ints, counts: Floats) -> None:
        self._table = table
        self._ids = ids
        self._counts = counts
        self._pooled = None

    def __len__(self) -> int:
        return len(self._ids)

    @property
    def vectors(self) -> Vectors:
        found: Vectors = self._table.matrix[self._ids].astype(np.float32)
        return found

    @property
    def tokens(self) -> list[str]:
        return [self._table.tokenizer.name(token) for token in self._ids.tolist()]

    @property
    def size(self) -> int:
        return 0

    @property
    def unit(self) -> Vectors:
        found: Vectors = self._table.unit[self._ids]
        return found


def _types(ids: Sequence[int]) -> tuple[Ints, Floats]:
    """Distinct ids in the order of first occurrence, and how often each occurs."""
    counts: dict[int, int] = {}
    for token in ids:
        counts[token] = counts.get(token, 0) + 1
    return (
        np.fromiter(counts, np.int64, len(counts)),
        np.fromiter(counts.values(), np.float64, len(counts)),
    )


@lru_cache(maxsize=4)
def load_vectors(weights: Path, tokenizer: Path, content: str) -> StaticVectors:
    """Vectors from a file; ``content`` is its hash, so that a changed file is read again."""
    words = WordTokenizer(tokenizer)
    matrix = _matrix(weights)
    if words.most_id >= len(matrix):
        expected = f"a row for each of the tokenizer's {words.most_id + 1:,} tokens"
        raise FormatError(Place(str(weights)), expected, f"{len(matrix):,} rows")
    return StaticVectors(matrix, words)


def _matrix(path: Path) -> NDArray[np.floating[Any]]:
    try:
        from safetensors import SafetensorError
        from safetensors.numpy import load_file
    except ImportError as error:
        raise MissingPackageError(
            "an encoder", "safetensors", "tokenizers", "onnxruntime"
        ) from error
    expected = "one matrix of numbers, tokens × dimensions"
    try:
        tensors = load_file(path)
    except (SafetensorError, TypeError, KeyError, AttributeError, ValueError) as error:
        found = f"what cannot be read ({str(error).splitlines()[0]})"
        raise FormatError(Place(str(path)), expected, found) from error
    shapes = ", ".join(f"{name} {values.shape}" for name, values in tensors.items()) or "nothing"
    matrix = next(iter(tensors.values()), np.zeros(0))
    if len(tensors) != 1 or matrix.ndim != 2 or matrix.dtype.kind != "f":
        raise FormatError(Place(str(path)), expected, shapes)
    if not np.isfinite(matrix).all():
        raise FormatError(Place(str(path)), "finite numbers", "infinite ones or NaN")
    return matrix
