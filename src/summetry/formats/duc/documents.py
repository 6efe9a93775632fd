"""The documents of DUC and TAC: SGML, cut into sentences or as running text.

    <DOC>
    <DOCNO> AP880101-0001 </DOCNO>
    <HEAD>Ferry Hits Pier</HEAD>
    <TEXT>
    <s docid="AP880101-0001" num="1" wdcount="5"> A ferry struck the pier.</s>
    <s docid="AP880101-0001" num="2" wdcount="3"> Nobody was hurt.</s>
    </TEXT>
    </DOC>

Where there are sentences they are the units, those of the headline included, since ``num`` counts
them too. Otherwise the text is that of TEXT, its paragraphs apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from summetry.errors import FormatError, Place, SummetryError
from summetry.formats._base import first_bytes
from summetry.formats._xml import attribute, content
from summetry.formats.duc.markup import Tagged, read_markup
from summetry.records.base import Meta
from summetry.records.topics import Document

_START = re.compile(rb"\s*(?:<\?[^>]*>\s*|<!DOCTYPE\b[^>\[]*>\s*)*<DOC[\s>]", re.IGNORECASE)
_HEADLINES = ("HEADLINE", "HEAD", "HL", "H3")
# What comes before TEXT is no part of it, and yet may be the whole of a short document.
_TEXTS = ("TEXT", "LEADPARA", "LP")
_PARAGRAPH = re.compile(r"\n\s*\n|\n(?=[ \t]{2,}\S)")
_DATED = re.compile(r"_(\d{4})(\d{2})(\d{2})\.\d+$")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class Source:
    """A document, and which of its units has which ``num``."""

    document: Document
    place: Place
    numbers: dict[int, int] = field(default_factory=dict)


def is_document(path: Path) -> bool:
    return bool(_START.match(first_bytes(path, 2048)))


def read_documents(path: Path) -> list[Source]:
    """The documents of a file, in order."""
    found = [_source(element, path) for element in read_markup(path).all("DOC")]
    if not found:
        raise FormatError(Place(str(path), 1), "the element DOC", "none")
    return found


def numbered_sentence(element: Tagged, path: Path) -> int:
    """The number of a sentence in its document, from 1."""
    found = element.attributes.get("num", "")
    if not re.fullmatch(r"[0-9]{1,9}", found.strip()) or not int(found):
        given = f"num={found!r}" if found else "no num"
        raise FormatError(Place(str(path), element.line), "S with a num of 1 or more", given)
    return int(found)


def written_document(document: Document) -> Iterator[str]:
    """The lines of a document in sentences, from which it can be read again."""
    name = attribute(document.id)
    yield from _written_head(document)
    first = headline_units(document)
    yield "<HEAD>\n" if first else "<TEXT>\n"
    for number, unit in enumerate(document.units):
        if first and number == first:
            yield "</HEAD>\n<TEXT>\n"
        words = f'docid={name} num="{number + 1}" wdcount="{len(unit.split())}"'
        yield f"<s {words}> {content(unit)}</s>\n"
    if first and first == len(document.units):
        yield "</HEAD>\n<TEXT>\n"
    yield "</TEXT>\n</DOC>\n"


def written_running_text(document: Document) -> Iterator[str]:
    """The lines of a document that is not cut into sentences, from which it can be read again."""
    yield from _written_head(document)
    title = document.meta.get("title")
    if title:
        yield f"<HEAD> {content(str(title))} </HEAD>\n"
    yield "<TEXT>\n"
    for paragraph in document.text.split("\n\n"):
        yield f"<P>{content(paragraph)}</P>\n"
    yield "</TEXT>\n</DOC>\n"


def _written_head(document: Document) -> Iterator[str]:
    if not document.id or document.id != " ".join(document.id.split()):
        raise SummetryError(
            f"the document {document.id!r} cannot be named in DOCNO, around which blanks do not "
            f"count; rename it, or use another format"
        )
    yield f"<DOC>\n<DOCNO> {content(document.id)} </DOCNO>\n"
    if document.date:
        yield f"<DATE> {content(document.date)} </DATE>\n"


def headline_units(document: Document) -> int:
    """How many units stand in front of the text, where reading the document told it."""
    found = document.meta.get("headline")
    return found if type(found) is int and 0 < found <= len(document.units) else 0


def _source(element: Tagged, path: Path) -> Source:
    place = Place(str(path), element.line)
    given = (element.attributes.get(key, "").strip() for key in ("id", "docid", "docno"))
    name = element.first("DOCNO", "DOCID") or next(filter(None, given), "")
    if not name:
        raise FormatError(place, "DOC with DOCNO or id=", "neither")
    sentences = [s for s in element.all("S") if s.words() or "num" in s.attributes]
    if sentences:
        numbers = _numbers(sentences, path)
        units = tuple(sentence.words() for sentence in sentences)
        in_text = {id(s) for text in element.all("TEXT") for s in text.all("S")}
        inside = sum(id(sentence) in in_text for sentence in sentences)
        meta: Meta = {"headline": len(units) - inside} if 0 < inside < len(units) else {}
        return Source(Document(name, _date(element, name), units=units, meta=meta), place, numbers)
    headline = element.first(*_HEADLINES)
    meta = {"title": headline} if headline else {}
    return Source(Document(name, _date(element, name), _running_text(element), meta=meta), place)


def _numbers(sentences: Sequence[Tagged], path: Path) -> dict[int, int]:
    numbers: dict[int, int] = {}
    last = 0
    for position, element in enumerate(sentences):
        number = numbered_sentence(element, path)
        if number <= last:
            place = Place(str(path), element.line)
            raise FormatError(place, f"S with num above {last}", f"num={str(number)!r}")
        last = number
        numbers[number] = position
    return numbers


def _running_text(element: Tagged) -> str:
    paragraphs = (
        " ".join(part.split())
        for text in element.all(*_TEXTS)
        for part in _PARAGRAPH.split(_laid_out(text))
    )
    return "\n\n".join(filter(None, paragraphs))


def _laid_out(text: Tagged) -> str:
    """The text with an empty line where a paragraph begins."""
    return "".join(
        part if isinstance(part, str) else "\n\n" if part.name == "P" else ""
        for part in text.walk()
    )


def _date(element: Tagged, name: str) -> str:
    """The day that the document gives as year, month and day, itself or in its name."""
    written = element.first("DATE")
    if _DAY.fullmatch(written):
        return written
    found = _DATED.search(name)
    return "-".join(found.groups()) if found else ""
