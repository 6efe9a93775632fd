"""Vectors from a folder: a table of static vectors, or a model of BERT's type in ONNX.

    tokenizer.json                    how texts become tokens (of the package tokenizers)
    model.safetensors, *.safetensors  static vectors: one matrix, a row for each token
    model.onnx, onnx/model.onnx       a model: token ids in, the last hidden state out
    config.json, tokenizer_config.json  how many tokens the model reads at once

A folder with both is a model: the other file then holds its weights in another form. Static
vectors do not depend on the words around a token. A model reads every text by itself, so that
numbers never depend on the texts beside it; a text that is longer than the model reads at once is
read in overlapping windows, or refused (``long=refuse``), and never cut.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from summetry.encoders._onnx import OnnxModel, load_model, most_tokens, windows_of
from summetry.encoders._static import StaticVectors, load_vectors
from summetry.encoders.base import ENCODERS, Encoder, Span, TokenVectors
from summetry.encoders.weights import hash_of
from summetry.errors import FormatError, Place, SummetryError, counted

# The folder that is used where none is named.
VARIABLE = "SUMMETRY_ENCODER"
_MODELS = ("model.onnx", "onnx/model.onnx")
_SAFETENSORS = "model.safetensors"
_EXPECTED = "tokenizer.json with model.safetensors (static vectors) or model.onnx (a model)"
# Each window needs room for words beside the special tokens, and half of them are new.
_LEAST_LIMIT = 8


@ENCODERS.register
@dataclass(frozen=True)
class Folder(Encoder):
    """Static vectors or an ONNX model in a folder, whichever is there."""

    path: str = ""
    # 0: what the model's config says.
    limit: int = 0
    long: Literal["windows", "refuse"] = "windows"

    name: ClassVar[str] = "folder"

    def __post_init__(self) -> None:
        if self.limit and self.limit < _LEAST_LIMIT:
            expected = f"at least {_LEAST_LIMIT} tokens, or 0 for what the model says"
            raise SummetryError(f"folder: limit must be {expected}, got {self.limit}")

    @property
    def files(self) -> tuple[str, ...]:
        return (self.path,) if self.path else ()

    def encode(self, texts: Sequence[str]) -> list[TokenVectors]:
        loaded = self._loaded()
        if isinstance(loaded, StaticVectors):
            return loaded.encode(texts)
        self._refuse_long(texts, loaded)
        limit = self._limit()
        return [loaded.encode(text, limit) for text in texts]

    def locate(self, text: str) -> list[tuple[str, tuple[Span, ...]]]:
        return self._loaded().locate(text)

    def tokens(self, texts: Sequence[str]) -> list[Sequence[str]]:
        tokenizer = self._loaded().tokenizer
        return [list(map(tokenizer.name, ids.tolist())) for ids in tokenizer.ids(texts).each()]

    def windows(self, texts: Sequence[str]) -> list[int]:
        loaded = self._loaded()
        if isinstance(loaded, StaticVectors):
            return super().windows(texts)
        limit = self._limit()
        return [len(windows_of(loaded.length(text), limit - loaded.special)) for text in texts]

    def fingerprint(self) -> str:
        weights, tokenizer = _files(self._folder())
        kind = f"onnx,{self._limit()} tokens" if weights.suffix == ".onnx" else "static"
        return f"{kind},weights:{_content(weights, tokenizer)}"

    def _folder(self) -> Path:
        named = self.path or os.environ.get(VARIABLE, "")
        if not named:
            raise SummetryError(
                f"an encoder needs a folder with vectors or a model: name it, as in "
                f'greedy_match(path="vectors"), or in the variable {VARIABLE}; docs/encoders.md '
                f"says what is in it"
            )
        if not Path(named).is_dir():
            raise SummetryError(f"there is no folder {named!r}; expected one with {_EXPECTED}")
        return Path(named)

    def _loaded(self) -> StaticVectors | OnnxModel:
        weights, tokenizer = _files(self._folder())
        content = _content(weights, tokenizer)
        if weights.suffix == ".onnx":
            return load_model(weights, tokenizer, content)
        return load_vectors(weights, tokenizer, content)

    def _limit(self) -> int:
        return self.limit or most_tokens(self._folder())

    def _refuse_long(self, texts: Sequence[str], model: OnnxModel) -> None:
        if self.long == "windows":
            return
        most = self._limit() - model.special
        for text in texts:
            if (length := model.length(text)) > most:
                raise SummetryError(
                    f"expected texts of at most {counted(most, 'token')}, which the model reads at "
                    f"once, found one of {length:,} that begins {text[:40]!r}; shorten it, or "
                    f"leave out long=refuse to read it in windows"
                )


def _content(weights: Path, tokenizer: Path) -> str:
    """The hash of an encoder; large models keep their numbers in files beside the graph."""
    beside = weights.parent.glob(f"{weights.name}[_.]*") if weights.suffix == ".onnx" else ()
    return hash_of([weights, *sorted(beside), tokenizer])


def _files(folder: Path) -> tuple[Path, Path]:
    """The weights and the tokenizer."""
    tokenizer = folder / "tokenizer.json"
    models = [folder / name for name in _MODELS if (folder / name).is_file()]
    tables = [folder / _SAFETENSORS]
    if not tables[0].is_file():
        tables = sorted(folder.glob("*.safetensors"))
    if not tokenizer.is_file() or not (models or tables):
        names = ", ".join(sorted(path.name for path in folder.iterdir())[:10]) or "nothing"
        raise FormatError(Place(str(folder)), _EXPECTED, names)
    if not models and len(tables) > 1:
        found = ", ".join(path.name for path in tables)
        raise FormatError(Place(str(folder)), "one file of vectors", found, "leave one there")
    return (*models, *tables)[0], tokenizer
