"""One candidate alone: quicker than arrays of one element, and the same values."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from summetry import spec
from summetry.engine.chunks import Note, Requested
from summetry.engine.plan import is_empty
from summetry.engine.run import in_lines
from summetry.metrics.base import Metric
from summetry.records.batches import TextColumns
from summetry.records.plain_texts import PlainTexts

# For texts of more characters than this, all together, arrays are as fast; and their road refuses
# what would take too long.
MOST_CHARACTERS = 100_000


class Single(NamedTuple):
    """The values of one candidate by the name of each metric, and lines for a reader."""

    values: dict[str, dict[str, float]]
    notes: list[str]


def score_single(asked: Sequence[Requested], columns: TextColumns) -> Single | None:
    """The scores of the only candidate; None where it takes the road of all others.

    That is where a metric cannot do without arrays, and where something unusual is to be said.
    """
    (candidate,), (references,), _, language = columns
    size = len(candidate) + sum(map(len, references))
    if not references or is_empty(candidate) or size > MOST_CHARACTERS:
        return None
    by_sentence = False
    for _, metric, _ in asked:
        if not _is_ours(type(metric)) or (metric.needs_language and not language):
            return None
        by_sentence = by_sentence or metric.reads_sentences
    texts = PlainTexts(candidate, references, language, by_sentence)
    values: dict[str, dict[str, float]] = {}
    notes: dict[Note, int] = {}
    for name, metric, picked in asked:
        found = metric.of_one(texts)
        if found is None:
            return None
        for words in metric.notes_on_one(texts):
            notes[Note(spec.show(metric), "values", words)] = 1
        of_metric = values.setdefault(name, {})
        for value in picked:
            of_metric[value] = found[value]
    return Single(values, in_lines(notes, asked, 1, {}) if notes else [])


@lru_cache(maxsize=256)
def _is_ours(kind: type[Metric]) -> bool:
    """Whether nobody else wrote the class, who may count otherwise than the base it has."""
    # A class that is made of a function need not be of a module.
    return str(kind.__module__).startswith("summetry.")
