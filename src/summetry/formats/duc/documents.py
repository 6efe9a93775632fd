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
from pathlib import Path

from summetry.errors import FormatError, Place
from summetry.formats._base import first_bytes
from summetry.formats._numbered import NumberedDocument, number_units
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


def is_document(path: Path) -> bool:
    return bool(_START.match(first_bytes(path, 2048)))


def read_documents(path: Path) -> list[NumberedDocument]:
    """The documents of a file, in order."""
    documents = [_document(element) for element in read_markup(path).all("DOC")]
    if not documents:
        raise FormatError(Place(str(path), 1), "the element DOC", "none")
    return documents


def sentence_number(element: Tagged) -> int:
    """The number of a sentence in its document, from 1."""
    written = element.attributes.get("num", "")
    if not re.fullmatch(r"[0-9]{1,9}", written.strip()) or not int(written):
        found = f"num={written!r}" if written else "no num"
        raise FormatError(element.place, "S with a num of 1 or more", found)
    return int(written)


def _document(element: Tagged) -> NumberedDocument:
    written = (element.attributes.get(key, "").strip() for key in ("id", "docid", "docno"))
    name = element.first("DOCNO", "DOCID") or next(filter(None, written), "")
    if not name:
        raise FormatError(element.place, "DOC with DOCNO or id=", "neither")
    date = _date(element, name)
    sentences = [s for s in element.all("S") if s.words() or "num" in s.attributes]
    if sentences:
        numbers = number_units(((sentence_number(s), s.place) for s in sentences), "num")
        units = tuple(sentence.words() for sentence in sentences)
        in_text = {id(s) for text in element.all("TEXT") for s in text.all("S")}
        inside = sum(id(sentence) in in_text for sentence in sentences)
        meta: Meta = {"headline": len(units) - inside} if 0 < inside < len(units) else {}
        return NumberedDocument(
            Document(name, date, units=units, meta=meta), element.place, numbers
        )
    headline = element.first(*_HEADLINES)
    meta = {"title": headline} if headline else {}
    return NumberedDocument(Document(name, date, _running_text(element), meta=meta), element.place)


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
    dated = _DATED.search(name)
    return "-".join(dated.groups()) if dated else ""
