"""A corpus as files of DUC 2002: documents, a file a summary, and the table of coverage scores.

Topics must be named as reading names them: ``D061``, ``D061.M.100``, ``D061.P.100.DOCUMENT``.
People's summaries are written beside the systems', each to a file of its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from summetry.errors import Place, SummetryError
from summetry.formats._writing import file_name, losses
from summetry.formats._xml import attribute, content
from summetry.formats.duc.documents import headline_units, written_document, written_running_text
from summetry.formats.duc.names import SummaryName, role_of, spell
from summetry.formats.duc.results import is_results_name, written_results
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.records.topics import Document, Topic

# What of a corpus these files can hold.
HELD = {
    "topics": {"id", "group", "documents", "meta"},
    "summaries": {"topic", "author", "role", "text", "sentences", "units"},
    "judgments": {"topic", "author", "judge", "dimension", "value", "meta"},
}
_DOCSET = r"(?P<docset>[A-Z]*[0-9]+)"
_LENGTH = r"(?:\.(?P<length>[1-9][0-9]*e?))?"
_TOPICS = (
    re.compile(_DOCSET),
    re.compile(rf"{_DOCSET}\.(?P<kind>M){_LENGTH}"),
    re.compile(rf"{_DOCSET}\.(?P<kind>P){_LENGTH}\.(?P<document>.+)", re.DOTALL),
)
_RESULTS = "short.results.table"


def written_files(corpus: Corpus) -> tuple[dict[str, str], list[str]]:
    """The content of every file, and in words what is in none of them."""
    writer = _Writer(corpus)
    for topic in corpus.topics:
        writer.add_topic(topic)
    for summary in corpus.summaries:
        writer.add_summary(summary)
    writer.add_documents()
    writer.add_results()
    return writer.files, losses(writer.lost)


def parse_topic(topic: Topic) -> SummaryName:
    """What a topic's name says, and who selected its documents.

    >>> parse_topic(Topic("D061.P.100.AP880101-0001", meta={"selector": "J"}))[:4]
    ('D061', 'P', '100', 'J')
    """
    found = next(filter(None, (way.fullmatch(topic.id) for way in _TOPICS)), None)
    parts = found.groupdict() if found else {}
    document = parts.get("document") or ""
    if not found or document != "".join(document.split()) or re.fullmatch("-+", document):
        raise SummetryError(
            f"the format 'duc' holds topics that are named like D061, D061.M.100 or "
            f"D061.P.100.DOCUMENT, found {topic.id!r}; use another format"
        )
    selector = topic.meta.get("selector")
    known = selector if isinstance(selector, str) and re.fullmatch("[A-Z]", selector) else ""
    kind, length = parts.get("kind") or "", parts.get("length") or ""
    return SummaryName(parts["docset"] or "", kind, length, known, "", document)


@dataclass
class _Docset:
    """What the topics of a docset have in common."""

    selector: str = ""
    documents: dict[str, Document] = field(default_factory=dict)
    # Whether sentences are referred to by their numbers.
    is_extracted: bool = False


@dataclass
class _Writer:
    """The files so far, and how much of what is in none of them."""

    corpus: Corpus
    files: dict[str, str] = field(default_factory=dict)
    lost: Counter[tuple[str, str]] = field(default_factory=Counter)
    names: dict[str, SummaryName] = field(default_factory=dict)
    docsets: dict[str, _Docset] = field(default_factory=dict)

    def add_topic(self, topic: Topic) -> None:
        name = self.names[topic.id] = parse_topic(topic)
        docset = self.docsets.setdefault(name.docset, _Docset())
        docset.selector = docset.selector or name.selector
        for document in topic.documents:
            if document.id.split() != [document.id]:
                raise SummetryError(
                    f"the document {document.id!r} of topic {topic.id!r} cannot be named in DUC's "
                    f"files; expected a name without blanks"
                )
            if docset.documents.setdefault(document.id, document) != document:
                raise SummetryError(
                    f"two documents {document.id!r} of docset {name.docset!r} differ; "
                    f"expected one, or another docset for the second"
                )

    def add_summary(self, summary: Summary) -> None:
        name = self.names[summary.topic]._replace(author=summary.author)
        name = name._replace(selector=self.docsets[name.docset].selector)
        if not name.kind:
            self.lost["summary", "of a whole docset without a length"] += 1
            return
        file = f"SEEpeers/{spell(name)}.html"
        if file in self.files:
            raise SummetryError(
                f"{summary.author!r} has two summaries of topic {summary.topic!r}, which would "
                f"have one name"
            )
        self.lost["role", "that the name of the author does not tell"] += summary.role != role_of(
            summary.author
        )
        self.files[file] = "".join(self._lines(summary, name))

    def _lines(self, summary: Summary, name: SummaryName) -> Iterator[str]:
        topic = self.corpus.topic(summary.topic)
        if summary.units and self._can_be_extracted(topic, name):
            self.docsets[name.docset].is_extracted = True
            self.lost["text", "of extracts"] += bool(summary.text)
            yield from _extract(topic, summary.units)
            return
        if summary.units is not None:
            self.lost["extract", "as units, its topic being none of extracts (200e)"] += 1
        given = list(self.corpus.sentences_of(summary) or ())
        sentences = [plain for sentence in given if (plain := _plain(sentence))]
        text = self.corpus.text_of(summary)
        yield from _see(sentences) if sentences else [f"{content(_plain(text))}\n"]
        is_changed = sentences != given if given else text != _plain(text)
        self.lost["summary", "with other blanks than one between words"] += is_changed

    @staticmethod
    def _can_be_extracted(topic: Topic, name: SummaryName) -> bool:
        """Sentences with numbers make a topic one of extraction, whose length ends in e."""
        return (not name.length or name.length.endswith("e")) and all(
            document.units for document in topic.documents
        )

    def add_documents(self) -> None:
        for docset, found in self.docsets.items():
            folder = f"docs.with.sentence.breaks/{docset}{found.selector}".lower()
            for document in found.documents.values():
                name = f"{file_name(document.id)}.S"
                if is_results_name(name):
                    raise SummetryError(f"the document {document.id!r} is named like a table")
                self.files[f"{folder}/{name}"] = "".join(self._document(document, found))
        with_records = {summary.topic for summary in self.corpus.summaries}
        with_records |= {judgment.topic for judgment in self.corpus.judgments}
        for topic in self.corpus.topics:
            self._count_lost(topic, topic.id in with_records)

    def _document(self, document: Document, docset: _Docset) -> Iterator[str]:
        if not docset.is_extracted and _is_running(document):
            return written_running_text(document)
        self.lost["running text", "of documents"] += bool(document.text)
        self.lost["document", "with other meta"] += len(document.meta) > bool(
            headline_units(document)
        )
        self.lost["unit", "with other blanks than one between words"] += sum(
            unit != _plain(unit) for unit in document.units
        )
        return written_document(document)

    def _count_lost(self, topic: Topic, has_records: bool) -> None:
        name = self.names[topic.id]
        docset = self.docsets[name.docset]
        is_alone = sum(other.docset == name.docset for other in self.names.values()) == 1
        will_be_there = has_records if name.kind else is_alone and bool(topic.documents)
        ids = sorted(key for key in docset.documents if name.document in ("", key))
        meta = {"docset": name.docset} | ({"selector": docset.selector} if docset.selector else {})
        group = ".".join(filter(None, [name.kind, name.length]))
        self.lost["topic", "without summaries or judgments"] += not will_be_there
        self.lost["topic", "with other documents than those of its docset by name"] += ids != [
            document.id for document in topic.documents
        ]
        self.lost["topic", "with other meta"] += topic.meta != meta
        self.lost["group", "not in the name of the topic"] += topic.group != group

    def add_results(self) -> None:
        lengths = {
            (s.topic, s.author): len(self.corpus.text_of(s).split()) for s in self.corpus.summaries
        }
        selectors = {key: found.selector for key, found in self.docsets.items()}
        names = {
            topic: name._replace(selector=selectors[name.docset])
            for topic, name in self.names.items()
        }
        text, lost = written_results(self.corpus.judgments, names, lengths)
        self.lost["judgment", "without a place in the table of results"] += lost
        if text:
            self.files[_RESULTS] = text


def _extract(topic: Topic, units: Iterable[int]) -> Iterator[str]:
    places = [
        (document.id, number, unit)
        for document in topic.documents
        for number, unit in enumerate(document.units, 1)
    ]
    for unit in units:
        document, number, text = places[unit]
        yield f'<s docid={attribute(document)} num="{number}" wdcount="{len(text.split())}"> '
        yield f"{content(text)}</s>\n"


def _see(sentences: Iterable[str]) -> Iterator[str]:
    for number, sentence in enumerate(sentences, 1):
        yield f'<a name="{number}">[{number}]</a> '
        yield f'<a href="#{number}" id={number}>{content(sentence)}</a>\n'


def _is_running(document: Document) -> bool:
    """Whether the text of a document and its title are all there is to it."""
    paragraphs = document.text.split("\n\n")
    title = document.meta.get("title", "")
    if not document.text or any(part != _plain(part) or not part for part in paragraphs):
        return False
    if document.meta.keys() - {"title"} or not isinstance(title, str) or title != _plain(title):
        return False
    builder = CorpusBuilder()
    whole = Document(document.id, text=document.text)
    builder.add("topics", Topic("t", documents=(whole,)), Place(document.id))
    return builder.build().topics[0].units == document.units


def _plain(text: str) -> str:
    return " ".join(text.split())
