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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

from summetry.errors import FormatError, Place
from summetry.formats._numbered import NamedSentence, NumberedDocument, number_units
from summetry.formats._xml import Element, read_xml
from summetry.records.base import Meta, Number
from summetry.records.topics import Document

# How MEAD calls languages, where that is not their code.
LANGUAGES = {"ENG": "en", "CHIN": "zh"}
# What stands around a sentence in a file is no part of it.
BLANKS = " \t\r\n"
_LARGE = "names of attributes are in large letters"


@dataclass(frozen=True)
class Cluster:
    """A topic and the names of its documents."""

    id: str
    language: str
    documents: tuple[tuple[str, Place], ...]
    place: Place


@dataclass(frozen=True)
class ExtractFile:
    """Chosen sentences, in the order in which they stand in the summary."""

    topic: str
    author: str
    sentences: tuple[NamedSentence, ...]
    meta: Meta
    place: Place


@dataclass(frozen=True)
class JudgeFile:
    """The sentences that were judged, each with what its judges gave."""

    topic: str
    sentences: tuple[tuple[NamedSentence, tuple[tuple[str, Number], ...]], ...]
    place: Place


def read_docsent(path: Path) -> NumberedDocument:
    root = _root(path, "DOCSENT")
    name = _attribute(root, "DID")
    sentences = list(_sentences(root))
    numbers = number_units(((_number(s, "SNO"), s.place) for s in sentences), "SNO")
    for sentence in sentences:
        if sentence.children:
            found = f"the element {sentence.children[0].name}"
            raise FormatError(sentence.place, "nothing but text in S", found, "write its text only")
    units = tuple(sentence.text.strip(BLANKS) for sentence in sentences)
    document = Document(name, units=units, meta=_document_meta(root, sentences))
    return NumberedDocument(document, root.place, numbers, _language(root))


def read_cluster(path: Path) -> Cluster:
    root = _root(path, "CLUSTER")
    listed = root.named("D")
    if all("ORDER" in child.attributes for child in listed):
        listed.sort(key=lambda child: _number(child, "ORDER"))
    documents = tuple((_attribute(child, "DID"), child.place) for child in listed)
    return Cluster(name_of(path), _language(root), documents, root.place)


def read_extract(path: Path) -> ExtractFile:
    root = _root(path, "EXTRACT")
    ordered = [(_number(s, "ORDER"), _named(s)) for s in root.named("S")]
    ordered.sort(key=lambda pair: pair[0])
    for (before, _), (order, sentence) in pairwise(ordered):
        if before == order:
            raise FormatError(sentence.place, "each ORDER once", f"ORDER={str(order)!r} again")
    return ExtractFile(
        root.attributes.get("QID", ""),
        root.attributes.get("SYSTEM", "") or name_of(path),
        tuple(sentence for _, sentence in ordered),
        _meta(root, "COMPRESSION", "RUN"),
        root.place,
    )


def read_sentjudge(path: Path) -> JudgeFile:
    root = _root(path, "SENT-JUDGE")
    sentences = tuple(
        (
            _named(element),
            tuple((_attribute(judge, "N"), _utility(judge)) for judge in element.named("JUDGE")),
        )
        for element in root.named("S")
    )
    return JudgeFile(root.attributes.get("QID", ""), sentences, root.place)


def name_of(path: Path) -> str:
    """The name that a file has been given: without its ending, %2F for a stroke and the like."""
    return "" if path.stem == "%" else unquote(path.stem)


def _root(path: Path, name: str) -> Element:
    root = read_xml(path)
    if root.name.upper() != name:
        raise FormatError(root.place, f"the element {name}", root.name)
    return root


def _sentences(element: Element) -> Iterator[Element]:
    """All S of a document, however deep, in the order of the file."""
    for child in element.children:
        if child.name.upper() == "S":
            yield child
        else:
            yield from _sentences(child)


def _meta(root: Element, *names: str) -> Meta:
    """Attributes that are kept so that they can be written again."""
    return {
        name.lower().replace("-", "_"): root.attributes[name]
        for name in names
        if root.attributes.get(name)
    }


def _document_meta(root: Element, sentences: Sequence[Element]) -> Meta:
    """What a document holds besides its sentences, so that it can be written again."""
    meta = _meta(root, "DOCNO", "CORR-DOC")
    headline = [
        s for body in root.named("BODY") for h in body.named("HEADLINE") for s in h.named("S")
    ]
    if headline:
        meta["headline"] = len(headline)
    if any(s.attributes.get("PAR", "1") != "1" for s in sentences):
        meta["paragraphs"] = [_number(s, "PAR") for s in sentences]
    return meta


def _named(element: Element) -> NamedSentence:
    return NamedSentence(_attribute(element, "DID"), _number(element, "SNO"), "", element.place)


def _attribute(element: Element, name: str) -> str:
    value = element.attributes.get(name)
    if value is None:
        others = ", ".join(element.attributes) or "none"
        advice = _LARGE if name.lower() in map(str.lower, element.attributes) else ""
        raise FormatError(element.place, f"{element.name} with {name}=", others, advice)
    return value


def _number(element: Element, name: str) -> int:
    written = _attribute(element, name).strip()
    if not re.fullmatch("0*[1-9][0-9]{0,8}", written):
        expected = f"{element.name} with {name} of 1 or more"
        raise FormatError(element.place, expected, f"{name}={written!r}")
    return int(written)


def _utility(judge: Element) -> Number:
    written = _attribute(judge, "UTIL").strip()
    try:
        value = int(written) if re.fullmatch("[+-]?[0-9]{1,18}", written) else float(written)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise FormatError(judge.place, "JUDGE with a number as UTIL", f"UTIL={written!r}")
    return value


def _language(root: Element) -> str:
    written = root.attributes.get("LANG", "").strip()
    return LANGUAGES.get(written.upper(), written.lower())
