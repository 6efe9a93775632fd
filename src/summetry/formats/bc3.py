"""The BC3 corpus of e-mail threads: sentences, and three annotations of each thread.

    corpus.xml       <thread><listno>007</listno><name>...</name><DOC><Text><Sent id="1.1">...
    annotation.xml   <thread><listno>007</listno><annotation><desc>Annotator1</desc>
                     <summary><sent link="1.1,1.2">...</sent></summary>
                     <sentences><sent id="1.1"/></sentences></annotation>

An e-mail is a document and a sentence a unit. ``sentences`` is an extract, ``summary`` a reference
by the same person. Labels (questions, proposals, ...) are not read.

Source: Ulrich, Murray and Carenini (2008), A Publicly Available Annotated Corpus for Supervised
Email Summarization, AAAI workshop on e-mail.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from summetry.errors import FormatError, Place
from summetry.formats._base import FORMATS, Format, ReadOptions, first_bytes
from summetry.formats._xml import Element, read_xml
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.summaries import Extract, Summary
from summetry.records.topics import Document, Topic


@FORMATS.register
@dataclass(frozen=True)
class Bc3(Format):
    """Threads of e-mails with the extracts and summaries of three annotators."""

    name: ClassVar[str] = "bc3"
    title: ClassVar[str] = "the BC3 corpus of e-mail threads: corpus.xml, annotation.xml"

    def recognise(self, path: Path) -> bool:
        files = (path / "corpus.xml", path / "annotation.xml")
        return all(file.is_file() and b"<thread>" in first_bytes(file) for file in files)

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.name)
        numbers: dict[str, dict[str, int]] = {}
        for thread in read_xml(path / "corpus.xml").named("thread"):
            with builder.reporting():
                topic, numbers_here = _topic(thread)
                numbers[topic.id] = numbers_here
                builder.add("topics", topic, thread.place)
        for thread in read_xml(path / "annotation.xml").named("thread"):
            for annotation in thread.named("annotation"):
                with builder.reporting():
                    name = _child(thread, "listno").text.strip()
                    _add(builder, name, annotation, numbers.get(name))
        return builder.build()


def _topic(thread: Element) -> tuple[Topic, dict[str, int]]:
    """A thread, and the number of each sentence by its id."""
    name = _child(thread, "listno").text.strip()
    numbers: dict[str, int] = {}
    documents = []
    for place, mail in enumerate(thread.named("DOC"), start=1):
        sentences = [sent for text in mail.named("Text") for sent in text.named("Sent")]
        for sentence in sentences:
            numbers[sentence.required("id")] = len(numbers)
        units = tuple(" ".join(sentence.text.split()) for sentence in sentences)
        date = "".join(part.text.strip() for part in mail.named("Received"))
        documents.append(Document(str(place), date=date, units=units))
    title = "".join(part.text.strip() for part in thread.named("name"))
    return Topic(name, title=title, documents=tuple(documents)), numbers


def _add(
    builder: CorpusBuilder, topic: str, annotation: Element, numbers: dict[str, int] | None
) -> None:
    place = annotation.place
    if numbers is None:
        raise FormatError(place, f"the thread {topic!r} in corpus.xml", "none")
    who = _child(annotation, "desc").text.strip()
    units = [
        _unit(sent.required("id"), numbers, topic, sent.place)
        for sentences in annotation.named("sentences")
        for sent in sentences.named("sent")
    ]
    builder.add("extracts", Extract(topic, who, tuple(dict.fromkeys(units))), place)
    written = [
        sent.text.strip() for part in annotation.named("summary") for sent in part.named("sent")
    ]
    if written:
        reference = Summary(topic, who, "reference", sentences=tuple(written))
        builder.add("summaries", reference, place)


def _unit(name: str, numbers: dict[str, int], topic: str, place: Place) -> int:
    if name not in numbers:
        raise FormatError(place, f"a sentence of thread {topic!r}", f"id {name!r}")
    return numbers[name]


def _child(element: Element, name: str) -> Element:
    children = element.named(name)
    if not children:
        raise FormatError(element.place, f"{name} in {element.name}", "none")
    return children[0]
