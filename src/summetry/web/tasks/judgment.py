"""Judging a summary: a mark on every dimension, without knowing who or what wrote it.

A record is one judgment for each dimension. Marks are the study's own words or letters, worst
first in its settings; a scale of growing numbers gives numbers. Where marks were uploaded with
the corpus, their scale holds, so that a mark means the same everywhere.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from starlette.datastructures import FormData

from summetry.records.base import Number
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.web.catalogues import Catalogue
from summetry.web.settings import LETTERS
from summetry.web.store.answers import Content, Given
from summetry.web.store.studies import Study
from summetry.web.tasks._base import (
    Item,
    Records,
    Task,
    Work,
    meta_of,
    read_note,
    unreadable_marks,
    whole_numbers,
)
from summetry.web.tasks._texts import (
    find_summary,
    judged_summaries,
    source_paragraphs,
    summary_paragraphs,
)

# More letters than this in a row of marks do not fit beside each other.
_LONGEST_ROW = 40
# A longer mark is a word.
_LONGEST_SIGN = 2


@dataclass(frozen=True)
class Mark:
    """A mark as the page shows it: its place on the scale, and the key that gives it."""

    place: int
    text: str
    meaning: str
    key: str
    chosen: bool


@dataclass(frozen=True)
class Dimension:
    """A dimension as the page shows it."""

    field: str
    title: str
    hint: str
    marks: tuple[Mark, ...]

    @property
    def is_long(self) -> bool:
        return sum(len(mark.text) for mark in self.marks) > _LONGEST_ROW


class JudgmentTask(Task):
    name = "judgment"
    title = "Judgments: give marks to summaries"
    settings = ("scales", "with_source", "with_references", "drawn", "metric")
    needs = ("summaries",)
    makes = "judgments"
    goes_on = True

    def items(self, study: Study, corpus: Corpus) -> list[Item]:
        judged = judged_summaries(corpus, with_references=study.settings.with_references)
        drawn = drawn_topics(study, corpus)
        return [Item((one.topic, one.author)) for one in judged if one.topic in drawn]

    def label(self, corpus: Corpus, item: Item) -> str:
        return ""

    def scales(self, study: Study, corpus: Corpus) -> dict[str, tuple[str, ...]]:
        return {
            dimension: () if numbers_of(scale) else scale
            for dimension, scale in used_scales(study, corpus).items()
        }

    def read_form(self, work: Work, form: FormData) -> Content:
        marks = {}
        for number, (dimension, scale) in enumerate(_scales(work).items()):
            for place in whole_numbers(form.getlist(f"d{number}"), len(scale)):
                marks[dimension] = scale[place]
        return {"marks": marks, **read_note(work, form)}

    def show(self, work: Work) -> dict[str, Any]:
        scales = _scales(work)
        given = given_marks(work)
        summary = find_summary(work, work.item.key[1])
        dimensions = list(_dimensions(work))
        keys = list({frozenset(mark.key for mark in one.marks) - {""} for one in dimensions})
        with_source = work.study.settings.with_source
        return {
            "summary": summary_paragraphs(work.corpus, summary),
            "source": source_paragraphs(work.corpus, work.topic) if with_source else [],
            "source_words": sum(work.words),
            "dimensions": dimensions,
            # The keys at the foot of the page, where they are the same for all questions.
            "keys": sorted(keys[0]) if len(keys) == 1 else [],
            "letters": all(scale == LETTERS for scale in scales.values()),
            "values": [
                (f"d{number}", str(scale.index(given[dimension])))
                for number, (dimension, scale) in enumerate(scales.items())
                if dimension in given
            ],
        }

    def missing(self, work: Work) -> str:
        given = given_marks(work)
        open_ = [name for name in _scales(work) if name not in given]
        left = [dimension_words(work.catalogue, name)[0] for name in open_]
        if not left:
            return ""
        return work.count(
            "One mark to go: {names}.",
            "{n} marks to go: {names}.",
            len(left),
            names=", ".join(left),
        )

    def records(self, study: Study, corpus: Corpus, given: Iterable[Given]) -> Records:
        scales = used_scales(study, corpus)
        for answer in given:
            topic, author = answer.key
            whose, meta = (topic, author, answer.person), meta_of(answer)
            for dimension, mark in answer.content["marks"].items():
                value: Number | str = numbers_of(scales.get(dimension, ())).get(mark, mark)
                yield "judgments", Judgment(*whose, dimension, value, meta=meta)

    def unreadable(
        self, before: Study, after: Study, corpus: Corpus, given: Iterable[Given]
    ) -> Iterator[tuple[str, str, str]]:
        old, new = used_scales(before, corpus), used_scales(after, corpus)
        yield from unreadable_marks(old, new, given)


def drawn_topics(study: Study, corpus: Corpus) -> set[str]:
    """The texts of which summaries are judged: all, or as many as the settings say.

    They are drawn at random by the study's seed, the same for all systems. Of more texts that are
    drawn later the first ones are those that were drawn before; the practice text stays.
    """
    settings = study.settings
    topics = [topic.id for topic in corpus.topics if topic.id != settings.practice]
    if settings.drawn:
        random.Random(settings.seed).shuffle(topics)
        topics = topics[: settings.drawn]
    return {*topics, settings.practice}


def used_scales(study: Study, corpus: Corpus) -> dict[str, tuple[str, ...]]:
    """The scale of every dimension of a study, worst first."""
    marked = {one.dimension for one in corpus.judgments if isinstance(one.value, str)}
    return {
        dimension: corpus.scales[dimension] if dimension in marked else scale
        for dimension, scale in study.settings.scales.items()
    }


def numbers_of(scale: tuple[str, ...]) -> dict[str, Number]:
    """The marks of a scale of growing numbers, as numbers; empty for any other scale.

    >>> numbers_of(("0", "0.5", "1"))
    {'0': 0, '0.5': 0.5, '1': 1}
    >>> numbers_of(("5", "4", "3")), numbers_of(("E", "A"))
    ({}, {})
    """
    if not all(mark.replace(".", "", 1).isdecimal() and mark.isascii() for mark in scale):
        return {}
    found: dict[str, Number] = {
        mark: int(mark) if mark.isdecimal() else float(mark) for mark in scale
    }
    return found if all(a < b for a, b in pairwise(found.values())) else {}


def given_marks(work: Work) -> dict[str, str]:
    """What was chosen so far, as far as the study still has it."""
    scales = _scales(work)
    given = work.content.get("marks", {})
    return {name: mark for name, mark in given.items() if mark in scales.get(name, ())}


def _scales(work: Work) -> dict[str, tuple[str, ...]]:
    return used_scales(work.study, work.corpus)


def _dimensions(work: Work) -> Iterator[Dimension]:
    given = given_marks(work)
    for number, (name, scale) in enumerate(_scales(work).items()):
        title, hint = dimension_words(work.catalogue, name)
        is_number = bool(numbers_of(scale))
        # Numbers grow; of letters and words the best comes first, as people write them.
        order = range(len(scale)) if is_number else reversed(range(len(scale)))
        one_key_each = len({mark.lower() for mark in scale if len(mark) == 1}) == len(scale)
        # Words speak for themselves; of other marks it is told which end is which.
        if scale != LETTERS and all(len(mark) <= _LONGEST_SIGN for mark in scale):
            ends = work.say("{worst} is worst, {best} is best.", worst=scale[0], best=scale[-1])
            hint = f"{hint} {ends}".strip()
        marks = tuple(
            Mark(
                place,
                scale[place],
                _meaning(work, scale[place]) if scale == LETTERS else scale[place],
                scale[place].lower() if one_key_each else str(shown)[-1] if shown <= 10 else "",
                given.get(name) == scale[place],
            )
            for shown, place in enumerate(order, 1)
        )
        yield Dimension(f"d{number}", title, hint, marks)


def dimension_words(catalogue: Catalogue, dimension: str) -> tuple[str, str]:
    """What a dimension is called and what it means; a study's own has only its name."""
    _ = catalogue.gettext
    known = {
        "grammaticality": (
            _("Grammaticality"),
            _("Sentences are complete and correctly formed."),
        ),
        "non-redundancy": (
            _("Non-redundancy"),
            _("Nothing is said twice without need."),
        ),
        "reference clarity": (
            _("Reference clarity"),
            _("It is clear whom or what each name and pronoun means."),
        ),
        "focus": (_("Focus"), _("Every sentence belongs to the subject.")),
        "structure and coherence": (
            _("Structure and coherence"),
            _("Each sentence follows from those before it."),
        ),
    }
    return known.get(dimension, (dimension[:1].upper() + dimension[1:], ""))


def _meaning(work: Work, letter: str) -> str:
    """A letter with its meaning, as a screen reader says it."""
    return {
        "A": work.say("A, very good"),
        "B": work.say("B, good"),
        "C": work.say("C, acceptable"),
        "D": work.say("D, poor"),
        "E": work.say("E, very poor"),
    }[letter]
