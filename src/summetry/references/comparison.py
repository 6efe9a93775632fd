"""How much of a reference a summary has: at sentence level, at word level, by word frequency.

    sentence    units that both have
    word        running words that stand anywhere in the other text (the "vocabulary test")
    frequency   running words, each as often as both texts have it
    word_types  distinct words that both have

each by the size of the reference (recall), of what is evaluated (precision), and of both together
(f: hits on either side by the size of either side). By frequency a value is never above the one
at word level, as in the printed tables. The paper gives no formulas; these readings are ours.

Undefined is NaN: recall for an empty reference, precision for an empty summary, f for both.

Source: Hassel and Dalianis (2005), section 4 and tables 1 to 3.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from summetry.references.voting import check_units, mask_of


class Shares(NamedTuple):
    recall: float
    precision: float
    f: float


class Overlap(NamedTuple):
    """What two texts share; ``sentence`` is undefined where one of them is no extract."""

    sentence: Shares
    word: Shares
    frequency: Shares
    word_types: Shares


NO_SHARES = Shares(math.nan, math.nan, math.nan)


def compare_extracts(
    evaluated: Collection[int], reference: Collection[int], sentences: Sequence[Sequence[str]]
) -> Overlap:
    """What an extract shares with a reference; ``sentences`` are the words of every unit.

    >>> compare_extracts([0], [1], [["a", "a", "b"], ["a", "c"]]).word.recall
    0.5
    """
    found, wanted = sorted(set(evaluated)), sorted(set(reference))
    for whose, units in (("the extract", found), ("the reference", wanted)):
        check_units(units, len(sentences), whose)
    left, right = (
        [word for unit in units for word in sentences[unit]] for units in (found, wanted)
    )
    return compare_words(left, right)._replace(sentence=compare_units(found, wanted))


def compare_units(evaluated: Collection[int], reference: Collection[int]) -> Shares:
    """Units that both have."""
    found, wanted = mask_of(evaluated), mask_of(reference)
    hits = (found & wanted).bit_count()
    return _shares(hits, wanted.bit_count(), hits, found.bit_count())


def compare_words(evaluated: Sequence[str], reference: Sequence[str]) -> Overlap:
    """What the words of a text share with those of a reference."""
    found, wanted = Counter(evaluated), Counter(reference)
    both = found.keys() & wanted.keys()
    covered = sum(wanted[word] for word in both), sum(found[word] for word in both)
    clipped = sum(min(found[word], wanted[word]) for word in both)
    return Overlap(
        NO_SHARES,
        _shares(covered[0], len(reference), covered[1], len(evaluated)),
        _shares(clipped, len(reference), clipped, len(evaluated)),
        _shares(len(both), len(wanted), len(both), len(found)),
    )


def best_extract(extracts: Sequence[Collection[int]], reference: Collection[int]) -> int | None:
    """The place of the extract that is nearest to a reference, by f at sentence level.

    By recall the longest extract would be the nearest. Of equally near ones the first is taken;
    None where there is nothing to be near to.

    >>> best_extract([[0, 1, 2, 3], [0, 1], [1, 0]], [0, 1, 4])
    1
    """
    near = [compare_units(extract, reference).f for extract in extracts]
    if not reference or not near:
        return None
    return max(range(len(near)), key=near.__getitem__)


def _shares(hits: int, wanted: int, correct: int, found: int) -> Shares:
    recall = hits / wanted if wanted else math.nan
    precision = correct / found if found else math.nan
    both = wanted + found
    return Shares(recall, precision, (hits + correct) / both if both else math.nan)
