"""Making an extract: choosing whole units of a text, to a length."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import regex
from starlette.datastructures import FormData

from summetry.records.corpus import Corpus
from summetry.records.lengths import is_reachable, share_of_words
from summetry.records.prose import between_units, joints, shown_documents
from summetry.records.summaries import Extract, Summary
from summetry.records.topics import Topic
from summetry.text.languages import language
from summetry.web.store.answers import Content, Given
from summetry.web.store.studies import Study
from summetry.web.tasks._base import (
    Item,
    Records,
    Task,
    Work,
    free_text,
    meta_of,
    read_note,
    unit_words,
    whole_numbers,
)

LONGEST_ABSTRACT = 20_000


@dataclass(frozen=True)
class Unit:
    """A unit as the page shows it."""

    number: int
    text: str
    words: int
    chosen: bool


class ExtractTask(Task):
    name = "extract"
    title = "Extracts: choose the sentences that make a good summary"
    settings = ("shortest", "longest", "abstract")
    has_review = True

    def items(self, study: Study, corpus: Corpus) -> list[Item]:
        unfit = {topic.id for topic in self.unfit(study, corpus)}
        return [Item((t.id,)) for t in corpus.topics if t.units and t.id not in unfit]

    def unfit(self, study: Study, corpus: Corpus) -> list[Topic]:
        low, high = study.settings.shortest, study.settings.longest
        return [
            topic
            for topic in corpus.topics
            if not is_reachable(unit_words(topic.units, corpus.language_of(topic)), low, high)
        ]

    def read_form(self, work: Work, form: FormData) -> Content:
        units = whole_numbers(form.getlist("unit"), len(work.topic.units))
        removed = whole_numbers(form.getlist("remove"), len(work.topic.units))
        content: Content = {"units": [unit for unit in units if unit not in removed]}
        if work.study.settings.abstract and (text := free_text(form, "abstract", LONGEST_ABSTRACT)):
            content["abstract"] = text
        return content | read_note(work, form)

    def show(self, work: Work) -> dict[str, Any]:
        chosen, units = chosen_units(work), work.topic.units
        is_chosen = set(chosen).__contains__

        def unit(n: int) -> Unit:
            return Unit(n, units[n], work.words[n], is_chosen(n))

        between = between_units(work.topic, work.language)
        total = sum(work.words)
        settings = work.study.settings
        percent = share_of_words(chosen, work.words)
        return {
            "documents": shown_documents(work.topic, unit),
            "chosen": [unit(n) for n in chosen],
            "between": between,
            "joints": joints(between, chosen, work.language),
            "dangling": {n for n in chosen if leans_back(units[n], work)},
            "percent": percent,
            "chosen_words": sum(work.words[n] for n in chosen),
            "total": total,
            "low": settings.shortest,
            "high": settings.longest,
            "abstract": work.content.get("abstract", ""),
        }

    def missing(self, work: Work) -> str:
        percent = share_of_words(chosen_units(work), work.words)
        settings = work.study.settings
        if percent < settings.shortest:
            return work.say(
                "Choose more: at least {percent:g}% of the words.", percent=settings.shortest
            )
        if percent > settings.longest:
            return work.say(
                "Choose less: at most {percent:g}% of the words.", percent=settings.longest
            )
        if settings.abstract and not work.content.get("abstract", "").strip():
            return work.say("Write a summary in your own words too.")
        return ""

    def records(self, study: Study, corpus: Corpus, given: Iterable[Given]) -> Records:
        for answer in given:
            (topic,) = answer.key
            units = tuple(answer.content["units"])
            yield "extracts", Extract(topic, answer.person, units, meta_of(answer))
            if text := answer.content.get("abstract", "").strip():
                yield "summaries", Summary(topic, answer.person, "reference", text)


def chosen_units(work: Work) -> list[int]:
    return list(work.content.get("units", ()))


def leans_back(unit: str, work: Work) -> bool:
    """Whether a unit begins with a pronoun, so that it may not be understood alone."""
    first = regex.match(r"\W*(\w+)", unit)
    if first is None or work.topic.unit == "word":
        return False
    return first[1].casefold() in language(work.language).pronouns
