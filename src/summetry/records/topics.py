"""Topics: what is summarized, as documents cut into units."""

from __future__ import annotations

from typing import Literal, TypeGuard, get_args

import msgspec

from summetry.records.base import Meta, Record, no_meta
from summetry.text.sentences import get_splitter, split_paragraphs
from summetry.text.tokens import find_words

UnitKind = Literal["sentence", "paragraph", "word"]
# What parts topics from each other.
By = Literal["genre", "group"]


def is_unit(kind: str) -> TypeGuard[UnitKind]:
    return kind in get_args(UnitKind)


class Document(Record, frozen=True):
    """One document of a topic: its units, its text, or both."""

    id: str
    date: str = ""
    text: str = ""
    units: tuple[str, ...] = ()
    meta: Meta = no_meta()


class Topic(Record, frozen=True):
    """What is summarized. Units are numbered from 0 through all documents."""

    id: str
    title: str = ""
    query: str = ""
    genre: str = ""
    # One, or several as a list: files keep what they had.
    category: str | tuple[str, ...] = ""
    group: str = ""
    language: str = ""
    unit: UnitKind = "sentence"
    documents: tuple[Document, ...] = ()
    text: str = ""
    meta: Meta = no_meta()

    @property
    def categories(self) -> tuple[str, ...]:
        """All categories of the topic."""
        if isinstance(self.category, tuple):
            return self.category
        return (self.category,) if self.category else ()

    @property
    def units(self) -> tuple[str, ...]:
        """The units of all documents, in the order of their numbers."""
        return tuple(unit for document in self.documents for unit in document.units)


def topic_of_text(name: str, text: str | None, category: str | tuple[str, ...] = "") -> Topic:
    """A topic with one document of its own name, or none where there is no text."""
    documents = () if text is None else (Document(name, text=text),)
    return Topic(name, category=category, documents=documents)


def paragraph_numbers(document: Document) -> list[int]:
    """The number of the paragraph of each unit, from 1, where ``meta`` lists them; or nothing."""
    numbers = document.meta.get("paragraphs")
    if not isinstance(numbers, list) or len(numbers) != len(document.units):
        return []
    return numbers if all(type(number) is int and number > 0 for number in numbers) else []


def with_units(topic: Topic, language: str = "", splitter: str = "rules") -> Topic:
    """``topic`` with every document's text cut into units; units that are given stay.

    ``text`` beside ``documents`` becomes one document with the topic's own id.
    """
    documents = topic.documents
    if topic.text:
        documents = (Document(id=topic.id, text=topic.text), *documents)
    spoken = topic.language or language
    cut = tuple(_cut(document, topic.unit, spoken, splitter) for document in documents)
    return msgspec.structs.replace(topic, documents=cut, text="")


def cut_anew(topic: Topic, unit: UnitKind, language: str = "") -> Topic:
    """``topic`` with the texts of its documents cut into units of another kind.

    A document that has units only keeps them, and then the topic keeps its kind of units too.
    """
    if not all(document.text for document in topic.documents):
        return topic
    bare = tuple(msgspec.structs.replace(document, units=()) for document in topic.documents)
    changed = msgspec.structs.replace(topic, unit=unit, documents=bare)
    return with_units(changed, language)


def _cut(document: Document, unit: UnitKind, language: str, splitter: str) -> Document:
    if document.units or not document.text:
        return document
    text = document.text
    if unit == "word":
        spans = find_words(text)
    elif unit == "paragraph":
        spans = split_paragraphs(text)
    else:
        spans = get_splitter(splitter)(text, language)
    return msgspec.structs.replace(document, units=tuple(text[a:b] for a, b in spans))
