"""The summaries of DUC 2002: people's in SUM elements, systems' one per file.

    <SUM DOCSET="d061j" TYPE="PERDOC" SIZE="100" DOCREF="AP880101-0001" SELECTOR="J"
     SUMMARIZER="A"> A ferry struck the pier. </SUM>                            an abstract

    <SUM DOCSET="d061j" TYPE="MULTI-E" SIZE="200" SELECTOR="J" SUMMARIZER="A">
    <s docid="AP880101-0001" num="1" wdcount="5"> A ferry struck the pier.</s> </SUM>  an extract

    <a name="1">[1]</a> <a href="#1" id=1>A ferry struck the pier.</a>          a system's, SEE

What a SUM does not say is taken from its folder (``d061ja``: docset, selector, person) and from
the file's own name (``200e``: an extract of 200 words). A system's file is named as in
``names.py`` and holds SEE, sentences with ``docid`` and ``num``, or plain text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from summetry.errors import FormatError, Place
from summetry.formats._base import first_bytes
from summetry.formats._numbered import NamedSentence
from summetry.formats.duc.documents import sentence_number
from summetry.formats.duc.markup import Tagged, read_markup
from summetry.formats.duc.names import SummaryName, parse_name, plain_length

_SUM = re.compile(rb"<SUM[\s>]", re.IGNORECASE)
_DOCSET = re.compile(r"([A-Za-z]*[0-9]+)([A-Za-z])?([A-Za-z])?")
_LENGTH = re.compile(r"0*([1-9][0-9]*[eE]?)")


class DucSummary(NamedTuple):
    """A summary: a text, sentences, or sentences that were picked from documents."""

    name: SummaryName
    place: Place
    text: str = ""
    sentences: tuple[str, ...] = ()
    picked: tuple[NamedSentence, ...] = ()

    def lines(self) -> tuple[str, ...]:
        """The words of the summary, sentence by sentence where these are known."""
        return self.sentences or tuple(one.text for one in self.picked) or (self.text,)


def docset_of(folder: str) -> tuple[str, str, str]:
    """Docset, selector and person that a folder is named by.

    >>> docset_of("d061ja"), docset_of("D061")
    (('D061', 'J', 'A'), ('D061', '', ''))
    """
    match = _DOCSET.fullmatch(folder)
    if not match:
        return folder, "", ""
    return match[1].upper(), (match[2] or "").upper(), (match[3] or "").upper()


def holds_summaries(path: Path) -> bool:
    return parse_name(path.name) is not None or bool(_SUM.search(first_bytes(path, 4096)))


def read_summaries(path: Path) -> Iterator[DucSummary]:
    """The summaries of a file."""
    root = read_markup(path)
    listed = list(root.all("SUM"))
    name = parse_name(path.name)
    for element in listed:
        yield _summary(element, _name_of(element, path))
    if name and not listed:
        docset, selector, _ = docset_of(name.docset)
        yield _summary(root, name._replace(docset=docset, selector=name.selector or selector))


def _summary(element: Tagged, name: SummaryName) -> DucSummary:
    picked = tuple(_picked(s) for s in element.all("S") if s.attributes)
    if picked:
        length = f"{name.length.removesuffix('e')}e" if name.length else ""
        return DucSummary(name._replace(length=length), element.place, picked=picked)
    marked = [a.words() for a in element.all("A") if "id" in a.attributes]
    sentences = tuple(sentence for sentence in marked if sentence)
    return DucSummary(name, element.place, "" if sentences else element.words(), sentences)


def _picked(element: Tagged) -> NamedSentence:
    # Where a line of the file was broken, a name may have been broken with it.
    document = "".join(element.attributes.get("docid", "").split())
    if not document:
        raise FormatError(element.place, "S with docid=", "none")
    return NamedSentence(document, sentence_number(element), element.words(), element.place)


def _name_of(element: Tagged, path: Path) -> SummaryName:
    attributes = {key: value.strip() for key, value in element.attributes.items()}
    docset, selector, person = docset_of(path.parent.name)
    if attributes.get("docset"):
        docset, selected, _ = docset_of(attributes["docset"])
        selector = selected or selector
    person = attributes.get("summarizer", "").upper() or person
    if not person:
        expected = "SUM with SUMMARIZER=, or a folder like d061ja"
        raise FormatError(element.place, expected, path.parent.name)
    size = _LENGTH.fullmatch(path.name) or _LENGTH.fullmatch(attributes.get("size", ""))
    document = "".join(attributes.get("docref", "").split())
    return SummaryName(
        docset,
        "P" if document else "M",
        plain_length(size[1]) if size else "",
        attributes.get("selector", "").upper() or selector,
        person,
        document,
    )
