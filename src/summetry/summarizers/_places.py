"""Where units stand in their documents and paragraphs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from summetry.arrays.types import Bools, Ints
from summetry.records.topics import Document, UnitKind
from summetry.summarizers.base import Source
from summetry.text.sentences import split_paragraphs


class Borders(NamedTuple):
    """Which units are the first and the last of something."""

    begins: Bools
    ends: Bools


def borders(groups: Ints) -> Borders:
    """The first and last unit of each run of equal numbers.

    >>> borders(np.array([0, 0, 0, 1])).ends.tolist()
    [False, False, True, True]
    """
    change = groups[1:] != groups[:-1]
    edge = np.ones(min(len(groups), 1), np.bool_)
    return Borders(np.concatenate([edge, change]), np.concatenate([change, edge]))


def paragraphs(source: Source) -> Ints:
    """The number of the paragraph that each unit belongs to, counted through all documents.

    Blank lines in the text of a document part its paragraphs. A document that has units but no
    text, or whose text does not hold its units one after the other, is one paragraph.
    """
    by_document: list[Ints] = []
    behind = 0
    for document in source.topic.documents:
        numbers = _paragraphs_of(document, source.topic.unit)
        by_document.append(numbers + behind)
        behind += int(numbers.max(initial=-1)) + 1
    return np.concatenate([np.zeros(0, np.int64), *by_document])


def _paragraphs_of(document: Document, unit: UnitKind) -> Ints:
    if unit == "paragraph":
        return np.arange(len(document.units), dtype=np.int64)
    places = _find(document)
    if places is None:
        return np.zeros(len(document.units), np.int64)
    starts = [start for start, _ in split_paragraphs(document.text)]
    numbers = np.searchsorted(np.array(starts), np.array(places, np.int64), side="right") - 1
    # A paragraph in which no unit begins is none of theirs.
    return np.unique(numbers, return_inverse=True)[1].astype(np.int64)


def _find(document: Document) -> list[int] | None:
    """Where each unit begins in the text of its document, if all stand there in order."""
    places, end = [], 0
    for unit in document.units:
        start = document.text.find(unit, end)
        if start < 0:
            return None
        places.append(start)
        end = start + len(unit)
    return places
