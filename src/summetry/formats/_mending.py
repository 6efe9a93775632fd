"""XML as it is found: characters that should have been written as entities, old encodings.

What can be read all the same is read, with a warning that names the first place and how many
there are. Lines stay where they are, so that later messages name the right ones.
"""

from __future__ import annotations

import re
import warnings
from html.entities import html5
from pathlib import Path

from summetry.errors import Place, SummetryWarning

# Sections that are taken as they are, then what may not stand in XML.
_ODD = re.compile(
    rb"(?P<kept><!\[CDATA\[.*?\]\]>|<!--.*?-->)"
    rb"|&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9A-Fa-f]+);)(?:(?P<name>[A-Za-z][A-Za-z0-9]*);)?"
    rb"|<(?![A-Za-z_/!?])"
    rb"|[\x00-\x08\x0b\x0c\x0e-\x1f]",
    re.DOTALL,
)
_DECLARED = re.compile(rb"""<\?xml[^>]*encoding\s*=\s*["']([^"']+)["']""")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
# Whoever declares entities knows how to write them; the parser refuses such a file as it is.
_ENTITY = re.compile(rb"<!ENTITY\b")


def mended(path: Path) -> bytes:
    """The content of an XML file, with what is wrong in it written as it should have been."""
    content = path.read_bytes()
    if content.startswith(_UTF16) or _ENTITY.search(content):
        return content
    content = _in_utf8(path, content)
    places: list[int] = []

    def mend(found: re.Match[bytes]) -> bytes:
        if found["kept"]:
            return found[0]
        places.append(found.start())
        name = (found["name"] or b"").decode()
        if f"{name};" in html5 and name:
            return "".join(f"&#{ord(letter)};" for letter in html5[f"{name};"]).encode()
        return {b"&": b"&amp;" + found[0][1:], b"<": b"&lt;"}.get(found[0][:1], b" ")

    found = _ODD.sub(mend, content)
    if places:
        first = content[places[0] : places[0] + 12].decode("utf-8", "ignore").split("\n")[0]
        more = f", and {len(places) - 1} more such places" if len(places) > 1 else ""
        _tell(path, content, places[0], f"{first!r} is not XML{more}; read as plain characters")
    return found


def _in_utf8(path: Path, content: bytes) -> bytes:
    """Content that is not in the encoding it claims, read as the encoding of old Windows."""
    declared = _DECLARED.match(content)
    if declared and declared[1].lower() not in (b"utf-8", b"us-ascii"):
        return content
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        _tell(path, content, error.start, "not UTF-8, as it should be; read as Windows-1252")
        # Five bytes mean nothing there; what stood in their place is not known.
        text = content.decode("cp1252", "replace")
        return text.encode("utf-8")
    return content


def _tell(path: Path, content: bytes, at: int, what: str) -> None:
    place = Place(str(path), content.count(b"\n", 0, at) + 1)
    warnings.warn(f"{place}: {what}", SummetryWarning, stacklevel=5)
