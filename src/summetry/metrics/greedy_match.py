"""Greedy matching of token vectors, as in BERTScore.

    precision = sum over the tokens of the candidate of their best similarity / their number
    recall    = sum over the tokens of the reference of their best similarity / their number
    f         = 2 precision recall / (precision + recall)

The similarity of two tokens is the cosine of their vectors, 0 where that is negative; the best is
that with the most similar token of the other text. With ``idf`` a token counts with its inverse
document frequency instead of 1. Cosines are computed in single precision and rounded to a multiple
of 2^-20 (a millionth), which is what they are exact to: so a vector has 1 with itself, and sums do
not depend on their order. An empty candidate has 0, an empty reference no value.

Source: Zhang et al. (2020), BERTScore, section 3; with their encoders and layers it is theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import ClassVar, NamedTuple

import numpy as np
from msgspec.structs import replace

from summetry.arrays.types import Floats
from summetry.encoders import Encoder, TokenVectors, Vectors
from summetry.encoders.folder import Folder
from summetry.encoders.frequencies import load_frequencies
from summetry.encoders.weights import hash_of
from summetry.metrics._encoded import EncodedMetric, blocks
from summetry.metrics._pairs import Against, PairFacts
from summetry.metrics.base import METRICS, Describable, Over
from summetry.metrics.explanations import Match, Part, Sheet
from summetry.records.batches import Batch, Comparison, Side
from summetry.text.tokens import Span

_STEPS = 2.0**20
# Rows of a table of an explanation.
_SHOWN = 12


def highest_cosines(candidate: Vectors, reference: Vectors) -> tuple[Vectors, Vectors]:
    """The highest cosine of each row of two matrices, whose rows have length 1.

    >>> rows = np.eye(3, dtype=np.float32)
    >>> [best.tolist() for best in highest_cosines(rows[:2], rows[1:])]
    [[0.0, 1.0], [1.0, 0.0]]
    """
    cosines = candidate @ reference.T
    return cosines.max(axis=1), cosines.max(axis=0)


def _best(candidate: TokenVectors, reference: TokenVectors) -> tuple[Vectors, Vectors]:
    """The highest cosine of each token; 0 with an empty text."""
    if not len(candidate) or not len(reference):
        return np.zeros(len(candidate), np.float32), np.zeros(len(reference), np.float32)
    return highest_cosines(candidate.unit, reference.unit)


def _sums(cosines: Sequence[Vectors], weights: Sequence[Floats]) -> tuple[Floats, Floats]:
    """For each text the weighted sum of the similarities of its tokens, and that of the weights."""
    texts = len(weights)
    owner = np.repeat(np.arange(texts), [len(one) for one in weights])
    each = np.concatenate(weights)
    similar = _similarities(np.concatenate(cosines)) * each
    # Added one after the other, so that a sum depends on nothing but its own text.
    similarity, weight = (np.bincount(owner, one, texts) for one in (similar, each))
    return similarity.astype(np.float64), weight.astype(np.float64)


def _similarities(cosines: Vectors) -> Floats:
    rounded = np.rint(cosines.astype(np.float64) * _STEPS) / _STEPS
    return np.minimum(np.maximum(rounded, 0.0), 1.0)


@METRICS.register
@dataclass(frozen=True)
class GreedyMatch(EncodedMetric):
    """Each token with the most similar token of the other text (Zhang et al. 2020)."""

    encoder: Encoder = field(default_factory=Folder)
    # A file of document frequencies.
    idf: str = ""
    references: Over = "best"
    against: Against = "references"

    name: ClassVar[str] = "greedy_match"
    formulas: ClassVar[dict[str, str]] = {
        "precision": "covered / candidate if covered else 0",
        "recall": "matched / reference",
        "f": "2 * covered * matched / (covered * reference + matched * candidate) "
        "if covered * matched else 0",
    }
    headline: ClassVar[str] = "f"

    @property
    def pipeline(self) -> Describable:
        return _WithIdf(self.encoder, self.idf) if self.idf else self.encoder

    @property
    def files(self) -> tuple[str, ...]:
        return (*super().files, self.idf) if self.idf else super().files

    @property
    def terms(self) -> dict[str, str]:
        tokens = "the weights (idf) of the tokens, added up," if self.idf else "tokens"
        return {
            "matched": f"over all tokens of the {self.other}, the best similarity of each",
            "covered": "over all tokens of the candidate, the best similarity of each",
            "candidate": f"{tokens} of the candidate",
            "reference": f"{tokens} of the {self.other}",
        }

    def pair_facts(self, batch: Batch) -> PairFacts:
        pairs, texts, weigh = self.pair_rows(batch), self.encoded(batch), self._weigh()
        left, right = pairs.left.tolist(), pairs.right.tolist()
        facts = np.zeros((4, len(left)))
        for start, end in blocks(pairs):
            mine, theirs = left[start:end], right[start:end]
            texts.need([*mine, *theirs])
            weights = {row: weigh(texts[row]) for row in {*mine, *theirs}}
            best = [_best(texts[a], texts[b]) for a, b in zip(mine, theirs, strict=True)]
            covered = _sums([one for one, _ in best], [weights[row] for row in mine])
            matched = _sums([other for _, other in best], [weights[row] for row in theirs])
            facts[:, start:end] = *covered, *matched
        names = ("covered", "candidate", "matched", "reference")
        return PairFacts(dict(zip(names, facts, strict=True)), pairs.owners)

    def matches(self, comparison: Comparison, other: Side) -> list[Match]:
        return [
            Match(near.what, near.similarity * near.weight, near.to_spans, near.spans)
            for near in self._nearest(other.text, comparison.candidate.text)
            if near.similarity
        ]

    def missed(
        self, comparison: Comparison, other: Side, matches: Sequence[Match]
    ) -> tuple[Match, ...]:
        matched = {span for match in matches for span in match.reference}
        return tuple(
            Match(near.token, near.weight, (), near.spans)
            for near in self._nearest(other.text, comparison.candidate.text)
            if not near.similarity and near.spans and not matched.intersection(near.spans)
        )

    def parts(self, comparison: Comparison) -> list[Part]:
        candidate = comparison.candidate.text
        parts = super().parts(comparison)
        return [
            replace(part, tables=self._tables(candidate, other.text))
            for part, (_, other) in zip(parts, self.others(comparison), strict=True)
        ]

    def _tables(self, candidate: str, other: str) -> tuple[Sheet, ...]:
        """The tokens of each side that the other is farthest from."""
        sides = {
            (self.other, "candidate"): self._nearest(other, candidate),
            ("candidate", self.other): self._nearest(candidate, other),
        }
        return tuple(
            Sheet(
                f"tokens of the {whose} with the nearest of the {of}, least similar first",
                (whose, of, "similarity"),
                tuple(
                    (near.token, near.to, near.similarity)
                    for near in sorted(found, key=lambda near: near.similarity)[:_SHOWN]
                ),
            )
            for (whose, of), found in sides.items()
            if found
        )

    def _nearest(self, text: str, other: str) -> list[_Nearest]:
        """For each token of a text the nearest of another; of equal ones the first."""
        theirs, mine = self.encoder.encode([text, other])
        if not len(theirs) or not len(mine):
            return []
        # By what is rounded, so that the first of equal ones does not depend on a last bit.
        nearest = _similarities(theirs.unit @ mine.unit.T).argmax(axis=1).tolist()
        # The same product as for the value, whose sum it is.
        best = _similarities(_best(mine, theirs)[1]).tolist()
        weights = self._weigh()(theirs).tolist()
        named, others = self.encoder.locate(text), self.encoder.locate(other)
        rows = zip(named, best, weights, nearest, strict=True)
        return [_Nearest(*one, *others[to], *numbers) for one, *numbers, to in rows]

    def _weigh(self) -> Callable[[TokenVectors], Floats]:
        """How much each token of a text counts."""
        if not self.idf:
            return attrgetter("counts")
        frequencies = load_frequencies(self.idf, self.encoder)
        return lambda text: text.counts * frequencies.weights(text.tokens)


class _Nearest(NamedTuple):
    """A token with its places, the nearest token of another text, and how near that is."""

    token: str
    spans: tuple[Span, ...]
    to: str
    to_spans: tuple[Span, ...]
    similarity: float
    weight: float

    @property
    def what(self) -> str:
        is_same = self.token.casefold() == self.to.casefold()
        return self.token if is_same else f"{self.token} ≈ {self.to}"


@dataclass(frozen=True)
class _WithIdf:
    """An encoder and a file of document frequencies, for the signature."""

    encoder: Encoder
    idf: str

    def describe(self) -> str:
        frequencies = load_frequencies(self.idf, self.encoder)
        return f"{frequencies.encoder},idf:{hash_of([Path(self.idf)])}"
