"""What the variants of ROUGE share: options, several references, values from counts, explanations
of these values, and notes on traps in the texts that no value shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from summetry.arrays.token_tables import run_starts
from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError
from summetry.metrics.base import (
    Better,
    Counts,
    Metric,
    Needs,
    Scores,
    explained,
    means,
    ratio,
    sum_by_owner,
)
from summetry.metrics.explanations import Explanation, Match, Part, left_out
from summetry.metrics.rouge.counts import PairCounts
from summetry.metrics.rouge.rouge155_text import Rouge155
from summetry.metrics.rouge.rouge_score_text import RougeScoreText
from summetry.metrics.rouge.units import Located
from summetry.metrics.rouge.views import (
    Limit,
    limit_like_rouge155,
    limit_plainly,
    limit_sentences_like_rouge155,
)
from summetry.records.batches import Batch, Comparison, Side
from summetry.text.pipeline import LanguagePipeline, TextPipeline

VALUES = ("recall", "precision", "f")
# A single line of more words than this is taken for several sentences.
_LONG_LINE = 40
_ONE_LINE = (
    "the summary is one long line, which counts as one sentence; "
    "L and W of summaries expect a sentence a line"
)
_OTHER_SCRIPT = (
    "most letters of a text are none of a-z, and others are not seen; "
    "the default, text=auto, reads every script"
)


@dataclass(frozen=True)
class Rouge(Metric):
    """What all variants share: options, several references, values from counts."""

    alpha: float = 0.5
    words: int | None = None
    bytes: int | None = None
    references: Literal["pool", "mean", "best"] = "pool"
    text: TextPipeline = field(default_factory=LanguagePipeline)

    name: ClassVar[str]
    family: ClassVar[str] = "content"
    values: ClassVar[tuple[str, ...]] = VALUES
    headline: ClassVar[str] = "f"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    better: ClassVar[Better] = dict.fromkeys(VALUES, "higher")
    needs: ClassVar[Needs] = Needs.REFERENCES
    reads_sentences: ClassVar[bool] = False
    multiplies_matrices: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not 0 <= self.alpha <= 1:
            raise SummetryError(f"{self.name}: alpha must be between 0 and 1, got {self.alpha}")
        if self.words is not None and self.bytes is not None:
            raise SummetryError(f"{self.name}: a limit is in words or in bytes, not in both")
        for name, limit in (("words", self.words), ("bytes", self.bytes)):
            if limit is not None and limit < 1:
                raise SummetryError(f"{self.name}: {name} must be 1 or more, got {limit}")

    @property
    def legend(self) -> str:
        return ", ".join([*self._units_in_words(), self._words_in_words(), self._over_in_words()])

    def _units_in_words(self) -> list[str]:
        """What is counted, where the name of the metric does not say it."""
        return []

    def _words_in_words(self) -> str:
        whose = {Rouge155: "ROUGE-1.5.5's words", RougeScoreText: "rouge-score's words"}
        words = whose.get(type(self.text), f"words by {self.text.name}")
        if isinstance(self.text, LanguagePipeline):
            kinds = {"words": "Unicode words", "characters": "characters"}
            words = kinds.get(self.text.tokens, f"words by {self.text.tokens}")
        stems = ", stemmed" if getattr(self.text, "stem", False) else ""
        return words + stems

    def _over_in_words(self) -> str:
        return {
            "pool": "several references pooled",
            "mean": "mean of several references",
            "best": "best of several references",
        }[self.references]

    @property
    def counts_empty_references(self) -> bool:
        """Whether a reference without words counts, with the value 0, as in other programs."""
        return self.quirks or self.follows_rouge_score

    @property
    def limit(self) -> Limit:
        return Limit(self.words, self.bytes)

    @property
    def quirks(self) -> bool:
        """Whether the original script is followed to the last quirk."""
        return isinstance(self.text, Rouge155)

    @property
    def follows_rouge_score(self) -> bool:
        """Whether the values are those of the package rouge-score, to the last bit."""
        return isinstance(self.text, RougeScoreText)

    @property
    def root(self) -> float:
        """Recall and precision are raised to this power in the end."""
        return 1.0

    def count_pairs(self, batch: Batch) -> PairCounts:
        """Units and hits for each candidate with each reference."""
        raise AssertionError("a variant counts its own units")

    def matches(self, mine: Located, theirs: Located) -> list[Match]:
        """The units that hit, their weights adding up to the hits."""
        raise AssertionError("a variant names its own units")

    def count(self, batch: Batch) -> Counts:
        pairs = self.count_pairs(batch)
        owners, rows = batch.owners, len(batch)
        if not self.counts_empty_references:
            # An empty reference counts nowhere, not even in the precision.
            there = pairs.reference > 0
            pairs = PairCounts(*(column[there] for column in pairs))
            owners = owners[there]
        if self.references == "mean":
            values = self._values(pairs)
            here = [sum_by_owner(values[n], owners, rows) for n in VALUES]
            many = np.bincount(owners, minlength=rows)
            return np.column_stack([column for total in here for column in (total, many)])
        if self.references == "best":
            chosen = self._best(self.best_key(pairs, batch), owners)
            pairs, owners = PairCounts(*(column[chosen] for column in pairs)), owners[chosen]
        # The script adds up in the order of the references, which W shows in its last digits.
        add = _sum_in_order if self.quirks else sum_by_owner
        return np.column_stack([add(column, owners, rows) for column in pairs])

    def score(self, counts: Counts) -> Scores:
        if self.references == "mean":
            return means(counts, VALUES)
        return self._values(PairCounts(*counts.T))

    def notes(self, batch: Batch) -> dict[str, int]:
        return other_scripts(batch, self.text)

    def explain(self, comparison: Comparison) -> Explanation:
        """One part for each reference that counts, or one for all that are pooled."""
        parts = [self._part(comparison, side) for side in comparison.references]
        if not self.counts_empty_references:
            parts = [part for part in parts if part.facts["reference"] > 0]
        if self.references == "pool":
            parts = [self._pooled(parts)]
        elif self.references == "best" and parts:
            best = self.count(Batch([comparison]))[0].tolist()
            names = ("reference", "candidate", "matched")
            parts = [next(p for p in parts if [p.facts[name] for name in names] == best)]
        return explained(self, comparison, parts)

    def best_key(self, pairs: PairCounts, batch: Batch) -> list[Floats]:
        """What the best reference has most of: F and then recall, or the original's recall."""
        values = self._values(pairs)
        if self.quirks:
            return [values["recall"]]
        return [values["f"]] if self.follows_rouge_score else [values["f"], values["recall"]]

    def _best(self, keys: list[Floats], owners: Ints) -> Ints:
        """The place of each comparison's best reference; of equals the first."""
        order = np.lexsort((*(-key for key in reversed(keys)), owners))
        return order[run_starts(owners[order])].astype(np.int64)

    def _values(self, pairs: PairCounts) -> Scores:
        reference, candidate, hits = pairs
        recall, precision = ratio(hits, reference), ratio(hits, candidate)
        if self.root != 1:
            recall, precision = recall**self.root, precision**self.root
        if self.quirks:
            return _as_printed(recall, precision, self.alpha)
        if self.follows_rouge_score:
            return _without_undefined(recall, precision, self.alpha)
        precision = np.where((candidate == 0) & (reference > 0), 0.0, precision)
        precision = np.where(reference == 0, np.nan, precision)
        if self.root != 1:
            below = (1 - self.alpha) * precision + self.alpha * recall
            f = np.where(below == 0, 0.0, ratio(precision * recall, below))
        else:
            # The same as the formula, and exactly 1 for identical texts.
            f = ratio(hits, reference + self.alpha * (candidate - reference))
            # alpha = 1 is precision, which an empty candidate has 0 of.
            f = np.where(hits == 0, 0.0, f)
        return {"recall": recall, "precision": precision, "f": np.where(reference == 0, np.nan, f)}

    def _part(self, comparison: Comparison, side: Side) -> Part:
        alone = Comparison(comparison.material, comparison.candidate, (side,))
        pairs = self.count_pairs(Batch([alone]))
        language = comparison.material.language
        mine = self._locate(comparison.candidate, language, self.limit)
        theirs = self._locate(side, language, self.limit if self.quirks else Limit())
        facts = {"matched": float(pairs.hits[0]), "reference": float(pairs.reference[0])}
        facts |= {"candidate": float(pairs.candidate[0]), "alpha": self.alpha, "root": self.root}
        return Part(side.author, facts, self._formulas(), tuple(self.matches(mine, theirs)))

    def _pooled(self, parts: Sequence[Part]) -> Part:
        names = ("matched", "reference", "candidate")
        facts = {name: sum(part.facts[name] for part in parts) for name in names}
        facts |= {"alpha": self.alpha, "root": self.root}
        against = ", ".join(part.against for part in parts)
        against = against or "no reference with anything to match"
        formulas = self._formulas() if parts else left_out(self.values)
        matches = tuple(match for part in parts for match in part.matches)
        return Part(against, facts, formulas, matches)

    def _locate(self, side: Side, language: str, limit: Limit) -> Located:
        """The tokens of one side after its limit."""
        sentences: Sequence[str] | None = side.sentences
        if sentences is None:
            sentences = self.text.sentences(side.text, language)
        if not limit:
            places = iter([(t, (span,)) for t, span in self.text.locate(side.text, language)])
            return Located.of(
                [[next(places) for _ in self.text.locate(s, language)] for s in sentences]
            )
        if self.quirks:
            text = limit_like_rouge155(sentences, limit)
            sentences = limit_sentences_like_rouge155(sentences, limit)
        else:
            text = sentences = limit_plainly(sentences, limit)
        flat, cut = (
            Located.of([[(token, ()) for token, _ in self.text.locate(s, language)] for s in view])
            for view in (text, sentences)
        )
        return Located(flat.tokens, cut.sentences)

    def _formulas(self) -> dict[str, str]:
        power = "" if self.root == 1 else "**root"
        recall = f"(matched / reference){power} if reference else 0"
        precision = f"(matched / candidate){power} if candidate else 0"
        if self.quirks:
            r, p = f"round({recall}, 5)", f"round({precision}, 5)"
            f = f"round({p} * {r} / ((1 - alpha) * {p} + alpha * {r}) if {p} * {r} else 0, 5)"
            return {"recall": r, "precision": p, "f": f}
        if self.root == 1 and not self.follows_rouge_score:
            f = "matched / (reference + alpha * (candidate - reference)) if matched else 0"
        else:
            r, p = f"({recall})", f"({precision})"
            f = f"{p} * {r} / ((1 - alpha) * {p} + alpha * {r}) if matched else 0"
        return {"recall": recall, "precision": precision, "f": f}


def _sum_in_order(values: Floats, owners: Ints, rows: int) -> Floats:
    """The sum of each owner's values, one after the other."""
    return np.bincount(owners, weights=values, minlength=rows).astype(np.float64)


def _without_undefined(recall: Floats, precision: Floats, alpha: float) -> Scores:
    """The values of rouge-score: 0 where there is no unit, F from precision and recall."""
    r, p = np.nan_to_num(recall), np.nan_to_num(precision)
    # Of equal weights the sum is divided once: half of it would round twice.
    above, below = (2 * p * r, p + r) if alpha == 0.5 else (p * r, (1 - alpha) * p + alpha * r)
    f = np.divide(above, below, out=np.zeros_like(r), where=below > 0)
    return {"recall": r, "precision": p, "f": f}


def _as_printed(recall: Floats, precision: Floats, alpha: float) -> Scores:
    """Each value rounded as the script prints it, F made of the rounded ones."""
    r, p = (_five_decimals(np.nan_to_num(values)) for values in (recall, precision))
    below = (1 - alpha) * p + alpha * r
    f = np.divide(p * r, below, out=np.zeros_like(r), where=below > 0)
    return {"recall": r, "precision": p, "f": _five_decimals(f)}


def _five_decimals(values: Floats) -> Floats:
    """Rounded as printf does it: by the exact value, not by its product with 100000."""
    scaled = values * 1e5
    rounded = np.rint(scaled) / 1e5
    # Only near a half can the product fall on the other side.
    near = np.flatnonzero(np.abs(scaled - np.floor(scaled) - 0.5) < 1e-6)
    rounded[near] = [round(value, 5) for value in values[near].tolist()]
    return rounded


def one_long_line(batch: Batch, pipeline: TextPipeline) -> dict[str, int]:
    """How many candidates are a long line, where a line is a sentence: they are one sentence."""
    if not pipeline.lines_are_sentences:
        return {}
    sentences = batch.sentences(pipeline)
    flat = (np.diff(sentences.first) <= 1) & (sentences.whole.lengths > _LONG_LINE)
    count = int(flat[batch.candidates].sum())
    return {_ONE_LINE: count} if count else {}


def other_scripts(batch: Batch, pipeline: TextPipeline) -> dict[str, int]:
    """How many comparisons hold a text that tokens of a-z and 0-9 say little or nothing of."""
    if not isinstance(pipeline, Rouge155 | RougeScoreText):
        return {}
    count = batch.derived("comparisons in other scripts", lambda: _count_other_scripts(batch))
    return {_OTHER_SCRIPT: count} if count else {}


def _count_other_scripts(batch: Batch) -> int:
    other = np.array([_is_other_script(text) for text in batch.strings], dtype=bool)
    if not other.any():
        return 0
    affected = other[batch.candidates]
    affected[batch.owners[other[batch.references]]] = True
    return int(affected.sum())


def _is_other_script(text: str) -> bool:
    """Whether more than half of the letters are outside ASCII."""
    # Most texts are plain, and of the rest most have few bytes more than letters.
    if text.isascii() or len(text.encode("utf-8", "replace")) < 1.25 * len(text):
        return False
    letters = [letter for letter in text if letter.isalpha()]
    return 2 * sum(map(str.isascii, letters)) < len(letters)
