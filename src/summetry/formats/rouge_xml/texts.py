"""The sentences of a summary as ROUGE-1.5.5 reads and writes them.

    SPL   one sentence per line
    SEE   <a name="1">[1]</a> <a href="#1" id=1>A sentence.</a>
    ISI   <S SNTNO="1">A sentence.</S>

SEE and ISI are matched as the script matches them, not parsed: a line that does not begin so is
no sentence, the text ends at the first ``<``, and entities are not decoded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

TextKind = Literal["SPL", "SEE", "ISI"]
TEXT_KINDS: tuple[TextKind, ...] = ("SPL", "SEE", "ISI")

_SEE = re.compile(
    r'<a (?:size="[0-9]+" )?name="[0-9]+">\[[0-9]+\]</a>[ \t]+<a href="#[0-9]+" id=[0-9]+>([^<]+)'
)
_ISI = re.compile(r'<S SNTNO="[0-9a-z,]+">([^<]+)</S>')


def text_kind(word: str) -> TextKind | None:
    """The format that a word names, large or small letters; None for any other word."""
    return next((kind for kind in TEXT_KINDS if kind == word.upper()), None)


def marked_kind(text: str) -> TextKind | None:
    """SEE or ISI where a text has lines marked so, and None for any other text.

    >>> marked_kind('<S SNTNO="1">One.</S>'), marked_kind("One.")
    ('ISI', None)
    """
    marked = (kind for kind in TEXT_KINDS if kind != "SPL" and split_as_rouge155(text, kind))
    return next(marked, None) if "<" in text else None


def split_as_rouge155(text: str, kind: TextKind) -> list[str]:
    """The sentences of a file's text.

    >>> split_as_rouge155('<S SNTNO="1">One.</S>\\nno sentence\\n', "ISI")
    ['One.']
    """
    if kind == "SPL":
        return [line for line in text.split("\n") if line]
    pattern = _SEE if kind == "SEE" else _ISI
    # A line of SEE that is not closed keeps its line end, as in the script.
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    return [match[1] for line in lines if (match := pattern.match(line))]


def join_as_rouge155(sentences: Sequence[str], kind: Literal["SPL", "SEE"]) -> str:
    """The text of a file that :func:`split_as_rouge155` cuts into these sentences again.

    Sentences must not be empty or hold line breaks, nor ``<`` for SEE.
    """
    if kind == "SPL":
        return "".join(f"{sentence}\n" for sentence in sentences)
    lines = [
        f'<a name="{i}">[{i}]</a> <a href="#{i}" id={i}>{sentence}</a>\n'
        for i, sentence in enumerate(sentences, start=1)
    ]
    return "".join(["<html>\n<body>\n", *lines, "</body>\n</html>\n"])
