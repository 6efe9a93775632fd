"""Sentences that other files name by their document and their number there, as DUC and MEAD do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from summetry.errors import FormatError, Place, did_you_mean
from summetry.records.topics import Document


@dataclass(frozen=True)
class NumberedDocument:
    """A document, and which of its units has which number; no numbers where it has no sentences."""

    document: Document
    place: Place
    numbers: dict[int, int] = field(default_factory=dict)
    language: str = ""


class NamedSentence(NamedTuple):
    """A sentence as other files name it."""

    document: str
    number: int
    text: str
    place: Place


def number_units(numbers: Iterable[tuple[int, Place]], attribute: str) -> dict[int, int]:
    """Which unit has which number; the files give numbers in rising order, in an ``attribute``."""
    units: dict[int, int] = {}
    last = 0
    for number, place in numbers:
        if number <= last:
            raise FormatError(
                place, f"S with {attribute} above {last}", f"{attribute}={str(number)!r}"
            )
        last = number
        units[number] = len(units)
    return units


def unit_of(
    sentence: NamedSentence,
    documents: Sequence[NumberedDocument],
    topic: str,
    attributes: tuple[str, str],
) -> int:
    """The unit of a topic that a sentence is; ``attributes`` name its document and its number."""
    first = 0
    for known in documents:
        if known.document.id == sentence.document:
            if sentence.number in known.numbers:
                return first + known.numbers[sentence.number]
            held = f"document {sentence.document!r}, which has {len(known.numbers)}"
            found = f"{attributes[1]}={str(sentence.number)!r}"
            raise FormatError(sentence.place, f"a sentence of {held}", found)
        first += len(known.document.units)
    hint = did_you_mean(sentence.document, [known.document.id for known in documents]).strip()
    found = f"{attributes[0]}={sentence.document!r}"
    raise FormatError(sentence.place, f"a document of topic {topic!r}", found, hint)
