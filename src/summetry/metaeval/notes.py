"""What a reader should know of tests that could not have shown anything."""

from __future__ import annotations

from summetry.stats.contrasts import MOST_EXACT
from summetry.stats.significance import is_significant, smallest_p

NOTHING = "nothing can be significant here"


def least_permutation_p(topics: int, draws: int) -> float:
    """The p of a paired permutation test where one system is better on all of so many topics.

    >>> least_permutation_p(4, 10_000)
    0.125
    """
    return smallest_p(draws, 2.0**topics if topics <= MOST_EXACT else None)


def fewest_units(comparisons: int, alpha: float, most: int = MOST_EXACT) -> int:
    """The fewest topics (or systems) of which the smallest p of a permutation test is significant.

    It is corrected for so many comparisons. Beyond ``most`` units, up to which all permutations are
    counted, the number of draws decides, not that of the units.

    >>> fewest_units(1, 0.05), fewest_units(15, 0.05)
    (6, 10)
    """
    units = 2
    while units <= most and not is_significant(2.0 ** (1 - units) * comparisons, alpha):
        units += 1
    return units


def note_unreachable_alpha(
    least: float, comparisons: int, alpha: float, limit: str, remedy: str
) -> list[str]:
    """A note where the smallest p that there can be is not significant once it is corrected.

    ``limit`` says what keeps p from being smaller, ``remedy`` what would let it.

    >>> print(*note_unreachable_alpha(0.125, 1, 0.05, "4 topics", "more topics"))
    nothing can be significant here: the smallest p of 4 topics is 0.12; more topics can show more
    >>> note_unreachable_alpha(0.125, 1, 0.2, "4 topics", "more topics")
    []
    """
    corrected = least * comparisons
    if is_significant(corrected, alpha):
        return []
    many = f", corrected for {comparisons:,} comparisons {min(corrected, 1.0):.2g}"
    return [
        f"{NOTHING}: the smallest p of {limit} is {least:.2g}"
        f"{many if comparisons > 1 else ''}; {remedy} can show more"
    ]


def note_too_few(moved: str, number: int, least: float, alpha: float) -> list[str]:
    """A note where the smallest p of a coefficient of so many systems (or topics) is above alpha.

    >>> note_too_few("systems", 5, 1 / 120, 0.05)
    []
    >>> print(*note_too_few("systems", 1, 1, 0.05))
    too few systems: a coefficient of one cannot be tested
    """
    if number == 1:
        return [f"too few {moved}: a coefficient of one cannot be tested"]
    if is_significant(least, alpha):
        return []
    return [
        f"too few {moved}: with {number:,} the smallest possible p of a coefficient is "
        f"{least:.2g}, so none can be shown to be more than chance"
    ]
