"""Whether extracts that were given as text were found in their sources as far as votes need it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from summetry.errors import SummetryError, counted, first_names, shorten
from summetry.records.text_extracts import FoundExtract

# The share of the sentences of extracts that may be lost before votes are refused; our choice.
MOST_LOST = 0.05
_TOPICS = 5


def refuse_lost(name: str, found: Sequence[FoundExtract]) -> None:
    """Refuse extracts of which more than ``MOST_LOST`` was not found: votes would be missing."""
    lost = Counter({extract.topic: 0 for extract in found})
    for extract in found:
        lost[extract.topic] += len(extract.lost)
    sentences = sum(extract.sentences for extract in found)
    if lost.total() <= MOST_LOST * sentences:
        return
    near = sum(len(extract.near) for extract in found)
    ways = (
        f"{sum(extract.exact for extract in found):,} exactly, "
        f"{sum(extract.normalised for extract in found):,} after normalising, "
        f"{near:,} by best match"
    )
    topics = [f"{topic} ({count:,})" for topic, count in lost.most_common() if count]
    damaged = [extract for extract in found if extract.lost]
    first = damaged[0]
    raise SummetryError(
        f"{name}: {lost.total():,} of {counted(sentences, 'sentence')} of extracts were not found "
        f"in their sources, and without them votes would be wrong; found were "
        f"{sentences - lost.total():,}: {ways}. Not found by topic: "
        f"{first_names(topics, _TOPICS)}; the first is {shorten(first.lost[0])} of "
        f"{first.informant} ({first.topic}). Give the sources that the sentences were copied from, "
        f"or correct the extracts; --on-error skip leaves out "
        f"{counted(len(damaged), 'extract that has', 'extracts that have')} such sentences, when "
        f"the texts are read"
    )
