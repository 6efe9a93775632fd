"""A ``tokenizer.json`` as the package tokenizers has it, with a memory for words.

Most tokenizers look at words one by one: what stands before and behind the blanks around a word
does not change its tokens. For those, each distinct word is tokenised once, which is many times
faster. Which they are is decided by what the file says; all others are given whole texts.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from summetry.arrays.token_tables import gather_runs
from summetry.arrays.types import Ints
from summetry.encoders.base import Span
from summetry.errors import FormatError, Place, optional_module

if TYPE_CHECKING:
    from tokenizers import Encoding

# Normalizers that treat each character by itself or with marks behind it, and what cuts at blanks.
_BY_CHARACTER = {"BertNormalizer", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "StripAccents"}
_AT_BLANKS = {"BertPreTokenizer", "Whitespace", "WhitespaceSplit"}
_INSIDE_WORDS = {"Punctuation", "Digits"}
# A sign for the blank, and normalizers that put it before every word.
_SIGN = "▁"
_SIGNED = [
    {"type": "Prepend", "prepend": _SIGN},
    {"type": "Replace", "pattern": {"String": " "}, "content": _SIGN},
]
# Distinct words that are remembered; beyond that all are forgotten.
_MOST_WORDS = 200_000


@dataclass(frozen=True)
class TokenIds:
    """The token ids of many texts behind one another, and how many each text has."""

    ids: Ints
    lengths: Ints

    @classmethod
    def of(cls, texts: Sequence[Sequence[int]]) -> TokenIds:
        lengths = np.fromiter(map(len, texts), np.int64, len(texts))
        return cls(np.fromiter(chain.from_iterable(texts), np.int64, lengths.sum()), lengths)

    @cached_property
    def offsets(self) -> Ints:
        """Where each text begins."""
        return np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int64)

    def each(self) -> list[Ints]:
        """The ids of each text by themselves."""
        return np.split(self.ids, self.offsets[1:-1]) if len(self.lengths) else []

    def joined(self, others: TokenIds) -> TokenIds:
        """These texts and others behind them."""
        return TokenIds(
            np.concatenate([self.ids, others.ids]), np.concatenate([self.lengths, others.lengths])
        )

    def replaced(self, places: Sequence[int], others: TokenIds) -> TokenIds:
        """The same with other texts at some places."""
        texts = self.each()
        for place, ids in zip(places, others.each(), strict=True):
            texts[place] = ids
        return TokenIds(np.concatenate(texts), np.array(list(map(len, texts)), np.int64))


_NOTHING = TokenIds(np.zeros(0, np.int64), np.zeros(0, np.int64))


class WordTokenizer:
    """The ids of texts, and for explanations the names and places of their tokens."""

    def __init__(self, path: Path) -> None:
        self._tokenizer = _open(path)
        # Nothing is cut and nothing filled up, whatever the file says.
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        content = json.loads(self._tokenizer.to_str())
        self._splits = splits_at_blanks(content)
        self._added = _added(content)
        # The words that were tokenised, each with its number among them.
        self._number: dict[str, int] = {}
        self._words = _NOTHING

    @property
    def most_id(self) -> int:
        """The highest id that a token can have."""
        ids = self._tokenizer.get_vocab(with_added_tokens=True).values()
        return max(ids, default=-1)

    def name(self, token: int) -> str:
        return str(self._tokenizer.id_to_token(token))

    def ids(self, texts: Sequence[str]) -> TokenIds:
        """The ids of all texts, without special tokens."""
        if not self._splits:
            return self._whole(texts)
        cut = [text.split(" ") for text in texts]
        counts = np.fromiter(map(len, cut), np.int64, len(cut))
        words = list(chain.from_iterable(cut))
        number = self._numbers(words)
        places = np.fromiter(map(number.__getitem__, words), np.int64, len(words))
        lengths = self._words.lengths[places]
        found = TokenIds(
            self._words.ids[gather_runs(self._words.offsets[places], lengths)],
            np.bincount(np.repeat(np.arange(len(cut)), counts), lengths, len(cut)).astype(np.int64),
        )
        if self._splits == "blanks":
            return found
        # Blanks that follow one another, or end a text, are tokens of their own; and a text that
        # holds an added token begins anew behind it.
        odd = [i for i, text in enumerate(texts) if "" in cut[i] or self._has_added(text)]
        return found.replaced(odd, self._whole([texts[i] for i in odd])) if odd else found

    def _numbers(self, words: Sequence[str]) -> dict[str, int]:
        """The number of each word among those that are known, these included."""
        new = list(set(words).difference(self._number))
        if len(self._number) + len(new) > _MOST_WORDS:
            self._number, self._words, new = {}, _NOTHING, list(set(words))
        if new:
            first = len(self._number)
            self._number.update(zip(new, range(first, first + len(new)), strict=True))
            self._words = self._words.joined(self._whole(new))
        return self._number

    def encoding(self, text: str, special: bool = False) -> Encoding:
        """Everything on one text: ids, names, places, which tokens are special."""
        found: Encoding = self._tokenizer.encode(text, add_special_tokens=special)
        return found

    def placed(self, text: str) -> list[tuple[int, str, Span]]:
        """Id, name and place of each token of a text; a place may be empty."""
        found = self.encoding(text)
        named = zip(found.ids, found.offsets, strict=True)
        return [(i, text[a:b].strip() or self.name(i), _trimmed(text, a, b)) for i, (a, b) in named]

    def _has_added(self, text: str) -> bool:
        return any(token in text for token in self._added)

    def _whole(self, texts: Sequence[str]) -> TokenIds:
        found = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        return TokenIds.of([one.ids for one in found])


def splits_at_blanks(content: dict[str, Any]) -> str:
    """How the words between blanks can be looked at one by one; empty, if they cannot.

    ``blanks``: blanks are left out. ``signed``: a sign stands for the blank before a word, as long
    as there is one blank between words.

    >>> splits_at_blanks({"model": {"type": "WordLevel"}, "pre_tokenizer": {"type": "Whitespace"}})
    'blanks'
    >>> splits_at_blanks({"model": {"type": "BPE"}, "pre_tokenizer": {"type": "ByteLevel"}})
    ''
    """
    if any(" " in token for token in _added(content)):
        return ""
    before = _steps(content.get("normalizer"), "normalizers")
    cutting = _steps(content.get("pre_tokenizer"), "pretokenizers")
    kinds = [step["type"] for step in cutting]
    by_character = {step["type"] for step in before} <= _BY_CHARACTER
    if by_character and set(kinds) & _AT_BLANKS and set(kinds) <= _AT_BLANKS | _INSIDE_WORDS:
        return "blanks"
    model = content["model"]
    if before == _SIGNED and not cutting and model["type"] == "BPE":
        # A token that goes on behind the sign would join two words.
        joins = any(_SIGN in token.lstrip(_SIGN) for token in model["vocab"])
        return "" if joins else "signed"
    return ""


def _added(content: dict[str, Any]) -> list[str]:
    """Tokens that are looked for in a text before all others, such as <s>."""
    return [token["content"] for token in content.get("added_tokens") or ()]


def _steps(part: dict[str, Any] | None, several: str) -> list[dict[str, Any]]:
    if part is None:
        return []
    return list(part[several]) if part["type"] == "Sequence" else [part]


def _trimmed(text: str, start: int, end: int) -> Span:
    """A place without the blanks at its ends."""
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    return start, start + len(piece.strip())


def _open(path: Path) -> Any:
    # Processes are how Summetry uses several cores; threads here would only compete with them.
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    packages = "tokenizers", "safetensors", "onnxruntime"
    tokenizers = optional_module("tokenizers", "an encoder", *packages)
    try:
        return tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:  # The package has no class of its own for this.
        found = str(error).splitlines()[0]
        raise FormatError(
            Place(str(path)), "a tokenizer of the package tokenizers", found
        ) from error
