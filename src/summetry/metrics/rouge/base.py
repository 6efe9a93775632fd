"""What the variants of ROUGE share: options, several references, values from counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError
from summetry.metrics.base import Better, Counts, Metric, Needs, Scores, means, ratio, sum_by_owner
from summetry.metrics.explanations import Explanation, Match
from summetry.metrics.rouge.counts import PairCounts
from summetry.metrics.rouge.explain import Located, explain_rouge
from summetry.metrics.rouge.notes import other_scripts
from summetry.metrics.rouge.rouge155_text import Rouge155
from summetry.metrics.rouge.views import Limit
from summetry.records.batches import Batch, Comparison
from summetry.text.pipeline import LanguagePipeline, TextPipeline

VALUES = ("recall", "precision", "f")


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
    def limit(self) -> Limit:
        return Limit(self.words, self.bytes)

    @property
    def quirks(self) -> bool:
        """Whether the original script is followed to the last quirk."""
        return isinstance(self.text, Rouge155)

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
        if not self.quirks:
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
        return explain_rouge(self, comparison)

    def best_key(self, pairs: PairCounts, batch: Batch) -> list[Floats]:
        """What the best reference has most of: F and then recall, or the original's recall."""
        values = self._values(pairs)
        if self.quirks:
            return [values["recall"]]
        return [values["f"], values["recall"]]

    def _best(self, keys: list[Floats], owners: Ints) -> Ints:
        """The place of each comparison's best reference; of equals the first."""
        order = np.lexsort((*(-key for key in reversed(keys)), owners))
        sorted_owners = owners[order]
        first = np.ones(len(order), dtype=bool)
        first[1:] = sorted_owners[1:] != sorted_owners[:-1]
        return order[first].astype(np.int64)

    def _values(self, pairs: PairCounts) -> Scores:
        reference, candidate, hits = pairs
        recall, precision = ratio(hits, reference), ratio(hits, candidate)
        if self.root != 1:
            recall, precision = recall**self.root, precision**self.root
        if self.quirks:
            return _as_printed(recall, precision, self.alpha)
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


def _sum_in_order(values: Floats, owners: Ints, rows: int) -> Floats:
    """The sum of each owner's values, one after the other."""
    return np.bincount(owners, weights=values, minlength=rows).astype(np.float64)


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
