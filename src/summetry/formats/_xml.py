"""XML read safely: a file that declares entities is refused, and nothing outside it is read.

The five entities of XML itself and numbers (``&amp;``, ``&#233;``) are decoded. A document type
is allowed, since old files name one; what it points to is not looked at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from summetry.errors import FormatError, Place, SummetryError, shorten

_NOT_IN_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_ENTITIES = "write the text itself in its place"
_TOO_SHORT = expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]


@dataclass(slots=True)
class Element:
    """An element with the line it begins on; ``text`` is what stands directly in it."""

    name: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def named(self, name: str) -> list[Element]:
        """The children of a name, large or small letters."""
        return [child for child in self.children if child.name.lower() == name.lower()]


def read_xml(path: Path, mended: bytes | None = None) -> Element:
    """The root of an XML file; what is wrong with the file is named with its line.

    ``mended`` is what to read in place of the file's own content, line by line the same.
    """
    top = Element("", {}, 0)
    open_ones = [top]
    parser = _safe_parser(path)

    def start(name: str, attributes: dict[str, str]) -> None:
        element = Element(name, attributes, parser.CurrentLineNumber)
        open_ones[-1].children.append(element)
        open_ones.append(element)

    def end(name: str) -> None:
        open_ones.pop()

    def text(words: str) -> None:
        open_ones[-1].text += words

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    try:
        parser.Parse(path.read_bytes() if mended is None else mended, True)
    except FormatError:
        raise
    except expat.ExpatError as error:
        place = Place(str(path), error.lineno)
        found = expat.ErrorString(error.code)
        if error.code == _TOO_SHORT:
            found = _what_is_missing(open_ones)
        raise FormatError(place, "well-formed XML", found) from error
    except (LookupError, ValueError) as error:
        raise FormatError(Place(str(path), 1), "a known encoding", str(error)) from error
    return top.children[0]


def _what_is_missing(open_ones: list[Element]) -> str:
    """Why a file ends too early; the first of the open ones is the file."""
    if len(open_ones) == 1:
        return "no element, as in an empty file"
    last = open_ones[-1]
    return f"the end of the file before the end of {last.name!r}, which begins on line {last.line}"


def opening_names(content: bytes) -> list[str]:
    """The root of XML and its first child, as far as ``content`` goes; nothing if it is not XML.

    >>> opening_names(b"<a><b>text</b>")
    ['a', 'b']
    """
    names: list[str] = []
    parser = expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        names.append(name)
        if len(names) == 2:
            parser.StartElementHandler = None

    parser.StartElementHandler = start
    # With this handler set, no entity is expanded; reading the file will name it.
    parser.DefaultHandler = lambda data: None
    try:
        parser.Parse(content, False)
    except (expat.ExpatError, LookupError, ValueError):
        return names
    return names


def attribute(name: str) -> str:
    """A name in quotation marks, to be written behind ``NAME=``."""
    if _NOT_IN_XML.search(name):
        raise SummetryError(f"{name!r} cannot be written in XML; rename it, or use another format")
    return quoteattr(name)


def content(text: str) -> str:
    """A text, to be written into an element."""
    found = _NOT_IN_XML.search(text)
    if found:
        raise SummetryError(
            f"{found[0]!r} in the text {shorten(text)} cannot be written in XML; "
            f"take it out, or use another format"
        )
    # A reader makes a line feed of any other line end, unless it is written as a number.
    return escape(text, {"\r": "&#13;"})


def _safe_parser(path: Path) -> expat.XMLParserType:
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def refuse(found: str) -> NoReturn:
        place = Place(str(path), parser.CurrentLineNumber)
        raise FormatError(place, "XML without entities of its own", found, _NO_ENTITIES)

    def declared(name: str, *_: object) -> None:
        refuse(f"the entity {name!r}")

    def skipped(name: str, is_parameter: bool) -> None:
        refuse(f"the entity {name!r}")

    def external(*_: object) -> int:
        refuse("an entity that is outside the file")

    parser.EntityDeclHandler = declared
    parser.SkippedEntityHandler = skipped
    parser.ExternalEntityRefHandler = external
    return parser
