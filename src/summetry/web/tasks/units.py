"""Marking content units in the references of a text: the first step of the pyramid method.

A unit has a label and contributors, parts of references that say it; references are shown under
neutral names. Each person who marks a topic makes a pyramid of it, and these take the place of
uploaded ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec
from starlette.datastructures import FormData

from summetry.records.corpus import Corpus
from summetry.records.summaries import Summary
from summetry.references.pyramids import Mark, build_pyramid, same_label
from summetry.text.finding import LooseText
from summetry.web.store.answers import Content, Given
from summetry.web.store.studies import Study
from summetry.web.tasks._base import (
    BadFormError,
    Item,
    Records,
    Task,
    Work,
    free_text,
    summaries_of,
    whole_numbers,
)

LONGEST_LABEL = 500
LONGEST_WORDS = 5_000
MOST_UNITS = 1_000


@dataclass(frozen=True)
class Segment:
    """A piece of a reference: the units that it says, and those whose part ends with it."""

    text: str
    units: tuple[int, ...]
    ends: tuple[int, ...]


class UnitsTask(Task):
    name = "units"
    title = "Content units: mark what the reference summaries say"
    settings = ()
    needs = ("summaries",)
    replaces = ("pyramids",)

    def items(self, study: Study, corpus: Corpus) -> list[Item]:
        return [
            Item((topic.id,))
            for topic in corpus.topics
            if summaries_of(corpus, topic.id, "reference")
        ]

    def read_form(self, work: Work, form: FormData) -> Content:
        units = [{**unit, "label": label} for unit, label in _labels(work, form)]
        action = str(form.get("do", ""))
        if "remove" in form:
            return _content(_without(units, str(form["remove"])))
        if action == "add" or action.startswith("to-"):
            return _content(_with_part(work, form, units, action.removeprefix("to-")))
        return _content(units)

    def show(self, work: Work) -> dict[str, Any]:
        texts = [work.corpus.text_of(summary) for summary in _references(work)]
        authors = [summary.author for summary in _references(work)]
        units = units_of(work)
        return {
            "texts": [
                list(segments(text, _spans(units, author)))
                for text, author in zip(texts, authors, strict=True)
            ],
            "units": [
                {
                    "label": unit["label"],
                    "weight": len({part["author"] for part in unit["contributors"]}),
                    "parts": [
                        {
                            "summary": authors.index(part["author"]) + 1,
                            "text": part["text"],
                            "start": part["start"],
                        }
                        for part in unit["contributors"]
                        if part["author"] in authors
                    ],
                }
                for unit in units
            ],
            "said": work.extra.get("said", ""),
            "words": work.extra.get("words", ""),
            "label": work.extra.get("label", ""),
            "summary": work.extra.get("summary", 0),
            "added": work.extra.get("added", False),
        }

    def missing(self, work: Work) -> str:
        return "" if units_of(work) else work.say("Mark at least one unit.")

    def records(self, study: Study, corpus: Corpus, given: Iterable[Given]) -> Records:
        for answer in given:
            (topic,) = answer.key
            marks = [
                Mark(topic, part["author"], unit["label"], part["text"], part["start"], part["end"])
                for unit in answer.content["units"]
                for part in unit["contributors"]
            ]
            authors = {summary.author for summary in summaries_of(corpus, topic, "reference")}
            pyramid = build_pyramid(topic, marks, authors)
            yield "pyramids", msgspec.structs.replace(pyramid, annotator=answer.person)


def units_of(work: Work) -> list[dict[str, Any]]:
    return list(work.content.get("units", ()))


def segments(text: str, spans: Sequence[tuple[int, int, int]]) -> Iterator[Segment]:
    """A text in pieces, cut wherever a part begins or ends; spans are unit, start and end.

    >>> [s.text for s in segments("A ferry sank.", [(1, 2, 7), (2, 2, 12)])]
    ['A ', 'ferry', ' sank', '.']
    """
    cuts = sorted({0, len(text), *(cut for _, start, end in spans for cut in (start, end))})
    for start, end in pairwise(cuts):
        inside = {unit for unit, first, last in spans if first <= start and end <= last}
        ending = {unit for unit, _, last in spans if last == end}
        yield Segment(text[start:end], tuple(sorted(inside)), tuple(sorted(ending)))


def _references(work: Work) -> list[Summary]:
    return summaries_of(work.corpus, work.item.topic, "reference")


def _spans(units: Sequence[dict[str, Any]], author: str) -> list[tuple[int, int, int]]:
    return [
        (number, part["start"], part["end"])
        for number, unit in enumerate(units, start=1)
        for part in unit["contributors"]
        if part["author"] == author
    ]


def _content(units: list[dict[str, Any]]) -> Content:
    return {"units": units} if units else {}


def _labels(work: Work, form: FormData) -> Iterator[tuple[dict[str, Any], str]]:
    """The units with the labels of the form; a label that is empty or another unit's is not taken.

    Labels that are the same would be one unit of the pyramid.
    """
    units = units_of(work)
    taken = {same_label(unit["label"]) for unit in units}
    for number, unit in enumerate(units):
        label, old = _line(free_text(form, f"label-{number}", LONGEST_LABEL)), unit["label"]
        if not label or label == old:
            yield unit, old
        elif same_label(label) in taken - {same_label(old)}:
            work.extra["said"] = work.say("Another unit is called “{label}” already.", label=label)
            yield unit, old
        else:
            taken = taken - {same_label(old)} | {same_label(label)}
            yield unit, label


def _with_part(
    work: Work, form: FormData, units: list[dict[str, Any]], to: str
) -> list[dict[str, Any]]:
    """The units with the words of the form added: to the unit ``to``, or to a new one."""
    words = _line(free_text(form, "words", LONGEST_WORDS))
    label = _line(free_text(form, "label", LONGEST_LABEL))
    summaries = _references(work)
    (chosen,) = whole_numbers([form.get("summary", "0")], len(summaries))
    near = str(form.get("near", ""))
    summary = summaries[chosen]
    text = work.corpus.text_of(summary)
    place = LooseText(text).find(words, int(near) if near.isdigit() and len(near) < 9 else 0)
    # What was typed stays in the fields, unless it could be used.
    work.extra.update(words=words, label=label, summary=chosen)
    if not words:
        work.extra["said"] = work.say("Select words in a summary, or type them, before you add.")
        return units
    if place is None:
        work.extra["said"] = work.say(
            "“{words}” does not stand in summary {number} like this. Copy the words from the text.",
            words=words[:80],
            number=chosen + 1,
        )
        return units
    start, end = place
    part = {"author": summary.author, "start": start, "end": end, "text": text[start:end]}
    label = label or _line(text[start:end])
    at = _unit_for(units, label) if to == "add" else whole_numbers([to], len(units))[0]
    if at is None:
        if len(units) >= MOST_UNITS:
            raise BadFormError(f"expected at most {MOST_UNITS} units")
        units = [*units, {"label": label[:LONGEST_LABEL], "contributors": [part]}]
    elif part in units[at]["contributors"]:
        work.extra["said"] = work.say("These words belong to unit {number} already.", number=at + 1)
        return units
    else:
        both = [*units[at]["contributors"], part]
        units = [*units[:at], {**units[at], "contributors": both}, *units[at + 1 :]]
    work.extra.clear()
    work.extra["added"] = True
    return units


def _unit_for(units: Sequence[dict[str, Any]], label: str) -> int | None:
    """The unit that has this label already."""
    same = [n for n, unit in enumerate(units) if same_label(unit["label"]) == same_label(label)]
    return same[0] if same else None


def _without(units: list[dict[str, Any]], removed: str) -> list[dict[str, Any]]:
    """The units without one of them, "3", or without one of its contributors, "3.0"."""
    unit, _, part = removed.partition(".")
    (at,) = whole_numbers([unit], len(units))
    parts = list(units[at]["contributors"])
    if part:
        del parts[whole_numbers([part], len(parts))[0]]
    else:
        parts = []
    # A unit that nobody says is no unit.
    changed = [{**units[at], "contributors": parts}] if parts else []
    return [*units[:at], *changed, *units[at + 1 :]]


def _line(text: str) -> str:
    return " ".join(text.split())
