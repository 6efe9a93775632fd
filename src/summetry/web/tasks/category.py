"""Choosing a category for a text, without knowing whether it is a summary or the source.

A summary is good if people classify it as they classify the text that it was made from. One
person gets each topic once before any topic comes again.

A record is a judgment on the dimension ``category``, whose scale is the categories and ``none of
the above``; its author is the summary's, or ``source`` for the text itself. A second judgment, on
the dimension ``right category``, is 1 where that is the topic's own category and 0 where it is
not, so that its mean is the share of right answers. Where the topic's own category cannot be
chosen, ``none of the above`` is right; a topic without a category has no second judgment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from starlette.datastructures import FormData

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.tasks.categorization import DIMENSION, NONE
from summetry.tasks.categorization import FULL_TEXT as SOURCE
from summetry.web.store.answers import Content, Given
from summetry.web.store.studies import Study
from summetry.web.tasks._base import Item, Records, Task, Work, meta_of, read_note, whole_numbers
from summetry.web.tasks._texts import (
    find_summary,
    one_per_author,
    source_paragraphs,
    summary_paragraphs,
)

RIGHT = "right category"


class CategoryTask(Task):
    name = "category"
    title = "Categories: say what a text is about"
    settings = ("categories",)
    makes = "judgments"
    goes_on = True
    apart = True

    def items(self, study: Study, corpus: Corpus) -> list[Item]:
        if any(summary.author == SOURCE for summary in corpus.summaries):
            raise SummetryError(
                f"a summary is by {SOURCE!r}, which is what the texts themselves are called in "
                f"this task; rename its author"
            )
        if len(categories_of(study, corpus)) < 2:
            raise SummetryError(
                "expected two or more categories in the study's settings or of its topics, found "
                "fewer; add some"
            )
        sources = [Item((topic.id, SOURCE, "")) for topic in corpus.topics if topic.units]
        found = one_per_author(corpus.summaries)
        return sources + [Item((one.topic, one.role, one.author)) for one in found]

    def label(self, corpus: Corpus, item: Item) -> str:
        return ""

    def scales(self, study: Study, corpus: Corpus) -> dict[str, tuple[str, ...]]:
        return {DIMENSION: (*categories_of(study, corpus), NONE)}

    def read_form(self, work: Work, form: FormData) -> Content:
        categories = _choices(work)
        content = read_note(work, form)
        for place in whole_numbers(form.getlist("category"), len(categories)):
            content["category"] = categories[place]
        return content

    def show(self, work: Work) -> dict[str, Any]:
        _, role, author = work.item.key
        categories = _choices(work)
        given = work.content.get("category")
        chosen = categories.index(given) if given in categories else None
        if role == SOURCE:
            text = source_paragraphs(work.corpus, work.topic)
        else:
            text = summary_paragraphs(work.corpus, find_summary(work, author))
        return {
            "text": text,
            "categories": categories[:-1],
            "chosen": chosen,
            "values": [] if chosen is None else [("category", str(chosen))],
        }

    def missing(self, work: Work) -> str:
        return "" if work.content.get("category") in _choices(work) else work.say("Choose one.")

    def records(self, study: Study, corpus: Corpus, given: Iterable[Given]) -> Records:
        categories = categories_of(study, corpus)
        for answer in given:
            topic, _, author = answer.key
            chosen = answer.content["category"]
            head = topic, author or SOURCE, answer.person
            yield "judgments", Judgment(*head, DIMENSION, chosen, meta_of(answer))
            if own := corpus.topic(topic).category:
                right = own if own in categories else NONE
                yield "judgments", Judgment(*head, RIGHT, int(chosen == right))

    def unreadable(
        self, before: Study, after: Study, corpus: Corpus, given: Iterable[Given]
    ) -> Iterator[tuple[str, str, str]]:
        known = {*categories_of(after, corpus), NONE}
        for answer in given:
            if answer.content["category"] not in known:
                yield "categories", answer.content["category"], answer.person


def categories_of(study: Study, corpus: Corpus) -> tuple[str, ...]:
    """The categories to choose from, without that for none of them."""
    wanted = study.settings.categories or sorted({topic.category for topic in corpus.topics})
    return tuple(name for name in dict.fromkeys(wanted) if name and name != NONE)


def _choices(work: Work) -> tuple[str, ...]:
    return (*categories_of(work.study, work.corpus), NONE)
