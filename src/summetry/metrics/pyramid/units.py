"""Content units that are looked for in a summary by the words of both, without anybody's marks.

    coverage = weight of the topic's units that the summary says / weight of all of them
    unsupported = sentences of the summary that the source does not support / all its sentences

A summary says a unit if its value (see ``assignment``) is ``threshold`` or more. The source
supports a sentence if one of its places, two sentences in a row, has a share ``support`` or more of
the distinct words of the sentence. Sentences without a word (all may be stop words) and units
without one count nowhere. Without a source, or with an empty one, ``unsupported`` is undefined, and
so it is for an empty summary, whose coverage is 0.

The rule, both thresholds of ``units`` and the words were chosen by people's marks of 2,500
summaries, and ``support`` by judgments of 1,600 (docs/metrics/units.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from summetry import spec
from summetry.arrays.ngrams import shared_ngrams
from summetry.arrays.token_tables import TokenTable, bags_of, gather_runs
from summetry.arrays.types import Bools, Floats, Ints
from summetry.errors import SummetryError
from summetry.metrics.base import (
    METRICS,
    Better,
    Counts,
    Metric,
    Needs,
    Scores,
    explained,
    ratio,
    sum_by_owner,
)
from summetry.metrics.explanations import UNDEFINED, Explanation, Match, Part, Sheet
from summetry.metrics.pyramid.assignment import (
    UnitValues,
    unit_text,
    unit_texts,
    unit_values,
)
from summetry.metrics.pyramid.pyramid_metrics import contributed, judged_by_units
from summetry.records.batches import Batch, Comparison, DistinctTexts, Material
from summetry.text.finding import spans_in_order
from summetry.text.pipeline import LanguagePipeline, TextPipeline
from summetry.text.tokens import Span

By = Literal["overlap", "vectors"]

# What decided best on units of topics that it was not chosen by: see docs/metrics/units.md.
THRESHOLDS: dict[By, float] = {"overlap": 0.6, "vectors": 0.2}
# Sentences of the source in a row that may support a sentence of the summary.
IN_A_ROW = 2


@METRICS.register
@dataclass(frozen=True)
class Units(Metric):
    """Content units whose words are in the summary, divided by all units of the topic."""

    by: By = "overlap"
    # That of THRESHOLDS, where none is given.
    threshold: float | None = None
    support: float = 0.8
    text: TextPipeline = field(default_factory=partial(LanguagePipeline, stem=True, stop=True))

    name: ClassVar[str] = "units"
    family: ClassVar[str] = "content"
    values: ClassVar[tuple[str, ...]] = ("coverage", "unsupported")
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    better: ClassVar[Better] = {"coverage": "higher", "unsupported": "lower"}
    needs: ClassVar[Needs] = Needs.CONTENT_UNITS
    leaves_out_contributors: ClassVar[bool] = True
    multiplies_matrices: ClassVar[bool] = False
    terms: ClassVar[dict[str, str]] = {
        "matched": "weight of the units that the summary says",
        "all": "weight of all units that have words",
        "new": "sentences that the source does not support",
        "sentences": "sentences of the summary that have words",
    }

    def __post_init__(self) -> None:
        for name, share in (("threshold", self.least), ("support", self.support)):
            if not 0 < share <= 1:
                raise SummetryError(f"units: {name} must be above 0 and at most 1, got {share:g}")

    @property
    def least(self) -> float:
        """The value from which on a unit counts as said."""
        return THRESHOLDS[self.by] if self.threshold is None else self.threshold

    def said(self, values: UnitValues) -> Bools:
        """Which units are said."""
        return values.value >= self.least

    def count(self, batch: Batch) -> Counts:
        """Weight of what is said, of all units, unsupported sentences, and all sentences."""
        values, weights = unit_values(batch, self.by, self.text), _weights(batch)
        known, rows = ~np.isnan(values.value), len(batch)
        says = self.said(values)
        matched, every = (
            sum_by_owner(weights[chosen], values.owners[chosen], rows) for chosen in (says, known)
        )
        shares = supports(batch, self.text)
        new, sentences = (
            np.bincount(shares.owners[chosen], minlength=rows)
            for chosen in (shares.best < self.support, np.ones(len(shares.best), dtype=bool))
        )
        return np.column_stack([matched, every, new, sentences]).astype(np.float64)

    def score(self, counts: Counts) -> Scores:
        matched, every, new, sentences = counts.T
        return {"coverage": ratio(matched, every), "unsupported": ratio(new, sentences)}

    def notes(self, batch: Batch) -> dict[str, int]:
        values = unit_values(batch, self.by, self.text)
        count = len(np.unique(values.owners[np.isnan(values.value)]))
        return {_WORDLESS: count} if count else {}

    def explain(self, comparison: Comparison) -> Explanation:
        batch = Batch([comparison])
        ((matched, every, new, sentences),) = self.count(batch).tolist()
        facts = {"matched": matched, "all": every, "new": new, "sentences": sentences}
        formulas = {
            "coverage": "matched / all" if every else UNDEFINED,
            "unsupported": "new / sentences" if sentences else UNDEFINED,
        }
        matches, missed, sheet = self._units(batch, comparison)
        tables = tuple(filter(None, (sheet, self._sentences(batch))))
        against = "the content units of the topic"
        part = Part(against, facts, formulas, matches, missed=missed, tables=tables)
        return explained(self, comparison, [part])

    def _units(
        self, batch: Batch, comparison: Comparison
    ) -> tuple[tuple[Match, ...], tuple[Match, ...], Sheet | None]:
        """The units that are said, those that are not, and all of them with their values."""
        values = unit_values(batch, self.by, self.text)
        (judged,) = judged_by_units(batch)
        sentences = self._cut(batch)
        spans = list(spans_in_order(comparison.candidate.text, sentences))
        language = comparison.material.language
        words = self.text.locate(comparison.candidate.text, language)
        matches: dict[bool, list[Match]] = {True: [], False: []}
        rows: list[tuple[str | float, ...]] = []
        for scu, says, value, closest in zip(
            judged.pyramid.scus,
            self.said(values).tolist(),
            values.value.tolist(),
            values.closest.tolist(),
            strict=True,
        ):
            own = set(self.text.read(unit_text(scu), language))
            inside = spans[closest] if closest >= 0 else None
            places = tuple(span for token, span in words if token in own and _within(span, inside))
            also = contributed(scu, comparison)
            weight = float(scu.weight)
            matches[says].append(Match(unit_text(scu), weight, places if says else (), also=also))
            best = sentences[closest].strip() if closest >= 0 and value else ""
            rows.append((unit_text(scu), weight, value, "yes" if says else "no", best))
        rows.sort(key=lambda row: -float(row[2]) if row[2] == row[2] else 1.0)
        heading = f"Units, said from {self.least:g} on, each with the closest sentence"
        columns = ("unit", "weight", "value", "said", "sentence")
        sheet = Sheet(heading, columns, tuple(rows)) if rows else None
        return tuple(matches[True]), tuple(matches[False]), sheet

    def _cut(self, batch: Batch) -> Sequence[str]:
        """The sentences of the only candidate of a batch."""
        known = unit_texts(batch, self.text)
        return known.texts.sentences_of(int(known.candidates[0]), self.text)

    def _sentences(self, batch: Batch) -> Sheet | None:
        """The sentences of the summary, and how far the source supports each."""
        shares = supports(batch, self.text)
        if not len(shares.best):
            return None
        sentences = self._cut(batch)
        rows = tuple(
            (sentences[place].strip(), share, "yes" if share >= self.support else "no")
            for place, share in zip(shares.places.tolist(), shares.best.tolist(), strict=True)
        )
        heading = f"Sentences, supported by the source from {self.support:g} on"
        return Sheet(heading, ("sentence", "share", "supported"), rows)


_WORDLESS = (
    "some units have no words (text= may drop stop words), so that they cannot be looked for and "
    "are left out"
)


def _weights(batch: Batch) -> Floats:
    """The weight of each unit of each comparison."""
    judged = judged_by_units(batch)
    return np.array([scu.weight for one in judged for scu in one.pyramid.scus], dtype=np.float64)


class Shares(NamedTuple):
    """One entry for each sentence with words of the candidates that have a source with words."""

    owners: Ints
    places: Ints
    # The largest share of its words that one place of the source has.
    best: Floats


def supports(batch: Batch, pipeline: TextPipeline, in_a_row: int = IN_A_ROW) -> Shares:
    """How far the sources of a batch support the sentences of its candidates."""
    key = ("sentences that a source supports", spec.show(pipeline), in_a_row)
    return batch.derived(key, lambda: _find_support(batch, pipeline, in_a_row))


def _find_support(batch: Batch, pipeline: TextPipeline, in_a_row: int) -> Shares:
    texts = DistinctTexts()
    rows = [
        texts.add(c.candidate.text, c.material.language, c.candidate.sentences)
        for c in batch.comparisons
    ]
    runs, sources = _source_rows(batch, texts, pipeline)
    table = texts.encode(pipeline)
    windows, first = _windows(table.whole, runs, in_a_row)
    words = _joined(table.table, windows)
    candidates = np.array(rows, dtype=np.int64)
    sizes = np.where(sources >= 0, np.diff(table.first)[candidates], 0)
    owners = np.repeat(np.arange(len(batch), dtype=np.int64), sizes)
    sentence = gather_runs(table.first[candidates], sizes)
    places = sentence - table.first[candidates][owners]
    own = words.lengths[sentence]
    count = np.append(np.diff(first), 0)[sources[owners]]
    pair = np.repeat(np.arange(len(owners), dtype=np.int64), count)
    window = gather_runs(np.append(first[:-1], 0)[sources[owners]], count)
    shared = shared_ngrams(words, sentence[pair], window + len(table.table))
    most = np.zeros(len(owners))
    np.maximum.at(most, pair, shared.astype(np.float64))
    kept = (own > 0) & (count > 0)
    return Shares(owners[kept], places[kept], ratio(most, own)[kept])


def _source_rows(
    batch: Batch, texts: DistinctTexts, pipeline: TextPipeline
) -> tuple[list[list[int]], Ints]:
    """The texts of the sentences of each source, and the source of each comparison (-1: none)."""
    runs: list[list[int]] = []
    known: dict[int, int] = {}
    places = []
    for comparison in batch.comparisons:
        material = comparison.material
        if id(material) not in known:
            sentences = _source_sentences(material, pipeline)
            known[id(material)] = len(runs) if sentences else -1
            if sentences:
                runs.append([texts.add(one, material.language, None) for one in sentences])
        places.append(known[id(material)])
    return runs, np.array(places, dtype=np.int64)


def _source_sentences(material: Material, pipeline: TextPipeline) -> Sequence[str]:
    if material.source is None:
        return ()
    if material.units and material.unit == "sentence":
        return material.units
    return pipeline.sentences(material.source, material.language)


def _windows(
    whole: TokenTable, runs: Sequence[Sequence[int]], in_a_row: int
) -> tuple[TokenTable, Ints]:
    """The distinct tokens of each place of the sources, those of source i from ``first[i]`` on.

    A place is so many sentences in a row that have words; a shorter source is one place.
    """
    lengths = whole.lengths
    first, rows, members = [0], [], []
    for run in runs:
        kept = [text for text in run if lengths[text]]
        for start in range(max(len(kept) - in_a_row, 0) + 1 if kept else 0):
            for text in kept[start : start + in_a_row]:
                rows.append(first[-1] + start)
                members.append(text)
        first.append(rows[-1] + 1 if rows else 0)
    row, member = np.array(rows, dtype=np.int64), np.array(members, dtype=np.int64)
    sizes = lengths[member]
    ids = whole.ids[gather_runs(whole.offsets[member], sizes)]
    bags = bags_of(np.repeat(row, sizes), ids, first[-1], len(whole.words))
    return TokenTable(bags.ids, bags.offsets, whole.words), np.array(first)


def _joined(sentences: TokenTable, windows: TokenTable) -> TokenTable:
    """The distinct tokens of each sentence, and behind them the windows."""
    bags = sentences.bags
    offsets = np.concatenate([bags.offsets, bags.offsets[-1] + windows.offsets[1:]])
    return TokenTable(np.concatenate([bags.ids, windows.ids]), offsets, sentences.words)


def _within(span: Span, outer: Span | None) -> bool:
    return outer is None or outer[0] <= span[0] < outer[1]
