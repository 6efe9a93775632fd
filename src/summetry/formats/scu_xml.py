"""Source sentences labelled with SCUs, as in the corpus that Kennedy and Szpakowicz (2010) use.

    <collection name="D0701">
    <document name="d1">
    <line>A ferry sank.<annotation scu-count="1" sum-count="2" sums="14,44"><scu uid="11"
     label="a ferry sank" weight="4"/></annotation></line>
    <line>It was raining.<annotation scu-count="0" sum-count="1" sums="57"/></line>
    <line>Nobody was hurt.</line>
    </document>
    </collection>

A file is a topic, a line a unit. A line with SCUs is a positive example, one with an annotation
and no SCU a negative one (summaries used it), one without annotation has no label. The paper's
figure shows the lines only: whatever stands around them, the element next to a line that has a
name is its document, and lines without any root are read too.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote

from msgspec import structs

from summetry.errors import FormatError, Place, SummetryError
from summetry.formats._base import FORMATS, Format, ReadOptions, first_bytes
from summetry.formats._writing import file_name, losses, warn_not_written, write_files, write_folder
from summetry.formats._xml import Element, attribute, content, mended_xml, read_xml
from summetry.formats.texts import warn_at
from summetry.records.base import Number
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.pyramids import Label, LabelScu
from summetry.records.topics import Document, Topic

HELD = {"topics": {"id", "documents"}, "labels": {"topic", "unit", "summaries", "scus"}}
_MARK = re.compile(rb"<annotation\b[^<>]*\bscu-count\s*=")
_FIRST_LINE = re.compile(rb"<line\b")
_NAMES = ("name", "id", "docno", "docid")
_NUMBER = re.compile(r"[0-9]{1,15}(\.[0-9]+)?(e[+-]?[0-9]{1,2})?", re.IGNORECASE)


@FORMATS.register
@dataclass(frozen=True)
class ScuXml(Format):
    """Sentences of documents with the SCUs they carry and the summaries that used them."""

    name: ClassVar[str] = "scu_xml"
    title: ClassVar[str] = "source sentences labelled with SCUs, one XML file per topic"
    can_write: ClassVar[bool] = True
    keeps_units: ClassVar[bool] = True

    def recognise(self, path: Path) -> bool:
        if path.is_dir():
            return any(_is_labelled(file) for file in sorted(path.glob("*.xml"))[:1])
        return _is_labelled(path)

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        for file in sorted(path.glob("*.xml")) if path.is_dir() else [path]:
            with builder.reporting():
                _TopicFile(file).add_records(builder)
        return builder.build()

    def write(self, corpus: Corpus, path: Path) -> None:
        labelled = {(label.topic, label.unit) for label in corpus.labels}
        topics = [topic for topic in corpus.topics if _has_lines(topic, labelled)]
        if path.suffix.lower() == ".xml":
            if len(topics) != 1:
                raise SummetryError(
                    f"{path}: a file holds 1 topic, the corpus has {len(topics)} with sentences; "
                    f"give a folder"
                )
            write_files({path.name: "".join(_lines(corpus, topics[0]))}, path.parent)
        else:
            texts = {f"{file_name(t.id)}.xml": "".join(_lines(corpus, t)) for t in topics}
            write_folder(texts, path)
        warn_not_written(corpus, HELD, path, self.name, _lost(corpus, topics, labelled))


def _is_labelled(path: Path) -> bool:
    start = first_bytes(path).lstrip()
    # Sentences that no summary used may stand before the first one that was used.
    has_lines = start.startswith(b"<") and _FIRST_LINE.search(start)
    return bool(has_lines and _MARK.search(path.read_bytes()))


@dataclass
class _TopicFile:
    """What one file holds, as it is read."""

    path: Path
    units: dict[str, list[str]] = field(default_factory=dict)
    # Their topic may be named by the root, so it is filled in at the end.
    labels: list[tuple[Place, Label]] = field(default_factory=list)
    weights: dict[str, Number] = field(default_factory=dict)
    count: int = 0

    def add_records(self, builder: CorpusBuilder) -> None:
        root = read_xml(self.path, _with_root(mended_xml(self.path)))
        self._walk(root, "")
        if not self.count:
            raise FormatError(root.place, "line elements", "none")
        topic = _name(root) or unquote(self.path.stem)
        documents = tuple(
            Document(name or topic, units=tuple(units)) for name, units in self.units.items()
        )
        builder.add("topics", Topic(topic, documents=documents), root.place)
        for place, label in self.labels:
            builder.add("labels", structs.replace(label, topic=topic), place)

    def _walk(self, element: Element, document: str) -> None:
        for child in element.children:
            if child.name.lower() == "line":
                self._line(child, document)
            else:
                self._walk(child, _name(child) or document)

    def _line(self, element: Element, document: str) -> None:
        text = " ".join(element.text.split())
        annotations = element.named("annotation")
        if not text and not annotations:
            return  # An empty line is layout, not a sentence.
        if self.units and document in self.units and document != next(reversed(self.units)):
            raise FormatError(
                element.place, "the lines of a document together", f"more of {document!r} later"
            )
        self.units.setdefault(document, []).append(text)
        if len(annotations) > 1:
            warn_at(element.place, f"{len(annotations)} annotations of one line; all were taken")
        if annotations:
            self.labels.append((element.place, self._label(annotations)))
        self.count += 1

    def _label(self, annotations: Iterable[Element]) -> Label:
        """The summaries that used a line, and the SCUs that it carries."""
        summaries: dict[str, None] = {}
        scus: list[LabelScu] = []
        for annotation in annotations:
            written = annotation.attributes.get("sums", "").split(",")
            sums = [name.strip() for name in written if name.strip()]
            carried = [self._scu(scu) for scu in annotation.named("scu")]
            _compare(annotation, "scu-count", len(carried), "scu elements")
            _compare(annotation, "sum-count", len(sums), "summaries in sums")
            summaries |= dict.fromkeys(sums)
            scus += carried
        return Label("", self.count, tuple(summaries), tuple(scus))

    def _scu(self, element: Element) -> LabelScu:
        uid, written = (element.attributes.get(name, "") for name in ("uid", "weight"))
        if not uid:
            raise FormatError(element.place, "an scu with uid=", "none")
        if not _NUMBER.fullmatch(written.strip()):
            raise FormatError(element.place, "a weight of 0 or more", f"weight={written!r}")
        weight: Number = int(written) if written.strip().isdigit() else float(written)
        first = self.weights.setdefault(uid, weight)
        if first != weight:
            warn_at(element.place, f"SCU {uid!r} has the weight {weight} here and {first} before")
        return LabelScu(uid, weight, element.attributes.get("label", ""))


def _compare(element: Element, name: str, count: int, what: str) -> None:
    written = element.attributes.get(name)
    if written is not None and written.strip() != str(count):
        warn_at(
            element.place, f'{name}="{written}", but there are {count} {what}; these were taken'
        )


def _name(element: Element) -> str:
    known = {name.lower(): value for name, value in element.attributes.items()}
    return next((known[name].strip() for name in _NAMES if known.get(name, "").strip()), "")


def _with_root(text: bytes) -> bytes:
    """Lines without a root get one, on the line where the first of them begins."""
    start = _FIRST_LINE.search(text)
    before = text[: start.start()] if start else b""
    bare = re.sub(rb"<\?.*?\?>|<!--.*?-->|\xef\xbb\xbf", b"", before, flags=re.DOTALL)
    if start is None or bare.strip():
        return text
    return before + b"<collection>" + text[start.start() :] + b"</collection>"


def _has_lines(topic: Topic, labelled: Container[tuple[str, int]]) -> bool:
    """Whether a file of this topic would have a line that is read."""
    return any(
        unit.strip() or (topic.id, number) in labelled for number, unit in enumerate(topic.units)
    )


def _lost(
    corpus: Corpus, written: Sequence[Topic], labelled: Container[tuple[str, int]]
) -> list[str]:
    """What is not written, in words, beside whole fields."""
    documents = [document for topic in written for document in topic.documents]
    scus = [scu for label in corpus.labels for scu in label.scus]
    counts = {
        ("topic", "without sentences"): len(corpus.topics) - len(written),
        ("unit", "without a word"): sum(
            not unit.strip() and (topic.id, number) not in labelled
            for topic in written
            for number, unit in enumerate(topic.units)
        ),
        ("unit", "with other blanks than one between words"): sum(
            unit != " ".join(unit.split()) for document in documents for unit in document.units
        ),
        ("document", "without sentences"): sum(not document.units for document in documents),
        ("document", "apart from one of the same name"): sum(
            len(topic.documents) - len({document.id for document in topic.documents})
            for topic in written
        ),
        ("running text", "of documents"): sum(bool(d.text and d.units) for d in documents),
        ("date", "of documents"): sum(bool(document.date) for document in documents),
        ("document", "with meta"): sum(bool(document.meta) for document in documents),
        ("SCU", "with meta"): sum(bool(scu.meta) for scu in scus),
    }
    return losses(counts)


def _lines(corpus: Corpus, topic: Topic) -> Iterator[str]:
    labels = {label.unit: label for label in corpus.of_topic("labels", topic.id)}
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f"<collection name={attribute(topic.id)}>\n"
    number = 0
    for document in topic.documents:
        yield f"<document name={attribute(document.id)}>\n"
        for unit in document.units:
            marks = "".join(_annotation(labels[number])) if number in labels else ""
            yield f"<line>{content(unit)}{marks}</line>\n"
            number += 1
        yield "</document>\n"
    yield "</collection>\n"


def _annotation(label: Label) -> Iterator[str]:
    for name in label.summaries:
        if "," in name or name != name.strip() or not name:
            raise SummetryError(f"the author {name!r} cannot be listed in sums; rename this one")
    sums = attribute(",".join(label.summaries))
    counts = f'scu-count="{len(label.scus)}" sum-count="{len(label.summaries)}"'
    if not label.scus:
        yield f"<annotation {counts} sums={sums}/>"
        return
    yield f"<annotation {counts} sums={sums}>"
    for scu in label.scus:
        yield f'<scu uid={attribute(scu.id)} label={attribute(scu.label)} weight="{scu.weight}"/>'
    yield "</annotation>"
