"""XML read safely, mended where that is asked for, and written.

A file that declares entities is refused, and nothing outside a file is read. The five entities of
XML itself and numbers (``&amp;``, ``&#233;``) are decoded. A document type is allowed, since old
files name one; what it points to is not looked at.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass, field
from html.entities import html5
from pathlib import Path
from typing import NoReturn
from xml.parsers import expat

from summetry.errors import FormatError, Place, SummetryError, shorten
from summetry.files import UTF16_MARKS
from summetry.formats.texts import decode_old, warn_at

_NOT_IN_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LARGE = "names of attributes are in large letters"
_NO_ENTITIES = "write the text itself in its place"
_TOO_SHORT = expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]
# Sections that are taken as they are, then what may not stand in XML.
_ODD = re.compile(
    rb"(?P<kept><!\[CDATA\[.*?\]\]>|<!--.*?-->)"
    rb"|&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9A-Fa-f]+);)(?:(?P<name>[A-Za-z][A-Za-z0-9]*);)?"
    rb"|<(?![A-Za-z_/!?])"
    rb"|[\x00-\x08\x0b\x0c\x0e-\x1f]",
    re.DOTALL,
)
_DECLARED = re.compile(rb"""<\?xml[^>]*encoding\s*=\s*["']([^"']+)["']""")
_ENTITY = re.compile(rb"<!ENTITY\b")


@dataclass(slots=True)
class Element:
    """An element with the place where it begins; ``text`` is what stands directly in it."""

    name: str
    attributes: dict[str, str]
    place: Place
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def named(self, name: str) -> list[Element]:
        """The children of a name, large or small letters."""
        return [child for child in self.children if child.name.lower() == name.lower()]

    def required(self, name: str) -> str:
        """An attribute that must be there, in large letters as ``name`` is."""
        if name not in self.attributes:
            others = ", ".join(self.attributes) or f"no {name}"
            advice = _LARGE if name.lower() in map(str.lower, self.attributes) else ""
            raise FormatError(self.place, f"{self.name} with {name}=", others, advice)
        return self.attributes[name]


def read_xml(path: Path, mended: bytes | None = None) -> Element:
    """The root of an XML file; what is wrong with the file is named with its line.

    ``mended`` is what to read in place of the file's own content, line by line the same.
    """
    top = Element("", {}, Place(str(path)))
    open_ones = [top]
    parser = _safe_parser(path)

    def start(name: str, attributes: dict[str, str]) -> None:
        element = Element(name, attributes, Place(str(path), parser.CurrentLineNumber))
        open_ones[-1].children.append(element)
        open_ones.append(element)

    def text(words: str) -> None:
        open_ones[-1].text += words

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: open_ones.pop()
    parser.CharacterDataHandler = text
    try:
        parser.Parse(path.read_bytes() if mended is None else mended, True)
    except FormatError:
        raise
    except expat.ExpatError as error:
        found = expat.ErrorString(error.code)
        if error.code == _TOO_SHORT:
            found = _what_is_missing(open_ones)
        raise FormatError(Place(str(path), error.lineno), "well-formed XML", found) from error
    except (LookupError, ValueError) as error:
        raise FormatError(Place(str(path), 1), "a known encoding", str(error)) from error
    return top.children[0]


def _what_is_missing(open_ones: list[Element]) -> str:
    """Why a file ends too early; the first of the open ones is the file."""
    if len(open_ones) == 1:
        return "no element, as in an empty file"
    last = open_ones[-1]
    begun = f"{last.name!r}, which begins on line {last.place.line}"
    return f"the end of the file before the end of {begun}"


def mended_xml(path: Path) -> bytes:
    """The content of an XML file, with what is wrong in it written as it should have been.

    Characters that should have been entities and old encodings are read, with a note that names
    the first place and how many there are. Lines stay where they are, so that later messages name
    the right ones.
    """
    content = path.read_bytes()
    # Whoever declares entities knows how to write them; the parser refuses such a file as it is.
    if content.startswith(UTF16_MARKS) or _ENTITY.search(content):
        return content
    declared = _DECLARED.match(content)
    if not declared or declared[1].lower() in (b"utf-8", b"us-ascii"):
        content = decode_old(content, path).encode()
    places: list[int] = []

    def mend(odd: re.Match[bytes]) -> bytes:
        if odd["kept"]:
            return odd[0]
        places.append(odd.start())
        name = (odd["name"] or b"").decode()
        if f"{name};" in html5 and name:
            return "".join(f"&#{ord(letter)};" for letter in html5[f"{name};"]).encode()
        return {b"&": b"&amp;" + odd[0][1:], b"<": b"&lt;"}.get(odd[0][:1], b" ")

    mended = _ODD.sub(mend, content)
    if places:
        place = Place(str(path), content.count(b"\n", 0, places[0]) + 1)
        first = content[places[0] : places[0] + 12].decode("utf-8", "ignore").split("\n")[0]
        more = f", and {len(places) - 1} more such places" if len(places) > 1 else ""
        warn_at(place, f"{first!r} is not XML{more}; read as plain characters")
    return mended


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
    with contextlib.suppress(expat.ExpatError, LookupError, ValueError):
        parser.Parse(content, False)
    return names


def attribute(name: str) -> str:
    """A name in quotation marks, to be written behind ``NAME=``."""
    # This module brings Python's network client along, which nobody needs who only reads.
    from xml.sax.saxutils import quoteattr

    if _NOT_IN_XML.search(name):
        raise SummetryError(f"{name!r} cannot be written in XML; rename it, or use another format")
    return quoteattr(name)


def content(text: str) -> str:
    """A text, to be written into an element."""
    from xml.sax.saxutils import escape

    odd = _NOT_IN_XML.search(text)
    if odd:
        raise SummetryError(
            f"{odd[0]!r} in the text {shorten(text)} cannot be written in XML; "
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

    def named(name: str, *_: object) -> None:
        refuse(f"the entity {name!r}")

    parser.EntityDeclHandler = named
    parser.SkippedEntityHandler = named
    parser.ExternalEntityRefHandler = lambda *_: refuse("an entity that is outside the file")
    return parser
