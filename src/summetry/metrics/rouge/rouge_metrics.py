"""ROUGE: recall, precision and F over n-grams, subsequences and skip-bigrams.

    R = hits / units of the reference        P = hits / units of the candidate
    F = P R / ((1 - alpha) P + alpha R)

A unit hits as often as candidate and reference both have it. Several references are pooled
(hits and units added up: Steinberger and Jezek, eq. 7), averaged, or the best one is taken.

With ``text=rouge155(...)`` the values are those of ROUGE-1.5.5 to its five decimals, with all its
quirks: ASCII tokens, values rounded before F, the last token of SU, the runs and the doubly
weighted reference of W, limits on references too. With ``text=rouge_score`` they are those of the
package rouge-score to the last bit: F is made of precision and recall, and text without tokens has
0. By default the quirks are off, tokens are those of Unicode, and an empty reference has no value.

Source: Lin (2004); Steinberger and Jezek (2009), eq. 7; the script ROUGE-1.5.5.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from summetry.arrays.ngrams import windows
from summetry.arrays.sequences import lcs_alignment, lcs_lengths
from summetry.arrays.types import Floats
from summetry.errors import SummetryError
from summetry.metrics._pairs import PlacedToken
from summetry.metrics.base import METRICS, ratio
from summetry.metrics.explanations import Match
from summetry.metrics.rouge.base import LONG_LINE, ONE_LINE, Rouge, one_long_line
from summetry.metrics.rouge.counts import PairCounts, lcs_counts, ngram_counts
from summetry.metrics.rouge.plain import WeightedLcs, script_runs, weighted_lcs
from summetry.metrics.rouge.single import Unit, UnitCounts
from summetry.metrics.rouge.skips import skip_counts, skip_totals
from summetry.metrics.rouge.units import (
    Located,
    Occurrences,
    marked_tokens,
    ngram_units,
    shared_units,
    skip_units,
)
from summetry.metrics.rouge.weighted import reference_weights, script_counts, weighted_counts
from summetry.records.batches import Batch

# The names of the package rouge-score stand for its words, and for the best of several references.
_LIKE_ROUGE_SCORE = "text=rouge_score,references=best"
# What an explanation goes through one by one: cells of W, pairs of words of S.
_MOST_CELLS = 1 << 24
_MOST_PAIRS = 1 << 21
# How W weighs a reference, and a candidate.
_WEIGHED = ("each sentence one run", "no less than what matched")


class PooledRecall(NamedTuple):
    """Equation 7: hits and units of all references, and their ratio."""

    match: int
    total: int
    value: float


def ngrams(tokens: Sequence[Hashable], n: int) -> Counter[Hashable]:
    """The n-grams of a text with their counts."""
    return Counter(map(tuple, windows(tokens, n)))


def skip_bigrams(
    tokens: Sequence[Hashable], gap: int = 4, unigrams: bool = True
) -> Counter[Hashable]:
    """Ordered pairs with at most ``gap`` tokens between, and the tokens themselves."""
    reach = len(tokens) if gap < 0 else gap + 2
    units: Counter[Hashable] = Counter(
        (a, b) for i, a in enumerate(tokens) for b in tokens[i + 1 : i + reach]
    )
    if unigrams:
        units.update((a,) for a in tokens)
    return units


def pooled_recall(
    candidate: Counter[Hashable], references: Sequence[Counter[Hashable]]
) -> PooledRecall:
    """Clipped hits divided by units, both summed over the references (eq. 7); NaN without units."""
    match = sum((candidate & reference).total() for reference in references)
    total = sum(reference.total() for reference in references)
    return PooledRecall(match, total, match / total if total else math.nan)


def rouge_n(
    candidate: Sequence[Hashable], references: Sequence[Sequence[Hashable]], n: int = 1
) -> PooledRecall:
    """ROUGE-N of tokens as equation 7 has it.

    >>> rouge_n("a b c".split(), ["a b d".split(), "b c".split()], 2)
    PooledRecall(match=2, total=3, value=0.6666666666666666)
    """
    return pooled_recall(ngrams(candidate, n), [ngrams(text, n) for text in references])


def rouge_su(
    candidate: Sequence[Hashable], references: Sequence[Sequence[Hashable]], gap: int = 4
) -> PooledRecall:
    """ROUGE-SU of tokens: skip-bigrams and unigrams, pooled."""
    units = [skip_bigrams(text, gap) for text in references]
    return pooled_recall(skip_bigrams(candidate, gap), units)


@METRICS.register
@dataclass(frozen=True)
class RougeN(Rouge):
    """n-grams that candidate and references share (eq. 7; ROUGE-1.5.5 -n)."""

    n: int = 1

    name: ClassVar[str] = "rouge_n"
    aliases: ClassVar[Mapping[str, str]] = {
        **{f"rouge-{n}": f"rouge_n(n={n})" for n in range(1, 10)},
        **{f"rouge{n}": f"rouge_n(n={n},{_LIKE_ROUGE_SCORE})" for n in range(1, 10)},
        **{f"rouge155-{n}": f"rouge_n(n={n},text=rouge155)" for n in range(1, 10)},
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.n < 1:
            raise SummetryError(f"rouge_n: n must be 1 or more, got {self.n}")

    @property
    def counted(self) -> str:
        return "words" if self.n == 1 else f"runs of {self.n} words"

    def count_pairs(self, batch: Batch) -> PairCounts:
        return ngram_counts(self.texts(batch), self.n)

    @property
    def unit(self) -> Unit:
        return Unit("ngrams", self.n)

    def matches(self, mine: Located, theirs: Located) -> list[Match]:
        return shared_units(ngram_units(mine.tokens, self.n), ngram_units(theirs.tokens, self.n))


@METRICS.register
@dataclass(frozen=True)
class RougeL(Rouge):
    """Longest common subsequences, united over sentences (ROUGE-1.5.5 -L)."""

    level: Literal["summary", "text"] = "summary"

    name: ClassVar[str] = "rouge_l"
    matching: ClassVar[str] = "in common subsequences"
    aliases: ClassVar[Mapping[str, str]] = {
        "rouge-l": "rouge_l",
        "rouge-lsum": "rouge_l",
        "rougeLsum": f"rouge_l({_LIKE_ROUGE_SCORE})",
        "rougeL": f"rouge_l(level=text,{_LIKE_ROUGE_SCORE})",
        "rouge155-l": "rouge_l(text=rouge155)",
    }

    @property
    def reads_sentences(self) -> bool:
        return self.level == "summary"

    def count_pairs(self, batch: Batch) -> PairCounts:
        texts = self.texts(batch)
        if self.level == "summary":
            return lcs_counts(texts)
        table, (left, right) = texts.table, texts.rows
        hits = lcs_lengths(table, left, right)
        lengths = table.lengths.astype(np.float64)
        return PairCounts(lengths[right], lengths[left], hits.astype(np.float64))

    @property
    def unit(self) -> Unit:
        return Unit("lcs" if self.level == "text" else "union")

    def _units_in_words(self) -> list[str]:
        whole = "the whole text as one sequence"
        return [whole if self.level == "text" else "sentence by sentence"]

    def best_key(self, pairs: PairCounts, batch: Batch) -> list[Floats]:
        if not self.quirks:
            return super().best_key(pairs, batch)
        # Of L alone the script compares the recall as it is, without rounding.
        return [np.nan_to_num(ratio(pairs.hits, pairs.reference))]

    def key_of_pair(self, pair: UnitCounts) -> tuple[float, ...]:
        if not self.quirks:
            return super().key_of_pair(pair)
        reference, _, matched = pair
        return (matched / reference if reference else 0.0,)

    def notes(self, batch: Batch) -> dict[str, int]:
        notes = super().notes(batch)
        return notes if self.level == "text" else notes | one_long_line(batch, self.text)

    def notes_on_one(self, texts: Sequence[str], longest_row: int) -> list[str]:
        notes = super().notes_on_one(texts, longest_row)
        is_long = self.level == "summary" and longest_row > LONG_LINE
        return [*notes, ONE_LINE] if is_long and self.text.lines_are_sentences else notes

    def matches(self, mine: Located, theirs: Located) -> list[Match]:
        if self.level == "summary":
            return marked_tokens(mine, theirs)
        return [
            Match(mine.tokens[i][0], 1.0, mine.tokens[i][1], theirs.tokens[j][1])
            for i, j in lcs_alignment(mine.words, theirs.words)
        ]


@METRICS.register
@dataclass(frozen=True)
class RougeW(Rouge):
    """Common subsequences in which a run of k words counts k^weight (Lin's weighted LCS)."""

    weight: float = 1.2

    name: ClassVar[str] = "rouge_w"
    reads_sentences: ClassVar[bool] = True
    aliases: ClassVar[Mapping[str, str]] = {
        "rouge-w": "rouge_w",
        "rouge-w-1.2": "rouge_w",
        "rouge155-w": "rouge_w(text=rouge155)",
        "rouge155-w-1.2": "rouge_w(text=rouge155)",
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.weight < math.inf:
            raise SummetryError(f"rouge_w: weight must be above 0, got {self.weight}")
        if self.weight < 1 and not self.quirks:
            raise SummetryError(
                f"rouge_w: weight must be 1 or more, got {self.weight}: a run is worth no less "
                f"than its words apart; only text=rouge155 takes such a weight, as the script does"
            )

    @property
    def root(self) -> float:
        return 1 / self.weight

    @property
    def terms(self) -> dict[str, str]:
        each, at_least = ("as the script weighs it",) * 2 if self.quirks else _WEIGHED
        return super().terms | {
            "matched": f"weight of the common runs; k words in a run weigh k^{self.weight:g}",
            "reference": f"weight of the reference, {each}",
            "candidate": f"weight of the candidate, {at_least}",
        }

    @property
    def pooled_terms(self) -> dict[str, str]:
        return {
            "reference": f"{self.terms['reference']}, added up over the references",
            "candidate": f"{self.terms['candidate']}, once for each reference",
        }

    def _units_in_words(self) -> list[str]:
        return ["the script's runs" if self.quirks else "Lin's weighted runs"]

    def count_pairs(self, batch: Batch) -> PairCounts:
        try:
            counts = script_counts if self.quirks else weighted_counts
            return counts(self.texts(batch), self.weight)
        except OverflowError as error:
            raise SummetryError(
                f"rouge_w: weight={self.weight} makes numbers that are too large for texts of this "
                f"length; 1.2 is usual"
            ) from error

    def notes(self, batch: Batch) -> dict[str, int]:
        return super().notes(batch) | one_long_line(batch, self.text)

    def check_size(self, mine: Located, theirs: Located) -> None:
        if len(mine.tokens) * len(theirs.tokens) > _MOST_CELLS:
            raise _too_long_to_explain(self, mine, theirs)

    def matches(self, mine: Located, theirs: Located) -> list[Match]:
        return self._script_matches(mine, theirs) if self.quirks else self._runs(mine, theirs)

    def _runs(self, mine: Located, theirs: Located) -> list[Match]:
        """The runs of each reference sentence with the heaviest sentence of the candidate, of
        equals with the first."""
        matches = []
        for words, there in zip(theirs.words_by_sentence, theirs.sentences, strict=True):
            found = [
                (weighted_lcs(words, [token for token, _ in here], self.weight), here)
                for here in mine.sentences
            ]
            best, here = max(
                found, key=lambda one: one[0].worth, default=(WeightedLcs(0.0, []), [])
            )
            for run in best.runs:
                places = [here[j] for _, j in run], [there[i] for i, _ in run]
                matches.append(_run_match(len(run) ** self.weight, *places))
        return matches

    def _script_matches(self, mine: Located, theirs: Located) -> list[Match]:
        """The runs that the script pays, which are runs of the reference alone."""
        sides, have = (mine.words_by_sentence, theirs.words_by_sentence), (mine.words, theirs.words)
        here, matches = Occurrences(mine.tokens), []
        for run, weight in script_runs(*sides, have, self.weight):
            there = [theirs.sentences[row][place] for row, place in run]
            places = [(token, here.next(token)) for token, _ in there]
            matches.append(_run_match(weight, places, there))
        return matches

    def best_key(self, pairs: PairCounts, batch: Batch) -> list[Floats]:
        if not self.quirks:
            return super().best_key(pairs, batch)
        # The script compares the recall with the reference weighed once, unrounded.
        once = reference_weights(self.texts(batch), self.weight)
        return [np.nan_to_num(ratio(pairs.hits, once)) ** self.root]


@METRICS.register
@dataclass(frozen=True)
class RougeS(Rouge):
    """Pairs of words in order, with at most ``gap`` words between (ROUGE-1.5.5 -2)."""

    gap: int = 4

    name: ClassVar[str] = "rouge_s"
    unigrams: ClassVar[bool] = False
    aliases: ClassVar[Mapping[str, str]] = {
        "rouge-s4": "rouge_s",
        "rouge-s*": "rouge_s(gap=-1)",
        "rouge155-s4": "rouge_s(text=rouge155)",
        "rouge155-s*": "rouge_s(gap=-1,text=rouge155)",
    }

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.gap < -1:
            raise SummetryError(
                f"{self.name}: gap must be 0 or more, or -1 for any number, got {self.gap}"
            )

    @property
    def counted(self) -> str:
        return "pairs of words, and words" if self.unigrams else "pairs of words"

    def count_pairs(self, batch: Batch) -> PairCounts:
        return skip_counts(self.texts(batch), self.gap, self.singles)

    @property
    def unit(self) -> Unit:
        return Unit("skips", self.gap, self.singles)

    @property
    def singles(self) -> str:
        """Which single words count beside the pairs."""
        if not self.unigrams:
            return "none"
        return "not last" if self.quirks else "all"

    def check_size(self, mine: Located, theirs: Located) -> None:
        lengths = np.array([len(mine.tokens), len(theirs.tokens)])
        if skip_totals(lengths, self.gap).max() > _MOST_PAIRS:
            raise _too_long_to_explain(self, mine, theirs)

    def matches(self, mine: Located, theirs: Located) -> list[Match]:
        units = [skip_units(side.tokens, self.gap, self.singles) for side in (mine, theirs)]
        return shared_units(*units)


@METRICS.register
@dataclass(frozen=True)
class RougeSU(RougeS):
    """Skip-bigrams and single words (ROUGE-1.5.5 -2 with -u)."""

    name: ClassVar[str] = "rouge_su"
    unigrams: ClassVar[bool] = True
    aliases: ClassVar[Mapping[str, str]] = {
        "rouge-su4": "rouge_su",
        "rouge-su*": "rouge_su(gap=-1)",
        "rouge155-su4": "rouge_su(text=rouge155)",
        "rouge155-su*": "rouge_su(gap=-1,text=rouge155)",
    }


def _run_match(weight: float, here: list[PlacedToken], there: list[PlacedToken]) -> Match:
    """A run of W with its places in the candidate and in the reference."""
    mine, theirs = (tuple(span for _, places in side for span in places) for side in (here, there))
    return Match(" ".join(token for token, _ in there), weight, mine, theirs)


def _too_long_to_explain(metric: Rouge, mine: Located, theirs: Located) -> SummetryError:
    return SummetryError(
        f"{metric.name}: a candidate of {len(mine.tokens):,} words and a reference of "
        f"{len(theirs.tokens):,} are too long to be explained; `summetry score` gives the value"
    )
