"""Extracts that are given as text: their sentences are looked for among the units of the source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from summetry.errors import FormatError, Place, counted, shorten
from summetry.formats.texts import warn_at
from summetry.records.builder import CorpusBuilder
from summetry.records.summaries import Extract
from summetry.records.topics import Topic
from summetry.text.finding import units_in

# How many pieces that were not found a note shows.
_SHOWN = 3


class TextExtract(NamedTuple):
    """What an informant chose of a topic, as text."""

    topic: str
    informant: str
    text: str


def add_extracts(
    builder: CorpusBuilder,
    extracts: Sequence[tuple[Place, TextExtract]],
    topics: Mapping[str, Topic],
    path: Path,
) -> None:
    """Add the units that each text is made of; a note says what is not in the source.

    ``topics`` have their units. An extract of a topic without a source is reported.
    """
    missing: list[tuple[Place, str]] = []
    pieces = 0
    for place, (name, informant, text) in extracts:
        topic = topics.get(name)
        if topic is None or not topic.units:
            builder.report(FormatError(place, f"a source of topic {name!r}", "none"))
            continue
        language = topic.language or builder.head["language"]
        found = units_in(text, topic.units, language)
        missing += [(place, piece) for piece in found.missing]
        pieces += len(found.units) + len(found.missing)
        builder.add("extracts", Extract(name, informant, found.units), place)
    if missing:
        shown = "; ".join(f"{shorten(piece)} of {place}" for place, piece in missing[:_SHOWN])
        more = f" and {len(missing) - _SHOWN:,} more" if len(missing) > _SHOWN else ""
        lost = f"{len(missing):,} of {counted(pieces, 'sentence')} of extracts"
        warn_at(path, f"{lost} not found in the source: {shown}{more}")
