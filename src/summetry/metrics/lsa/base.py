"""What the measures of latent semantic analysis share: options and explanations."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from summetry import spec
from summetry.arrays.weighting import AuAbsent, Entropy, Local, LogBase, Scope, Weighting
from summetry.metrics._pairs import Against, needs_against, sides_against
from summetry.metrics._tokens import placed
from summetry.metrics.base import (
    Better,
    Counts,
    Metric,
    Needs,
    Over,
    Scores,
    explained,
    means,
    over_references,
)
from summetry.metrics.explanations import Explanation, Match, Part, left_out
from summetry.metrics.lsa.pairs import GlobalFrom, LsaPairs, Similar, lsa_texts, pair_spaces
from summetry.records.batches import Batch, Comparison
from summetry.text.pipeline import LanguagePipeline, TextPipeline


@dataclass(frozen=True)
class Lsa(Metric):
    """What both measures share: what is compared, and how terms are weighed."""

    against: Against = "source"
    local: Local = "BI"
    scope: Scope | None = None
    au_absent: AuAbsent = "zero"
    en: Entropy = "standard"
    log: LogBase = "e"
    global_from: GlobalFrom = "own"
    references: Over = "mean"
    text: TextPipeline = field(default_factory=lambda: LanguagePipeline(stop=True))

    name: ClassVar[str]
    family: ClassVar[str] = "content"
    values: ClassVar[tuple[str, ...]] = ("value",)
    headline: ClassVar[str] = "value"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    better: ClassVar[Better] = dict.fromkeys(values, "higher")
    # What equal singular values did to the value.
    tie: ClassVar[str]

    @property
    def needs(self) -> Needs:
        return needs_against(self.against)

    @property
    def weighting(self) -> Weighting:
        """The weights asked for; the paper's best ones where none is."""
        scope = self.scope or ("NW" if self.against == "source" else "ISF")
        return Weighting(self.local, scope, self.au_absent, self.en, self.log)

    def compare(self, batch: Batch, pairs: LsaPairs) -> Similar:
        """The similarity of every pair."""
        raise AssertionError("each measure compares in its own way")

    def facts(self, batch: Batch, pairs: LsaPairs, similar: Similar) -> list[dict[str, float]]:
        """What else an explanation says of each pair."""
        raise AssertionError("each measure has its own facts")

    def count(self, batch: Batch) -> Counts:
        found = self._similar(batch)
        owners = lsa_texts(batch, self.text, self.against).owners
        return over_references(found.values, owners, len(batch), self.references)

    def score(self, counts: Counts) -> Scores:
        return means(counts, self.values)

    def notes(self, batch: Batch) -> dict[str, int]:
        """For how many comparisons equal singular values decided what was compared."""
        owners = lsa_texts(batch, self.text, self.against).owners
        found = len(np.unique(owners[self._similar(batch).tied]))
        return {self.tie: found} if found else {}

    def explain(self, comparison: Comparison) -> Explanation:
        batch = Batch([comparison])
        texts, pairs = lsa_texts(batch, self.text, self.against), self._pairs(batch)
        similar = self._similar(batch)
        facts = self.facts(batch, pairs, similar)
        parts = []
        for i, side in enumerate(sides_against(comparison, self.against)):
            here = np.flatnonzero(pairs.shared.pair == i)
            terms = [texts.words[t] for t in pairs.bags.ids[pairs.shared.left[here]].tolist()]
            tokens = placed(comparison, side, self.text)
            matches = tuple(
                Match(t, w, tokens.candidate.get(t, ()), tokens.reference.get(t, ()))
                for t, w in zip(terms, similar.parts[here].tolist(), strict=True)
                if w
            )
            known = {"matched": math.fsum(m.weight for m in matches), **facts[i]}
            undefined = bool(np.isnan(similar.values[i]))
            formulas = left_out(self.values) if undefined else {"value": "matched"}
            note = self.tie if similar.tied[i] else ""
            parts.append(Part(side.author, known, formulas, matches, note))
        return explained(self, comparison, parts, self.references)

    def _pairs(self, batch: Batch) -> LsaPairs:
        key = "lsa", self.against, self.weighting, self.global_from, spec.show(self.text)
        return batch.derived(key, lambda: self._make_pairs(batch))

    def _make_pairs(self, batch: Batch) -> LsaPairs:
        texts = lsa_texts(batch, self.text, self.against)
        return pair_spaces(texts.found, texts.left, texts.right, self.weighting, self.global_from)

    def _similar(self, batch: Batch) -> Similar:
        key = "lsa similar", spec.show(self)
        return batch.derived(key, lambda: self.compare(batch, self._pairs(batch)))
