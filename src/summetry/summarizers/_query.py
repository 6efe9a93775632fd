"""Summarizers that add up, for each word of the query, how well a unit answers it."""

from __future__ import annotations

import abc
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Ints
from summetry.errors import SummetryError
from summetry.records.topics import Topic
from summetry.stats.concordance import divided
from summetry.summarizers.base import Ranking, Source, content_words, rank_by
from summetry.text.pipeline import TextPipeline

# Each word of the query once, or as often as the query has it.
Query = Literal["set", "tokens"]
Normalise = Literal["length"] | None


@dataclass(frozen=True)
class AnsweringQuery(abc.ABC):
    """A summarizer whose score is a sum over the words of the query, or of the title."""

    query: Query = "set"
    normalise: Normalise = None
    text: TextPipeline = field(default_factory=content_words)

    name: ClassVar[str]

    @abc.abstractmethod
    def score(self, table: TokenTable, language: str = "") -> Ints:
        """The sum for each row of ``table`` but the last, which is the query."""

    def rank(self, source: Source, count: int) -> Ranking:
        table = source.tokens(self.text, query_of(source.topic, self.name))
        scores = self.score(table, source.language)
        if self.normalise is None:
            return rank_by(scores)
        # Undefined where there are no words.
        return rank_by(divided(scores, table.lengths[:-1]))


def query_words(table: TokenTable, query: Query) -> tuple[Ints, Ints]:
    """The distinct words of the last row, and how often each counts."""
    words, counts = np.unique(table.row(len(table) - 1), return_counts=True)
    return words, np.ones_like(counts) if query == "set" else counts


def query_of(topic: Topic, needed_by: str) -> str:
    """The query of a topic, or else its title."""
    if not (topic.query or topic.title):
        raise SummetryError(
            f"there is neither a query nor a title, and {needed_by} needs one; "
            f'write "query" in topics.jsonl, or name a table (--queries FILE); of one text '
            f"`summetry summarize FILE --query TEXT`"
        )
    return topic.query or topic.title
