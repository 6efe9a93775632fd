"""Cosines of texts in their latent spaces, many pairs at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from summetry.arrays.latent import Spaces
from summetry.arrays.svd import EQUAL
from summetry.arrays.token_tables import Bags
from summetry.arrays.types import Bools, Floats, Ints
from summetry.arrays.vectors import Shared, shared_tokens
from summetry.arrays.weighting import Occurrences, Weighting, occurrences, scope_weights_from, weigh
from summetry.metrics._pairs import Against, PairRows
from summetry.metrics.cosine import source_sentences
from summetry.records.batches import Batch
from summetry.text.pipeline import TextPipeline

GlobalFrom: TypeAlias = Literal["own", "reference"]

# What is this near to 0 or 1, in vectors of length 1 and their cosines, is 0 or 1; rounding, which
# is another on another machine, is smaller.
ROUNDING = 1e-12


class LsaTexts(NamedTuple):
    """Sentence by sentence, every candidate with what it is compared with.

    ``left`` and ``right`` are the texts of each pair, ``owners`` the comparison that it is of.
    """

    occurrences: Occurrences
    words: tuple[str, ...]
    left: Ints
    right: Ints
    owners: Ints


def read_texts(batch: Batch, pipeline: TextPipeline, pairs: PairRows, against: Against) -> LsaTexts:
    """The texts of a batch that are compared; each distinct one is read once."""
    sentences = batch.sentences_of_texts(pipeline)
    languages = list(batch.languages)
    left, right, owners = pairs
    if against == "source":
        number: dict[tuple[str, tuple[str, ...]], int] = {}
        # Comparisons of one topic share their material, so each source is cut once.
        seen: dict[int, int] = {}
        right = np.zeros(len(owners), np.int64)
        for place, owner in enumerate(owners.tolist()):
            material = batch.comparisons[owner].material
            if id(material) not in seen:
                source = material.language, source_sentences(material)
                seen[id(material)] = number.setdefault(source, len(languages) + len(number))
            right[place] = seen[id(material)]
        sentences += [units for _, units in number]
        languages += [language for language, _ in number]
    used = np.zeros(len(languages), dtype=np.bool_)
    used[left], used[right] = True, True
    read = [cut if is_used else () for cut, is_used in zip(sentences, used.tolist(), strict=True)]
    table, first = pipeline.encode_sentences(read, languages)
    return LsaTexts(occurrences(table, first), tuple(table.words), left, right, owners)


@dataclass(frozen=True)
class LsaPairs:
    """Candidates (left) and references (right) with their spaces.

    ``bags`` and the first two columns are the texts themselves, the last two name their spaces:
    a text has one, or a candidate one for each reference that its global weights come from.
    """

    bags: Bags
    left: Ints
    right: Ints
    mine: Spaces
    theirs: Spaces
    left_space: Ints
    right_space: Ints

    @cached_property
    def shared(self) -> Shared:
        return shared_tokens(self.bags, self.left, self.right)

    @cached_property
    def places(self) -> tuple[Ints, Ints]:
        """For each shared term its place among the terms of the left and of the right text."""
        shared, starts = self.shared, self.bags.offsets
        return (
            shared.left - starts[self.left[shared.pair]],
            shared.right - starts[self.right[shared.pair]],
        )


def pair_spaces(
    texts: Occurrences, left: Ints, right: Ints, weighting: Weighting, global_from: GlobalFrom
) -> LsaPairs:
    """The spaces of these pairs of texts."""
    theirs = Spaces(weigh(texts, weighting))
    if global_from == "own":
        return LsaPairs(texts.bags, left, right, theirs, theirs, left, right)
    size = len(texts.first)
    pairs, place = np.unique(left * size + right, return_inverse=True)
    candidates = texts.take(pairs // size)
    scope = scope_weights_from(candidates, pairs % size, texts, weighting)
    mine = Spaces(weigh(candidates, weighting, scope))
    return LsaPairs(texts.bags, left, right, mine, theirs, place.astype(np.int64), right)


class TermVectors(NamedTuple):
    """Terms weighed by topics: the vector of pair ``i`` starts at ``starts[i]``."""

    values: Floats
    starts: Ints
    # The squared length of each pair's vector.
    squares: Floats


def term_vectors(spaces: Spaces, texts: Ints, cuts: Ints) -> TermVectors:
    """The vector s of eq. 13 for these texts, each with so many dimensions; not normalised."""
    many = int(cuts.max(initial=0)) + 1
    keys, place = np.unique(texts * many + cuts, return_inverse=True)
    rows = keys // many
    values = spaces.significances(rows, keys % many)
    lengths = spaces.bags.lengths[rows]
    starts = np.cumsum(lengths) - lengths
    owner = np.repeat(np.arange(len(rows)), lengths)
    squares = np.bincount(owner, weights=values**2, minlength=len(rows)).astype(np.float64)
    return TermVectors(values, starts[place], squares[place])


def unit_term_vector(spaces: Spaces, text: int, cut: int) -> Floats:
    """The vector s of one text with so many dimensions, of length 1 unless all its terms are 0."""
    vector = term_vectors(spaces, np.array([text], np.int64), np.array([cut], np.int64))
    length = np.sqrt(vector.squares[0])
    unit = vector.values / length if length else vector.values
    return np.where(unit > ROUNDING, unit, 0.0)


class Similar(NamedTuple):
    """The similarity of each pair, and what it is made of.

    ``parts`` is what each shared term brings; they add up to the value, where there is one.
    """

    values: Floats
    parts: Floats
    # Equal singular values decided what was compared.
    tied: Bools
    # The number of dimensions of candidate and reference.
    mine: Ints
    theirs: Ints


def significance_cosines(pairs: LsaPairs, mine: Ints, theirs: Ints) -> Similar:
    """Cosines of term vectors with so many dimensions of candidates and references."""
    left = pairs.mine.cut(pairs.left_space, mine)
    right = pairs.theirs.cut(pairs.right_space, theirs)
    ours = term_vectors(pairs.mine, pairs.left_space, left.ends)
    others = term_vectors(pairs.theirs, pairs.right_space, right.ends)
    shared, (here, there) = pairs.shared, pairs.places
    products = (
        ours.values[ours.starts[shared.pair] + here]
        * others.values[others.starts[shared.pair] + there]
    )
    # One root of the product: identical vectors give 1 exactly.
    lengths = np.sqrt(ours.squares * others.squares)
    defined = lengths > 0
    values = np.divide(shared.total(products), lengths, out=np.zeros(len(lengths)), where=defined)
    values = _at_most_one(values)
    values[others.squares == 0] = np.nan
    below = lengths[shared.pair]
    parts = np.divide(products, below, out=np.zeros(len(products)), where=below > 0)
    return Similar(values, parts, (left.tied | right.tied) & defined, left.ends, right.ends)


def main_topic_cosines(pairs: LsaPairs) -> Similar:
    """Cosines of first left singular vectors.

    That vector, times the square of its singular value, is the term vector with one dimension.
    Where the largest singular value is there several times, the value is the cosine of the
    smallest angle between the two spaces that belong to it.
    """
    ones = np.ones(len(pairs.left), np.int64)
    similar = significance_cosines(pairs, ones, ones)
    borders = np.searchsorted(pairs.shared.pair, np.arange(len(pairs.left) + 1))
    for pair in np.flatnonzero(similar.tied).tolist():
        inside = slice(int(borders[pair]), int(borders[pair + 1]))
        here, there = (place[inside] for place in pairs.places)
        mine = pairs.mine.topics(int(pairs.left_space[pair]), int(similar.mine[pair]))
        theirs = pairs.theirs.topics(int(pairs.right_space[pair]), int(similar.theirs[pair]))
        similar.values[pair], similar.parts[inside] = nearest_topics(mine[here], theirs[there])
    return similar


def nearest_topics(mine: Floats, theirs: Floats) -> tuple[float, Floats]:
    """The cosine of the smallest angle between two spaces, and what each term brings to it.

    Both are bases as columns, of which only the rows of shared terms are given.
    """
    if not len(mine):
        return 0.0, np.zeros(0)
    left, cosines, right = np.linalg.svd(mine.T @ theirs, full_matrices=False)
    largest = float(cosines[0])
    # Several pairs of vectors may have that angle; their mean does not depend on the basis.
    same = cosines >= largest - EQUAL
    parts = ((mine @ left[:, same]) * (theirs @ right[same].T)).sum(axis=1) / same.sum()
    return float(_at_most_one(cosines[:1])[0]), parts


def _at_most_one(cosines: Floats) -> Floats:
    """Cosines with 1 for those that are 1 but for rounding, be it above or below."""
    return np.where(cosines > 1 - ROUNDING, 1.0, cosines)
