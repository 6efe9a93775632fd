"""What a reader should know of tests that could not have shown anything."""

from __future__ import annotations

from summetry.stats.contrasts import MOST_EXACT
from summetry.stats.significance import is_significant, smallest_p


def least_permutation_p(topics: int, draws: int) -> float:
    """The p of a paired permutation test where one system is better on all of so many topics.

    >>> least_permutation_p(4, 10_000)
    0.125
    """
    return smallest_p(draws, 2.0**topics if topics <= MOST_EXACT else None)


def fewest_topics(comparisons: int, alpha: float) -> int:
    """The fewest topics of which the smallest p of a permutation test is significant.

    It is corrected for so many comparisons. Beyond the topics whose permutations are all counted
    the number of draws decides, not that of the topics.

    >>> fewest_topics(1, 0.05), fewest_topics(15, 0.05)
    (6, 10)
    """
    topics = 2
    while topics <= MOST_EXACT and not is_significant(2.0 ** (1 - topics) * comparisons, alpha):
        topics += 1
    return topics


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
        f"nothing can be significant here: the smallest p of {limit} is {least:.2g}"
        f"{many if comparisons > 1 else ''}; {remedy} can show more"
    ]


def note_too_few(moved: str, number: int, least: float, alpha: float, tested: bool) -> list[str]:
    """A note where the smallest p of a coefficient of so many systems (or topics) is above alpha.

    ``tested`` says whether metrics were compared with each other: such a test swaps the scores of
    summaries, so that it may find a difference on any number of systems, but on these alone.

    >>> note_too_few("systems", 5, 1 / 120, 0.05, True)
    []
    """
    if number < 2 or is_significant(least, alpha):
        return []
    note = (
        f"too few {moved}: with {number:,} the smallest possible p of a coefficient is "
        f"{least:.2g}, so none can be shown to be more than chance"
    )
    of_these = (
        f"; intervals say little, and vs best compares metrics on these {number:,} {moved} only: "
        f"it says nothing of others"
    )
    return [note + of_these * tested]
