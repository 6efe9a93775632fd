"""The words of all texts that a task looks at, in one table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from summetry.arrays.token_tables import TokenTable
from summetry.arrays.types import Ints
from summetry.records.corpus import Corpus
from summetry.records.topics import Topic
from summetry.text.pipeline import TextPipeline


class CorpusWords:
    """The words of the units of topics, of their summaries, and of ``others``: text and language.

    Topics are known by their places in ``topics``. ``summaries`` has for each author and role,
    candidates first, the row of the table that each topic's summary is.
    """

    def __init__(
        self,
        corpus: Corpus,
        topics: Sequence[Topic],
        pipeline: str,
        others: Sequence[tuple[str, str]] = (),
    ) -> None:
        codes = [corpus.language_of(topic) for topic in topics]
        places = {topic.id: place for place, topic in enumerate(topics)}
        texts = [(unit, code) for t, code in zip(topics, codes, strict=True) for unit in t.units]
        self._first = np.cumsum([0, *(len(topic.units) for topic in topics)])
        rows: dict[tuple[str, str], dict[int, int]] = {}
        for summary in corpus.summaries:
            place = places.get(summary.topic)
            if place is not None:
                rows.setdefault((summary.author, summary.role), {})[place] = len(texts)
                texts.append((corpus.text_of(summary), codes[place]))
        self.summaries = dict(sorted(rows.items(), key=lambda item: item[0][1]))
        self.others = range(len(texts), len(texts) + len(others))
        words, languages = zip(*texts, *others, strict=True)
        self.table: TokenTable = TextPipeline.from_spec(pipeline).encode(words, languages)

    def row(self, row: int) -> Ints:
        """The words of a summary or of another text, as numbers."""
        return self.table.row(row)

    def full_text(self, topic: int) -> Ints:
        start, end = self.table.offsets[self._first[[topic, topic + 1]]]
        return self.table.ids[start:end]

    def units(self, topic: int) -> list[Ints]:
        first, last = self._first[[topic, topic + 1]].tolist()
        return [self.table.row(row) for row in range(first, last)]
