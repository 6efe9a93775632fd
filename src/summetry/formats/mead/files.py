"""The four kinds of files that MEAD keeps, each read by itself.

    <DOCSENT DID="D1" LANG="ENG"><BODY>
    <HEADLINE><S PAR="1" RSNT="1" SNO="1">Ferry hits pier</S></HEADLINE>
    <TEXT><S PAR="2" RSNT="1" SNO="2">A ferry struck the pier.</S></TEXT>
    </BODY></DOCSENT>

    <CLUSTER LANG="ENG"><D DID="D1" ORDER="1"/><D DID="D2" ORDER="2"/></CLUSTER>

    <EXTRACT QID="t1" LANG="ENG" COMPRESSION="10" SYSTEM="lead" RUN="Mon Apr 23 2003">
    <S ORDER="1" DID="D1" SNO="2"/>
    </EXTRACT>

    <SENT-JUDGE QID="t1">
    <S DID="D1" PAR="1" RSNT="1" SNO="1"><JUDGE N="ann" UTIL="10"/><JUDGE N="bob" UTIL="7"/></S>
    </SENT-JUDGE>

A sentence is named by its document (DID) and its number there (SNO, from 1). A document type may
stand in front; it is not looked at. Other elements and attributes are ignored.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from summetry.errors import FormatError, Place
from summetry.formats._xml import Element, read_xml
from summetry.records.base import Meta
from summetry.records.topics import Document

# How MEAD calls languages, where that is not their code.
LANGUAGES = {"ENG": "en", "CHIN": "zh"}
# What stands around a sentence in a file is no part of it.
BLANKS = " \t\r\n"
_LARGE = "names of attributes are in large letters"


@dataclass(frozen=True)
class DocSent:
    """A document, and which of its units has which SNO."""

    document: Document
    language: str
    numbers: dict[int, int]
    place: Place


@dataclass(frozen=True)
class Cluster:
    """A topic and the names of its documents."""

    id: str
    language: str
    documents: tuple[tuple[str, Place], ...]
    place: Place


class Named(NamedTuple):
    """A sentence as other files name it."""

    document: str
    number: int
    place: Place


@dataclass(frozen=True)
class ExtractFile:
    """Somebody's sentences, in the order in which they stand in the summary."""

    topic: str
    author: str
    sentences: tuple[Named, ...]
    meta: Meta
    place: Place


@dataclass(frozen=True)
class JudgeFile:
    """The sentences that were judged, each with what its judges gave."""

    topic: str
    sentences: tuple[tuple[Named, tuple[tuple[str, int | float], ...]], ...]
    place: Place


def read_docsent(path: Path) -> DocSent:
    root = _root(path, "DOCSENT")
    name = _attribute(root, "DID", path)
    units: list[str] = []
    numbers: dict[int, int] = {}
    last = 0
    for element in _sentences(root):
        place = Place(str(path), element.line)
        number = _number(element, "SNO", path)
        if number <= last:
            raise FormatError(place, f"S with SNO above {last}", f"SNO={str(number)!r}")
        if element.children:
            found = f"the element {element.children[0].name}"
            raise FormatError(place, "nothing but text in S", found, "write its text only")
        last = number
        numbers[number] = len(units)
        units.append(element.text.strip(BLANKS))
    meta = _document_meta(root, path)
    document = Document(name, units=tuple(units), meta=meta)
    return DocSent(document, _language(root), numbers, Place(str(path), root.line))


def read_cluster(path: Path) -> Cluster:
    root = _root(path, "CLUSTER")
    listed = root.named("D")
    if all("ORDER" in child.attributes for child in listed):
        listed.sort(key=lambda child: _number(child, "ORDER", path))
    documents = tuple(
        (_attribute(child, "DID", path), Place(str(path), child.line)) for child in listed
    )
    return Cluster(name_of(path), _language(root), documents, Place(str(path), root.line))


def read_extract(path: Path) -> ExtractFile:
    root = _root(path, "EXTRACT")
    found = [(_number(s, "ORDER", path), _named(s, path)) for s in root.named("S")]
    found.sort(key=lambda pair: pair[0])
    for (before, _), (order, sentence) in pairwise(found):
        if before == order:
            raise FormatError(sentence.place, "each ORDER once", f"ORDER={str(order)!r} again")
    meta = {
        name.lower(): root.attributes[name]
        for name in ("COMPRESSION", "RUN")
        if root.attributes.get(name)
    }
    return ExtractFile(
        root.attributes.get("QID", ""),
        root.attributes.get("SYSTEM", "") or name_of(path),
        tuple(sentence for _, sentence in found),
        meta,
        Place(str(path), root.line),
    )


def read_sentjudge(path: Path) -> JudgeFile:
    root = _root(path, "SENT-JUDGE")
    sentences = tuple(
        (
            _named(element, path),
            tuple((_attribute(j, "N", path), _utility(j, path)) for j in element.named("JUDGE")),
        )
        for element in root.named("S")
    )
    return JudgeFile(root.attributes.get("QID", ""), sentences, Place(str(path), root.line))


def name_of(path: Path) -> str:
    """The name that a file has been given: without its ending, %2F for a stroke and the like."""
    return "" if path.stem == "%" else unquote(path.stem)


def _root(path: Path, name: str) -> Element:
    root = read_xml(path)
    if root.name.upper() != name:
        raise FormatError(Place(str(path), root.line), f"the element {name}", root.name)
    return root


def _sentences(element: Element) -> Iterator[Element]:
    """All S of a document, however deep, in the order of the file."""
    for child in element.children:
        if child.name.upper() == "S":
            yield child
        else:
            yield from _sentences(child)


def _document_meta(root: Element, path: Path) -> Meta:
    """What a document holds besides its sentences, so that it can be written again."""
    meta: Meta = {
        key: root.attributes[name]
        for name, key in (("DOCNO", "docno"), ("CORR-DOC", "corr_doc"))
        if root.attributes.get(name)
    }
    headline = [
        s for body in root.named("BODY") for h in body.named("HEADLINE") for s in h.named("S")
    ]
    if headline:
        meta["headline"] = len(headline)
    sentences = list(_sentences(root))
    if any(s.attributes.get("PAR", "1") != "1" for s in sentences):
        meta["paragraphs"] = [_number(s, "PAR", path) for s in sentences]
    return meta


def _named(element: Element, path: Path) -> Named:
    place = Place(str(path), element.line)
    return Named(_attribute(element, "DID", path), _number(element, "SNO", path), place)


def _attribute(element: Element, name: str, path: Path) -> str:
    found = element.attributes.get(name)
    if found is None:
        others = ", ".join(element.attributes) or "none"
        advice = _LARGE if name.lower() in map(str.lower, element.attributes) else ""
        place = Place(str(path), element.line)
        raise FormatError(place, f"{element.name} with {name}=", others, advice)
    return found


def _number(element: Element, name: str, path: Path) -> int:
    found = _attribute(element, name, path).strip()
    if not re.fullmatch("0*[1-9][0-9]{0,8}", found):
        wanted = f"{element.name} with {name} of 1 or more"
        raise FormatError(Place(str(path), element.line), wanted, f"{name}={found!r}")
    return int(found)


def _utility(judge: Element, path: Path) -> int | float:
    found = _attribute(judge, "UTIL", path).strip()
    place = Place(str(path), judge.line)
    try:
        value = int(found) if re.fullmatch("[+-]?[0-9]{1,18}", found) else float(found)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise FormatError(place, "JUDGE with a number as UTIL", f"UTIL={found!r}")
    return value


def _language(root: Element) -> str:
    found = root.attributes.get("LANG", "").strip()
    return LANGUAGES.get(found.upper(), found.lower())
