"""One candidate alone: quicker than arrays of one element, and the same values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, TypeAlias

from summetry import spec
from summetry.engine.chunks import Note, Requested
from summetry.engine.plan import is_empty
from summetry.engine.run import in_lines
from summetry.metrics.base import Metric
from summetry.metrics.rouge.base import LONG_LINE, Rouge
from summetry.metrics.rouge.single import SingleCounter, Unit

# The values of a candidate by the name of each metric, and lines for a reader.
Single: TypeAlias = tuple[dict[str, dict[str, float]], list[str]]


class SingleScorer:
    """Scores one candidate after the other by metrics that need no batch for it."""

    @classmethod
    def of(cls, asked: Sequence[Requested]) -> SingleScorer | None:
        """None where a metric cannot do without arrays."""
        metrics = [metric for _, metric, _ in asked]
        alone = [metric for metric in metrics if isinstance(metric, Rouge) and _is_ours(metric)]
        units = [metric.unit for metric in alone if metric.unit and metric.length is None]
        return cls(asked, alone, units) if len(units) == len(metrics) else None

    def __init__(
        self, asked: Sequence[Requested], metrics: Sequence[Rouge], units: Sequence[Unit]
    ) -> None:
        self._asked, self._metrics = asked, metrics
        self._names = [name for name, _, _ in asked]
        self._needs_language = any(metric.needs_language for metric in metrics)
        reads_sentences = any(metric.reads_sentences for metric in metrics)
        alike: dict[tuple[str, bool], list[int]] = {}
        for place, metric in enumerate(metrics):
            # A text is its sentences where some metric reads these, as in a batch.
            in_rows = reads_sentences and not metric.text.blanks_are_tokens
            key = spec.show(metric.text), in_rows or metric.reads_sentences
            alike.setdefault(key, []).append(place)
        # Those that read texts alike, each with the name and the values that are asked for.
        self._groups = [
            (
                SingleCounter(metrics[places[0]].text, [units[p] for p in places], in_rows),
                [(asked[p].name, metrics[p], asked[p].values) for p in places],
            )
            for (_, in_rows), places in alike.items()
        ]

    def score(self, candidate: str, references: Sequence[str], language: str) -> Single | None:
        """The scores of a candidate; None where it takes the road of many.

        That is where texts are long, and where something unusual is to be said.
        """
        if not references or is_empty(candidate) or (self._needs_language and not language):
            return None
        texts, several = (candidate, *references), len(references)
        values: dict[str, Any] = dict.fromkeys(self._names)
        longest_rows = []
        for counter, requests in self._groups:
            counted = counter.count(texts, language)
            if counted is None:
                return None
            counts, longest_row = counted
            longest_rows.append(longest_row)
            for name, metric, picked in requests:
                pairs = [next(counts)] if several == 1 else [*islice(counts, several)]
                scores = metric.values_over(pairs)
                if len(picked) < len(scores):
                    scores = {value: scores[value] for value in picked}
                values[name] = {**values[name], **scores} if values[name] else scores
        is_usual = max(longest_rows) <= LONG_LINE
        for text in texts:
            is_usual &= text.isascii() and not is_empty(text)
        return values, [] if is_usual else self._notes(texts, longest_rows)

    def _notes(self, texts: Sequence[str], longest_rows: Sequence[int]) -> list[str]:
        longest_row = {
            id(metric): rows
            for (_, requests), rows in zip(self._groups, longest_rows, strict=True)
            for _, metric, _ in requests
        }
        notes: dict[Note, int] = {}
        for metric in self._metrics:
            for words in metric.notes_on_one(texts, longest_row[id(metric)]):
                notes[Note(spec.show(metric), "values", words)] = 1
        return in_lines(notes, self._asked, 1, {})


def _is_ours(metric: Metric) -> bool:
    """Whether nobody else wrote the class, who may count otherwise than the base it has."""
    # A class that is made of a function need not be of a module.
    return str(type(metric).__module__).startswith("summetry.")
