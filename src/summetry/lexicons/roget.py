"""Roget's Thesaurus of 1911, and other thesauri of nine levels.

Roget puts every word at the end of a path: class, section, subsection, head group, head, part of
speech, paragraph, semicolon group, and the word itself. Levels that a part of the book lacks
repeat the level above, so every path has nine. Two kinds of files are read:

``*.txt``    The book as Project Gutenberg has it (#10681), in its versions of 2004 and 2024::

                 CLASS I
                 WORDS EXPRESSING ABSTRACT RELATIONS

                 SECTION I.
                 EXISTENCE

                 1. BEING, IN THE ABSTRACT

                 1. Existence -- N. existence, being, entity, ens [Lat.];
                 reality &c adj.; truth &c 494.
                      presence &c (existence in space) 186.
                 V. exist, be.

             Numbers, brackets and cross references (``&c 494``) are left out of the entries.

``*.jsonl``  One head per line, its words by part of speech, paragraph and group::

                 {"class": "I", "division": null, "section": "I", "subsections": ["BEING"],
                  "head": "1", "name": "Existence",
                  "paragraphs": [{"pos": "N", "groups": [["existence", "being"], ["reality"]]}]}

             ``division``, ``subsections`` and ``name`` may be absent, and whatever else there is
             is ignored.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import NamedTuple

import msgspec

from summetry.errors import FormatError, Place, SummetryError
from summetry.lexicons._lines import json_lines, read_text

# The levels above the word, from class to semicolon group.
LEVELS = 8

_A_HEAD = 'a head: {"class": .., "section": .., "head": .., "paragraphs": [..]}'

_PARTS = ("CLASS", "DIVISION", "SECTION")
_LONGEST_HEADING = 70
# The signs that editions of the text have behind words that the printed book marks.
_DAGGERS = dict.fromkeys(map(ord, "^†"), "")

_HEAD = re.compile(r"(?P<number>\d+[a-z]?)\.?\s+(?P<title>[^;]*?)\s(?:--|—)(?=\s|$)")
# The first line of a head, or its first two.
_HEAD_LINE = re.compile(
    r"^ {0,4}\d+[a-z]?\.? [^;\n]+(?:\n[^;\n]+)?\s(?:--|—)\s+(?:N|V|Adj|Adv|Phr|Int)\.", re.M
)
_MARKER = re.compile(r"(N|V|Adj|Adv|Phr|Int)\.(?=\s|$)")
_PART = re.compile(r"(CLASS|DIVISION|SECTION)\s+([IVX]+)\.?")
# How headings inside a section are marked, the highest first: each ends those below it.
_HEADINGS = (
    re.compile(r"\d\. (?=[^a-z]+$)"),  # 1. BEING, IN THE ABSTRACT
    re.compile(r"\d\.? "),  # 1. Fluids in General
    re.compile(r"\(\d\) "),  # (1) Touch
    re.compile(r"\([ivx]+\) "),  # (i) SOUND IN GENERAL
    re.compile(r""),  # Internal conditions
)
# A heading that follows a head without an empty line between.
_LATE_HEADING = re.compile(r"(?:\d\. |\(\d\) )(?:[A-Z][^;,.]*|[^a-z;]+)")
_START = re.compile(r"^\s*CLASS I$", re.M)
_END = re.compile(r"^\W*END OF TH(?:E|IS) PROJECT GUTENBERG|^\s*End of of E-Thesaurus", re.M | re.I)

# Notes may run over lines, and headings are marked by round brackets too.
_NOTE = r"(?:\[[^\[\]]{0,400}\]|\{[^{}]{0,400}\})"
# A line that is a note goes as a whole: an empty line would end the head.
_NOTES = re.compile(rf"\n *{_NOTE} *(?=\n)|{_NOTE}")
_REMARKS = re.compile(r"\([^()]*\)")
_REFERENCE = re.compile(r",?\s*&c\.?(?:\s*(?:adj|adv|n|v|int|phr)\b\.*)?(?:\s*\d[\d.]*[a-z]?\b)*")
_HYPHEN_AT_END = re.compile(r"(?<=\w)-\n")
_BORDER = re.compile(r"[^\w!']+$|^[^\w'#$~]+")
_ONLY_NUMBERS = re.compile(r"[\d.\s]*")


class Paragraph(msgspec.Struct, frozen=True):
    """A paragraph of a head: words and phrases by semicolon group."""

    pos: str
    groups: tuple[tuple[str, ...], ...]


class Head(msgspec.Struct, frozen=True):
    """A head with its place in the book; numbers are as the book writes them."""

    class_: str = msgspec.field(name="class")
    section: str
    head: str
    paragraphs: tuple[Paragraph, ...]
    division: str | None = None
    subsections: tuple[str, ...] = ()
    name: str = ""

    def place(self) -> tuple[str, ...]:
        """The five levels from class to head."""
        section = f"{self.division or ''}/{self.section}"
        first = self.subsections[0] if self.subsections else ""
        return (self.class_, section, first, "/".join(self.subsections[1:]), self.head)


class Entry(NamedTuple):
    """A word or phrase, and the eight levels above it."""

    word: str
    path: tuple[str, ...]


def entries_of(heads: Iterable[Head]) -> Iterator[Entry]:
    """Every word and phrase of a thesaurus with its path, in the order of the book."""
    for head in heads:
        place = head.place()
        for number, paragraph in enumerate(head.paragraphs):
            for group, words in enumerate(paragraph.groups):
                path = (*place, paragraph.pos, str(number), str(group))
                for word in words:
                    yield Entry(word, path)


def read_heads(path: Path) -> list[Head]:
    """The heads of a thesaurus file; its ending says of which kind it is."""
    if path.suffix.lower() == ".jsonl":
        heads = [head for _, head in json_lines(path, Head, _A_HEAD)]
    elif path.suffix.lower() == ".txt":
        heads = read_book(read_text(path))
    else:
        raise SummetryError(
            f"{path}: expected a thesaurus that ends in .txt (Roget's book as Project Gutenberg "
            f"has it) or .jsonl (one head per line), found {path.suffix or 'none'}"
        )
    if not heads:
        raise FormatError(
            Place(str(path)),
            "heads of a thesaurus such as '1. Existence -- N. existence, being;'",
            "none",
        )
    return heads


def read_book(text: str) -> list[Head]:
    """The heads of Roget's book, given as the whole text."""
    where = _Where()
    heads: list[tuple[_Where, list[str]]] = []
    for block in _blocks(text):
        lines = where.enter(block)
        if not lines:
            continue
        late = lines.pop() if _LATE_HEADING.fullmatch(lines[-1].strip()) else ""
        if _HEAD.match("\n".join(lines)):
            heads.append((deepcopy(where), lines))
        elif heads:
            heads[-1][1].extend(lines)
        if late:
            where.enter([late])
    return [_head(place, lines) for place, lines in heads]


def _blocks(text: str) -> Iterator[list[str]]:
    """The book from its first class to its end, as runs of lines between empty lines.

    Lines keep the blanks by which they are set in further than the others of their block.
    """
    text = text.expandtabs().replace("\r\n", "\n").translate(_DAGGERS)
    while (shorter := _NOTES.sub("", text)) != text:
        text = shorter
    start = _START.search(text)
    end = _END.search(text, start.end() if start else 0)
    body = text[start.start() if start else len(text) : end.start() if end else len(text)]
    for block in re.split(r"\n\s*\n", _HEAD_LINE.sub(r"\n\n\g<0>", body)):
        yield textwrap.dedent(block).strip("\n").split("\n")


class _Where:
    """The place in the book: class, division, section and headings."""

    def __init__(self) -> None:
        self.parts: dict[str, str] = {}
        self.headings: dict[int, str] = {}

    def enter(self, block: list[str]) -> list[str]:
        """Take the headings at the beginning of a block, and give back what follows them."""
        while block and not _HEAD.match("\n".join(block)):
            line = block[0].strip()
            part = _PART.fullmatch(line)
            if part:
                self._enter_part(part[1], part[2])
                # Its name is on the next line.
                block = block[2:]
            elif len(line) <= _LONGEST_HEADING and ";" not in line:
                self._enter_heading(line)
                block = block[1:]
            else:
                break
        return block

    def _enter_part(self, kind: str, number: str) -> None:
        below = _PARTS[_PARTS.index(kind) :]
        self.parts = {k: n for k, n in self.parts.items() if k not in below} | {kind: number}
        self.headings = {}

    def _enter_heading(self, line: str) -> None:
        level, mark = next((i, m) for i, h in enumerate(_HEADINGS) if (m := h.match(line)))
        self.headings = {i: name for i, name in self.headings.items() if i < level}
        self.headings[level] = line[mark.end() :].rstrip(". ")


def _head(where: _Where, lines: list[str]) -> Head:
    text = "\n".join(lines)
    start = _HEAD.match(text)
    assert start, text
    return Head(
        class_=where.parts.get("CLASS", ""),
        division=where.parts.get("DIVISION"),
        section=where.parts.get("SECTION", ""),
        subsections=tuple(where.headings.values()),
        head=start["number"],
        name=" ".join(start["title"].split()).strip(" ."),
        paragraphs=tuple(_paragraphs(text[start.end() :].lstrip())),
    )


def _paragraphs(text: str) -> Iterator[Paragraph]:
    pos = "N"
    for piece in re.split(r"\n(?=\s{4}|(?:N|V|Adj|Adv|Phr|Int)\.(?:\s|$))", text):
        words = " ".join(_HYPHEN_AT_END.sub("-", piece).split())
        marker = _MARKER.match(words)
        if marker:
            pos, words = marker[1], words[marker.end() :]
        groups = tuple(filter(None, (_words(group) for group in words.split(";"))))
        if groups:
            yield Paragraph(pos, groups)


def _words(group: str) -> tuple[str, ...]:
    """The words and phrases of a semicolon group, without references to other heads."""
    pieces = _REFERENCE.sub(",", _REMARKS.sub("", group)).split(",")
    words = (" ".join(_BORDER.sub("", piece.strip()).split()) for piece in pieces)
    return tuple(word for word in words if not _ONLY_NUMBERS.fullmatch(word))
