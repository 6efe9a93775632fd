"""Extracts that are given as text: their sentences are looked for among the units of the source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from summetry.errors import FormatError, Place, counted, first_names, shorten
from summetry.formats.texts import warn_at
from summetry.records.builder import CorpusBuilder
from summetry.records.summaries import Extract
from summetry.records.text_extracts import FoundExtract, with_found
from summetry.records.topics import Topic
from summetry.text.alignment import Alignment, How, align

# How many sentences that were not found, or by best match only, a note shows.
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
    """Add the units that each text is made of; a note says how its sentences were found.

    ``topics`` have their units. An extract of a topic without a source is reported, and so is one
    that is not found whole where bad records are skipped. One of which nothing is found is left
    out: nobody chose nothing there.
    """
    read: list[tuple[Place, TextExtract, Alignment]] = []
    for place, extract in extracts:
        topic = topics.get(extract.topic)
        if topic is None or not topic.units:
            builder.report(FormatError(place, f"a source of topic {extract.topic!r}", "none"))
            continue
        language = topic.language or builder.head["language"]
        alignment = align(extract.text, topic.units, language)
        if alignment.missing and builder.on_error == "skip":
            expected = f"sentences of the source in the extract of {extract.informant!r}"
            builder.report(FormatError(place, expected, shorten(alignment.missing[0])))
            continue
        read.append((place, extract, alignment))
        if alignment.units or not alignment.matches:
            record = Extract(extract.topic, extract.informant, alignment.units)
            builder.add("extracts", record, place)
    if note := _in_words(read):
        warn_at(path, note)
        found = [_found(extract, alignment) for _, extract, alignment in read]
        builder.head["meta"] = with_found(builder.head["meta"], found)


def _found(extract: TextExtract, alignment: Alignment) -> FoundExtract:
    exact, normalised = len(alignment.texts("exact")), len(alignment.texts("normalised"))
    near, lost = alignment.texts("near"), alignment.missing
    return FoundExtract(extract.topic, extract.informant, exact, normalised, near, lost)


def _in_words(read: Sequence[tuple[Place, TextExtract, Alignment]]) -> str:
    """How sentences were found, if any was lost or is not the same as one of the source."""
    texts: dict[How, list[str]] = {"exact": [], "normalised": [], "near": [], "lost": []}
    for place, _, alignment in read:
        for text, _, how in alignment.matches:
            texts[how].append(f"{shorten(text)} of {place}")
    lost, near = texts["lost"], texts["near"]
    if not lost and not near:
        return ""
    sentences = f"{counted(sum(map(len, texts.values())), 'sentence')} of extracts"
    note = f"{len(lost):,} of {sentences} not found in the source" if lost else sentences
    note += f": {_shown(lost)}. Found: " if lost else " found in the source: "
    note += f"{len(texts['exact']):,} exactly, {len(texts['normalised']):,} after normalising, "
    note += f"{len(near):,} by best match" + (f": {_shown(near)}" if near else "")
    left_out = [f"{e.informant} ({e.topic})" for _, e, a in read if a.matches and not a.units]
    if left_out:
        what = counted(len(left_out), "extract is", "extracts are")
        note += f". Nothing of it was found, so {what} left out: {first_names(left_out)}"
    return note


def _shown(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - _SHOWN:,} more" if len(texts) > _SHOWN else ""
    return "; ".join(texts[:_SHOWN]) + more
