"""The characters of a text as they stand: case, blanks, punctuation and line ends all count.

``characters=codepoints`` takes the characters of Unicode. ``utf16`` takes the units that Java calls
characters: an emoji or a rare Han character is two of them. ``file=true`` reads the text as
JInsect's tools read a file: every line ends with a line feed, the last one too.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from summetry.arrays import kernel
from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Ints
from summetry.text.pipeline import PIPELINES, TextPipeline
from summetry.text.tokens import Span

_LAST_IN_ONE_UNIT = "\uffff"
# The coding of each kind of characters, in the byte order of the machine, and what it writes.
_ORDER = "le" if sys.byteorder == "little" else "be"
_CODINGS = {"codepoints": (f"utf-32-{_ORDER}", np.uint32), "utf16": (f"utf-16-{_ORDER}", np.uint16)}
_Codes = NDArray[np.uint32] | NDArray[np.uint16] | NDArray[np.uint8]


@PIPELINES.register
@dataclass(frozen=True)
class RawText(TextPipeline):
    """Every character is a token, nothing is left out and nothing is made alike."""

    characters: Literal["codepoints", "utf16"] = "codepoints"
    file: bool = False

    name: str = "raw"
    blanks_are_tokens: ClassVar[bool] = True

    def encode(self, texts: Sequence[str], languages: Sequence[str]) -> TokenTable:
        if self.file:
            texts = [as_file(text) for text in texts]
        # Half a pair of units is no character, but texts may hold one all the same.
        lengths = list(map(len, texts))
        if self.characters == "utf16":
            lengths = [len(text.encode("utf-16-le", "surrogatepass")) // 2 for text in texts]
        whole = "".join(texts)
        # Plain ASCII, whichever characters are taken, is a quarter of the memory.
        coding, kind = ("ascii", np.uint8) if whole.isascii() else _CODINGS[self.characters]
        codes: _Codes = np.frombuffer(whole.encode(coding, "surrogatepass"), kind)
        distinct, ids = number_characters(codes)
        offsets = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        return TokenTable(ids, offsets, tuple(map(chr, distinct.tolist())))

    def locate(self, text: str, language: str) -> list[tuple[str, Span]]:
        tokens: list[tuple[str, Span]] = []
        for token, span in _characters(text, self.file):
            if self.characters == "utf16" and token > _LAST_IN_ONE_UNIT:
                units = token.encode("utf-16-le")
                tokens += [(chr(units[i] | units[i + 1] << 8), span) for i in (0, 2)]
            else:
                tokens.append((token, span))
        return tokens

    def describe(self) -> str:
        return ",".join([self.name, self.characters, *(["file"] if self.file else [])])


def number_characters(codes: _Codes) -> tuple[Ints, Ints]:
    """The distinct codes, ascending, and the place of each code among them.

    >>> [part.tolist() for part in number_characters(np.array([98, 97, 98], np.uint32))]
    [[97, 98], [1, 0, 1]]
    """
    if not kernel.is_compiled():
        distinct, ids = np.unique(codes, return_inverse=True)
        return distinct.astype(np.int64), ids.astype(np.int64)
    numbers = np.empty(len(codes), np.int64)
    known = np.empty(min(len(codes), sys.maxunicode + 1), np.int64)
    text = codes.view(np.uint8), codes.itemsize, len(codes)
    count = kernel.call("number_characters", *text, numbers, known)
    return known[:count].copy(), numbers


def as_file(text: str) -> str:
    r"""``text`` as it is read line by line, a line feed put after every line.

    >>> as_file("a\r\nb"), as_file("")
    ('a\nb\n', '')
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return lines if not lines or lines.endswith("\n") else lines + "\n"


def _characters(text: str, in_file: bool) -> Iterator[tuple[str, Span]]:
    """The characters of a text, or of :func:`as_file`, each with its place in ``text`` itself."""
    for match in re.finditer(r"\r\n|." if in_file else ".", text, re.DOTALL):
        character = match.group()
        yield "\n" if in_file and character[0] == "\r" else character, match.span()
    if in_file and text and text[-1] not in "\r\n":
        yield "\n", (len(text), len(text))
