"""Rankings without any method, to be beaten by those that have one.

``lead``     the beginning of the text, which is hard to beat on news.
``ordered``  all units as they come: the order of the data.
``length``   most words first.
``random``   in random order, the same on every run.

Source: Kennedy and Szpakowicz (2010), section 2.3, for ``length``, ``ordered`` and ``random``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from summetry.errors import SummetryError
from summetry.records.topics import Document
from summetry.summarizers.base import SUMMARIZERS, Ranking, Source, rank_by


def longest_first(lengths: Sequence[int]) -> tuple[int, ...]:
    """Units by their number of words, most first, equal ones in the order of the source.

    >>> longest_first([3, 7, 3, 9])
    (3, 1, 0, 2)
    """
    return tuple(sorted(range(len(lengths)), key=lambda unit: -lengths[unit]))


def in_order(count: int) -> tuple[int, ...]:
    """Units as they come.

    >>> in_order(3)
    (0, 1, 2)
    """
    return tuple(range(count))


def lots(seed: int, topic: str, count: int) -> list[float]:
    """A number from 0 to 1 for each of ``count`` units, which depends on nothing else.

    The first 53 bits of the SHA-256 of ``seed``, topic and unit number with a line break between,
    so that no other topic and no version of any library changes it.
    """
    digests = (hashlib.sha256(f"{seed}\n{topic}\n{unit}".encode()) for unit in range(count))
    return [(int.from_bytes(d.digest()[:8], "big") >> 11) / 2**53 for d in digests]


@SUMMARIZERS.register
@dataclass(frozen=True)
class Lead:
    """The first units of the text, or of its most recent document."""

    documents: Literal["order", "latest", "turns"] = "order"

    name: ClassVar[str] = "lead"

    def rank(self, source: Source, count: int) -> Ranking:
        if self.documents == "turns":
            keys = source.places
        elif self.documents == "latest":
            keys = np.array(newest_first(source.topic.documents), np.int64)[source.documents]
        else:
            keys = source.documents
        return Ranking(tuple(np.argsort(keys, kind="stable").tolist()))


def newest_first(documents: Sequence[Document]) -> list[int]:
    """The rank of each document by its date, 0 for the most recent; equal dates as they come."""
    undated = [document.id for document in documents if not document.date]
    if undated and len(documents) > 1:
        raise SummetryError(
            f"lead(documents=latest) needs a date for each document, found none for "
            f"{undated[0]!r}; give it a date (2003-05-01) in topics.jsonl"
        )
    dates = [document.date for document in documents]
    order = sorted(range(len(dates)), key=lambda place: dates[place], reverse=True)
    return [order.index(place) for place in range(len(dates))]


@SUMMARIZERS.register
@dataclass(frozen=True)
class Ordered:
    """All units as they come."""

    name: ClassVar[str] = "ordered"

    def rank(self, source: Source, count: int) -> Ranking:
        return Ranking(in_order(len(source)))


@SUMMARIZERS.register
@dataclass(frozen=True)
class Length:
    """The units with most words first."""

    name: ClassVar[str] = "length"

    def rank(self, source: Source, count: int) -> Ranking:
        words = source.words.tolist()
        return Ranking(longest_first(words), tuple(map(float, words)))


@SUMMARIZERS.register
@dataclass(frozen=True)
class Random:
    """Units in random order, the same on every run."""

    seed: int = 0

    name: ClassVar[str] = "random"

    def rank(self, source: Source, count: int) -> Ranking:
        return rank_by(lots(self.seed, source.topic.id, len(source)))
