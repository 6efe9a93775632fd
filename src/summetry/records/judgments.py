"""What judges said: marks for summaries, utilities of units, answers to questions."""

from __future__ import annotations

from typing import Literal

from summetry.records.base import Meta, Number, Record, no_meta

# What a judge had read before answering.
Condition = Literal["source", "summary", "abstract", "nothing"]


class Judgment(Record, frozen=True):
    """A judge's mark for an author's summary on one dimension.

    ``reference`` is the author of the reference that the summary was compared with, if one was.
    """

    topic: str
    author: str
    judge: str
    dimension: str
    value: Number | str
    reference: str = ""
    meta: Meta = no_meta()


class Utilities(Record, frozen=True):
    """A judge's value for every unit of a topic."""

    topic: str
    judge: str
    values: tuple[Number, ...]
    meta: Meta = no_meta()


class Question(Record, frozen=True):
    """A question on a topic; ``answer`` is the number of the right choice, from 0."""

    topic: str
    id: str
    question: str
    choices: tuple[str, ...] = ()
    answer: int | None = None
    meta: Meta = no_meta()


class Answer(Record, frozen=True):
    """What a judge answered after reading the source, a summary, an abstract, or nothing."""

    topic: str
    question: str
    judge: str
    condition: Condition
    author: str = ""
    choice: int | None = None
    seconds: Number | None = None
    meta: Meta = no_meta()


class Query(Record, frozen=True):
    """A query for retrieval over the topics of a corpus."""

    id: str
    text: str
    meta: Meta = no_meta()


class Qrel(Record, frozen=True):
    """How relevant a topic is to a query."""

    query: str
    topic: str
    relevance: Number
    meta: Meta = no_meta()
