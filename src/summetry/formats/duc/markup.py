"""The markup of old news collections: SGML without a grammar, in whatever encoding.

Tags may stand in large or small letters, may lack their ends, and ``&`` or ``<`` may stand for
themselves. What can be read is read, with one note per file that names the first odd place and
counts the others. No entity is expanded but the characters that XML and HTML name: one that a
file declares stays as it is written, and nothing outside the file is looked at.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.entities import html5
from pathlib import Path

from summetry.errors import Place
from summetry.formats.texts import read_old_text, warn_at

_PIECE = re.compile(
    r"(?P<ignored><!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>|<[!?][^>]*>)"
    r"|<(?P<end>/?)(?P<name>[A-Za-z][\w.:-]*)(?P<rest>\s[^<>]*|/)?>"
    r"|(?P<text>[^<]+|<)",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
_ODD = re.compile(r"&(?:(#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]*);)?|\A<\Z")
_LARGEST_CHARACTER = 0x10FFFF
# An element that begins in one of its own name ends it: sentences hold no sentences.
_FLAT = ("S", "P", "DOC", "SUM", "TOPIC")


@dataclass(slots=True)
class Tagged:
    """An element: its name in large letters, its attributes' names in small ones."""

    name: str
    attributes: dict[str, str]
    place: Place
    parts: list[str | Tagged] = field(default_factory=list)

    def words(self) -> str:
        """All the text inside, one blank between words."""
        return " ".join(self.raw().split())

    def raw(self) -> str:
        """All the text inside, lines as they are."""
        return "".join(part for part in self.walk() if isinstance(part, str))

    def all(self, *names: str) -> Iterator[Tagged]:
        """The elements of some names, however deep, as they come."""
        for part in self.walk():
            if isinstance(part, Tagged) and part.name in names:
                yield part

    def walk(self) -> Iterator[str | Tagged]:
        """All that is inside, as it comes: an element, then what is in it."""
        # Ends that were forgotten make elements too deep for a function that calls itself.
        waiting = self.parts[::-1]
        while waiting:
            part = waiting.pop()
            yield part
            if isinstance(part, Tagged):
                waiting += part.parts[::-1]

    def first(self, *names: str) -> str:
        """The words of the first element of these names that has any."""
        return next((words for one in self.all(*names) if (words := one.words())), "")


def read_markup(path: Path) -> Tagged:
    """All that a file holds, as the inside of an element without a name."""
    text = read_old_text(path)
    breaks = [match.start() for match in re.finditer("\n", text)]
    top = Tagged("", {}, Place(str(path), 1))
    open_ones = [top]
    odd: list[tuple[int, str]] = []
    for piece in _PIECE.finditer(text):
        line = bisect_right(breaks, piece.start() - 1) + 1
        if piece["text"]:
            open_ones[-1].parts.append(_decoded(piece["text"], line, odd))
        elif piece["name"]:
            _tag(piece, Place(str(path), line), open_ones)
    if odd:
        more = f", and {len(odd) - 1} more such places" if len(odd) > 1 else ""
        place = Place(str(path), odd[0][0])
        warn_at(place, f"{odd[0][1]!r} stands for no character{more}; kept as it is")
    return top


def _tag(piece: re.Match[str], place: Place, open_ones: list[Tagged]) -> None:
    name, rest = piece["name"].upper(), piece["rest"] or ""
    is_open = any(element.name == name for element in open_ones)
    if piece["end"] or (name in _FLAT and is_open):
        while is_open and open_ones.pop().name != name:
            pass
    # A bare <s> in a sentence is an end whose stroke was forgotten.
    if not piece["end"] and not (name == "S" and is_open and not rest.strip()):
        values = {key.lower(): a or b or c for key, a, b, c in _ATTRIBUTE.findall(rest)}
        element = Tagged(name, {key: _decoded(v, 0, []) for key, v in values.items()}, place)
        open_ones[-1].parts.append(element)
        if not rest.endswith("/"):
            open_ones.append(element)


def _decoded(text: str, line: int, odd: list[tuple[int, str]]) -> str:
    def decode(entity: re.Match[str]) -> str:
        letters = _character(entity[1] or "")
        if not letters:
            odd.append((line + text.count("\n", 0, entity.start()), entity[0]))
        return letters or entity[0]

    return _ODD.sub(decode, text)


def _character(name: str) -> str:
    """The character that an entity names, or nothing."""
    if not name.startswith("#"):
        return html5.get(f"{name};", "") if name else ""
    number = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    # Half of a character of UTF-16 is none by itself.
    is_half = 0xD800 <= number <= 0xDFFF
    return chr(number) if 0 < number <= _LARGEST_CHARACTER and not is_half else ""
