"""A model of BERT's type in ONNX, run on one thread, one text at a time.

A product of matrices may differ in its last bits with the number of rows, so texts never share a
run: what a text gets does not depend on its neighbours.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from summetry.arrays.types import Ints
from summetry.encoders.base import Span, TokenVectors
from summetry.encoders.tokenizing import WordTokenizer
from summetry.errors import FormatError, Place, optional_module

_STATE = "last_hidden_state"
_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_TYPES = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}
# A larger number in a config stands for "no limit".
_LARGEST_LIMIT = 1_000_000


class OnnxModel:
    """A session, what it takes, and the tokenizer that belongs to it."""

    def __init__(self, session: Any, output: str, tokenizer: WordTokenizer) -> None:
        self._session = session
        self._output = output
        self._types = {i.name: _TYPES[i.type] for i in session.get_inputs()}
        self.tokenizer = tokenizer
        framed = tokenizer.encoding("", special=True)
        # Tokens such as [CLS] and [SEP] that stand around a text.
        self.special = len(framed.ids)

    def length(self, text: str) -> int:
        """How many tokens a text has, without special ones."""
        return len(self.tokenizer.encoding(text).ids)

    def encode(self, text: str, limit: int) -> TokenVectors:
        """The last hidden state of each token; ``pooled`` is its mean over all positions.

        The positions of [CLS] and [SEP] are part of the mean, as the attention mask has them, and
        not among the tokens.
        """
        whole = self.tokenizer.encoding(text, special=True)
        # What stands in the text itself belongs to the first sequence, [CLS] and [SEP] to none.
        is_special = np.array([number is None for number in whole.sequence_ids], np.bool_)
        ids = np.array(whole.ids, np.int64)
        words = ids[~is_special]
        tokens = list(map(self.tokenizer.name, words.tolist()))
        places = np.flatnonzero(~is_special)
        first = int(places[0]) if len(places) else len(ids)
        front, back = ids[:first], ids[first + len(words) :]
        if not len(words):
            size = self._run(ids).shape[1] if len(ids) else 0
            return TokenVectors(np.zeros((0, size), np.float32), [])
        windows = windows_of(len(words), limit - len(front) - len(back))
        owner = owners(len(words), windows)
        rows, around = [], []
        for number, (start, end) in enumerate(windows):
            state = self._run(np.concatenate([front, words[start:end], back]))
            inside = state[len(front) : len(front) + end - start]
            rows.append(inside[owner[start:end] == number])
            around += [state[: len(front)], state[len(front) + end - start :]]
        vectors = np.concatenate(rows)
        every = np.concatenate([vectors, *around]).astype(np.float64)
        return TokenVectors(vectors, tokens, pooled=every.mean(axis=0))

    def locate(self, text: str) -> list[tuple[str, tuple[Span, ...]]]:
        found = self.tokenizer.placed(text)
        return [(name, (span,) if span[0] < span[1] else ()) for _, name, span in found]

    def _run(self, ids: Ints) -> Any:
        given = {"input_ids": ids, "attention_mask": ids * 0 + 1, "token_type_ids": ids * 0}
        feeds = {name: given[name][None].astype(kind) for name, kind in self._types.items()}
        (state,) = self._session.run([self._output], feeds)
        return state[0].astype(np.float32, copy=False)


def windows_of(length: int, most: int) -> list[tuple[int, int]]:
    """Where windows of ``most`` tokens begin and end, so that neighbours share about a half.

    >>> windows_of(5, 8), windows_of(11, 4)
    ([(0, 5)], [(0, 4), (2, 6), (4, 8), (6, 10), (7, 11)])
    """
    starts = [*range(0, max(length - most, 0), max(most // 2, 1)), max(length - most, 0)]
    return [(start, min(start + most, length)) for start in starts]


def owners(length: int, windows: list[tuple[int, int]]) -> Ints:
    """For each token, the window in whose middle it is most; of equal ones the first.

    >>> owners(6, [(0, 4), (2, 6)]).tolist()
    [0, 0, 0, 1, 1, 1]
    """
    places = np.arange(length)
    room = [
        np.where((places >= a) & (places < b), np.minimum(places - a, b - 1 - places), -1)
        for a, b in windows
    ]
    middle: Ints = np.argmax(np.array(room), axis=0).astype(np.int64)
    return middle


class _Config(msgspec.Struct):
    max_position_embeddings: int | None = None
    model_max_length: float | None = None
    model_type: str = ""
    pad_token_id: int | None = None


def most_tokens(folder: Path) -> int:
    """How many tokens a model reads at once, special ones too, as its files say."""
    found = []
    for name in ("config.json", "tokenizer_config.json"):
        path = folder / name
        if not path.is_file():
            continue
        try:
            config = msgspec.json.decode(path.read_bytes(), type=_Config)
        except msgspec.DecodeError as error:
            raise FormatError(Place(str(path)), "a model's config", str(error)) from error
        if config.max_position_embeddings:
            # RoBERTa counts positions from behind that of the padding.
            is_shifted = "roberta" in config.model_type or config.model_type == "camembert"
            shift = (config.pad_token_id or 0) + 1 if is_shifted else 0
            found.append(config.max_position_embeddings - shift)
        if config.model_max_length and config.model_max_length < _LARGEST_LIMIT:
            found.append(int(config.model_max_length))
    if not found:
        raise FormatError(
            Place(str(folder)),
            "config.json with max_position_embeddings",
            "none",
            "say how many tokens the model reads at once, as in limit=512",
        )
    return min(found)


@lru_cache(maxsize=2)
def load_model(weights: Path, tokenizer: Path, content: str) -> OnnxModel:
    """A model from a file; ``content`` is its hash, so that a changed file is read again."""
    packages = "onnxruntime", "tokenizers", "safetensors"
    onnxruntime = optional_module("onnxruntime", "an encoder", *packages)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.use_deterministic_compute = True
    options.log_severity_level = 3
    place = Place(str(weights))
    try:
        session = onnxruntime.InferenceSession(
            str(weights), options, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # Every fault has a class of its own, with no common base.
        raise FormatError(place, "a model in ONNX", str(error).splitlines()[0]) from error
    taken = {one.name: one.type for one in session.get_inputs()}
    if not set(taken) <= set(_INPUTS) or not set(taken.values()) <= set(_TYPES):
        found = ", ".join(f"{name} {kind}" for name, kind in taken.items())
        expected = f"a model that takes {', '.join(_INPUTS)}, or some of them, as whole numbers"
        raise FormatError(place, expected, found)
    given = {one.name: len(one.shape or ()) for one in session.get_outputs()}
    states = [name for name, dimensions in given.items() if dimensions == 3]
    if not states or (len(states) > 1 and _STATE not in states):
        found = ", ".join(
            f"{name} of {dimensions} dimensions" for name, dimensions in given.items()
        )
        raise FormatError(place, f"an output {_STATE} of three dimensions", found)
    return OnnxModel(session, _STATE if _STATE in states else states[0], WordTokenizer(tokenizer))
