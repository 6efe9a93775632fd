"""Choosing a category for a text, without knowing whether it is a summary or the source.

A summary is good if people classify it as they classify the text that it was made from. One
person gets each topic once before any topic comes again.

A record is a judgment on the dimension ``category``, whose scale is the categories and ``none of
the above``; its author is the summary's, or ``source`` for the text itself. Where a person can
choose several, it is a judgment on a dimension ``category: NAME`` for each, 1 for those that were
chosen and 0 for the others.

A further judgment, on the dimension ``right category``, is the F of what was chosen: of one
category, 1 where it is the topic's own and 0 where it is not, so that its mean is the share of
right answers. Where no category of the topic can be chosen, ``none of the above`` is right; a topic
without a category has no such judgment.

Categories with their descriptions are kept in the meta of the corpus as ``categories``, and taken
from there where the settings have none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
from starlette.datastructures import FormData

from summetry.errors import SummetryError
from summetry.records.base import Number
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.tasks.categorization import DIMENSION, NONE, OF_EACH, right_choice
from summetry.tasks.categorization import FULL_TEXT as SOURCE
from summetry.tasks.category_scores import categorization_scores
from summetry.web.catalogues import Catalogue
from summetry.web.store.answers import Content, Given
from summetry.web.store.studies import Study
from summetry.web.tasks._base import (
    BadFormError,
    Item,
    Records,
    Task,
    Work,
    meta_of,
    read_note,
    whole_numbers,
)
from summetry.web.tasks._texts import (
    find_summary,
    one_per_author,
    source_paragraphs,
    summary_paragraphs,
)

RIGHT = "right category"
# Where the meta of a corpus has the categories with their descriptions.
_META = "categories"


class CategoryTask(Task):
    name = "category"
    title = "Categories: say what a text is about"
    settings = ("categories", "several_categories")
    makes = "judgments"
    goes_on = True
    apart = True

    def items(self, study: Study, corpus: Corpus) -> list[Item]:
        if any(summary.author == SOURCE for summary in corpus.summaries):
            raise SummetryError(
                f"a summary is by {SOURCE!r}, which is what the texts themselves are called in "
                f"this task; rename its author"
            )
        sources = [Item((topic.id, SOURCE, "")) for topic in corpus.topics if topic.units]
        found = one_per_author(corpus.summaries)
        return sources + [Item((one.topic, one.role, one.author)) for one in found]

    def unready(self, study: Study, corpus: Corpus, words: Catalogue) -> str:
        if len(categories_of(study, corpus)) > 1:
            return ""
        return words.gettext(
            "An open study needs two or more categories. Write them in the settings, one per line."
        )

    def label(self, corpus: Corpus, item: Item) -> str:
        return ""

    def scales(self, study: Study, corpus: Corpus) -> dict[str, tuple[str, ...]]:
        categories = categories_of(study, corpus)
        if study.settings.several_categories or not categories:
            return {}
        return {DIMENSION: (*categories, NONE)}

    def meta(self, study: Study, corpus: Corpus) -> dict[str, Any]:
        return {_META: study.settings.categories} if study.settings.categories else {}

    def read_form(self, work: Work, form: FormData) -> Content:
        choices, content = _choices(work), read_note(work, form)
        names = [choices[place] for place in whole_numbers(form.getlist("category"), len(choices))]
        is_several = work.study.settings.several_categories
        if len(names) > 1 and not is_several:
            raise BadFormError(f"expected one category, found {len(names)}")
        return content | ({"category": names if is_several else names[0]} if names else {})

    def show(self, work: Work) -> dict[str, Any]:
        _, role, author = work.item.key
        names = _chosen(work.content)
        chosen = [place for place, name in enumerate(_choices(work)) if name in names]
        if role == SOURCE:
            text = source_paragraphs(work.corpus, work.topic)
        else:
            text = summary_paragraphs(work.corpus, find_summary(work, author))
        return {
            "text": text,
            "categories": categories_of(work.study, work.corpus),
            "chosen": chosen,
            "values": [("category", str(place)) for place in chosen],
        }

    def missing(self, work: Work) -> str:
        names, is_several = _chosen(work.content), work.study.settings.several_categories
        is_number_right = len(names) == 1 or (is_several and names and NONE not in names)
        if is_number_right and {*names} <= {*_choices(work)}:
            return ""
        if is_several:
            return work.say("Choose one or more, or none of the above.")
        return work.say("Choose one.")

    def records(self, study: Study, corpus: Corpus, given: Iterable[Given]) -> Records:
        categories = categories_of(study, corpus)
        for answer in given:
            topic, _, author = answer.key
            names = _chosen(answer.content)
            marks: dict[str, Number | str] = {DIMENSION: names[0]}
            if study.settings.several_categories:
                marks = {f"{OF_EACH}{name}": int(name in names) for name in categories}
            head = topic, author or SOURCE, answer.person
            for dimension, mark in marks.items():
                yield "judgments", Judgment(*head, dimension, mark, meta=meta_of(answer))
            if corpus.topic(topic).categories:
                right = right_choice(corpus.topic(topic), categories)
                f = categorization_scores([names], [right]).documents.f
                yield "judgments", Judgment(*head, RIGHT, int(f) if f in (0, 1) else f)

    def unreadable(
        self, before: Study, after: Study, corpus: Corpus, given: Iterable[Given]
    ) -> Iterator[tuple[str, str, str]]:
        known = {*categories_of(after, corpus), NONE}
        for answer in given:
            names = _chosen(answer.content)
            for name in names:
                if name not in known:
                    yield "categories", name, answer.person
            if len(names) > 1 and not after.settings.several_categories:
                yield "several_categories", ", ".join(names), answer.person


def categories_of(study: Study, corpus: Corpus) -> dict[str, str]:
    """The categories to choose from, without that for none of them, and their descriptions."""
    own = sorted({name for topic in corpus.topics for name in topic.categories})
    wanted = study.settings.categories or _described(corpus) or dict.fromkeys(own, "")
    return {name: description for name, description in wanted.items() if name != NONE}


def _described(corpus: Corpus) -> dict[str, str]:
    """The categories that the meta of a corpus describes, if it does."""
    try:
        return msgspec.convert(corpus.meta.get(_META, {}), dict[str, str])
    except msgspec.ValidationError:
        return {}


def _chosen(content: Content) -> list[str]:
    """The names that were chosen: one, or a list where several could be."""
    chosen = content.get("category", [])
    return [chosen] if isinstance(chosen, str) else chosen


def _choices(work: Work) -> tuple[str, ...]:
    return (*categories_of(work.study, work.corpus), NONE)
