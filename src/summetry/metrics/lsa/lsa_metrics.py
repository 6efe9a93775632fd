"""Similarity of the main topics of a summary and of its source, by latent semantic analysis.

The matrix A of weighted terms by sentences (see ``arrays.weighting``) is taken apart into
A = U S V^T; the columns of U are topics, the squares of the singular values their significance.

    lsa_main_topic:         cos = |sum_i ur_i us_i|      of the first columns of U
    lsa_term_significance:  the cosine of s_i = sqrt(sum over k <= r of u_ik^2 sigma_k^4)

with r = p % of the reference's sentences, where p is the share of words that the summary has of
the reference, at most 100 (see ``dimensions``). A term that one text lacks is 0 there;
vectors are not normalised again. An empty candidate, or one whose terms all weigh 0, has 0; such
a reference no value.

Where the paper is silent: the summary keeps the same r, at most as many as it has sentences;
words are running words, stop words included; a singular vector has no sign of its own, so the
absolute value counts. If the largest singular value is there several times there is no first
column; the value is then the cosine of the smallest angle between the spaces. If r falls among
equal singular values it moves to the last of them.

Source: Steinberger and Jezek (2009), section 5, eq. 9-13.
"""

from __future__ import annotations

import dataclasses
import math
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np

from summetry import spec
from summetry.arrays.latent import Spaces
from summetry.arrays.types import Ints
from summetry.arrays.weighting import (
    BINARY,
    AuAbsent,
    Entropy,
    Local,
    LogBase,
    Scope,
    Weighting,
    occurrences,
    tokens_as_table,
    weighting_matrix,
)
from summetry.metrics._pairs import Against, Placed, TextMetric, placed
from summetry.metrics.base import METRICS, Over, Scores
from summetry.metrics.explanations import Match, Part, Sheet, left_out
from summetry.metrics.lsa.cosines import (
    ROUNDING,
    GlobalFrom,
    LsaPairs,
    LsaTexts,
    Similar,
    main_topic_cosines,
    pair_spaces,
    read_texts,
    significance_cosines,
    unit_term_vector,
)
from summetry.metrics.lsa.dimensions import Rounding, reduced
from summetry.records.batches import Batch, Comparison
from summetry.text.pipeline import LanguagePipeline, TextPipeline

SummaryR: TypeAlias = Literal["same", "percent", "all"]
Sentences: TypeAlias = Sequence[Sequence[str]]


class MainTopic(NamedTuple):
    """Eq. 9, the cosine of the smallest angle, and whether both have a first singular vector."""

    value: float
    max_cos: float
    unique: bool


def main_topic_similarity(
    summary: Sentences, reference: Sentences, weighting: Weighting = BINARY
) -> MainTopic:
    """How similar the main topics of two texts are, given as sentences of tokens.

    >>> round(main_topic_similarity([["fog", "pier"]], [["fog", "pier"], ["fog"]]).value, 4)
    0.9732
    """
    similar = main_topic_cosines(_one_pair(summary, reference, weighting))
    value = float(similar.values[0])
    # Without a value of its own, 0 stands for a summary of which nothing can be compared.
    compared = not math.isnan(value) and bool(weighting_matrix(summary, weighting).matrix.any())
    return MainTopic(value, value if compared else math.nan, compared and not similar.tied[0])


class TermSignificance(NamedTuple):
    """The similarity, and the dimensions that reference and summary were to keep."""

    value: float
    r: int | float
    r_summary: int | float


def term_significance_similarity(
    summary: Sentences,
    reference: Sentences,
    weighting: Weighting = BINARY,
    rounding: Rounding = "half_up",
    summary_r: SummaryR = "same",
) -> TermSignificance:
    """How similar the terms of the main topics weigh in two texts, given as sentences of tokens.

    All tokens that are given count as words for r.

    >>> term_significance_similarity([["fog", "pier"]], [["fog", "pier"], ["fog"]]).r
    1
    """
    pairs = _one_pair(summary, reference, weighting)
    sw, fw = (np.array([sum(map(len, text))], np.int64) for text in (summary, reference))
    theirs, mine = _ranks(pairs, sw, fw, rounding, summary_r)
    value = float(significance_cosines(pairs, mine, theirs).values[0])
    r = int(theirs[0]) if fw[0] else math.nan
    return TermSignificance(value, r, int(mine[0]) if fw[0] and sw[0] else math.nan)


def _one_pair(summary: Sentences, reference: Sentences, weighting: Weighting) -> LsaPairs:
    table = tokens_as_table([*reference, *summary])
    first = np.cumsum([0, len(reference), len(summary)], dtype=np.int64)
    texts = np.array([1], np.int64), np.array([0], np.int64)
    return pair_spaces(occurrences(table, first), *texts, weighting, "own")


def in_order(weights: Mapping[str, float], order: Iterable[str]) -> list[tuple[str, float]]:
    """Words with their weights in the order of a text, those that it does not have at the end.

    >>> in_order({"a": 1.0, "b": 2.0, "c": 3.0}, ["c", "b", "x"])
    [('c', 3.0), ('b', 2.0), ('a', 1.0)]
    """
    known = [word for word in order if word in weights]
    return [(word, weights[word]) for word in dict.fromkeys([*known, *weights])]


def _ranks(
    pairs: LsaPairs, sw: Ints, fw: Ints, rounding: Rounding, summary_r: SummaryR
) -> tuple[Ints, Ints]:
    """The dimensions that each reference and each summary keeps."""
    sentences = pairs.mine.sentences[pairs.left_space]
    theirs = reduced(sw, fw, pairs.theirs.sentences[pairs.right_space], rounding)
    if summary_r == "all":
        return theirs, sentences
    if summary_r == "percent":
        return theirs, reduced(sw, fw, sentences, rounding)
    return theirs, np.minimum(theirs, sentences)


@dataclass(frozen=True)
class Lsa(TextMetric):
    """What both metrics share: what is compared, and how terms are weighted."""

    against: Against = "source"
    local: Local = "BI"
    scope: Scope | None = None
    au_absent: AuAbsent = "zero"
    en: Entropy = "standard"
    log: LogBase = "e"
    global_from: GlobalFrom = "own"
    references: Over = "mean"
    text: TextPipeline = field(default_factory=lambda: LanguagePipeline(stop=True))

    # As explanations show it; the sum is rounded otherwise than the cosine is.
    formulas: ClassVar[dict[str, str]] = {"value": "matched"}
    terms: ClassVar[dict[str, str]] = {
        "matched": "the cosine, added up over the shared words",
        "angle": "degrees between both vectors; 0: same direction",
    }
    # What equal singular values did to the value.
    tie: ClassVar[str]
    # What the vectors are, of which the value is the cosine.
    compared: ClassVar[str]

    @property
    def weighting(self) -> Weighting:
        """The weights asked for; the paper's best ones where none is."""
        scope = self.scope or ("NW" if self.against == "source" else "ISF")
        return Weighting(self.local, scope, self.au_absent, self.en, self.log)

    @abstractmethod
    def compare(self, batch: Batch, pairs: LsaPairs) -> Similar:
        """The similarity of every pair."""

    @abstractmethod
    def facts(self, batch: Batch, pairs: LsaPairs, similar: Similar) -> dict[str, Ints]:
        """What else an explanation says of each pair."""

    def pair_values(self, batch: Batch) -> tuple[Scores, Ints]:
        return {"value": self._similar(batch).values}, self._texts(batch).owners

    def notes(self, batch: Batch) -> dict[str, int]:
        """For how many comparisons equal singular values decided what was compared."""
        ties = len(np.unique(self._texts(batch).owners[self._similar(batch).tied]))
        return {self.tie: ties} if ties else {}

    def parts(self, comparison: Comparison) -> list[Part]:
        batch = Batch([comparison])
        words, pairs, similar = self._texts(batch).words, self._pairs(batch), self._similar(batch)
        facts = self.facts(batch, pairs, similar)
        parts = []
        for i, (who, side) in enumerate(self.others(comparison)):
            here = np.flatnonzero(pairs.shared.pair == i)
            terms = [words[term] for term in pairs.bags.ids[pairs.shared.left[here]].tolist()]
            tokens = placed(comparison, side, self.text)
            matches = tuple(
                Match(term, share, tokens.candidate.get(term, ()), tokens.reference.get(term, ()))
                for term, share in in_order(
                    dict(zip(terms, similar.parts[here].tolist(), strict=True)), tokens.candidate
                )
                if abs(share) > ROUNDING
            )
            known = {"matched": math.fsum(match.weight for match in matches)}
            undefined = bool(np.isnan(similar.values[i]))
            if not undefined:
                known["angle"] = math.degrees(math.acos(similar.values[i]))
            known |= {name: float(column[i]) for name, column in facts.items()}
            formulas = left_out(self.values) if undefined else self.formulas
            note = self.tie if similar.tied[i] else ""
            tables = () if undefined else self._topics(pairs, similar, i, words, tokens, who)
            parts.append(Part(who, known, formulas, matches, note, tables=tables))
        return parts

    def _topics(
        self,
        pairs: LsaPairs,
        similar: Similar,
        pair: int,
        words: Sequence[str],
        tokens: Placed,
        who: str,
    ) -> tuple[Sheet, Sheet]:
        """The words of the vectors that are compared, and where these part."""

        def weights(
            spaces: Spaces, space: Ints, text: Ints, kept: Ints, order: Iterable[str]
        ) -> dict[str, float]:
            vector = unit_term_vector(spaces, int(space[pair]), int(kept[pair]))
            start, end = pairs.bags.offsets[text[pair] : text[pair] + 2]
            terms = [words[term] for term in pairs.bags.ids[start:end].tolist()]
            return dict(in_order(dict(zip(terms, vector.tolist(), strict=True)), order))

        mine = weights(pairs.mine, pairs.left_space, pairs.left, similar.mine, tokens.candidate)
        theirs = weights(
            pairs.theirs, pairs.right_space, pairs.right, similar.theirs, tokens.reference
        )
        # Equal but for rounding is equal: such words stay in the order of the text.
        strongest: list[list[tuple[str | float, ...]]] = [
            [
                (word, side[word])
                for word in sorted(side, key=lambda word: -round(side[word], 12))
                if side[word]
            ]
            for side in (mine, theirs)
        ]
        rows = [(*a, *b) for a, b in zip_longest(*strongest, fillvalue=("", ""))]
        both = {word: (mine.get(word, 0.0), theirs.get(word, 0.0)) for word in {**mine, **theirs}}
        apart = sorted(both, key=lambda word: -round(abs(both[word][0] - both[word][1]), 12))
        return (
            Sheet(
                f"{self.compared}: the strongest words of each",
                ("candidate", "weight", who, "weight"),
                tuple(rows),
            ),
            Sheet(
                "where they part: the words whose weights differ most",
                ("word", "candidate", who),
                tuple((word, *both[word]) for word in apart if any(both[word])),
            ),
        )

    def _texts(self, batch: Batch) -> LsaTexts:
        def read() -> LsaTexts:
            return read_texts(batch, self.text, self.pair_rows(batch), self.against)

        return batch.derived(("lsa texts", spec.show(self.text), self.against), read)

    def _pairs(self, batch: Batch) -> LsaPairs:
        def pair() -> LsaPairs:
            occurrences, _, left, right, _ = self._texts(batch)
            return pair_spaces(occurrences, left, right, self.weighting, self.global_from)

        key = "lsa", self.against, self.weighting, self.global_from, spec.show(self.text)
        return batch.derived(key, pair)

    def _similar(self, batch: Batch) -> Similar:
        key = "lsa similar", spec.show(self)
        return batch.derived(key, lambda: self.compare(batch, self._pairs(batch)))


@METRICS.register
@dataclass(frozen=True)
class LsaMainTopic(Lsa):
    """Cosine of the first left singular vectors (Steinberger and Jezek, eq. 9)."""

    name: ClassVar[str] = "lsa_main_topic"
    compared: ClassVar[str] = "the main topics"
    tie: ClassVar[str] = (
        "equal largest singular values, so no single main topic; "
        "the nearest of the topics are compared"
    )
    terms: ClassVar[dict[str, str]] = Lsa.terms | dict.fromkeys(
        ("main_topics_candidate", "main_topics_reference"),
        "above 1 where several topics are equally strong",
    )

    def compare(self, batch: Batch, pairs: LsaPairs) -> Similar:
        return main_topic_cosines(pairs)

    def facts(self, batch: Batch, pairs: LsaPairs, similar: Similar) -> dict[str, Ints]:
        return {"main_topics_candidate": similar.mine, "main_topics_reference": similar.theirs}


@METRICS.register
@dataclass(frozen=True)
class LsaTermSignificance(Lsa):
    """Cosine of terms weighed by the main topics (Steinberger and Jezek, eq. 11-13)."""

    rounding: Rounding = "half_up"
    summary_r: SummaryR = "same"

    name: ClassVar[str] = "lsa_term_significance"
    compared: ClassVar[str] = "the weights of words in the topics"
    tie: ClassVar[str] = "equal singular values where the dimensions are cut; all of them are kept"
    terms: ClassVar[dict[str, str]] = Lsa.terms | {
        f"{name}_{side}": meaning
        for name, meaning in {
            "words": "running words",
            "sentences": "sentences",
            "r": "topics to keep, by the share of words",
            "kept": "topics kept, with those of equal singular values",
        }.items()
        for side in ("candidate", "reference")
    }

    def compare(self, batch: Batch, pairs: LsaPairs) -> Similar:
        theirs, mine = _ranks(pairs, *self._words(batch), self.rounding, self.summary_r)
        return significance_cosines(pairs, mine, theirs)

    def facts(self, batch: Batch, pairs: LsaPairs, similar: Similar) -> dict[str, Ints]:
        words = self._words(batch)
        theirs, mine = _ranks(pairs, *words, self.rounding, self.summary_r)
        return {
            "words_candidate": words[0],
            "words_reference": words[1],
            "sentences_candidate": pairs.mine.sentences[pairs.left_space],
            "sentences_reference": pairs.theirs.sentences[pairs.right_space],
            "r_candidate": mine,
            "r_reference": theirs,
            "kept_candidate": similar.mine,
            "kept_reference": similar.theirs,
        }

    def _words(self, batch: Batch) -> tuple[Ints, Ints]:
        """The running words, stop words included, of the two texts of each pair."""
        running = LanguagePipeline()
        if isinstance(self.text, LanguagePipeline):
            running = dataclasses.replace(running, tokens=self.text.tokens)
        lengths, pairs = batch.tokens(running).lengths, self.pair_rows(batch)
        return lengths[pairs.left], lengths[pairs.right]
