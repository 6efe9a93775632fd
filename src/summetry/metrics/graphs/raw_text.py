"""The characters of a text as they stand: case, blanks, punctuation and line ends all count.

``characters=codepoints`` takes the characters of Unicode. ``utf16`` takes the units that Java calls
characters: an emoji or a rare Han character is two of them. ``file=true`` reads the text as
JInsect's tools read a file: every line ends with a line feed, the last one too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from summetry.arrays.token_tables import TokenTable
from summetry.text.pipeline import PIPELINES, TextPipeline
from summetry.text.tokens import Span

_LAST_IN_ONE_UNIT = "\uffff"
# The coding of each kind of characters, and the numbers that it writes.
_CODINGS = {"codepoints": ("utf-32-le", "<u4"), "utf16": ("utf-16-le", "<u2")}


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
        coding, kind = _CODINGS[self.characters]
        # Half a pair of units is no character, but texts may hold one all the same.
        coded = [text.encode(coding, "surrogatepass") for text in texts]
        codes = np.frombuffer(b"".join(coded), kind)
        lengths = np.array(list(map(len, coded)), np.int64) // codes.itemsize
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        used = np.zeros(int(codes.max(initial=0)) + 1, dtype=bool)
        used[codes] = True
        number = np.cumsum(used, dtype=np.int64) - 1
        words = tuple(map(chr, np.flatnonzero(used).tolist())) if len(codes) else ()
        return TokenTable(number[codes], offsets, words)

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
