"""The summaries of DUC 2002: people's in SUM elements, systems' one a file.

    <SUM DOCSET="d061j" TYPE="PERDOC" SIZE="100" DOCREF="AP880101-0001" SELECTOR="J"
     SUMMARIZER="A"> A ferry struck the pier. </SUM>                            an abstract

    <SUM DOCSET="d061j" TYPE="MULTI-E" SIZE="200" SELECTOR="J" SUMMARIZER="A">
    <s docid="AP880101-0001" num="1" wdcount="5"> A ferry struck the pier.</s> </SUM>  an extract

    <a name="1">[1]</a> <a href="#1" id=1>A ferry struck the pier.</a>          a system's, SEE

What a SUM does not say is taken from its folder (``d061ja``: docset, selector, person) and from
the file's own name (``200e``: an extract of 200 words). A system's file is named as in
``_duc_names.py`` and holds SEE, sentences with ``docid`` and ``num``, or plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from summetry.errors import FormatError, Place
from summetry.formats._base import first_bytes
from summetry.formats.duc.documents import numbered_sentence
from summetry.formats.duc.markup import Tagged, read_markup
from summetry.formats.duc.names import SummaryName, parse_name, plain_length

_SUM = re.compile(rb"<SUM[\s>]", re.IGNORECASE)
_DOCSET = re.compile(r"([A-Za-z]*[0-9]+)([A-Za-z])?([A-Za-z])?")
_LENGTH = re.compile(r"0*([1-9][0-9]*[eE]?)")


class Picked(NamedTuple):
    """A sentence of an extract: the document and its number there, from 1."""

    document: str
    number: int
    text: str
    place: Place


class Found(NamedTuple):
    """A summary: a text, sentences, or sentences that were picked."""

    name: SummaryName
    place: Place
    text: str
    sentences: tuple[str, ...]
    picked: tuple[Picked, ...]


def docset_of(folder: str) -> tuple[str, str, str]:
    """Docset, selector and person that a folder is named by.

    >>> docset_of("d061ja"), docset_of("D061")
    (('D061', 'J', 'A'), ('D061', '', ''))
    """
    found = _DOCSET.fullmatch(folder)
    if not found:
        return folder, "", ""
    return found[1].upper(), (found[2] or "").upper(), (found[3] or "").upper()


def holds_summaries(path: Path) -> bool:
    return parse_name(path.name) is not None or bool(_SUM.search(first_bytes(path, 4096)))


def read_summaries(path: Path) -> Iterator[Found]:
    """The summaries of a file."""
    root = read_markup(path)
    listed = list(root.all("SUM"))
    name = parse_name(path.name)
    for element in listed:
        yield _found(element, _name_of(element, path), path)
    if name and not listed:
        docset, selector, _ = docset_of(name.docset)
        full = name._replace(docset=docset, selector=name.selector or selector)
        yield _found(root, full, path)


def _found(element: Tagged, name: SummaryName, path: Path) -> Found:
    place = Place(str(path), element.line)
    picked = tuple(_picked(s, path) for s in element.all("S") if s.attributes)
    if picked:
        length = f"{name.length.removesuffix('e')}e" if name.length else ""
        return Found(name._replace(length=length), place, "", (), picked)
    marked = [a.words() for a in element.all("A") if "id" in a.attributes]
    sentences = tuple(sentence for sentence in marked if sentence)
    return Found(name, place, "" if sentences else element.words(), sentences, ())


def _picked(element: Tagged, path: Path) -> Picked:
    place = Place(str(path), element.line)
    # Where a line of the file was broken, a name may have been broken with it.
    document = "".join(element.attributes.get("docid", "").split())
    if not document:
        raise FormatError(place, "S with docid=", "none")
    return Picked(document, numbered_sentence(element, path), element.words(), place)


def _name_of(element: Tagged, path: Path) -> SummaryName:
    given = {key: value.strip() for key, value in element.attributes.items()}
    docset, selector, person = docset_of(path.parent.name)
    if given.get("docset"):
        docset, selected, _ = docset_of(given["docset"])
        selector = selected or selector
    person = given.get("summarizer", "").upper() or person
    if not person:
        place = Place(str(path), element.line)
        raise FormatError(place, "SUM with SUMMARIZER=, or a folder like d061ja", path.parent.name)
    size = _LENGTH.fullmatch(path.name) or _LENGTH.fullmatch(given.get("size", ""))
    document = "".join(given.get("docref", "").split())
    return SummaryName(
        docset,
        "P" if document else "M",
        plain_length(size[1]) if size else "",
        given.get("selector", "").upper() or selector,
        person,
        document,
    )
