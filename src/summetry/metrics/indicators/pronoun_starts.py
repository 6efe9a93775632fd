"""Pronoun starts: the share of sentences that begin with a pronoun that points back.

    value = sentences whose first word is such a pronoun / sentences

Of an extract the sentence before, which said who "she" is, may be missing. Pronouns are those of
the third person and demonstratives (he, her, it, these), as listed in the data of each language
(``text/languages/*.toml``); a language without a list is refused. A sentence without any word
does not count, and a summary without sentences has no value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from summetry import spec
from summetry.errors import SummetryError
from summetry.metrics.base import METRICS, Better, Counts
from summetry.metrics.explanations import Match
from summetry.metrics.formulas import TotalsMetric
from summetry.metrics.indicators._base import Indicator, sentence_spans
from summetry.records.batches import Batch, Comparison
from summetry.text.pipeline import LanguagePipeline, TextPipeline
from summetry.text.word_forms import pronouns


@METRICS.register
@dataclass(frozen=True)
class PronounStarts(Indicator, TotalsMetric):
    """Share of the sentences that begin with a pronoun (he, it, these, ...)."""

    text: TextPipeline = field(default_factory=LanguagePipeline)

    name: ClassVar[str] = "pronoun_starts"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    reads_sentences: ClassVar[bool] = True
    better: ClassVar[Better] = {"value": "neither"}
    totals: ClassVar[tuple[str, ...]] = ("found", "sentences")
    defined_by: ClassVar[str] = "sentences"
    formulas: ClassVar[dict[str, str]] = {"value": "found / sentences"}
    terms: ClassVar[dict[str, str]] = {
        "found": "sentences that begin with a pronoun",
        "sentences": "sentences of the summary",
    }

    def __post_init__(self) -> None:
        if self.text != LanguagePipeline(name=self.text.name):
            raise SummetryError(
                f"pronoun_starts: text names the language of the words as they are, such as "
                f"text=en, got text={spec.show(self.text)}"
            )

    @property
    def needs_language(self) -> bool:
        return self.text.name == "auto"

    def count(self, batch: Batch) -> Counts:
        sentences = batch.sentences(self.text)
        table = sentences.table
        has_words = table.lengths > 0
        starts = np.zeros(len(table), bool)
        firsts = table.ids[table.offsets[:-1][has_words]]
        rows = np.flatnonzero(has_words)
        texts = np.searchsorted(sentences.first, rows, side="right") - 1
        spoken = self._languages(batch)
        for code in sorted(set(spoken.values())):
            mine = np.array([spoken.get(text) == code for text in texts.tolist()], bool)
            known = pronouns(code)
            is_pronoun = np.fromiter((word in known for word in table.words), bool)
            starts[rows[mine]] = is_pronoun[firsts[mine]]
        sums = [np.append(0, np.cumsum(of))[sentences.first] for of in (starts, has_words)]
        return np.column_stack([np.diff(of)[batch.candidates] for of in sums]).astype(np.float64)

    def _languages(self, batch: Batch) -> dict[int, str]:
        """The language of each candidate, by its row; references and sources are not looked at."""
        rows = np.unique(batch.candidates).tolist()
        return {row: self._language(batch.languages[row]) for row in rows}

    def _language(self, code: str) -> str:
        spoken = code if self.text.name == "auto" else self.text.name
        if not spoken:
            raise SummetryError(
                "pronoun_starts needs to know the language of each text, which is neither given "
                "nor clear from the words: name it with --language en, or as in "
                "pronoun_starts(text=en)"
            )
        return spoken

    def matches(self, comparison: Comparison) -> list[Match]:
        language = comparison.material.language
        known = pronouns(self._language(language))
        matches = []
        for start, end in sentence_spans(comparison, self.text):
            words = self.text.locate(comparison.candidate.text[start:end], language)
            if words and words[0][0] in known:
                word, (first, last) = words[0]
                matches.append(Match(word, 1.0, ((start + first, start + last),)))
        return matches
