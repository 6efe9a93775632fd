"""What MEAD, the summarizer of Radev and others, keeps: documents, extracts, judges' utilities.

    corpus/t1/t1.cluster                 the topic t1: the names of its documents
    corpus/t1/docsent/D1.docsent         a document, sentence by sentence
    corpus/t1/t1.sentjudge               what judges gave each sentence: utilities
    corpus/t1/candidates/lead.extract    what a system extracted; in references/ (or models/) it is
                                         a reference,
    corpus/t1/informants/ann.extract     in informants/ the choice of a person

Files are told apart by their endings, and belong to the cluster in their folder or in the nearest
one above. A document that is in no cluster is a topic of its own. A single docsent file is a topic
without summaries. What is inside of the files:

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
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote

from summetry.errors import FormatError, Place, did_you_mean
from summetry.formats._base import FORMATS, Format, ReadOptions, first_bytes, visible_files
from summetry.formats._numbered import NamedSentence, NumberedDocument, number_units, unit_of
from summetry.formats._writing import must_be_folder, warn_not_written, write_folder
from summetry.formats._xml import Element, opening_names, read_xml
from summetry.formats.mead.writing import BLANKS, HELD, LANGUAGES, by_fields, lost_in, written_files
from summetry.formats.texts import number_in
from summetry.records.base import Meta, Number
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.judgments import Utilities
from summetry.records.summaries import Extract, Role, Summary
from summetry.records.topics import Document, Topic

_ROOTS = ("DOCSENT", "CLUSTER", "EXTRACT", "SENT-JUDGE")
_ENDINGS = (".docsent", ".cluster", ".extract", ".sentjudge")
_REFERENCES = ("references", "models")
# What each judge gave a sentence.
_Given = list[tuple[str, Number]]


@FORMATS.register
@dataclass(frozen=True)
class Mead(Format):
    """The files of MEAD: clusters of documents, extracts and sentence judgments."""

    name: ClassVar[str] = "mead"
    title: ClassVar[str] = "MEAD's XML: documents, clusters, extracts and judges' utilities"
    can_write: ClassVar[bool] = True
    keeps_units: ClassVar[bool] = True

    def recognise(self, path: Path) -> bool:
        if path.is_dir():
            # A folder of clusters, or that of one.
            patterns = ("*.docsent", "docsent/*.docsent", "*/*.docsent", "*/docsent/*.docsent")
            return any(any(path.glob(pattern)) for pattern in patterns)
        return _kind(path) in _ROOTS

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        if path.is_file():
            if _kind(path) in _ROOTS[1:]:
                advice = "give the folder, which holds the documents too"
                raise FormatError(Place(str(path)), "a folder or a DOCSENT", _kind(path), advice)
            builder.add("topics", *_own_topic(_read_docsent(path)))
            return builder.build()
        areas = _areas(path, builder)
        for area in areas:
            area.read_topics()
        for area in areas:
            area.read_choices()
        return builder.build()

    def write(self, corpus: Corpus, path: Path) -> None:
        must_be_folder(path, _ENDINGS, "found the name of a file")
        write_folder(written_files(corpus), path, visible_files(path, _ENDINGS))
        warn_not_written(by_fields(corpus), HELD, path, self.name, lost_in(corpus))


def _kind(path: Path) -> str:
    """The name of the first element of a file, in large letters."""
    return "".join(opening_names(first_bytes(path))[:1]).upper()


def _own_topic(numbered: NumberedDocument) -> tuple[Topic, Place]:
    """The topic of a document that is in no cluster."""
    document = numbered.document
    return Topic(document.id, language=numbered.language, documents=(document,)), numbered.place


def _areas(folder: Path, builder: CorpusBuilder) -> list[_Area]:
    """The files of a folder by the nearest folder that has a cluster, or all in one."""
    files = visible_files(folder, _ENDINGS)
    with_cluster = {path.parent for path in files if path.suffix.lower() == ".cluster"}
    groups: dict[Path, list[Path]] = {}
    for path in files:
        home = next((above for above in path.parents if above in with_cluster), folder)
        groups.setdefault(home, []).append(path)
    return [_Area(builder, group) for group in groups.values()]


@dataclass
class _Area:
    """Files below one folder with clusters, and what is known after reading some of them.

    The name of a document means something only within such an area.
    """

    builder: CorpusBuilder
    files: Sequence[Path]
    documents: dict[str, NumberedDocument] = field(default_factory=dict)
    topics: dict[str, tuple[NumberedDocument, ...]] = field(default_factory=dict)
    # The topics that each document is in, by the names of both.
    homes: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def read_topics(self) -> None:
        """Documents and clusters; they must be read, in all areas, before what refers to them."""
        self._each(".docsent", self._add_document)
        self._each(".cluster", self._add_cluster)
        for name, document in self.documents.items():
            if name not in self.homes:
                topic, place = _own_topic(document)
                self._add_topic(topic, (document,), place)

    def read_choices(self) -> None:
        """Extracts and judgments."""
        self._each(".extract", self._add_extract)
        self._each(".sentjudge", self._add_judgments)

    def _each(self, ending: str, add: Callable[[Path], None]) -> None:
        for file in self.files:
            if file.suffix.lower() == ending:
                with self.builder.reporting():
                    add(file)

    def _add_document(self, path: Path) -> None:
        document = _read_docsent(path)
        name = document.document.id
        first = self.documents.setdefault(name, document)
        if first is not document:
            found = f"a second one, the first is {first.place}"
            raise FormatError(document.place, f"one document {name!r}", found)

    def _add_cluster(self, path: Path) -> None:
        root = _root(path, "CLUSTER")
        listed = root.named("D")
        if all("ORDER" in child.attributes for child in listed):
            listed.sort(key=lambda child: _number(child, "ORDER"))
        documents: dict[str, NumberedDocument] = {}
        for child in listed:
            name = child.required("DID")
            if name not in self.documents:
                hint = did_you_mean(name, self.documents).strip()
                expected = "a document that has a docsent file"
                raise FormatError(child.place, expected, repr(name), hint)
            if name in documents:
                raise FormatError(child.place, "each document once", f"{name!r} again")
            documents[name] = self.documents[name]
        spoken = {document.language for document in documents.values()}
        language = _language(root) or (spoken.pop() if len(spoken) == 1 else "")
        held = tuple(known.document for known in documents.values())
        topic = Topic(_name_of(path), language=language, documents=held)
        self._add_topic(topic, tuple(documents.values()), root.place)

    def _add_topic(
        self, topic: Topic, documents: tuple[NumberedDocument, ...], place: Place
    ) -> None:
        self.topics[topic.id] = documents
        for known in documents:
            self.homes[known.document.id].add(topic.id)
        self.builder.add("topics", topic, place)

    def _add_extract(self, path: Path) -> None:
        root = _root(path, "EXTRACT")
        ordered = [(_number(s, "ORDER"), _named(s)) for s in root.named("S")]
        ordered.sort(key=lambda pair: pair[0])
        for (before, _), (order, sentence) in pairwise(ordered):
            if before == order:
                raise FormatError(sentence.place, "each ORDER once", f"ORDER={str(order)!r} again")
        sentences = [sentence for _, sentence in ordered]
        topic = self._topic(root, sentences, root.place)
        units = tuple(self._unit(topic, sentence) for sentence in sentences)
        author = root.attributes.get("SYSTEM", "") or _name_of(path)
        meta = _meta(root, "COMPRESSION", "RUN")
        # The folder says who chose: MEAD's files do not.
        folder = path.parent.name.lower()
        if folder == "informants":
            self.builder.add("extracts", Extract(topic, author, units, meta), root.place)
        else:
            role: Role = "reference" if folder in _REFERENCES else "candidate"
            summary = Summary(topic, author, role, units=units, meta=meta)
            self.builder.add("summaries", summary, root.place)

    def _add_judgments(self, path: Path) -> None:
        root = _root(path, "SENT-JUDGE")
        judged: list[tuple[NamedSentence, _Given]] = [
            (_named(s), [(judge.required("N"), _utility(judge)) for judge in s.named("JUDGE")])
            for s in root.named("S")
        ]
        # By topic, which is a cluster, or each document by itself.
        groups: dict[str, list[tuple[int, NamedSentence, _Given]]] = {}
        for sentence, values in judged:
            with self.builder.reporting():
                topic = self._topic(root, (sentence,), sentence.place)
                unit = self._unit(topic, sentence)
                groups.setdefault(topic, []).append((unit, sentence, values))
        for topic, sentences in groups.items():
            with self.builder.reporting():
                self._add_utilities(topic, sentences, root.place)

    def _add_utilities(
        self, topic: str, sentences: list[tuple[int, NamedSentence, _Given]], place: Place
    ) -> None:
        by_judge: dict[str, dict[int, Number]] = {}
        for unit, sentence, values in sentences:
            for judge, value in values:
                by_unit = by_judge.setdefault(judge, {})
                if unit in by_unit:
                    expected = f"one UTIL of judge {judge!r} for each sentence"
                    raise FormatError(sentence.place, expected, "a second one")
                by_unit[unit] = value
        names = [
            f"SNO {number} of document {known.document.id!r}"
            for known in self.topics[topic]
            for number in known.numbers
        ]
        for judge, by_unit in by_judge.items():
            missing = [name for unit, name in enumerate(names) if unit not in by_unit]
            if missing:
                expected = f"a UTIL of judge {judge!r} for every sentence of topic {topic!r}"
                self.builder.report(FormatError(place, expected, f"none for {missing[0]}"))
            else:
                worth = tuple(by_unit[unit] for unit in range(len(names)))
                self.builder.add("utilities", Utilities(topic, judge, worth), place)

    def _topic(self, root: Element, sentences: Sequence[NamedSentence], place: Place) -> str:
        """The topic that QID names, or else the one that has all the documents."""
        qid = root.attributes.get("QID", "")
        if qid in self.topics:
            return qid
        documents = {sentence.document for sentence in sentences}
        homes = [self.homes.get(name, set()) for name in documents]
        common = set.intersection(*homes) if homes else set()
        if len(common) == 1:
            return common.pop()
        found = f"QID={qid!r}" + (f" and documents of {len(common)} topics" if documents else "")
        hint = did_you_mean(qid, self.topics).strip()
        raise FormatError(place, "a QID that names a topic, or documents of one", found, hint)

    def _unit(self, topic: str, sentence: NamedSentence) -> int:
        return unit_of(sentence, self.topics[topic], topic, ("DID", "SNO"))


def _read_docsent(path: Path) -> NumberedDocument:
    root = _root(path, "DOCSENT")
    name = root.required("DID")
    sentences = list(_sentences(root))
    numbers = number_units(((_number(s, "SNO"), s.place) for s in sentences), "SNO")
    for sentence in sentences:
        if sentence.children:
            found = f"the element {sentence.children[0].name}"
            raise FormatError(sentence.place, "nothing but text in S", found, "write its text only")
    units = tuple(sentence.text.strip(BLANKS) for sentence in sentences)
    document = Document(name, units=units, meta=_document_meta(root, sentences))
    return NumberedDocument(document, root.place, numbers, _language(root))


def _name_of(path: Path) -> str:
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
    return NamedSentence(element.required("DID"), _number(element, "SNO"), "", element.place)


def _number(element: Element, name: str) -> int:
    written = element.required(name).strip()
    if not re.fullmatch("0*[1-9][0-9]{0,8}", written):
        expected = f"{element.name} with {name} of 1 or more"
        raise FormatError(element.place, expected, f"{name}={written!r}")
    return int(written)


def _utility(judge: Element) -> Number:
    written = judge.required("UTIL").strip()
    is_whole = re.fullmatch("[+-]?[0-9]{1,18}", written)
    value = int(written) if is_whole else number_in(written)
    if value is None or not math.isfinite(value):
        raise FormatError(judge.place, "JUDGE with a number as UTIL", f"UTIL={written!r}")
    return value


def _language(root: Element) -> str:
    written = root.attributes.get("LANG", "").strip()
    return LANGUAGES.get(written.upper(), written.lower())
