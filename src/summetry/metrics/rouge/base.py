"""What the variants of ROUGE share: options, several references, values from counts, explanations
of these values, and notes on traps in the texts that no value shows."""

from __future__ import annotations

import math
import string
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import add, attrgetter
from typing import Any, ClassVar, Literal

import numpy as np
from msgspec.structs import replace

from summetry.arrays.token_tables import run_starts
from summetry.arrays.types import Bools, Floats, Ints
from summetry.errors import SummetryError
from summetry.metrics._pairs import PlacedToken, unmatched
from summetry.metrics.base import (
    Counts,
    Metric,
    Needs,
    Scores,
    explained,
    means,
    over_references,
    ratio,
    sum_by_owner,
)
from summetry.metrics.explanations import Explanation, Match, Part, in_reference, left_out
from summetry.metrics.formulas import evaluate, in_plain_python, plain_function
from summetry.metrics.rouge.counts import PairCounts
from summetry.metrics.rouge.single import Unit, UnitCounts
from summetry.metrics.rouge.texts import AsciiText, Rouge155, RougeScoreText
from summetry.metrics.rouge.units import Located
from summetry.metrics.rouge.views import RougeTexts, apply_limit
from summetry.records.batches import Batch, Comparison, Side
from summetry.records.lengths import Length
from summetry.text.pipeline import LanguagePipeline, TextPipeline

VALUES = ("recall", "precision", "f")


# What the formulas call the counts of one candidate with one reference.
_COUNTS = ("reference", "candidate", "matched")
# A single line of more words than this is taken for several sentences.
LONG_LINE = 40
ONE_LINE = (
    "the summary or a reference is one long line, which counts as one sentence; "
    "L and W of summaries expect one sentence per line"
)
# A text of which tokens of a-z drop a larger share of the letters is spoken of.
_DROPPED = 0.05
_OTHER_SCRIPT = (
    "the tokens are runs of a-z and 0-9: in some texts more than 5 % of the letters are dropped; "
    "rouge-1, or text=auto, reads every script"
)
_EMPTY_REFERENCE = (
    "a reference is empty and counts with the value 0, as in rouge-score; "
    "rouge-1, rouge-2 and rouge-l leave it out"
)
_NO_ASCII_LETTER = bytes(set(range(128)) - set(string.ascii_letters.encode()))


@dataclass(frozen=True)
class Rouge(Metric):
    """What all variants share: options, several references, values from counts."""

    alpha: float = 0.5
    length: str | int | None = None
    references: Literal["pool", "mean", "best"] = "pool"
    text: TextPipeline = field(default_factory=LanguagePipeline)

    family: ClassVar[str] = "content"
    values: ClassVar[tuple[str, ...]] = VALUES
    headline: ClassVar[str] = "f"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    needs: ClassVar[Needs] = Needs.REFERENCES
    # For explanations: which of the units match.
    matching: ClassVar[str] = "that both have, each as often as in both"
    multiplies_matrices: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not 0 <= self.alpha <= 1:
            raise SummetryError(f"{self.name}: alpha must be between 0 and 1, got {self.alpha}")
        if self.length is not None:
            length = Length.parse(self.length)
            if length.kind not in ("words", "bytes"):
                expected = "in words or bytes, such as '100 words'"
                raise SummetryError(f"{self.name}: length must be {expected}, got {length}")
            # Equal lengths are spelt alike.
            object.__setattr__(self, "length", str(length))

    @property
    def legend(self) -> str:
        cut = [] if self.length is None else [f"the first {self.length}"]
        return ", ".join([self._words_in_words(), *self._units_in_words(), *cut])

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

    @property
    def counted(self) -> str:
        """The units in words, for explanations."""
        return "words"

    @property
    def terms(self) -> dict[str, str]:
        return {
            "matched": f"{self.counted} {self.matching}",
            "reference": f"{self.counted} of the reference",
            "candidate": f"{self.counted} of the candidate",
            "alpha": "how much precision counts in F: 0 is recall alone, 1 precision alone",
            "root": "1 / weight, which undoes that long runs weigh more",
        }

    @property
    def pooled_terms(self) -> dict[str, str]:
        """What the counts mean where those of several references are added up."""
        return {
            "reference": f"{self.counted} of the references, added up",
            "candidate": f"{self.counted} of the candidate, once for each reference",
        }

    @cached_property
    def counts_empty_references(self) -> bool:
        """Whether a reference without words counts, with the value 0, as in other programs."""
        return self.quirks or self.follows_rouge_score

    @property
    def limit(self) -> Length | None:
        return None if self.length is None else Length.parse(self.length)

    @cached_property
    def needs_language(self) -> bool:
        return self.text.needs_language

    @cached_property
    def quirks(self) -> bool:
        """Whether the original script is followed to the last quirk."""
        return isinstance(self.text, Rouge155)

    @cached_property
    def follows_rouge_score(self) -> bool:
        """Whether the values are those of the package rouge-score, to the last bit."""
        return isinstance(self.text, RougeScoreText)

    @property
    def root(self) -> float:
        """Recall and precision are raised to this power in the end."""
        return 1.0

    def texts(self, batch: Batch) -> RougeTexts:
        """The tokens of a batch as this metric reads them."""
        return RougeTexts(batch, self.text, self.limit)

    @abstractmethod
    def count_pairs(self, batch: Batch) -> PairCounts:
        """Units and hits for each candidate with each reference."""

    @abstractmethod
    def matches(self, mine: Located, theirs: Located) -> list[Match]:
        """The units that hit, their weights adding up to the hits."""

    def check_size(self, mine: Located, theirs: Located) -> None:
        """Refuse texts that are too long to be explained."""

    def count(self, batch: Batch) -> Counts:
        pairs, rows = self.count_pairs(batch), len(batch)
        chosen = self._chosen(pairs, batch)
        pairs, owners = pairs.at(chosen), batch.owners[chosen]
        if self.references == "mean":
            values = self._values(pairs)
            return np.hstack([over_references(values[n], owners, rows, "mean") for n in VALUES])
        # The script adds up in the order of the references, which W shows in its last digits.
        add = _sum_in_order if self.quirks else sum_by_owner
        return np.column_stack([add(column, owners, rows) for column in pairs])

    @property
    def unit(self) -> Unit | None:
        """What is counted of one candidate without a batch; None where only a batch has it."""
        return None

    def notes_on_one(self, texts: Sequence[str], longest_row: int) -> list[str]:
        """The words of :meth:`notes` for one candidate, which stands before its references."""
        notes = []
        if isinstance(self.text, AsciiText) and any(map(_is_other_script, texts)):
            notes.append(_OTHER_SCRIPT)
        if self.follows_rouge_score and not all(map(str.strip, texts[1:])):
            notes.append(_EMPTY_REFERENCE)
        return notes

    def values_over(self, pairs: Sequence[UnitCounts]) -> dict[str, float]:
        """The values over all references, added up in the order of :meth:`count`."""
        if not self.counts_empty_references:
            pairs = [pair for pair in pairs if pair[0]]
        if len(pairs) == 1:
            return self.values_of_pair(pairs[0])
        if not pairs:
            return dict.fromkeys(VALUES, math.nan)
        if self.references == "pool":
            reference, candidate, matched = map(sum, zip(*pairs, strict=True))
            return self.values_of_pair((reference, candidate, matched))
        if self.references == "best":
            return self.values_of_pair(max(pairs, key=self.key_of_pair))
        each = list(map(self.values_of_pair, pairs))
        # Python's own sum of floats is another one from 3.12 on.
        return {
            name: reduce(add, sorted(values[name] for values in each), 0.0) / len(each)
            for name in VALUES
        }

    def values_of_pair(self, pair: UnitCounts) -> dict[str, float]:
        return plain_function(self._in_plain_python)(*pair)

    def key_of_pair(self, pair: UnitCounts) -> tuple[float, ...]:
        """As :meth:`best_key`, for one pair."""
        values = self.values_of_pair(pair)
        if self.quirks:
            return (values["recall"],)
        f = values["f"]
        return (f,) if self.follows_rouge_score else (f, values["recall"])

    @cached_property
    def _in_plain_python(self) -> str:
        constants = {"alpha": self.alpha, "root": self.root}
        return in_plain_python(self._formulas, _COUNTS, constants)

    def score(self, counts: Counts) -> Scores:
        if self.references == "mean":
            return means(counts, VALUES)
        return self._values(PairCounts(*counts.T))

    def notes(self, batch: Batch) -> dict[str, int]:
        notes = other_scripts(batch, self.text)
        return notes | empty_references(batch) if self.follows_rouge_score else notes

    def explain(self, comparison: Comparison) -> Explanation:
        """One part for each reference that counts, or one for all that are pooled."""
        language, candidate = comparison.material.language, comparison.candidate
        mine = self._locate(candidate, language, self.limit)
        limit = self.limit if self.quirks else None
        located = [self._locate(side, language, limit) for side in comparison.references]
        for theirs in located:
            self.check_size(mine, theirs)
        batch = Batch([comparison])
        pairs = self.count_pairs(batch)
        chosen = self._chosen(pairs, batch)
        sides = [comparison.references[place] for place in chosen.tolist()]
        others = [located[place] for place in chosen.tolist()]
        # Words that a limit cut off are in the candidate, too.
        all_mine = [(t, (span,)) for t, span in self.text.locate(candidate.text, language)]
        parts = []
        for side, theirs, *counts in zip(
            sides, others, *(column.tolist() for column in pairs.at(chosen)), strict=True
        ):
            matches = self.matches(mine, theirs)
            missed = unmatched(theirs.tokens, matches, all_mine)
            parts.append(self._part(side.author, counts, matches, missed))
        is_pooled = self.references == "pool" and len(parts) != 1
        if is_pooled:
            parts = [self._pooled(parts)]
        over = "best" if self.references == "best" else "mean"
        explanation = explained(self, comparison, parts, over)
        if not is_pooled:
            return explanation
        return replace(explanation, terms=explanation.terms | self.pooled_terms)

    def _part(
        self,
        against: str,
        counts: Sequence[float],
        matches: Iterable[Match],
        missed: Iterable[Match],
    ) -> Part:
        facts, formulas = self._facts(*counts), dict(self._formulas)
        return Part(against, facts, formulas, tuple(matches), missed=tuple(missed))

    def _pooled(self, parts: Sequence[Part]) -> Part:
        if not parts:
            nothing = self._facts(0, 0, 0)
            return Part("no reference with anything to match", nothing, left_out(self.values))
        counts = [sum(part.facts[name] for part in parts) for name in _COUNTS]
        against = ", ".join(part.against for part in parts)
        matches, missed = (
            [match for part in parts for match in in_reference(chosen(part), part.against)]
            for chosen in (attrgetter("matches"), attrgetter("missed"))
        )
        return self._part(against, counts, matches, missed)

    def best_key(self, pairs: PairCounts, batch: Batch) -> list[Floats]:
        """What the best reference has most of: F and then recall, or the original's recall."""
        values = self._values(pairs)
        if self.quirks:
            return [values["recall"]]
        return [values["f"]] if self.follows_rouge_score else [values["f"], values["recall"]]

    def _chosen(self, pairs: PairCounts, batch: Batch) -> Ints:
        """Which pairs count: all, or the best of each comparison; of equals the first."""
        if self.counts_empty_references:
            chosen = np.arange(len(batch.owners))
        else:
            # An empty reference counts nowhere, not even in the precision.
            chosen = np.flatnonzero(pairs.reference > 0)
        owners = batch.owners[chosen]
        if self.references != "best" or (owners[1:] != owners[:-1]).all():
            return chosen
        keys = self.best_key(pairs.at(chosen), batch)
        order = np.lexsort((*(-key for key in reversed(keys)), owners))
        return chosen[order[run_starts(owners[order])]]

    def _values(self, pairs: PairCounts) -> Scores:
        if self.quirks:
            return self._as_printed(pairs)
        facts = self._facts(*pairs)
        values = {name: evaluate(formula, facts) for name, formula in self._formulas.items()}
        if self.counts_empty_references:
            return values
        return {name: np.where(pairs.reference == 0, np.nan, v) for name, v in values.items()}

    def _as_printed(self, pairs: PairCounts) -> Scores:
        """Each value rounded as the script prints it, F made of the rounded ones."""
        r, p = (
            _five_decimals(np.nan_to_num(ratio(pairs.hits, units)) ** self.root)
            for units in (pairs.reference, pairs.candidate)
        )
        below = (1 - self.alpha) * p + self.alpha * r
        f = np.divide(p * r, below, out=np.zeros_like(r), where=below > 0)
        return {"recall": r, "precision": p, "f": _five_decimals(f)}

    def _facts(self, reference: Any, candidate: Any, hits: Any) -> dict[str, Any]:
        """What the formulas speak of, for one pair or for many."""
        facts = {"matched": hits, "reference": reference, "candidate": candidate}
        # What changes nothing is not named.
        facts |= {} if self.alpha == 0.5 else {"alpha": self.alpha}
        return facts if self.root == 1 else facts | {"root": self.root}

    def _locate(self, side: Side, language: str, limit: Length | None) -> Located:
        """The tokens of one side after its limit."""
        sentences: Sequence[str] | None = side.sentences
        if sentences is None:
            sentences = self.text.sentences(side.text, language)
        if not limit:
            places = iter([(t, (span,)) for t, span in self.text.locate(side.text, language)])
            return Located.of(
                [[next(places) for _ in self.text.locate(s, language)] for s in sentences]
            )
        text, sentences = apply_limit(sentences, limit, self.text)
        known = self.text.locate(side.text, language)

        def cut(view: Sequence[str]) -> list[list[PlacedToken]]:
            # A token has its place in the whole text unless the limit went through it.
            whole = iter(known)
            return [
                [
                    (token, (span,) if token == uncut else ())
                    for token, _ in self.text.locate(sentence, language)
                    for uncut, span in [next(whole, ("", (0, 0)))]
                ]
                for sentence in view
            ]

        return Located(Located.of(cut(text)).tokens, cut(sentences))

    @cached_property
    def _formulas(self) -> dict[str, str]:
        power = "" if self.root == 1 else "**root"
        recall = f"(matched / reference){power} if reference else 0"
        precision = f"(matched / candidate){power} if candidate else 0"
        if self.quirks:
            r, p = f"round({recall}, 5)", f"round({precision}, 5)"
            f = f"round({self._f_of(r, p)} if {p} * {r} else 0, 5)"
            return {"recall": r, "precision": p, "f": f}
        if self.root != 1 or self.follows_rouge_score:
            f = self._f_of(f"({recall})", f"({precision})")
        elif self.alpha == 0.5:
            f = "2 * matched / (reference + candidate)"
        else:
            f = "matched / (reference + alpha * (candidate - reference))"
        return {"recall": recall, "precision": precision, "f": f"{f} if matched else 0"}

    def _f_of(self, r: str, p: str) -> str:
        # With equal weights as rouge-score writes it, to the last bit.
        equal = f"2 * {p} * {r} / ({p} + {r})"
        return equal if self.alpha == 0.5 else f"{p} * {r} / ((1 - alpha) * {p} + alpha * {r})"


def _sum_in_order(values: Floats, owners: Ints, rows: int) -> Floats:
    """The sum of each owner's values, one after the other."""
    return np.bincount(owners, weights=values, minlength=rows).astype(np.float64)


def _five_decimals(values: Floats) -> Floats:
    """Rounded as printf does it: by the exact value, not by its product with 100000."""
    scaled = values * 1e5
    rounded = np.rint(scaled) / 1e5
    # Only near a half can the product fall on the other side.
    near = np.flatnonzero(np.abs(scaled - np.floor(scaled) - 0.5) < 1e-6)
    rounded[near] = [round(value, 5) for value in values[near].tolist()]
    return rounded


def one_long_line(batch: Batch, pipeline: TextPipeline) -> dict[str, int]:
    """How many comparisons hold a text that is one long line, where a line is a sentence."""
    if not pipeline.lines_are_sentences:
        return {}
    sentences = batch.sentences(pipeline)
    flat = (np.diff(sentences.first) <= 1) & (sentences.whole.lengths > LONG_LINE)
    count = _count_affected(batch, flat)
    return {ONE_LINE: count} if count else {}


def _count_affected(batch: Batch, texts: Bools) -> int:
    """How many comparisons hold one of these texts, as the candidate or as a reference."""
    affected = texts[batch.candidates]
    affected[batch.owners[texts[batch.references]]] = True
    return int(affected.sum())


def other_scripts(batch: Batch, pipeline: TextPipeline) -> dict[str, int]:
    """How many comparisons hold a text of which tokens of a-z and 0-9 drop many letters."""
    if not isinstance(pipeline, AsciiText):
        return {}
    count = batch.derived("comparisons in other scripts", lambda: _count_other_scripts(batch))
    return {_OTHER_SCRIPT: count} if count else {}


def empty_references(batch: Batch) -> dict[str, int]:
    """How many comparisons have a reference that is nothing but blanks."""
    count = batch.derived("empty references", lambda: _count_empty_references(batch))
    return {_EMPTY_REFERENCE: count} if count else {}


def _count_empty_references(batch: Batch) -> int:
    texts = batch.strings
    if all(texts) and not any(map(str.isspace, texts)):
        return 0
    blank = np.array([not text or text.isspace() for text in texts], dtype=bool)
    return len(np.unique(batch.owners[blank[batch.references]]))


def _count_other_scripts(batch: Batch) -> int:
    if all(map(str.isascii, batch.strings)):
        return 0
    others = [i for i, text in enumerate(batch.strings) if _is_other_script(text)]
    affected = np.zeros(len(batch.strings), dtype=bool)
    affected[others] = True
    return _count_affected(batch, affected) if others else 0


def _is_other_script(text: str) -> bool:
    """Whether a larger share of the letters than is passed over in silence is outside ASCII."""
    if text.isascii():
        return False
    plain = text.encode("ascii", "ignore")
    letters = len(plain.translate(None, _NO_ASCII_LETTER))
    # Quotation marks and dashes are many: letters are counted only where there may be enough.
    if len(text) - len(plain) <= _DROPPED * letters:
        return False
    dropped = sum(not letter.isascii() and letter.isalpha() for letter in text)
    return dropped > _DROPPED * (letters + dropped)
